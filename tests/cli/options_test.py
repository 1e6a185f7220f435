# SPDX-License-Identifier: MIT
"""Verbs and options: how they are written, and what is said about those that do not exist."""
from tap import check, equal, holos, main, test


def refused(*args):
    """Runs what must be a usage error told in one line; returns that line."""
    result = holos(*args)
    equal(result.status, 2, result)
    equal(result.out, "", result)
    equal(result.err.count("\n"), 1, result)
    check(result.err.startswith("holos: "), result)
    return result.err


@test
def an_unknown_verb_gets_a_suggestion():
    check("did you mean solve?" in refused("sovle"))
    check("did you mean version?" in refused("versoin"))
    check("did you mean" not in refused("xylophone"))


@test
def an_unknown_option_gets_a_suggestion():
    check("did you mean --moves?" in refused("solve", "nim", "--movs"))
    check("did you mean --distance?" in refused("solve", "nim", "--dist"))
    check("did you mean" not in refused("solve", "nim", "--xylophone"))
    check("'holos help solve'" in refused("solve", "nim", "--xylophone"))


@test
def an_unknown_letter_is_refused():
    check("-Z" in refused("solve", "nim", "-Z"))
    check("-Z" in refused("solve", "nim", "-jZ"))


@test
def an_option_before_the_verb_is_refused_with_the_right_order():
    check("holos VERB --json" in refused("--json", "games"))


@test
def a_position_that_looks_like_options_is_explained():
    check("goes after --" in refused("solve", "nim", "----"))


@test
def no_verb_shows_the_overview_on_stderr():
    result = holos()
    equal(result.status, 2)
    equal(result.out, "")
    check("Usage: holos VERB" in result.err, result)


@test
def a_value_follows_after_a_space_or_an_equals_sign_or_the_letter():
    expected = holos("solve", "nim", "start", "--nodes", "1").out
    check("stopped after" in expected, expected)
    for args in (["--nodes=1"], ["-n", "1"], ["-n1"]):
        result = holos("solve", "nim", "start", *args)
        equal(result.status, 4, args, result)


@test
def letters_may_stand_together():
    result = holos("solve", "nim", "start", "-jmp")
    check("moves" in result.json[0] and "pv" in result.json[0], result)
    result = holos("solve", "nim", "start", "-jn1")
    equal(result.json[0]["status"], "bounded")


@test
def options_may_stand_anywhere():
    a = holos("solve", "--json", "nim", "start").json[0]
    b = holos("solve", "nim", "--json", "start").json[0]
    equal(a["lo"], b["lo"])


@test
def after_two_dashes_nothing_is_an_option():
    result = holos("solve", "nim", "--json", "--", "--moves")
    equal(result.status, 3, result)
    equal(result.json[0]["position"], "--moves")


@test
def the_last_of_several_values_wins():
    result = holos("solve", "nim", "start", "--nodes", "1", "--nodes", "20M")
    equal(result.status, 0, result)


@test
def a_flag_can_be_taken_back():
    check("moves" not in holos("solve", "nim", "start", "--json", "--moves", "--moves=no").json[0])
    check("yes or no" in refused("solve", "nim", "start", "--moves=maybe"))


@test
def values_of_the_wrong_type_are_refused():
    check("a duration" in refused("solve", "nim", "start", "--time", "5x"))
    check("a duration" in refused("solve", "nim", "start", "--time", "-5"))
    check("a count" in refused("solve", "nim", "start", "--nodes", "many"))
    check("a size" in refused("solve", "nim", "start", "--mem", "2X"))
    check("from 0 to 1024" in refused("solve", "nim", "start", "--threads", "5000"))
    check("auto|none|json" in refused("solve", "nim", "start", "--progress", "yes"))


@test
def a_missing_value_is_refused():
    check("--time needs a value: --time TIME" in refused("solve", "nim", "start", "--time"))
    check("--time needs a value" in refused("solve", "nim", "start", "-t"))
    check("--time needs a value" in refused("solve", "nim", "start", "--time", "--json"))
    check("--time needs a value" in refused("solve", "nim", "start", "-t", "--json"))


@test
def units_are_understood():
    for args in (["--time", "0.5"], ["--time", "5s"], ["--time", "1m"], ["--time", "1h"], ["--nodes", "10k"],
                 ["--nodes", "20M"], ["--mem", "64M"], ["--mem", "64MiB"], ["--mem", "1G"]):
        equal(holos("solve", "nim", "start", *args).status, 0, args)


@test
def missing_and_superfluous_arguments_are_refused():
    check("holos solve GAME[:VARIANT]" in refused("solve"))
    check("does not take \"more\"" in refused("games", "nim", "more"))
    check("does not take" in refused("demo", "now"))


@test
def an_unknown_game_and_variant_are_refused():
    check("connect4" in refused("solve", "conect4"))
    check("conect4" in refused("play", "conect4"))
    check("WIDTHxHEIGHT" in refused("solve", "connect4:big", "start"))


@test
def an_unknown_engine_is_refused_with_the_list():
    check("alphabeta" in refused("solve", "nim", "start", "--engine", "oracle"))


@test
def the_engine_can_be_named():
    equal(holos("solve", "nim", "start", "--json", "--engine", "alphabeta").json[0]["engine"], "alphabeta")


main()
