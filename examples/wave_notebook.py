# SPDX-License-Identifier: MIT
"""A notebook in a script: editors that know `# %%` run it cell by cell, and Python runs it as a whole.

How does a wave grow, and how soon is something solved? The answer is a plot: by matplotlib if it is installed, otherwise by a few lines
of SVG.

    $ python3 wave_notebook.py layers.svg
    9 layers, 4603 positions
    1082 of 6072 positions have an exact value
    wrote layers.svg
"""

# %% The game and the wave
import sys

import holos

v = holos.open("connect4:4x4")
out = sys.argv[1] if len(sys.argv) > 1 else "layers.svg"

# %% Run it a little at a time, and look after each time
steps = []
with v.wave(forward_depth=8, nodes=100) as wave:
    wave.add("start")
    finished = False
    while not finished:
        finished = wave.run("wave")
        steps.append((wave.statistics.positions, wave.statistics.solved))
    layers = [layer.positions for layer in wave.layers()]
print(f"{len(layers)} layers, {sum(layers)} positions")
print(f"{steps[-1][1]} of {steps[-1][0]} positions have an exact value")


# %% Two ways to draw bars
def with_matplotlib(values, title, path):
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot
    pyplot.bar(range(len(values)), values)
    pyplot.title(title)
    pyplot.xlabel("depth")
    pyplot.savefig(path)


def with_svg(values, title, path):
    most, bars = max(values), []
    for depth, value in enumerate(values):
        height = 200 * value / most
        bars.append(f'<rect x="{20 + 40 * depth}" y="{230 - height:.1f}" width="30" height="{height:.1f}" fill="#4878a8"/>'
                    f'<text x="{35 + 40 * depth}" y="248" text-anchor="middle">{depth}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'<svg xmlns="http://www.w3.org/2000/svg" width="{40 + 40 * len(values)}" height="260" font-family="sans-serif" '
                   f'font-size="12"><text x="20" y="16">{title}</text>{"".join(bars)}</svg>\n')


# %% Draw
title = f"{v.name}: positions first reached at each depth"
try:
    with_matplotlib(layers, title, out)
except ImportError:
    with_svg(layers, title, out)
print("wrote", out)
