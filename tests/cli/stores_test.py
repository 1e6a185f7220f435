# SPDX-License-Identifier: MIT
"""All five types of stores do the same: file, SQLite, PostgreSQL, Parquet, Bigtable. Servers are real, and started here on loopback. A type
that this build or this machine does not have is skipped with the reason.

ROWS names a program that writes and reads rows no build makes (rows_tool.c). HOLOS_FULL=1 takes larger sizes; HOLOS_ALL_STORES=1
leaves out no type that can be installed.
"""
import os
import random
import re
import shutil
import subprocess
import tempfile
import time

from servers import Bigtable, Postgres, server, wait_for
from tap import PROGRAM, SOURCE, Skip, check, environment, equal, holos, main, start, test

FULL = os.environ.get("HOLOS_FULL", "") not in ("", "0")
ROWS = os.path.abspath(os.environ.get("ROWS", "build/tests/cli/rows_tool"))
FOLDER = tempfile.mkdtemp(prefix="holos_stores_")
STATE = os.path.join(FOLDER, "state")
COUNTER = [0]
AVAILABLE = holos("version", "--json").json[0]["stores"]


class Type:
    """A type of store: where a new one lies."""

    def __init__(self, scheme, name, shared=False):
        self.scheme, self.name, self.shared = scheme, name, shared

    def need(self):
        """Raises Skip if it is not there; starts its server."""
        if AVAILABLE[self.scheme] != "available":
            raise Skip(AVAILABLE[self.scheme])
        if self.scheme == "postgres":
            return server(Postgres)
        if self.scheme == "bigtable":
            return server(Bigtable)
        return None

    def url(self, **parameters):
        COUNTER[0] += 1
        name, host = f"s{COUNTER[0]}", self.need()
        if host is not None:
            return host.url(name, **parameters)
        return f"{self.scheme}:{FOLDER}/{name}" + (".db" if self.scheme == "sqlite" else "")


TYPES = [Type("file", "native files"), Type("sqlite", "SQLite"), Type("postgres", "PostgreSQL", shared=True),
         Type("parquet", "Parquet"), Type("bigtable", "Bigtable", shared=True)]
SERVERS = [kind for kind in TYPES if kind.shared]
LOCAL = [kind for kind in TYPES if not kind.shared]


def env(**changes):
    """Of whatever is run: it finds the emulator if that was started."""
    from servers import _started
    found = environment(XDG_STATE_HOME=STATE, **changes)
    if Bigtable in _started:
        found["BIGTABLE_EMULATOR_HOST"] = _started[Bigtable].host
    return found


def run(*words, **keywords):
    keywords.setdefault("env", env())
    return holos(*words, **keywords)


def done(*words, **keywords):
    result = run(*words, **keywords)
    equal(result.status, 0, words, result)
    return result


def digest(url):
    return done("store", "info", url, "--json").json[0]["digest"]


