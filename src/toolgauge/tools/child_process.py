"""Processes in which tools and agents run apart from this one: started, spoken to in lines of JSON, and ended for good.

Nothing is pickled. Every line that such a process says begins with a secret word, so that nothing that code under test
writes into the pipe is taken for one. `tools/serving.py` is the other end.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from toolgauge.core import JsonValue

from .processes import child, descendants, kill

__all__ = ["LARGEST_MESSAGE", "ChildProcess", "Isolation", "decoded_line", "encoded_line"]

LARGEST_MESSAGE = 256 * 1024 * 1024
"""Bytes of what a process says at once."""

GRACE_SECONDS = 5.0
"""How long a process may take to end by itself, and to end what it left behind."""

PLAIN_VARIABLES = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR", "TEMP", "TMP", "LANG", "LANGUAGE"}
) | frozenset({"VIRTUAL_ENV", "LD_LIBRARY_PATH", "SYSTEMROOT", "COMSPEC", "PATHEXT"})
PLAIN_PREFIXES = ("LC_", "PYTHON")
"""The variables of the environment that every process gets. Keys are none of them."""


def _current_folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:
        return None  # it was removed


@dataclass(frozen=True, slots=True)
class Isolation:
    """What processes of tools and agents may have."""

    memory_bytes: int | None = None
    """How much memory a process may take; None: what the system allows."""
    variables: frozenset[str] = frozenset()
    """Variables of the environment that code sees besides plain ones such as PATH and HOME."""

    folder: str | None = field(default_factory=_current_folder)
    """Where a process begins, whatever folder code under test goes to in the meantime."""

    def environment(self, variables: Mapping[str, str]) -> dict[str, str]:
        """What code sees of an environment."""
        named = PLAIN_VARIABLES | self.variables
        return {name: value for name, value in variables.items() if name in named or name.startswith(PLAIN_PREFIXES)}


class ChildProcess:
    """A Python process that runs a module which serves what it is asked."""

    def __init__(self, process: asyncio.subprocess.Process, word: str) -> None:
        self._process = process
        self._beginning = f"{word} ".encode()

    @classmethod
    async def start(cls, module: str, target: str, isolation: Isolation) -> ChildProcess:
        """Start one.

        Args:
            module: The module that it runs.
            target: Where the code under test is, as `module:name`.
            isolation: What it may have.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # What the code prints goes where ours goes; the process leads its standard output there, too.
            stderr=None,
            limit=LARGEST_MESSAGE,
            # Ctrl-C in a terminal reaches all processes of its group, and what is in progress may still be finished.
            start_new_session=True,
            env=isolation.environment(os.environ),
            cwd=isolation.folder,
        )
        word = secrets.token_hex(16)
        settings: dict[str, JsonValue] = {"target": target, "memory": isolation.memory_bytes, "word": word}
        settings |= {"parent": os.getpid(), "path": list(sys.path)}
        started = cls(process, word)
        try:
            await started.send(settings)
        except (BrokenPipeError, ConnectionResetError):
            return started  # it has ended; whoever waits for it will see
        except BaseException:
            await started.end()
            raise
        return started

    @property
    def ended(self) -> bool:
        """Whether it is not there any more."""
        return self._process.returncode is not None

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        code = self._process.returncode
        if code is not None and code < 0:
            known = -code in {*signal.Signals}
            return f"was killed by {signal.Signals(-code).name if known else f'signal {-code}'}"
        return f"ended with exit code {code}"

    async def send(self, message: Mapping[str, JsonValue]) -> None:
        """Tell it something.

        Raises:
            BrokenPipeError, ConnectionResetError: It has ended.
        """
        assert self._process.stdin is not None  # noqa: S101 - a pipe
        self._process.stdin.write(encoded_line(message))
        await self._process.stdin.drain()

    async def receive(self) -> dict[str, JsonValue] | None:
        """What it says next, past anything else that stands in the pipe; None: it has ended.

        Raises:
            ValueError: That is too much.
        """
        assert self._process.stdout is not None  # noqa: S101 - a pipe
        while line := await self._process.stdout.readline():
            if line.startswith(self._beginning):
                return decoded_line(line[len(self._beginning) :])
        return None

    async def wait(self) -> None:
        """Wait until it has ended, which it is about to do; if it does not, end it."""
        try:
            await asyncio.wait_for(self._process.wait(), GRACE_SECONDS)
        except TimeoutError:
            await self.end()

    async def end(self) -> None:
        """End the process with all that it started, wherever that has gone.

        On Linux it looks after that itself, even if nobody waits for it here any more.
        """
        if self.ended:
            return
        if sys.platform.startswith("linux"):
            self._signal(signal.SIGTERM)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), GRACE_SECONDS)
                return
        for started in reversed(descendants(filter(None, [child(self._process.pid)]))):
            kill(started)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()

    def _signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            self._process.send_signal(number)


def encoded_line(message: Mapping[str, JsonValue]) -> bytes:
    """A message as a line. Half characters, which UTF-8 does not know, are kept."""
    try:
        return msgspec.json.encode(message) + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message).encode() + b"\n"


def decoded_line(line: bytes) -> dict[str, JsonValue]:
    """The message of a line.

    Raises:
        ValueError: It is none.
    """
    try:
        return msgspec.json.decode(line, type=dict[str, JsonValue])
    except msgspec.DecodeError:
        found: dict[str, JsonValue] = json.loads(line)
        return found
