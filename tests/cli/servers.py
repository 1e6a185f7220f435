# SPDX-License-Identifier: MIT
"""Real servers for the tests of stores: a private PostgreSQL cluster and the Bigtable emulator, on loopback. Each is started when
it is first asked for and stopped at the end. What is not installed raises Skip, with the reason.
"""
import atexit
import ctypes
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from tap import Skip

EMULATORS = ("/usr/lib/google-cloud-sdk/platform/bigtable-emulator/cbtemulator",
             "/usr/lib/google-cloud-sdk/bin/cbtemulator", "/opt/google-cloud-sdk/platform/bigtable-emulator/cbtemulator")
PATIENCE = 120  # seconds until a server must answer; the machine may be busy


def die_with_us():
    """In a new server: it ends when this program does, however that ends (PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


def _end(_number, _frame):
    sys.exit(143)  # what is registered for the end is done


signal.signal(signal.SIGTERM, _end)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def wait_for(done, what):
    end = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > end:
            raise RuntimeError(f"{what} does not answer")
        time.sleep(0.05)


class Postgres:
    """A cluster of its own, in a folder that goes away; `place` is where that is made."""

    def __init__(self, place=None):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        program = shutil.which("initdb") or (found[-1] if found else None)
        if program is None:
            raise Skip("PostgreSQL is not installed (scripts/setup --with postgres)")
        self.bin = os.path.dirname(os.path.realpath(program))
        self.folder = tempfile.mkdtemp(prefix="holos_postgres_", dir=place)
        self.port, self.process = free_port(), None
        self.user = {}
        if os.getuid() == 0:  # the server refuses to run as root
            entry = pwd.getpwnam("postgres")
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        atexit.register(self.remove)
        self._run("initdb", "-D", self.data, "-U", "holos", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C")
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="ascii") as f:
            f.write(f"listen_addresses = '127.0.0.1'\nport = {self.port}\nunix_socket_directories = ''\n"
                    "fsync = off\nmax_wal_size = 4GB\nshared_buffers = 256MB\n")
        self.start()

    @property
    def data(self):
        return os.path.join(self.folder, "data")

    def _run(self, program, *args, check=True):
        done = subprocess.run([os.path.join(self.bin, program), *args], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, **self.user)
        if check and done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stdout.decode()} {done.stderr.decode()}")
        return done

    def start(self):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen([os.path.join(self.bin, "postgres"), "-D", self.data], cwd=self.folder,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=die_with_us, **self.user)
        wait_for(self.answers, "PostgreSQL")

    def answers(self):
        return self._run("pg_isready", "-h", "127.0.0.1", "-p", str(self.port), check=False).returncode == 0

    def stop(self):
        """At once, as if the machine had lost its power."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()

    def url(self, schema, **parameters):
        more = "".join(f"&{name}={value}" for name, value in parameters.items())
        return f"postgres://holos@127.0.0.1:{self.port}/postgres?schema={schema}{more}"

    def sql(self, schema, statement):
        """What psql prints."""
        done = subprocess.run([os.path.join(self.bin, "psql"), "-h", "127.0.0.1", "-p", str(self.port), "-U", "holos", "-X", "-A", "-t",
                               "-v", "ON_ERROR_STOP=1", "-c", f"SET search_path TO {schema}", "-c", statement, "postgres"],
                              capture_output=True, check=True)
        return done.stdout.decode().split("\n", 1)[1].strip()

    def remove(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Bigtable:
    """The emulator, which keeps everything in memory."""

    def __init__(self):
        program = os.environ.get("HOLOS_BIGTABLE_EMULATOR") or shutil.which("cbtemulator") or next(
            (path for path in EMULATORS if os.path.exists(path)), None)
        if program is None:
            raise Skip("the Bigtable emulator (cbtemulator, of the Google Cloud command-line tools) is not installed")
        self.program, self.port, self.process = program, free_port(), None
        atexit.register(self.stop)
        self.start()

    def start(self):
        self.process = subprocess.Popen([self.program, "--host=127.0.0.1", f"--port={self.port}"], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=die_with_us)
        wait_for(self.answers, "the Bigtable emulator")

    def answers(self):
        with socket.socket() as s:
            return s.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def url(self, table, **parameters):
        more = "&".join(f"{name}={value}" for name, value in parameters.items())
        return f"bigtable://project/instance/{table}" + ("?" + more if more else "")


_started = {}


def server(kind):
    """The one of this test program."""
    if kind not in _started:
        _started[kind] = kind()
    return _started[kind]
