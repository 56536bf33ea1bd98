"""What a system that scores can be sent to looks like from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from urllib.parse import unquote

from toolgauge.errors import UsageError

from .evaluation import Evaluation

__all__ = ["ExportTarget", "header_list", "variable"]


class ExportTarget(Protocol):
    """A system that scores can be sent to."""

    @property
    def name(self) -> str:
        """What it is called on the command line."""

    @property
    def address(self) -> str:
        """Where it is, without credentials."""

    def takes(self, evaluation: Evaluation) -> bool:
        """Whether it can have such a thing: not where its trace is of a kind that it does not know."""

    def send(self, evaluations: Sequence[Evaluation]) -> None:
        """Send evaluations. Each counts once, however often it is sent.

        Raises:
            DeliveryError: Not all of them were delivered; some may have been.
        """

    def close(self) -> None:
        """Let go of connections."""


def variable(environment: Mapping[str, str], *names: str, default: str = "") -> str:
    """The first of these variables that says something."""
    return next((found for name in names if (found := environment.get(name, "").strip())), default)


def header_list(environment: Mapping[str, str], *names: str) -> dict[str, str]:
    """Headers as variables write them: `name=value,name=value`, with `%20` for a blank.

    Raises:
        UsageError: They cannot be read. Their values are not in the message.
    """
    read: dict[str, str] = {}
    for name in names:
        for item in filter(None, map(str.strip, environment.get(name, "").split(","))):
            key, equals, value = item.partition("=")
            filled = unquote(value.strip())
            if not equals or not key.strip().isascii() or not (filled.isascii() and filled.isprintable()):
                raise UsageError(f"{name}: write name=value pairs, separated by commas")
            read[key.strip()] = filled
    return read
