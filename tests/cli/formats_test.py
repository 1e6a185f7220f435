# SPDX-License-Identifier: MIT
"""docs/formats.md is enough to write a reader: formats.py, which shares no code with holos, finds in files what holos says is in them."""
import itertools
import os
import tempfile

import formats
from tap import SOURCE, check, equal, holos, main, test

FOLDER = tempfile.TemporaryDirectory()


def path(*names):
    return os.path.join(FOLDER.name, *names)


def build(*words):
    result = holos(*words, "--quiet")
    equal(result.status, 0, words, result)


def scores(store, positions):
    """What holos says of positions."""
    result = holos("query", store, "--json", stdin="".join(p + "\n" for p in positions))
    return [answer["lo"] for answer in result.json]


def arrangements(seeds, pits):
    """All ways to have seeds in pits, in lexicographic order, pit 1 first."""
    if pits == 1:
        return [(seeds,)]
    return [(first, *rest) for first in range(seeds + 1) for rest in arrangements(seeds - first, pits - 1)]


@test
def a_database_of_kalah():
    build("build", "kalah:3,2", "--store", "file:" + path("kalah"))
    said = formats.manifest(path("kalah"))
    equal((said["kind"], said["variant"], said["complete"]), ("database", "kalah:3,2", True))
    asked, expected = [], []
    for entry in said["parts"]:
        tier, number = entry["tier"], entry["part"]
        family, its_tier, its_part, values = formats.part(path("kalah", f"{tier:03d}-{number:03d}.part"))
        equal((family, its_tier, its_part, len(values)), (formats.sum_of(said["family"].encode()), tier, number, entry["positions"]))
        equal(formats.hexadecimal(values), entry["digest"])
        at = 0
        for outer in arrangements(number, 3):
            for mover in ("outer", "inner")[:1 if 2 * number == tier else 2]:
                for inner in arrangements(tier - number, 3):
                    mine, theirs = (outer, inner) if mover == "outer" else (inner, outer)
                    # What is still to come, for the side to move: with empty stores, that is the score.
                    asked.append(",".join(map(str, mine)) + ",0/" + ",".join(map(str, theirs)) + ",0 1")
                    expected.append(values[at] - 128)
                    at += 1
        equal(at, len(values))
    some = range(0, len(asked), 37)
    check(len(asked) > 10000 and len(some) > 300, len(asked))
    equal(scores("file:" + path("kalah"), [asked[i] for i in some]), [expected[i] for i in some])


@test
def a_graph_of_nim():
    build("build", "nim:3,4,5", "--graph", "--store", "file:" + path("graph"))
    said = formats.manifest(path("graph"))
    family, rows = formats.graph(path("graph", "graph.rows"))
    equal((len(rows), family), (said["positions"], formats.sum_of(b"nim:3,4,5")))
    positions = []
    for identity, _, _, _ in rows:
        side, heaps = identity >> 64, [identity >> shift & 15 for shift in (12, 8, 4)]
        positions.append(",".join(map(str, heaps)) + f" {side + 1}")
    equal(scores("file:" + path("graph"), positions), [value for _, _, value, _ in rows])
    # Nim is known: the side to move wins unless the heaps' exclusive or is 0.
    for (identity, depth, value, _) in rows:
        heaps = [identity >> shift & 15 for shift in (12, 8, 4)]
        equal(value, 1 if heaps[0] ^ heaps[1] ^ heaps[2] else -1, identity)
        check(depth % 2 == identity >> 64, identity, depth)


@test
def a_hologram_of_nim_and_one_of_chess():
    build("explore", "nim:2,3,4", "--store", "file:" + path("nim"))
    header, entries, sections = formats.hologram(path("nim", "hologram"))
    equal((header["variant"], header["scores"]), ("nim:2,3,4", (-1, 1)))
    for key, (low, high, *_rest) in entries.items():
        heaps = [key >> shift & 15 for shift in (12, 8, 4, 0)]
        wins = heaps[0] ^ heaps[1] ^ heaps[2] ^ heaps[3]
        check(low <= (1 if wins else -1) <= high, key, low, high)
    check(sections["spines"] and sections["seeds"], sections)
    start = "8/8/8/8/8/2k5/8/K1q5 w - - 0 1"
    build("explore", "chess", start, "--store", "file:" + path("chess"))
    header, entries, _ = formats.hologram(path("chess", "hologram"))
    check(header["flags"] & 2 and all(e[5] for e in entries.values()))
    solved = [e for e in entries.values() if e[0] == e[1]]
    equal(scores(path("chess", "hologram"), [e[5] for e in solved]), [e[0] for e in solved])


@test
def the_book_and_the_network_that_ship():
    folder = os.path.join(SOURCE, "data", "books", "connect4-7x6")
    equal(formats.manifest(folder)["kind"], "book")
    # Ply 0: the empty board, which is a win that comes with the last stone but 20: a score of 1.
    _, _, _, data = formats.part(os.path.join(folder, "000-000.part"))
    equal(list(formats.book_ply(data).values()), [129])
    counts = [len(formats.book_ply(formats.part(os.path.join(folder, f"{ply:03d}-000.part"))[3])) for ply in range(4)]
    equal(counts[:3], [1, 4, 25])
    game, shape, weights = formats.network(os.path.join(SOURCE, "data", "networks", "reversi-8.net"))
    equal((game, shape[1:3]), ("reversi:8", (8, 8)))
    check(len(weights) > 1000 and all(abs(w) < 1e6 for w in itertools.islice(weights, 1000)))


@test
def damage_is_found():
    for name, reader in (("kalah/003-001.part", formats.part), ("graph/graph.rows", formats.graph), ("nim/hologram", formats.hologram)):
        data = bytearray(formats.read(path(name)))
        for at in range(0, len(data), max(1, len(data) // 60)):
            data[at] ^= 1
            with open(path("damaged"), "wb") as f:
                f.write(data)
            data[at] ^= 1
            try:
                reader(path("damaged"))
            except Exception:  # noqa: BLE001  a reader of a page of text need not be kind
                continue
            raise AssertionError(f"{name}: bit 0 of byte {at} was flipped, and nobody noticed")


main()
