"""Reading references: the right answers, from JSONL, a JSON list or a Hugging Face dataset."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, cast

import msgspec

from toolgauge.core import Advance, JsonValue, gc_paused
from toolgauge.errors import InputError, Problem, UsageError
from toolgauge.files import Fault, Problems, Rejected, read_json_lines

from .blocks import RecordFile, Records
from .kinds import QuestionType, Unscorable, as_list, kind_of

__all__ = ["Example", "ReferenceSource", "load_jsonl", "prepare_qid2example", "read_references"]

Id: TypeAlias = str | int

Example: TypeAlias = tuple[int, JsonValue]
"""What is kept of a reference: its group (question type, and 3 more for an unseen entity) and its answers."""

ReferenceSource: TypeAlias = str | os.PathLike[str] | Iterable[Mapping[str, Any]]
"""A file, the folder of a dataset, a dataset, or records."""

_NUMERICAL = QuestionType.Numerical.value

_COLUMNS = ("id", "output", "data_split", "question_type", "data_id", "answer_eval")

_NEEDS_DATASETS = (
    "this is a folder, and reading a Hugging Face dataset needs the extra: pip install 'toolgauge[datasets]'"
)


class Reference(msgspec.Struct, gc=False):
    """A reference as it is written, in either spelling. Data sets carry more columns, which do not matter here."""

    question_type: str
    data_split: str
    data_id: Id | None = None
    answer_eval: JsonValue = None
    id: Id | None = None
    output: JsonValue = None

    @property
    def key(self) -> Id | None:
        """The id of the question."""
        return self.id if self.data_id is None else self.data_id

    @property
    def answers(self) -> JsonValue:
        """The right answers; None where the reference has none."""
        if self.answer_eval is not None:
            return self.answer_eval
        return self.output.get("answer") if isinstance(self.output, dict) else None


def _check(reference: Reference) -> None:
    faults = []
    if reference.key is None:
        faults.append(Fault((), "the key 'data_id' (or 'id') is missing"))
    if reference.answers is None:
        faults.append(Fault((), "the reference has no answer", "give it as 'answer_eval', or as 'answer' in 'output'"))
    if faults:
        raise Rejected(*faults)


_records = Records(Reference, _check)


def read_references(source: ReferenceSource, advance: Advance) -> dict[Id, Example]:
    """The references by id, in their order.

    Raises:
        InputError: They cannot be read, are not as they should be, or two have the same id.
    """
    if not isinstance(source, str | os.PathLike):
        return _from_rows("the references", source)
    if os.path.isdir(source) and any(map(_names_a_dataset, os.listdir(source) or [""])):
        return _from_rows(os.fspath(source), _load_dataset(os.fspath(source)))
    with RecordFile(source) as file, gc_paused():
        if file.is_list():
            return _from_list(file)
        examples: dict[Id, Example] = {}
        count = 0
        for batch in _records.read(file, advance):
            count += len(batch)
            for reference in batch:
                key, answers = reference.data_id, reference.answer_eval
                if key is None or answers is None:
                    key, answers = reference.key, reference.answers
                if key is None or answers is None:
                    _explain(file)
                examples[cast(Id, key)] = _group(reference), answers
        if len(examples) != count:
            _explain(file)
    return examples


def _group(reference: Reference) -> int:
    return kind_of(reference.question_type) + (0 if reference.data_split.endswith("unseen_question") else 3)


def _explain(file: RecordFile) -> None:
    """Go through a file again, and raise what is wrong with it by line."""
    lines: dict[Id, int] = {}
    problems = Problems(file.name)
    for number, reference in _records.read_numbered(file):
        key = cast(Id, reference.key)
        first = lines.setdefault(key, number)
        if first != number and not problems.full:
            problems.add(_second(key, number, f"line {first}"))
    problems.raise_if_any()


def _second(key: Id, line: int | None, first: str) -> Problem:
    return Problem(f"duplicate id {key!r}", line, hint=f"it was first on {first}")


def _from_list(file: RecordFile) -> dict[Id, Example]:
    document = file.read_list()
    references = _records.take(file.name, document)
    examples: dict[Id, Example] = {}
    problems = Problems(file.name)
    for index, reference in enumerate(references):
        key = cast(Id, reference.key)
        if key in examples and not problems.full:
            place = document.locate((index,), False)
            problems.add(_second(key, place[0] if place else None, "an earlier item of the list"))
        examples[key] = _group(reference), reference.answers
    problems.raise_if_any()
    return examples


def _names_a_dataset(name: str) -> bool:
    """Whether a folder with such a file was saved as a dataset, or holds nothing else that could be read."""
    return name in ("", "dataset_info.json", "dataset_dict.json", "state.json") or name.endswith(".arrow")


def _load_dataset(path: str) -> Iterable[Mapping[str, Any]]:
    from importlib import import_module

    try:
        datasets = import_module("datasets")
    except ImportError as error:
        raise InputError(path, Problem(_NEEDS_DATASETS)) from error
    try:
        loaded = datasets.load_from_disk(path)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(path, Problem(f"not a dataset that was saved to disk: {error}".splitlines()[0])) from error
    if isinstance(loaded.column_names, dict):
        named = ", ".join(loaded.column_names)
        raise InputError(
            path, Problem(f"this contains several datasets: {named}", hint="name the folder of one of them")
        )
    return cast(Iterable[Mapping[str, Any]], loaded)


def _rows(source: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The records; of a dataset, only the columns that matter, many rows at a time."""
    names = getattr(source, "column_names", None)
    if names is None:
        yield from source
        return
    dataset = cast(Any, source).select_columns([name for name in _COLUMNS if name in names])
    for batch in dataset.iter(batch_size=1000):
        columns = list(batch)
        for values in zip(*batch.values(), strict=True):
            yield dict(zip(columns, values, strict=True))


