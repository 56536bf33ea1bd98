"""Scoring files of predictions against files of references, one prediction after the other.

The references are held in memory, the predictions never are. Nothing is built for an item but its verdict.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, NoReturn, TypeAlias

from toolgauge.core import Advance, ignore_progress

from .blocks import RecordFile
from .evaluation import SPLITS, harmonic_mean, percentages, report_faults
from .kinds import Faults, ItemFault, QuestionType, Unscorable
from .numbers import fix_space, is_quantity_right, safe_division
from .predictions import Batch, FilePredictions, PredictionSource, listed_predictions
from .references import Example, ReferenceSource, range_of, read_references
from .text import is_text_right
from .uncertainty import PairedCounts, PairedScores, final_interval, split_interval

__all__ = ["MOST_FAULTS", "Result", "SplitResult", "compare", "evaluate", "score"]

Id: TypeAlias = str | int

MOST_FAULTS = 100
"""How many items that cannot be scored a result names; it counts them all."""

_NUMERICAL = QuestionType.Numerical.value
_KINDS = len(QuestionType)

_TIMES_FIXED = 3
"""How often spaces are taken out of numbers: a number with three separators needs as many."""


@dataclass(frozen=True, slots=True)
class SplitResult:
    """How one split did. Counts are of the time, the numerical and the string questions."""

    name: str
    right: tuple[int, int, int]
    total: tuple[int, int, int]

    @property
    def scores(self) -> dict[str, float]:
        """The percentages `score`, `score_time`, `score_num` and `score_string`; a share of nothing is 0."""
        time, number, text = map(safe_division, self.right, self.total)
        return percentages(safe_division(sum(self.right), sum(self.total)), time, number, text)

    @property
    def intervals(self) -> dict[str, tuple[float, float] | None]:
        """The 95 % intervals of the scores; None where there are no items."""
        pairs = [(sum(self.right), sum(self.total)), *zip(self.right, self.total, strict=True)]
        return dict(zip(self.scores, (split_interval(*pair) for pair in pairs), strict=True))


@dataclass(frozen=True, slots=True)
class Result:
    """How the predictions did, and what there is to know about the items behind the figures."""

    splits: tuple[SplitResult, ...]
    faults: tuple[ItemFault, ...]
    """Items that could not be scored and count as wrong, the first hundred of them."""
    fault_count: int
    skipped: int
    """Predictions without a reference."""
    missing: int
    """References without a prediction."""
    in_order_of: tuple[int, int] | None = None
    """How many predictions and references were paired in their order, where the predictions had no ids."""
    references: int = 0
    """How many references there are."""

    @property
    def count(self) -> int:
        """How many predictions were scored."""
        return sum(sum(split.total) for split in self.splits)

    @property
    def final_score(self) -> float:
        """The harmonic mean of the rounded scores of the splits, rounded again."""
        return round(harmonic_mean(*(split.scores["score"] for split in self.splits)), 2)

    @property
    def final_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the final score; None where a split has no items."""
        return final_interval(tuple((sum(split.right), sum(split.total)) for split in self.splits))

    def as_dict(self) -> dict[str, Any]:
        """The scores under the names of the benchmark."""
        return {"final_score": self.final_score, **{f"{split.name}_score": split.scores for split in self.splits}}


class _Tally:
    """Counts verdicts, and keeps what could not be scored."""

    def __init__(self, examples: dict[Id, Example], *, fix_spaces: bool) -> None:
        self.examples = examples
        self.references = len(examples)
        self.fix_spaces = fix_spaces
        self.right = [0] * (_KINDS * len(SPLITS))
        self.total = [0] * (_KINDS * len(SPLITS))
        self.faults: Faults = []
        self.fault_count = 0
        self.skipped = 0
        self.used: set[Id] = set()
        self.verdicts: dict[Id, bool] | None = None
        """Which items are right, where somebody wants to know."""

    def add(self, batch: Batch, source: FilePredictions | None, *, strict: bool) -> None:
        """Score predictions. In a file each id may be there once; a Python list is taken as it is."""
        examples, used, right, total, verdicts = self.examples, self.used, self.right, self.total, self.verdicts
        for item in batch:
            key = item.id if item.data_id is None else item.data_id
            if key is None:
                _explain(source, used)
            example = examples.get(key)
            if example is None:
                self.skipped += 1
                continue
            if key in used and source is not None:
                _explain(source, used)
            used.add(key)
            group, answers = example
            prediction = item.prediction
            if self.fix_spaces and isinstance(prediction, str):
                prediction = _without_spaces(prediction)
            total[group] += 1
            try:
                if group % _KINDS == _NUMERICAL:
                    is_right = is_quantity_right(prediction, range_of(answers))
                else:
                    is_right = is_text_right(prediction, answers)
            except Unscorable as error:
                self.fault(key, str(error), source, strict=strict)
                is_right = False
            right[group] += is_right
            if verdicts is not None:
                verdicts[key] = bool(is_right)

    def fault(self, key: Id, reason: str, source: FilePredictions | None, *, strict: bool) -> None:
        """Record an item that counts as wrong, or stop there."""
        if strict:
            if source is not None:
                source.stop(key, reason)
            raise Unscorable(f"{key!r}: {reason}")
        self.fault_count += 1
        if len(self.faults) < MOST_FAULTS:
            self.faults.append(ItemFault(key, reason))

    def result(self, in_order_of: int | None) -> Result:
        """What came of it."""
        order = (QuestionType.Time.value, QuestionType.Numerical.value, QuestionType.String.value)
        splits = []
        for offset, name in zip((0, _KINDS), SPLITS, strict=True):
            time, number, text = (offset + kind for kind in order)
            right = self.right[time], self.right[number], self.right[text]
            splits.append(SplitResult(name, right, (self.total[time], self.total[number], self.total[text])))
        return Result(
            tuple(splits),
            tuple(self.faults),
            self.fault_count,
            self.skipped,
            self.references - len(self.used),
            None if in_order_of is None else (in_order_of, self.references),
            self.references,
        )


