# SPDX-License-Identifier: MIT
"""The page on Python tells the truth: its examples print what it shows, and it names everything that there is."""
import doctest
import os
import re
import tempfile

from here import SOURCE, check, equal, holos, main, test

with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as page:
    TEXT = page.read()
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@test
def examples_of_the_page_print_what_it_shows():
    names, said = {}, []
    blocks = BLOCK.findall(TEXT)
    check(len(blocks) >= 8, len(blocks))
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for number, block in enumerate(blocks, 1):
                example = doctest.DocTestParser().get_doctest(block, names, f"block {number}", "docs/python.md", 0)
                check(example.examples, block)
                runner = doctest.DocTestRunner(verbose=False)
                runner.run(example, out=said.append, clear_globs=False)
                equal(runner.failures, 0, "".join(said))
                names = example.globs
        finally:
            os.chdir(before)


@test
def every_public_name_is_on_the_page():
    missing = [name for name in holos.__all__
               if not re.search(rf"\b{name}\b", TEXT) and not hasattr(getattr(holos, name), "__path__")
               and type(getattr(holos, name)).__name__ != "module"]
    check(not missing, *missing)


@test
def every_public_thing_has_a_docstring():
    for name in holos.__all__:
        thing = getattr(holos, name)
        if name != "Report":  # another word for a dictionary
            check(thing.__doc__, name)
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            plain = callable(value) and not member.startswith("_")
            check(not plain or value.__doc__, name, member)


@test
def the_examples_in_docstrings_hold():
    equal(doctest.testmod(holos).failed, 0)


main()
