# SPDX-License-Identifier: MIT
"""The package and the program give the same answers."""
import json
import pickle

from here import check, equal, holos, main, program, raises, test

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
POSITIONS = [("connect4:5x4", "33"), ("connect4:5x4", "start"), ("nim", "3,4,5 1"), ("nim:1,2", "start"),
             ("kalah:3,2", "start"), ("reversi:4", "start"), ("sudoku", SUDOKU), ("hidato", "1 . ./. . ./. . 9"),
             ("chess", "8/8/8/3k4/8/8/8/K2Q4 b - - 0 1")]


def move_values(result):
    return [{"move": m.move, "lo": m.value.lo, "hi": m.value.hi} for m in result.moves]


@test
def solve_gives_what_the_program_prints():
    for game, position in POSITIONS:
        puzzle = "puzzle" in holos.game(game.split(":")[0]).traits
        limit = ["--nodes", "20000"] if game == "chess" else []
        options = ["--pv"] + ([] if puzzle else ["--moves"])
        said = program("solve", game, position, "--json", "--no-book", *options, *limit).json[0]
        r = holos.solve(game, position, line=True, moves=not puzzle, nodes=20000 if limit else None)
        shown = {"game": r.position.variant.name, "status": r.status, "lo": r.value.lo, "hi": r.value.hi,
                 "outcome": r.outcome, "engine": r.engine}
        equal(shown, {name: said[name] for name in shown}, game, position)
        if r.status == "solved":
            equal((r.value.distance, r.value.source, r.line), (said["distance"], said["source"], said["pv"]), game, position)
        if puzzle:
            equal((r.solutions, r.solutions_complete, str(r.solution)),
                  (said["solutions"], said["solutions_complete"], said["solution"]))
        elif r.status == "solved":
            equal(move_values(r), [{k: m[k] for k in ("move", "lo", "hi")} for m in said["moves"]])
            check(set(said["best"]) <= set(r.best), game, said["best"], r.best)


@test
def errors_have_a_status_a_message_and_an_offset():
    said = program("solve", "connect4:5x4", "339", "--json").json[0]["error"]
    problem = raises(holos.Error, holos.solve, "connect4:5x4", "339")
    equal((problem.status, problem.message, problem.offset), (said["code"], said["message"], said["at"]))
    equal(raises(holos.Error, holos.open, "conect4").status, "usage")
    equal(raises(holos.Error, holos.open, "connect4:99x99").status, "bad-variant")
    equal(raises(holos.Error, holos.open("nim").start().play, "9-9").status, "bad-move")
    equal(raises(holos.Error, holos.solve, "nim", engine="none").status, "usage")
    equal(raises(holos.Error, holos.solve, "nim", settings={"mode": "v3"}).status, "usage")
    equal(raises(holos.Error, holos.open("nim").position, "a\0b").status, "usage")
    again = pickle.loads(pickle.dumps(problem))
    equal((again.status, again.offset), (problem.status, problem.offset))


@test
def positions_are_values():
    v = holos.open("connect4:5x4")
    p = v.start().play("3", "3")
    equal(p, v.position("33"))
    equal(len({p, v.position("33"), v.start()}), 2)
    equal((p.side, p.moves(), p.is_over, str(p)), (0, ["1", "2", "3", "4", "5"], False, "33"))
    equal(pickle.loads(pickle.dumps(p)), p)
    equal(v.position(p), p)
    raises(holos.Error, holos.open("nim").position, p)
    check("x" in p.draw() and repr(p) == "<connect4:5x4 '33'>")
    equal(p.line(["3", "4"]), "3 4")
    over = holos.open("nim:1").start().play("1-1")
    equal((over.is_over, over.terminal().score, over.moves()), (True, -1, []))