def tool(*words):
    return subprocess.Popen([ROWS, *map(str, words)], env=env(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def tool_done(*words):
    process = tool(*words)
    out, err = process.communicate()
    equal(process.returncode, 0, words, err.decode())
    return out.decode().split()


def each(kinds):
    def of(function):
        for kind in kinds:
            def one(kind=kind):
                kind.need()
                function(kind)
            one.__name__ = f"{kind.name}: {function.__name__}"
            test(one)
        return function
    return of


GRAPH = ("build", "kalah:3,2", "--graph")
DATABASE = ("build", "kalah:3,2")
WIDE = ("build", "connect4:4x3", "--graph")  # keys of the position's text, no columns


# ---- The same in, the same out ------------------------------------------------------------------------------------------

@each(TYPES)
def the_same_answers_as_the_native_store(kind):
    for make, game in ((GRAPH, "kalah:3,2"), (DATABASE, "kalah:3,2"), (WIDE, "connect4:4x3")):
        url, native = kind.url(), TYPES[0].url()
        done(*make, "--store", url)
        done(*make, "--store", native)
        equal(digest(url), digest(native), make)
        done("store", "verify", url, "--all")
        for position in ("start", "1"):
            for words in (("query", "{}", position), ("solve", game, position, "--store", "{}", "--engine", "lookup")):
                found = [run(*(word.replace("{}", store) for word in words), "--json") for store in (url, native)]
                answers = [[{k: v for k, v in line.items() if k not in ("seconds", "nodes")} for line in r.json] for r in found]
                equal(answers[0], answers[1], words)
                equal(found[0].status, found[1].status, words)


@each(TYPES)
def rows_that_no_build_makes(kind):
    """Weird keys: the first and the last there is, neighbours, gaps; narrow ones and wide ones."""
    for game, count in (("kalah:4,3", 30000), ("kalah:6,1", 20000), ("kalah:4,3", 1), ("kalah:4,3", 8192)):
        url = kind.url()
        rows, _ = tool_done("fill", url, game, count, 3)
        check(int(rows) > count * 0.6, rows)
        tool_done("check", url, game, count, 3)


MILLION = {}


@each(TYPES)
def a_million_rows(kind):
    count = 1000000 if FULL or kind.scheme != "bigtable" else 100000
    url = kind.url()
    found = tool_done("fill", url, "kalah:4,3", count, 5)
    equal(found, MILLION.setdefault(count, found))  # what the first type of store said
    tool_done("check", url, "kalah:4,3", count, 5)


@test
def copies_from_each_to_each_have_the_same_contents():
    there = []
    for kind in TYPES:
        try:
            kind.need()
            there.append(kind)
        except Skip as reason:
            print("#", kind.name, "is left out:", reason)
    for make in (GRAPH, DATABASE):
        source = TYPES[0].url()
        done(*make, "--store", source)
        expected, first = digest(source), {}
        for kind in there:
            first[kind] = kind.url()
            done("store", "copy", source, first[kind])
        for a in there:
            for b in there:
                target = b.url()
                done("store", "copy", first[a], target)
                equal(digest(target), expected, a.name, b.name)
                equal(run("store", "verify", target).status, 0, a.name, b.name)
    # With HOLOS_ALL_STORES nothing is left out that can be installed; the emulator is not in Debian.
    left_out = {kind.scheme for kind in TYPES} - {kind.scheme for kind in there} - {"bigtable"}
    check(not left_out or not os.environ.get("HOLOS_ALL_STORES"), "left out", left_out)


@each(TYPES)
def databases_of_several_stores_merge(kind):
    low, high, into = kind.url(), TYPES[0].url(), kind.url()
    done("build", "kalah:3,2", "--seeds", "5", "--store", low)
    done("build", "kalah:3,2", "--seeds", "9", "--store", high)
    done("store", "merge", low, high, "--into", into)
    equal(digest(into), digest(high))


# ---- Writers --------------------------------------------------------------------------------------------------------------

@each(SERVERS)
def two_writers_lose_and_double_nothing(kind):
    count = 200000 if FULL else 60000
    url = kind.url()
    tool_done("fill", kind.url(), "kalah:4,3", 10, 1)
    first = tool("fill", url, "kalah:4,3", count, 7)
    others = []
    while first.poll() is None and run("store", "info", url).status != 0:
        time.sleep(0.01)  # until there is something to join
    others = [tool("fill", url, "kalah:4,3", count, 7) for _ in range(2)]
    ends = [process.communicate() + (process.returncode,) for process in [first, *others]]
    for _, err, status in ends:
        equal(status, 0, err.decode())
    native = tool_done("fill", TYPES[0].url(), "kalah:4,3", count, 7)
    for out, _, _ in ends:
        equal(out.decode().split(), native)
    tool_done("check", url, "kalah:4,3", count, 7)


@each(SERVERS)
def two_builders_on_two_machines(kind):
    """What a build keeps beside its store is a machine's own; the store is not."""
    for make in (("build", "kalah:3,3", "--graph"), ("build", "kalah:3,3", "--seeds", "10")):
        url = kind.url()
        builders = []
        for i in range(2):
            builders.append(start(*make, "--store", url, "--resume", env=env() | {"XDG_STATE_HOME": f"{STATE}{i}"}))
            end = time.monotonic() + 60
            while i == 0 and builders[0].poll() is None and run("store", "info", url).status != 0 and time.monotonic() < end:
                time.sleep(0.01)
        for builder in builders:
            _, err = builder.communicate()
            equal(builder.returncode, 0, make, err.decode())
        done("store", "verify", url, "--all")


@each(TYPES)
def a_second_builder_here_is_told_who_is_at_work(kind):
    url = kind.url()
    big = ("build", "kalah:4,2", "--graph", "--store", url)
    first = start(*big, env=env())
    end = time.monotonic() + 60
    while first.poll() is None and time.monotonic() < end:
        second = run(*big, "--resume")
        if second.status == 5:
            check("is locked by" in second.err or "writing" in second.err, second)
            break
        if second.status == 0:
            break  # the first was faster
    first.communicate()


@each(TYPES)
def a_killed_build_goes_on_to_the_same_result(kind):
    chance = random.Random(3)
    whole = TYPES[0].url()
    for make in (("build", "kalah:4,2", "--graph"), ("build", "kalah:4,2", "--seeds", "8")):
        done(*make, "--store", whole, "--restart")
        url = kind.url()
        for _ in range(3 if FULL else 2):
            process = start(*make, "--store", url, "--resume", env=env())
            time.sleep(chance.random())
            process.kill()
            process.communicate()
        result = run(*make, "--store", url, "--resume")
        equal(result.status, 0, make, result)
        equal(digest(url), digest(whole), make)
        equal(run("store", "verify", url).status, 0)


# ---- Servers that go away -------------------------------------------------------------------------------------------------

def begun(process, url):
    """Waits until it has written something."""
    end = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < end:
        info = run("store", "info", url, "--json")
        if info.status == 0 and info.json[0]["positions"] > 0:
            return
        time.sleep(0.02)


@test
def a_postgres_server_that_comes_back_is_waited_for():
    host, url = TYPES[2].need(), TYPES[2].url()
    count = 300000
    process = tool("fill", url, "kalah:4,3", count, 9)
    begun(process, url)
    busy = process.poll() is None
    host.stop()
    time.sleep(0.5)
    host.start()
    _, err = process.communicate()
    equal(process.returncode, 0, err.decode())
    tool_done("check", url, "kalah:4,3", count, 9)
    print("# the server was stopped", "in the middle" if busy else "too late to matter")


@each(SERVERS)
def a_server_that_stays_away_ends_the_build_which_goes_on_later(kind):
    host = kind.need()
    url = kind.url(wait="0.5")
    process = start("build", "kalah:4,2", "--graph", "--store", url, env=env())
    begun(process, url)
    host.stop()
    try:
        _, err = process.communicate(timeout=300)
    finally:
        host.start()
    check(process.returncode in (0, 5), process.returncode, err.decode())
    if process.returncode == 5:
        check("waited 0.5 s" in err.decode(), err.decode())
    done("build", "kalah:4,2", "--graph", "--store", url, "--resume")  # the emulator has forgotten what it had
    equal(run("store", "verify", url).status, 0)


@test
def a_postgres_server_whose_disk_is_full_keeps_what_was_confirmed():
    TYPES[2].need()
    disk = tempfile.mkdtemp(prefix="holos_disk_")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1g,mode=755", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode != 0:
        os.rmdir(disk)
        raise Skip("no file system of a fixed size can be made here")
    host = None
    try:
        host = Postgres(disk)
        url = host.url("full", wait="1")
        free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
        with open(os.path.join(disk, "ballast"), "wb") as ballast:
            os.posix_fallocate(ballast.fileno(), 0, free - (24 << 20))  # room for a batch and its log, not for all of them
        full = run("build", "kalah:4,2", "--graph", "--store", url)
        equal(full.status, 5, full)
        check("space" in full.err or "extend" in full.err or "server" in full.err, full)
        os.remove(os.path.join(disk, "ballast"))
        if host.process.poll() is not None:  # without room for its log, it ends, or recovers
            host.start()
        wait_for(host.answers, "PostgreSQL")
        done("build", "kalah:4,2", "--graph", "--store", url, "--resume")
        equal(digest(url), "087c48e01dcbf24e9c3b0829e988ea0f")
    finally:
        if host is not None:
            host.remove()
        subprocess.run(["umount", disk], check=True)
        os.rmdir(disk)


@test
def the_benchmark_of_stores_runs_with_servers():
    result = subprocess.run([os.path.join(SOURCE, "scripts", "bench-stores"), "--quick"], capture_output=True, env=env(HOLOS=PROGRAM))
    out = result.stdout.decode()
    equal(result.returncode, 0, out, result.stderr.decode())
    for name in ("file", "sqlite") + tuple(kind.scheme for kind in TYPES[2:] if AVAILABLE[kind.scheme] == "available"):
        check(name in out or "without" in result.stderr.decode(), name, out)


@each(SERVERS)
def readers_say_that_the_server_is_gone(kind):
    host = kind.need()
    url = kind.url(wait="0.2")
    done(*GRAPH, "--store", url)
    host.stop()
    try:
        for words in (("query", url, "start"), ("store", "info", url), ("solve", "kalah:3,2", "start", "--store", url)):
            result = run(*words)
            check(result.status in (3, 5) and "127.0.0.1" in result.err + result.out or kind.scheme in result.err + result.out,
                  words, result)
    finally:
        host.start()


@test
def a_paused_bigtable_server_is_waited_for():
    host, url = TYPES[4].need(), TYPES[4].url()
    process = tool("fill", url, "kalah:4,3", 40000, 4)
    begun(process, url)
    host.pause()
    time.sleep(1)
    host.go_on()
    _, err = process.communicate()
    equal(process.returncode, 0, err.decode())
    tool_done("check", url, "kalah:4,3", 40000, 4)


# ---- What does not fit ----------------------------------------------------------------------------------------------------

@each(TYPES)
def another_game_or_kind_is_refused_and_restart_replaces(kind):
    url = kind.url()
    done(*GRAPH, "--store", url)
    before = digest(url)
    for other in (("build", "kalah:3,1", "--graph"), DATABASE, ("build", "kalah:3,2,empty-capture", "--graph")):
        for mode in ((), ("--resume",)):
            result = run(*other, "--store", url, *mode)
            equal(result.status, 2, other, result)
    equal(run(*GRAPH, "--store", url).status, 2)
    done(*GRAPH, "--store", url, "--resume")
    equal(digest(url), before)
    result = run("solve", "kalah:3,1", "start", "--store", url)
    check(result.status == 2 and "kalah:3,2" in result.err, result)
    done("build", "kalah:3,1", "--graph", "--store", url, "--restart")
    check(digest(url) != before)


@each(TYPES)
def a_store_knows_what_it_is(kind):
    url = kind.url()
    done(*DATABASE, "--store", url)
    info = done("store", "info", url, "--json").json[0]
    equal((info["game"], info["family"], info["kind"], info["complete"]), ("kalah:3,2", "kalah:3 pits", "database", True))
    check(info["writer"].startswith("holos "), info)


@each([kind for kind in TYPES if kind.scheme != "file"])
def books_belong_into_files(kind):
    result = run("build", "connect4:4x3", "--book-depth", "2", "--store", kind.url())
    check(result.status == 2 and "does not hold books" in result.err, result)


@test
def foreign_tables_are_left_alone():
    host = TYPES[2].need()
    host.sql("public", "CREATE SCHEMA theirs; CREATE TABLE theirs.graph(letters text); INSERT INTO theirs.graph VALUES('Dear')")
    for mode in ((), ("--resume",), ("--restart",)):
        result = run(*GRAPH, "--store", host.url("theirs"), *mode)
        check(result.status in (2, 3) and "theirs" in result.err, result)
    equal(host.sql("theirs", "SELECT letters FROM graph"), "Dear")
    result = run("store", "info", host.url("nobodys"))
    check(result.status == 5 and "holds no store" in result.err, result)


@test
def postgres_errors_are_clear():
    host = TYPES[2].need()
    host.sql("public", "CREATE ROLE guest LOGIN")
    asks = host.url("x")
    for url, words in ((asks.replace("holos@", "guest@"), "permission denied"), (asks.replace("/postgres?", "/none?"), "does not exist"),
                       (asks.replace(str(host.port), "1"), "refused"), (asks + "&wait=soon", "wait"), (asks + "&index=value", "index"),
                       (host.url("Bad;Name"), "schema")):
        result = run(*GRAPH, "--store", url)
        check(result.status in (2, 5) and words in result.err, url, result)
    done(*GRAPH, "--store", asks)
    host.sql("x", "ALTER TABLE graph RENAME COLUMN depth TO deep")
    result = run("query", asks, "start")
    check(result.status in (3, 5) and "depth" in result.err + result.out, result)


@test
def a_changed_row_in_postgres_is_named_and_heals():
    host = TYPES[2].need()
    for make, changes in ((GRAPH, ("UPDATE graph SET value = value + 1 WHERE depth = 3", "DELETE FROM graph WHERE depth = 4",
                                   "UPDATE graph SET best = '1' WHERE best = '2'", "DELETE FROM blocks")),
                          (DATABASE, ("UPDATE indexed SET value = 5 WHERE rank = 17000", "UPDATE indexed SET first_1 = first_1 + 1 WHERE rank = 90",
                                      "DELETE FROM parts WHERE tier = 12 AND part = 3"))):
        url = TYPES[2].url()
        schema = re.search("schema=(.*)", url).group(1)
        done(*make, "--store", url)
        expected = digest(url)
        for change in changes:
            host.sql(schema, change)
            bad = run("store", "verify", url)
            check(bad.status == 1 and schema in bad.out, change, bad)
            done(*make, "--store", url, "--resume")
            equal(run("store", "verify", url, "--all").status, 0, change)
            equal(digest(url), expected, change)


@test
def bad_bigtable_names_are_named():
    TYPES[4].need()
    for url in ("bigtable://a/b", "bigtable://a/b/c/d", "bigtable:a", "bigtable://a/b/c d"):
        result = run("store", "info", url)
        check(result.status in (2, 5) and "PROJECT/INSTANCE/TABLE" in result.err, url, result)
    result = run("store", "info", "bigtable://a/b/c", env=environment(GOOGLE_APPLICATION_CREDENTIALS="/nowhere"))
    check(result.status == 5 and "GOOGLE_APPLICATION_CREDENTIALS" in result.err, result)


# ---- Questions --------------------------------------------------------------------------------------------------------------

@test
def people_can_ask_each_in_sql():
    import sqlite3
    question = "SELECT depth, count(*) AS n, max(in_play) AS most FROM positions GROUP BY depth ORDER BY depth"
    url = TYPES[1].url()
    done(*GRAPH, "--store", url)
    base = sqlite3.connect(url.split(":", 1)[1])
    expected = base.execute(question).fetchall()
    equal(expected[0], (0, 1, 12))
    for depth, count, _ in expected:
        equal(base.execute("SELECT count(*) FROM by_depth WHERE depth = ?", (depth,)).fetchall(), [(count,)])
    base.close()
    if AVAILABLE["postgres"] == "available":
        url = TYPES[2].url(index="depth")
        done(*GRAPH, "--store", url)
        schema = re.search("schema=([a-z0-9]*)", url).group(1)
        equal(server(Postgres).sql(schema, f"SELECT indexname FROM pg_indexes WHERE schemaname = '{schema}' ORDER BY 1").split(),
              ["blocks_pkey", "graph_depth", "graph_key"])
        found = server(Postgres).sql(schema, question)
        equal([tuple(map(int, line.split("|"))) for line in found.splitlines()], expected)
    if AVAILABLE["parquet"] == "available":
        url = TYPES[3].url()
        done(*GRAPH, "--store", url)
        rows = done("store", "sql", url, question, "--json").json[0]["rows"]
        equal([(row["depth"], row["n"], row["most"]) for row in rows], expected)
        bad = run("store", "sql", url, "SELEC")
        check(bad.status == 2 and "syntax" in bad.err, bad)
        check(run("store", "sql", TYPES[1].url(), "SELECT 1").status == 2)
        done(*DATABASE, "--store", url, "--restart")
        rows = done("store", "sql", url, "SELECT count(*) AS n FROM indexed", "--json").json[0]["rows"]
        equal(rows, [{"n": 18564}])


@test
def parquet_without_its_library_says_how_to_get_it():
    result = run("build", "kalah:2,1", "--store", f"parquet:{FOLDER}/no", env=env(HOLOS_DUCKDB="/nowhere/libduckdb.so"))
    check(result.status == 2 and "scripts/setup --with parquet" in result.err, result)


@test
def a_password_in_a_url_is_written_nowhere():
    kind = [k for k in TYPES if k.scheme == "postgres"][0]
    url = kind.url().replace("//holos@", "//holos:tell-nobody@")
    check("tell-nobody" in url, url)
    result = run("build", "nim:2,3", "--graph", "--store", url, "--json")
    equal(result.status, 0, result)
    check("holos:***@" in result.out and "tell-nobody" not in result.out + result.err, result)
    again = run("build", "nim:2,3", "--graph", "--store", url)
    wrong = run("query", url.replace("/postgres?", "/nowhere?"), "2,3 1")
    check(again.status != 0 and wrong.status != 0, again, wrong)
    for shown in (again, wrong, run("query", url, "2,3 1", "--json"), run("store", "info", url, "--json")):
        check("tell-nobody" not in shown.out + shown.err, shown)
    seen = 0
    for folder, _, names in os.walk(STATE):
        for name in names:
            seen += 1
            with open(os.path.join(folder, name), "rb") as f:
                check(b"tell-nobody" not in f.read(), folder, name)
    check(seen > 0, "no record was kept")


try:
    main()
finally:
    shutil.rmtree(FOLDER, ignore_errors=True)
