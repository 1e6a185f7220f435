# SPDX-License-Identifier: MIT
"""How fast the package is, one JSON object a line: PYTHONPATH=python python3 python/bench.py [--quick]"""
import json
import os
import sys
import tempfile
import time

import holos

QUICK = "--quick" in sys.argv


def case(name, unit, count, work):
    began = time.process_time()
    work()
    seconds = time.process_time() - began
    print(json.dumps({"bench": "python", "case": name, "n": count, "cpu_seconds": round(seconds, 4),
                      "rate": round(count / max(seconds, 1e-9)), "unit": unit}))


class Heaps(holos.Game):
    """Nim in Python, to be compared with nim in C."""

    name, most_moves = "heaps", 64

    def __init__(self, *heaps):
        self.heaps = heaps

    def start(self):
        return (self.heaps, 0)

    def side(self, p):
        return p[1]

    def terminal(self, p):
        return None if any(p[0]) else -1

    def moves(self, p):
        return [(heap, count) for heap, size in enumerate(p[0]) for count in range(1, size + 1)]

    def play(self, p, m):
        return (tuple(size - m[1] * (heap == m[0]) for heap, size in enumerate(p[0])), 1 - p[1])

    def canonical(self, p):
        return (tuple(sorted(p[0])), 0)


def nodes(variant):
    """Nodes of a search without its own fast path, and its CPU seconds."""
    solver = variant.solver(engine="alphabeta", value_only=True, memory=64 << 20)
    began = time.process_time()
    result = solver.solve()
    return result.nodes, time.process_time() - began


def main():
    v = holos.open("connect4:5x4")
    position, count = v.position("3344"), 200 if QUICK else 20000
    with v.solver(value_only=True) as solver:
        solver.solve(position)
        case("solve a known position", "calls/s", count, lambda: [solver.solve(position) for _ in range(count)])
    case("moves of a position", "calls/s", count, lambda: [position.moves() for _ in range(count)])
    with tempfile.TemporaryDirectory() as folder:
        store = "file:" + os.path.join(folder, "db")
        total = holos.open("kalah:2,2" if QUICK else "kalah:3,2").job("database", store=store).run()["positions"]
        with holos.Knowledge(store) as k:
            case("iterate over a database", "positions/s", total, lambda: list(k))
            try:
                case("a database as arrays", "positions/s", total, k.arrays)
            except ImportError:
                pass
    heaps = (2, 3, 4) if QUICK else (7, 8, 9, 9)
    for name, variant in (("a game in C", holos.open("nim:" + ",".join(map(str, heaps)))),
                          ("the same game in Python", holos.open(Heaps(*heaps)))):
        found, seconds = nodes(variant)
        print(json.dumps({"bench": "python", "case": name, "n": found, "cpu_seconds": round(seconds, 4),
                          "rate": round(found / max(seconds, 1e-9)), "unit": "nodes/s"}))


main()