@test
def games_are_described_as_the_program_does():
    for said, g in zip(program("games", "--json").json, holos.games()):
        equal((g.name, g.title, g.variant_help, g.position_help, g.score_help),
              (said["game"], said["title"], said["variants"], said["position"], said["score"]))
    chess = holos.game("chess")
    equal((chess.kind_word, chess.distance_words.end_title), ("material", "DTM"))
    v = holos.open("chess")
    p = v.kind_position("KQvKR", seed=1)
    equal((p.kind, v.kind_name(v.kind("KQvKR"))), ("KQvKR", "KQvKR"))
    check("KQvK" in holos.surroundings(v, "KQvKR").unknown, holos.surroundings(v, "KQvKR"))
    raises(holos.Error, holos.game, "go")


@test
def limits_give_intervals_and_no_exception():
    r = holos.solve("connect4:9x8", nodes=2000, engine="alphabeta")
    equal((r.status, r.value.solved, r.outcome), ("bounded", False, None))
    raises(ValueError, lambda: r.score)
    stop = holos.Stop()
    stop.set()
    equal(holos.solve("connect4:9x8", stop=stop).status, "bounded")
    raises(ValueError, holos.solve, "nim", seconds=-1)


@test
def solvers_take_knowledge_functions_and_many_positions():
    v = holos.open("nim:2,2")
    asked = []

    def known(position):
        asked.append(str(position))
        return holos.Value(1, 1, source="table") if str(position) == "1,2 2" else None

    r = v.solve("2,2 1", known=known, moves=True)
    check(asked and r.status == "solved", asked)
    problem = raises(RuntimeError, v.solve, "2,2 1", known=lambda p: (_ for _ in ()).throw(RuntimeError("no")))
    equal(str(problem), "no")
    raises(ValueError, v.solve, "2,2 1", known=lambda p: holos.Value(1, 1, source="network"))
    puzzles = [str(p) for p in holos.open("sudoku").generate(3, seed=4)]
    with holos.open("sudoku").solver() as solver:
        equal([str(r.solution) for r in solver.solve_many(puzzles)], [str(solver.solve(p).solution) for p in puzzles])
    raises(ValueError, solver.solve, SUDOKU)
    with holos.open("reversi:8").solver() as solver:
        move, score = solver.guess("start", 3)
        check(move in holos.open("reversi:8").start().moves() and isinstance(score, int), move, score, solver.lacks)


@test
def hints_and_ratings_are_those_of_the_program():
    v = holos.open("sudoku")
    said, step = program("hint", "sudoku", SUDOKU, "--json").json[0], v.hint(SUDOKU)
    equal((step.technique.name, [c.text for c in step.placements], list(step.houses), step.explanation, step.rating),
          (said["technique"], said["placements"], said["houses"], said["explanation"], said["rating"]))
    said, rating = program("rate", "sudoku", SUDOKU, "--json").json[0], v.rate(SUDOKU)
    equal((rating.level, rating.rating, rating.score, rating.hardest.name, rating.steps, rating.counts),
          (said["level"], said["rating"], said["score"], said["hardest"], said["steps"], said["techniques"]))
    with v.logic(SUDOKU) as logic:
        logic.measure()
        equal((logic.solutions, len(list(logic)), logic.done), (1, rating.steps, True))
        equal(logic.position, logic.solution)
        check(logic.work("hidden-single-box").calls > 0)
        raises(ValueError, logic.work, "magic")
    equal([t.name for t in v.techniques()],
          [t["technique"] for t in program("rate", "sudoku", "--techniques", "--json").json])
    equal(holos.level_number("hard"), holos.levels().index("hard"))
    raises(ValueError, holos.level_number, "hardest")


@test
def puzzles_and_pictures_are_those_of_the_program():
    said = program("generate", "hidato", "--count", "2", "--seed", "3", "--json").json
    made = list(holos.open("hidato").generate(2, seed=3))
    equal([(str(p), p.rating.level) for p in made], [(s["position"], s["level"]) for s in said])
    v = holos.open("sudoku")
    equal(v.position(SUDOKU).picture().strip(), program("draw", "sudoku", SUDOKU).out.strip())
    check(v.position(SUDOKU).picture(v.hint(SUDOKU)) != v.position(SUDOKU).picture())
    equal(v.position(SUDOKU).scene()["rows"], 9)
    raises(holos.Error, holos.open("nim").start().picture)
    equal(len(v.position(SUDOKU).format("grid").splitlines()) >= 9, True)
    raises(holos.Error, v.position(SUDOKU).format, "braille")


