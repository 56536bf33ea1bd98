"""Adding cases to a suite file, behind what is there; what is there stays as it is written, comments and all.

A case is made of what was seen: a question that came up, with what is expected already or with what an agent did.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import Case, PathLike, Scored, Suite, Trajectory, nfc
from toolgauge.errors import OutputError, ToolgaugeError, UsageError
from toolgauge.files import write_file

from .load import load_suite
from .propose import propose_suite
from .write import write_suite

__all__ = ["AddedCases", "add_case", "case_of_trajectory", "propose_cases", "question_key"]

_HEAD = "cases:\n"


class AddedCases(Struct, frozen=True):
    """The result of adding failures as cases."""

    added: tuple[str, ...] = ()
    """The ids of the new cases, in the file."""
    duplicates: tuple[str, ...] = ()
    """Those that the file has already: a case with the same question is there."""
    nameless: int = 0
    """How many have no question, and so can be no case."""


def propose_cases(path: PathLike, seen: Iterable[Scored | Trajectory], like: Suite) -> AddedCases:
    """Turn trajectories into cases to review.

    What has a case that expects something keeps what that expects; all else expects what was done.

    Args:
        path: A YAML file whose cases come last, or none yet.
        seen: Trajectories, of production also, or those of a run with their scores.
        like: The suite that they come from: a new file gets its tools and settings.

    Raises:
        UsageError: Cases cannot be added to such a file.
        OutputError: It cannot be written.
    """
    name = os.fspath(path)
    known = {case.id: case for case in like.cases}
    there = load_suite(name, check_schemas=False).cases if os.path.exists(name) else ()
    taken = {question_key(case.input) for case in there}
    made: list[Case] = []
    duplicates: list[str] = []
    nameless = 0
    for one in seen:
        trajectory = one.trajectory if isinstance(one, Scored) else one
        case = _case_to_review(trajectory, known.get(trajectory.case))
        key = "" if case is None else question_key(case.input)
        if case is None or not key:
            nameless += 1
        elif key in taken:
            duplicates.append(case.id)
        else:
            taken.add(key)
            made.append(case)
    return AddedCases(tuple(_add_all(name, made, like)), tuple(duplicates), nameless)


def question_key(question: str) -> str:
    """Equal for questions that are the same but for capitals, blanks and how accents are encoded."""
    return " ".join(nfc(question).casefold().split())


def case_of_trajectory(case: Case, trajectory: Trajectory) -> Case:
    """The case, which expects what was done."""
    done = replace(trajectory, case=case.id, input=case.input, state="completed", error=None)
    (proposed,) = propose_suite([done], "made").suite.cases
    return replace(case, expect=replace(case.expect, calls=proposed.expect.calls, any_of=proposed.expect.any_of))


def _case_to_review(trajectory: Trajectory, known: Case | None) -> Case | None:
    if known is not None and known.expect != type(known.expect)():
        return replace(known, reviewed=False)
    question = known.input if known is not None else (trajectory.input or "").strip()
    if not question:
        return None
    name = trajectory.case.strip() or f"seen-{_short(question)}"
    return replace(case_of_trajectory(known or Case(name, question), trajectory), reviewed=False)


def _short(question: str) -> str:
    """What a question is known by where nobody named it."""
    from hashlib import sha256

    return sha256(question_key(question).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def add_case(path: str, case: Case, like: Suite) -> str:
    """Add a case to a suite file, or make the file where there is none.

    Args:
        path: A YAML file whose cases come last.
        case: The case; where its id is taken it gets another one.
        like: The suite that the case comes from: a new file gets its tools and settings.

    Returns:
        The id of the case in the file.

    Raises:
        UsageError: A case cannot be added to such a file.
        OutputError: It cannot be written.
    """
    (added,) = _add_all(path, [case], like)
    return added


def _add_all(path: str, cases: Sequence[Case], like: Suite) -> list[str]:
    """Add cases, all of them or none, and say what they are called in the file."""
    if not cases:
        return []
    before = load_suite(path, check_schemas=False) if os.path.exists(path) else None
    added: list[Case] = []
    taken = set() if before is None else {one.id for one in before.cases}
    for case in cases:
        added.append(replace(case, id=_free_id(case.id, taken)))
        taken.add(added[-1].id)
    if before is None:
        name = os.path.basename(path).partition(".")[0] or like.name
        new = replace(like, name=name, cases=tuple(added))
        write_file(path, (part.encode() for part in write_suite(new)))
    else:
        _append(path, before, added)
    return [one.id for one in added]


def _append(path: str, before: Suite, added: Sequence[Case]) -> None:
    written = "".join(write_suite(Suite("", tuple(added)))).partition(_HEAD)[2]
    with open(path, encoding="utf-8", newline="") as stream:
        text = stream.read()
    draft = f"{path}.{os.urandom(4).hex()}.draft"
    try:
        write_file(draft, [f"{text.rstrip()}\n\n{written}".encode()])
        if not _are_added(draft, before, added):
            raise UsageError(
                f"{path}: cases can be added only to YAML in which 'cases' comes last, one case below the other"
            )
        with open(draft, "rb") as stream:
            write_file(path, [stream.read()])
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            os.unlink(draft)


def _free_id(wanted: str, taken: set[str]) -> str:
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def _are_added(draft: str, before: Suite, added: Sequence[Case]) -> bool:
    """Whether the file reads as the old one with these cases behind the others."""
    try:
        return load_suite(draft, check_schemas=False) == replace(before, cases=(*before.cases, *added))
    except ToolgaugeError:
        return False
