# SPDX-License-Identifier: MIT
"""The pages tell the truth: README.md, CONTRIBUTING.md and everything in docs/.

In a fenced block of the kind `console`, a line that begins with "$ " is a command, and the lines up to the next one are
what it prints (stdout and stderr). The commands of a block run in one shell, in an empty folder where the program is
both `holos` and `build/holos`. A line "..." stands for any lines; then the command must at least succeed, unless the
next one is `echo $?`. Times and node counts change from run to run, so they are not compared.

Every other command on a page, in backquotes or indented, may take too long to run here. Its verb, its options and its
game must exist.

usage: docs_test.py             compares, and prints TAP
       docs_test.py --update    writes what the program prints into the pages, except where "..." stands
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

import tap
from tap import SOURCE, check, equal, holos, main

BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^```\w*\n.*?^```$", re.MULTILINE | re.DOTALL)
MARK = "\x01"  # after the output of each command, with its exit status

VOLATILE = [
    (re.compile(r'"nodes":\d+'), '"nodes":0'),
    (re.compile(r'"seconds":[-+.\de]+'), '"seconds":0'),
    (re.compile(r'"cpu_seconds":[-+.\de]+'), '"cpu_seconds":0'),
    (re.compile(r'"rate":[-+.\de]+'), '"rate":0'),
    (re.compile(r"\b[\d.]+ (µs|ms|s)\b"), "0 s"),
    (re.compile(r"\b[\d,]+ nodes?\b"), "0 nodes"),
    (re.compile(r"\b(nodes|nps|time) \d+\b"), r"\1 0"),  # UCI
]


def pages():
    top = [os.path.join(SOURCE, name) for name in ("README.md", "CONTRIBUTING.md")]
    return top + sorted(glob.glob(os.path.join(SOURCE, "docs", "*.md")))


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def examples(block):
    """The commands of a block with the output that the page shows."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1] = (found[-1][0] + "\n" + line[2:], [])
        else:
            check(found, f"a block of the kind console begins with a command: {line}")
            found[-1][1].append(line)
    return found


