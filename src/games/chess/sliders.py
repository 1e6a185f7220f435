# SPDX-License-Identifier: MIT
"""Writes the tables of sliders.h: what rooks and bishops see, for every square and every set of blockers.

    sliders.py OUTPUT.c
"""

import sys

DIRECTIONS = {
    "rook": ((1, 0), (-1, 0), (0, 1), (0, -1)),
    "bishop": ((1, 1), (1, -1), (-1, 1), (-1, -1)),
}


def rays(square, directions):
    """The squares seen in each direction on an empty board, nearest first."""
    for rank_step, file_step in directions:
        rank, file, ray = square // 8 + rank_step, square % 8 + file_step, []
        while 0 <= rank < 8 and 0 <= file < 8:
            ray.append(8 * rank + file)
            rank, file = rank + rank_step, file + file_step
        yield ray


def seen_along(ray, bit_of_line, inner):
    """For every set of blockers on one ray: which index bits they are, and which bits of the lines are seen."""
    bits = [bit_of_line[square] for square in ray]
    blockers = [inner.index(square) for square in ray[:-1]]
    for choice in range(1 << len(blockers)):
        index = sum(1 << bit for i, bit in enumerate(blockers) if choice >> i & 1)
        nearest = next((i for i in range(len(blockers)) if choice >> i & 1), len(ray) - 1)
        yield index, sum(1 << bit for bit in bits[: nearest + 1])


def table(square, directions):
    """The lines, their inner squares, and what is seen for each set of blockers."""
    all_rays = [ray for ray in rays(square, directions) if ray]
    lines = sorted(s for ray in all_rays for s in ray)
    inner = sorted(s for ray in all_rays for s in ray[:-1])
    bit_of_line = {s: i for i, s in enumerate(lines)}
    seen = [(0, 0)]
    for ray in all_rays:
        part = list(seen_along(ray, bit_of_line, inner))
        seen = [(i | j, a | b) for i, a in seen for j, b in part]
    return lines, inner, [attacks for _, attacks in sorted(seen)]


def as_set(squares):
    return f"UINT64_C(0x{sum(1 << s for s in squares):016X})"


def write(out, name, directions):
    seen, rows = [], []
    for square in range(64):
        lines, inner, attacks = table(square, directions)
        rows.append(f"    {{{as_set(lines)}, {as_set(inner)}, {name}_seen + {len(seen)}}},")
        seen += attacks
    out.write(f"static const uint16_t {name}_seen[{len(seen)}] = {{\n")
    for i in range(0, len(seen), 16):
        out.write("    " + " ".join(f"{value}," for value in seen[i : i + 16]) + "\n")
    out.write(f"}};\n\nconst chess_slider chess_{name}_sliders[64] = {{\n" + "\n".join(rows) + "\n};\n\n")


def main():
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write("/* Made by sliders.py. */\n\n#define CHESS_PEXT\n#include \"games/chess/bitboard.h\"\n\n")
        for name, directions in DIRECTIONS.items():
            write(out, name, directions)


if __name__ == "__main__":
    main()
