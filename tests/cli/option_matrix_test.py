# SPDX-License-Identifier: MIT
"""Every option of every verb with every game: it works, or is refused with a message that names it; never a crash, a hang
or silence. The lists come from `holos help --json` and `holos games --json`.

By default each option of each verb meets one game, drawn at random but always the same. HOLOS_FULL=1 tries all.
"""
import os
import random
import re
import signal
import subprocess
import tempfile

from tap import SOURCE, Result, check, equal, holos, main, start, test

LONG = os.environ.get("HOLOS_FULL", "0") not in ("", "0")
VERBS = {verb["verb"]: verb for verb in holos("help", "--json").json}
GAMES = {game["game"]: game for game in holos("games", "--json").json}
CHANCE = random.Random(20)
PATIENCE = 60  # seconds until a run counts as hanging; builds and explorations are interrupted before

# Boards on which whole builds take a moment. Any other game is taken as it is, and interrupted.
SMALL = {"connect4": "connect4:3x3", "kalah": "kalah:2,2", "nim": "nim:2,2"}

# Boards on which a game takes a moment.
TINY = {"reversi": "reversi:4", "connect4": "connect4:4x4", "kalah": "kalah:2,2"}

# Verbs without a game: what they work on.
ALONE = {"bench": ["core", "--quick"], "lab": ["phase", "--quick"], "completion": ["bash"], "help": ["solve"], "games": [], "engine": ["gtp"], "optimize": ["seed", "nim:2,2", "--nodes", "200"],
         "match": ["random", "random"], "serve": ["--port", "0", "--idle", "300ms"], "status": [], "version": []}
TOO_LONG = {"demo"}  # it has a test of its own

FOLDER = tempfile.TemporaryDirectory()
COUNTER = [0]


def fresh(name):
    COUNTER[0] += 1
    return os.path.join(FOLDER.name, f"{name}{COUNTER[0]}")


def run(args, stdin=""):
    """Runs to the end; what takes too long is interrupted first, and counts as hanging if that does not help."""
    process = start(*args, env={**os.environ, "NO_COLOR": "1"}, cwd=FOLDER.name)
    try:
        out, err = process.communicate(stdin.encode(), timeout=PATIENCE / 6)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise AssertionError(f"it hangs: holos {' '.join(args)}") from None
    result = Result(process.returncode, out, err)
    check(result.status >= 0, "a signal", args, result)
    check("Sanitizer" not in result.err and "runtime error" not in result.err, args, result)
    return result


def position_of(game):
    return GAMES[game]["examples"][0]


def commands(verb, game):
    """A run of the verb with the game that takes a moment."""
    limits = [w for name, value in (("time", "1s"), ("nodes", "2000")) for w in ("--" + name, value)
              if name in {o["name"] for o in VERBS[verb]["options"]}]
    if verb in ("build", "explore"):
        return [verb, SMALL.get(game, game), *limits]
    if verb == "train":
        return [verb, TINY.get(game, game), "--store", "file:" + fresh("training"), "--time", "1s"]
    if verb == "ablate":
        return [verb, game, "--time", "1s"]
    if verb == "generate":
        return [verb, game, *limits]
    if verb == "play":
        return [verb, game]
    return [verb, game, *limits, "--", position_of(game)]


def values_of(option, game):
    """Sensible values, as words of a command line."""
    name, kind, shown = option["name"], option["type"], option.get("value", "")
    if kind == "flag":
        return [["--" + name]]
    if kind == "choice":
        return [["--" + name, word] for word in option["choices"]]
    if kind == "int":
        value = int(option["default"] or 0)
        small = min(max(value, option["min"], 1), option["max"])
        return [["--" + name, str(v)] for v in sorted({small, min(option["max"], small + 1)})]
    by_name = {"engine": (GAMES[game]["engines"] if game else ["alphabeta"]), "difficulty": ["easy"], "format": ["line"],
               "size": ["6x5"], "game": [SMALL.get(game, game or "nim")], "goal": ["solved"]}
    by_type = {"count": ["3"], "size": ["64M"], "duration": ["1s"], "string": [shown.split(",")[0]], "file": [fresh("f")]}
    if name == "config":
        path = fresh("config")
        with open(path, "w", encoding="utf-8") as f:
            f.write("verbose: false\n")
        return [["--config", path]]
    if name not in by_name and ("URL" in shown or "file:" in shown or shown == "STORE"):
        return [["--" + name, "file:" + fresh("store")]]
    return [["--" + name, value] for value in by_name.get(name, by_type[kind])]


