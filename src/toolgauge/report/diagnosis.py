"""A diagnosis as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

import msgspec
from msgspec.structs import replace

from toolgauge.catalogue import Lang, Words, words_of
from toolgauge.core import ISSUE_TYPES, Advice, Companion, Diagnosis, Example, GroupShare, JsonValue, Pattern

from .blocks import Block, Bullets, Column, Heading, Item, Line, Paragraph, Table
from .csv import cell_of, harmless
from .display import percent, short, shorten
from .json import encode_json, list_json
from .values import answer_value, brief, redact, redact_value, short_name

__all__ = ["DIAGNOSIS_SCHEMA", "MAX_PATTERNS", "DiagnosisDocument", "pattern_name", "word_advice"]

DIAGNOSIS_SCHEMA = "toolgauge.diagnosis/1"

MAX_PATTERNS = 10
"""How many patterns are written out where nothing else is said; JSON has them all."""

MAX_NAME = 60
MAX_MESSAGE = 160
MAX_LABELS = 6


@dataclass(frozen=True, slots=True)
class DiagnosisDocument:
    """What goes wrong in a run, and what to change."""

    diagnosis: Diagnosis
    max_patterns: int = MAX_PATTERNS
    """How many patterns are written out; JSON and CSV have them all."""
    name: ClassVar[str] = "diagnosis"

    def title(self, words: Words) -> str:
        """Of which suite it is."""
        return words("diagnosis.title", suite=_name(self.diagnosis.suite))

    def blocks(self, words: Words) -> Iterator[Block]:
        """How much goes wrong, which kinds of faults there are, then pattern by pattern."""
        yield Heading(self.title(words), 1)
        yield from _blocks(self.diagnosis, self.max_patterns, words)

    def json(self, words: Words) -> Iterator[str]:
        """Every pattern, with its examples and what to change."""
        diagnosis = self.diagnosis
        head = {
            "schema": DIAGNOSIS_SCHEMA,
            "suite": diagnosis.suite,
            "agents": list(diagnosis.agents),
            "by": diagnosis.by,
            "trajectories": diagnosis.trajectories,
            "failed": diagnosis.failed,
            "not_run": diagnosis.not_run,
        }
        patterns = (_pattern_json(one, words) for one in diagnosis.patterns)
        yield redact(encode_json(head))[:-1] + ",\n"
        yield from list_json("groups", map(msgspec.to_builtins, diagnosis.groups))
        yield from map(redact, list_json("patterns", patterns, end="}\n"))

    def rows(self, words: Words) -> Iterator[list[str]]:
        """A row per pattern."""
        about = ("group", "kind", "tool", "argument", "other", "state")
        figures = ("occurrences", "trajectories", "failed", "share", "first", "step", "most")
        yield [*about, *figures, "cases", "advice", "name", "text"]
        for pattern in self.diagnosis.patterns:
            examples = " ".join(dict.fromkeys(example.case for example in pattern.examples))
            yield [
                *(harmless(redact(getattr(pattern, name) or "")) for name in about),
                *(cell_of(getattr(pattern, name)) for name in figures),
                harmless(redact(examples)),
                pattern.advice.kind,
                harmless(pattern_name(pattern, words)),
                harmless(_advice(pattern.advice, words)),
            ]


def _blocks(diagnosis: Diagnosis, max_patterns: int, words: Words) -> Iterator[Block]:
    counts = {"failed": diagnosis.failed, "trajectories": diagnosis.trajectories}
    yield Paragraph(words("diagnosis.counts", **counts, not_run=diagnosis.not_run or None))
    if not diagnosis.patterns:
        yield Paragraph(words("diagnosis.nothing"))
        return
    yield Heading(words("diagnosis.section.groups"))
    yield _groups(diagnosis.groups, words)
    yield Heading(words("diagnosis.section.patterns"))
    for number, pattern in enumerate(diagnosis.patterns[:max_patterns], 1):
        yield from _pattern(number, pattern, diagnosis, words)
    if len(diagnosis.patterns) > max_patterns:
        yield Paragraph(words("more", number=len(diagnosis.patterns) - max_patterns), "dim")


def _groups(groups: Sequence[GroupShare], words: Words) -> Table:
    columns = (
        Column(words("diagnosis.column.group"), "left", key=True),
        *(Column(words(f"diagnosis.column.{name}")) for name in ("trajectories", "failed", "share", "first")),
    )
    lines = [
        Line(
            (
                words(f"group.{one.group}"),
                words.number(one.trajectories),
                words.number(one.failed),
                percent(one.share, words),
                words.number(one.first),
            ),
            "plain" if one.trajectories else "dim",
        )
        for one in groups
    ]
    return Table(columns, tuple(lines), name="groups")


def _pattern(number: int, pattern: Pattern, diagnosis: Diagnosis, words: Words) -> Iterator[Block]:
    yield Heading(words("pattern.title", number=number, name=pattern_name(pattern, words)), 3)
    about_end = ISSUE_TYPES[pattern.kind].about == "trajectory"
    key = "pattern.counts.end" if about_end else "pattern.counts"
    yield Paragraph(
        words(
            key if pattern.failed else "pattern.harmless",
            group=words(f"group.{pattern.group}"),
            trajectories=pattern.trajectories,
            failed=pattern.failed,
            share=percent(pattern.share, words),
            first=pattern.first,
            step=None if about_end and not pattern.failed else pattern.step,
            most=pattern.most if pattern.most > 1 else None,
        )
    )
    items = [Item(_example(one, pattern, words)) for one in pattern.examples]
    items.extend(_spread(pattern, diagnosis, words))
    if pattern.companions:
        parts = "; ".join(_companion(one, words) for one in pattern.companions)
        items.append(Item(words("pattern.companions", parts=parts)))
    items.append(Item(words("pattern.advice", text=_advice(pattern.advice, words)), "good"))
    yield Bullets(tuple(items))


def pattern_name(pattern: Pattern | Companion, words: Words) -> str:
    """A pattern in few words, such as `get_weather: argument city has the wrong value`."""
    state = pattern.state
    return words(
        f"kind.{pattern.kind}",
        tool=_optional(pattern.tool),
        argument=_optional(pattern.argument),
        other=_optional(pattern.other),
        state=None if state is None else words(f"state.{state}"),
    )


def _example(example: Example, pattern: Pattern, words: Words) -> str:
    shown = answer_value if pattern.kind == "wrong_answer" else _value
    want, got = shown(redact_value(example.want), words), shown(redact_value(example.got), words)
    known = ISSUE_TYPES[pattern.kind]
    if known.messages and isinstance(example.got, str):
        got = short(redact(example.got), MAX_MESSAGE)
    key = "pattern.example"
    if known.shows == "both":
        key = "pattern.example.values"
    elif known.shows == "want" and example.want is not None:
        key = "pattern.example.want"
    elif known.shows == "got" and example.got not in (None, ""):
        key = "pattern.example.got"
    trial = example.trial if example.trial > 1 else None
    return words(key, case=_name(example.case), agent=_name(example.agent), trial=trial, want=want, got=got)


def _value(value: JsonValue, words: Words) -> str:
    return shorten(brief(value, words), MAX_MESSAGE)


def _spread(pattern: Pattern, diagnosis: Diagnosis, words: Words) -> Iterator[Item]:
    if len(diagnosis.agents) > 1:
        parts = ", ".join(f"{_name(agent)}: {count}" for agent, count in pattern.agents.items())
        yield Item(words("pattern.agents", parts=parts))
    if len(pattern.labels) > 1:
        label = words.known(f"label.{diagnosis.by}", _name(diagnosis.by or "")).lower()
        shown = [
            words("pattern.label", value=_name(one.value) or words("unlabelled"), count=one.count, of=one.of)
            for one in pattern.labels[:MAX_LABELS]
        ]
        yield Item(words("pattern.labels", label=label, parts=", ".join(shown)))


def _companion(companion: Companion, words: Words) -> str:
    name = pattern_name(companion, words)
    return words("pattern.companion", name=name, count=companion.count, lift=words.number(f"{companion.lift:.1f}"))


def word_advice(advice: Advice, lang: Lang) -> str:
    """What to change, as one sentence in a language."""
    return _advice(advice, words_of(lang))


def _advice(advice: Advice, words: Words) -> str:
    """What to change, as a sentence that names the tool and the argument."""
    examples = ", ".join(_value(value, words) for value in advice.examples)
    return words(
        f"advice.{advice.kind}",
        tool=_optional(advice.tool),
        argument=_optional(advice.argument),
        other=_optional(advice.other),
        phrases=", ".join(f"“{_name(phrase)}”" for phrase in advice.phrases) or None,
        examples=examples or None,
        detail=short(redact(advice.detail), MAX_MESSAGE) or None,
        undescribed=f" {words('advice.undescribed')}" if advice.described is False else "",
    )


def _optional(name: str | None) -> str | None:
    return None if name is None else _name(name)


def _name(text: str) -> str:
    return short_name(text, MAX_NAME)


def _pattern_json(pattern: Pattern, words: Words) -> dict[str, object]:
    entry = cast(dict[str, object], msgspec.to_builtins(replace(pattern, examples=(), advice=Advice("mend_answer"))))
    entry["name"] = pattern_name(pattern, words)
    entry["examples"] = [redact_value(cast(JsonValue, msgspec.to_builtins(example))) for example in pattern.examples]
    advice = cast(dict[str, JsonValue], redact_value(cast(JsonValue, msgspec.to_builtins(pattern.advice))))
    entry["advice"] = {**advice, "text": _advice(pattern.advice, words)}
    return entry
