"""Which tools a request is about, by the words that it shares with their names, descriptions and arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import log, sqrt

from toolgauge.core import JsonValue, ToolDefinition

from .lexical_words import content_words, is_vietnamese, terms

__all__ = ["choose", "ranked", "tells_today"]

LEAST = 0.75
"""A tool is taken from this share of the best similarity on."""

LEAST_SYLLABLES = 2
"""What stands between spaces in Vietnamese is a syllable, half a word; one in common is no sign of anything."""

CLOCK = frozenset(("time", "now", "date", "today", "clock", "ngay", "gio"))


def ranked(question: str, tools: Sequence[ToolDefinition]) -> list[tuple[ToolDefinition, float]]:
    """The tools with their similarity to the question, the most similar first; equal ones in their own order."""
    asked = terms(content_words(question))
    described = [terms(content_words(_described(tool))) for tool in tools]
    seen = Counter(term for one in described for term in one)
    rare = {term: log(1 + len(tools) / count) for term, count in seen.items()}
    least = LEAST_SYLLABLES if is_vietnamese(question) else 1
    found = [
        (tool, _likeness(asked, words, rare) if len(asked & words) >= least else 0.0)
        for tool, words in zip(tools, described, strict=True)
    ]
    return sorted(found, key=lambda one: -one[1])


def _likeness(asked: set[str], words: set[str], rare: Mapping[str, float]) -> float:
    """Shared words, each by how few tools have it; long descriptions share more by chance, and count less."""
    if not words:
        return 0.0
    # Summed in a fixed order, so that the last digit is the same every time.
    shared = sum(rare[term] for term in sorted(asked & words))
    return shared / sqrt(sum(rare[term] ** 2 for term in sorted(words)))


def choose(
    question: str,
    tools: Sequence[ToolDefinition],
    *,
    wanted: Sequence[str] = (),
    needs_today: bool = False,
    least: float = LEAST,
) -> list[ToolDefinition]:
    """The tools to call, in the order to call them.

    Args:
        question: What is asked.
        tools: What there is.
        wanted: Tools that are taken whatever their words.
        needs_today: Whether something counts from a day that is not known, so that a clock comes first.
        least: The share of the best similarity that is enough.
    """
    found = ranked(question, tools)
    best = found[0][1] if found else 0.0
    near = [tool for tool, likeness in found if (best > 0 and likeness >= least * best) or tool.name in wanted]
    clocks = [tool for tool in tools if tells_today(tool)] if needs_today else []
    return [*clocks, *(tool for tool in near if tool not in clocks)]


def tells_today(tool: ToolDefinition) -> bool:
    """Whether a tool looks like a clock: its name says so, and it wants nothing."""
    required = (tool.parameters or {}).get("required")
    return not required and bool(CLOCK & set(content_words(tool.name.replace("_", " "))))


def _described(tool: ToolDefinition) -> str:
    return " ".join((tool.name.replace("_", " "), tool.description, *_of_arguments(tool.parameters)))


def _of_arguments(parameters: Mapping[str, JsonValue] | None) -> Iterator[str]:
    properties = (parameters or {}).get("properties")
    for name, about in (properties if isinstance(properties, dict) else {}).items():
        yield name.replace("_", " ")
        if isinstance(about, dict):
            yield str(about.get("description") or "")
            options = about.get("enum")
            yield from map(str, options if isinstance(options, list) else ())
