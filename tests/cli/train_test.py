# SPDX-License-Identifier: MIT
"""holos train: killed at any moment it goes on, and ends with the same weights, bit for bit."""
import hashlib
import json
import math
import os
import random
import shutil
import tempfile
import time

from tap import check, equal, holos, main, start, test

LONG = os.environ.get("HOLOS_LONG_TESTS", "0") not in ("", "0")
SMALL = ["--iterations", "6", "--games-per-iteration", "20", "--simulations", "8", "--channels", "16", "--blocks", "1", "--batch", "32",
         "--min-buffer", "60", "--buffer", "300", "--rating-every", "3", "--rating-pairs", "2", "--exact-tree", "2", "--exact-root", "3",
         "--opening", "2", "--seed", "7"]


class Folder:
    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return lambda name: os.path.join(self.path, name)

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def digest(path):
    return hashlib.sha256(read(path)).hexdigest()


def train(game, folder, *options):
    return holos("train", game, "--store", "file:" + folder, *options)


@test
def a_training_that_is_killed_ends_with_the_same_weights():
    chance = random.Random(3)
    with Folder() as folder:
        whole = train("reversi:4", folder("whole"), *SMALL, "--threads", "1")
        equal(whole.status, 0, whole)
        killed, tries = 0, 0
        while killed < (20 if LONG else 4):
            how = ["--resume"] if os.path.exists(folder("killed/checkpoint")) else SMALL
            process = start("train", "reversi:4", "--store", "file:" + folder("killed"), "--threads", str(1 + killed % 2), *how)
            time.sleep(chance.uniform(0, 0.4))
            process.kill()
            process.communicate()
            killed += process.returncode < 0
            tries += 1
            if process.returncode == 0 and LONG and tries < 200:  # it ended before: once more from the beginning
                shutil.rmtree(folder("killed"))
            elif process.returncode == 0:
                break
        if os.path.exists(folder("killed/checkpoint")):
            last = train("reversi:4", folder("killed"), "--resume")
        else:
            last = train("reversi:4", folder("killed"), *SMALL)
        equal(last.status, 0, last)
        equal(digest(folder("killed/network.net")), digest(folder("whole/network.net")))


@test
def threads_do_not_change_the_weights():
    with Folder() as folder:
        for game in ("connect4:4x4", "kalah:3,2"):
            one, two = folder(game + "1"), folder(game + "2")
            for path, threads in ((one, "1"), (two, "3")):
                result = train(game, path, *SMALL, "--threads", threads)
                equal(result.status, 0, result)
            equal(digest(one + "/network.net"), digest(two + "/network.net"))


@test
def a_training_learns_and_keeps_a_record():
    with Folder() as folder:
        result = train("reversi:4", folder("t"), *SMALL, "--iterations", "20", "--rating-every", "0", "--json")
        if result.status == 2:  # an option may stand only once
            options = [*SMALL]
            options[1] = "20"
            result = train("reversi:4", folder("t"), *options, "--json")
        equal(result.status, 0, result)
        report = result.json[0]
        rows = [r for r in report["log"] if r["steps"] > 0]
        equal(report["iterations"], 20)
        check(rows[-1]["policy_loss"] < 0.8 * rows[0]["policy_loss"], rows[0], rows[-1])
        with open(folder("t/train.json"), encoding="utf-8") as f:
            equal(json.load(f)["log"], report["log"])
        check(read(folder("t/training.svg")).startswith(b"<svg"))


@test
def a_network_plays_and_proves():
    with Folder() as folder:
        equal(train("reversi:4", folder("t"), *SMALL).status, 0)
        zeno = ["--engine", "zeno", "--network", folder("t/network.net")]
        solved = holos("solve", "reversi:4", "--weak", "start", "--json", *zeno)
        answer = solved.json[0]
        check(answer["hi"] < 0 and answer["source"] == "search", solved)  # the first player loses
        # Before anything is proved there is a guess, and it says so.
        guessed = holos("solve", "reversi:4", "start", "--json", "--nodes", "5", "--layers", "none", *zeno).json[0]
        if guessed["lo"] == -16 and guessed["hi"] == 16:
            equal(guessed["guess"]["by"], "network")
            equal(guessed["source"], "none")
        played = holos("play", "reversi:4", "--side", "none", *zeno)
        equal(played.status, 0, played)
        check("The game is over" in played.out, played)
        for words, said in ((["--layers", "tactics,spells"], 'unknown layer "spells"'), (["--network", "/nowhere"], "/nowhere is not there")):
            result = holos("solve", "reversi:4", "start", *zeno[:2], *words, *(zeno[2:] if "--layers" in words else []))
            equal(result.status, 2, result)
            check(said in result.err + result.out, result)
        wrong = holos("solve", "reversi:6", "start", *zeno)
        check("for reversi:4, not reversi:6" in wrong.err + wrong.out, wrong)


