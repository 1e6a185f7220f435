# SPDX-License-Identifier: MIT
"""games, demo, version, bench: the verbs that show."""
import re
import shlex

from tap import check, documented_fields, environment, equal, expected_fields, holos, main, start, test


@test
def games_lists_all_games():
    out = holos("games").out
    for game in ("connect4", "kalah", "sudoku", "nim"):
        check(re.search(f"^{game} ", out, re.MULTILINE), game, out)


@test
def games_tells_how_a_game_is_written():
    for game in holos("games", "--json").json:
        out = holos("games", game["game"]).out
        for label in ("Variants", "Position", "Score", "Solved by", "Examples"):
            check(f"\n{label}" in out, label, out)


@test
def games_are_told_to_programs():
    games = holos("games", "--json").json
    for game in games:
        equal(list(game), list(documented_fields("A game")))
        check(game["engines"] and game["examples"], game)
    equal(holos("games", "sudoku", "--json").json[0]["kind"], "puzzle")
    equal(holos("games", "connect4:5x4", "--json").json[0]["variant"], "connect4:5x4")


@test
def every_example_can_be_read():
    for game in holos("games", "--json").json:
        result = holos("solve", game["game"], "--json", "--nodes", "1000", "--mem", "32M", "--", *game["examples"])
        for answer in result.json:
            check(answer["status"] in ("solved", "bounded"), answer)


@test
def an_unknown_game_is_a_usage_error():
    equal(holos("games", "ludo").status, 2)


@test
def version_tells_what_the_build_stands_on():
    result = holos("version")
    check(re.match(r"holos \d+\.\d+\.\d+\n", result.out), result)
    for library in ("zstd", "xxhash", "sqlite", "jansson", "libyaml"):
        check(re.search(rf"{library} \d+\.\d+", result.out), library, result)
    equal(holos("--version").out, result.out)
    equal(holos("-V").out, result.out)
    told = holos("version", "--json").json[0]
    equal(list(told), list(documented_fields("The version")))


@test
def version_tells_which_processor_features_are_allowed():
    equal(holos("version", "--json", env=environment(HOLOS_CPU="portable")).json[0]["processor"], "portable")


@test
def the_demo_shows_every_game_solved():
    result = holos("demo")
    equal(result.status, 0, result)
    for game in holos("games", "--json").json:
        check(re.search(rf"^\$ holos solve {game['game']}\b", result.out, re.MULTILINE), game["game"], result)
    check("with one solution" in result.out and "best play: " in result.out, result)
    check("holos play connect4" in result.out, result)


@test
def the_commands_that_the_demo_shows_are_real():
    for command in re.findall(r"^\$ holos (.*)$", holos("demo").out, re.MULTILINE):
        result = holos(*shlex.split(command), "--nodes", "1000", "--mem", "32M")
        check(result.status in (0, 4), command, result)


@test
def bench_measures_in_a_table_and_in_json():
    result = holos("bench", "core", "--quick")
    equal(result.status, 0, result)
    check(result.lines[0].startswith("bench "), result)
    for case in holos("bench", "core", "--quick", "--json").json:
        equal(set(case) - {"nodes"}, expected_fields("A case of a benchmark"), case)


@test
def an_unknown_benchmark_is_a_usage_error():
    result = holos("bench", "nothing")
    check(result.status == 2 and "choose from core" in result.err and result.out == "", result)


@test
def bench_stops_when_nobody_reads():
    process = start("bench", "core", "--quick")
    process.stdout.close()
    equal(process.stderr.read(), b"")
    equal(process.wait(), 141)
    process.stdin.close()
    process.stderr.close()


main()