def inserted(command, words):
    at = command.index("--") if "--" in command else len(command)
    return command[:at] + words + command[at:]


def refused_by_name(result, words, value):
    return words[0] in result.err or words[0] in result.out or (value and value in result.err + result.out)


BASES = {}


def base_status(command, stdin):
    key = tuple(command)
    if key not in BASES:
        BASES[key] = run(command, stdin).status
    return BASES[key]


def try_option(verb, option, game, command):
    stdin = {"play": "quit\n", "engine": "name\nquit\n"}.get(verb, "")
    choices = values_of(option, game)
    for words in choices if LONG else CHANCE.sample(choices, 1):
        args = inserted(command, words)
        result = run(args, stdin)
        value = words[1] if len(words) > 1 else ""
        if option["name"] == "help" or result.status in (0, 1, 4, 130):
            check(option["name"] == "help" or result.out or result.err or "/" in value, "silence", args, result)
            continue
        # What lies nowhere cannot be opened; a game that has no such verb says so with any option.
        refusals = ": error:" in result.out  # a position's own answer
        missing = refusals or result.status in (3, 5) and value and value.split(":", 1)[-1] in result.err + result.out
        check(missing or result.status == 2, args, result)
        check(missing or refused_by_name(result, words, value) or base_status(command, stdin) == result.status,
              "the option is not named", args, result)


def game_verbs():
    return [v for v in VERBS if VERBS[v]["operands"].startswith("GAME")]


def verb_test(verb):
    def with_every_game():
        for option in VERBS[verb]["options"]:
            for game in GAMES if LONG else CHANCE.sample(sorted(GAMES), 1):
                try_option(verb, option, game, commands(verb, game))
    with_every_game.__name__ = f"options of {verb} work or are refused by name"
    return with_every_game


for name in game_verbs():
    test(verb_test(name))


@test
def options_of_verbs_without_a_game_work_or_are_refused_by_name():
    for verb, operands in ALONE.items():
        for option in VERBS[verb]["options"]:
            try_option(verb, option, "", [verb, *operands])


@test
def options_of_stores_work_or_are_refused_by_name():
    store = "file:" + fresh("store")
    built = next(game for game in SMALL.values() if holos("build", game, "--store", store, "--restart").status == 0)
    for option in VERBS["query"]["options"]:
        try_option("query", option, built.split(":")[0], ["query", store, "start"])
    for command in ("info", "verify", "copy", "merge", "sql"):
        for option in VERBS["store"]["options"]:
            operands = [store] * (2 if command == "merge" else 1) + (["file:" + fresh("copy")] if command == "copy" else [])
            operands += ["select 1"] if command == "sql" else []
            try_option("store", option, "", ["store", command, *operands])


@test
def every_verb_is_tried():
    tried = set(game_verbs()) | set(ALONE) | TOO_LONG | {"query", "store"}
    equal(sorted(set(VERBS) - tried), [])


def others(use):
    """The options of games and engines for a use, once for each owner."""
    found = {}
    for verb in VERBS.values():
        for option in verb["options"]:
            if option.get("use") == use:
                found[option["owner"], option.get("purpose"), option["name"]] = option
    return list(found.values())


@test
def an_option_is_taken_only_by_its_owner():
    for option in others("solve"):
        for game in GAMES:
            for words in values_of(option, game)[:1]:
                if option["type"] == "file" or option["name"] in ("resume", "restart", "checkpoint-every"):
                    continue  # these need each other
                result = run(["solve", game, *words, "--json", "--no-book", "--nodes", "100", "--", position_of(game)])
                if result.status == 2:
                    check("--" + option["name"] in result.err + result.out, words, game, result)
                    continue
                owners = {o["owner"] for o in others("solve") if o["name"] == option["name"]}
                check({game, result.json[0]["engine"]} & owners, "taken by nobody", words, game, result)


