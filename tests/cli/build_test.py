# SPDX-License-Identifier: MIT
"""holos build, query and store: databases from the command line, and what becomes of them when they are interrupted."""
import filecmp
import json
import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

from tap import SOURCE, Skip, check, environment, equal, holos, main, start, test

# Openings of the facts: the value of each pit, for the first player.
OPENINGS = {
    "kalah:2,1": [-2, 2], "kalah:2,2": [-4, -2], "kalah:2,3": [-2, -4],
    "kalah:3,1": [0, -4, 0], "kalah:3,2": [-8, 4, 0], "kalah:3,3": [2, 2, -4],
    "kalah:4,1": [0, -2, -2, 2], "kalah:4,2": [-12, -10, 4, 6], "kalah:4,3": [-6, 6, 2, -2],
    "kalah:4,3,empty-capture": [-8, 8, 0, -4],
}


class Folder:
    """A folder of this test's own."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="holos-build-")
        return self

    def __exit__(self, *unused):
        shutil.rmtree(self.path, ignore_errors=True)

    def __call__(self, name, scheme=None):
        path = os.path.join(self.path, name)
        return path if scheme is None else f"{scheme}:{path}"


def files(folder):
    """All that a store consists of; the record of a run has its times in it."""
    return sorted(name for name in os.listdir(folder) if name != "build.json")


def same(a, b):
    equal(files(a), files(b))
    match, mismatch, errors = filecmp.cmpfiles(a, b, files(a), shallow=False)
    equal((mismatch, errors), ([], []))


def build(*args):
    result = holos("build", *args, "--json")
    equal(result.status, 0, result)
    return result.json[0]


@test
def openings_have_their_known_values():
    with Folder() as folder:
        for number, (game, values) in enumerate(OPENINGS.items()):
            url = folder(str(number), "file")
            summary = build(game, "--store", url)
            equal(summary["start"]["value"], max(values), game)
            answer = holos("query", url, "start", "--moves", "--json").json[0]
            equal([move["lo"] for move in answer["moves"]], values, game)
            equal(answer["source"], "table")
            best = [move["move"] for move in answer["moves"] if move["lo"] == max(values)]
            equal(answer["best"], best)
            equal(summary["start"]["best"], best)


@test
def solving_goes_on_from_a_store():
    with Folder() as folder:
        url = folder("db", "file")
        build("kalah:4,3", "--seeds", "14", "--store", url)
        plain = holos("solve", "kalah:4,3", "start", "--moves", "--json").json[0]
        helped = holos("solve", "kalah:4,3", "start", "--moves", "--json", "--store", url).json[0]
        equal([move["lo"] for move in helped["moves"]], [-6, 6, 2, -2])
        equal(plain["moves"], helped["moves"])
        check(helped["nodes"] < plain["nodes"] / 3, plain["nodes"], helped["nodes"])
        missing = holos("query", url, "start", "--json")
        equal(missing.status, 4, missing)
        other = holos("solve", "kalah:4,3,empty-capture", "start", "--store", url)
        equal(other.status, 2, other)
        check("made for kalah:4,3" in other.err, other)


@test
def play_is_perfect_with_a_store():
    with Folder() as folder:
        url = folder("db", "file")
        build("kalah:3,3", "--store", url)
        result = holos("play", "kalah:3,3", "--side", "none", "--store", url)
        equal(result.status, 0, result)
        check("first wins (score +2)" in result.out, result)


@test
def the_graph_has_its_known_counts():
    graph = build("kalah:3,3", "--graph")
    equal(graph["positions"], 29274)
    equal(graph["generated"], graph["positions"] - 1 + graph["duplicates"])
    equal(sum(graph["positions_by_depth"]), 29274)
    equal(graph["start"], {"value": 2, "best": ["1"]})
    two = build("kalah:3,3", "--graph", "--threads", "2")
    equal(two["positions_by_depth"], graph["positions_by_depth"])


@test
def the_graph_is_a_table():
    with Folder() as folder:
        url = folder("kalah.db", "sqlite")
        build("kalah:3,2", "--graph", "--store", url)
        db = sqlite3.connect(folder("kalah.db"))
        count, depth, seeds = db.execute(
            "SELECT count(*), max(depth), max(first_1 + first_2 + first_3 + first_store + "
            "second_1 + second_2 + second_3 + second_store) FROM positions").fetchone()
        equal((count, seeds), (4001, 12))
        equal(db.execute("SELECT count(*) FROM positions WHERE in_play != 12 - first_store - second_store")
              .fetchone()[0], 0)
        equal(db.execute("SELECT value, best, side FROM positions WHERE depth = 0").fetchall(), [(4, "2", 1)])
        equal(db.execute("SELECT count(*) FROM positions WHERE value IS NULL").fetchone()[0], 0)
        db.close()
        answer = holos("query", url, "start", "--moves", "--json").json[0]
        equal([move["lo"] for move in answer["moves"]], [-8, 4, 0])
        verified = holos("store", "verify", url, "--all", "--json")
        equal((verified.status, verified.json[0]["derived"]), (0, 4001), verified)
        again = holos("build", "kalah:3,2", "--graph", "--store", url)
        equal(again.status, 2, again)


@test
def a_graph_is_the_same_in_any_store():
    with Folder() as folder:
        for game, at in (("kalah:3,2,majority-stop", "a"), ("kalah:5,1", "b"), ("connect4:3x4", "c")):
            first, db, last = folder(at, "file"), folder(at + ".db", "sqlite"), folder(at + "2", "file")
            graph = build(game, "--graph", "--store", first)
            for source, target in ((first, db), (db, last)):
                copied = holos("store", "copy", source, target, "--json")
                equal((copied.status, copied.json[0]["positions"]), (0, graph["positions"]), copied)
            same(folder(at), folder(at + "2"))
            for url in (first, db):
                verified = holos("store", "verify", url, "--all", "--json")
                equal((verified.status, verified.json[0]["derived"]), (0, graph["positions"]), verified)
                answer = holos("query", url, "start", "--json").json[0]
                equal((answer["lo"], answer["hi"]), (graph["start"]["value"],) * 2)


@test
def a_graph_that_does_not_fit_into_memory_goes_to_disk():
    with Folder() as folder:
        whole = build("kalah:4,2", "--graph", "--store", folder("a", "file"))
        small = ("build", "kalah:4,2", "--graph", "--mem", "6M")
        result = holos(*small)
        equal(result.status, 4, result)
        check("--spill" in result.out, result)
        os.mkdir(folder("spill"))
        spilled = build(*small[1:], "--spill", folder("spill"), "--store", folder("b", "file"))
        equal(spilled["positions"], whole["positions"])
        same(folder("a"), folder("b"))
        equal(files(folder("spill")), [])
        result = holos(*small, "--spill", folder("nowhere"))
        equal(result.status, 4, result)


@test
def the_store_of_a_graph_is_looked_at_first():
    with Folder() as folder:
        url = folder("a", "file")
        build("kalah:2,2", "--graph", "--store", url)
        result = holos("build", "kalah:2,2", "--graph", "--store", url)
        equal(result.status, 2, result)
        check("finished graph of kalah:2,2; --restart" in result.err, result)
        result = holos("build", "kalah:6,4", "--graph", "--store", url)  # would take for ever
        equal(result.status, 2, result)
        build("kalah:2,2", "--graph", "--store", url, "--resume")
        build("kalah:2,1", "--graph", "--store", url, "--restart")
        equal(holos("store", "info", url, "--json").json[0]["positions"], 9)


@test
def an_interrupted_graph_is_begun_again():
    with Folder() as folder:
        url = folder("a", "file")
        process = start("build", "kalah:6,2", "--graph", "--mem", "1G", "--store", url)
        while not os.path.exists(os.path.join(folder("a"), "manifest.json")) and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        equal(process.returncode, 130, err)
        check(b"--resume" in err and b"--restart" in err, err)
        check(set(files(folder("a"))) <= {"graph.reached", "manifest.json"}, files(folder("a")))
        result = holos("store", "info", url, "--json")
        equal((result.status, result.json[0]["complete"]), (0, False), result)
        equal(holos("build", "kalah:6,2", "--graph", "--store", url).status, 2)
        build("kalah:2,2", "--graph", "--store", url, "--restart")


@test
def copies_are_the_same_both_ways():
    with Folder() as folder:
        build("kalah:3,2", "--store", folder("a", "file"))
        for source, target in [(folder("a", "file"), folder("b.db", "sqlite")),
                               (folder("b.db", "sqlite"), folder("c", "file"))]:
            result = holos("store", "copy", source, target, "--json")
            equal(result.status, 0, result)
        same(folder("a"), folder("c"))
        equal(holos("store", "verify", folder("b.db", "sqlite"), "--all").status, 0)


def remove(folder, *tiers):
    """Takes the parts of some tiers out of a store, and what says that it is finished."""
    for name in files(folder):
        if name.endswith(".part") and int(name[:3]) in tiers:
            os.remove(os.path.join(folder, name))
    path = os.path.join(folder, "manifest.json")
    with open(path, encoding="utf-8") as f:
        manifest = json.load(f)
    manifest["complete"] = False
    manifest.pop("parts", None)
    manifest.pop("checksum")
    with open(path, "w", encoding="utf-8") as f:
        json.dump(manifest, f)


@test
def databases_are_merged_part_by_part():
    with Folder() as folder:
        build("kalah:3,2", "--store", folder("whole", "file"))
        build("kalah:3,2", "--seeds", "7", "--store", folder("small", "file"))
        shutil.copytree(folder("whole"), folder("rest"))
        remove(folder("rest"), 2, 5)
        merged = holos("store", "merge", folder("small", "file"), folder("rest", "file"), "--into",
                       folder("merged", "file"), "--json")
        equal(merged.status, 0, merged)
        equal((merged.json[0]["complete"], merged.json[0]["top"]), (True, 12))
        same(folder("whole"), folder("merged"))
        equal(holos("query", folder("merged", "file"), "start", "--json").json[0]["lo"], 4)
        # What none has is missing, and a build goes on with it.
        shutil.copytree(folder("rest"), folder("other"))
        merged = holos("store", "merge", folder("rest", "file"), folder("other", "file"), "--into",
                       folder("merged", "file"), "--restart", "--json")
        equal((merged.status, merged.json[0]["complete"]), (0, False), merged)
        build("kalah:3,2", "--store", folder("merged", "file"), "--resume")
        same(folder("whole"), folder("merged"))


@test
def databases_that_contradict_each_other_are_not_merged():
    with Folder() as folder:
        # The same folder of two variants: their rules differ, and so do values.
        build("kalah:3,2", "--store", folder("a", "file"))
        build("kalah:3,2,empty-capture", "--store", folder("b", "file"))
        refused = holos("store", "merge", folder("a", "file"), folder("b", "file"), "--into", folder("c", "file"))
        check(refused.status != 0 and "empty-capture" in refused.err, refused)
        # A table of SQLite can be changed by anybody.
        holos("store", "copy", folder("a", "file"), folder("b.db", "sqlite"))
        base = sqlite3.connect(folder("b.db"))
        base.execute("UPDATE indexed SET value = value + 1 WHERE tier = 5 AND part = 2 AND rank % 7 = 3")
        base.commit()
        base.close()
        refused = holos("store", "merge", folder("a", "file"), folder("b.db", "sqlite"), "--into",
                        folder("d", "file"))
        check(refused.status == 3 and "part 2 of tier 5 is damaged" in refused.err, refused)


@test
def verification_finds_a_flipped_bit():
    with Folder() as folder:
        url = folder("db", "file")
        build("kalah:3,2", "--store", url)
        equal(holos("store", "verify", url, "--all").status, 0)
        chance = random.Random(1)
        names = files(folder("db"))
        for _ in range(40):
            path = os.path.join(folder("db"), chance.choice([name for name in names if name.endswith(".part")]))
            with open(path, "r+b") as f:
                data = bytearray(f.read())
                at = chance.randrange(len(data))
                data[at] ^= 1 << chance.randrange(8)
                f.seek(0)
                f.write(data)
            result = holos("store", "verify", url)
            equal(result.status, 1, path, at, result)
            check("not sound" in result.out, result)
            healed = holos("build", "kalah:3,2", "--store", url, "--resume")
            equal(healed.status, 0, healed)
            check("made again" in healed.err, healed)
            equal(holos("store", "verify", url).status, 0)


@test
def fuzzed_stores_never_crash_the_reader():
    with Folder() as folder:
        url = folder("db", "file")
        build("kalah:2,2", "--store", url)
        kept = folder("kept")
        shutil.copytree(folder("db"), kept)
        chance = random.Random(2)
        for _ in range(60):
            name = chance.choice(files(kept))
            with open(os.path.join(kept, name), "rb") as f:
                data = bytearray(f.read())
            for _ in range(chance.randrange(1, 6)):
                what = chance.randrange(3)
                at = chance.randrange(len(data))
                if what == 0:
                    data[at] = chance.randrange(256)
                elif what == 1:
                    del data[at:at + chance.randrange(1, 40)]
                else:
                    data[at:at] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 20)))
                if not data:
                    break
            with open(os.path.join(folder("db"), name), "wb") as f:
                f.write(data)
            for command in (["store", "verify", url], ["query", url, "start"], ["store", "info", url]):
                result = holos(*command)
                check(result.status in (0, 1, 2, 3, 4, 5), name, result)
            shutil.copy(os.path.join(kept, name), os.path.join(folder("db"), name))


LONG = ("kalah:6,4", "--seeds", "13", "--threads", "2")


@test
def killed_builds_resume_to_the_same_bytes():
    with Folder() as folder:
        whole, broken = folder("whole", "file"), folder("broken", "file")
        began = time.monotonic()
        summary = build(*LONG, "--store", whole)
        took = time.monotonic() - began
        chance = random.Random(3)
        kills = 0
        while kills < 24:
            process = start("build", *LONG, "--store", broken, "--resume", "--json")
            time.sleep(chance.random() * took / 4)
            process.kill()
            out, err = process.communicate()
            if process.returncode == 0:  # it was done before we came: begin again
                shutil.rmtree(folder("broken"))
            else:
                equal(process.returncode, -signal.SIGKILL, err)
                kills += 1
        result = holos("build", *LONG, "--store", broken, "--resume", "--json")
        equal(result.status, 0, result)
        equal(result.json[0]["digest"], summary["digest"])
        same(folder("whole"), folder("broken"))


@test
def interrupted_builds_resume_to_the_same_bytes():
    with Folder() as folder:
        whole, broken = folder("whole", "file"), folder("broken", "file")
        build(*LONG, "--store", whole)
        process = start("build", *LONG, "--store", broken)
        while not os.path.exists(os.path.join(folder("broken"), "006-003.part")) and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        if process.returncode == 0:
            raise Skip("the build was done before the interrupt came")
        equal(process.returncode, 130, err)
        refused = holos("build", *LONG, "--store", broken)
        equal(refused.status, 2, refused)
        check("--resume" in refused.err, refused)
        info = holos("store", "info", broken, "--json").json[0]
        check(not info["complete"] and 0 < info["parts"] < info["parts_expected"], info)
        equal(holos("query", broken, "start").status, 3)
        result = holos("build", *LONG, "--store", broken, "--resume", "--json")
        equal(result.status, 0, result)
        check(result.json[0]["computed"] < result.json[0]["positions"], result)
        same(folder("whole"), folder("broken"))


@test
def a_full_disk_is_an_error_and_resumes():
    with Folder() as folder:
        whole = folder("whole", "file")
        build(*LONG, "--store", whole)
        disk = folder("disk")
        os.mkdir(disk)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", disk],
                                 stderr=subprocess.DEVNULL).returncode == 0
        try:
            keywords = {}
            if not mounted:  # nearly the same: no file may be larger than a few blocks
                def limit():
                    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                    resource.setrlimit(resource.RLIMIT_FSIZE, (20000, resource.RLIM_INFINITY))
                keywords["preexec_fn"] = limit
            result = holos("build", *LONG, "--store", f"file:{disk}/db", **keywords)
            equal(result.status, 5, result)
            check("space" in result.err or "large" in result.err, result)
            check(not any(name.endswith(".tmp") for name in os.listdir(f"{disk}/db")))
            if mounted:
                subprocess.run(["mount", "-o", "remount,size=100m", disk], check=True)
            result = holos("build", *LONG, "--store", f"file:{disk}/db", "--resume")
            equal(result.status, 0, result)
            same(folder("whole"), f"{disk}/db")
        finally:
            if mounted:
                subprocess.run(["umount", disk], check=True)


@test
def two_builds_do_not_share_a_folder():
    with Folder() as folder:
        url = folder("db", "file")
        first = start("build", "kalah:6,4", "--seeds", "16", "--store", url)
        while not os.path.exists(os.path.join(folder("db"), "manifest.json")) and first.poll() is None:
            time.sleep(0.005)
        second = holos("build", "kalah:6,4", "--seeds", "16", "--store", url, "--resume")
        running = first.poll() is None
        first.kill()
        first.communicate()
        if not running:
            raise Skip("the first build was done before the second began")
        equal(second.status, 5, second)
        check(f"locked by process {first.pid} (holos build kalah:6,4" in second.err, second)


@test
def it_says_beforehand_what_it_needs():
    plan = holos("build", "kalah:6,4", "--seeds", "30", "--estimate", "--json").json[0]
    equal(plan["positions"], 11058116888)
    check(plan["positions"] < plan["memory"] < 24 << 30, plan)
    result = holos("build", "kalah:6,4", "--seeds", "30", "--mem", "2G")
    equal(result.status, 4, result)
    check("10.4 GiB" in result.err or "10.5 GiB" in result.err, result)
    check("2.0 GiB" in result.err, result)
    result = holos("build", "kalah:6,4", "--seeds", "49")
    equal(result.status, 2, result)
    check("up to 48 seeds" in result.err, result)
    for game, words in (("kalah:3,2,majority-stop", "stores"), ("connect4", "index")):
        result = holos("build", game)
        equal(result.status, 2, result)
        check(words in result.err, result)


BOOK = ("connect4:6x4", "--book-depth", "5")


@test
def a_book_answers_without_a_search():
    with Folder() as folder:
        url = folder("books/connect4-5x4", "file")
        os.mkdir(folder("books"))
        summary = build("connect4:5x4", "--book-depth", "4", "--store", url)
        equal([ply["positions"] for ply in summary["plies"]], [1, 5, 25, 95, 345])
        equal((summary["kind"], summary["positions"], summary["start"]["value"]), ("book", 471, 0))
        plain = holos("solve", "connect4:5x4", "start", "33", "--moves", "--json").json
        helped = holos("solve", "connect4:5x4", "start", "33", "--moves", "--json", "--store", url).json
        found = holos("solve", "connect4:5x4", "start", "33", "--moves", "--json",
                      env=environment(HOLOS_DATA=folder.path)).json
        for a, b, c in zip(plain, helped, found):
            equal([move["lo"] for move in a["moves"]], [move["lo"] for move in b["moves"]])
            equal((a["lo"], a["source"], b["lo"], b["source"]), (a["lo"], "search", a["lo"], "table"))
            equal([move["lo"] for move in c["moves"]], [move["lo"] for move in b["moves"]])
            equal(c["source"], "table")
        without = holos("solve", "connect4:5x4", "start", "--no-book", "--json", env=environment(HOLOS_DATA=folder.path))
        equal(without.json[0]["source"], "search")
        beyond = holos("query", url, "33441", "--json")
        equal(beyond.status, 4, beyond)
        equal(holos("solve", "connect4:5x5", "start", "--store", url).status, 2)
        info = holos("store", "info", url, "--json").json[0]
        equal((info["kind"], info["top"], info["complete"]), ("book", 4, True))
        equal(holos("store", "verify", url, "--all").status, 0)
        equal(holos("store", "copy", url, folder("copy", "file")).status, 0)
        same(folder("books/connect4-5x4"), folder("copy"))
        with open(folder("books/connect4-5x4/003-000.part"), "r+b") as f:
            f.seek(80)
            byte = f.read(1)
            f.seek(80)
            f.write(bytes([byte[0] ^ 1]))
        broken = holos("solve", "connect4:5x4", "start", env=environment(HOLOS_DATA=folder.path))
        equal(broken.status, 3, broken)
        check("--no-book" in broken.err, broken)


@test
def killed_books_resume_to_the_same_bytes():
    with Folder() as folder:
        whole, broken = folder("whole", "file"), folder("broken", "file")
        began = time.monotonic()
        summary = build(*BOOK, "--store", whole)
        took = time.monotonic() - began
        chance = random.Random(4)
        for number in range(12):
            process = start("build", *BOOK, "--store", broken, "--resume", "--threads", str(1 + number % 2))
            time.sleep(chance.random() * took)
            process.send_signal(signal.SIGKILL if number % 2 == 0 else signal.SIGINT)
            out, err = process.communicate()
            if process.returncode == 0:
                shutil.rmtree(folder("broken"))
            elif number % 2 == 1 and process.returncode != -signal.SIGINT:  # not before it could listen
                equal(process.returncode, 130, err)
        result = build(*BOOK, "--store", broken, "--resume")
        equal(result["digest"], summary["digest"])
        same(folder("whole"), folder("broken"))
        again = holos("build", *BOOK, "--store", broken)
        equal(again.status, 2, again)
        check("finished book" in again.err, again)
        deeper = holos("build", "connect4:6x4", "--book-depth", "6", "--store", broken, "--resume")
        equal(deeper.status, 2, deeper)
        check("--restart" in deeper.err, deeper)


@test
def a_longer_book_stands_on_a_shorter_one():
    with Folder() as folder:
        short, alone, above = folder("short", "file"), folder("alone", "file"), folder("above", "file")
        build("connect4:6x4", "--book-depth", "4", "--store", short)
        build(*BOOK, "--store", alone)
        build(*BOOK, "--store", above, "--known", short)
        same(folder("alone"), folder("above"))
        for args, status, words in ((("kalah:3,2", "--known", short), 2, "for books"),
                                    ((*BOOK, "--known", folder("none", "file")), 5, "no store"),
                                    (("connect4:5x4", "--book-depth", "3", "--known", short), 2, "connect4:6x4")):
            result = holos("build", *args)
            equal(result.status, status, result)
            check(words in result.err, result)


@test
def the_book_that_ships_is_right():
    path = os.path.join(SOURCE, "data", "books", "connect4-7x6")
    if not os.path.exists(path):
        raise Skip("there is none in data/books")
    size = sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path))
    check(size < 1 << 20, size)
    depth = holos("store", "info", path, "--json").json[0]["top"]
    equal(holos("store", "verify", path, "--samples", "5").status, 0)
    with open(os.path.join(SOURCE, "tests", "data", "connect4", "begin-hard.txt"), encoding="ascii") as f:
        published = [line.split() for line in f]
    early = [(moves, int(score)) for moves, score in published if len(moves) <= depth]
    answers = holos("query", path, "-", "--json", stdin="\n".join(moves for moves, _ in early))
    equal([answer["lo"] for answer in answers.json], [score for _, score in early])


@test
def what_a_book_cannot_do_is_said():
    for args, words in (((*BOOK, "--graph"), "contradict"), (("kalah:3,2", "--estimate", "--plot", "p.svg"), "--plot"),
                        (("sudoku", "--book-depth", "3"), "no start"),
                        ((*BOOK, "--store", "sqlite:/tmp/never-made.db"), "does not hold books")):
        result = holos("build", *args)
        equal(result.status, 2, result)
        check(words in result.err, result)


@test
def configurations_name_the_game():
    with Folder() as folder:
        for name in ("kalah-4-3", "kalah-6-4", "local"):
            check(os.path.exists(os.path.join(SOURCE, "configs", name + ".yaml")), name)
        config = folder("small.yaml")
        with open(config, "w") as f:
            f.write(f"game: kalah:3,2\nstore: {folder('db', 'file')}\nthreads: 2\n")
        summary = build("--config", config)
        equal((summary["game"], summary["positions"]), ("kalah:3,2", 18564))
        record = json.load(open(os.path.join(folder("db"), "build.json")))
        equal(record["positions"], 18564)
        equal(sum(record["positions_by_tier"]), 18564)
        result = holos("build")
        equal(result.status, 2, result)


@test
def plots_are_drawn():
    with Folder() as folder:
        build("kalah:3,2", "--plot", folder("a.svg"))
        build("kalah:3,2", "--graph", "--plot", folder("b.svg"))
        build("connect4:5x4", "--book-depth", "3", "--plot", folder("c.svg"))
        for name in ("a.svg", "b.svg", "c.svg"):
            with open(folder(name)) as f:
                svg = f.read()
            check(svg.startswith("<svg") and svg.count("<rect") > 7 and svg.endswith("</svg>\n"), svg[:300])


@test
def plain_and_kernel_builds_are_the_same_bytes():
    with Folder() as folder:
        build("kalah:4,2,empty-capture", "--store", folder("a", "file"))
        build("kalah:4,2,empty-capture", "--store", folder("b", "file"), "--no-hot", "--threads", "2")
        same(folder("a"), folder("b"))
        os.mkdir(folder("scratch"))
        build("kalah:4,2,empty-capture", "--store", folder("c", "file"), "--scratch", folder("scratch"))
        same(folder("a"), folder("c"))


@test
def progress_tells_parts_and_disk():
    with tempfile.TemporaryDirectory() as folder:
        result = holos("build", "kalah:4,3", "--store", f"file:{folder}/db", "--progress", "json")
        done = [json.loads(line) for line in result.err.splitlines() if '"event":"done"' in line]
        equal((done[0]["parts_done"], done[0]["done"]), (done[0]["parts"], done[0]["total"]), done)
        parts = [name for name in os.listdir(f"{folder}/db") if name.endswith(".part")]
        equal(done[0]["disk"], sum(os.path.getsize(f"{folder}/db/{name}") for name in parts), done)


@test
def progress_tells_the_steps_of_a_graph():
    for more in ((), ("--threads", "2"), ("--mem", "6M", "--spill", "SPILL")):
        with tempfile.TemporaryDirectory() as folder:
            words = [folder if word == "SPILL" else word for word in more]
            result = holos("build", "connect4:5x3", "--graph", "--store", f"file:{folder}/db", "--progress", "json", "--json", *words)
            positions = result.json[0]["positions"]
            done = [json.loads(line) for line in result.err.splitlines() if '"event":"done"' in line]
            equal([step["label"] for step in done], ["graph", "values", "sort", "store"], result)
            equal([step["done"] for step in done if step["label"] != "sort"], [positions] * 3, done)
            equal([step.get("total") for step in done], [None] + [positions] * 3, done)
            # Each third is rounded down, a shard or a bucket at a time; with little memory it goes on while rows go out.
            check(0.3 * positions < done[2]["done"] <= positions and (more[:1] == ("--mem",) or done[2]["done"] > 0.9 * positions), done)


@test
def the_game_can_be_named_by_an_option():
    with Folder() as folder:
        url = folder("small", "file")
        equal(holos("build", "--game", "kalah:3,2", "--store", url).status, 0)
        own, other = (holos("query", url, "start", "--json", *extra) for extra in ((), ("--game", "kalah:3,1")))
        equal((own.json[0]["game"], other.json[0]["game"]), ("kalah:3,2", "kalah:3,1"))
        equal(other.json[0]["lo"], holos("solve", "kalah:3,1", "start", "--json").json[0]["lo"])
        check("game" in holos("build", "--store", url).err)


main()
