#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tables of chess endings: made, resumed, asked, and read by another program."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from tap import PROGRAM, Skip, main, test
from tap import holos as run

STOCKFISH = shutil.which("stockfish") or ("/usr/games/stockfish" if os.path.exists("/usr/games/stockfish") else None)
KQVKR = "8/8/8/3k4/8/8/1r6/K3Q3 w - - 0 1"


PLACE = tempfile.TemporaryDirectory()
FOLDER = os.path.join(PLACE.name, "tables")


def holos(*arguments, status=0):
    result = run(*arguments)
    assert result.status == status, f"{arguments}: {result}"
    return result


@test
def build_counts_as_published():
    done = holos("build", "chess", "KQvK", "--store", "file:" + FOLDER, "--json")
    table = json.loads(done.out)["tables"][-1]
    assert table["table"] == "KQvK"
    assert table["white"] == {"win": 18081, "cursed": 0, "draw": 0, "blessed": 0, "loss": 0}
    assert table["black"] == {"win": 0, "cursed": 0, "draw": 2896, "blessed": 0, "loss": 25160}
    assert (table["dtz"], table["dtm"]) == (20, 10)
    assert sorted(os.listdir(FOLDER)) == ["KQvK.hdtm", "KQvK.rtbw", "KQvK.rtbz", "build.json"]
    longest = json.loads(holos("solve", "chess", table["longest"], "--tables", FOLDER, "--json").out)
    assert (longest["outcome"], longest["distance"]) == ("win", 19), longest


@test
def a_folder_gets_what_is_missing():
    before = os.stat(os.path.join(FOLDER, "KQvK.rtbw")).st_mtime_ns
    holos("build", "chess", "KQvKR", "--store", "file:" + FOLDER)
    assert os.stat(os.path.join(FOLDER, "KQvK.rtbw")).st_mtime_ns == before
    assert os.path.exists(os.path.join(FOLDER, "KQvKR.rtbz"))


@test
def empty_and_damaged_tables_are_made_again():
    path = os.path.join(FOLDER, "KRvK.rtbz")
    with open(path, "rb") as file:
        whole = file.read()
    for hurt in (b"", whole[:len(whole) // 2], whole[:200] + bytes([whole[200] ^ 1]) + whole[201:]):
        with open(path, "wb") as file:
            file.write(hurt)
        holos("build", "chess", "KRvK", "--store", "file:" + FOLDER, "--resume")
        with open(path, "rb") as file:
            assert file.read() == whole


@test
def killed_work_goes_on_to_the_same_bytes():
    other = FOLDER + "-killed"
    command = [PROGRAM, "build", "chess", "KQvKR", "--store", "file:" + other]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while process.poll() is None and not os.path.exists(os.path.join(other, "KRvK.rtbw")):
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    holos(*command[1:], "--resume")
    for name in ("KQvK", "KRvK", "KQvKR"):
        for kind in (".rtbw", ".rtbz", ".hdtm"):
            with open(os.path.join(FOLDER, name + kind), "rb") as a, open(os.path.join(other, name + kind), "rb") as b:
                assert a.read() == b.read(), name + kind
    shutil.rmtree(other)


@test
def memory_is_checked_before_the_start():
    done = holos("build", "chess", "KRBvKR", "--store", "file:" + FOLDER + "-none", "--mem", "64M", status=4)
    assert "needs" in done.err and "64.0 MiB" in done.err
    estimate = json.loads(holos("build", "chess", "KRBvKR", "--estimate", "--json").out)
    assert estimate["memory"] > 1 << 30 and estimate["tables"] == 6


@test
def wrong_materials_are_refused():
    assert "'X'" in holos("build", "chess", "KXvK", status=2).err
    assert "up to 5 pieces" in holos("build", "chess", "KQRvKQR", status=2).err
    assert "--pieces" in holos("build", "chess", status=2).err


@test
def solve_tells_distances_of_every_move():
    answer = json.loads(holos("solve", "chess", "--tables", FOLDER, "--moves", "--pv", "--json", KQVKR).out)
    assert (answer["lo"], answer["outcome"], answer["dtz"], answer["dtm"]) == (2, "win", 1, 15)
    assert answer["pv"][0] == "Kxb2" and len(answer["pv"]) == 15
    moves = {move["move"]: move for move in answer["moves"]}
    assert (moves["Qe4+"]["lo"], moves["Qe4+"]["outcome"]) == (0, "draw")
    assert (moves["Qd2+"]["lo"], moves["Qd2+"]["dtm"], moves["Qd2+"]["dtz"]) == (-2, -12, -2)
    words = holos("solve", "chess", "--tables", FOLDER, "--moves", KQVKR).out
    for group in ("  wins:\n", "  draws:\n", "  losses:\n", "DTM 15 plies (mate in 8 moves), DTZ 1 ply"):
        assert group in words, group


@test
def missing_tables_are_named():
    done = run("solve", "chess", "--tables", FOLDER, "--time", "0.1", "7k/1n6/8/8/8/8/8/K3Q3 w - - 0 1")
    assert "missing tables: KNvK.rtbw, KQvKN.rtbw" in done.out, done.out


def stockfish(folder, fen):
    """What Stockfish says of a position at once: its last score, tables found, and whether it used them."""
    process = subprocess.Popen([STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write(f"setoption name SyzygyPath value {folder}\nisready\nposition fen {fen}\ngo depth 1\n")
    process.stdin.flush()
    found, last = "", ""
    for line in process.stdout:
        found = line if "Found" in line else found
        last = line.split() if " score " in line else last
        if line.startswith("bestmove"):
            break
    process.communicate("quit\n")
    score = int(last[last.index("score") + 2]) if last[last.index("score") + 1] == "cp" else 0
    return found, score, int(last[last.index("tbhits") + 1]), line.split()[1]


@test
def stockfish_reads_our_tables():
    if STOCKFISH is None:
        raise Skip("Stockfish is not installed")
    for fen in (KQVKR, "8/8/8/3k4/7r/8/1Q6/K7 b - - 0 1", "8/8/3k4/8/3r4/8/1Q6/K7 w - - 0 1",
                "8/8/8/8/8/2k5/3r4/K3Q3 w - - 0 1", "7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "8/8/4k3/8/8/8/1Q6/K7 w - - 0 1"):
        answer = json.loads(holos("solve", "chess", "--tables", FOLDER, "--json", fen).out)
        if answer["dtm"] is None or not answer["best"]:
            continue
        found, score, hits, _ = stockfish(FOLDER, fen)
        assert "Found 3 " in found, found
        expected = answer["lo"]
        assert hits > 0, fen
        assert (score > 5000) == (expected == 2) and (score < -5000) == (expected == -2), (fen, score, expected)


main()
