#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes text files as C strings, so that a benchmark needs no files: embed.py OUT.h FILE..."""
import os
import sys

with open(sys.argv[1], "w", encoding="utf-8") as out:
    for path in sys.argv[2:]:
        name = os.path.splitext(os.path.basename(path))[0].replace("-", "_")
        with open(path, encoding="utf-8") as file:
            data = file.read().encode()
        out.write(f"static const char {name}[] = {{{','.join(map(str, data))},0}};\n")