def run_block(commands):
    """What each command prints, as lines, and its exit status; all run in one shell."""
    script = "".join(f"{c}\nstatus=$?; printf '\\001%d\\001' $status; (exit $status)\n" for c in commands)
    with tempfile.TemporaryDirectory() as folder:
        work = os.path.join(folder, "work")
        os.makedirs(os.path.join(work, "build"))
        for name in (os.path.join(folder, "holos"), os.path.join(work, "build", "holos")):
            os.symlink(tap.PROGRAM, name)
        env = tap.environment(PATH=folder + os.pathsep + os.environ["PATH"], COLUMNS="80")
        result = subprocess.run(["bash", "-c", script], cwd=work, env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    pieces = result.stdout.decode("utf-8").split(MARK)
    outputs, statuses = pieces[:-1:2], pieces[1::2]
    equal(len(statuses), len(commands), "the shell ended early", commands, result.stdout.decode("utf-8"))
    return [(out.splitlines(), int(status)) for out, status in zip(outputs, statuses)]


def steady(line):
    for pattern, replacement in VOLATILE:
        line = pattern.sub(replacement, line)
    return line.rstrip()


def matches(shown, printed):
    """Whether the lines on the page are those printed; "..." stands for any."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(matches(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and steady(shown[0]) == steady(printed[0]) and matches(shown[1:], printed[1:])


def compare(path):
    for block in BLOCK.findall(read(path)):
        shown = examples(block)
        commands = [command for command, _ in shown]
        for i, (printed, status) in enumerate(run_block(commands)):
            command, expected = shown[i]
            check(matches(expected, printed), f"$ {command}", "the page shows:", *expected, "it prints:", *printed)
            asked = commands[i + 1:i + 2] == ["echo $?"]
            check("..." not in expected or asked or status == 0, f"$ {command}", f"exit status {status}", *printed)


def update(path):
    def renewed(match):
        shown = examples(match.group(1))
        lines = []
        for (command, expected), (printed, _) in zip(shown, run_block([c for c, _ in shown])):
            keep = "..." in expected or matches(expected, printed)
            lines += ["$ " + command.replace("\n", "\n> ")] + (expected if keep else [line.rstrip() for line in printed])
        return "```console\n" + "".join(line + "\n" for line in lines) + "```"

    new = BLOCK.sub(renewed, read(path))
    with open(path, "w", encoding="utf-8") as f:
        f.write(new)


def the_comparison_notices_differences():
    check(matches(["a", "b 5 ms"], ["a", "b 17.2 s"]))
    check(matches(["a", "...", "d"], ["a", "b", "c", "d"]) and matches(["..."], []))
    for shown, printed in ((["a"], ["b"]), (["a"], []), ([], ["a"]), (["a", "...", "d"], ["a", "b"]),
                           (["score 1"], ["score 2"]), (["a", "..."], ["b", "a"])):
        check(not matches(shown, printed), shown, printed)
    equal(run_block(["echo out; (exit 3)", "echo $?"]), [(["out"], 3), (["3"], 0)])


# ---- Commands that are named but not run ----------------------------------------------------------


def commands_named(text):
    """Commands in backquotes and in indented lines: `holos solve GAME --moves`."""
    text = FENCE.sub("", text)
    lines = re.findall(r"^ {4,}(?:\$ )?((?:build/)?holos .*)$", text, re.MULTILINE)
    spans = re.findall(r"`((?:build/)?holos [^`]*)`", text.replace("\n", " "))
    return lines + spans


def one_command(command):
    """The words of the holos command in a line of shell, without what comes after it."""
    words = re.split(r"\s[|<>&#;]|\s{3,}", command.replace("\\|", "|"))[0].split()
    return words[1:] if words else []


def verbs():
    return re.findall(r"^  (\w+)", holos("help").out, re.MULTILINE)


def options_of(verb, cache={}):
    if verb not in cache:
        page = holos("help", verb).out.split("\nOptions:", 1)[1].split("\n\nExamples:")[0]
        rows = re.findall(r"^  (?:(-\w), |    )(--[\w-]+)", page, re.MULTILINE)
        cache[verb] = {name for row in rows for name in row if name}
    return cache[verb]


def check_command(command, known_verbs, known_games):
    words = one_command(command)
    if not words or words[0].startswith("-") or words[0] in ("VERB", "…"):
        return
    for verb in words[0].split("|"):
        check(verb in known_verbs, f"there is no verb {verb}", command)
        for word in words[1:]:
            option = re.match(r"\[?(--?[a-z][\w-]*)", word)
            check(option is None or option[1] in options_of(verb), f"{verb} has no option {word}", command)
        game = re.match(r"[a-z]\w+", words[1]) if len(words) > 1 else None
        if game and verb in ("solve", "hint", "rate", "generate", "draw", "play", "explore", "build", "games"):
            check(game[0] in known_games, f"there is no game {words[1]}", command)


def commands_on_the_pages_exist():
    known_verbs, known_games = verbs(), [game["game"] for game in holos("games", "--json").json]
    count = 0
    for path in [*pages(), os.path.join(SOURCE, "CHANGELOG.md")]:
        added = re.findall(r"GAME\((\w+)_game\)", read(path))  # a page may add a game of its own
        for command in commands_named(read(path)):
            check_command(command, known_verbs, known_games + added)
            count += 1
    check(count > 100, count)
    for wrong in ("holos sovle nim", "holos solve nim --movs", "holos solve nym", "holos store info --moves"):
        try:
            check_command(wrong, known_verbs, known_games)
        except AssertionError:
            continue
        raise AssertionError(f"not noticed: {wrong}")


def output_is_shown_only_where_it_is_compared():
    """A page that scripts/follow-adding-a-game types in word by word is the exception."""
    for path in pages():
        if os.path.basename(path) != "adding-a-game.md":
            for line in FENCE.sub("", read(path)).splitlines():
                check(not line.startswith("    $ "), path, line, "make it a block of the kind console")


# ---- What pages promise about each other and about the program ------------------------------------


def headings(path):
    """The anchors of a page, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", FENCE.sub("", read(path)), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def links_lead_somewhere():
    for path in [*pages(), os.path.join(SOURCE, "CHANGELOG.md")]:
        for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", re.sub(r"^    .*$", "", read(path), flags=re.MULTILINE)):
            place = os.path.join(os.path.dirname(path), target) if target else path
            check(os.path.exists(place), path, target)
            check(not anchor or anchor in headings(place), path, target, anchor)


def every_page_is_listed_in_the_manual():
    manual = read(os.path.join(SOURCE, "docs", "manual.md"))
    for path in glob.glob(os.path.join(SOURCE, "docs", "*.md")):
        name = os.path.basename(path)
        check(name == "manual.md" or f"({name})" in manual, name)


def the_page_on_notation_says_what_the_program_says():
    page = " ".join(read(os.path.join(SOURCE, "docs", "notation.md")).split())
    for game in holos("games", "--json").json:
        for part in ("title", "variants", "position", "score"):
            check(" ".join(game[part].split()) in page, game["game"], part, game[part])


def the_page_on_sudoku_lists_the_techniques():
    page = read(os.path.join(SOURCE, "docs", "sudoku.md"))
    rows = re.findall(r"^\| .* \| `([\w-]+)` \| (\d.*) \|$", page, re.MULTILINE)
    techniques = holos("rate", "sudoku", "--techniques", "--json").json
    equal([name for name, _ in rows], [t["technique"] for t in techniques])
    for (_, row), t in zip(rows, techniques):
        star = " *" if t["by_uniqueness"] else ""
        equal(row, f'{t["rating"]:.1f} | {t["score"]} | {t["level"]} | {t["summary"]}{star}')


def the_page_on_json_lists_the_fields_of_an_exploration():
    printed = list(holos("explore", "connect4:4x4", "--depth", "3", "--json").json[0])
    documented = tap.documented_fields("An exploration")
    equal([name for name in documented if name in printed or documented[name] == "always"], printed)


def the_manual_names_every_verb():
    page = read(os.path.join(SOURCE, "docs", "manual.md"))
    for verb in verbs():
        check(f"holos {verb}" in page, verb)


def the_manual_tells_the_exit_statuses_as_the_man_page_does():
    man = holos("help", "--man").out.split(".SH EXIT STATUS\n")[1].split("\n.PP")[0]
    table = read(os.path.join(SOURCE, "docs", "manual.md"))
    for status, meaning in re.findall(r"^\.B (\d+)\n(.*)\.$", man, re.MULTILINE):
        check(f"| {status} | {meaning} |" in table, status, meaning)


def the_pages_name_every_option():
    text = "".join(read(p) for p in pages())
    for verb in verbs():
        for option in options_of(verb):
            check(option in text, verb, option)


if "--update" in sys.argv:
    for page_path in pages():
        update(page_path)
else:
    for page_path in pages():
        if BLOCK.search(read(page_path)):
            def page_test(path=page_path):
                compare(path)
            page_test.__name__ = f"examples of {os.path.relpath(page_path, SOURCE)}"
            tap.test(page_test)
    for function in (the_comparison_notices_differences, commands_on_the_pages_exist,
                     output_is_shown_only_where_it_is_compared, links_lead_somewhere, every_page_is_listed_in_the_manual,
                     the_page_on_sudoku_lists_the_techniques, the_page_on_notation_says_what_the_program_says,
                     the_page_on_json_lists_the_fields_of_an_exploration,
                     the_manual_names_every_verb, the_manual_tells_the_exit_statuses_as_the_man_page_does,
                     the_pages_name_every_option):
        tap.test(function)
    main()
