# SPDX-License-Identifier: MIT
"""Chess: what solve, draw and lab say; phase operators and perft beside Stockfish, where it is installed."""
import csv
import os
import re
import shutil
import subprocess
import tempfile

from tap import check, equal, holos, main, test

MORPHY = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
STOCKFISH = shutil.which("stockfish", path=os.environ["PATH"] + ":/usr/games")


def stockfish(commands):
    return subprocess.run([STOCKFISH], input=commands + "quit\n", capture_output=True, text=True, check=True).stdout


# ---- solve ---------------------------------------------------------------------------------------


@test
def a_mate_is_shown_as_pgn():
    result = holos("solve", "chess", MORPHY, "--pv")
    equal(result.status, 0, result)
    equal(result.lines[0], f"{MORPHY}: win in 3 plies (score +2); best Ra6", result)
    equal(result.lines[1], "  line: 1. Ra6 bxa6 2. b7#", result)


@test
def what_is_not_proven_is_an_interval():
    result = holos("solve", "chess", "start", "--nodes", "3000", "--json")
    equal(result.status, 4, result)
    answer = result.json[0]
    equal((answer["status"], answer["lo"], answer["hi"], answer["engine"]), ("bounded", -2, 2, "deepening"), result)


@test
def a_position_may_be_given_by_moves():
    result = holos("solve", "chess", "1. f3 e5 2. g4", "--pv")
    equal(result.lines[0], "1. f3 e5 2. g4: win in 1 ply (score +2); best Qh4#", result)


@test
def a_wrong_fen_is_refused_with_the_reason():
    result = holos("solve", "chess", "8/8/8/8/8/8/8/K7 w - -")
    equal(result.status, 3, result)
    check("black has no king" in result.out, result)


# ---- lab phase -----------------------------------------------------------------------------------


def rows(*options):
    with tempfile.TemporaryDirectory() as folder:
        result = holos("lab", "phase", "--quick", "--out", folder, *options)
        with open(os.path.join(folder, "exp1_equivalence.csv"), encoding="utf-8", newline="") as file:
            return result, list(csv.DictReader(file))


def squares(text):
    return {(int(r), int(c)) for r, c in re.findall(r"\((\d),(\d)\)", text)}


@test
def every_pair_is_equivalent():
    result, table = rows("--fail-on-mismatch")
    equal(result.status, 0, result)
    equal(result.lines[0], "§11.3 complete: 416/416 pairs equivalent", result)
    equal(len(table), 416, result)
    equal(list(table[0]), ["polarization", "origin_row", "origin_col", "phase_op_destinations",
                           "geometric_destinations", "set_equal", "missing", "extra"], result)
    order = list(dict.fromkeys(row["polarization"] for row in table))
    equal(order, ["N", "B", "R", "Q", "K", "P_white", "P_black"], result)
    check(all(row["set_equal"] == "true" and row["missing"] == row["extra"] == "" for row in table), result)


@test
def a_mismatch_fails_only_if_asked_to():
    ring = ("--modulus", "64", "--row", "8", "--column", "1")
    result, table = rows(*ring)
    equal((result.status, result.lines[0]), (0, "§11.3 complete: 148/416 pairs equivalent"), result)
    equal(sum(row["set_equal"] == "false" for row in table), 268, result)
    result, _ = rows(*ring, "--fail-on-mismatch")
    equal(result.status, 1, result)
    equal(holos("lab", "phase", "--modulus", "64").status, 2, "67 is not below 64")


@test
def an_unknown_experiment_is_refused():
    result = holos("lab", "alchemy")
    equal(result.status, 2, result)
    check("alchemy" in result.err, result)


# Stockfish knows only whole positions: kings stand where the piece neither goes nor attacks.


def away(row, col, rows_off, cols_off):
    """Whether a square has nothing to do with a piece on another one."""
    return (rows_off != 0 and cols_off != 0 and abs(rows_off) != abs(cols_off)
            and (abs(rows_off), abs(cols_off)) not in ((1, 2), (2, 1)))


def fen_of(pieces, side):
    board = ""
    for rank in range(7, -1, -1):
        line = "".join(pieces.get((rank, file), "1") for file in range(8))
        board += re.sub("1+", lambda run: str(len(run.group())), line) + "/"
    return f"{board[:-1]} {side} - - 0 1"


def position_for(piece, row, col):
    letter = {"P_white": "P", "P_black": "p"}.get(piece, piece)
    side = "b" if piece == "P_black" else "w"
    places = [(r, c) for r in range(8) for c in range(8)]
    if piece == "K":
        far = next((r, c) for r, c in places if max(abs(r - row), abs(c - col)) > 3)
        return fen_of({(row, col): "K", far: "k"}, side)
    free = [(r, c) for r, c in places if away(row, col, r - row, c - col)]
    for white in free:
        for black in free:
            if max(abs(white[0] - black[0]), abs(white[1] - black[1])) > 2:
                return fen_of({(row, col): letter, white: "K", black: "k"}, side)
    return None


def stockfish_finds_the_same_destinations():
    _, table = rows()
    keys = [(row["polarization"], int(row["origin_row"]), int(row["origin_col"])) for row in table]
    commands = "".join(f"position fen {position_for(*key)}\ngo perft 1\n" for key in keys)
    answers = stockfish(commands).split("Nodes searched")[:-1]
    equal(len(answers), 416, "one answer for each position")
    for key, row, answer in zip(keys, table, answers):
        origin = "abcdefgh"[key[2]] + str(key[1] + 1)
        moves = re.findall(r"^([a-h][1-8])([a-h][1-8])[nbrq]?: 1$", answer, re.MULTILINE)
        found = {(int(to[1]) - 1, "abcdefgh".index(to[0])) for start, to in moves if start == origin}
        equal(found, squares(row["phase_op_destinations"]), key)


if STOCKFISH is not None:
    test(stockfish_finds_the_same_destinations)


# ---- draw ----------------------------------------------------------------------------------------


@test
def a_picture_has_every_piece():
    result = holos("draw", "chess", "start")
    equal(result.status, 0, result)
    equal(result.out.count("♟"), 16, result)
    equal(result.out.count("♚"), 2, result)


main()
