"""Errors, notes, progress and help in the language of whoever reads them.

Code says what it has to say in English, where it stands. That text with its places numbered, `there is no case {0!r};
{1}`, is the key under which a file of `messages/` has the same in another language. A message is translated where it is
printed, by finding the template that it was made from: what was filled in is filled in again, and is translated itself
where it is made of a template too, such as a hint. A text that no template fits stays as it is.

Nothing here is read or compiled for English.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from string import Formatter

from . import _FOLDER, DEFAULT, LANGUAGES, Lang, language

__all__ = ["click_words", "say", "speak", "spoken", "translated"]

MAX_LENGTH = 4000
"""Longer texts are data: they are not looked through for messages."""

SEPARATORS = ("; ", ": ")
"""What stands between messages that were put together: a place and a fault, a fault and a hint."""

TELLING = 4
"""A word of so many letters, at the beginning, makes a message of what follows."""

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|[-\w.]+|[\[({].*?[\])}]"
_NUMBER = re.compile(r"[\d.,]+")
_WORD = re.compile(r"[^\W\d_]{2,}")

_chosen: Lang | None = None


def speak(lang: Lang | None) -> None:
    """Say everything in this language from now on; None is that of the environment."""
    global _chosen
    _chosen = lang


def spoken() -> Lang:
    """The language in which messages are printed."""
    return language() if _chosen is None else _chosen


def say(text: str) -> str:
    """A message in the language that is spoken."""
    return translated(text, spoken())


@lru_cache(maxsize=1024)
def translated(text: str, lang: Lang) -> str:
    """A message in another language; what there are no words for stays in English.

    Args:
        text: A message as the code makes it, of one or more lines.
        lang: One of `LANGUAGES`.
    """
    if lang == DEFAULT or lang not in LANGUAGES:
        return text
    return _templates(lang).translate(text)


def click_words(lang: Lang) -> Mapping[str, str]:
    """What click says itself, by the English text."""
    return {} if lang == DEFAULT else _read(f"click.{lang}.json")


@dataclass(frozen=True, slots=True)
class _Found:
    """A text in another language."""

    text: str
    understood: int
    """How many letters of it were in words of ours."""


@dataclass(frozen=True)
class _Template:
    """A message with places, and the same in another language."""

    literals: tuple[str, ...]
    """The texts before, between and behind the places."""
    quoted: tuple[bool, ...]
    """Which places hold quoted values: these are data, and are never translated."""
    meant: str

    @property
    def weight(self) -> int:
        return sum(map(len, self.literals))

    @cached_property
    def weak(self) -> bool:
        """Whether its own words are too few to tell a message from data."""
        words = [word for text in self.literals for word in _WORD.findall(text)]
        if len(words) > 1 or any(self.quoted):
            return False
        return not self.literals[0] or not words or len(words[0]) < TELLING

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        first, *others = self.literals
        parts = [re.escape(first)]
        for quoted, literal in zip(self.quoted, others, strict=True):
            parts.append(f"({_QUOTED})" if quoted else "(.*?)")
            parts.append(re.escape(literal))
        return re.compile("".join(parts), re.S)

    def may_fit(self, text: str) -> bool:
        """Whether the words are there in this order; rules out nearly all templates without compiling them."""
        if not text.startswith(self.literals[0]) or not text.endswith(self.literals[-1]):
            return False
        at = 0
        for literal in self.literals:
            at = text.find(literal, at)
            if at < 0:
                return False
            at += len(literal)
        return True


class _Templates:
    """The messages of one language."""

    def __init__(self, messages: Mapping[str, str]) -> None:
        self._exact: dict[str, str] = {}
        found: list[_Template] = []
        for english, meant in messages.items():
            pieces = list(Formatter().parse(english))
            literals = [literal for literal, name, _, _ in pieces]
            quoted = tuple(conversion == "r" for _, name, _, conversion in pieces if name is not None)
            if not quoted:
                self._exact["".join(literals)] = meant.replace("{{", "{").replace("}}", "}")
            else:
                behind = [] if pieces[-1][1] is None else [""]
                found.append(_Template((*literals, *behind), quoted, meant))
        self._templates = sorted(found, key=lambda template: -template.weight)
        self._known: dict[str, _Found | None] = {}
        """The parts of the text at hand that were looked up already."""

    def translate(self, text: str) -> str:
        """The text with every message in it that is known."""
        self._known.clear()
        if "\n" in text.strip() and len(text) <= MAX_LENGTH and (whole := self._look_up(text, several_lines=True)):
            return whole.text
        return "\n".join(self._line(line) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        found = self._look_up(line) if len(line) <= MAX_LENGTH else None
        return line if found is None else found.text

    def _look_up(self, text: str, *, several_lines: bool = False) -> _Found | None:
        """What a text means, whole or else in parts; one of several lines only if a template has them all."""
        inner = text.strip()
        if not inner:
            return None
        if several_lines:
            found = next(self._fitting(inner, weak=False, several_lines=True), None)
        else:
            if inner not in self._known:
                self._known[inner] = None  # for a text that is a part of itself
                self._known[inner] = self._whole(inner) or self._best(inner)
            found = self._known[inner]
        if found is None:
            return None
        start = text.index(inner)
        return _Found(text[:start] + found.text + text[start + len(inner) :], found.understood)

    def _whole(self, text: str) -> _Found | None:
        """What a text means that one template has made."""
        if text in self._exact:
            return _Found(self._exact[text], len(text))
        return next(self._fitting(text, weak=False), None)

    def _best(self, text: str) -> _Found | None:
        """The reading of which most is understood: by a template of few words, or as messages put together."""
        readings = [*self._fitting(text, weak=True), *self._put_together(text)]
        return max(readings, key=lambda one: one.understood, default=None)

    def _fitting(self, text: str, *, weak: bool, several_lines: bool = False) -> Iterator[_Found]:
        for template in self._templates:
            if several_lines and not any("\n" in literal for literal in template.literals):
                continue
            if template.may_fit(text) and template.weak == weak and (match := template.pattern.fullmatch(text)):
                filled = self._fill(template, match.groups())
                if filled is not None:
                    yield filled

    def _fill(self, template: _Template, values: tuple[str, ...]) -> _Found | None:
        said = list(values)
        understood = 0
        for number, (value, quoted) in enumerate(zip(values, template.quoted, strict=True)):
            if not quoted and (found := self._look_up(value)):
                said[number] = found.text
                understood += found.understood
        if template.weak and not understood and not all(map(_NUMBER.fullmatch, values)):
            return None
        return _Found(template.meant.format(*said), understood + template.weight)

    def _put_together(self, text: str) -> Iterator[_Found]:
        """Two messages with something between them, or a message behind the place that it is about."""
        for head, separator, tail, end in _splits(text):
            before, after = self._look_up(head), self._look_up(tail)
            if before or after:
                meant = (before.text if before else head) + separator + (after.text if after else tail) + end
                yield _Found(meant, sum(one.understood for one in (before, after) if one))


def _splits(text: str) -> Iterator[tuple[str, str, str, str]]:
    for separator in SEPARATORS:
        at = text.find(separator)
        while at >= 0:
            yield text[:at], separator, text[at + len(separator) :], ""
            at = text.find(separator, at + 1)
    at = text.rfind(" (")
    if at >= 0 and text.endswith(")"):
        yield text[:at], " (", text[at + 2 : -1], ")"


@cache
def _templates(lang: Lang) -> _Templates:
    return _Templates(_read(f"{lang}.json"))


@cache
def _read(name: str) -> dict[str, str]:
    import msgspec

    path = os.path.join(_FOLDER, "messages", name)
    if not os.path.exists(path):
        return {}
    with open(path, "rb") as stream:
        return msgspec.json.decode(stream.read(), type=dict[str, str])
