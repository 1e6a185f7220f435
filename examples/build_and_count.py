# SPDX-License-Identifier: MIT
"""Builds a whole database as a job, with progress; then goes through it, with NumPy if it is there.

    $ python3 build_and_count.py kalah:3,2 kalah32
    kalah:3,2 up to 12 seeds: 18,564 positions in 49 parts
    finished: 18564 positions, the start is worth 4
    9382 wins and 2496 draws for the side to move
    sound
"""
import collections
import sys

import holos

game, folder = sys.argv[1:]
job = holos.open(game).job("database", store=f"file:{folder}",
                           progress=lambda p: print(f"\r{p.done}/{p.total}", end="", file=sys.stderr))
print(job.plan().what)
report = job.run()  # Ctrl-C stops it here, and start="resume" would continue
print(f"{report['stopped']}: {report['positions']} positions, the start is worth {report['start']['value']}")
with holos.Knowledge(folder) as k:
    try:
        scores = k.arrays()["lo"]
        wins, draws = int((scores > 0).sum()), int((scores == 0).sum())
    except ImportError:  # without NumPy, one by one
        counts = collections.Counter((value.score > 0) - (value.score < 0) for _, value in k)
        wins, draws = counts[1], counts[0]
    print(f"{wins} wins and {draws} draws for the side to move")
holos.stores.verify(folder)
print("sound")