@test
def an_option_of_generate_is_taken_only_by_its_game():
    for option in others("generate"):
        owners = {o["owner"] for o in others("generate") if o["name"] == option["name"]}
        for game in GAMES:
            result = run(["generate", game, *values_of(option, game)[0]])
            equal(result.status == 0, game in owners, option["name"], game, result)


@test
def an_option_of_a_job_is_taken_only_by_its_kind_and_game():
    for option in others("job"):
        if option["purpose"] not in ("wave", "database") and option["kind"] != "game":
            continue
        for game, verb in ((g, v) for g in SMALL for v in ("build", "explore")):
            if option["name"] not in {o["name"] for o in VERBS[verb]["options"]}:
                continue
            # A name may be the verb's own as well.
            if any(o["name"] == option["name"] and o["kind"] == "verb" for o in VERBS[verb]["options"]):
                continue
            result = run([verb, SMALL[game], *values_of(option, game)[0]])
            foreign = option["kind"] == "game" and option["owner"] != game
            check(not foreign or (result.status == 2 and "--" + option["name"] in result.err) or
                  base_status([verb, SMALL[game]], "") == 2, verb, game, option["name"], result)


# ---- Nothing is accepted and then not used -------------------------------------------------------------------------------

SOURCES = {}


def source(path):
    if path not in SOURCES:
        with open(os.path.join(SOURCE, path), encoding="utf-8") as f:
            SOURCES[path] = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.DOTALL)  # examples in comments are no options
    return SOURCES[path]


def sources():
    found = [os.path.relpath(os.path.join(folder, name), SOURCE) for folder, _, names in os.walk(os.path.join(SOURCE, "src"))
             for name in names if name.endswith((".c", ".h"))]
    return sorted(found)


OPTION = re.compile(r"OPTION\(\s*\w+,\s*(\w+),\s*(\w+)\)")


@test
def every_member_that_takes_an_option_is_read_somewhere():
    tables = {(owner, member): path for path in sources() for owner, member in OPTION.findall(source(path))
              if owner not in ("owner", "type")}  # a macro's own words
    check(len(tables) > 80, len(tables))
    for (owner, member), path in tables.items():
        users = "\n".join(source(p) for p in sources() if re.search(rf"\b{owner}\b", source(p)) or owner == "shared_settings")
        check(re.search(rf"(?:->|\.){member}\b(?!\s*=[^=])", OPTION.sub("", users)), "nobody reads", owner, member, path)


def closure(path, seen):
    """A file of the program, and all of the program's own that it includes."""
    if path in seen or not os.path.exists(os.path.join(SOURCE, path)):
        return seen
    seen.add(path)
    for name in re.findall(r'#include "(cli/[\w/]+)\.h"', source(path)):
        closure(f"src/{name}.h", seen)
        if name != "cli/cli":
            closure(f"src/{name}.c", seen)
    return seen


@test
def every_shared_option_of_a_verb_is_read_by_it():
    by_all = {"help", "config", "quiet", "verbose", "progress", "cluster"}  # main.c
    for verb in VERBS.values():
        own = "bench/verb.c" if verb["verb"] == "bench" else f"src/cli/verbs/{verb['verb']}.c"
        check(os.path.exists(os.path.join(SOURCE, own)), own)
        files = closure(own, set()) - {"src/cli/cli.h", "src/cli/shared.h"}
        text = "\n".join(source(path) for path in files)
        for option in verb["options"]:
            if option["kind"] == "shared" and option["name"] not in by_all:
                check(re.search(rf"shared(?:\.|->){option['name']}\b", text), verb["verb"], option["name"])
            if option["name"] == "progress":
                check("progress" in text, verb["verb"], "shows no progress")
            if option["name"] == "cluster":
                check("c->cluster" in text, verb["verb"], "does not share its work")


@test
def names_are_clear_within_a_verb():
    for verb in VERBS.values():
        letters = {}
        for option in verb["options"]:
            same = [o for o in verb["options"] if o["name"] == option["name"]]
            own = [o for o in same if o["kind"] in ("verb", "shared")]
            check(len(own) == 0 or len(same) == 1, verb["verb"], "an option hides another", option)
            check(len({o["type"] == "flag" for o in same}) == 1, verb["verb"], option)
            if "letter" in option:
                equal(letters.setdefault(option["letter"], option["name"]), option["name"], verb["verb"])


main()
