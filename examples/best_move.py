# SPDX-License-Identifier: MIT
"""The smallest useful program: reads positions, prints values and best moves.

    $ python3 best_move.py connect4:5x4 33 3
    33: draw, score 0, best 3
    3: draw, score 0, best 1 2 3 4 5
"""
import sys

import holos

with holos.open(sys.argv[1]).solver(moves=True) as solver:
    for text in sys.argv[2:]:
        r = solver.solve(text)
        print(f"{text}: {r.outcome}, score {r.score}, best {' '.join(r.best)}")
