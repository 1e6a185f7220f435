# SPDX-License-Identifier: MIT
"""Stores, books and holograms: asked, gone through, checked, copied and merged."""
import os
import tempfile

from here import Skip, check, equal, holos, main, program, raises, test


def made(folder, game="kalah:2,2", kind="database", *operands, **options):
    store = "file:" + os.path.join(folder, f"{kind}-{len(os.listdir(folder))}")
    holos.open(game).job(kind, *operands, store=store, threads=1, **options).run()
    return store


@test
def knowledge_says_what_the_program_says():
    with tempfile.TemporaryDirectory() as folder:
        store = made(folder)
        said = program("query", store, "start", "--json").json[0]
        with holos.Knowledge(store) as k:
            equal((k.kind, k.variant.name, k["start"].lo), ("database", "kalah:2,2", said["lo"]))
            check("start" in k)
            r = k.variant.solve("start", known=k, moves=True)
            equal((r.engine, r.value.score), ("lookup", said["lo"]))
        raises(ValueError, k.find, "start")


@test
def what_ships_is_found():
    v = holos.open("connect4")
    with v.knowledge() as k:
        equal((k.kind, k["44"].score, k["44"].distance), ("book", 1, 39))
        raises(KeyError, lambda: k["12345671234567"])
        check("not in the book" in k.why_not("12345671234567") and k.why_not("44") is None)
        check(not k.find("12345671234567").known)
    raises(holos.Error, holos.open("nim").knowledge)
    check(os.path.isdir(holos.data_folder()), holos.data_folder())
    equal(holos.hologram_path("file:there"), "there/hologram")


@test
def knowledge_can_be_gone_through():
    with tempfile.TemporaryDirectory() as folder:
        for game, kind, operands, settings in (("kalah:2,2", "database", (), None), ("nim", "graph", (), None),
                                               ("connect4:4x4", "book", (), {"book-depth": 3}),
                                               ("connect4:3x3", "wave", ("start",), None)):
            store = made(folder, game, kind, *operands, settings=settings)
            with holos.Knowledge(store) as k, k.variant.solver() as solver:
                found = list(k)
                equal(len(found), holos.stores.look(store).positions, kind)
                for position, value in found[:: max(1, len(found) // 50)]:
                    score = solver.solve(position).value.score
                    check(value.lo <= score <= value.hi, kind, position, value, score)


@test
def arrays_hold_the_same():
    try:
        import numpy
    except ImportError:
        raise Skip("NumPy is not installed (Debian: python3-numpy)") from None
    with tempfile.TemporaryDirectory() as folder, holos.Knowledge(made(folder)) as k:
        found, arrays = list(k), k.arrays()
        equal(len(found), len(arrays["lo"]))
        equal([value.lo for _, value in found], arrays["lo"].tolist())
        equal([value.distance if value.distance is not None else -1 for _, value in found], arrays["distance"].tolist())
        equal(k.position_at(arrays["positions"][7]), found[7][0])
        equal(arrays["positions"].dtype, numpy.dtype("u1"))
        equal(len(k.arrays(most=5)["hi"]), 5)
        raises(ValueError, k.position_at, b"x")


@test
def stores_are_looked_at_checked_copied_and_merged():
    with tempfile.TemporaryDirectory() as folder:
        store = made(folder)
        facts = holos.stores.look(store)
        equal((facts.kind, facts.game, facts.complete, facts.positions), ("database", "kalah:2,2", True, 495))
        said = program("store", "info", store, "--json").json[0]
        equal({k: v for k, v in holos.stores.info(store).items() if k != "bytes"}, {k: v for k, v in said.items() if k != "bytes"})
        check(holos.stores.verify(store, all=True))
        copy = "sqlite:" + os.path.join(folder, "copy.db")
        told = []
        holos.stores.copy(store, copy, progress=told.append, progress_seconds=0.001)
        equal(holos.stores.look(copy).digest, facts.digest)
        both = "file:" + os.path.join(folder, "both")
        holos.stores.merge([store, copy], both)
        equal(holos.stores.look(both).digest, facts.digest)
        raises(holos.Error, holos.stores.copy, store, copy)
        raises(holos.Error, holos.stores.merge, [], both)
        raises(holos.Error, holos.stores.look, "file:" + os.path.join(folder, "nothing"))
        equal(raises(holos.Error, holos.stores.sql, store, "select 1").status, "usage")
    equal(holos.store_types()[0].scheme, "file")


@test
def holograms_hold_what_waves_found():
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("one", "two", "both")]
        v = holos.open("nim:3,4,5")
        for path, text in zip(paths, ("3,4,5 1 2 wave forward", "2,3,4 1")):
            with v.wave() as wave:
                wave.add(holos.Seed.parse(v, text))
                equal(len(wave.seeds()), 1)
                equal(str(holos.Seed.parse(v, text)).split()[0], text.split()[0])
                wave.limit(nodes=100000)
                wave.run("wave")
                check(wave.layers()[0].positions >= 1 and wave.statistics.positions > 1)
                wave.save(path)
        holos.merge_holograms(paths[0], paths[1], paths[2])
        check(holos.Hologram.is_at(paths[2]) and not holos.Hologram.is_at(folder))
        with holos.Hologram(paths[2], cache=1 << 20) as h:
            summary = h.summary
            found = dict(h)
            equal((len(found), summary.seeds, len(list(h.seeds()))), (summary.entries, 2, 2))
            equal(sum(value.solved for value in found.values()), summary.solved)
            equal(h.query("2,3,4 1").score, v.solve("2,3,4 1").value.score)
            move = h.best("2,3,4 1")
            check(move in v.position("2,3,4 1").moves(), move)
            check(h.line("2,3,4 1") and isinstance(h.spine("2,3,4 1"), list))
            equal(len(list(h.spines())), summary.spines)
            list(h.rounds()), list(h.frontiers()), h.guess("3,4,5 1"), h.mode_success("wave")
            h.verify()
            check(h.check(threads=1).derived > 0)
        with v.wave() as wave:
            wave.load(paths[2])
            equal(wave.query("2,3,4 1").solved, True)
            wave.reset()
            check(not wave.query("2,3,4 1").solved and wave.guess("2,3,4 1") is None)
        raises(ValueError, v.wave().run, "tsunami")
        raises(TypeError, v.wave, depth=3)
        raises(holos.Error, holos.Hologram, os.path.join(folder, "none"))


@test
def a_damaged_file_is_an_error_and_not_an_answer():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "wave")
        v = holos.open("nim:3,4,5")
        with v.wave() as wave:
            wave.add("start")
            wave.run()
            wave.save(path)
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            byte = file.read(1)
            file.seek(-1, 1)
            file.write(bytes([byte[0] ^ 0xFF]))

        def read():
            with holos.Hologram(path) as h:
                h.verify()
                return list(h)

        equal(raises(holos.Error, read).status, "bad-file")


main()
