# SPDX-License-Identifier: MIT
"""engine uci and engine jsonl: every command, what is wrong, stopping, and whole games through a real client (polyglot)."""
import json
import os
import re
import shutil
import subprocess
import tempfile

from tap import PROGRAM, SOURCE, Skip, check, environment, equal, holos, main, test

TABLES = os.path.join(SOURCE, "tests", "data", "chess", "syzygy")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
MATE_IN_1 = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
MATE_IN_2 = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


class Conversation:
    """A program that is spoken to line by line."""

    def __init__(self, *command, cwd=None):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True, bufsize=1, env=environment(), cwd=cwd)

    def say(self, *lines):
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, pattern):
        """All lines up to the first that matches."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            check(line != "", f"it is gone, and never said {pattern}", *lines)
            lines.append(line.rstrip("\n"))
            if re.search(pattern, line):
                return lines

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def uci(*lines, options=()):
    result = holos("engine", "uci", *options, stdin="".join(line + "\n" for line in lines))
    equal(result.status, 0, result)
    return result.lines


# ---- UCI ------------------------------------------------------------------------------------------


@test
def uci_introduces_itself():
    lines = uci("uci", "isready", "quit", "isready")
    check(lines[0].startswith("id name holos ") and lines[1].startswith("id author "), *lines)
    for option in ("Hash type spin", "Threads type spin", "SyzygyPath type string", "Clear Hash type button"):
        check(any(line.startswith("option name " + option) for line in lines), option, *lines)
    equal(lines[-2:], ["uciok", "readyok"])


@test
def mates_are_found_and_counted():
    lines = uci(f"position fen {MATE_IN_1}", "go depth 3")
    check("score mate 1 " in lines[-2], *lines)
    equal(lines[-1], "bestmove h5f7")
    lines = uci(f"position fen {MATE_IN_2}", "go mate 2")
    check("score mate 2 " in lines[-2] and lines[-1] == "bestmove a1a6", *lines)
    lines = uci("position startpos moves f2f3 e7e5 g2g4", "go nodes 2000")
    equal(lines[-1], "bestmove d8h4")


@test
def a_game_that_is_over_has_no_move():
    lines = uci("position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 2")
    equal(lines, ["info depth 0 score mate 0", "bestmove (none)"])
    equal(uci("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go"), ["info depth 0 score cp 0", "bestmove (none)"])


@test
def tables_are_played_from():
    for lines in (uci(f"setoption name SyzygyPath value {TABLES}", "position fen 8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1", "go depth 1"),
                  uci("position fen 8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1", "go depth 1", options=("--tables", TABLES))):
        check("score cp 20000 " in lines[0] and "tbhits 1 " in lines[0], *lines)
        equal(lines[-1], "bestmove a1b2")
    # Above them, a search that comes down to them sees the win, though it is deep in the tables.
    lines = uci(f"setoption name SyzygyPath value {TABLES}", "position fen 8/8/8/3k4/8/8/1r6/K2BQ3 w - - 0 1", "go depth 2")
    check(re.search(r"tbhits [1-9]", lines[-2]), *lines)


@test
def what_is_wrong_is_said_and_no_move_is_made_up():
    lines = uci("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go depth 1", "position startpos moves e2e5", "go depth 1",
                "setoption name Hash value many", "setoption name Nothing value 1", "setoption", "position", "dance", "",
                "setoption name SyzygyPath value /nonexistent", "position startpos", "go depth 1")
    errors = [line for line in lines if line.startswith("info string")]
    equal(len(errors), 10, *lines)
    check("e2e5" in "\n".join(errors) and "Hash is a number from 1" in "\n".join(errors), *errors)
    moves = [line for line in lines if line.startswith("bestmove")]
    equal(moves[:2], ["bestmove (none)", "bestmove (none)"])
    check(re.fullmatch(r"bestmove [a-h]\d[a-h]\d", moves[2]), *moves)


@test
def only_the_moves_that_are_asked_for_are_looked_at():
    equal(uci("position startpos", "go depth 3 searchmoves a2a3 h2h4")[-1] in ("bestmove a2a3", "bestmove h2h4"), True)
    equal(uci("position startpos", "go searchmoves a2a3 depth 2")[-1], "bestmove a2a3")


@test
def it_stops_when_it_is_told_to_and_hears_what_is_said_meanwhile():
    engine = Conversation(PROGRAM, "engine", "uci")
    engine.say("position startpos", "go infinite")
    engine.hear("info depth 3 ")
    engine.say("isready")
    engine.hear("readyok")
    engine.say("stop")
    check(re.match(r"bestmove [a-h]\d[a-h]\d", engine.hear("^bestmove")[-1]))
    # A mate is no reason to answer before that.
    engine.say(f"position fen {MATE_IN_1}", "go infinite", "isready")
    check(not any("bestmove" in line for line in engine.hear("readyok")))
    engine.say("stop", "isready")
    equal(engine.hear("readyok")[-2], "bestmove h5f7")
    # A new question ends the last one, and both are answered.
    engine.say("position startpos", "go infinite", "go depth 1", "isready")
    equal(len([line for line in engine.hear("readyok") + engine.hear("^bestmove") if line.startswith("bestmove")]), 2)
    engine.say("go infinite", "quit")
    check(engine.process.stdout.read().splitlines()[-1].startswith("bestmove"))
    equal(engine.close(), 0)


@test
def every_clock_is_understood():
    for go in ("wtime 1000 btime 1000 winc 10 binc 10", "wtime 300 btime 300 movestogo 1", "movetime 20", "nodes 500",
               "wtime -5 btime 9", "depth 2 wtime 60000 btime 60000", "wtime x", "depth", "mate 0 depth 1", ""):
        lines = uci("position startpos moves e2e4", "go " + go, options=("--time", "0.05"))
        check(re.fullmatch(r"bestmove [a-h]\d[a-h]\d", lines[-1]), go, *lines)


@test
def threads_share_what_they_find():
    lines = uci("setoption name Threads value 3", "setoption name Hash value 2", f"position fen {MATE_IN_2}", "go depth 4")
    check("score mate 2 " in lines[-2], *lines)


@test
def a_repetition_is_seen_from_the_game_so_far():
    # A queen up, white could shuffle; the position after Kb1-a1 would be there for the second time, and that is a draw.
    lines = uci("position fen 7k/8/8/8/8/8/8/KQ6 w - - 0 1 moves b1c1 h8g8 c1b1 g8h8", "go depth 4")
    check(lines[-1] != "bestmove b1c1" and "score cp 0 " not in lines[-2], *lines)


def polyglot():
    program = shutil.which("polyglot", path=os.environ.get("PATH", "") + ":/usr/games")
    if program is None:
        raise Skip("polyglot is not installed")
    return program


@test
def polyglot_tests_it_with_positions():
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "test.epd"), "w", encoding="ascii") as f:
            f.write('r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "one";\n'
                    'kbK5/pp6/1P6/8/8/8/8/R7 w - - bm Ra6; id "two";\n'
                    '8/8/8/3k4/8/8/1r6/K3Q3 w - - bm Kxb2; id "table";\n')
        with open(os.path.join(folder, "polyglot.ini"), "w", encoding="ascii") as f:
            f.write(f"[PolyGlot]\nEngineDir = .\nEngineCommand = {PROGRAM} engine uci --tables {TABLES}\n[Engine]\nHash = 4\n")
        result = subprocess.run([polyglot(), "epd-test", "-epd", "test.epd", "-max-depth", "4", "-max-time", "60"], cwd=folder,
                                env=environment(), capture_output=True, text=True, check=False)
        check(re.search(r"3/3", result.stdout), result.stdout, result.stderr)


class Client(Conversation):
    """polyglot with holos behind it. It checks every move of either side and complains about an illegal one."""

    def __init__(self, folder, name, position):
        path = os.path.join(folder, name + ".ini")
        with open(path, "w", encoding="ascii") as f:
            f.write(f"[PolyGlot]\nEngineName = {name}\nEngineDir = .\nEngineCommand = {PROGRAM} engine uci --tables {TABLES}\n"
                    "Resign = false\nBook = false\n[Engine]\nHash = 4\n")
        super().__init__(polyglot(), path, cwd=folder)
        self.say("xboard", "protover 2")
        self.hear("done=1")
        self.say("new", "force", f"setboard {position}", "sd 3")

    def answer(self):
        line = self.hear(r"^move |^1-0|^0-1|^1/2|[Ii]llegal|[Ee]rror")[-1]
        check("llegal" not in line and "rror" not in line, line)
        return line


@test
def whole_games_through_polyglot():
    """From the start for a while, and an ending down to mate: queen against rook, by the tables, and a pawn that is promoted."""
    with tempfile.TemporaryDirectory() as folder:
        for number, (position, most, mate) in enumerate(((START, 30, False), ("8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1", 120, True),
                                                         ("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1", 120, True))):
            players = [Client(folder, f"{side}{number}", position) for side in ("white", "black")]
            players[0].say("go")
            plies, last = 0, ""
            while plies < most:
                last = players[plies % 2].answer()
                if not last.startswith("move "):
                    break
                move = last.split()[1]
                other = players[1 - plies % 2]
                other.say("usermove " + move, *(["go"] if plies == 0 else []))
                plies += 1
            check(plies == most or (mate and last.startswith("1-0")), position, plies, last)
            for player in players:
                player.say("quit")
                player.close()


# ---- JSON lines -----------------------------------------------------------------------------------


def ask(*questions, options=("--no-book",)):
    lines = [q if isinstance(q, str) else json.dumps(q) for q in questions]
    result = holos("engine", "jsonl", *options, stdin="".join(line + "\n" for line in lines))
    equal(result.status, 0, result)
    return [json.loads(line) for line in result.lines]


def answers_to(answers, name):
    return [a for a in answers if a["id"] == name]


@test
def questions_about_any_game_are_answered_by_their_ids():
    answers = ask({"id": "c4", "game": "connect4:5x4", "position": "3344", "moves": True, "line": True},
                  {"id": "nim", "game": "nim", "position": "3,4,5 1"}, {"id": "start", "game": "nim"},
                  {"id": "s", "game": "sudoku", "position": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"},
                  options=("--threads", "3", "--no-book"))
    equal(sorted(a["id"] for a in answers), ["c4", "nim", "s", "start"])
    c4 = answers_to(answers, "c4")[0]
    equal((c4["status"], c4["lo"], c4["best"], len(c4["moves"]), c4["pv"]), ("solved", 7, ["2"], 5, ["2", "1", "5"]))
    equal(answers_to(answers, "s")[0]["solutions"], 1)
    equal({k: v for k, v in answers_to(answers, "nim")[0].items() if k not in ("id", "position", "nodes", "seconds")},
          {k: v for k, v in answers_to(answers, "start")[0].items() if k not in ("id", "position", "nodes", "seconds")})


@test
def an_error_names_the_id_and_the_field_and_ends_nothing():
    wrong = [({"id": "1", "game": "nimm"}, "game"), ({"id": "1", "game": "nim", "position": "x"}, "position"),
             ({"id": "1", "game": "nim", "tme": 3}, "tme"), ({"id": "1", "game": "nim", "time": -1}, "time"),
             ({"id": "1", "game": 7}, "game"), ({"id": "1"}, "game"), ({"game": "nim"}, "id"), ({"id": 5, "game": "nim"}, "id"),
             ({"id": "1", "cmd": "dance"}, "cmd"), ({"id": "1", "game": "nim", "options": {"a": 1}}, "options"),
             ({"id": "1", "cmd": "terminate"}, "terminate_id"), ({"id": "1", "game": "nim", "moves": "yes"}, "moves"),
             ({"id": "1", "game": "kalah:99,99"}, "game"), ("no JSON", None), ("[]", None), ('{"id":"1"', None), ("{}", "id")]
    for question, field in wrong:
        answers = ask(question, "", {"id": "after", "game": "nim"})
        equal(len(answers), 2, *answers)
        bad = [a for a in answers if a["id"] != "after"][0]
        equal((bad["status"], bad.get("field")), ("error", field), question, bad)
        check(bad["error"]["message"], bad)
        equal(bad["id"], question["id"] if isinstance(question, dict) and isinstance(question.get("id"), str) else None)
        equal(answers_to(answers, "after")[0]["status"], "solved")
    equal(ask({"id": "1", "game": "nim", "options": {"mode": "v3"}})[0]["status"], "error")
    equal(ask({"id": "1", "game": "nim", "engine": "dream"})[0]["status"], "error")


@test
def reports_come_while_it_works_and_stop_when_it_is_terminated():
    engine = Conversation(PROGRAM, "engine", "jsonl", "--no-book", "--threads", "2", "--time", "0")
    engine.say('{"id":"long","game":"connect4:9x8","report":0.05}', '{"id":"other","game":"nim"}')
    seen = [json.loads(line) for line in engine.hear('"id":"other"') + engine.hear('"id":"long".*"partial":true')
            + engine.hear('"id":"long".*"partial":true')]
    check(all(a["partial"] == (a["id"] == "long") for a in seen), *seen)
    check(any(a.get("status") in ("bounded", "running") for a in seen), *seen)
    engine.say('{"id":"t","cmd":"terminate","terminate_id":"long"}')
    seen = [json.loads(line) for line in engine.hear('"id":"long".*"partial":false')]
    last = seen[-1]
    equal((last["terminated"], last["status"]), (True, "bounded"), last)
    check(last["lo"] < last["hi"] and last["nodes"] > 0, last)
    stopped = [a for a in seen if a["id"] == "t"] or [json.loads(engine.hear('"id":"t"')[-1])]
    equal(stopped[0]["count"], 1)
    engine.say(*['{"id":"%d","game":"connect4:9x8"}' % i for i in range(5)], '{"id":"all","cmd":"terminate_all"}')
    engine.process.stdin.close()
    rest = [json.loads(line) for line in engine.process.stdout.read().splitlines()]
    equal(answers_to(rest, "all")[0]["count"], 5)
    equal(sorted(a["id"] for a in rest if a.get("terminated")), ["0", "1", "2", "3", "4"])
    equal(engine.process.wait(), 0)


@test
def it_chooses_and_thinks():
    answers = ask({"id": "p", "cmd": "choose", "game": "connect4:5x4", "position": "3344"},
                  {"id": "q", "cmd": "think", "game": "chess", "position": MATE_IN_1, "depth": 3, "report": 1},
                  {"id": "k", "cmd": "think", "game": "kalah:4,3", "depth": 4}, {"id": "s", "cmd": "think", "game": "sudoku"},
                  {"id": "v", "cmd": "query_version"}, {"id": "g", "cmd": "query_games"})
    equal([answers_to(answers, "p")[0][k] for k in ("move", "grounds", "lo")], ["2", "best", 7])
    thoughts = answers_to(answers, "q")
    check(thoughts[0]["partial"] and not thoughts[-1]["partial"], *thoughts)
    equal((thoughts[-1]["line"], thoughts[-1]["looks"]), (["Qxf7#"], 29999))
    check(len(answers_to(answers, "k")[0]["line"]) >= 1)
    equal(answers_to(answers, "s")[0]["status"], "error")
    equal(answers_to(answers, "v")[0]["name"], "holos")
    check("chess" in answers_to(answers, "g")[0]["games"])


@test
def limits_hold_for_all_slices_together():
    answer = [a for a in ask({"id": "n", "game": "connect4:9x8", "nodes": 300000, "report": 0.01}, options=("--no-book", "--time", "0")) if not a["partial"]][0]
    equal(answer["status"], "bounded")
    check(300000 <= answer["nodes"] < 3000000, answer)


@test
def a_game_is_not_for_jsonl():
    equal(holos("engine", "jsonl", "nim").status, 2)


@test
def options_that_would_do_nothing_are_refused():
    for words in (("gtp", "--threads", "2"), ("nboard", "--threads", "2"), ("uci", "--engine", "proof"), ("uci", "--seed", "3")):
        result = holos("engine", *words)
        check(result.status == 2 and words[1] in result.err, result)
    answer = ask({"id": "e", "game": "nim"}, options=("--engine", "proof"))[0]
    equal(answer["engine"], "proof")


main()
