"""The exceptions that toolgauge raises.

    ToolgaugeError            anything toolgauge says no to; exit 2
    ├── InputError            a file that cannot be used: where, what is wrong, what to do; exit 2
    ├── UsageError            options or arguments that do not fit together; exit 2
    ├── PluginError           a part of another package that is not there, or does not work; exit 2
    ├── ModelError            a model that did not answer, after every try that was worth making; exit 3
    ├── StoreError            a store of runs that cannot be used: damaged, locked, too new; exit 3
    │   ├── StoreLost         one that was removed or replaced while it was written; exit 3
    │   └── TrialTaken        a trial that another process has taken over; exit 3
    ├── ClusterError          a cluster that cannot be reached, or loses what it was given; exit 3
    ├── NothingToDo           an empty suite, a filter that matches nothing; exit 5
    └── OutputError           a result that could not be written; exit 3

Any other exception that reaches the command line is a fault of toolgauge itself; exit 70.

A failing agent, tool or scorer is not an exception but a value. These are for a person who has to change something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

__all__ = [
    "INCOMPLETE",
    "ClusterError",
    "InputError",
    "ModelError",
    "NothingToDo",
    "OutputError",
    "PluginError",
    "Problem",
    "StoreError",
    "StoreLost",
    "ToolgaugeError",
    "TrialTaken",
    "UsageError",
    "did_you_mean",
]

INCOMPLETE = 3
"""Exit code of a command whose result is not all that was asked for."""

MOST_PROBLEMS = 10
"""How many problems of one file are listed at once."""


class ToolgaugeError(Exception):
    """Base class of all deliberate errors; knows the exit code of the command line."""

    exit_code: ClassVar[int] = 2


class UsageError(ToolgaugeError):
    """Options or arguments that do not fit together."""


class PluginError(ToolgaugeError):
    """A part that another package brings is not there, cannot be imported, or failed."""


class ModelError(ToolgaugeError):
    """A model did not answer. To a run this is data about a trial, unless no trial can do better."""

    exit_code = INCOMPLETE

    def __init__(self, message: str, *, kind: str, status: int | None = None, fatal: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        """Rate limited, server error, refused, redirected, unauthorised, connection, timeout, invalid response or not
        recorded, in small letters."""
        self.status = status
        """The HTTP status, where there was one."""
        self.fatal = fatal
        """Whether no other request can do better: the key is wrong, the model is not there."""


class AgentUnreachable(ToolgaugeError):  # noqa: N818 - a statement reads better than an error's name
    """The server of an agent has never replied and cannot be reached: no trial can do better."""

    exit_code = INCOMPLETE


class StoreError(ToolgaugeError):
    """A store of runs cannot be used."""

    exit_code = INCOMPLETE


class StoreLost(StoreError):  # noqa: N818 - a statement reads better than an error's name
    """The file of a store is not where it was when it was opened.

    What was written can still be read by those who opened it before.
    """


class TrialTaken(StoreError):  # noqa: N818 - a statement reads better than an error's name
    """A trial that was to be kept is another process's by now. Nothing is lost: that one keeps it, or has."""


class ClusterError(ToolgaugeError):
    """A cluster of workers cannot be reached, or has lost what it was given to do."""

    exit_code = INCOMPLETE


class NothingToDo(ToolgaugeError):  # noqa: N818 - a statement reads better than an error's name
    """There is nothing to score, run or show."""

    exit_code = 5


class OutputError(ToolgaugeError):
    """A result that could not be written."""

    exit_code = INCOMPLETE


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file."""

    what: str
    """What is wrong, in a sentence without a final stop."""
    line: int | None = None
    """Line in the file, from 1."""
    column: int | str | None = None
    """Column in the line, from 1, or the name of a CSV column."""
    hint: str = ""
    """What to do about it."""

    def describe(self, source: str) -> str:
        """One line that says where, what and what to do."""
        place = source
        if self.line is not None:
            place += f":{self.line}"
            if isinstance(self.column, int):
                place += f":{self.column}"
        if isinstance(self.column, str):
            place = f"{place}, column {self.column!r}"
        return f"{place}: {self.what}" + (f"; {self.hint}" if self.hint else "")


class InputError(ToolgaugeError):
    """A file that cannot be used, with every problem found in it (at most ten)."""

    def __init__(self, source: str, problems: Problem | Sequence[Problem]) -> None:
        self.source = source
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        shown = [problem.describe(source) for problem in self.problems[:MOST_PROBLEMS]]
        if len(self.problems) > MOST_PROBLEMS:
            shown.append(f"{source}: and more; these are the first {MOST_PROBLEMS}")
        super().__init__("\n".join(shown))


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """A hint with the nearest known word, or the known words where there are few, or nothing."""
    from difflib import SequenceMatcher, get_close_matches
    from itertools import takewhile

    def likeness(other: str) -> float:
        """A common beginning counts a little more than letters that are the same further on."""
        begins_alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
        return SequenceMatcher(None, word, other).ratio() + begins_alike / len(other) / 10

    near = get_close_matches(word, known, n=5, cutoff=0.6)
    if near:
        return f"did you mean {max(near, key=likeness)!r}?"
    return f"known here: {', '.join(known)}" if 0 < len(known) <= 12 else ""
