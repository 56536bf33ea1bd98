"""Adding a case to a suite file, behind what is there; what is there stays as it is written, comments and all."""

from __future__ import annotations

import os
from contextlib import suppress

from msgspec.structs import replace

from toolgauge.core import Case, Suite
from toolgauge.errors import OutputError, ToolgaugeError, UsageError
from toolgauge.files import write_file

from .load import load_suite
from .write import write_suite

__all__ = ["add_case"]

_HEAD = "cases:\n"


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
    if not os.path.exists(path):
        name = os.path.basename(path).partition(".")[0] or like.name
        write_file(path, (part.encode() for part in write_suite(replace(like, name=name, cases=(case,)))))
        return case.id
    before = load_suite(path, check_schemas=False)
    case = replace(case, id=_free_id(case.id, {one.id for one in before.cases}))
    written = "".join(write_suite(Suite("", (case,)))).partition(_HEAD)[2]
    with open(path, encoding="utf-8", newline="") as stream:
        text = stream.read()
    draft = f"{path}.{os.urandom(4).hex()}.draft"
    try:
        write_file(draft, [f"{text.rstrip()}\n\n{written}".encode()])
        if not _is_added(draft, before, case):
            raise UsageError(
                f"{path}: a case can be added only where cases come last, in YAML of one case below the other"
            )
        with open(draft, "rb") as stream:
            write_file(path, [stream.read()])
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            os.unlink(draft)
    return case.id


def _free_id(wanted: str, taken: set[str]) -> str:
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def _is_added(draft: str, before: Suite, case: Case) -> bool:
    """Whether the file reads as the old one with the case behind the others."""
    try:
        return load_suite(draft, check_schemas=False) == replace(before, cases=(*before.cases, case))
    except ToolgaugeError:
        return False
