# SPDX-License-Identifier: MIT
"""No game is named outside its folder: what the program says about games comes from the games, and so do their options.

Code and strings are searched, not comments: a measurement may say on which game it was made.
"""
import glob
import os
import re

from tap import SOURCE, check, equal, holos, main, test

NAMES = ["chess", "connect4", "connect four", "kalah", "mancala", "sudoku", "hidato", "nim", "reversi", "syzygy"]
GAMES = [game["game"] for game in holos("games", "--json").json]
WORDS = re.compile(r"(?<![A-Za-z])(" + "|".join(NAMES) + r")|\b(" + "|".join(GAMES) + r")\b", re.IGNORECASE)
# The list of games is there to name them; the tour shows some; the words of UCI are the protocol's own.
ALLOWED = {"src/game/games.def", "src/cli/verbs/demo.c", "src/cli/uci.c"}
# Words that only begin like the name of a game.
INNOCENT = re.compile(r"nimble", re.IGNORECASE)

COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|/\*.*?\*/|//[^\n]*', re.DOTALL)


def without_comments(text):
    """The text with comments taken out, and as many lines as before."""
    return COMMENT.sub(lambda m: m.group(1) or "\n" * m.group(0).count("\n"), text)


def sources():
    found = []
    for pattern in ("src/**/*.c", "src/**/*.h", "src/**/*.def", "include/**/*.h"):
        found += glob.glob(os.path.join(SOURCE, pattern), recursive=True)
    return sorted(os.path.relpath(path, SOURCE) for path in found)


def named_in(text):
    return [(number, line.strip()) for number, line in enumerate(without_comments(text).split("\n"), 1)
            if WORDS.search(INNOCENT.sub("", line))]


@test
def the_search_sees_strings_and_code_and_no_comments():
    equal(named_in('/* chess */ int x; // kalah\nint hidato;\n"of sudoku /* */"'),
          [(2, "int hidato;"), (3, '"of sudoku /* */"')])
    equal(named_in('"a \\" quote" /* nim */; int minimum, nimble;'), [])


@test
def no_game_is_named_outside_its_folder():
    found = []
    for path in sources():
        if path.startswith("src/games/") or path in ALLOWED:
            continue
        with open(os.path.join(SOURCE, path), encoding="utf-8") as f:
            found += [f"{path}:{number}: {line}" for number, line in named_in(f.read())]
    check(not found, *found)


@test
def what_is_allowed_is_needed():
    for path in ALLOWED:
        with open(os.path.join(SOURCE, path), encoding="utf-8") as f:
            check(named_in(f.read()), path)


@test
def a_verb_has_examples_from_the_games():
    for verb in ("solve", "generate", "build", "explore", "hint", "play", "query"):
        check("Examples:\n  holos " + verb in holos("help", verb).out, verb)


main()
