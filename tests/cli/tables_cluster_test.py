# SPDX-License-Identifier: MIT
"""Tables of chess endings by several processes: `mpirun -n N holos build chess … --cluster` ends with the files of one. Skipped with the
reason if this build or this machine has no Open MPI.

HOLOS_LONG_TESTS=1 kills twenty times instead of ten, and makes a table of five pieces, which is read from files of other ranks.
"""
import json
import os
import shutil
import signal
import subprocess
import time

from mpi import (KILLS, LONG, NO_LIMIT_SIGNAL, RANDOM, STARVE, Disk, children, cluster, done, ended, ended_by_small_files, killed, need, place, rank_of,
                 reference, refused_apart, same_files, started, starved, starving)
from tap import Skip, check, equal, holos, main, test

THREE = ("chess", "--pieces", "3")
PAWN = ("chess", "KNvKP")  # with what its pawn becomes, 11 tables


def built(ranks, words, folder, *more, **keywords):
    found = done(ranks, "build", *words, "--store", f"file:{folder}", "-q", "--json", *more, **keywords).json
    equal(len(found), 1)  # rank 0 alone speaks
    equal(found[0]["ranks"], ranks)
    return found[0]


def counts(summary):
    """What a summary says of the tables, but for how long they took."""
    return [{k: v for k, v in table.items() if not k.endswith("_seconds")} for table in summary["tables"]]


def same_tables(words, ranks, *more):
    one, facts = reference(*words)
    folder = place(f"{words[-1]}-{ranks}")
    found = built(ranks, words, folder, *more)
    same_files(one, folder)
    equal(counts(found), counts(facts), ranks)
    equal(sorted(set(found) ^ set(facts)), ["messages", "ranks", "traffic"])
    shutil.rmtree(folder)


@test
def tables_of_three_pieces_have_the_bytes_of_one_process():
    for ranks in (1, 2, 3, 4):
        same_tables(THREE, ranks)


@test
def tables_with_pawns_have_the_bytes_of_one_process():
    for ranks, threads in ((1, 1), (2, 2), (3, 1), (4, 1)):
        same_tables(PAWN, ranks, "--threads", str(threads))


@test
def tables_of_five_pieces_are_read_from_the_files_of_other_ranks():
    if not LONG:
        raise Skip("HOLOS_LONG_TESTS=1 makes tables of five pieces")
    words = ("chess", "KNNPvK")
    one, facts = reference(*words)
    folder = place("five")
    found = built(3, words, folder)
    same_files(one, folder)
    equal(counts(found), counts(facts))
    check(found["traffic"] > 10000, found)  # four files of WDL, but for those that the same rank has made


@test
def a_folder_gets_what_is_missing():
    words, folder, alone = PAWN, place("missing"), place("missing-one")
    shutil.copytree(reference(*words)[0], folder)
    for name in ("KNvKP.rtbz", "KQvKN.rtbw"):
        os.remove(os.path.join(folder, name))
    with open(os.path.join(folder, "KRvKN.hdtm"), "r+b") as f:
        f.truncate(1000)
    shutil.copytree(folder, alone)
    kept = os.stat(os.path.join(folder, "KBvKN.rtbw")).st_mtime_ns
    facts = holos("build", *words, "--store", f"file:{alone}", "-q", "--json").json[0]
    found = built(3, words, folder)
    equal(counts(found), counts(facts))
    equal(os.stat(os.path.join(folder, "KBvKN.rtbw")).st_mtime_ns, kept)
    same_files(reference(*words)[0], folder)
    found = built(2, words, folder)  # now there is nothing to do
    check(all(table["there"] and "positions" not in table for table in found["tables"]), found)
    found = built(2, THREE, folder, "--restart")
    check(not any(table["there"] for table in found["tables"]), found)
    same_files(reference(*words)[0], folder)


@test
def mpirun_is_not_needed_for_one_rank():
    need()
    folder = place("alone")
    equal(holos("build", *THREE, "--store", f"file:{folder}", "--cluster", "-q").status, 0)
    same_files(reference(*THREE)[0], folder)


