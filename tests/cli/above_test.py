#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches above the tables of chess, on the command line."""

import json
import os
import tempfile

from tap import holos as run
from tap import main, test

PLACE = tempfile.TemporaryDirectory()
THREE = os.path.join(PLACE.name, "three")
KNIGHT = "7k/1n6/8/8/8/8/8/K3Q3 w - -"


def holos(*arguments, status=0):
    result = run(*arguments)
    assert result.status == status, f"{arguments}: {result}"
    return result


def answer(*arguments, **more):
    return json.loads(holos(*arguments, "--json", **more).out)


@test
def a_search_goes_down_to_the_tables():
    holos("build", "chess", "--pieces", "3", "--store", "file:" + THREE)
    for engine in ("proof", "wave"):
        found = answer("solve", "chess", KNIGHT, "--tables", THREE, "--engine", engine)
        assert (found["lo"], found["hi"], found["engine"]) == (2, 2, engine), found
        if engine == "proof":
            assert found["best"] == ["Qh1+"]
    pawn = answer("solve", "chess", "4k3/8/8/8/8/8/4P3/4K3 w - -", "--engine", "region", "--moves", "--pv")
    assert (pawn["lo"], pawn["hi"], pawn["best"], pawn["pv"][-1]) == (2, 2, ["Kd2", "Kf2"], "Qa2#"), pawn
    assert {m["move"]: m["lo"] for m in pawn["moves"]}["e4"] == 0, pawn
    assert answer("solve", "chess", KNIGHT, "--tables", THREE)["engine"] == "proof"
    assert answer("solve", "chess", "1. f3 e5 2. g4")["engine"] == "deepening"


@test
def a_limit_leaves_an_interval():
    hard = "8/8/8/3k4/8/8/1r6/K3Q3 b - -"
    found = answer("solve", "chess", hard, "--tables", THREE, "--engine", "proof", "--nodes", "2000", status=4)
    assert found["status"] == "bounded" and found["lo"] == -2 and found["nodes"] <= 2001, found
    found = answer("solve", "chess", hard, "--tables", THREE, "--engine", "region", "--time", "0.01", status=4)
    assert found["status"] == "bounded" and (found["lo"], found["hi"]) == (-2, 2), found
    small = holos("solve", "chess", hard, "--tables", THREE, "--engine", "region", "--mem", "4M", status=4)
    assert "a region needs" in small.out + small.err, small


@test
def a_material_is_explored_whole():
    found = answer("explore", "chess", "KPvK", "--tables", THREE)
    assert found["kinds"] == [], "the tables know it"
    found = answer("explore", "chess", "KPvK", "--threads", "2")
    counts = {k["kind"]: (k["wins"], k["draws"], k["losses"], k["open"]) for k in found["kinds"]}
    assert counts["KPvK"] == (62480, 19184 + 35210, 48802, 0), counts
    assert counts["KQvK"] == (18081, 2896, 25160, 0), counts
    assert "leave out --store" in holos("explore", "chess", "KPvK", "--store", "file:x", status=2).err
    large = holos("explore", "chess", "KRvKN", "--tables", THREE, "--mem", "1M", status=4)
    assert "needs" in large.err and "limit 1.0 MiB" in large.err, large
    plan = answer("explore", "chess", "KRvKN", "--tables", THREE, "--estimate")
    assert plan["kinds"] == 1 and plan["memory"] > 1 << 20, plan
    assert "both sides have pawns" in holos("explore", "chess", "KPvKP", "--tables", THREE, status=2).err


@test
def materials_are_listed_with_what_is_missing():
    found = answer("explore", "chess", "KQRRvKQRR", "--kinds", "--tables", THREE)
    assert found["known"] == ["KRvK", "KQvK"] and "KQRRvKQR" in found["unknown"], found
    assert len(found["unknown"]) == 17 and "KQRRvKQRP" in found["parents"], found
    assert answer("explore", "chess", "KRvKQ", "--kinds")["kind"] == "KQvKR"
    assert "--kinds needs a kind" in holos("explore", "chess", "start", "--kinds", status=2).err
    above = holos("solve", "chess", "1k2r3/8/2q5/8/8/8/1R1R4/K2Q2r1 b - -", "--tables", THREE, "--nodes", "100", status=4)
    assert "tables go up to 7 pieces, here are 8; missing below it" in above.out, above
    assert "KRRvK.rtbw" in above.out and "explore --kinds" in above.out, above


@test
def positions_of_a_material_are_made_at_random():
    first = holos("generate", "chess", "KQRvKQ", "--count", "5", "--seed", "4").out.splitlines()
    assert len(set(first)) == 5
    assert holos("generate", "chess", "KQRvKQ", "--count", "5", "--seed", "4").out.splitlines() == first
    for fen in first:
        assert sorted(c for c in fen.split()[0].upper() if c.isalpha()) == sorted("KQRKQ"), fen
    eight = answer("generate", "chess", "KQRRvKQRR")
    assert eight["kind"] == "KQRRvKQRR" and eight["number"] == 1
    assert "a material is written KQvKR" in holos("generate", "chess", "KQX", status=2).err
    assert "have no kinds to choose from" in holos("generate", "sudoku", "KQvK", status=2).err


if __name__ == "__main__":
    main()
