"""Where the parts of a suite stand in its file, for whoever has something to say about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from toolgauge.files import STANDARD_INPUT, CsvTable, InputFile, Path, read_json_document, read_yaml_document

from .formats import is_foreign
from .load import WrittenSuite, format_of

__all__ = ["find_lines"]


def find_lines(
    path: str | os.PathLike[str],
    parts: Iterable[Path],
    *,
    input_format: str | None = None,
    columns: Mapping[str, str] | None = None,
) -> dict[Path, int]:
    """The lines of parts of a suite that was loaded from a file.

    Args:
        path: The file. Of standard input or a pipe, which can be read once only, nothing is found.
        parts: Paths from the suite inwards, such as `("cases", 3, "expect", "calls", 0, "tool")`.
        input_format: How the file is written, where its content does not tell.
        columns: The columns that somebody names, by which the file is known to be CSV.

    Returns:
        The line of each part, or of the nearest thing around it that is there; nothing in suites of other tools,
        whose parts stand elsewhere.
    """
    if os.fspath(path) == STANDARD_INPUT or not os.path.isfile(path):
        return {}
    with InputFile(path) as source:
        kind = format_of(source, input_format, columns)
        if kind == "csv":
            return _by_case(parts, [line for line, _ in CsvTable(source, {})])
        if kind == "jsonl":
            return _by_case(parts, [number for number, line in source.lines() if line.strip()])
        document = read_json_document(source) if kind == "json" else read_yaml_document(source, WrittenSuite)
        if is_foreign(document.value):
            return {}
        # A single case is a suite too: its document begins where the path of a case would lead.
        depth = 0 if isinstance(document.value, dict) and "cases" in document.value else 2
        places = {part: document.locate(part[depth:], False) for part in dict.fromkeys(parts)}
        return {part: place[0] for part, place in places.items() if place is not None}


def _by_case(parts: Iterable[Path], lines: list[int]) -> dict[Path, int]:
    """Where one case stands in one line, or begins in it."""
    found: dict[Path, int] = {}
    for part in parts:
        if len(part) > 1 and isinstance(part[1], int) and part[1] < len(lines):
            found[part] = lines[part[1]]
    return found