@test
def rank_0_tells_how_far_all_are():
    result = cluster(2, "build", *PAWN, "--store", f"file:{place('told')}", "--progress=json", "--json")
    equal(result.status, 0, result)
    told = [t for t in map(json.loads, (line for line in result.err.splitlines() if line.startswith("{"))) if "done" in t]
    total = sum(table["positions"] for table in result.json[0]["tables"])
    check(told and all(t["total"] == total and t["done"] <= total for t in told), told, total)
    equal(max(t["done"] for t in told), total)


# ---- What goes wrong ---------------------------------------------------------------------------------

@test
def tables_go_on_after_kill_9():
    one, _ = reference(*PAWN)
    folder, wanted = place("killed"), KILLS
    words = ("build", *PAWN, "--store", f"file:{folder}", "-q")
    before = time.monotonic()
    done(3, *words)
    seconds = time.monotonic() - before
    shutil.rmtree(folder)
    hits = tries = 0
    while hits < wanted and tries < 6 * wanted:
        tries += 1
        more = ("--resume",) if tries % 2 else ()  # the same command goes on without, too
        hit, result = killed(2 + tries % 2, *words, *more, delay=RANDOM.uniform(0.1, 0.8) * seconds)
        hits += hit
        if not hit:
            equal(result.status, 0, result)
            same_files(one, folder)
            shutil.rmtree(folder)
    check(hits > 0, tries, seconds)
    done(3, *words, "--resume")
    same_files(one, folder)
    print(f"# {hits} of {tries} runs of {seconds:.1f} s were killed in time")


def begun(folder, *words, ranks=2, **keywords):
    """Starts it, and waits for the first file of a table."""
    process = started(ranks, "build", *words, "--store", f"file:{folder}", "-q", stdin=subprocess.DEVNULL, **keywords)
    while process.poll() is None and not (os.path.isdir(folder) and any(n.startswith("K") for n in os.listdir(folder))):
        time.sleep(0.005)
    return process


@test
def a_request_to_stop_one_rank_stops_all():
    for victim in (0, 1, 2):
        folder = place(f"stopped{victim}")
        process = begun(folder, "chess", "--pieces", "4", ranks=3)
        for pid in children(process):
            if rank_of(pid) == victim:
                os.kill(pid, signal.SIGTERM)
        result = ended(process)
        equal(result.status, 130, result)
        with open(os.path.join(folder, "build.json"), encoding="utf-8") as f:
            record = json.load(f)
        equal(record["stopped"], "interrupted")
        check(len(record["tables"]) < 35, record)
        check(not [n for n in os.listdir(folder) if n.endswith(".tmp")], os.listdir(folder))
    done(2, "build", *THREE, "--store", f"file:{folder}", "-q", "--resume")
    one, _ = reference(*THREE)
    for name in os.listdir(one):
        if name != "build.json":
            with open(os.path.join(one, name), "rb") as a, open(os.path.join(folder, name), "rb") as b:
                check(a.read() == b.read(), name)


@test
def the_rank_whose_time_ends_first_says_so_for_all():
    first = ("sh", "-c", """if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then exec "$@" --time 0.5; fi; exec "$@" --time 600""", "sh")
    folder = place("time")
    result = cluster(3, "build", "chess", "--pieces", "4", "--store", f"file:{folder}", "-q", wrap=first)
    equal(result.status, 4, result)
    with open(os.path.join(folder, "build.json"), encoding="utf-8") as f:
        equal(json.load(f)["stopped"], "time limit")


@test
def a_rank_that_cannot_write_ends_all_with_the_reason():
    ended_by_small_files(begun(place("full"), "chess", "--pieces", "4", wrap=NO_LIMIT_SIGNAL), 1000)


@test
def tables_end_on_a_full_disk_and_go_on():
    need()
    with Disk("disk", "1m") as disk:
        folder = os.path.join(disk.path, "tables")
        words = ("build", *PAWN, "--store", f"file:{folder}", "-q")
        result = cluster(3, *words)
        equal(result.status, 5, result)
        check("No space left on device" in result.err, result)
        equal(result.err.count("holos: "), 1, result)
        disk.grow()
        done(3, *words, "--resume")
        same_files(reference(*PAWN)[0], folder)


