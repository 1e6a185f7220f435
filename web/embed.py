#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds the page with npm and puts its files, compressed, into one blob that the program includes.

usage: embed.py --list                          names the sources of the page
       embed.py --try|--required HEADER BLOB    builds it; --try: without npm, the header says why there is none
       embed.py --without HEADER BLOB           does not build it

What npm installs is kept in web/node_modules, once for all build folders. Nothing is fetched unless
package-lock.json has changed.
"""
import fcntl
import gzip
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

WEB = pathlib.Path(__file__).resolve().parent
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".svg": "image/svg+xml", ".json": "application/json", ".png": "image/png", ".webmanifest": "application/manifest+json"}


class NoPage(Exception):
    """Says why the page cannot be built."""


def sources():
    found = [WEB / name for name in ("embed.py", "index.html", "package.json", "package-lock.json", "svelte.config.js",
                                     "tsconfig.json", "vite.config.ts")]
    for folder in ("src", "public"):
        found += sorted(p for p in (WEB / folder).rglob("*") if p.is_file())
    return [p for p in found if p.exists()]


def run(*command):
    done = subprocess.run(command, cwd=WEB, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env={**os.environ, "NO_COLOR": "1", "CI": "1"})
    return done.returncode, done.stdout


def install():
    """node_modules as package-lock.json says."""
    stamp = WEB / "node_modules" / ".holos"
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    if shutil.which("npm") is None:
        raise NoPage("npm was missing when it was built")
    status, said = run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
    if status != 0:
        sys.stderr.write(said)
        raise NoPage("npm could not install what the page needs when it was built")
    stamp.write_text(wanted)


def build(folder):
    if shutil.which("node") is None:
        raise NoPage("node was missing when it was built")
    with open(__file__, "rb") as lock:  # several build folders may build at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        install()
        status, said = run("node", "node_modules/vite/bin/vite.js", "build", "--outDir", folder, "--emptyOutDir",
                           "--logLevel", "warn")
    if status != 0:
        sys.stderr.write(said)
        raise NoPage("vite failed when it was built")
    return sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file())


def embed(files, folder, blob_path):
    """The blob, and the header that says what is where in it."""
    blob, rows = b"", []
    for path in files:
        name = "/" + path.relative_to(folder).as_posix()
        data = gzip.compress(path.read_bytes(), 9, mtime=0)
        lasting = "true" if name.startswith("/assets/") else "false"
        rows.append(f'    PAGE_FILE("{name}", "{TYPES[path.suffix]}", {len(blob)}, {len(data)}, {lasting})')
        blob += data + b"\0" * (-len(data) % 16)
    digest = hashlib.sha256(blob).hexdigest()[:16]
    return blob, f'/* {digest} */\n#define PAGE_BLOB "{blob_path}"\n#define PAGE_FILES \\\n' + " \\\n".join(rows) + "\n"


def main():
    if sys.argv[1] == "--list":
        print(" ".join(str(p) for p in sources()))
        return
    mode, header, blob_path = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    blob = b""
    try:
        if mode == "--without":
            raise NoPage("it was left out when it was built")
        with tempfile.TemporaryDirectory() as folder:
            blob, text = embed(build(folder), folder, blob_path)
    except NoPage as reason:
        if mode == "--required":
            sys.exit(f"embed.py: no page: {reason}")
        text = f'#define PAGE_MISSING "{reason}"\n'
    blob_path.write_bytes(blob)
    header.write_text("/* SPDX-License-Identifier: MIT */\n" + text, encoding="utf-8")


main()
