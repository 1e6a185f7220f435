# SPDX-License-Identifier: MIT
"""Verbs and options: how they are written, and what is said about those that do not exist."""
import glob
import os
import re

from tap import SOURCE, check, equal, holos, main, test


def refused(*args):
    """Runs what must be a usage error told in one line, and as an object to whoever reads these; returns that line."""
    result = holos(*args)
    equal(result.status, 2, result)
    equal(result.err.count("\n"), 1, result)
    check(result.err.startswith("holos: "), result)
    if "--json" in args[1:] or "-j" in args[1:]:  # before a verb nothing is an option
        equal([(o["status"], "holos: " + o["error"]["message"] + "\n") for o in result.json], [("error", result.err)], result)
    else:
        equal(result.out, "", result)
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
    check("-Z" in refused("solve", "nim", "-vZ"))


@test
def an_option_before_the_verb_is_refused_with_the_right_order():
    check("holos VERB --json" in refused("--json", "games"))


@test
def a_position_that_looks_like_options_is_explained():
    check("after --" in refused("solve", "nim", "----"))


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
    check("auto|none|log|json" in refused("solve", "nim", "start", "--progress", "yes"))


@test
def every_verb_says_as_an_object_what_it_cannot_read():
    """Wherever the wrong word stands."""
    verbs = {verb["verb"]: {o["name"] for o in verb["options"]} for verb in holos("help", "--json").json}
    read = {name for name, options in verbs.items() if "json" in options}
    check(len(read) > 10, read)
    for name in verbs:
        for words in (("--json", "--bogus"), ("--bogus", "--json"), ("--bogus", "-j")):
            if name in read:
                check("no option --bogus" in refused(name, *words), name)
            else:
                equal(holos(name, *words).out, "", name)


@test
def words_that_contradict_each_other_are_an_object_too():
    for words in (("build", "kalah", "--graph", "--book-depth", "3"), ("build", "kalah", "--ranks", "3"), ("build",),
                  ("explore", "chess", "--batch", "x"), ("store", "bogus", "x"), ("store", "sql", "x"),
                  ("train", "kalah"), ("train", "reversi", "x"), ("lab", "bogus"), ("query",),
                  ("explore", "nim", "--resume", "--restart"), ("train", "reversi", "--nodes", "3")):
        refused(*words, "--json")


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
    check('unexpected argument "more"' in refused("games", "nim", "more"))
    check("unexpected argument" in refused("demo", "now"))


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


def words_of_tests():
    """What tests type: options in their calls, and in the commands of the manual, which docs_test runs."""
    text = ""
    for path in glob.glob(os.path.join(SOURCE, "tests", "cli", "*_test.py")):
        if os.path.basename(path) != "option_matrix_test.py":  # it would hide what nobody else tries
            with open(path, encoding="utf-8") as f:
                text += f.read()
    for path in glob.glob(os.path.join(SOURCE, "docs", "*.md")):
        with open(path, encoding="utf-8") as f:
            text += "".join(re.findall(r"^\$ .*$", f.read(), re.MULTILINE))
    return text


@test
def every_option_is_used_by_some_test():
    typed = set(re.findall(r"--([a-z][a-z-]*)", words_of_tests())) | {"help"}
    unused = {f"{verb['verb']} --{option['name']}" for verb in holos("help", "--json").json
              for option in verb["options"] if option["name"] not in typed}
    equal(sorted(unused), [])


@test
def help_as_data_lists_what_the_help_lists():
    for verb in holos("help", "--json").json:
        page = holos("help", verb["verb"]).out
        equal([o["name"] for o in verb["options"]], re.findall(r"^  (?:-\w, |    )--([\w-]+)", page, re.MULTILINE))
        equal(holos("help", verb["verb"], "--json").json, [verb])
        for option in verb["options"]:
            check(option["type"] != "int" or option["min"] <= option["max"], option)
            check({"name", "type", "default", "help", "owner", "kind"} <= set(option), option)
    check("takes no such" in refused("generate", "chess", "KQvK", "--minimal"))
    check("--man" in refused("help", "solve", "--man"))


@test
def options_of_games_and_engines_are_listed_under_their_names():
    page = holos("help", "solve").out
    for title in ("Options of hidato:", "Options of the wave engine:", "Options of the alphabeta engine:"):
        check(title in page, title, page)
    check("Options of kalah (database):" in holos("help", "build").out)
    check("Options of the experiment phase:" in holos("help", "lab").out)


@test
def an_option_that_nobody_claims_is_refused_with_its_owners():
    for args, words in ((("solve", "nim", "start", "--mode", "bogus"),
                         "--mode: nim:3,4,5 solved by alphabeta takes no such option; hidato and the wave engine do"),
                        (("solve", "nim", "start", "--solutions", "3"), "the puzzle engine does"),
                        (("build", "kalah:4,3", "--pieces", "4", "--dtm"), "--pieces: the database job of kalah:4,3"),
                        (("build", "nim", "--graph", "--seeds", "4"), "--seeds: the graph job of nim:3,4,5"),
                        (("explore", "chess", "KPvK", "--frontier", "4"), "--frontier: the region job of chess"),
                        (("generate", "sudoku", "--shape", "heart"), "--shape: making puzzles of sudoku"),
                        (("solve", "sudoku", "." * 81, "--weak"), "--weak: sudoku is a puzzle"),
                        (("solve", "kalah:3,3", "start", "--distance"), "--distance: kalah:3,3 solved by alphabeta"),
                        (("solve", "nim", "start", "--seed", "4"), "--seed: nim:3,4,5 solved by alphabeta"),
                        (("bench", "connect4", "--plot", "x.svg"), "--plot: the benchmark connect4"),
                        (("store", "info", "file:x", "--all"), "--all: info"),
                        (("play", "sudoku", "--side", "first"), "--side: a puzzle such as sudoku"),
                        (("lab", "--quick"), "--quick: the list of experiments")):
        check(words in refused(*args), args, words)


main()
