#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is known beforehand, on the command line: every kind of it, by URL and by path, whole and damaged."""

import os
import shutil
import sqlite3
import tempfile

from tap import SOURCE, check, environment, equal, holos, main, test

PLACE = tempfile.TemporaryDirectory()
SYZYGY = os.path.join(SOURCE, "tests", "data", "chess", "syzygy")
KQVKR = "8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1"


def place(name):
    return os.path.join(PLACE.name, name)


def run(*arguments, status=0, **keywords):
    result = holos(*arguments, **keywords)
    equal(result.status, status, arguments, result)
    return result


def answer(*arguments, **keywords):
    return run(*arguments, "--json", **keywords).json[0]


run("build", "kalah:2,2", "--store", place("database"))
run("build", "kalah:2,2", "--store", "sqlite:" + place("database.sqlite"))
run("explore", "connect4:4x4", "--mode", "wave", "--store", place("waves"))


@test
def a_bare_path_is_what_lies_there():
    for name in ("file:" + place("database"), place("database"), "sqlite:" + place("database.sqlite"),
                 place("database.sqlite")):
        found = answer("query", name, "start", "--moves")
        equal((found["lo"], found["engine"], found["source"]), (-2, "lookup", "table"), name)
        found = answer("solve", "kalah:2,2", "start", "--store", name)
        equal((found["lo"], found["engine"]), (-2, "lookup"), name)
        check("kalah:2,2" in run("store", "info", name).out, name)
    for name in ("file:" + place("waves"), place("waves"), place("waves/hologram")):
        equal(answer("query", name, "start")["lo"], 0, name)
        equal(answer("solve", "connect4:4x4", "start", "--store", name)["engine"], "lookup", name)
        check("connect4:4x4" in run("store", "info", name).out, name)


@test
def threads_answer_in_the_order_of_the_questions():
    questions = "\n".join(str(n)[::-1].translate(str.maketrans("05678", "12341")).replace("9", "")
                          for n in range(3000)) + "\n"
    for name in (place("waves"), place("database"), "sqlite:" + place("database.sqlite"), SYZYGY):
        given = questions if name == place("waves") else f"start\n{KQVKR}\nnonsense\n" * 500
        one, four = [holos("query", name, "--json", "--threads", threads, stdin=given) for threads in "14"]
        plain = [[{**line, "seconds": 0} for line in result.json] for result in (one, four)]
        equal(one.status, four.status, name)
        equal(len(plain[0]), given.count("\n"), name)
        equal(plain[0], plain[1], name)


@test
def tables_of_chess_answer_like_any_store():
    for words in (("query", SYZYGY), ("query", "file:" + SYZYGY), ("query", "--tables", SYZYGY),
                  ("query", "--store", SYZYGY), ("solve", "chess", "--tables", SYZYGY),
                  ("hint", "chess", "--tables", SYZYGY), ("hint", "chess", "--store", SYZYGY + ":" + SYZYGY)):
        found = answer(*words, KQVKR)
        equal((found["lo"], found["dtz"], found["dtm"], found["best"], found["engine"], found["source"]),
              (2, 1, None, ["Kxb2"], "lookup", "table"), words)
    found = answer("query", SYZYGY, KQVKR, "--moves", "--pv")
    equal({m["move"]: m["dtz"] for m in found["moves"]}["Qd2+"], -2)
    check("pv_end" not in found and found["pv"][-1].endswith("#"), found)
    words = run("query", SYZYGY, KQVKR, "--moves").out
    check("  wins:\n" in words and "DTZ 1 ply" in words, words)


@test
def play_shows_distances():
    done = run("play", "chess", KQVKR, "--tables", SYZYGY, stdin="hint\nKxb2\nquit\n")
    check("Kxb2     DTZ 1 ply\n" in done.out, done)
    check("second plays" in done.out and "  DTZ " in done.out.split("second plays")[1], done)


@test
def a_draw_of_a_game_that_goes_round_has_no_line():
    found = answer("query", SYZYGY, "8/8/8/8/3k4/8/2b5/K6R w - - 0 1", "--pv")
    equal((found["pv"], found["pv_end"], found["dtz"]), ([], "a draw need not end", 0))


@test
def other_rules_are_refused_with_both_names():
    for name, made_for in ((place("database"), "kalah:2,2"), (place("waves"), "connect4:4x4"), (SYZYGY, "chess")):
        done = holos("solve", "connect4:5x4", "start", "--store", name)
        check(done.status != 0 and made_for in done.err and "connect4:5x4" in done.err, done)