@test
def booklets_have_pages():
    import os
    import tempfile
    v = holos.open("sudoku")
    with tempfile.TemporaryDirectory() as folder, v.booklet(os.path.join(folder, "b"), 2) as booklet:
        for puzzle in v.generate(2, seed=1):
            booklet.add(puzzle.position, puzzle.rating)
        equal(booklet.write(), 2)
        check(os.path.exists(os.path.join(folder, "b", "index.html")))


@test
def players_say_on_what_grounds_they_move():
    v = holos.open("connect4:4x4")
    with v.player(seed=1) as player:
        choice = player.choose("start")
        equal((choice.grounds, choice.guess, choice.expectation), ("best", None, None))
        equal(len(player.judge("start").moves), 4)
        equal(player.solve("start").value.score, 0)
    with v.contestant("random") as chance, v.contestant("alphabeta:depth=2") as engine:
        moves, score = holos.play_game(chance, engine, seed=3)
        here = v.start().play(*moves)
        equal(here.terminal().score * (1 if here.side == 0 else -1), score)
    raises(holos.Error, v.contestant, "nobody")
    told = []
    with holos.Thinker(v) as thinker:
        thought = thinker.think("start", depth=3, report=told.append)
        check(thought.depth == 3 and thought.line and told, thought)
        equal(thinker.think("start", depth=2, only=["2"]).line[0], "2")
        thinker.forget()
    equal(holos.open("chess").start().spell("e4"), "e2e4")
    read = []
    with holos.open("reversi").player(engine="zeno", nodes=400, gauges=read.append) as player:
        player.choose("start")
    check(read and all(isinstance(value, float) for value in read[-1].values()), read[-1:])
    score = holos.Score(wins=12, draws=4, losses=4, pairs=(0, 2, 2, 2, 4))
    elo = score.elo()
    check(elo.low < elo.elo < elo.high and elo.superiority > 0.5, elo)
    check(score.likelihood(0, 50) > 0)


@test
def engines_and_options_are_listed():
    names = [e.name for e in holos.engines()]
    check("alphabeta" in names and "wave" in names, names)
    puzzle = next(e for e in holos.engines() if e.name == "puzzle")
    check(puzzle.supports(holos.open("sudoku")) and "puzzles" in puzzle.why_not(holos.open("nim")))
    modes = [o for g in holos.option_groups("solve") if g.owner == "hidato" for o in g.options if o.name == "mode"]
    equal((modes[0].type, modes[0].default), ("choice", "v4"))
    r = holos.solve("hidato", "1 . ./. . ./. . 9", settings={"mode": "v3", "solutions": 5})
    equal((r.solutions, r.solutions_complete), (5, False))
    settings = holos.Settings({"no_hot": True})
    equal(settings["no-hot"], "yes")
    settings.clear()
    raises(KeyError, lambda: settings["no-hot"])


@test
def proofs_and_guesses_are_told_apart():
    check(holos.is_proof("search") and not holos.is_proof("network") and not holos.is_proof("conjecture"))
    equal(holos.Guess(1, "conjecture", 3, 1).precision, 0.75)
    equal(holos.Guess(1, "network").precision, None)


@test
def experiments_run():
    said = json.loads(holos.experiment("tactics").run(quick=True, json=True, game="nim", position="start").text)
    check(said, said)
    raises(holos.Error, holos.experiment, "alchemy")
    tactic = holos.open("nim").tactic()
    measured = holos.meta.measure(holos.open("nim"), "start", tactic.depth, tactic.mode, tactic.direction)
    equal(measured.measure, tactic.measure)
    v = holos.open("nim")
    seeds = [holos.Seed(v.start(), depth=d) for d in (1, 2, 3)]
    strategy = v.strategy(seeds)
    check(strategy.steps and strategy.greedy <= strategy.universe, strategy)


main()
