"""Where the cases of a suite stand: in which file, at which line."""

from __future__ import annotations

import os
from collections.abc import Iterable

from toolgauge.core import PathLike, Suite
from toolgauge.errors import ToolgaugeError

from .load import find_lines, load_suite

__all__ = ["case_lines", "suite_file"]


def suite_file(suite: Suite | PathLike) -> str | None:
    """What is kept of the place of a suite: its path from the current folder, if it is a file somewhere below it."""
    if isinstance(suite, Suite) or not os.path.isfile(suite):
        return None
    path = os.path.relpath(os.path.realpath(suite), os.path.realpath(os.curdir))
    return None if path.split(os.sep)[0] == os.pardir or os.path.isabs(path) else path


def case_lines(path: PathLike, cases: Iterable[str]) -> dict[str, int]:
    """By their ids the lines in which cases begin, as far as the file still has them.

    Args:
        path: The file of a suite.
        cases: The ids.
    """
    try:
        suite = load_suite(path)
    except (ToolgaugeError, OSError):
        return {}  # the file was changed, or cannot be read without what was said when it was
    wanted = set(cases)
    parts = {case.id: ("cases", index) for index, case in enumerate(suite.cases) if case.id in wanted}
    try:
        lines = find_lines(path, parts.values())
    except (ToolgaugeError, OSError):
        return {}
    return {case: lines[part] for case, part in parts.items() if part in lines}
