# SPDX-License-Identifier: MIT
"""solve: answers in words and in JSON, and the exit status of each kind of answer."""
import json
import re

from tap import HARD, check, documented_fields, equal, expected_fields, holos, main, test

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
UNSOLVABLE = "55" + "." * 79


def one(*args):
    result = holos("solve", *args, "--json")
    equal(len(result.lines), 1, result)
    return result.json[0]


# ---- Values --------------------------------------------------------------------------------------


@test
def a_position_is_solved():
    answer = one("connect4:5x4", "3344")
    equal((answer["game"], answer["position"], answer["status"]), ("connect4:5x4", "3344", "solved"))
    equal((answer["lo"], answer["hi"], answer["outcome"], answer["distance"]), (7, 7, "win", 3))
    equal((answer["best"], answer["engine"], answer["source"]), (["2"], "alphabeta", "search"))
    check(answer["nodes"] >= 0 and answer["seconds"] >= 0)


@test
def known_starts_have_their_known_values():
    for game, score in (("connect4:4x4", 0), ("connect4:5x4", 0), ("kalah:3,2", 4), ("kalah:3,3", 2),
                        ("kalah:4,2", 6)):
        answer = one(game, "start")
        equal((game, answer["lo"], answer["hi"]), (game, score, score))


@test
def moves_come_in_order_and_the_best_have_the_value_of_the_position():
    answer = one("kalah:3,2", "start", "--moves")
    equal([(m["move"], m["lo"], m["hi"]) for m in answer["moves"]], [("1", -8, -8), ("2", 4, 4), ("3", 0, 0)])
    equal([m["outcome"] for m in answer["moves"]], ["loss", "win", "draw"])
    equal(answer["best"], ["2"])


@test
def all_best_moves_are_told_with_moves():
    equal(one("connect4:5x4", "start", "--moves")["best"], ["2", "3", "4"])


@test
def a_line_of_waves_makes_progress_or_says_why_it_ends():
    answer = one("chess", "8/8/8/3k4/8/8/1Q6/K7 w - - 0 1", "--engine", "wave", "--pv")
    equal((answer["outcome"], len(answer["best"])), ("win", 1))
    check(len(answer["pv"]) > 0 and "the position repeats" in answer["pv_end"], answer)


@test
def a_line_of_best_play_leads_to_the_end():
    answer = one("connect4:5x4", "3344", "--pv")
    equal(len(answer["pv"]), answer["distance"])
    after = one("connect4:5x4", "3344" + "".join(answer["pv"]))
    equal((after["source"], after["best"], after["distance"]), ("rules", [], 0))


@test
def weak_settles_the_outcome():
    answer = one("connect4:5x4", "3344", "--weak")
    equal((answer["status"], answer["weak"], answer["outcome"]), ("solved", True, "win"))
    check(answer["lo"] >= 1)
    check("weak" not in one("connect4:5x4", "3344"))


@test
def distance_is_found_when_asked_for():
    # One counter at a time is the longest way for the loser of 1 and 1.
    equal(one("nim:1,1", "start", "--distance")["distance"], 2)


@test
def the_generic_engine_gives_the_same_value():
    a, b = one("connect4:5x4", "33", "--moves"), one("connect4:5x4", "33", "--moves", "--no-hot")
    equal([m["lo"] for m in a["moves"]], [m["lo"] for m in b["moves"]])


@test
def several_positions_are_answered_in_order():
    answers = holos("solve", "connect4:4x4", "1", "2", "3", "4", "--json").json
    equal([a["position"] for a in answers], ["1", "2", "3", "4"])


# ---- Puzzles -------------------------------------------------------------------------------------


@test
def a_sudoku_has_its_solution():
    answer = one("sudoku", SUDOKU)
    equal((answer["outcome"], answer["solutions"], answer["solutions_complete"], answer["solution"]),
          ("solvable", 1, True, SOLUTION))


@test
def solutions_are_counted_up_to_the_limit():
    empty = "." * 81
    equal((one("sudoku", empty)["solutions"], one("sudoku", empty)["solutions_complete"]), (2, False))
    equal(one("sudoku", empty, "--solutions", "10")["solutions"], 10)


@test
def a_puzzle_without_a_solution_is_a_no():
    puzzle = "123456780000000009" + "0" * 63
    result = holos("solve", "sudoku", puzzle, "--json")
    equal(result.status, 1, result)
    answer = result.json[0]
    equal((answer["status"], answer["outcome"], answer["solutions"], answer["solution"]),
          ("solved", "unsolvable", 0, None))
    check("unsolvable" in holos("solve", "sudoku", puzzle).out)


# ---- Words ---------------------------------------------------------------------------------------


@test
def an_answer_in_words_is_one_line():
    equal(holos("solve", "connect4:5x4", "3344").out, "3344: win in 3 plies (score +7); best 2\n")


@test
def moves_in_words_are_a_table_with_stars():
    result = holos("solve", "kalah:3,2", "start", "--moves")
    equal(result.lines[0], "start: win (score +4); best 2")
    equal(result.lines[1], "  1 -8    2 +4*   3  0")


