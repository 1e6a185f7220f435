# SPDX-License-Identifier: MIT
"""games, demo, version, bench: the verbs that show."""
import re

from tap import check, equal, holos, main, test


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
        equal(list(game), ["game", "variant", "title", "kind", "summary", "variants", "position", "score",
                           "score_min", "score_max", "engines", "examples"])
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
    equal(list(told), ["version", "libraries", "processor", "compiler"])


@test
def version_tells_which_processor_features_are_allowed():
    from tap import environment
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
    import shlex
    for command in re.findall(r"^\$ holos (.*)$", holos("demo").out, re.MULTILINE):
        result = holos(*shlex.split(command), "--nodes", "1000", "--mem", "32M")
        check(result.status in (0, 4), command, result)


main()
