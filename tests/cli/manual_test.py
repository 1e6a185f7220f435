# SPDX-License-Identifier: MIT
"""The manual as HTML: a page for each page of docs/, each verb and each game; every link leads somewhere; nothing is loaded from elsewhere."""
import glob
import html.parser
import os
import re
import shutil
import subprocess
import tempfile

from tap import PROGRAM, SOURCE, Skip, check, environment, equal, holos, main, test

FOLDER = tempfile.TemporaryDirectory()
OUT = os.path.join(FOLDER.name, "html")
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, its anchors; and whether its tags match."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.anchors, self.open, self.words, self.prose = [], [], set(), [], [], []
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())
        equal(self.open, [], path)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        check(tag not in ("script", "iframe", "object"), tag)
        if "id" in values:
            self.anchors.add(values["id"])
        if tag == "a":
            self.links.append(values["href"])
        if "src" in values or tag == "link":
            self.loads.append(values.get("src") or values["href"])
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        check(tag in VOID, tag)
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        check(self.open and self.open.pop() == tag, "unmatched", tag, self.getpos())

    def handle_data(self, data):
        self.words.append(data)
        if "pre" not in self.open:
            self.prose.append(data)


def pages():
    if shutil.which("cmark-gfm") is None:
        raise Skip("cmark-gfm is not installed")
    if not os.path.exists(OUT):
        subprocess.run([os.path.join(SOURCE, "scripts", "manual"), PROGRAM, OUT], check=True, env=environment())
    return {os.path.basename(path): Page(path) for path in glob.glob(os.path.join(OUT, "*.html"))}


@test
def every_page_verb_and_game_has_its_page():
    made = pages()
    for path in glob.glob(os.path.join(SOURCE, "docs", "*.md")):
        check(os.path.basename(path)[:-3] + ".html" in made, path)
    for verb in re.findall(r"^  (\w+)", holos("help").out, re.MULTILINE):
        words = "".join(made[f"verb-{verb}.html"].words)
        check(f"holos {verb}: " in words and "Usage:" in words, verb)
        check("$ " in words, f"no example of {verb} on any page")
    for game in holos("games", "--json").json:
        words = "".join(made[game["game"] + ".html"].words)
        for row in ("rules", "variants", "notation", "score", "engines", "records", "limits"):
            check(re.search(rf"^{row}$", words, re.MULTILINE), game["game"], row)
        for engine in game["engines"]:
            check(engine in words, game["game"], engine)
    engines = made["engines.html"].anchors
    for game in holos("games", "--json").json:
        for engine in game["engines"]:
            check(engine in engines or engine in ("puzzle",), engine)


@test
def every_link_leads_somewhere():
    made = pages()
    count = 0
    for name, page in made.items():
        for target in page.links + page.loads:
            if re.match(r"https?:", target):
                check(target in page.links, name, "loads from elsewhere", target)
                continue
            place, _, anchor = target.partition("#")
            check(os.path.exists(os.path.join(OUT, place or name)), name, target)
            check(not anchor or anchor in made[place or name].anchors, name, target)
            count += 1
    check(count > 1000, count)


@test
def nothing_is_loaded_from_elsewhere():
    for name, page in pages().items():
        for target in page.loads:
            check(not re.match(r"[a-z]+:|//", target), name, target)
    with open(os.path.join(OUT, "style.css"), encoding="utf-8") as f:
        style = f.read()
    check("url(" not in style and "@import" not in style and "prefers-color-scheme: dark" in style)


@test
def every_table_is_a_table():
    """Markdown that was not understood shows as bars."""
    for name, page in pages().items():
        for line in "".join(page.prose).splitlines():
            check(not re.match(r"\|( ?-+ ?\|)+", line), name, line)


main()
