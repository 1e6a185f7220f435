# SPDX-License-Identifier: MIT
"""Makes a puzzle, rates it, explains its hardest step, and draws that.

    $ python3 teach_sudoku.py step.svg
    a hard puzzle of 59 steps, rated 4.4
    r1c1 and r9c7 have the candidates 4 and 9 only. In row 4, 4 goes in r4c1 and r4c7, so they cannot both hold 4: one of them holds 9, and 9 can be struck from r1c7.
    wrote step.svg
"""
import sys

import holos

v = holos.open("sudoku")
puzzle = next(v.generate(1, difficulty="hard", seed=7))
print(f"a {puzzle.rating.level} puzzle of {puzzle.rating.steps} steps, rated {puzzle.rating.rating}")
with v.logic(puzzle.position) as logic:
    while True:
        step = logic.find()
        if step.technique == puzzle.rating.hardest:
            break
        logic.apply(step)
    print(step.explanation)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(logic.position.picture(step))
print("wrote", sys.argv[1])
