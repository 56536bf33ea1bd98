"""How far the scoring of typed answers agrees with people, as a document, with every answer on which they differ."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import msgspec

from toolgauge.catalogue import Words
from toolgauge.core import ANSWER_VERDICTS, READERS, Agreement, AnswerCheck, CheckedAnswer, Estimate

from .blocks import Block, Column, Heading, Line, Paragraph, Table, Tone
from .csv import cell_of, harmless
from .display import short
from .evidence import answer_json, answer_words, choice_blocks, marked_answer
from .json import encode_json, list_json

__all__ = ["AGREEMENT_SCHEMA", "AgreementDocument"]

AGREEMENT_SCHEMA = "toolgauge.answers/1"

_SHARES = ("agree", "wrong_called_right", "right_called_wrong")
_MAX_ID = 60
_MAX_OUTPUT = 1200
_NAIVE = tuple(reader for reader in READERS if reader != "rules")


@dataclass(frozen=True, slots=True)
class AgreementDocument:
    """A file of judged answers, and how the rules did on it."""

    check: AnswerCheck
    name: ClassVar[str] = "agreement"

    def title(self, words: Words) -> str:
        """What was checked."""
        return words("agreement.title", file=short(self.check.source, 120))

    def blocks(self, words: Words) -> Iterator[Block]:
        """How often they agree, who says what, and each answer on which they differ."""
        first, *_ = self.check.rows
        yield Heading(self.title(words), 1)
        yield Paragraph(self._opening(first, words), "strong")
        yield Heading(words("agreement.section.agreement"))
        columns = (
            Column(words("agreement.column.reader"), "left", key=True),
            Column(words("agreement.column.items")),
            *(Column(words(f"agreement.column.{name}"), name=name) for name in _SHARES),
        )
        yield Table(columns, tuple(_agreement_line(row, words) for row in self.check.rows), name="agreement")
        yield Heading(words("agreement.section.confusion"))
        yield Table(
            (
                Column(words("agreement.column.person"), "left", key=True),
                *(Column(words(f"answer.{one}").replace(" ", "\u00a0")) for one in ANSWER_VERDICTS),
            ),
            tuple(_confusion_line(first, words)),
            name="confusion",
        )
        different = self.check.disagreements
        if different:
            yield Heading(words("agreement.section.disagreements", number=len(different)), name="disagreements")
            for one in different:
                yield from self._disagreement(one, words)

    def _opening(self, row: Agreement, words: Words) -> str:
        agreed = sum(one.agrees for one in self.check.answers)
        return words(
            "agreement.opening", agreed=agreed, items=len(self.check.answers), share=_interval(row.agree, words)
        )

    def _disagreement(self, one: CheckedAnswer, words: Words) -> Iterator[Block]:
        place = short(f"{os.path.basename(self.check.source)}:{one.line}", _MAX_ID)
        yield Heading(place if one.id == str(one.line) else f"{place} · {short(one.id, _MAX_ID)}", 3)
        verdicts = {"person": words(f"answer.{one.person}"), "rules": words(f"answer.{one.rules}")}
        tone: Tone = "bad" if (one.person, one.rules) == ("wrong", "right") else "warn"
        yield Paragraph(words("agreement.differ", **verdicts), tone)
        if one.question:
            yield Paragraph(words("case.question", text=short(one.question)), "dim")
        yield Paragraph(answer_words(one.answer, one.want, words))
        yield Paragraph(words("case.output", text=marked_answer(one.output, one.answer, _MAX_OUTPUT)))
        yield from choice_blocks(one.answer, words, whole=True)

    def json(self, words: Words) -> Iterator[str]:  # noqa: ARG002 - it is the same in every language
        """All figures unrounded, and the answers on which they differ."""
        yield f'{{"schema":{encode_json(AGREEMENT_SCHEMA)},\n"file":{encode_json(self.check.source)},\n'
        yield f'"items":{len(self.check.answers)},\n'
        yield from list_json("rows", map(msgspec.to_builtins, self.check.rows))
        yield from list_json("disagreements", map(_as_json, self.check.disagreements), end="}\n")

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per answer."""
        naive = [reader for reader in _NAIVE if len(self.check.rows) > 1]
        yield ["line", "id", "person", "rules", "agree", "found", "chosen", "runner_up", "reason", *naive]
        for one in self.check.answers:
            chosen, second = one.answer.chosen, one.answer.runner_up
            yield [
                str(one.line),
                harmless(one.id),
                one.person,
                one.rules,
                cell_of(one.agrees),
                harmless(encode_json(one.answer.found)),
                "" if chosen is None else harmless(chosen.words),
                "" if second is None else harmless(second.words),
                harmless(one.answer.reason),
                *(one.naive.get(reader, "") for reader in naive),
            ]


def _agreement_line(row: Agreement, words: Words) -> Line:
    named = f"{row.reader}.{row.about}" if row.reader == "rules" else row.reader
    shares = (_interval(getattr(row, name), words) for name in _SHARES)
    return Line((words(f"agreement.reader.{named}"), words.number(row.agree.n), *shares), name=row.reader)


def _confusion_line(row: Agreement, words: Words) -> Iterator[Line]:
    for person in ANSWER_VERDICTS:
        counts = (words.number(row.confusion[person][found]) for found in ANSWER_VERDICTS)
        yield Line((words(f"answer.{person}"), *counts))


def _interval(share: Estimate, words: Words) -> str:
    """A share with its interval, such as `92.3% (90.0–94.1)`."""
    if share.value is None or share.low is None or share.high is None:
        return words("none")
    value, low, high = (words.number(f"{100 * one:.1f}") for one in (share.value, share.low, share.high))
    return f"{value}% ({low}–{high})"


def _as_json(one: CheckedAnswer) -> dict[str, object]:
    told: dict[str, object] = {
        "line": one.line,
        "id": one.id,
        "question": one.question,
        "output": one.output,
        "want": one.want,
        "person": one.person,
        "rules": one.rules,
        "answer": answer_json(one.answer),
    }
    return told | ({"naive": one.naive} if one.naive else {})
