# SPDX-License-Identifier: MIT
"""reversi: values, values of moves, lines and outcomes, on every size, against a plain search that shares no code."""
import os
import random
import tempfile

from tap import Skip, check, equal, holos, main, test

AROUND = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


class Board:
    """A position: who is on each cell ('X', 'O' or '-'), and whose turn it is."""

    def __init__(self, size, cells=None, turn="X"):
        self.size, self.turn = size, turn
        self.cells = cells or ["-"] * (size * size)
        if cells is None:
            half = size // 2
            for row, col, disc in ((half - 1, half - 1, "O"), (half - 1, half, "X"), (half, half - 1, "X"), (half, half, "O")):
                self.cells[row * size + col] = disc

    @property
    def other(self):
        return "O" if self.turn == "X" else "X"

    def turned(self, cell):
        """The discs that a move there turns."""
        if self.cells[cell] != "-":
            return []
        size, found = self.size, []
        for rows, cols in AROUND:
            row, col, run = cell // size + rows, cell % size + cols, []
            while 0 <= row < size and 0 <= col < size and self.cells[row * size + col] == self.other:
                run.append(row * size + col)
                row, col = row + rows, col + cols
            if 0 <= row < size and 0 <= col < size and self.cells[row * size + col] == self.turn:
                found += run
        return found

    def moves(self):
        return [cell for cell in range(self.size ** 2) if self.turned(cell)]

    def passed(self):
        return Board(self.size, list(self.cells), self.other)

    def after(self, cell):
        cells = list(self.cells)
        for disc in [cell, *self.turned(cell)]:
            cells[disc] = self.turn
        return Board(self.size, cells, self.other)

    def play(self, name):
        return self.passed() if name == "pass" else self.after("abcdefgh".index(name[0]) + (int(name[1]) - 1) * self.size)

    def over(self):
        return not self.moves() and not self.passed().moves()

    def score(self):
        """At the end, for who is to move: empty cells go to the winner."""
        mine, theirs = self.cells.count(self.turn), self.cells.count(self.other)
        empty = self.cells.count("-")
        return mine - theirs + (empty if mine > theirs else -empty if mine < theirs else 0)

    def value(self, low=-64, high=64):
        moves = self.moves()
        if not moves:
            return self.score() if self.over() else -self.passed().value(-high, -low)
        for cell in moves:
            low = max(low, -self.after(cell).value(-high, -low))
            if low >= high:
                break
        return low

    def name(self, cell):
        return "abcdefgh"[cell % self.size] + str(cell // self.size + 1)

    def choices(self):
        """The moves by name, with their values."""
        if not self.moves():
            return {"pass": -self.passed().value()}
        return {self.name(cell): -self.after(cell).value() for cell in self.moves()}

    def text(self):
        return "".join(self.cells) + " " + self.turn


def random_boards(size, empty, count, seed):
    """Positions that random games come to, with so many empty cells."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        board = Board(size)
        while board.cells.count("-") > empty and not board.over():
            moves = board.moves()
            board = board.after(chance.choice(moves)) if moves else board.passed()
        if not board.over():
            found.append(board)
    return found


def sign(value):
    return (value > 0) - (value < 0)


CASES = [(4, 8, 12), (6, 6, 12), (8, 6, 12)]


def ask(boards, *options):
    size = boards[0].size
    result = holos("solve", f"reversi:{size}", "--json", *options, stdin="".join(b.text() + "\n" for b in boards))
    equal(result.status, 0, result)
    equal(len(result.json), len(boards))
    return zip(boards, result.json)


@test
def every_move_has_its_value():
    for size, empty, count in CASES:
        for options in ((), ("--no-hot",), ("--evaluation", "none"), ("--threads", "2")):
            for board, answer in ask(random_boards(size, empty, count, size), "--moves", *options):
                choices = board.choices()
                equal({m["move"]: (m["lo"], m["hi"]) for m in answer["moves"]}, {m: (v, v) for m, v in choices.items()}, board.text())
                equal((answer["lo"], answer["hi"]), (max(choices.values()),) * 2, board.text(), options)
                equal(set(answer["best"]), {m for m, v in choices.items() if v == answer["lo"]}, board.text(), options)


@test
def a_line_of_best_play_ends_the_game_with_the_score():
    for size, empty, count in CASES:
        for board, answer in ask(random_boards(size, empty, count, size + 10), "--pv"):
            end, turn = board, 1
            for name in answer["pv"]:
                check(name == "pass" or name in [end.name(c) for c in end.moves()], name, board.text(), answer)
                end, turn = end.play(name), -turn
            check(end.over(), board.text(), answer)
            equal(turn * end.score(), answer["lo"], board.text(), answer)


@test
def the_outcome_alone_is_right_too():
    for size, empty, count in CASES:
        for board, answer in ask(random_boards(size, empty, count, size + 20), "--weak", "--moves"):
            choices = board.choices()
            value = max(choices.values())
            equal(answer["outcome"], {1: "win", 0: "draw", -1: "loss"}[sign(value)], board.text())
            check(answer["lo"] <= value <= answer["hi"], board.text(), answer)
            check(answer["best"] and all(sign(choices[m]) == sign(value) for m in answer["best"]), board.text(), answer)
            for move in answer["moves"]:
                check(move["lo"] <= choices[move["move"]] <= move["hi"], board.text(), move)


# 6x6 after eight moves: about twelve million nodes.
SIX = "c2b2b3d2e2e4e5f6"


@test
def a_search_of_6x6_goes_on_where_it_was_stopped():
    whole = holos("solve", "reversi:6", SIX, "--json").json[0]
    equal(whole["status"], "solved")
    with tempfile.TemporaryDirectory() as folder:
        path, steps, nodes = os.path.join(folder, "six"), 0, 0
        status = 4
        while status == 4:
            result = holos("solve", "reversi:6", SIX, "--json", "--checkpoint", path, "--resume", "--nodes", str(whole["nodes"] // 4))
            status, answer = result.status, result.json[0]
            check(answer["lo"] <= whole["lo"] <= answer["hi"], answer)
            steps, nodes = steps + 1, nodes + answer["nodes"]
            check(steps < 20, "it gets nowhere", answer)
        equal(status, 0, result)
        equal((answer["lo"], answer["hi"], answer["best"]), (whole["lo"], whole["hi"], whole["best"]))
        check(steps > 2 and nodes < 2 * whole["nodes"], steps, nodes, whole)


@test
def six_by_six_from_the_start_is_a_loss_by_four():
    if not os.environ.get("HOLOS_LONG_TESTS"):
        raise Skip("takes half a minute of processor time; HOLOS_LONG_TESTS=1 runs it")
    with tempfile.TemporaryDirectory() as folder:
        path, status, steps = os.path.join(folder, "six"), 4, 0
        while status == 4:
            result = holos("solve", "reversi:6", "start", "--json", "--checkpoint", path, "--resume", "--nodes", "80M")
            status, steps = result.status, steps + 1
        equal(status, 0, result)
        equal((result.json[0]["lo"], result.json[0]["hi"]), (-4, -4))
        check(steps > 2, steps)


main()
