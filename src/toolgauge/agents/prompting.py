"""What an agent tells a model before the question, in the language of the case."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Literal, TypeAlias

from toolgauge.core import Case

__all__ = ["Language", "language_of", "opening"]

Language: TypeAlias = Literal["en", "vi"]

_TODAY: dict[Language, str] = {"en": "Today is {day}.", "vi": "Hôm nay là ngày {day}."}


def language_of(case: Case) -> Language:
    """The language to speak about a case; English where the case does not say."""
    return case.locale or "en"


def opening(agent: str, case: Case, own: str | None = None) -> str:
    """The system prompt.

    Args:
        agent: Whose file it is, such as `tools`.
        case: The case, which may say what day it is.
        own: Words in place of the file.
    """
    language = language_of(case)
    words = _read(f"{agent}.{language}.txt") if own is None else own
    return words if case.now is None else f"{words}\n\n{_TODAY[language].format(day=case.now)}"


@cache
def _read(name: str) -> str:
    return (files("toolgauge.agents") / "prompts" / name).read_text(encoding="utf-8").strip()
