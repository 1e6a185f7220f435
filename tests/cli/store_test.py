# SPDX-License-Identifier: MIT
"""Looking after stores: what is there is never lost by a slip of the hand."""
import fcntl
import os
import random
import shutil
import sqlite3
import tempfile

from tap import check, holos, main, test


def inside(function):
    """Runs a test in a folder of its own, with a small database, its copy in SQL, and a hologram."""
    def run():
        before = os.getcwd()
        folder = tempfile.mkdtemp()
        os.chdir(folder)
        try:
            for command in (("build", "kalah:3,2", "--store", "file:a"), ("store", "copy", "a", "sqlite:a.db"),
                            ("explore", "kalah:3,2", "--store", "file:w", "--threads", "1")):
                made = holos(*command)
                check(made.status == 0, made)
            function()
        finally:
            os.chdir(before)
            shutil.rmtree(folder)
    run.__name__ = function.__name__
    return test(run)


def contents(*paths):
    found = {}
    for path in paths:
        for folder, _, names in os.walk(path) if os.path.isdir(path) else [(".", [], [path])]:
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    found[os.path.join(folder, name)] = file.read()
    return found


def refused(before, *command, says="itself"):
    """The command is refused, and not a byte has changed."""
    result = holos("store", *command)
    check(result.status == 2 and says in result.err, " ".join(command) + "\n" + str(result))
    check(contents("a", "w", "a.db") == before, command)


@inside
def a_store_is_never_its_own_target_whatever_it_is_called():
    before = contents("a", "w", "a.db")
    os.symlink("a", "link")
    os.symlink("a.db", "link.db")
    os.link("a.db", "hard.db")
    here = os.getcwd()
    for name in ("a", "./a", "file:a", "file:./a/", "link", f"{here}/a", f"file:{here}/link", "a/../a"):
        refused(before, "copy", "a", name, "--restart")
        refused(before, "merge", "a", "a.db", "--into", name, "--restart")
        refused(before, "merge", "a.db", "a", "--into", name, "--restart")
    for name in ("a.db", "sqlite:a.db", "sqlite:./a.db", "sqlite:link.db", "hard.db", f"sqlite:{here}/a.db"):
        refused(before, "copy", "a.db", name, "--restart")
        refused(before, "merge", "a", "sqlite:a.db", "--into", name, "--restart")


@inside
def a_hologram_is_never_its_own_target_whatever_it_is_called():
    before = contents("a", "w", "a.db")
    shutil.copytree("w", "other")
    os.symlink("w", "link")
    os.symlink("w/hologram", "file")
    for name in ("w", "./w", "file:w", "w/hologram", "link", "file", "link/hologram"):
        refused(before, "merge", "w", "other", "--into", name, "--restart")
        refused(before, "merge", "other", "w/hologram", "--into", name, "--restart")


@inside
def a_hologram_does_not_go_into_another_store():
    before = contents("a", "w", "a.db")
    for game in ("kalah:3,2", "nim"):
        for more in ((), ("--restart",), ("--resume",)):
            result = holos("explore", game, "--store", "file:a", *more)
            check(result.status == 2 and ("a database of kalah:3,2" in result.err or "--resume" in more), result)
    refused(before, "merge", "w", "w", "--into", "a", "--restart", says="a database of kalah:3,2")
    check(not os.path.exists("a/hologram"), os.listdir("a"))
    check(contents("a", "w", "a.db") == before)


@inside
def only_what_is_alike_is_merged():
    for command in (("a", "w"), ("w", "a"), ("a.db", "w")):
        result = holos("store", "merge", *command, "--into", "new")
        check(result.status == 2 and "only stores of the same kind" in result.err, result)
        check(not os.path.exists("new"))


@inside
def two_never_write_to_one_store():
    for target, lock in (("b", "b/.holos-lock"), ("sqlite:b.db", "b.db.holos-lock")):
        os.makedirs("b", exist_ok=True)
        with open(lock, "w", encoding="utf-8") as held:
            fcntl.lockf(held, fcntl.LOCK_EX)
            for command in (("copy", "a", target), ("merge", "a", "a.db", "--into", target)):
                result = holos("store", *command)
                check(result.status == 5 and "is locked by" in result.err, result)
        check(holos("store", "copy", "a", target).status == 0, target)
        check(not os.path.exists(lock), lock)


@inside
def what_is_no_hologram_is_left_alone():
    os.mkdir("mine")
    with open("mine/hologram", "w", encoding="utf-8") as file:
        file.write("a picture")
    for command in (("explore", "nim", "--store", "file:mine", "--restart"),
                    ("store", "merge", "w", "w", "--into", "mine", "--restart")):
        result = holos(*command)
        check(result.status == 2 and "is not a hologram" in result.err, result)
    with open("mine/hologram", encoding="utf-8") as file:
        check(file.read() == "a picture")


def damage(path, at=None):
    """Flips a bit of a file, in the middle unless it says where."""
    with open(path, "r+b") as file:
        size = file.seek(0, os.SEEK_END)
        at = size // 2 if at is None else at
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ 4]))