@test
def every_way_of_training_works():
    with Folder() as folder:
        small = ["--iterations", "2", "--games-per-iteration", "4", "--simulations", "8", "--channels", "16", "--blocks", "1", "--batch", "8",
                 "--min-buffer", "4", "--exact-root", "2", "--exact-tree", "2"]
        for number, words in enumerate((
                ["--root", "puct", "--alpha", "0.5", "--epsilon", "0.1", "--warm", "4", "--quick-simulations", "4"],
                ["--root", "gumbel", "--considered", "4", "--net", "tower", "--optimiser", "momentum", "--rate", "0.01"],
                ["--rate-half", "1", "--decay", "0.01", "--reuse", "2", "--rating-every", "1", "--rating-pairs", "1"],
                ["--calibrate-every", "1", "--drift", "0.01"])):
            # In kalah a probe of 100 simulations does not prove everything.
            result = train("kalah:4,3" if number == 3 else "reversi:4", folder(str(number)), *small, *words)
            equal(result.status, 0, words, result)
        with open(folder("3/calibrations/calibration_latest.json"), encoding="utf-8") as f:
            found = json.load(f)
        check(0 < found["thresholds"]["H_v"] <= 1 and found["positions"] > 50, found)
        check(os.path.exists(folder("3/calibrations/calibration_iter0001.json")))
        fitted = ["--engine", "zeno", "--network", folder("3/network.net"), "--layers", "stop", "--calibration"]
        unread = holos("play", "kalah:4,3", "--side", "none", *fitted[:4], "--calibration", folder("3/train.json"))
        check("nobody reads it without the layer stop" in unread.err, unread)
        played = holos("play", "kalah:4,3", "--side", "none", *fitted, folder("3/calibrations/calibration_latest.json"))
        equal(played.status, 0, played)
        refused = holos("solve", "kalah:4,3", "start", *fitted, folder("3/train.json"))
        check("is not a calibration" in refused.err + refused.out, refused)
        ended = train("reversi:4", folder("none"), *SMALL[:-4], "--exact-root", "13")
        check(ended.status == 2, ended)


@test
def an_ablation_counts_every_game_and_goes_on():
    with Folder() as folder:
        equal(train("reversi:4", folder("t"), *SMALL).status, 0)
        asked = ["ablate", "reversi:4", "--network", folder("t/network.net"), "--games", "4", "--simulations", "16", "--opening", "2",
                 "--calibrate", "20"]
        whole = holos(*asked, "--out", folder("whole"), "--json", "--threads", "1")
        equal(whole.status, 0, whole)
        rows = whole.json[0]["configurations"]
        equal(rows[0]["configuration"], "baseline")
        for row in rows:
            equal(row["games"], 4)
            equal(row["wins"] + row["draws"] + row["losses"], 4)
        equal(rows[0]["score"], 0.5)  # against itself, from the same openings with both colours
        with open(folder("whole/ablation.csv"), encoding="utf-8") as f:
            equal(len(f.readlines()), 1 + len(rows))
        with open(folder("whole/moves.csv"), encoding="utf-8") as f:
            lines = f.read().splitlines()
        check(lines[0].startswith("move_num,player,H_v,G,Var_Q,lambda_h") and len(lines) > 8, lines[:2])
        check(read(folder("whole/ablation.svg")).startswith(b"<svg"))
        chance = random.Random(1)
        for _ in range(4):
            how = ["--resume"] if os.path.exists(folder("cut/ablation")) else []
            process = start(*asked, "--out", folder("cut"), *how)
            time.sleep(chance.uniform(0, 0.2))
            process.kill()
            process.communicate()
        how = ["--resume"] if os.path.exists(folder("cut/ablation")) else []
        equal(holos(*asked, "--out", folder("cut"), *how).status, 0)
        equal(digest(folder("cut/ablation.csv")), digest(folder("whole/ablation.csv")))
        equal(digest(folder("cut/moves.csv")), digest(folder("whole/moves.csv")))
        for words, said in ((["--out", folder("whole")], "already holds an ablation"),
                            (["--out", folder("nothing"), "--resume"], "holds no ablation"),
                            (["--nodes", "3"], "--nodes"),
                            (["--out", folder("whole"), "--resume", "--simulations", "8"], "was made with another")):
            words = asked[:6] + words if "--simulations" in words else asked + words
            result = holos(*words)
            check(result.status in (2, 3) and said in result.err, words, result)
        check("needs a network" in holos("ablate", "reversi:6").err)


@test
def more_iterations_continue_a_training_that_has_ended():
    with Folder() as folder:
        options = [*SMALL]
        options[1] = "3"
        equal(train("reversi:4", folder("a"), *options).status, 0)
        equal(train("reversi:4", folder("a"), "--resume", "--iterations", "6").status, 0)
        equal(train("reversi:4", folder("b"), *SMALL).status, 0)
        equal(digest(folder("a/network.net")), digest(folder("b/network.net")))


