"""Scoring predictions that are at hand: verdicts by question type, shares that are right, and their harmonic mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from toolgauge.errors import UsageError

from .kinds import Faults, ItemFault, QuestionType, Unscorable, kind_of
from .numbers import Quantity, is_quantity_right, metric_numerical_range, safe_division
from .text import is_text_right

__all__ = [
    "SPLITS",
    "evaluate_entity",
    "evaluate_infoseek",
    "evaluate_infoseek_full",
    "evaluate_quantity",
    "evaluate_time",
    "evaluation",
    "get_results",
    "harmonic_mean",
    "percentages",
    "report_faults",
]

P = TypeVar("P")
A = TypeVar("A")

SPLITS = ("unseen_question", "unseen_entity")
"""The parts of the benchmark that are scored apart."""

_NUMERICAL = QuestionType.Numerical.value

_MOST_NAMED = 5
"""How many items one message of the log names."""


def evaluate_quantity(quantity_pred: Iterable[Quantity], quantity_answer: Iterable[Quantity]) -> list[int]:
    """Which of the predicted numbers and ranges are right: 1 or 0 for each.

    An item that cannot be compared counts as wrong and is named in the log.
    """
    return _judge_all(metric_numerical_range, quantity_pred, quantity_answer)


def evaluate_entity(entity_pred: Iterable[str], entity_answer: Iterable[str | Sequence[str]]) -> list[int]:
    """Which of the predictions are one of their reference answers: 1 or 0 for each.

    An item that cannot be compared counts as wrong and is named in the log.
    """
    return _judge_all(is_text_right, entity_pred, entity_answer)


def evaluate_time(time_pred: Iterable[str], time_answer: Iterable[str | Sequence[str]]) -> list[int]:
    """As `evaluate_entity`: the published evaluator compares times as text, without any leeway in years."""
    return evaluate_entity(time_pred, time_answer)


def _judge_all(judge: Callable[[P, A], bool | int], predictions: Iterable[P], answers: Iterable[A]) -> list[int]:
    verdicts: list[int] = []
    faults: Faults = []
    for prediction, answer in zip(predictions, answers, strict=False):
        try:
            verdicts.append(int(judge(prediction, answer)))
        except Unscorable as error:
            faults.append(ItemFault(len(verdicts), str(error)))
            verdicts.append(0)
    report_faults(faults)
    return verdicts


def evaluation(
    predictions: Iterable[Mapping[str, Any]],
    qid2example: Mapping[Any, Mapping[str, Any]],
    *,
    strict: bool = False,
    faults: Faults | None = None,
) -> tuple[list[int], list[int], list[int]]:
    """Which predictions are right, by question type.

    A prediction whose id has no reference is left out. An item that cannot be scored counts as wrong.

    Args:
        predictions: Each with `data_id` and `prediction`.
        qid2example: References by id, each with `answer_eval` and `question_type`.
        strict: Whether to stop at an item that cannot be scored.
        faults: Takes the items that could not be scored; without it they are named in the log.

    Returns:
        Verdicts, 1 or 0, on the time, the numerical and the string questions.

    Raises:
        Unscorable: An item cannot be scored, and `strict` is set.
    """
    verdicts: tuple[list[int], list[int], list[int]] = ([], [], [])
    strings, numbers, times = verdicts
    found: Faults = [] if faults is None else faults
    for prediction in predictions:
        try:
            data_id = prediction["data_id"]
        except KeyError as error:
            raise _without_id(prediction) from error
        example = qid2example.get(data_id)
        if example is None:
            continue
        kind = kind_of(example.get("question_type"))
        judge = is_quantity_right if kind == _NUMERICAL else is_text_right
        try:
            verdicts[kind].append(1 if judge(prediction["prediction"], example["answer_eval"]) else 0)
        except (Unscorable, KeyError) as error:
            reason = str(error) if isinstance(error, Unscorable) else f"the key {error} is missing"
            if strict:
                raise Unscorable(f"{data_id}: {reason}") from error
            found.append(ItemFault(data_id, reason))
            verdicts[kind].append(0)
    if faults is None:
        report_faults(found)
    return times, numbers, strings


def _without_id(prediction: Mapping[str, Any]) -> UsageError:
    return UsageError(f"a prediction has no 'data_id', only {', '.join(map(repr, prediction))}")


def get_results(
    predictions: Iterable[Mapping[str, Any]],
    qid2example: Mapping[Any, Mapping[str, Any]],
    *,
    strict: bool = False,
    faults: Faults | None = None,
) -> tuple[float, float, float, float]:
    """The shares of right predictions: of all, of the time, of the numerical and of the string questions.

    A share of nothing is 0. Arguments are as in `evaluation`.
    """
    verdicts = evaluation(predictions, qid2example, strict=strict, faults=faults)
    right, total = [sum(one) for one in verdicts], [len(one) for one in verdicts]
    overall = safe_division(sum(right), sum(total))
    time, number, text = map(safe_division, right, total)
    return overall, time, number, text


def harmonic_mean(*args: float) -> float:
    """The harmonic mean, in which a 0 is taken for 1e-12.

    Raises:
        UsageError: There is nothing to take the mean of.
    """
    if not args:
        raise UsageError("a harmonic mean needs at least one number")
    return len(args) / sum(1.0 / (value if value != 0 else 1e-12) for value in args)


def percentages(overall: float, time: float, number: float, text: float) -> dict[str, float]:
    """Shares as the scores of the benchmark: percentages with two decimals."""
    return {
        "score": round(overall * 100.0, 2),
        "score_time": round(time * 100.0, 2),
        "score_num": round(number * 100.0, 2),
        "score_string": round(text * 100.0, 2),
    }


def evaluate_infoseek(
    predictions: Iterable[Mapping[str, Any]],
    qid2example: Mapping[Any, Mapping[str, Any]],
    *,
    strict: bool = False,
    faults: Faults | None = None,
) -> dict[str, float]:
    """The scores of one split, in percent: `score`, `score_time`, `score_num` and `score_string`.

    Arguments are as in `evaluation`.
    """
    return percentages(*get_results(predictions, qid2example, strict=strict, faults=faults))


def evaluate_infoseek_full(
    predictions: Mapping[str, Iterable[Mapping[str, Any]]],
    qid2example: Mapping[Any, Mapping[str, Any]],
    *,
    strict: bool = False,
    faults: Faults | None = None,
) -> dict[str, Any]:
    """The scores of several splits, and the harmonic mean of their overall scores.

    Args:
        predictions: Predictions by the name of their split, of which `unseen_question` and `unseen_entity` must be
            there; every split counts in the mean.
        qid2example: As in `evaluation`.
        strict: As in `evaluation`.
        faults: As in `evaluation`.

    Returns:
        `final_score`, `unseen_question_score` and `unseen_entity_score`, the latter two with the name of their split.

    Raises:
        UsageError: One of the two splits is missing.
    """
    missing = [split for split in SPLITS if split not in predictions]
    if missing:
        raise UsageError(f"the predictions have no split {missing[0]!r}; give an empty list if it is not measured")
    found: Faults = [] if faults is None else faults
    scores: dict[str, dict[str, Any]] = {
        split: {**evaluate_infoseek(items, qid2example, strict=strict, faults=found), "split": split}
        for split, items in predictions.items()
    }
    if faults is None:
        report_faults(found)
    return {
        "final_score": round(harmonic_mean(*(score["score"] for score in scores.values())), 2),
        **{f"{split}_score": scores[split] for split in SPLITS},
    }


def report_faults(faults: Faults, count: int | None = None) -> None:
    """Name items that were counted as wrong in the log of `toolgauge.infoseek`.

    Args:
        faults: The items, or the first of them.
        count: How many there are in all, where not all were kept.
    """
    if not faults:
        return
    from logging import getLogger

    count = len(faults) if count is None else count
    named = "; ".join(f"{fault.item!r}: {fault.reason}" for fault in faults[:_MOST_NAMED])
    more = f"; and {count - _MOST_NAMED} more" if count > _MOST_NAMED else ""
    getLogger("toolgauge.infoseek").warning("counted as wrong, since it cannot be scored: %s%s", named, more)
