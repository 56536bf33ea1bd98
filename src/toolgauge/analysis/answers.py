"""How far the scoring of typed answers agrees with people, on answers that they have judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Literal

from toolgauge.answers import likely_types, prepare
from toolgauge.core import (
    ANSWER_VERDICTS,
    READERS,
    Agreement,
    Answer,
    AnswerCheck,
    AnswerVerdict,
    Case,
    CheckedAnswer,
    Estimate,
    PathLike,
    ValueReader,
    nfc,
)
from toolgauge.locale import find_dates, find_numbers
from toolgauge.stats import wilson
from toolgauge.suites import JudgedAnswer, read_judged_answers

__all__ = ["check_answers"]

MAX_VALUES = 400
"""Of a text with more values the naive readers look at the first and the last ones."""


def check_answers(path: PathLike, *, baselines: bool = False) -> AnswerCheck:
    """Score judged answers by the rules, and measure the agreement with the human verdicts.

    Args:
        path: JSONL or CSV with question, output, reference and verdict; see `docs/answers.md`.
        baselines: Also score numbers and dates naively: by the first value, the last, or any.

    Raises:
        InputError: The file cannot be read, or is not as it should be.
        NothingToDo: There is no answer in it.
    """
    source, judged = read_judged_answers(path)
    answers = tuple(_checked(one, baselines=baselines) for one in judged)
    rows = [_agreement("rules", "all", [(one.person, one.rules) for one in answers])]
    if several := [one for one in answers if one.naive]:
        rows.append(_agreement("rules", "values", [(one.person, one.rules) for one in several]))
        rows += [
            _agreement(reader, "values", [(one.person, one.naive[reader]) for one in several])
            for reader in READERS
            if reader != "rules"
        ]
    return AnswerCheck(source, answers, tuple(rows))


def _checked(one: JudgedAnswer, *, baselines: bool) -> CheckedAnswer:
    case = one.case
    spec = case.expect.answer or {}
    score = prepare(spec, locale=case.locale, now=case.now, question=case.input)
    return CheckedAnswer(
        line=one.line,
        id=case.id,
        question=case.input,
        output=one.output,
        want=spec,
        person=one.verdict,
        answer=score(one.output),
        naive=_naive(case, one.output) if baselines else {},
    )


def _naive(case: Case, output: str) -> dict[ValueReader, AnswerVerdict]:
    """What the naive readers say of a number or a date; nothing of anything else. None of them knows the question."""
    spec = case.expect.answer or {}
    kind = spec.get("type")
    types = [kind] if kind is not None else likely_types(spec, locale=case.locale, now=case.now)
    if not {"number", "time"} & set(types):
        return {}
    values = list(_values(case, output, types))
    if len(values) > MAX_VALUES:
        values = values[: MAX_VALUES // 2] + values[-MAX_VALUES // 2 :]
    if not values:
        return {"first": "wrong", "last": "wrong", "any": "wrong"}
    judge: Callable[[str], Answer] = prepare(spec, locale=case.locale, now=case.now)
    verdicts = [judge(text).verdict or "ambiguous" for text in values]
    return {"first": verdicts[0], "last": verdicts[-1], "any": "right" if "right" in verdicts else "wrong"}


def _values(case: Case, output: str, types: Sequence[object]) -> Iterator[str]:
    """The words of each number or date of a text, in order."""
    text = nfc(output)
    places = []
    if "number" in types:
        places += [(found.start, found.end) for found in find_numbers(text, case.locale)]
    if "time" in types:
        day = None if case.now is None else date.fromisoformat(case.now[:10])
        places += [(found.start, found.end) for found in find_dates(text, case.locale, day)]
    return (text[start:end] for start, end in sorted(places))


def _agreement(
    reader: ValueReader, about: Literal["all", "values"], pairs: Sequence[tuple[AnswerVerdict, AnswerVerdict]]
) -> Agreement:
    counts = Counter(pairs)
    n = len(pairs)

    def share(number: int) -> Estimate:
        return Estimate(number / n, *wilson(number, n), n)

    return Agreement(
        reader=reader,
        about=about,
        agree=share(sum(number for (person, found), number in counts.items() if person == found)),
        wrong_called_right=share(counts["wrong", "right"]),
        right_called_wrong=share(counts["right", "wrong"]),
        confusion={person: {found: counts[person, found] for found in ANSWER_VERDICTS} for person in ANSWER_VERDICTS},
    )
