# SPDX-License-Identifier: MIT
"""Goes through a game and says which moves gave something away.

    $ python3 judge_game.py connect4:5x4 3 3 3 2 4 4 4 3 2
    5. 4: from 0 to -1; better was 2
    7. 4: from -1 to -4; better was 2
    8. 3: from 4 to 0; better was 2
    after that: draw for the side to move
"""
import sys

import holos

v = holos.open(sys.argv[1])
here = v.start()
with v.solver(moves=True) as solver:
    for number, move in enumerate(sys.argv[2:], 1):
        r = solver.solve(here)
        value = next(m.value for m in r.moves if m.move == move)
        if value.score < r.score:
            print(f"{number}. {move}: from {r.score} to {value.score}; better was {' or '.join(r.best)}")
        here = here.play(move)
    print(f"after that: {solver.solve(here).outcome} for the side to move")
