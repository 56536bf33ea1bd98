"""Keeping credentials of this machine out of what is drawn: their values are replaced before anything is shortened."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from toolgauge.core import Issue, JsonValue
from toolgauge.secrets import Secrets

__all__ = ["redact", "redact_issue", "redact_value"]


@cache
def _secrets() -> Secrets:
    return Secrets.from_environment()


def redact(text: str) -> str:
    """The text with a mark in the place of every credential of the environment."""
    return _secrets().redact(text)


def redact_value(value: JsonValue) -> JsonValue:
    """A JSON value likewise."""
    return _secrets().redact(value)


def redact_issue(issue: Issue) -> Issue:
    """An issue likewise."""
    if not len(_secrets()):
        return issue
    return replace(
        issue,
        tool=issue.tool and redact(issue.tool),
        argument=issue.argument and redact(issue.argument),
        want=redact_value(issue.want),
        got=redact_value(issue.got),
    )
