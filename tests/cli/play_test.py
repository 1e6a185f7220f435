# SPDX-License-Identifier: MIT
"""play: a game by piped input."""
from tap import check, equal, holos, main, test

SUDOKU = "534678912672195348198342567859761423426853791713924856961537284287419635345286..."


def play(game, *commands, options=()):
    result = holos("play", *game.split(" ", 1), *options, stdin="".join(c + "\n" for c in commands))
    equal(result.status, 0, result)
    return result.out


@test
def the_end_of_the_input_ends_the_game():
    check("You play first" in play("connect4:4x4"))
    check("moves: 1, 2, 3, 4" in play("connect4:4x4"))


@test
def holos_answers_a_move():
    out = play("connect4:4x4", "1")
    check("first plays 1" in out and "second plays " in out, out)
    check("draw in 15 plies (score 0)" in out, out)


@test
def holos_begins_if_the_user_is_second():
    out = play("connect4:4x4", options=["--side", "second"])
    check(out.index("first plays") < out.index("moves:"), out)


@test
def two_people_can_play_each_other():
    out = play("connect4:4x4", "1", "2", "quit", options=["--side", "both"])
    check("first plays 1" in out and "second plays 2" in out, out)
    equal(out.count("plays"), 2)


@test
def holos_can_play_itself_to_the_end():
    out = play("connect4:4x4", options=["--side", "none"])
    check("The game is over: a draw." in out, out)
    equal(out.count("plays"), 16)


@test
def the_winner_is_named():
    # Three in a row with both ends open: holos cannot stop it, and blocks at 1.
    out = play("connect4:5x4 3344", "2", "5")
    check("first wins, that is you" in out, out)


@test
def perfect_play_wins_a_won_game():
    # kalah:3,2 is a win for the first player by 4.
    out = play("kalah:3,2", options=["--side", "none"])
    check("The game is over: first wins (score +4)" in out, out)


@test
def a_hint_values_every_move():
    out = play("kalah:3,2", "hint")
    check("  1 -8    2 +4*   3  0" in out, out)
    check("first: win (score +4); best 2" in out, out)


@test
def undo_goes_back_to_the_users_move_and_redo_forward():
    out = play("connect4:4x4", "position", "1", "undo", "position", "redo", "position")
    texts = [line for line in out.splitlines() if line == "" or line.isdigit()]
    check("There is nothing to undo." in play("connect4:4x4", "undo"))
    check("There is nothing to redo." in play("connect4:4x4", "redo"))
    check(len([t for t in texts if len(t) == 2]) == 1, out)


@test
def new_starts_again():
    out = play("connect4:4x4 12", "1", "new", "position")
    equal(out.splitlines()[-1], "12")


@test
def sides_can_be_changed():
    out = play("connect4:4x4", "swap")
    check("first plays" in out, out)
    out = play("connect4:4x4", "side both", "1", "2")
    check("first plays 1" in out and "second plays 2" in out, out)
    check("side takes first, second, both or none" in play("nim", "side left"))
    check("nothing to swap" in play("nim", "side both", "swap"))


@test
def what_is_no_move_and_no_command_is_explained():
    out = play("connect4:4x4", "9")
    check("'help' lists the commands" in out, out)
    out = play("connect4:4x4", "hnt")
    check("did you mean 'hint'?" in out, out)


@test
def help_lists_the_commands():
    for command in ("help", "?"):
        out = play("connect4:4x4", command)
        for word in ("hint", "undo", "redo", "swap", "quit"):
            check(f"  {word}" in out, word, out)


@test
def blanks_and_empty_lines_do_not_matter():
    check("first plays 1" in play("connect4:4x4", "", "  1  ", ""))


@test
def after_the_end_a_move_is_refused_and_undo_works():
    out = play("nim:1", "1-1", "1-1", "undo", "moves")
    check("The game is over" in out, out)
    check(out.rstrip().endswith("moves: 1-1"), out)


@test
def a_guess_is_called_a_guess():
    out = play("connect4:9x8", options=["--side", "second", "--nodes", "100", "--mem", "16M"])
    check("a guess: not solved" in out, out)


@test
def the_same_seed_plays_the_same_game():
    games = [play("kalah:3,2", options=["--side", "none", "--seed", seed]) for seed in ("1", "1", "2")]
    equal(games[0], games[1])


@test
def a_puzzle_is_filled_in_with_hints():
    out = play("sudoku " + SUDOKU, "hint", "r9c7=1", "r9c8=7", "r9c9=9")
    check("Try r9c7=1." in out or "Try r9c8=7." in out or "Try r9c9=9." in out, out)
    check("Solved!" in out, out)


@test
def a_hint_in_a_puzzle_says_why():
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    step = holos("hint", "sudoku", puzzle, "--json").json[0]
    out = play("sudoku " + puzzle, "hint")
    check(step["title"] in out and f"Try {step['placements'][0]}." in out, out, step)


@test
def a_wrong_move_in_a_puzzle_is_found_by_a_hint_and_taken_back():
    puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    out = play("sudoku " + puzzle, "r1c3=1", "hint", "undo", "hint")
    check("There is no solution from here" in out and "Try r" in out, out)


@test
def a_puzzle_without_a_position_is_an_example():
    check("Sudoku" in play("sudoku"))


@test
def what_cannot_think_is_refused_at_once():
    result = holos("play", "nim", "--engine", "oracle")
    equal((result.status, result.out), (2, ""), result)
    result = holos("play", "connect4", "--mem", "1k")
    equal((result.status, result.out), (4, ""), result)


@test
def a_bad_position_is_bad_input():
    result = holos("play", "connect4", "44x")
    equal((result.status, result.out), (3, ""), result)


main()
