# SPDX-License-Identifier: MIT
"""engine: other people's protocols, and a whole game against another engine."""
import os
import re
import shutil
import subprocess

from tap import PROGRAM, Skip, check, environment, equal, holos, main, test

START = "---------------------------O*------*O---------------------------"


def gtp(*commands, game=("reversi",)):
    """The answers to some commands."""
    result = holos("engine", "gtp", *game, "--time", "0.2", stdin="".join(c + "\n" for c in commands))
    equal(result.status, 0, result)
    return [answer.strip() for answer in result.out.split("\n\n") if answer.strip()]


@test
def commands_are_answered_with_their_numbers():
    equal(gtp("1 protocol_version", "name", "7 known_command play", "known_command dance", "# nothing", "", "9 quit", "name"),
          ["=1 2", "= holos", "=7 true", "= false", "=9"])


@test
def what_is_wrong_is_said():
    equal(gtp("12 dance"), ["?12 unknown command"])
    equal(gtp("boardsize 7"), ["? unacceptable size"])
    check(gtp("play white f5")[0].startswith("? it is not white's turn"))
    check("legal are" in gtp("play black a1")[0])
    check("syntax" in gtp("play purple a1")[0])
    equal(gtp("undo"), ["? cannot undo"])
    equal(gtp("final_score"), ["? cannot score: the game is not over"])
    equal(holos("engine", "smoke").status, 2)
    equal(holos("engine", "gtp", "sudoku").status, 2)


@test
def moves_are_played_and_taken_back():
    board = gtp("play black F5", "undo", "showboard")[-1]
    check("X to move, X 2, O 2" in board, board)
    check("X 4, O 1" in gtp("play b f5", "showboard")[-1])
    equal(gtp("boardsize 4", "play black b1", "play white a1", "play black a2", "play white c1", "play black d4",
              "play white a3", "play black d1", "play white b4", "play black a4", "play white c4", "final_score")[-1], "= W+10")


@test
def a_move_can_be_asked_for_without_playing_it():
    answers = gtp("boardsize 4", "reg_genmove black", "showboard", "reg_genmove white", game=("reversi:4",))
    check(re.fullmatch(r"= [A-D][1-4]", answers[1]) and "X 2, O 2" in answers[2], *answers)
    check(answers[3].startswith("? it is not white's turn"), *answers)


@test
def clocks_are_kept_to():
    for command in ("time_settings 10 0 0", "time_settings 0 5 1", "time_left black 1 0", "time_left black 3 2", "time_left white 0 0"):
        equal(gtp(command, "genmove black", game=("connect4:4x4",))[0], "=", command)
    for command in ("time_left", "time_left purple 1 1", "time_left black x 1", "time_settings 1 2", "time_settings -1 0 0", "time_left black -1 0"):
        check("syntax error" in gtp(command)[0], command)


@test
def every_command_that_is_listed_is_known():
    for name in gtp("list_commands")[0][2:].split("\n"):
        equal(gtp("known_command " + name), ["= true"], name)


@test
def any_game_of_two_can_be_played():
    equal(gtp("play black 4", "genmove white", game=("connect4:4x4",))[0], "=")
    check(re.fullmatch(r"= [1-4]", gtp("genmove black", game=("connect4:4x4",))[0]))


@test
def nboard_is_answered():
    result = holos("engine", "nboard", "--time", "0.2", stdin=f"nboard 2\nset game (;GM[Othello]BO[8 {START} *];)\n"
                   "move F5/0.0/1\nping 42\ngo\nset depth 4\nhint 1\n")
    equal(result.status, 0, result)
    lines = result.lines
    equal(lines[:2], ["set myname holos", "pong 42"])
    check(re.fullmatch(r"=== (D6|F4|F6)/.*/\d+\.\d\d", lines[2]), result)


@test
def nboard_tells_proved_values_only():
    board = "--*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO--OOOOO--"
    result = holos("engine", "nboard", "--time", "60", stdin=f"set game (;GM[Othello]BO[8 {board} *];)\nhint 2\n")
    equal(result.lines[:2], ["search G8 +18.00 0 100%", "search H1 +12.00 0 100%"], result)


@test
def nboard_analyzes_a_game_from_its_end():
    board = "--*****--OOO**-O-OOO**O*-O*O*O**O***O***--*O*O**-***OOO--OOOOO--"
    result = holos("engine", "nboard", "--time", "60",
                   stdin=f"set game (;GM[Othello]BO[8 {board} *]B[g8];)\nanalyze\nlearn\nset depth 3\ndance\nping 1\n")
    equal(result.lines, ["analysis 1 +18.00", "analysis 0 +18.00", "status", "learned", "pong 1"], result)


class Engine:
    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                        env=environment())

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            check(line != "", "the engine is gone", command, lines)
            if line.strip() == "" and lines:
                break
            lines.append(line.strip())
        check(lines[0].startswith("="), command, lines)
        return lines[0][1:].strip()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def rhino():
    program = shutil.which("gtp-rhino", path=os.environ.get("PATH", "") + ":/usr/games")
    if program is None:
        raise Skip("gtp-rhino is not installed (Debian: grhino)")
    return Engine(program, "-l", "1")


@test
def whole_games_against_another_engine():
    for ours in ("black", "white"):
        engines = {ours: Engine(PROGRAM, "engine", "gtp", "reversi", "--time", "0.05")}
        engines["white" if ours == "black" else "black"] = rhino()
        for engine in engines.values():
            engine.ask("boardsize 8")
            engine.ask("clear_board")
        color, passes, moves = "black", 0, 0
        while passes < 2 and moves < 130:
            other = "white" if color == "black" else "black"
            move = engines[color].ask(f"genmove {color}")
            passes = passes + 1 if move.lower() == "pass" else 0
            if passes == 0 or (passes < 2 and other == ours):  # the other engine takes no passes: it knows when there is one
                engines[other].ask(f"play {color} {move}")
            color, moves = other, moves + 1
        check(20 < moves < 130, moves)
        # Both have kept the same board: they see the same winner. (Who gets the empty cells is not counted alike.)
        scores = [engine.ask("final_score") for engine in engines.values()]
        equal(scores[0][0], scores[1][0], scores)
        for engine in engines.values():
            engine.close()


main()
