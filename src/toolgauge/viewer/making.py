"""Making a case of what was seen: a question that came up, with what is right about it, for a suite file.

The file is named when the viewer is started, never by a page.
"""

from __future__ import annotations

import os
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from toolgauge.errors import UsageError
from toolgauge.suites.extend import add_case, case_of_trajectory

from .view import RunView

__all__ = ["CaseMaker"]


class Wanted(Struct, forbid_unknown_fields=True):
    """What a case is made of."""

    case: str
    agent: str
    trial: int
    expect: Literal["trajectory", "case"] = "trajectory"
    """What it expects: what the agent did here, which somebody found right; or what the case expects already."""


class CaseMaker:
    """Writes cases into one suite file."""

    def __init__(self, path: str | None) -> None:
        """Name the file; None: no case can be made."""
        self._path = path

    @property
    def shown(self) -> str | None:
        """The file, as a page names it."""
        return None if self._path is None else os.path.basename(self._path)

    def make(self, view: RunView, asked: bytes) -> dict[str, str]:
        """Write a case.

        Args:
            view: The run that it comes from.
            asked: What it is made of, as JSON.

        Raises:
            UsageError: There is no file to write to, or no such trajectory.
        """
        wanted = msgspec.json.decode(asked, type=Wanted)
        if self._path is None:
            raise UsageError("no file for cases was named; start the viewer with --cases FILE")
        found = view.case(wanted.case)
        for item in () if found is None else found[2]:
            if (item.score.agent, item.score.trial) == (wanted.agent, wanted.trial):
                assert found is not None  # noqa: S101 - there was something to look through
                made = case_of_trajectory(found[1], item.trajectory) if wanted.expect == "trajectory" else found[1]
                suite = view.origin.open().header.suite
                return {"id": add_case(self._path, replace(made, reviewed=True), suite), "file": str(self.shown)}
        raise UsageError("there is no such trajectory in this run")
