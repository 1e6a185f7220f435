# SPDX-License-Identifier: MIT
"""Every long verb, stopped at random moments by --time, --nodes, INT, TERM, HUP and kill -9: what it printed is true, the exit
status is the documented one, it stops soon, what was finished is there, and --resume goes on.

What is true comes from elsewhere: values that are known, or a run of another engine that nobody stopped. Moments are counted in
processor time, and so is how long a stop takes: a busy machine changes neither.

By default each case is stopped in two ways drawn at random, the same ones in every run. HOLOS_FULL=1 tries all ways, each at several moments;
HOLOS_SEED=N draws others.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

from servers import Bigtable, Postgres, server
from tap import SANITIZED, Result, Skip, check, equal, holos, main, start, test

FULL = os.environ.get("HOLOS_FULL", "0") not in ("", "0")
CHANCE = random.Random(int(os.environ.get("HOLOS_SEED", "15")))
SOON = 5 if SANITIZED else 1  # processor seconds that a stop may take
VERBS = {verb["verb"]: {o["name"] for o in verb["options"]} for verb in holos("help", "--json").json}
GAMES = {game["game"]: game for game in holos("games", "--json").json}
FOLDER = tempfile.TemporaryDirectory()
SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP, "KILL": signal.SIGKILL}

SUDOKU = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"


def sparse(side):
    """A board of which only the ends of the path are given."""
    given = {(0, 0): 1, (side - 1, 0): side * side}
    return "/".join(" ".join(str(given.get((r, c), ".")) for c in range(side)) for r in range(side))


# ---- Stopping ---------------------------------------------------------------------------------------------------------

def cpu_seconds(pid):
    """The processor time of a process that nobody has waited for yet."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended(pid):
    """Whether it has ended; it stays a zombie, whose processor time can be read."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def run_until(process, done):
    while not ended(process.pid) and not done():
        time.sleep(0.005)


def by_signal(args, name, moment, stdin=b"", endless=True, soon=SOON):
    """Sends the signal after so many processor seconds. Work that is not endless may end by itself at that very moment."""
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    process = start(*args, stdout=out, stderr=err)
    process.stdin.write(stdin)
    process.stdin.flush()
    run_until(process, lambda: cpu_seconds(process.pid) >= moment)
    over = ended(process.pid)
    before = cpu_seconds(process.pid)
    os.kill(process.pid, SIGNALS[name])  # not send_signal, which would wait for a process that has ended
    run_until(process, lambda: cpu_seconds(process.pid) - before > soon)
    late = not ended(process.pid)
    if late:
        process.kill()
    process.wait()
    process.stdin.close()
    check(not late, f"{soon} processor seconds after {name} it is still at work", args)
    out.seek(0)
    err.seek(0)
    result = Result(process.returncode, out.read(), err.read())
    out.close()
    err.close()
    over = over or not endless and result.status in (0, 1)
    if not over:
        equal(result.status, -signal.SIGKILL if name == "KILL" else 130, name, moment, args, result)
    return result, over


def by_limit(args, name, amount):
    """Runs with --time or --nodes."""
    before = os.times()
    result = holos(*args, "--" + name, str(amount))
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    if name == "time" and "--threads" not in args:
        check(used < amount * 1.1 + SOON, f"{used:.2f} processor seconds with --time {amount}", args)
    check(result.status in (0, 1, 4), name, amount, args, result)
    return result, result.status in (0, 1)


def stop(args, way, endless=True):
    """Stops a run in one way at a random moment. Returns what it left, and whether it had ended by itself."""
    moment = CHANCE.choice((0.02, 0.1, 0.3)) * (0.5 + CHANCE.random())
    if way == "time":
        return by_limit(args, "time", round(moment, 3))
    if way == "nodes":
        return by_limit(args, "nodes", CHANCE.choice((1, 100, 3000, 50000)))
    return by_signal(args, way, moment, endless=endless)


def ways(verb):
    """In how a verb can be stopped."""
    possible = [name for name in ("time", "nodes") if name in VERBS[verb]] + list(SIGNALS)
    return possible * 3 if FULL else CHANCE.sample(possible, 2)


def fresh(name):
    return os.path.join(FOLDER.name, f"{name}{CHANCE.randrange(1 << 60):x}")


def objects(result):
    """The objects on stdout; a killed run may have left half of one."""
    lines = result.lines
    if result.status < 0 and lines and not result.out.endswith("\n"):
        lines = lines[:-1]
    return [json.loads(line) for line in lines]


# ---- Values -----------------------------------------------------------------------------------------------------------

# A position for each game that takes every engine longer than the moments above, or nearly, and its score. Sources: the
# solution of Connect Four (Allis, Allen 1988: the first side wins with its last stone, which is the score 1); the rules for the mate
# in chess; that puzzle 1 of Norvig's list and a path along the rows exist; nim by its theory; the
# FFO test suite for reversi (number 43). Kalah's comes from another engine, and so does that of a game which has no line here.
KNOWN = {
    "connect4": ("connect4", "start", 1, ("--no-book",)),
    "chess": ("chess", "8/8/8/8/3k4/8/8/KQ6 w - -", 2, ()),
    "sudoku": ("sudoku", SUDOKU, 1, ()),
    "hidato": ("hidato:4", sparse(10), 1, ()),
    "nim": ("nim:9,11,13,15", "start", 1 if 9 ^ 11 ^ 13 ^ 15 else -1, ()),
    "kalah": ("kalah:4,3", "start", None, ()),
    "reversi": ("reversi", "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, ()),
}
LARGER = {
    "retrograde": ("kalah:4,4", "start", None, ("--no-hot",)),
    # After its 800 simulations, a tenth of a second, it would end by itself, with the exit status of a limit.
    "zeno": (*KNOWN["reversi"][:3], ("--simulations", "100000000", "--layers", "tactics,glance,prune,control,explore")),
}
SCORES = {}


def true_score(game, position, score, engine):
    """The score of a position, from elsewhere than the engine."""
    if score is not None:
        return score
    engines = GAMES[game.split(":")[0]]["engines"]
    other = next((name for name in ("alphabeta", "retrograde", *engines) if name in engines and name != engine), None)
    if other is None:
        raise Skip(f"no other engine solves {game}")
    key = (game, position, other)
    if key not in SCORES:
        answer = holos("solve", game, position, "--engine", other, "--json").json[0]
        equal(answer["status"], "solved", answer)
        SCORES[key] = answer["lo"]
    return SCORES[key]


def check_value(answer, score, shown):
    check(answer["lo"] <= score <= answer["hi"], "a false interval", score, answer, shown)
    check((answer["lo"] == answer["hi"]) == (answer["status"] == "solved"), answer, shown)
    if answer.get("outcome"):
        solvable = {"solvable": 1, "unsolvable": 0}
        sign = (score > 0) - (score < 0)
        expected = {1: ("win", "solvable"), 0: ("draw", "unsolvable"), -1: ("loss",)}[sign]
        check(answer["outcome"] in expected, solvable, answer, shown)


def solve_test(game, engine):
    def stopped_it_prints_a_true_interval():
        name, position, score, more = LARGER.get(engine, KNOWN.get(game, (game, "start", None, ())))
        score = true_score(name, position, score, engine)
        args = ("solve", name, position, "--engine", engine, "--json", *more)
        for way in ways("solve"):
            result, _ = stop(args, way, endless=False)
            answers = objects(result)
            check(answers or way == "KILL", "silence", args, result)
            for answer in answers:
                check_value(answer, score, (way, args, str(result)))

    stopped_it_prints_a_true_interval.__name__ = f"solve_{game}_with_{engine}"
    return test(stopped_it_prints_a_true_interval)


for a_game in GAMES:
    for an_engine in GAMES[a_game]["engines"]:
        solve_test(a_game, an_engine)


# ---- Puzzles ----------------------------------------------------------------------------------------------------------

def has_one_solution(game, puzzle):
    answer = holos("solve", game, puzzle, "--json", "--solutions", "2").json[0]
    equal((answer["status"], answer["solutions"]), ("solved", 1), game, puzzle, answer)


def generate_test(game, *more):
    def every_puzzle_that_was_printed_is_whole():
        for way in ways("generate"):
            args = ("generate", game, "--count", "100000", "--json", *more)
            result, _ = stop(args, way)
            puzzles = [o for o in objects(result) if "position" in o]
            for puzzle in CHANCE.sample(puzzles, min(3, len(puzzles))):
                has_one_solution(game, puzzle["position"])

    every_puzzle_that_was_printed_is_whole.__name__ = f"generate_{game}" + "".join(more)
    return test(every_puzzle_that_was_printed_is_whole)


for case in (("sudoku",), ("sudoku:16x16", "--minimal"), ("sudoku", "--difficulty", "extreme"), ("hidato",),
             ("hidato", "--size", "30x30", "--minimal"), ("hidato:4", "--size", "12x12")):
    generate_test(*case)


@test
def booklets():
    for way in ways("generate"):
        folder = fresh("booklet")
        result, _ = stop(("generate", "sudoku", "--count", "1000000", "--booklet", folder), way)
        if "puzzles" in result.out and way != "KILL":
            check(os.path.exists(f"{folder}/index.html"), way, result)
        shutil.rmtree(folder, ignore_errors=True)


@test
def ratings_hints_and_steps():
    for args in (("rate", "hidato:4", sparse(20)), ("hint", "hidato:4", sparse(20)),
                 ("solve", "hidato:4", sparse(16), "--steps", "--solutions", "1")):
        for way in ways(args[0]):
            result, over = stop((*args, "--json"), way)
            for answer in objects(result):
                check(over or answer["status"] in ("error", "bounded", "solved", "several"), answer, args)
                if answer["status"] == "error":
                    check(answer["error"]["code"] in ("limit", "interrupted"), answer, args)


# ---- Playing, experiments, benchmarks -----------------------------------------------------------------------------------

@test
def playing_keeps_to_the_limits_of_a_move():
    for limit in (("--time", "0.2"), ("--nodes", "2000")):
        result = holos("play", "chess", "--side", "second", *limit, stdin="quit\n")
        equal(result.status, 0, limit, result)
        check("first plays" in result.out, limit, result)


@test
def playing_ends_with_a_request_to_end():
    for name in ("TERM", "HUP", "KILL"):
        by_signal(("play", "connect4:9x8", "--side", "second", "--time", "1h"), name, 0.2)


@test
def engines_end_with_a_request_to_end():
    for name in SIGNALS:
        by_signal(("engine", "gtp", "connect4:9x8", "--time", "1h"), name, 0.2, stdin=b"genmove black\n")


@test
def experiments_and_benchmarks():
    names = [line["lab"] for line in holos("lab", "--json").json]
    for name in names:
        for way in ways("lab"):
            if way not in ("time", "nodes"):
                by_signal(("lab", name), way, 0.05)
    for way in ways("bench"):
        by_signal(("bench", "core"), way, 0.1)
        by_signal(("bench", "wave"), way, 0.5 + 3 * CHANCE.random(), endless=False)


# ---- Stores -----------------------------------------------------------------------------------------------------------

# Work that goes into a store: the words, and the game.
BUILDS = {
    "database": (("build", "kalah:6,4", "--seeds", "14"), "kalah:6,4"),
    "database-sqlite": (("build", "kalah:4,4", "--seeds", "10"), "kalah:4,4"),
    "graph": (("build", "kalah:4,2", "--graph"), "kalah:4,2"),
    **{f"graph-{scheme}": (("build", "kalah:4,2", "--graph"), "kalah:4,2") for scheme in ("parquet", "postgres", "bigtable")},
    "database-postgres": (("build", "kalah:4,4", "--seeds", "8"), "kalah:4,4"),
    "book": (("build", "connect4:6x5", "--book-depth", "3"), "connect4:6x5"),
    "tables": (("build", "chess", "KRvK"), "chess"),
    **{mode: (("explore", "kalah:3,3", "start", "--mode", mode, "--checkpoint-every", "0.05"), "kalah:3,3")
       for mode in ("auto", "lightning", "wave", "crystal", "osmosis")},
}
SAMPLES = {
    "kalah:6,4": ["1,0,0,0,0,2,0/0,1,0,0,3,0,0 1", "0,0,0,2,0,0,0/1,0,0,1,0,0,0 2"],
    "kalah:4,4": [],
    "kalah:4,2": ["start"],
    "kalah:3,3": ["start"],
    "connect4:6x5": ["1", "33"],
    "chess": ["8/8/8/8/3k4/8/8/KR6 w - -"],
}


STORES = holos("version", "--json").json[0]["stores"]
os.environ["XDG_STATE_HOME"] = os.path.join(FOLDER.name, "state")


def store_of(name):
    scheme = name.split("-")[-1]
    if scheme in STORES and STORES[scheme] != "available":
        raise Skip(STORES[scheme])
    if scheme == "postgres":
        return server(Postgres).url(os.path.basename(fresh("s")))
    if scheme == "bigtable":
        os.environ["BIGTABLE_EMULATOR_HOST"] = server(Bigtable).host
        return server(Bigtable).url(os.path.basename(fresh("s")))
    return f"sqlite:{fresh(name)}.db" if scheme == "sqlite" else f"{scheme if scheme == 'parquet' else 'file'}:{fresh(name)}"


def exists(store):
    if store.startswith(("postgres:", "bigtable:")):
        return holos("store", "info", store).status == 0
    path = store.split(":", 1)[1]
    return os.path.exists(path) and (not os.path.isdir(path) or bool(os.listdir(path)))


def check_store(name, store):
    """Everything in it is sound and true."""
    game = BUILDS[name][1]
    if game != "chess":
        result = holos("store", "verify", store)
        equal(result.status, 0, name, result)
    for position in SAMPLES[game]:
        found = holos("query", store, position, "--json", *(("--game", "chess") if game == "chess" else ()))
        if found.status not in (0, 4) or found.json[0]["status"] == "error":
            continue  # not there yet
        answer = found.json[0]
        key = (game, position)
        if key not in SCORES:
            SCORES[key] = holos("solve", game, position, "--no-book", "--json").json[0]
        equal(SCORES[key]["status"], "solved")
        check(answer["lo"] <= SCORES[key]["lo"] <= answer["hi"], "a false interval", SCORES[key], answer, name)


def build_test(name):
    def what_was_finished_is_there_and_it_goes_on():
        words, _ = BUILDS[name]
        for way in ways(words[0]):
            store = store_of(name)
            _, over = stop((*words, "--store", store), way, endless=False)
            for _ in range(3):  # goes on, and is stopped again
                if over or not exists(store):
                    break
                _, over = stop((*words, "--store", store, "--resume"), way, endless=False)
            result = holos(*words, "--store", store, *(("--resume",) if exists(store) else ()))
            if way == "KILL" and result.status == 2:  # nothing was saved before the end: then a new beginning needs no force
                result = holos(*words, "--store", store)
            equal(result.status, 0, name, way, result)
            check_store(name, store)
            path = store.split(":", 1)[1]
            if os.path.isdir(path):
                shutil.rmtree(path)

    what_was_finished_is_there_and_it_goes_on.__name__ = f"build_{name}"
    return test(what_was_finished_is_there_and_it_goes_on)


for a_build in BUILDS:
    build_test(a_build)


def made(*words):
    store = f"file:{fresh('source')}"
    equal(holos(*words, "--store", store).status, 0, words)
    return store


if FULL:
    @test
    def tables_of_five_pieces():
        """Whole tables of them are gone through many times: a stop waits for the end of none."""
        store = store_of("five")
        for moment in (3, 8, 11, 14, 17, 20, 23, 26):
            by_signal(("build", "chess", "KRBvKR", "--store", store, "--threads", "1"), "INT", moment, endless=False,
                      soon=SOON / 3)
        shutil.rmtree(store.split(":", 1)[1])


def graph_goes_on(game, moment, *more):
    """Stops a graph and goes on, again and again, at random moments of so many processor seconds."""
    def whole(store, *options):
        result = holos("build", game, "--graph", "--store", store, "--json", *options)
        equal(result.status, 0, result)
        with open(store[5:] + "/graph.rows", "rb") as f:
            rows = f.read()
        report = result.json[0]
        return rows, {key: report[key] for key in ("positions", "generated", "duplicates", "positions_by_depth")}

    expected = whole(f"file:{fresh('whole')}")
    for way in ("INT", "KILL") if not FULL else list(SIGNALS) * 3:
        store, kept = f"file:{fresh('reached')}", False
        words = ("build", game, "--graph", "--store", store, "--checkpoint-every", str(moment / 4), *more)
        by_signal(words, way, moment * (0.7 + CHANCE.random()), endless=False)
        for _ in range(3):
            kept = kept or os.path.exists(f"{store[5:]}/graph.reached")
            by_signal((*words, "--resume"), way, moment * (0.5 + 1.5 * CHANCE.random()), endless=False)
        check(kept, "nothing was kept of what had been reached", way)
        equal(whole(store, "--resume", *more), expected, way)
        check(not os.path.exists(f"{store[5:]}/graph.reached"), "a checkpoint that nobody needs", way)


@test
def a_graph_goes_on_from_what_was_reached():
    graph_goes_on("kalah:4,3", 0.4)


@test
def a_graph_on_disk_goes_on_from_what_was_reached():
    spill = fresh("spill")
    os.mkdir(spill)
    graph_goes_on("kalah:4,2", 0.1, "--mem", "6M", "--spill", spill)


@test
def checkpoints_do_not_change_layers():
    words = ("explore", "connect4:5x4", "--graph", "--json")
    often = holos(*words, "--store", f"file:{fresh('often')}", "--checkpoint-every", "0.02").json[0]
    equal(often["layers"], holos(*words).json[0]["layers"])


def explore_large_test(game, mode):
    """Of millions of positions neither the last values nor all of them on disk are worth a wait of more than a second."""
    def it_stops_soon_and_what_is_kept_is_whole():
        store = f"file:{fresh(mode)}"
        words = ("explore", game, "start", "--mode", mode, "--store", store)
        result, _ = by_signal((*words, "--checkpoint-every", "1", "--json"),
                              CHANCE.choice(("INT", "TERM", "HUP")), 4 + 2 * CHANCE.random())
        equal(objects(result)[0]["stopped"], "interrupted", result)
        if not exists(store):
            check("before the first checkpoint" in result.err, result)
            return
        equal(holos("store", "verify", store).status, 0)
        result = holos(*words, "--resume", "--nodes", "1000", "--json")
        equal((result.status, objects(result)[0]["stopped"]), (4, "node limit"), result)

    it_stops_soon_and_what_is_kept_is_whole.__name__ = f"explore_large_{mode}"
    return test(it_stops_soon_and_what_is_kept_is_whole)


for a_game, a_mode in (("connect4:5x5", "lightning"), ("connect4:6x6", "wave")):
    explore_large_test(a_game, a_mode)


@test
def verification_never_doubts_what_it_had_no_time_for():
    for words in (("build", "kalah:6,4", "--seeds", "15"), ("build", "kalah:4,2", "--graph"),
                  ("build", "connect4:6x5", "--book-depth", "3"), ("explore", "connect4:5x4", "12")):
        store = made(*words)
        for way in ways("store"):
            result, _ = by_signal(("store", "verify", store, "--all"), way, 0.1, endless=False)
            check(result.status != 1 and "not sound" not in result.out, words, way, result)
            check(("is sound" in result.out) == (result.status == 0), words, way, result)
        sound = holos("store", "verify", store)
        equal(sound.status, 0, words, sound)


def facts_of(store):
    facts = holos("store", "info", store, "--json").json[0]
    return {name: value for name, value in facts.items() if name != "store"}


@test
def a_merge_is_whole_or_can_be_made_again():
    """What was there before is replaced by a whole one or not at all, if it is one file; the sources stay as they were."""
    cases = ([made("build", "kalah:6,4", "--seeds", str(seeds)) for seeds in (13, 14, 15)],
             [made("explore", "connect4:5x4", position, "--mode", "wave") for position in ("11", "12", "13")])
    for sources in cases:
        merge = ("store", "merge", *sources, "--into")
        whole = f"file:{fresh('whole')}"
        equal(holos(*merge, whole).status, 0)
        for way in ways("store"):
            target = f"file:{fresh('merged')}"
            result, over = by_signal((*merge, target), way, 0.02 + 0.1 * CHANCE.random(), endless=False)
            if over:
                equal(result.status, 0, way, result)
            again = holos(*merge, target, "--restart")
            equal(again.status, 0, way, again)
            equal(facts_of(target), facts_of(whole), way, sources)
            left = [name for name in os.listdir(target.split(":", 1)[1]) if name.endswith((".tmp", "lock"))]
            equal(left, [], way)
            if sources is cases[1]:
                by_signal((*merge, target, "--restart"), way, 0.02 + 0.1 * CHANCE.random(), endless=False)
                equal(facts_of(target), facts_of(whole), way, "stopped, it replaced what was there by half of it")
        for store in sources:
            equal(holos("store", "verify", store).status, 0, store)


@test
def a_copy_goes_on():
    source = made("build", "kalah:6,4", "--seeds", "15")
    for way in ways("store"):
        target = f"file:{fresh('copy')}"
        _, over = by_signal(("store", "copy", source, target), way, 0.05, endless=False)
        if exists(target) and not over:
            result = holos("store", "copy", source, target, "--resume")
            if result.status != 0:  # it was stopped before the target was anything
                result = holos("store", "copy", source, target, "--restart")
            equal(result.status, 0, way, result)
        equal(holos("store", "verify", source).status, 0, way)


@test
def a_region_says_what_it_solved():
    for way in ways("explore"):
        result, over = stop(("explore", "chess", "KRvKN", "--json"), way, endless=False)
        for report in objects(result):
            check(over or report["stopped"] != "solved", way, report)


# ---- Playing and learning ------------------------------------------------------------------------------------------------

PLAYING = {
    "match": ("match", "connect4", "random", "random", "--games", "1000000"),
    "train": ("train", "reversi:6", "evaluation", "--positions", "10M"),
    "ablate": ("ablate", "reversi", "--games", "1000"),
    "optimize": ("optimize", "seed", "connect4", "--nodes", "1000M"),
}


def playing_test(verb):
    def it_stops_when_it_is_asked_to():
        for way in ("INT", "TERM"):
            store = ("--store", "file:" + fresh(verb)) if verb == "train" else ()
            by_signal((*PLAYING[verb], *store), way, 0.3, endless=False)

    it_stops_when_it_is_asked_to.__name__ = f"{verb}_stops_when_it_is_asked_to"
    return test(it_stops_when_it_is_asked_to)


for a_verb in PLAYING:
    playing_test(a_verb)


# ---- Nothing is forgotten -----------------------------------------------------------------------------------------------

@test
def every_verb_that_takes_limits_is_tried_here():
    tried = {"solve", "generate", "rate", "hint", "play", "engine", "lab", "bench", "store", "explore", "build", *PLAYING}
    long = {verb for verb, options in VERBS.items() if options & {"time", "nodes", "progress", "resume"}}
    check(long <= tried, long - tried)
    kinds = {words[0] for words, _ in BUILDS.values()}
    equal(kinds, {"build", "explore"})


main()
