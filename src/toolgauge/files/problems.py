"""Collecting what is wrong with a file, so that a person sees all of it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from toolgauge.errors import MOST_PROBLEMS, InputError, Problem

__all__ = ["Fault", "Locate", "Path", "Place", "Problems", "format_path", "shorten"]

Path: TypeAlias = tuple[str | int, ...]
"""Where a value is inside a document: keys and list positions from the outside in."""

Place: TypeAlias = tuple[int, int]
"""Line and column in a file, both from 1."""

Locate: TypeAlias = Callable[[Path, bool], Place | None]
"""Finds the place of a path, or of its last key where the flag is set."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong at a path of a document, before its place in the file is known."""

    path: Path
    what: str
    hint: str = ""
    at_key: bool = False
    """Whether the key itself is wrong, and not what it holds."""

    def problem(self, locate: Locate) -> Problem:
        """The same with its line and column."""
        line, column = locate(self.path, self.at_key) or (None, None)
        where = format_path(self.path)
        return Problem(f"{self.what}, at {where}" if where else self.what, line, column, self.hint)


def format_path(path: Path) -> str:
    """A path as people write it, such as `cases[3].expect.calls[0].tool`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif step.replace("-", "_").replace("$", "_").isidentifier():
            text += f".{step}" if text else step
        else:
            text += f"[{shorten(step)}]"
    return text


def shorten(value: object) -> str:
    """A value as it is shown in a message: quoted, and not too long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _order(problem: Problem) -> tuple[int, int]:
    return problem.line or 0, problem.column if isinstance(problem.column, int) else 0


class Problems:
    """The problems of one file. Collects one more than is shown, to know whether there are more."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[Problem] = []

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def full(self) -> bool:
        """Whether looking for more is of no use."""
        return len(self.found) > MOST_PROBLEMS

    def add(self, *problems: Problem) -> None:
        """Keep these too."""
        self.found.extend(problems)

    def add_faults(self, faults: Iterable[Fault], locate: Locate) -> None:
        """Keep faults of a document, with their places."""
        # No more are looked for than are kept: looking for one may take long.
        for fault in islice(faults, max(0, MOST_PROBLEMS + 1 - len(self.found))):
            self.found.append(fault.problem(locate))

    def raise_if_any(self) -> None:
        """Raise one error that lists everything, in the order of the file.

        Raises:
            InputError: Something was found.
        """
        if self.found:
            self.found.sort(key=_order)
            raise InputError(self.source, self.found)