@test
def ranks_without_a_common_folder_are_refused():
    refused_apart("build", *THREE, "--store", "file:tables", folder="tables")


@test
def what_cannot_be_shared_is_refused_once():
    for words, status, reason in ((THREE, 2, "--store file:DIR"),
                                  (("chess", "KQRvKQR", "--store", f"file:{place('none')}"), 2, "up to 5 pieces"),
                                  (("chess", "KRBvKR", "--mem", "64M", "--store", f"file:{place('none')}"), 4, "needs")):
        result = cluster(2, "build", *words)
        equal(result.status, status, result)
        check(reason in result.err, reason, result)
        equal(result.err.count("holos: "), 1, result)
    less = ("sh", "-c", """if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then exec "$@" --mem 1M; fi; exec "$@" """, "sh")
    result = cluster(2, "build", *THREE, "--store", f"file:{place('less')}", wrap=less)
    equal(result.status, 4, result)
    check("rank 1: making these tables needs" in result.err, result)


@test
def a_rank_with_little_memory_makes_small_tables_again():
    """The limit holds what one table needs, not all that a rank would keep."""
    if not LONG:
        raise Skip("HOLOS_LONG_TESTS=1 makes all tables of four pieces")
    words, memory = ("chess", "--pieces", "4"), 560 << 20
    check(holos("build", *words, "--estimate", "--ranks", "2", "--json", "--threads", "1").json[0]["memory"] > memory)
    folder = place("little")
    found = built(2, words, folder, "--mem", str(memory), "--threads", "1")
    check(found["memory"] <= memory, found)
    same_files(reference(*words)[0], folder)


@test
def a_rank_without_memory_ends_all_with_the_reason():
    if STARVE is None:
        raise Skip("a sanitizer has memory of its own")
    words = ("build", *THREE, "--restart", "--store", f"file:{place('starved')}")
    total = starving(words)
    failed = tried = 0
    while tried < (20 if LONG else 4) or failed == 0 and tried < 40:
        tried += 1
        result = starved(words, RANDOM.randrange(40, total))
        check(result.status in (0, 4), tried, result)  # some can be done without
        failed += result.status == 4
    check(failed > 0, total)


# ---- Plans -------------------------------------------------------------------------------------------

def plan(*words):
    result = holos("build", "chess", *words, "--estimate", "--json", "--threads", "1")
    equal(result.status, 0, result)
    return result.json[0]


@test
def a_plan_for_ranks_needs_no_mpi():
    alone = plan("--pieces", "5", "--store", f"file:{place('planned')}")
    plans = [plan("--pieces", "5", "--ranks", str(n)) for n in (1, 4, 64, 1000)]
    equal([p["ranks"] for p in plans], [1, 4, 64, 1000])
    check(abs(plans[0]["seconds"] / alone["seconds"] - 1) < 0.01 and plans[0]["traffic"] == 0, plans[0], alone)
    check(alone["seconds"] / 4 < plans[1]["seconds"] < alone["seconds"] / 3, plans[1], alone)
    check(plans[2]["seconds"] < plans[1]["seconds"] / 5, plans)
    check(abs(plans[3]["seconds"] - plans[2]["seconds"]) < 10, plans)  # tables that wait for each other bound it
    check(0 < plans[1]["traffic"] < plans[2]["traffic"], plans)
    equal({p["disk"] for p in plans}, {alone["disk"]})
    check(plan("--pieces", "5", "--dtm", "--ranks", "4")["traffic"] > plans[1]["traffic"], plans)
    equal(plan("--pieces", "4", "--ranks", "4")["traffic"], 0)
    words = holos("build", "chess", "--pieces", "5", "--estimate", "--ranks", "8").out
    check(" of memory in each of 8 ranks" in words and " between them" in words, words)


main()