@test
def a_finished_game_is_told_as_such():
    result = holos("solve", "connect4:5x4", "3344251")
    check("the game is over" in holos("solve", "connect4:5x4", "3344215").out, result)


@test
def an_error_in_words_stands_in_its_place():
    result = holos("solve", "connect4:5x4", "1", "9", "2")
    equal(result.status, 3, result)
    check(result.lines[1].startswith("9: error: "), result)
    check(result.lines[2].startswith("2: "), result)
    check("1 of 3 positions could not be answered" in result.err, result)
    equal(holos("solve", "connect4:5x4", "1", "9", "2", "--quiet").err, "")


@test
def control_characters_do_not_reach_the_terminal():
    result = holos("solve", "connect4:5x4", "\x1b[31m")
    check("\x1b" not in result.out and "\\x1B" in result.out, result)


@test
def the_log_tells_what_was_done():
    result = holos("solve", "connect4:4x4", "start", "--verbose")
    check("solving connect4:4x4 on 1 thread" in result.err and "1 position, " in result.err, result)
    equal(holos("solve", "connect4:4x4", "start").err, "")


# ---- Errors --------------------------------------------------------------------------------------


@test
def a_bad_character_is_pointed_at():
    result = holos("solve", "connect4", "4495", "--json")
    equal(result.status, 3)
    answer = result.json[0]
    equal(sorted(answer), ["error", "game", "position", "status"])
    equal((answer["status"], answer["error"]["code"], answer["error"]["at"]), ("error", "bad-position", 2))
    check(len(answer["error"]["message"]) > 0)


@test
def bad_positions_of_every_game_are_errors():
    for game, position in (("connect4", "9"), ("connect4", "4444444"), ("kalah", "nonsense"), ("sudoku", "53"),
                           ("sudoku", UNSOLVABLE[:80]), ("nim", "x"), ("sudoku", "start")):
        result = holos("solve", game, position, "--json")
        equal((result.status, result.json[0]["status"]), (3, "error"), game, position, result)


# ---- Limits and statuses -------------------------------------------------------------------------


@test
def a_limit_leaves_an_interval():
    for limit in (["--nodes", "10k"], ["--time", "0.05"]):
        result = holos("solve", *HARD, "--json", "--mem", "16M", *limit)
        equal(result.status, 4, result)
        answer = result.json[0]
        equal(answer["status"], "bounded")
        check(answer["lo"] < answer["hi"], answer)
        equal((answer["outcome"], answer["distance"]), (None, None))
    result = holos("solve", *HARD, "--nodes", "10k", "--mem", "16M")
    check(re.match(r"start: between loss and win \(score .*\); stopped after .* nodes\n$", result.out), result)


@test
def too_little_memory_is_a_limit_told_before_the_work():
    result = holos("solve", "connect4", "start", "--mem", "1k")
    equal(result.status, 4, result)
    check("holos: " in result.err and result.out == "", result)


@test
def the_worst_status_wins():
    bad, fine = "9", "1"
    equal(holos("solve", "connect4:4x4", fine, fine).status, 0)
    equal(holos("solve", "connect4:4x4", bad, fine).status, 3)
    equal(holos("solve", HARD[0], "--nodes", "1k", "--mem", "16M", "x", "start").status, 3)
    equal(holos("solve", HARD[0], "--nodes", "1k", "--mem", "16M", "start", "start").status, 4)
    no = "123456780000000009" + "0" * 63
    equal(holos("solve", "sudoku", SUDOKU, no, SUDOKU).status, 1)
    equal(holos("solve", "sudoku", no, "bad", SUDOKU).status, 3)


# ---- The documented fields -----------------------------------------------------------------------


@test
def answers_have_exactly_the_documented_fields():
    position = ("connect4:5x4", "3344")
    for options in ([], ["--moves"], ["--pv"], ["--weak"], ["--moves", "--pv", "--weak"]):
        equal(set(one(*position, *options)), expected_fields("An answer", *(f"`{o}`" for o in options)), options)
    equal(set(one("sudoku", SUDOKU)), expected_fields("An answer", "a puzzle"))
    equal(set(holos("solve", *HARD, "--nodes", "1k", "--mem", "16M", "--json").json[0]), expected_fields("An answer"))


@test
def moves_have_exactly_the_documented_fields():
    for move in one("connect4:5x4", "3344", "--moves")["moves"]:
        equal(set(move), expected_fields("A move"))


@test
def errors_have_exactly_the_documented_fields():
    answer = holos("solve", "connect4:5x4", "9", "--json").json[0]
    equal(set(answer), expected_fields("An error"))
    equal(set(answer["error"]), expected_fields("What an error says"))


@test
def fields_come_in_the_documented_order():
    line = holos("solve", "connect4:5x4", "3344", "--json", "--moves", "--pv", "--weak").lines[0]
    found = [key for key, _ in json.loads(line, object_pairs_hook=list)]
    order = [name for name in documented_fields("An answer") if name in found]
    equal(found, order)


main()
