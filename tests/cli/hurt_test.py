# SPDX-License-Identifier: MIT
"""Every store that is made of files, hurt: killed at each of its writes, on a full disk, with writes that are cut short, with bytes flipped and
missing, by two writers, by another game. Nothing is lost; what is damaged is named by verify and by every reader; and it
heals by --resume, since all of it can be made again.

FAULT names a library that lets writes fail (fault.c). HOLOS_FULL=1 tries every place instead of a few.
"""
import fcntl
import os
import random
import shutil
import tempfile

from tap import Skip, check, environment, holos, main, test

FAULT = os.path.abspath(os.environ.get("FAULT", "build/tests/cli/libfault.so"))
FULL = os.environ.get("HOLOS_FULL", "") not in ("", "0")
KILLED = 99
FIRST = 100  # of the writes of a run


class Kind:
    """A kind of store: how one is made, and what is asked of it."""

    def __init__(self, name, make, place, game, positions, other, lock=".holos-lock"):
        self.name, self.make, self.place, self.game = name, make, place, game
        self.positions, self.other = positions, other
        path = place.split(":", 1)[1]
        self.path, self.lock = path, path + ("/" if place.startswith(("file:", "parquet:")) else "") + lock

    def build(self, *more, **keywords):
        return holos(*self.make, "--store", self.place, "--threads", "1", *more, **keywords)

    def go_on(self):
        """As a person would: goes on with what is there, and begins if nothing is."""
        result = self.build("--resume")
        return self.build() if "holds no hologram" in result.err else result

    def remove(self):
        for path in (self.path, self.path + "-wal", self.path + "-shm", self.path + "-journal", self.path + ".build.json",
                     self.lock):
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.exists(path):
                os.remove(path)

    def files(self):
        """What makes up the store, byte for byte."""
        names = [self.path]
        if os.path.isdir(self.path):
            names = sorted(os.path.join(folder, name) for folder, _, files in os.walk(self.path) for name in files)
        found = {}
        for name in names:
            if os.path.isfile(name) and not name.endswith(("build.json", "explore.json")):
                with open(name, "rb") as file:
                    found[name] = file.read()
        return found

    def readers(self, position):
        """The commands that read it."""
        commands = [("query", self.place, position), ("solve", self.game, position, "--store", self.place),
                    ("explore", self.game, position, "--known", self.place, "--nodes", "1", "--no-back")]
        if "--book-depth" in self.make:
            commands.append(("build", self.game, "--book-depth", "4", "--known", self.place))
        return commands

    def answers(self, *how):
        """What readers say of some positions: values, or the damage that they name."""
        found = []
        for position in self.positions:
            for command in self.readers(position):
                result = holos(*command, "--json", *how)
                check(result.status in (0, 2, 3, 4, 5) and result.err.count("Assertion") == 0, command, result)
                answer = result.json[0] if result.status in (0, 4) and result.out else {}
                if answer and command[0] == "explore":
                    answer = answer["seeds"][0]
                elif answer and command[0] == "build":
                    answer = {"lo": [answer[name] for name in ("won", "drawn", "lost")]}
                if answer.get("status") == "error" or result.status in (2, 3, 5):
                    text = result.out + result.err
                    check(os.path.basename(self.path) in text, "the damage is not named", command, result)
                    found.append(None)
                else:
                    found.append((answer.get("lo"), answer.get("hi")))
        return found


GAME = "kalah:2,2" if FULL else "kalah:2,1"
KINDS = [
    Kind("a database", ("build", GAME), "file:s", GAME, ("start",), ("build", "nim")),
    Kind("a graph", ("build", GAME, "--graph"), "file:s", GAME, ("start",), ("build", "nim", "--graph")),
    Kind("a book", ("build", "connect4:4x3", "--book-depth", "3"), "file:s", "connect4:4x3", ("start", "12"),
         ("build", "connect4:4x4", "--book-depth", "3")),
    Kind("a hologram", ("explore", GAME), "file:s", GAME, ("start",), ("explore", "nim")),
    Kind("an SQLite database", ("build", GAME), "sqlite:s.db", GAME, ("start",),
         ("build", "kalah:3,1")),
    Kind("an SQLite graph", ("build", GAME, "--graph"), "sqlite:s.db", GAME, ("start",),
         ("build", "nim", "--graph")),
    Kind("a Parquet database", ("build", GAME), "parquet:s", GAME, ("start",), ("build", "kalah:3,1")),
    Kind("a Parquet graph", ("build", GAME, "--graph"), "parquet:s", GAME, ("start",), ("build", "nim", "--graph")),
    Kind("chess tables", ("build", "chess", "KRvK"), "file:s", "chess", ("8/8/8/8/8/2k5/8/K6R w - - 0 1",), ("build", "nim")),
]


STORES = holos("version", "--json").json[0]["stores"]


def hurt(function):
    """One test for each kind of store, in a folder of its own."""
    for kind in KINDS:
        def run(kind=kind):
            if kind.place.startswith("parquet:") and STORES["parquet"] != "available":
                raise Skip(STORES["parquet"])
            before, folder = os.getcwd(), tempfile.mkdtemp()
            os.chdir(folder)
            try:
                function(kind)
            finally:
                os.chdir(before)
                shutil.rmtree(folder)
        run.__name__ = f"{kind.name}: {function.__name__}"
        test(run)


def content(kind):
    """What a store is worth: the same whenever it was made of the same game. A hologram tells, too, how it was made."""
    if kind.make[0] == "explore":
        return kind.answers()
    info = holos("store", "info", kind.place, "--json")
    check(info.status == 0, info)
    digest = info.json[0].get("digest")
    return digest if digest else {name: data for name, data in kind.files().items()}