def _explain(source: FilePredictions | None, used: Container[Id]) -> NoReturn:
    assert source is not None, "predictions in a list were given ids"  # noqa: S101 - they were, a moment ago
    source.explain(used.__contains__)


def _without_spaces(prediction: str) -> str:
    for _ in range(_TIMES_FIXED):
        fixed = fix_space(prediction)
        if fixed == prediction:
            break
        prediction = fixed
    return prediction


def score(
    predictions: PredictionSource,
    references: ReferenceSource,
    *,
    fix_spaces: bool = False,
    strict: bool = False,
    advance: Advance = ignore_progress,
) -> Result:
    """Score predictions against references.

    Args:
        predictions: A file (JSONL, or a JSON list of records or of answers in the order of the references), or such
            a list.
        references: A file (JSONL or a JSON list), the folder of a Hugging Face dataset, a dataset, or records.
        fix_spaces: Whether spaces inside numbers of the predictions are taken out first.
        strict: Whether to stop at an item that cannot be scored, which otherwise counts as wrong.
        advance: Is told how many more bytes of the files were read.

    Raises:
        InputError: A file cannot be used, or holds an item that cannot be scored and `strict` is set.
        Unscorable: A list holds such an item and `strict` is set.
    """
    return _score(predictions, _Tally(read_references(references, advance), fix_spaces=fix_spaces), strict, advance)


def compare(
    first: PredictionSource,
    second: PredictionSource,
    references: ReferenceSource,
    *,
    fix_spaces: bool = False,
    strict: bool = False,
    advance: Advance = ignore_progress,
) -> tuple[Result, Result, PairedScores]:
    """Score two sets of predictions against the same references, and pair them item by item.

    Args:
        first: As in `score`.
        second: The predictions that are compared with them.
        references: As in `score`.
        fix_spaces: As in `score`.
        strict: As in `score`.
        advance: As in `score`.

    Returns:
        How each of them did, and how they did beside each other on the items that both have.
    """
    examples = read_references(references, advance)
    results: list[Result] = []
    verdicts: list[dict[Id, bool]] = []
    for predictions in (first, second):
        tally = _Tally(examples, fix_spaces=fix_spaces)
        tally.verdicts = {}
        results.append(_score(predictions, tally, strict, advance))
        verdicts.append(tally.verdicts)
    return results[0], results[1], _paired(examples, verdicts[0], verdicts[1])


def _score(predictions: PredictionSource, tally: _Tally, strict: bool, advance: Advance) -> Result:
    if not isinstance(predictions, str | os.PathLike):
        listed = listed_predictions(predictions, tally.examples)
        tally.add(listed, None, strict=strict)
        in_order = bool(predictions) and not isinstance(predictions[0], Mapping)
        return tally.result(len(predictions) if in_order else None)
    with RecordFile(predictions) as file:
        source = FilePredictions(file, tally.examples)
        for batch in source.batches(advance):
            tally.add(batch, source, strict=strict)
    return tally.result(source.in_order_of)


def _paired(examples: Mapping[Id, Example], first: Mapping[Id, bool], second: Mapping[Id, bool]) -> PairedScores:
    counted: Counter[tuple[str, bool, bool]] = Counter()
    for key in first.keys() & second.keys():
        counted[SPLITS[examples[key][0] // _KINDS], first[key], second[key]] += 1
    splits = {
        split: PairedCounts(*(counted[split, one, other] for one, other in product((True, False), repeat=2)))
        for split in SPLITS
    }
    return PairedScores(splits, len(first.keys() ^ second.keys()))


def evaluate(
    prediction_path: PredictionSource,
    reference_path: ReferenceSource,
    do_fix_space: bool = False,
    *,
    strict: bool = False,
    faults: Faults | None = None,
) -> dict[str, Any]:
    """Score predictions against references, with results under the names of the published evaluator.

    Args:
        prediction_path: As in `score`.
        reference_path: As in `score`.
        do_fix_space: Whether spaces inside numbers of the predictions are taken out first.
        strict: Whether to stop at an item that cannot be scored.
        faults: Takes the first hundred items that could not be scored; without it they are named in the log.

    Returns:
        `final_score`, `unseen_question_score` and `unseen_entity_score`, the latter two with the name of their split.
    """
    result = score(prediction_path, reference_path, fix_spaces=do_fix_space, strict=strict)
    if faults is None:
        report_faults(list(result.faults), result.fault_count)
    else:
        faults.extend(result.faults)
    scores = result.as_dict()
    return scores | {f"{name}_score": {**scores[f"{name}_score"], "split": name} for name in SPLITS}