def log_of_moves(path, count, seed):
    """A log in which much trust wins where visits have gathered (H_v below 0.5), and little trust elsewhere."""
    chance = random.Random(seed)
    with open(path, "w", encoding="ascii") as f:
        f.write("move_num,player,H_v,G,Var_Q,lambda_h,c_puct,budget,tactical,board_density,phase,win_outcome\n")
        for i in range(count):
            entropy, trust = chance.random(), chance.random()
            won = 1 if (trust > 0.5) == (entropy < 0.5) else -1
            f.write(f"{i % 60},0,{entropy:.4f},{chance.random():.4f},{chance.random() * 0.1:.4f},{trust:.4f},2,500,0,0.5,middle,{won}\n")


def learned(network, x):
    """What a learned lambda says, computed again."""
    total = network["out_bias"][0]
    for i in range(32):
        w = network["weights"][3 * i:3 * i + 3]
        total += max(0, sum(a * b for a, b in zip(w, x)) + network["bias"][i]) * network["out"][i]
    return 1 / (1 + math.exp(-total))


@test
def lambda_is_learned_from_a_log():
    with Folder() as folder:
        log_of_moves(folder("moves.csv"), 2000, 3)
        words = ("train", "reversi", "lambda", "--log", folder("moves.csv"), "--store", "file:" + folder("l"), "--json")
        found = holos(*words)
        equal(found.status, 0, found)
        report = found.json[0]
        check(report["error"] < report["formula_error"], report)
        with open(folder("l/lambda.json"), encoding="ascii") as f:
            network = json.load(f)
        check(learned(network, (0.1, 0.5, 0.05)) > 0.6 and learned(network, (0.9, 0.5, 0.05)) < 0.4, network)
        again = holos(*words)
        check(again.status == 2 and "--restart" in again.err, again)
        equal(holos(*words, "--restart").status, 0)
        with open(folder("l/lambda.json"), encoding="ascii") as f:
            equal(json.load(f), network)  # the same seed
        words = ("solve", "reversi", "f5", "--engine", "zeno", "--lambda", folder("l/lambda.json"), "--simulations", "60", "--json")
        check("nobody reads it without the layer control" in holos(*words).err)
        answer = holos(*words, "--layers", "all")
        equal(answer.status, 4, answer)
        with open(folder("bad"), "w", encoding="ascii") as f:
            f.write("H_v,G,Var_Q,lambda_h,tactical,win_outcome\n0.1,0.2,0.3,1.5,0,1\n")
        for log, said in (("bad", "line 2"), ("l/lambda.json", "no log of moves"), ("none", "none")):
            bad = holos("train", "reversi", "lambda", "--log", folder(log), "--store", "file:" + folder("x"))
            check(bad.status in (3, 5) and said in bad.err, log, bad)
        bad = holos("solve", "reversi", "f5", "--engine", "zeno", "--layers", "all", "--lambda", folder("bad"))
        check(bad.status == 3 and "not a learned lambda" in bad.err, bad)


@test
def what_cannot_be_is_refused_with_the_reason():
    with Folder() as folder:
        path = folder("t")
        options = [*SMALL]
        options[1] = "1"
        for words, status, said in (
                (["train", "sudoku", "--store", "file:" + path], 2, "sudoku has no networks"),
                (["train", "reversi:4"], 2, "--store file:DIR"),
                (["train", "reversi:4", "--store", "file:" + path, "--resume"], 2, "holds no training"),
                (["train", "reversi:4", "--store", "file:" + path, "--channels", "24"], 2, "channels 24"),
                (["train", "reversi:4", "--store", "file:" + path, "--rate", "fast"], 2, "--rate takes a number"),
                (["train", "reversi:4", "--store", "file:" + path, "--nodes", "5"], 2, "--nodes"),
                (["train", "reversi:4", "--store", "file:" + path, "--buffer", "10"], 2, "--min-buffer is more"),
                (["train", "reversi:4", "--store", "file:" + path, "--mem", "1M"], 4, "needs")):
            result = holos(*words)
            equal(result.status, status, words, result)
            check(said in result.err, words, result)
        equal(train("reversi:4", path, *options).status, 0)
        for words, said in ((SMALL, "already holds a training"), (["--resume", "--batch", "64"], "only --iterations may change")):
            result = train("reversi:4", path, *words)
            equal(result.status, 2, words, result)
            check(said in result.err, words, result)
        check("for reversi:4, not reversi:6" in train("reversi:6", path, "--resume").err)
        whole = read(path + "/checkpoint")
        for damaged in (whole[:len(whole) // 2], whole[:2000] + b"?" + whole[2001:], b"nonsense"):
            with open(path + "/checkpoint", "wb") as f:
                f.write(damaged)
            result = train("reversi:4", path, "--resume", "--iterations", "2")
            equal(result.status, 3, result)
            check("damaged" in result.err or "not a checkpoint" in result.err, result)


main()
