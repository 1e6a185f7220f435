# SPDX-License-Identifier: MIT
"""Games in Python, and the engines that take them."""
import gc
import threading

from here import check, equal, holos, main, program, raises, test


class Nim(holos.Game):
    """Nim as the library's own, but in Python, with numbers for retrograde analysis."""

    name, variant, title = "heaps", "345", "Heaps"
    heaps = (3, 4, 5)
    most_moves, most_unmoves = 12, 12

    def start(self):
        return (self.heaps, 0)

    def side(self, p):
        return p[1]

    def terminal(self, p):
        return -1 if sum(p[0]) == 0 else None

    def moves(self, p):
        return [(heap, count) for heap, size in enumerate(p[0]) for count in range(1, size + 1)]

    def play(self, p, m):
        return (tuple(size - m[1] * (heap == m[0]) for heap, size in enumerate(p[0])), 1 - p[1])

    def unmoves(self, p):
        for heap, size in enumerate(p[0]):
            for before in range(size + 1, self.heaps[heap] + 1):
                yield (p[0][:heap] + (before,) + p[0][heap + 1:], 1 - p[1])

    def canonical(self, p):
        return (p[0], 0)

    def format(self, p):
        return ",".join(map(str, p[0])) + f" {p[1] + 1}"

    def parse(self, text):
        try:
            heaps, side = text.split()
            p = (tuple(map(int, heaps.split(","))), int(side) - 1)
        except ValueError:
            raise ValueError("expected the heaps and who is to move: 3,4,5 1") from None
        if len(p[0]) != 3 or p[1] not in (0, 1) or any(not 0 <= s <= m for s, m in zip(p[0], self.heaps)):
            raise ValueError("a heap is too large")
        return p

    def format_move(self, p, m):
        return f"{m[0] + 1}-{m[1]}"

    tiers = [[(x, y, z) for x in range(4) for y in range(5) for z in range(6) if x + y + z == tier] for tier in range(13)]

    def tier_sizes(self):
        return [len(tier) for tier in self.tiers]

    def rank(self, p):
        return sum(p[0]), self.tiers[sum(p[0])].index(p[0])

    def unrank(self, tier, index):
        return (self.tiers[tier][index], 0)


class Broken(Nim):
    """Fails at its n-th move."""

    def __init__(self, at):
        self.at, self.played = at, 0

    def play(self, p, m):
        self.played += 1
        if self.played == self.at:
            raise RuntimeError(f"move {self.at}")
        return super().play(p, m)


@test
def it_is_solved_as_the_built_in_game_is():
    holos.check_game(Nim())
    v, nim = holos.open(Nim()), holos.open("nim:3,4,5")
    equal((v.name, v.game.title), ("heaps:345", "Heaps"))
    for engine in ("alphabeta", "proof", "wave"):
        with v.solver(engine=engine, moves=True) as own, nim.solver(engine=engine, moves=True) as built_in:
            for text in ("3,4,5 1", "1,2,3 2", "0,4,4 1", "2,0,0 2", "0,0,0 1"):
                a, b = own.solve(text), built_in.solve(text)
                equal((a.value.lo, a.value.hi, a.outcome, [(m.move, m.value.lo) for m in a.moves], a.engine),
                      (b.value.lo, b.value.hi, b.outcome, [(m.move, m.value.lo) for m in b.moves], b.engine), engine, text)
    equal(v.solve("1,2,2 1", engine="retrograde").value.score, nim.solve("1,2,2 1").value.score)
    said = program("solve", "nim:3,4,5", "3,4,5 1", "--json", "--pv").json[0]
    r = v.solve("3,4,5 1", line=True)
    equal((r.value.score, r.value.distance, len(r.line)), (said["lo"], said["distance"], len(said["pv"])))


@test
def it_is_played_and_explored():
    v = holos.open(Nim())
    moves, score = holos.play_game(v.contestant("alphabeta"), v.contestant("random"), seed=5)
    check(moves and score == 1, moves, score)
    with v.player() as player:
        equal(player.choose("start").grounds, "best")
    with v.wave() as wave:
        wave.add("start")
        check(wave.run() and wave.query("start").score == 1)
    equal(v.object("start"), ((3, 4, 5), 0))
    equal(str(v.position(((1, 1, 0), 1))), "1,1,0 2")
    equal(v.start().moves()[:2], ["1-1", "1-2"])
    check(v.tactic().depth >= 1)