def flip(path, at):
    with open(path, "r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 0x55]))


def damaged(name, game, position, words):
    """An error in the place of each answer, with its reason; other answers stay."""
    for command in (("query", name), ("solve", game, "--store", name), ("hint", game, "--store", name)):
        done = holos(*command, "--json", position, "nonsense")
        check(done.status != 0, done)
        first = done.json[0]
        equal((first["status"], first["error"]["code"]), ("error", "bad-file"), command, done)
        check(words in first["error"]["message"], done)
        equal(len(done.json), 2, done)
    done = holos("solve", game, "--store", name, "--engine", "lookup", position)
    check(done.status != 0 and "error: " in done.out and words in done.out, done)
    done = holos("explore", game, position, "--known", name)
    check(done.status != 0 and words in done.err, done)
    done = holos("play", game, position, "--side", "second", "--store", name, stdin="quit\n")
    check(done.status != 0 and words in done.err, done)


@test
def a_damaged_database_is_an_error_in_the_answers_place():
    bad = place("bad-database")
    shutil.copytree(place("database"), bad)
    for name in os.listdir(bad):
        if name.startswith("008-"):
            flip(os.path.join(bad, name), 64 + 5)
    damaged(bad, "kalah:2,2", "start", ".part")
    few = "0,1,2/0,0,5 1"  # what is whole still answers
    equal(answer("query", bad, few)["status"], "solved")


@test
def a_damaged_sqlite_store_is_an_error_in_the_answers_place():
    bad = place("bad.sqlite")
    shutil.copy(place("database.sqlite"), bad)
    with sqlite3.connect(bad) as db:
        db.execute("UPDATE indexed SET value = 1000 WHERE tier = 8")
    db.close()
    damaged(bad, "kalah:2,2", "start", "bad.sqlite")


@test
def a_damaged_hologram_is_an_error_in_the_answers_place():
    bad = place("bad-waves")
    shutil.copytree(place("waves"), bad)
    path = os.path.join(bad, "hologram")
    size = os.path.getsize(path)
    for at in range(512, size, 256):  # find a byte of a block: the file opens, and the answer is an error
        shutil.copy(os.path.join(place("waves"), "hologram"), path)
        flip(path, at)
        done = holos("query", bad, "--json", "start")
        if done.out and done.json[0]["status"] == "error":
            break
    else:
        raise AssertionError("no byte of a block was found")
    damaged(bad, "connect4:4x4", "start", "bad-waves")


@test
def a_cut_table_is_an_error_in_the_answers_place():
    bad = place("bad-tables")
    shutil.copytree(SYZYGY, bad)
    path = os.path.join(bad, "KQvKR.rtbz")
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) // 2)
    for command in (("query", bad), ("solve", "chess", "--tables", bad), ("hint", "chess", "--tables", bad)):
        done = holos(*command, "--json", KQVKR, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1")
        first, second = done.json
        equal((first["status"], first["error"]["code"]), ("error", "bad-file"), done)
        check("KQvKR.rtbz" in first["error"]["message"], done)
        equal((second["status"], second["lo"]), ("solved", 2), done)


@test
def a_book_built_on_damaged_knowledge_fails():
    bad = place("bad-known.sqlite")
    run("build", "connect4:4x4", "--graph", "--store", "sqlite:" + bad)
    with sqlite3.connect(bad) as db:
        db.execute("DROP TABLE graph")
    db.close()
    done = holos("build", "connect4:4x4", "--book-depth", "3", "--known", "sqlite:" + bad)
    check(done.status != 0 and "bad-known.sqlite" in done.err, done)


@test
def shipped_data_is_found_and_can_be_chosen():
    found = answer("solve", "connect4", "start")
    equal((found["lo"], found["engine"]), (1, "lookup"))
    os.mkdir(place("data"))
    done = holos("solve", "connect4", "start", "--json", "--nodes", "1000", env=environment(HOLOS_DATA=place("data")))
    equal((done.json[0]["status"], done.json[0]["engine"]), ("bounded", "alphabeta"), done)
    shutil.copytree(SYZYGY, os.path.join(place("data"), "syzygy"))
    done = holos("solve", "chess", KQVKR, "--json", env=environment(HOLOS_DATA=place("data")))
    equal((done.json[0]["dtz"], done.json[0]["engine"]), (1, "lookup"), done)
    done = holos("solve", "chess", KQVKR, "--json", "--no-book", "--nodes", "100",
                 env=environment(HOLOS_DATA=place("data")))
    check("dtz" not in done.json[0], done)


main()