def _from_rows(name: str, source: Iterable[Mapping[str, Any]]) -> dict[Id, Example]:
    examples: dict[Id, Example] = {}
    problems = Problems(name)
    for number, row in enumerate(_rows(source)):
        if not isinstance(row, Mapping):
            raise UsageError(f"{name}: expected records with an id and answers, found {type(row).__name__}")
        try:
            reference = msgspec.convert({key: row[key] for key in _COLUMNS if key in row}, Reference)
            _check(reference)
        except msgspec.ValidationError as error:
            problems.add(Problem(f"row {number}: {error}"))
        except Rejected as error:
            problems.add(*(Problem(f"row {number}: {fault.what}", hint=fault.hint) for fault in error.faults))
        else:
            key = cast(Id, reference.key)
            if key in examples:
                problems.add(Problem(f"row {number}: duplicate id {key!r}"))
            examples[key] = _group(reference), reference.answers
        if problems.full:
            break
    problems.raise_if_any()
    return examples


def range_of(answers: JsonValue) -> JsonValue:
    """The answers of a numerical question without what is around them: the range of an object, or of the first one.

    Raises:
        Unscorable: An object has no range.
    """
    first = answers[0] if isinstance(answers, list) and answers else answers
    if not isinstance(first, Mapping):
        return answers
    bounds = first.get("range")
    if not isinstance(bounds, list | tuple):
        raise Unscorable("the reference has no 'range'")
    return list(bounds[:2])


def prepare_qid2example(reference: Iterable[Mapping[str, Any]]) -> dict[Any, dict[str, Any]]:
    """References by id, with the ranges of numerical questions as two strings in `answer_eval`.

    The records that are given stay as they are.

    Args:
        reference: Records with `data_id`, `question_type` and `answer_eval`, or with `id` and `answer` in `output`.

    Raises:
        UsageError: A record has no id.
    """
    examples: dict[Any, dict[str, Any]] = {}
    for record in reference:
        example = dict(record)
        key = example["data_id"] if "data_id" in example else example.get("id")
        if key is None:
            raise UsageError(f"a reference has no 'data_id', only {', '.join(map(repr, example))}")
        if "answer_eval" not in example and isinstance(example.get("output"), Mapping):
            example["answer_eval"] = example["output"].get("answer")
        if kind_of(example.get("question_type")) == _NUMERICAL:
            example["answer_eval"] = _as_strings(example.get("answer_eval"))
        examples[key] = example
    return examples


def _as_strings(answers: JsonValue) -> list[str]:
    """The numbers as text; nothing where there are none, so that the item is found wrong when it is scored."""
    try:
        return [str(value) for value in as_list(range_of(answers))]
    except Unscorable:
        return []


def load_jsonl(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The objects of a JSONL file.

    Raises:
        InputError: The file cannot be read, or lines are not JSON objects.
    """
    return list(read_json_lines(path, dict[str, Any]))
