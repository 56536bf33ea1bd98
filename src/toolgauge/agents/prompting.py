"""What agents and judges tell a model, in the language of the case: texts and phrases from the files in `prompts`.

A language is the files that end in its name: one text for each part of the work, and `phrases`, which are said on the
way. A case in a language that has none is spoken about in English.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TypeAlias

import msgspec

from toolgauge.core import Case

__all__ = ["Language", "language_of", "opening", "phrase", "prompt_of"]

Language: TypeAlias = str
"""The language that a model is spoken to in, such as `en`."""

DEFAULT: Language = "en"

ANSWERING = frozenset({"tools", "react", "react-text", "reflexion-act", "rewoo-solve", "multi-solve"})
"""The parts of the work that end in the final answer."""

_FOLDER = files("toolgauge.agents") / "prompts"


def language_of(case: Case) -> Language:
    """The language to speak about a case; English where the case does not say."""
    return case.locale if case.locale is not None and case.locale in _languages() else DEFAULT


def prompt_of(part: str, case: Case) -> str:
    """The text for a part of the work, such as `tools` or `judge`."""
    return _read(f"{part}.{language_of(case)}.txt")


def opening(agent: str, case: Case, own: str | None = None) -> str:
    """The system prompt.

    Args:
        agent: Whose file it is, such as `tools`.
        case: The case, which may say what day it is, and how an answer ends.
        own: Words in place of the file.
    """
    words = prompt_of(agent, case) if own is None else own
    if case.now is not None:
        words = f"{words}\n\n{phrase(language_of(case), 'today').format(day=case.now)}"
    if agent in ANSWERING and case.settings is not None and case.settings.answer_line:
        words = f"{words}\n\n{phrase(language_of(case), 'answer_line')}"
    return words


def phrase(language: Language, key: str) -> str:
    """What is said to a model on the way, with places to fill."""
    return _phrases(language)[key]


@cache
def _languages() -> frozenset[Language]:
    names = (file.name for file in _FOLDER.iterdir())
    return frozenset(name.split(".")[1] for name in names if name.startswith("phrases."))


@cache
def _phrases(language: Language) -> dict[str, str]:
    return msgspec.json.decode(_read(f"phrases.{language}.json"), type=dict[str, str])


@cache
def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8").strip()