@test
def what_cannot_be_is_said():
    v = holos.open(Nim())
    problem = raises(holos.Error, v.position, "9,9,9 1")
    equal((problem.status, problem.message), ("bad-position", "a heap is too large"))
    equal(v.solve("1,1,1 1").value.score, 1)  # a bad position does no harm
    equal(raises(holos.Error, v.job("wave", "start").variant.wave().save, "never").status, "unsupported")
    equal(raises(holos.Error, v.job, "wave", "start", store="file:never").status, "unsupported")
    for change in ({"name": "Nim"}, {"name": "nim"}, {"most_moves": 0}, {"score_min": 5}):
        wrong = type("Wrong", (Nim,), change)
        equal(raises(holos.Error, holos.open, wrong()).status, "usage")
    few = type("Few", (Nim,), {"most_moves": 3})
    check("most_moves" in str(raises(ValueError, holos.open(few()).solve)))
    high = type("High", (Nim,), {"terminal": lambda self, p: 7})
    check("range of scores" in str(raises(holos.Error, holos.open(high()).solve)))
    raises(ValueError, holos.check_game, type("Same", (Nim,), {"format_move": lambda self, p, m: "x"})())


@test
def an_exception_stops_the_work_and_goes_on():
    works = [lambda v: v.solve(moves=True, line=True), lambda v: v.solve(engine="proof"), lambda v: v.solve(engine="wave"),
             lambda v: v.solve("1,2,2 1", engine="retrograde"), lambda v: v.player().choose("start"),
             lambda v: v.start().moves(), lambda v: v.tactic(), lambda v: v.job("wave", "start", threads=1).run()]
    for work in works:
        for at in (1, 2, 7, 40):
            v = holos.open(Broken(at))
            try:
                work(v)
                check(v.own.played < at, "it failed, and nobody noticed")
            except RuntimeError as problem:
                equal(str(problem), f"move {at}")
                check("open it again" in str(raises(holos.Error, v.solve)))


@test
def other_threads_may_solve():
    results = []

    def work():
        results.append(holos.open(Nim()).solve("3,4,5 1").value.score)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    equal(results, [1, 1, 1])


@test
def nothing_is_left_behind():
    import weakref
    v = holos.open(Nim())
    v.solve("1,1,1 1")
    gone = weakref.ref(v.own)
    del v
    gc.collect()
    check(gone() is None)


class Walk(holos.Game):
    """A token on a ring of 12, moved by one or by four in turn; 0 is lost, and it can go round and round."""

    name, cyclic, most_moves, most_unmoves = "ring", True, 2, 2

    def start(self):
        return (5, 0)

    def side(self, p):
        return p[1]

    def terminal(self, p):
        return -1 if p[0] == 0 else None

    def moves(self, p):
        return [1, 4]

    def play(self, p, m):
        return ((p[0] + m) % 12, 1 - p[1])

    def unmoves(self, p):
        return [q for q in (((p[0] - m) % 12, 1 - p[1]) for m in (1, 4)) if q[0] != 0]

    def canonical(self, p):
        return (p[0], 0)

    def parse(self, text):
        return (int(text), 0)

    def format(self, p):
        return str(p[0])

    def tier_sizes(self):
        return [12]

    def rank(self, p):
        return 0, p[0]

    def unrank(self, tier, index):
        return (index, 0)


@test
def games_that_repeat_positions_are_solved():
    v = holos.open(Walk())
    values = {str(n): v.solve(str(n), engine="retrograde").value.score for n in range(12)}
    equal(values["0"], -1)
    for n in range(1, 12):  # each value follows from those of its moves
        best = max(-values[str((n + m) % 12)] for m in (1, 4))
        equal(values[str(n)], best, n, values)
        r = v.solve(str(n), engine="proof", nodes=100000)
        check(r.value.lo <= values[str(n)] <= r.value.hi, n, r.value)


main()
