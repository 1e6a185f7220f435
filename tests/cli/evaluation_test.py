# SPDX-License-Identifier: MIT
"""train: an evaluation from games of its own, the same from the same seed, interrupted or not."""
import os
import shutil
import signal
import tempfile
import time

from tap import check, equal, holos, main, start, test

SMALL = ("train", "reversi:6", "evaluation", "--positions", "160", "--rounds", "2")


class Folder:
    """A folder that is gone afterwards."""

    def __enter__(self):
        self.path = tempfile.mkdtemp()
        return os.path.join(self.path, "learned")

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def bytes_of(folder):
    with open(os.path.join(folder, "reversi-6"), "rb") as file:
        return file.read()


@test
def the_same_seed_learns_the_same():
    with Folder() as one, Folder() as two, Folder() as other:
        for folder, *options in ((one, "--threads", "1"), (two, "--threads", "3"), (other, "--seed", "2")):
            result = holos(*SMALL, "--store", "file:" + folder, "--json", *options)
            equal(result.status, 0, result)
            equal(len(result.json[0]["stages"]), 4)
            check(os.path.exists(os.path.join(folder, "train.json")))
        equal(bytes_of(one), bytes_of(two))
        check(bytes_of(one) != bytes_of(other), "seeds make no difference")
        solved = holos("solve", "reversi:6", "c2", "--nodes", "200k", "--evaluation", os.path.join(one, "reversi-6"), "--json")
        equal(solved.status, 4, solved)


@test
def learning_that_is_stopped_goes_on():
    many = ("train", "reversi:6", "evaluation", "--positions", "1500", "--rounds", "1", "--checkpoint-every", "0.05")
    with Folder() as whole, Folder() as folder:
        equal(holos(*many, "--store", "file:" + whole).status, 0)
        process = start(*many, "--store", "file:" + folder)
        while not os.path.exists(os.path.join(folder, "learning")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate()
        equal(process.returncode, 130)
        again = holos(*many, "--store", "file:" + folder)
        equal(again.status, 2, again)
        check("--resume" in again.err, again)
        changed = holos(*many, "--store", "file:" + folder, "--resume", "--seed", "5")
        equal(changed.status, 2, changed)
        check("another board, --seed" in changed.err, changed)
        equal(holos(*many, "--store", "file:" + folder, "--resume").status, 0)
        equal(bytes_of(folder), bytes_of(whole))


@test
def a_damaged_checkpoint_is_refused():
    with Folder() as folder:
        os.makedirs(folder)
        for content in (b"", b"HOLOSRL1", b"x" * 5000):
            with open(os.path.join(folder, "learning"), "wb") as file:
                file.write(content)
            result = holos(*SMALL, "--store", "file:" + folder, "--resume")
            equal(result.status, 3, result)
            check("damaged" in result.err, result)
        equal(holos(*SMALL, "--store", "file:" + folder, "--restart").status, 0)


@test
def what_is_wrong_is_said():
    for arguments, words in [(("reversi:4", "--store", "file:x"), "needs no evaluation"),
                             (("reversi",), "--store file:DIR"),
                             (("reversi", "--store", "file:x", "--positions", "3"), "--positions"),
                             (("reversi", "--store", "file:x", "--rounds", "0"), "rounds"),
                             (("connect4", "--store", "file:x"), "has no evaluation to learn")]:
        result = holos("train", arguments[0], "evaluation", *arguments[1:])
        equal(result.status, 2, arguments, result)
        check(words in result.err, arguments, result)
    check("positions" in holos("train", "reversi", "evaluation", "--store", "file:x", "--estimate").out)


@test
def a_search_says_what_it_lacks():
    board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    with Folder() as folder:
        os.makedirs(folder)
        env = dict(os.environ, HOLOS_DATA=folder)
        without = holos("solve", "reversi", board, env=env)
        equal(without.status, 0, without)
        check("is missing: the search works without it" in without.err, without)
        equal(holos("solve", "reversi", board).err, "")
        equal(holos("solve", "reversi", board, "--evaluation", "none", env=env).err, "")
        equal(holos("solve", "reversi:4", "start", env=env).err, "")
        path = os.path.join(folder, "half")
        with open(path, "wb") as file:
            file.write(b"HOLOSRE1 and half a file")
        for name, status in ((path, 3), (os.path.join(folder, "none at all"), 5)):
            result = holos("solve", "reversi", board, "--evaluation", name)
            equal(result.status, status, result)
        equal(holos("solve", "reversi", board, "--no-hot", "--evaluation", "none").status, 2)
        equal(holos("solve", "reversi:4", "start", "--evaluation", path).status, 2)


main()
