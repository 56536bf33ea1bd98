"""Starts commands from a process in which toolgauge is imported already: a fork each, not a new interpreter each.

A command that is started here is a process like any other, with streams, a working directory, an environment and an
ending of its own; only the time that it takes to import toolgauge is spent once. This file is also the program of the
prepared process: it gets requests over a socket and forks a watcher for each, which forks the command, and writes down
its process id and how it ended.
"""

from __future__ import annotations

import gc
import json
import locale
import os
import pkgutil
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypedDict

__all__ = ["PreparedProcess"]

NOT_BEFOREHAND = ("toolgauge.__main__", "toolgauge.pytest_plugin")

OPTIONAL = (
    *("dateparser", "httpx2", "mcp", "numpy", "obstore", "openpyxl", "psycopg", "psycopg_pool", "pyarrow"),
    *("pydantic_ai", "ray", "zstandard"),
)
"""Libraries of the extras: large, and not needed by most commands."""


class Request(TypedDict):
    """What is to be run."""

    arguments: list[str]
    cwd: str
    environment: dict[str, str]


class PreparedProcess:
    """The prepared process, as tests see it. It ends with the process that made it."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONUTF8": "1"}
        self._variables = _interpreter_variables(environment)
        self._requests, theirs = socket.socketpair()
        with closing(theirs):
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                cwd=Path(__file__).parents[2],
                env=environment,
            )

    def close(self) -> None:
        """End it."""
        self._requests.close()
        self._process.wait()

    def suits(self, environment: Mapping[str, str]) -> bool:
        """Whether an interpreter that is started in this environment would be set up in the same way."""
        return self._process.poll() is None and _interpreter_variables(environment) == self._variables

    def run(
        self, arguments: Sequence[str], cwd: Path | None, environment: dict[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run `toolgauge` with the arguments, as `subprocess.run` would do."""
        request = Request(arguments=[*arguments], cwd=str(Path(cwd or ".").absolute()), environment=environment)
        with ExitStack() as stack:
            asked = stack.enter_context(tempfile.TemporaryFile())
            asked.write(json.dumps(request).encode())
            asked.seek(0)
            ends: list[int] = []
            sent = [asked.fileno()]
            for _ in range(3):
                reading, writing = os.pipe()
                stack.callback(os.close, reading)
                ends.append(reading)
                sent.append(writing)
            try:
                socket.send_fds(self._requests, [b"+"], sent)
            finally:
                for writing in sent[1:]:
                    os.close(writing)
            output, errors, ending = _read_all(ends, timeout, arguments)
        return subprocess.CompletedProcess(
            ["toolgauge", *arguments], int(ending.split()[1]), _as_text(output), _as_text(errors)
        )


def _interpreter_variables(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that the interpreter itself reads, but for the path, which can be set later."""
    return {name: value for name, value in environment.items() if name.startswith("PYTHON") and name != "PYTHONPATH"}


def _as_text(data: bytes) -> str:
    return data.decode().replace("\r\n", "\n").replace("\r", "\n")


def _read_all(ends: Sequence[int], timeout: float, arguments: Sequence[str]) -> list[bytes]:
    """What comes out of the pipes until they are closed; the last one begins with a process id."""
    until = time.monotonic() + timeout
    read = dict.fromkeys(ends, b"")
    with selectors.DefaultSelector() as selector:
        for end in ends:
            selector.register(end, selectors.EVENT_READ)
        while selector.get_map():
            for key, _ in selector.select(max(0, until - time.monotonic())):
                data = os.read(key.fd, 1 << 16)
                read[key.fd] += data
                if not data:
                    selector.unregister(key.fd)
            if time.monotonic() > until:
                os.kill(int(read[ends[-1]].split()[0]), signal.SIGKILL)
                raise subprocess.TimeoutExpired(["toolgauge", *arguments], timeout)
    return [*read.values()]


def serve(requests: socket.socket) -> Request:
    """Fork a process for every request, in which this returns; the prepared process ends with those who ask."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the watchers
    while True:
        begun, descriptors, _, _ = socket.recv_fds(requests, 1, 4)
        if not begun:
            os._exit(0)
        if os.fork() == 0:
            break
        for descriptor in descriptors:
            os.close(descriptor)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    requests.close()
    asked, output, errors, ending = descriptors
    pid = os.fork()
    if pid:
        _watch(pid, output, errors, ending)
    os.close(ending)
    for ours, standard in ((output, 1), (errors, 2)):
        os.dup2(ours, standard)
        os.close(ours)
    with os.fdopen(asked) as stream:
        request: Request = json.load(stream)
    return request


def _watch(pid: int, output: int, errors: int, ending: int) -> None:
    """Write the process id, wait for the end of the process, and write how it ended."""
    os.close(output)
    os.close(errors)
    os.close(1)
    os.close(2)
    os.write(ending, f"{pid} ".encode())
    _, status = os.waitpid(pid, 0)
    os.write(ending, str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def become(request: Request) -> None:
    """Turn this process into one that was started like that."""
    path_before = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["cwd"])
    with suppress(locale.Error):  # as the interpreter does
        locale.setlocale(locale.LC_CTYPE, "")
    time.tzset()
    rest = [entry for entry in sys.path[1:] if entry not in path_before]
    extra = [entry for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    sys.path[:] = [request["cwd"], *extra, *rest]
    sys.path_importer_cache.clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "tests"]:
        del sys.modules[name]
    sys.argv = ["toolgauge", *request["arguments"]]


def import_beforehand() -> None:
    """Import toolgauge, but for what needs libraries that most commands do without."""
    import toolgauge

    absent = [name for name in OPTIONAL if name not in sys.modules]
    sys.modules.update(dict.fromkeys(absent))  # type: ignore[arg-type]  # None means: cannot be imported
    _import_modules_of(toolgauge, absent)
    for name in absent:
        del sys.modules[name]
    gc.collect()
    gc.freeze()


def _import_modules_of(package: ModuleType, absent: Sequence[str]) -> None:
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name in NOT_BEFOREHAND:
            continue
        try:
            module = import_module(found.name)
        except ImportError as error:
            if (error.name or "").partition(".")[0] not in absent:
                raise
        else:
            if found.ispkg:
                _import_modules_of(module, absent)


if __name__ == "__main__":
    import_beforehand()
    become(serve(socket.socket(fileno=int(sys.argv[1]))))
    runpy.run_module("toolgauge", run_name="__main__", alter_sys=True)