def writes_of(kind):
    """How many writes a whole run takes."""
    result = kind.build(env=environment(LD_PRELOAD=FAULT, HOLOS_FAULT_COUNT=os.path.abspath("count")))
    check(result.status == 0, result)
    with open("count", encoding="utf-8") as file:
        total = int(file.read())
    os.remove("count")
    check(total > 3, "the library that counts writes is not at work", total)
    return total


def places(total, few):
    """Which of the writes are tried."""
    most = min(total, FIRST)
    if FULL or most <= few:
        return list(range(1, most + 1))
    return sorted({1 + i * (most - 1) // (few - 1) for i in range(few)})


def is_clean(kind):
    """Nothing is left behind by what was killed."""
    left = [name for folder, _, names in os.walk(".") for name in names
            if name.endswith((".tmp", ".holos-lock", "-wal", "-shm", "-journal"))]
    check(not left, kind.name, "left behind", left)


@hurt
def killed_at_any_write_it_goes_on_to_the_same_result(kind):
    total = writes_of(kind)
    whole = content(kind)
    for how in ("exit", "torn"):
        for number in places(total, 4):
            kind.remove()
            killed = kind.build(env=environment(LD_PRELOAD=FAULT, HOLOS_FAULT=f"{how}:{number}"))
            check(killed.status in (KILLED, 0), how, number, killed)
            state = holos("store", "verify", kind.place)
            check(state.status in (0, 2, 3, 5), how, number, state)
            again = kind.go_on()
            check(again.status == 0, how, number, again)
            sound = holos("store", "verify", kind.place)
            check(sound.status == 0, how, number, sound)
            check(content(kind) == whole, how, number, "another result")
            is_clean(kind)


@hurt
def a_full_disk_or_a_short_write_loses_nothing(kind):
    total = writes_of(kind)
    whole = content(kind)
    for how, allowed in (("full", (0, 5)), ("short", (0,))):
        for number in places(total, 3):
            kind.remove()
            hit = kind.build(env=environment(LD_PRELOAD=FAULT, HOLOS_FAULT=f"{how}:{number}"))
            check(hit.status in allowed, how, number, hit)
            check(hit.status == 0 or hit.err != "", how, number, "says nothing", hit)
            again = kind.go_on()
            check(again.status == 0, how, number, again)
            check(holos("store", "verify", kind.place).status == 0, how, number)
            check(content(kind) == whole, how, number, "another result")
            is_clean(kind)


def damages(kind, chance):
    """Each file with a bit flipped, or cut off somewhere; otherwise a few of these."""
    found = []
    for name, data in sorted(kind.files().items()):
        count = 8 if len(kind.files()) > 4 else 40
        tries = [("flip", chance.randrange(len(data) * 8)) for _ in range(count)]
        tries += [("cut", chance.randrange(len(data))) for _ in range(count // 4)]
        for how, at in tries:
            if how == "flip":
                bad = data[:at // 8] + bytes([data[at // 8] ^ 1 << at % 8]) + data[at // 8 + 1:]
            else:
                bad = data[:at]
            found.append((name, how, at, bad))
    return found if FULL else chance.sample(found, 5)


@hurt
def damage_is_named_or_harmless_and_heals(kind):
    chance = random.Random(11)
    check(kind.build().status == 0)
    whole, answers, files = content(kind), kind.answers(), kind.files()
    check(None not in answers, answers)
    for name, how, at, bad in damages(kind, chance):
        with open(name, "wb") as file:
            file.write(bad)
        found = holos("store", "verify", kind.place, "--all")
        check(found.status in (0, 1, 5), name, how, at, found)
        said = found.out + found.err
        check(found.status == 0 or os.path.basename(kind.path) in said, name, how, at, found)
        for given, true in zip(kind.answers(), answers):
            check(given in (None, true), "a false value", name, how, at, given, true, found)
        if found.status == 0:
            check(content(kind) == whole or kind.place.startswith("sqlite:"), name, how, at, "verify missed it")
        again = kind.build("--resume")
        if again.status != 0:  # it cannot know that what is there is its own, or there is no more to go on with
            check(again.status in (2, 3, 5) and again.err != "", name, how, at, again)
            again = kind.build("--restart")
            if again.status != 0:
                check(again.status in (2, 3), name, how, at, again)  # not even that it is a store
                kind.remove()
                again = kind.build()
        check(again.status == 0, name, how, at, again)
        check(holos("store", "verify", kind.place).status == 0, name, how, at)
        check(content(kind) == whole, name, how, at, "another result")
        kind.remove()
        for path, data in files.items():
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            with open(path, "wb") as file:
                file.write(data)


@hurt
def another_game_and_a_second_writer_are_refused(kind):
    check(kind.build().status == 0)
    before = kind.files()
    for mode in ((), ("--resume",)):
        result = holos(*kind.other, "--store", kind.place, *mode)
        check(result.status in (2, 3) and os.path.basename(kind.path) in result.err, mode, result)
        check(kind.files() == before, mode, "changed")
    with open(kind.lock, "w", encoding="utf-8") as held:
        fcntl.lockf(held, fcntl.LOCK_EX)
        for mode in ("--resume", "--restart"):
            result = kind.build(mode)
            check(result.status == 5 and "is locked by" in result.err, mode, result)
    after = kind.files()
    after.pop(kind.lock, None)
    check(after == before, "changed")
    os.remove(kind.lock)


@hurt
def it_is_never_its_own_target(kind):
    check(kind.build().status == 0)
    before = kind.files()
    for command in (("copy", kind.place, kind.path, "--restart"),
                    ("merge", kind.place, kind.path, "--into", kind.place, "--restart")):
        result = holos("store", *command)
        check(result.status == 2 and "itself" in result.err, command, result)
        check(kind.files() == before, command)


main()
