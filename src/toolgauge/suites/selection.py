"""Finding the cases of a suite that are wanted: by id, by label, those that failed before, the first ones, a sample."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from msgspec.structs import replace

from toolgauge.core import Case, Selection, Suite, nfc
from toolgauge.errors import NothingToDo, UsageError, did_you_mean

__all__ = ["select_cases"]


def select_cases(suite: Suite, selection: Selection, failed: Collection[str] | None = None) -> Suite:
    """The suite with those of its cases that are wanted, in their order.

    Args:
        suite: The suite.
        selection: What is wanted.
        failed: The ids of cases that did not pass in the run that the selection names.

    Raises:
        NothingToDo: No case fits, or none fits one of the filters.
        UsageError: A filter cannot be understood.
    """
    if not selection.described:
        return suite
    for option, number in (("--limit", selection.limit), ("--sample", selection.sample)):
        if number is not None and number < 1:
            raise UsageError(f"{option} has to be at least 1, not {number}")
    found = _by_label(_by_id(suite.cases, selection), selection)
    if failed is not None:
        found = [case for case in found if case.id in failed]
    if not found:
        raise NothingToDo(f"no case of {suite.name!r} matches {selection.options}")
    if selection.sample is not None:
        ranked = sorted(found, key=lambda case: _rank(case, selection.seed))
        chosen = {case.id for case in ranked[: selection.sample]}
        found = [case for case in found if case.id in chosen]
    return replace(suite, cases=tuple(found[: selection.limit]))


def _fits(text: str, pattern: str) -> bool:
    text, pattern = nfc(text), nfc(pattern)
    return text == pattern or fnmatchcase(text, pattern)


def _by_id(cases: Sequence[Case], selection: Selection) -> list[Case]:
    patterns = selection.patterns
    if not patterns:
        return list(cases)
    for pattern in patterns:
        if not any(_fits(case.id, pattern) for case in cases):
            hint = did_you_mean(pattern, [case.id for case in cases])
            raise NothingToDo(f"no case matches --case {pattern}" + (f"; {hint}" if hint else ""))
    return [case for case in cases if any(_fits(case.id, pattern) for pattern in patterns)]


def _by_label(cases: Sequence[Case], selection: Selection) -> list[Case]:
    wanted: dict[str, list[str]] = {}
    for label in selection.pairs:
        key, equals, value = label.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"--label {label}: write KEY=VALUE, such as difficulty=hard")
        wanted.setdefault(key.strip(), []).append(value.strip())
    found = list(cases)
    for key, values in wanted.items():
        known = sorted({case.labels[key] for case in found if key in case.labels})
        for value in values:
            if not any(_fits(one, value) for one in known):
                raise NothingToDo(f"no case matches --label {key}={value}{_nearest_label(key, value, known, found)}")
        found = [case for case in found if any(_fits(case.labels.get(key, ""), value) for value in values)]
    return found


def _nearest_label(key: str, value: str, known: Sequence[str], cases: Sequence[Case]) -> str:
    keys = sorted({name for case in cases for name in case.labels})
    hint = did_you_mean(value, known) if known else did_you_mean(key, keys)
    return f"; {hint}" if hint else ""


def _rank(case: Case, seed: int) -> bytes:
    """Where a case stands in a lottery that depends on nothing but its id and the seed."""
    from hashlib import sha256  # loads OpenSSL, which few need

    return sha256(f"{seed}:{nfc(case.id)}".encode("utf-8", "backslashreplace")).digest()
