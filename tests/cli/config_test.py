# SPDX-License-Identifier: MIT
"""Configuration files: the same names as the options, and the command line wins."""
import os
import tempfile

from tap import check, equal, holos, main, test


def with_config(text, *args, **keywords):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "test.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return holos(*args, "--config", path, **keywords)


SOLVE = ("solve", "nim", "start")


@test
def options_come_from_the_file():
    answer = with_config("json: true\nmoves: yes\npv: true\n", *SOLVE).json[0]
    check("moves" in answer and "pv" in answer, answer)


@test
def values_have_the_same_units_as_on_the_command_line():
    equal(with_config("nodes: 10k\ntime: 5s\nmem: 64M\n", *SOLVE).status, 0)
    equal(with_config("nodes: 1\n", *SOLVE).status, 4)


@test
def the_command_line_wins():
    equal(with_config("nodes: 1\n", *SOLVE, "--nodes", "20M").status, 0)
    check("moves" not in with_config("json: true\nmoves: true\n", *SOLVE, "--moves=no").json[0])


@test
def the_command_line_wins_wherever_config_stands():
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as f:
        f.write("nodes: 1\n")
        f.flush()
        equal(holos("solve", "--config", f.name, "nim", "start", "--nodes", "20M").status, 0)
        equal(holos("solve", "--nodes", "20M", "nim", "start", "--config", f.name).status, 0)


@test
def defaults_of_a_verb_give_way_to_the_file():
    result = with_config("side: none\n", "play", "nim:1,1")
    equal(result.status, 0, result)
    check("first plays" in result.out and "second plays" in result.out, result)


@test
def an_unknown_name_is_an_error_with_its_line():
    result = with_config("json: true\nmovs: true\n", *SOLVE)
    equal((result.status, result.json[0]["error"]["code"]), (2, "usage"), result)
    check("test.yaml, line 2" in result.err and 'did you mean "moves"?' in result.err, result)


@test
def a_wrong_value_is_an_error_with_its_line():
    result = with_config("json: true\n\nthreads: many\n", *SOLVE)
    equal(result.status, 2, result)
    check("test.yaml, line 3" in result.err and "--threads takes a number" in result.err, result)


@test
def names_of_other_verbs_are_passed_over():
    equal(with_config("moves: true\nside: second\n", *SOLVE).status, 0)


@test
def a_file_cannot_name_a_file_or_ask_for_help():
    for text in ("config: other.yaml\n", "help: true\n"):
        result = with_config(text, *SOLVE)
        equal(result.status, 2, result)
        check("cannot stand in a configuration file" in result.err, result)


@test
def broken_yaml_is_bad_input():
    result = with_config("json: [true\n", *SOLVE)
    check(result.status == 3 and "test.yaml" in result.err, result)


@test
def a_missing_file_is_bad_input():
    result = holos(*SOLVE, "--config", "/nonexistent/file.yaml")
    check(result.status == 3 and "/nonexistent/file.yaml" in result.err, result)


@test
def an_empty_file_changes_nothing():
    equal(with_config("", *SOLVE).out, holos(*SOLVE).out)


@test
def options_of_games_and_engines_come_from_a_file_too():
    board = ". . ./. 5 ./. . ."
    answer = with_config("mode: v3\nsolutions: 5\ntelemetry: true\njson: true\n", "solve", "hidato", board).json[0]
    check("techniques" in answer and answer["solutions"] == 5, answer)
    equal(with_config("solutions: 5\njson: true\n", "solve", "hidato", board, "--solutions", "3").json[0]["solutions"], 3)
    result = with_config("mode: v3\n", *SOLVE)
    check(result.status == 2 and "--mode: nim:3,4,5 solved by alphabeta" in result.err, result)


main()
