"""The parts of a report that are mostly words: the opening, the ground truth, the method and the notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgauge.catalogue import Words
from toolgauge.core import Counts, JsonValue, Note, Run, Settings, Summary

from .blocks import Block, Bullets, Column, Heading, Item, Line, Paragraph, Table
from .display import shorten, visible
from .figures import agents_of, label_of, value_of_label

__all__ = ["facts", "method", "notes", "opening"]

_MOST_NAME = 60
_MOST_LISTED = 40
_STATES = ("passed", "failed", "error", "timeout", "limit", "cancelled", "not_run")


def opening(run: Run, words: Words) -> Iterator[Block]:
    """What was measured, and how it ended."""
    summary = run.summary
    agents = agents_of(summary) or run.header.agents
    title = words(
        "title",
        suite=_short(summary.suite.name),
        cases=words.count("cases", summary.suite.cases),
        agents=words.count("agents", len(agents)),
    )
    yield Heading(title, 1)
    yield Paragraph(_counts(summary.counts, words))


def _counts(counts: Counts, words: Words) -> str:
    """The plan as a sum of states; besides passed and failed only states that occur."""
    numbers = {state: getattr(counts, state) for state in _STATES}
    parts = [
        f"{number} {words(f'state.{state}')}"
        for state, number in numbers.items()
        if number or state in ("passed", "failed")
    ]
    return words("counts", planned=counts.planned, parts=" + ".join(parts))


def facts(summary: Summary, words: Words) -> Iterator[Block]:
    """How many questions there are, and which tools they expect."""
    suite = summary.suite
    yield Heading(words("section.facts"))
    items = [Item(words("facts.cases", number=suite.cases))]
    if suite.groups:
        groups = _listed(
            [f"{_short(value_of_label(name, words))} ({number})" for name, number in suite.groups.items()], words
        )
        items.append(Item(words("facts.groups", label=visible(label_of(summary, words)).lower(), groups=groups)))
    if not suite.expected_tools:
        yield Bullets((*items, Item(words("facts.no_tools"))))
        return
    tools = suite.expected_tools
    yield Bullets((*items, Item(words("facts.tools", number=len(tools)))))
    columns = (Column(words("column.tool"), "left", key=True), Column(words("column.questions")))
    yield Table(columns, tuple(Line((tool, str(number))) for tool, number in tools.items()))


def method(settings: Settings, words: Words) -> Iterator[Block]:
    """How each figure is computed."""
    weights = settings.weights
    yield Heading(words("section.method"))
    yield Bullets(
        (
            Item(words("method.sets")),
            Item(words("method.accuracy")),
            Item(words("method.f1")),
            Item(words("method.tool_fail_rate")),
            Item(words("method.calls")),
            Item(
                words(
                    "method.score",
                    call_precision=f"{weights.call_precision:g}",
                    call_recall=f"{weights.call_recall:g}",
                    param_accuracy=f"{weights.param_accuracy:g}",
                    content=f"{weights.content:g}",
                )
            ),
            Item(words("method.passed", threshold=f"{settings.threshold:g}")),
            Item(words("method.intervals")),
        )
    )


def notes(run: Run, words: Words) -> Iterator[Block]:
    """What a reader should know about the figures."""
    found = list(run.summary.notes)
    found.extend(note for note in run.header.notes if note not in found)
    if not found:
        return
    published = [note for note in found if note.kind == "fail_rate_published"]
    items = [_published(published, words)] if published else []
    items.extend(_note(note, words) for note in found if note.kind != "fail_rate_published")
    yield Heading(words("section.notes"))
    yield Bullets(tuple(map(Item, items)))


def _published(found: Sequence[Note], words: Words) -> str:
    """One note for all agents and groups, so that the reason is given once."""
    parts = [
        words(
            "note.fail_rate_published.part",
            agent=_text(note.values.get("agent")),
            group=_text(note.values.get("group")),
            **{
                name: _text(note.values.get(name))
                for name in ("failed", "with_calls", "published_failed", "published_with_calls")
            },
        )
        for note in found
    ]
    return words("note.fail_rate_published", parts="; ".join(parts))


def _note(note: Note, words: Words) -> str:
    values: dict[str, str | None] = {name: _text(note.values.get(name)) for name in ("agent", "count", "trials")}
    names = note.values.get("cases" if note.kind == "not_run" else "names")
    if isinstance(names, list) and names:
        count = note.values.get("count")
        partial = isinstance(count, int) and count > len(names)
        values["names"] = ", ".join([*(_text(name) or "" for name in names), *(["…"] if partial else [])])
    else:
        values["names"] = None
    return words(f"note.{note.kind}", **values)


def _text(value: JsonValue) -> str | None:
    """A value of a note as text; nothing where there is none."""
    return None if value is None or value == "" else _short(str(value))


def _short(text: str) -> str:
    return shorten(visible(text[: _MOST_NAME * 8]), _MOST_NAME)


def _listed(parts: list[str], words: Words) -> str:
    if len(parts) > _MOST_LISTED:
        parts = [*parts[:_MOST_LISTED], words("more", number=len(parts) - _MOST_LISTED)]
    return ", ".join(parts)
