# SPDX-License-Identifier: MIT
"""Help, man page and completions: all made from one table, so all must know the same."""
import re
import shutil
import subprocess
import tempfile

from tap import Skip, check, equal, holos, main, test

VERBS = re.findall(r"^  (\w+)", holos("help").out, re.MULTILINE)


def options_of(verb):
    return re.findall(r"^  (?:-\w, |    )--([\w-]+)", holos("help", verb).out, re.MULTILINE)


def run_on(text, *command):
    """Gives `text` in a file to a checking program; returns what it says."""
    if shutil.which(command[0]) is None:
        raise Skip(f"{command[0]} is not installed")
    with tempfile.NamedTemporaryFile("w", suffix=".1") as f:
        f.write(text)
        f.flush()
        result = subprocess.run([*command, f.name], capture_output=True, text=True)
    equal(result.returncode, 0, result.stderr)
    return result


@test
def the_overview_lists_the_verbs():
    check({"games", "solve", "play", "demo", "bench", "help", "version", "completion"} <= set(VERBS), VERBS)
    equal(holos("--help").out, holos("help").out)
    equal(holos("-h").out, holos("help").out)


@test
def every_verb_has_help_in_both_ways_that_fits_the_screen():
    for verb in VERBS:
        page = holos("help", verb)
        equal(page.status, 0, verb)
        equal(holos(verb, "--help").out, page.out)
        check(f"Usage: holos {verb}" in page.out, page)
        for line in page.lines + holos("help").lines:
            check(len(line) <= 100, line)


@test
def help_wins_over_other_mistakes_in_arguments():
    result = holos("solve", "--help")
    equal(result.status, 0, result)


@test
def help_on_an_unknown_verb_is_a_usage_error():
    result = holos("help", "sovle")
    equal(result.status, 2)
    check("did you mean solve?" in result.err, result)


@test
def every_option_of_the_help_is_accepted():
    for verb in VERBS:
        options = options_of(verb)
        check("help" in options, verb, options)
        for option in options:
            result = holos(verb, "--" + option, "--help", "--help") # the first one may be taken as a value
            check("has no option" not in result.err, verb, option, result)


@test
def defaults_are_shown():
    check("(default 2s)" in holos("help", "play").out)
    check("(default 2)" in holos("help", "solve").out)


@test
def colour_is_for_terminals_only():
    for args in (["help", "solve"], ["games"], ["solve", "connect4:4x4", "start", "--moves"]):
        check("\x1b" not in holos(*args).out, args)


@test
def the_man_page_is_free_of_groff_warnings():
    page = holos("help", "--man").out
    result = run_on(page, "groff", "-man", "-Tutf8", "-ww", "-z")
    equal(result.stderr, "")


@test
def the_man_page_is_free_of_mandoc_warnings():
    page = holos("help", "--man").out
    # It has no date: the same source makes the same page on every day.
    result = run_on(page.replace('.TH HOLOS 1 ""', '.TH HOLOS 1 "2000-01-01"'), "mandoc", "-T", "lint", "-W", "warning")
    equal(result.stdout, "")


@test
def the_man_page_knows_every_verb_and_option():
    page = holos("help", "--man").out.replace("\\-", "-")
    for verb in VERBS:
        check(f'.SS "holos {verb} ' in page, verb)
        for option in options_of(verb):
            check(f"--{option}" in page, verb, option)


@test
def completions_are_valid_bash():
    run_on(holos("completion", "bash").out, "bash", "-n")


@test
def completions_are_valid_zsh():
    run_on(holos("completion", "zsh").out, "zsh", "-n")


@test
def completions_are_valid_fish():
    run_on(holos("completion", "fish").out, "fish", "--no-execute")


def bash_completes(*words):
    """What bash offers for the last of `words`."""
    if shutil.which("bash") is None:
        raise Skip("bash is not installed")
    line = " ".join(f"'{w}'" for w in words)
    script = holos("completion", "bash").out + f"""
COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _holos; printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    result = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    equal(result.stderr, "")
    return result.stdout.split()


@test
def bash_completes_verbs_games_options_and_choices():
    equal(bash_completes("holos", "so"), ["solve"])
    equal(bash_completes("holos", "solve", "conn"), ["connect4"])
    equal(bash_completes("holos", "solve", "nim", "--mov"), ["--moves"])
    equal(bash_completes("holos", "solve", "nim", "--progress", "j"), ["json"])
    equal(bash_completes("holos", "solve", "nim", "--progress", "=", "l"), ["log"])
    equal(bash_completes("holos", "completion", "f"), ["fish"])
    equal(bash_completes("holos", "help", "ga"), ["games"])


@test
def fish_completes_verbs_and_options():
    if shutil.which("fish") is None:
        raise Skip("fish is not installed")
    for line, expected in (("holos so", "solve"), ("holos solve --mo", "--moves"), ("holos solve conn", "connect4")):
        result = subprocess.run(["fish", "--no-config", "-c", f"source; complete -C '{line}'"],
                                input=holos("completion", "fish").out, capture_output=True, text=True)
        check(expected in [offer.split("\t")[0] for offer in result.stdout.splitlines()], line, result)


@test
def completions_know_every_verb_and_option():
    for shell, form in (("bash", "--{}"), ("zsh", "--{}"), ("fish", "-l {}")):
        script = holos("completion", shell).out
        for verb in VERBS:
            check(verb in script, shell, verb)
            for option in options_of(verb):
                check(form.format(option) in script, shell, verb, option)


@test
def there_is_no_completion_for_an_unknown_shell():
    result = holos("completion", "tcsh")
    equal(result.status, 2, result)


main()
