"""Saving what is whole in a file that is no JSON document: one value after the other, or a list that is cut off."""

from __future__ import annotations

import json

from toolgauge.core import JsonValue
from toolgauge.files import BadJson, InputFile, decode_json

__all__ = ["whole_values"]

LARGEST = 64 * 1024 * 1024
"""The largest file, in bytes, as for documents; it is held as a whole."""

MOST_FAULTS = 20
"""After so many broken values nothing more is looked for: each of them may be looked through to the end of the file."""

BETWEEN = " \t\r\n,]"
"""What may stand between values, also after a list that was entered."""

_end_of = json.JSONDecoder().raw_decode


def whole_values(source: InputFile) -> tuple[list[JsonValue], int]:
    """The values of a file that can be read, and how many cannot.

    A list that is not whole is entered, so that its members are the values. After a broken value the next one is looked
    for where a line begins with an object.

    Raises:
        InputError: The file cannot be read, is too large, or is not UTF-8.
    """
    written = source.text(LARGEST)
    values: list[JsonValue] = []
    faults = entered = position = 0
    while faults < MOST_FAULTS:
        while position < len(written) and written[position] in BETWEEN:
            position += 1
        if position == len(written):
            break
        end = _end(written, position)
        if end is not None:
            try:
                values.append(decode_json(written[position:end].encode("utf-8")))
            except BadJson:
                faults += 1
            position = end
        elif written[position] == "[" and entered < MOST_FAULTS:
            entered += 1
            position += 1
        else:
            faults += 1
            position = written.find("\n{", position + 1)
            if position < 0:
                break
    return values, faults


def _end(written: str, position: int) -> int | None:
    """Where the value ends that begins at a position; None where it is none, or not whole."""
    try:
        return _end_of(written, position)[1]
    except (ValueError, RecursionError):
        return None
