"""The option `--columns`, by which a person says what the columns of a suite as CSV mean."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

import click

from toolgauge.errors import UsageError

__all__ = ["columns_option"]

R = TypeVar("R")

_NEXT = re.compile(r",(?=\s*\w+\s*=)")
"""A heading may hold commas: only one that another meaning follows ends it."""


def columns_option(function: Callable[..., R]) -> Callable[..., R]:
    """Adds `--columns`, handed over as a mapping of meaning to heading."""
    return click.option(
        "--columns",
        multiple=True,
        metavar="MEANING=HEADING,...",
        callback=_read,
        help='Which column of a CSV suite means what: input="Question text",tools="Expected tools",id=No; also calls, '
        "args, contains, answer, answer_type, or the name of a label.",
    )(function)


def _read(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for part in (part for option in given for part in _NEXT.split(option)):
        meaning, _equals, heading = (text.strip() for text in part.partition("="))
        if not meaning or not heading:
            raise UsageError(f"--columns {part}: write MEANING=HEADING, such as input=Question")
        if meaning in columns:
            raise UsageError(f"--columns gives {meaning!r} twice, as {columns[meaning]!r} and as {heading!r}")
        columns[meaning] = heading
    return columns
