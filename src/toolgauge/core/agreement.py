"""How far the scoring of typed answers agrees with people who have judged the same answers."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

from .json import JsonValue
from .score import Answer
from .summary import Estimate

__all__ = ["ANSWER_VERDICTS", "READERS", "Agreement", "AnswerCheck", "AnswerVerdict", "CheckedAnswer", "ValueReader"]

AnswerVerdict = Literal["right", "wrong", "ambiguous"]
ANSWER_VERDICTS: tuple[AnswerVerdict, ...] = get_args(AnswerVerdict)

ValueReader = Literal["rules", "first", "last", "any"]
"""Who says which value of an answer counts: the rules, or something naive to hold them against."""
READERS: tuple[ValueReader, ...] = get_args(ValueReader)


class CheckedAnswer(Struct, frozen=True):
    """An answer that a person and the rules have judged."""

    line: int
    """Where it stands in its file."""
    id: str
    question: str
    output: str
    want: dict[str, JsonValue]
    """The reference, as the `answer` of a case."""
    person: AnswerVerdict
    answer: Answer
    """What the rules say."""
    naive: dict[ValueReader, AnswerVerdict] = {}
    """What the naive readers say, where they were asked and the answer is a number or a date."""

    @property
    def rules(self) -> AnswerVerdict:
        """The verdict of the rules."""
        return self.answer.verdict or "ambiguous"

    @property
    def agrees(self) -> bool:
        """Whether the rules say what the person says."""
        return self.rules == self.person


class Agreement(Struct, frozen=True):
    """How often one way of reading agrees with people; shares are of all its items."""

    reader: ValueReader
    about: Literal["all", "values"]
    """Whether it is about all answers, or about numbers and dates alone, of which there may be several in a text."""
    agree: Estimate
    wrong_called_right: Estimate
    """The worst that can happen: a wrong answer counts as right."""
    right_called_wrong: Estimate
    confusion: dict[AnswerVerdict, dict[AnswerVerdict, int]]
    """By what the person says how often it says what."""


class AnswerCheck(Struct, frozen=True):
    """What became of a file of judged answers."""

    source: str
    answers: tuple[CheckedAnswer, ...]
    rows: tuple[Agreement, ...]
    """The rules on all answers first."""

    @property
    def disagreements(self) -> tuple[CheckedAnswer, ...]:
        """Where the rules and the person differ, in the order of the file."""
        return tuple(one for one in self.answers if not one.agrees)