def heals(command, *files):
    """Whichever file is damaged, verify names it, and --resume makes the same bytes again."""
    made = holos(*command, "--store", "file:s")
    check(made.status == 0, made)
    before = contents("s")
    for name in files:
        damage(os.path.join("s", name))
        bad = holos("store", "verify", "s")
        check(bad.status == 1 and name.removesuffix(".json") in bad.out, bad)
        again = holos(*command, "--store", "file:s", "--resume")
        check(again.status == 0, again)
        after = contents("s")
        for names in (before, after):
            names.pop("s/build.json", None)
        check(after == before, name)
    shutil.rmtree("s")


@inside
def damage_heals():
    heals(("build", "kalah:3,2"), "012-006.part", "012-000.part", "manifest.json")
    heals(("build", "kalah:3,2", "--graph"), "graph.rows", "manifest.json")
    heals(("build", "connect4:4x4", "--book-depth", "4"), "004-000.part", "000-000.part", "manifest.json")


@inside
def a_damaged_manifest_does_not_give_a_store_to_another_game():
    damage("a/manifest.json", 3)
    before = contents("a")
    result = holos("build", "kalah:2,2", "--store", "file:a", "--resume")
    check(result.status == 3 and "--restart" in result.err, result)
    result = holos("build", "kalah:3,2", "--store", "file:a")
    check(result.status == 3 and "manifest" in result.err, result)
    check(contents("a") == before)
    check(holos("build", "kalah:2,2", "--store", "file:a", "--restart").status == 0)
    check(holos("store", "verify", "a").status == 0)


@inside
def what_a_finished_book_had_no_time_to_remove_is_removed():
    book = ("build", "connect4:4x4", "--book-depth", "4", "--store", "file:b", "--resume")
    check(holos(*book).status == 0)
    before = contents("b")
    shutil.copy("b/004-000.part", "b/004-001.part")
    result = holos(*book)
    check(result.status == 0, result)
    check(set(contents("b")) == set(before), os.listdir("b"))


GRAPH = ("kalah:3,2", "--graph")


@inside
def a_finished_sqlite_store_is_not_replaced_by_another():
    check(holos("build", *GRAPH, "--store", "sqlite:g.db").status == 0)
    for url, others in (("a.db", (("kalah:2,2",), GRAPH, ("kalah:3,2,empty-capture",), ("connect4:4x4", "--graph"))),
                        ("g.db", (("kalah:3,2",), ("kalah:3,1", "--graph"), ("connect4:4x4", "--graph")))):
        before = contents(url)
        for other in others:
            for mode in ((), ("--resume",)):
                result = holos("build", *other, "--store", "sqlite:" + url, *mode)
                check(result.status == 2, result)
                check(contents(url) == before, other)  # not a byte: it was not switched to a journal either
        check(os.listdir(".").count(url + "-wal") == 0, os.listdir("."))
    # Fewer seeds are there already, and stay.
    before = contents("a.db")
    result = holos("build", "kalah:3,2", "--seeds", "3", "--store", "sqlite:a.db", "--resume")
    check(result.status == 0 and contents("a.db") != {}, result)
    check(holos("store", "info", "a.db", "--json").json[0]["top"] == 12)
    # More seeds of the same game extend it.
    holos("build", "kalah:3,3", "--seeds", "6", "--store", "sqlite:e.db")
    result = holos("build", "kalah:3,3", "--seeds", "9", "--store", "sqlite:e.db", "--resume")
    check(result.status == 0, result)
    check(holos("store", "verify", "e.db", "--all").status == 0)
    check(holos("store", "info", "e.db", "--json").json[0]["top"] == 9)


@inside
def only_our_sqlite_files_are_replaced():
    base = sqlite3.connect("theirs.db")
    base.execute("CREATE TABLE letters(words TEXT)")
    base.execute("INSERT INTO letters VALUES('Dear')")
    base.commit()
    base.close()
    with open("text.db", "w", encoding="utf-8") as file:
        file.write("this is no database, but long enough for one " * 200)
    for name in ("theirs.db", "text.db"):
        before = contents(name)
        for mode in ((), ("--resume",), ("--restart",)):
            result = holos("build", "kalah:2,2", "--store", "sqlite:" + name, *mode)
            check(result.status in (2, 3), result)
            check(contents(name) == before, name)


@inside
def an_sqlite_file_without_tables_is_a_new_one():
    for mode in ((), ("--resume",), ("--restart",)):
        with open("empty.db", "wb"):
            pass
        base = sqlite3.connect("empty.db")
        base.execute("PRAGMA journal_mode = WAL")
        base.execute("CREATE TABLE t(x)")
        base.execute("DROP TABLE t")
        base.close()
        result = holos("build", "kalah:2,2", "--store", "sqlite:empty.db", *mode)
        check(result.status == 0, result)
        os.remove("empty.db")


def change(path, sql):
    base = sqlite3.connect(path)
    base.execute(sql)
    base.commit()
    base.close()


