# SPDX-License-Identifier: MIT
"""A game of one's own: tic-tac-toe in five methods, solved, explored by a wave, and played.

    $ python3 own_game.py
    170 positions looked at, all in order
    alphabeta: draw, best play 1 5 2 3 7 4 6 8 9
    a wave reached 5478 positions, and the start is worth 0
    alphabeta against chance: won, won, won
"""
import holos

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class TicTacToe(holos.Game):
    name = "tictactoe"
    most_moves = 9

    def start(self):
        return "." * 9

    def side(self, cells):
        return (9 - cells.count(".")) % 2

    def terminal(self, cells):
        if any(cells[a] != "." and cells[a] == cells[b] == cells[c] for a, b, c in ROWS):
            return -1  # the other side has just made three in a row
        return None if "." in cells else 0

    def moves(self, cells):
        return [i for i in range(9) if cells[i] == "."]

    def play(self, cells, i):
        return cells[:i] + "xo"[self.side(cells)] + cells[i + 1:]

    def format_move(self, cells, i):
        return str(i + 1)


print(holos.check_game(TicTacToe()), "positions looked at, all in order")
v = holos.open(TicTacToe())
r = v.solve(line=True)
print(f"{r.engine}: {r.outcome}, best play {' '.join(r.line)}")
with v.wave() as wave:
    wave.add("start")
    wave.run()
    print(f"a wave reached {wave.statistics.positions} positions, and the start is worth {wave.query('start').score}")
with v.contestant("alphabeta") as engine, v.contestant("random") as chance:
    results = [holos.play_game(engine, chance, seed=seed)[1] for seed in (1, 2, 3)]
print("alphabeta against chance:", ", ".join({1: "won", 0: "drew", -1: "lost"}[score] for score in results))
