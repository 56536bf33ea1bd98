"""Reading predictions: what was answered, from JSONL, a JSON list or Python values."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn, TypeAlias, cast

import msgspec

from toolgauge.core import Advance, JsonValue
from toolgauge.errors import InputError, Problem, UsageError
from toolgauge.files import Fault, Problems, Rejected

from .blocks import RecordFile, Records

__all__ = ["Batch", "FilePredictions", "Prediction", "PredictionSource", "listed_predictions"]

Id: TypeAlias = str | int

PredictionSource: TypeAlias = str | os.PathLike[str] | Sequence[str | Mapping[str, Any]]
"""A file, predictions in the order of the references, or records with an id each."""


class Prediction(msgspec.Struct, gc=False):
    """A prediction as it is written. What is not a string is let through, to be counted as wrong."""

    prediction: JsonValue
    data_id: Id | None = None
    id: Id | None = None


Batch: TypeAlias = list[Prediction]


def _check(prediction: Prediction) -> None:
    if prediction.data_id is None and prediction.id is None:
        raise Rejected(Fault((), "the key 'data_id' (or 'id') is missing"))


_records = Records(Prediction, _check)


class FilePredictions:
    """The predictions of an open file, which can also say on which line one of them stands."""

    def __init__(self, file: RecordFile, keys: Iterable[Id]) -> None:
        self._file = file
        self._keys = keys
        self.in_order_of: int | None = None
        """How many predictions there are, where they have no ids and are in the order of the references."""

    def batches(self, advance: Advance) -> Iterator[Batch]:
        """The predictions, many at a time; those without an id get that of the reference at their place.

        Raises:
            InputError: They are not as they should be.
        """
        if not self._file.is_list():
            yield from _records.read(self._file, advance)
            return
        document = self._file.read_list()
        items = cast(list[JsonValue], document.value)
        if all(isinstance(item, dict) for item in items):
            yield _records.take(self._file.name, document)
        else:
            self.in_order_of = len(items)
            yield listed_predictions(items, self._keys)

    def stop(self, key: Id, reason: str) -> NoReturn:
        """Refuse the prediction with this id.

        Raises:
            InputError: Always, with the line of the prediction.
        """
        raise InputError(self._file.name, Problem(f"{key!r}: {reason}", self._line_of(key)))

    def _line_of(self, key: Id) -> int | None:
        if self._file.is_list():
            return None
        for number, prediction in _records.read_numbered(self._file):
            if _key(prediction) == key:
                return number
        return None

    def explain(self, counts: Callable[[Id], bool]) -> NoReturn:
        """Say which ids are there twice, or which lines have none.

        Args:
            counts: Whether a prediction with this id is scored.

        Raises:
            InputError: Always.
        """
        problems = Problems(self._file.name)
        lines: dict[Id, int] = {}
        for number, prediction in self._numbered():
            key = cast(Id, _key(prediction))
            first = lines.setdefault(key, number)
            if first != number and counts(key) and not problems.full:
                problems.add(_second(key, number, first, listed=self._file.is_list()))
        problems.raise_if_any()
        raise InputError(self._file.name, Problem("the file changed while it was read", hint="run it again"))

    def _numbered(self) -> Iterator[tuple[int, Prediction]]:
        if not self._file.is_list():
            return _records.read_numbered(self._file)
        return enumerate(_records.take(self._file.name, self._file.read_list()), 1)


def _second(key: Id, number: int, first: int, *, listed: bool) -> Problem:
    what = f"duplicate id {key!r}"
    if listed:
        return Problem(f"item {number} of the list: {what}", hint=f"it was first in item {first}")
    return Problem(what, number, hint=f"it was first on line {first}")


def _key(prediction: Prediction) -> Id | None:
    return prediction.id if prediction.data_id is None else prediction.data_id


def listed_predictions(predictions: Sequence[Any], keys: Iterable[Id]) -> Batch:
    """Predictions that were given as a list: records with ids, or answers in the order of the references.

    Raises:
        UsageError: A record has no id or no prediction.
    """
    if not predictions or not all(isinstance(one, Mapping) for one in predictions):
        return [Prediction(one, key) for key, one in zip(keys, predictions, strict=False)]
    batch = []
    for number, one in enumerate(predictions):
        key = one.get("data_id", one.get("id"))
        if key is None or "prediction" not in one:
            missing = "data_id" if key is None else "prediction"
            raise UsageError(f"prediction {number} has no {missing!r}, only {', '.join(map(repr, one))}")
        batch.append(Prediction(one["prediction"], key))
    return batch
