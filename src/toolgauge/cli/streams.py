"""Standard output and standard error, as they are when somebody closed them or the device is full.

A result that cannot be written is an error; a message that cannot be written is not, since nobody is there to read it.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import ClassVar, TextIO

__all__ = [
    "divert_output",
    "drop_output",
    "hide_in_messages",
    "messages",
    "open_streams",
    "regain_streams",
    "results_descriptor",
]

OUTPUT, MESSAGES = 1, 2
"""The numbers that the operating system knows the two streams by."""


_results: list[int] = []
"""The descriptor of what was standard output before it was diverted."""


_streams: list[TextIO] = []
"""Standard output and standard error as they were when code under test was about to run."""


class _Printed(io.TextIOWrapper):
    """What code under test prints to. It stays open, whoever closes it."""

    def close(self) -> None:
        """Write what is left, and stay open."""
        with suppress(OSError, ValueError):
            self.flush()


class _Messages(_Printed):
    """Standard error, on which a failure to write changes nothing."""

    hidden: ClassVar[Mapping[str, str]] = {}
    """What is not shown, with what is shown instead."""

    find_hidden: ClassVar[Callable[[], Mapping[str, str]] | None] = None
    """Finds that out, when there is something to write."""

    def write(self, text: str, /) -> int:
        find, _Messages.find_hidden = _Messages.find_hidden, None
        if find is not None:
            _Messages.hidden = find()
        for credential, shown in self.hidden.items():
            text = text.replace(credential, shown)
        try:
            return super().write(text)
        except OSError:
            return len(text)

    def flush(self) -> None:
        try:
            super().flush()
        except OSError:
            drop(MESSAGES)


def open_streams() -> None:
    """Put something in the place of streams that are closed, before a file that is opened gets their number."""
    while _results:
        os.close(_results.pop())  # of a command before this one, in the same process
    _streams.clear()
    if sys.stdout is None:
        # Reading from it would work and writing fails, so that a result that goes there is known to be lost.
        _take(OUTPUT, os.O_RDONLY)
        sys.stdout = open(OUTPUT, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - as below
    if sys.stderr is None:
        _take(MESSAGES, os.O_WRONLY)
    encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
    raw = open(MESSAGES, "wb", closefd=False)  # noqa: SIM115 - lives as long as the process
    sys.stderr = _Messages(raw, encoding, errors="backslashreplace", line_buffering=True)


def hide_in_messages(find: Callable[[], Mapping[str, str]]) -> None:
    """From now on, show something else instead of some texts in messages, which are found out when there is one."""
    _Messages.hidden, _Messages.find_hidden = {}, find


def regain_streams() -> bool:
    """Print where we did before, whatever code under test has put in the place of these streams.

    Returns:
        Whether code under test was run at all.
    """
    if _streams:
        sys.stdout, sys.stderr = _streams
    return bool(_streams)


def messages() -> TextIO:
    """Where messages go, also while code under test is running."""
    return _streams[1] if _streams else sys.stderr


def divert_output() -> None:
    """From now on, lead what code under test prints to standard error, so that results stay what they are.

    That holds for the processes it starts, too. Results go where standard output was.
    """
    if _results:
        return
    sys.stdout.flush()
    _results.append(os.dup(OUTPUT))
    os.dup2(MESSAGES, OUTPUT)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    raw = open(OUTPUT, "wb", closefd=False)  # noqa: SIM115 - lives as long as the process
    sys.stdout = _Printed(raw, encoding, errors="backslashreplace", line_buffering=True)
    _streams[:] = [sys.stdout, sys.stderr]


def results_descriptor() -> int:
    """The descriptor that results are written to."""
    return _results[0] if _results else sys.stdout.fileno()


def drop_output() -> None:
    """Let go of what is left to write on standard output, so that the interpreter does not try again at its end."""
    for number in (OUTPUT, *_results):
        drop(number)


def drop(number: int) -> None:
    """Lead a stream nowhere."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


def _take(number: int, mode: int) -> None:
    nowhere = os.open(os.devnull, mode)
    if nowhere != number:
        os.dup2(nowhere, number)
        os.close(nowhere)