@inside
def every_change_of_an_sqlite_store_is_found_and_heals():
    check(holos("build", *GRAPH, "--store", "sqlite:g.db").status == 0)
    check(holos("build", "connect4:4x3", "--graph", "--store", "sqlite:c.db").status == 0)
    changes = {
        "a.db": (("kalah:3,2",), (
            "UPDATE indexed SET value = value + 1 WHERE rank = 17000", "DELETE FROM indexed WHERE rank = 17000",
            "UPDATE indexed SET first_1 = first_1 + 1 WHERE rank = 9000", "UPDATE indexed SET side = 3 - side",
            "UPDATE indexed SET tier = 3 WHERE rank = 18000", "UPDATE parts SET digest = replace(digest, 'a', 'b')",
            "DELETE FROM parts WHERE tier = 12 AND part = 3", "DELETE FROM blocks WHERE first > 10000",
            "INSERT INTO indexed SELECT 99999, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0")),
        "g.db": (GRAPH, (
            "UPDATE graph SET value = value + 1 WHERE key = (SELECT max(key) FROM graph)",
            "UPDATE graph SET depth = depth + 1 WHERE depth = 5", "UPDATE graph SET best = '1' WHERE best = '2'",
            "DELETE FROM graph WHERE depth = 3", "DELETE FROM blocks", "INSERT INTO graph VALUES(5, 1, 1, NULL)",
            "INSERT INTO graph VALUES(9000000000000000000, 1, 1, NULL)", "UPDATE blocks SET rows = rows - 1")),
        "c.db": (("connect4:4x3", "--graph"), (
            "UPDATE graph SET position = '' WHERE depth = 4", "UPDATE graph SET side = 3 - side WHERE depth = 4",
            "UPDATE graph SET value = 0 WHERE depth = 4")),
    }
    for name, (game, statements) in changes.items():
        digest = holos("store", "info", name, "--json").json[0]["digest"]
        for sql in statements:
            change(name, sql)
            bad = holos("store", "verify", name)
            check(bad.status == 1 and name in bad.out, sql, bad)
            again = holos("build", *game, "--store", "sqlite:" + name, "--resume")
            check(again.status == 0, sql, again)
            good = holos("store", "verify", name, "--all")
            check(good.status == 0, sql, good)
            check(holos("store", "info", name, "--json").json[0]["digest"] == digest, sql)


@inside
def readers_name_what_is_damaged_in_an_sqlite_store():
    check(holos("build", *GRAPH, "--store", "sqlite:g.db").status == 0)
    change("a.db", "UPDATE indexed SET value = value + 1 WHERE rank > 18000")
    change("g.db", "UPDATE graph SET value = value + 2 WHERE depth = 1")
    for name in ("a.db", "g.db"):
        result = holos("query", name, "start", "--json")
        check(result.status == 3 and name in result.out and "bad-file" in result.out, result)
        result = holos("solve", "kalah:3,2", "start", "--store", name, "--json")
        check(result.status == 3 and name in result.out, result)
        result = holos("store", "copy", name, "file:copy", "--restart")
        check(result.status == 3 and name in result.err, result)


@inside
def a_broken_sqlite_file_is_built_anew():
    digest = holos("store", "info", "a.db", "--json").json[0]["digest"]
    size = os.path.getsize("a.db")
    for at in (16384 * 3 + 3, 16384 * 7 + 3, size - 16384):  # the head of a page
        damage("a.db", at)
        holos("build", "kalah:3,2", "--store", "sqlite:a.db", "--resume")
        check(holos("store", "verify", "a.db").status == 0, at)
        check(holos("store", "info", "a.db", "--json").json[0]["digest"] == digest)
    with open("a.db", "r+b") as file:
        file.truncate(size // 2)
    check(holos("store", "verify", "a.db").status == 1)
    check(holos("build", "kalah:3,2", "--store", "sqlite:a.db", "--restart").status == 0)
    check(holos("store", "verify", "a.db").status == 0)


@test
def every_flipped_bit_of_chess_tables_is_found():
    with tempfile.TemporaryDirectory() as folder:
        made = holos("build", "chess", "KRvK", "--store", "file:" + folder)
        check(made.status == 0, made)
        good = holos("store", "verify", folder, "--json")
        check(good.status == 0 and good.json[0]["sound"], good)
        info = holos("store", "info", folder, "--json").json[0]
        check(info["kind"] == "Syzygy tables" and info["bytes"] > 1000, info)
        chance = random.Random(7)
        tables = [name for name in sorted(os.listdir(folder)) if name.endswith((".rtbw", ".rtbz", ".hdtm"))]
        check(len(tables) >= 2, tables)
        for name in tables:
            path = os.path.join(folder, name)
            size = os.path.getsize(path)
            for at in [0, size - 1] + [chance.randrange(size) for _ in range(4)]:
                damage(path, at)
                bad = holos("store", "verify", folder, "--json")
                check(bad.status == 1 and name in bad.json[0]["problem"], name, at, bad)
                damage(path, at)
        check(holos("store", "verify", folder).status == 0)


main()
