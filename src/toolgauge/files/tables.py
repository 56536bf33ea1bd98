"""Reading CSV strictly, record by record, so that every fault names its line and column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from toolgauge.core import nfc
from toolgauge.errors import InputError, Problem, did_you_mean

from .problems import Problems, shorten
from .reading import MEBIBYTE, InputFile
from .recognise import delimiter_of

if TYPE_CHECKING:
    import csv
    from io import StringIO

__all__ = ["LARGEST_FIELD", "CsvTable", "filled", "near_column"]

LARGEST_FIELD = 8 * 1024 * 1024
"""The longest field, in characters. What is longer is a quote that was never closed."""

MOST_COLUMNS = 10_000
MOST_LINES = 100_000
"""How many lines a record may have, for the same reason."""

LONGEST_LINE = 8 * MEBIBYTE
"""The longest line of a table, in bytes."""


TOO_LARGE = "field larger than"
"""How the error of the csv module begins, and ours."""


class CsvTable:
    """A CSV file with a header. Iterating gives each record with the line that it begins in."""

    def __init__(self, source: InputFile, known: Mapping[str, str]) -> None:
        """Read the header.

        Args:
            source: The file.
            known: Columns with a meaning: each accepted spelling, in small letters, with the name it stands for.

        Raises:
            InputError: There is no header, or a name in it is empty or there twice.
        """
        self.source = source
        self.problems = Problems(source.name)
        self._known = known
        self._recent: StringIO
        """The text of the record that is being read, which takes less room than its lines one by one."""
        self._line = self._begin = 0
        """The line that was read last, and the one that its record begins in."""
        self._reader = self._start()
        self.columns = self._header()

    def require(self, *choices: Sequence[str]) -> None:
        """Make sure that of each choice one column is there.

        Raises:
            InputError: A column is missing.
        """
        for names in choices:
            if not any(name in self.columns for name in names):
                wanted = " or ".join(repr(name) for name in names)
                spellings = [spelling for spelling, meaning in self._known.items() if meaning in names]
                hints = (_near(spelling, self.columns) for spelling in sorted(spellings, key=len, reverse=True))
                hint = next((hint for hint in hints if hint), f"the columns are: {', '.join(self.columns)}")
                self.problems.add(Problem(f"there is no column {wanted}", self._header_line, hint=hint))
        self.problems.raise_if_any()

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        """Each record as values by column, trimmed, with its line.

        Problems, those found here and those that the reader of the records adds to `problems`, are raised together at
        the end, so whoever passes records on looks at `problems` first.

        Raises:
            InputError: Something was wrong.
        """
        for line, row in self._rows():
            if self.problems.full:
                break
            if len(row) != len(self.columns):
                self.problems.add(self._ragged(line, row))
            else:
                yield line, dict(zip(self.columns, map(str.strip, row), strict=True))
        self.problems.raise_if_any()

    def _start(self) -> Iterator[list[str]]:
        import csv

        for number, text in self.source.text_lines(LONGEST_LINE):
            if text.strip():
                self._header_line = number
                break
        else:
            raise InputError(self.source.name, Problem("the file is empty", hint="a header line comes first"))
        self._delimiter = delimiter_of(text)
        return csv.reader(self._lines(), delimiter=self._delimiter, strict=True, skipinitialspace=True)

    def _lines(self) -> Iterator[str]:
        import csv

        for number, text in self.source.text_lines(LONGEST_LINE):
            self._line = number
            if number - self._begin >= MOST_LINES:
                raise csv.Error(f"{TOO_LARGE} {MOST_LINES:,} lines")
            self._recent.write(text + "\n")
            if "\0" in text:
                column = text.index("\0") + 1
                raise InputError(self.source.name, Problem("a NUL character in the text", number, column))
            yield text + "\n"

    def _header(self) -> list[str]:
        row = next((row for _, row in self._rows(())), [])
        self.problems.raise_if_any()
        if len(row) > MOST_COLUMNS:
            what = f"the header has more than {MOST_COLUMNS:,} columns"
            raise InputError(self.source.name, Problem(what, self._header_line))
        names: list[str] = []
        taken: set[str] = set()
        for position, written in enumerate(row, start=1):
            name = nfc(written.strip())
            name = self._known.get(name.lower(), name)
            if not name:
                what = f"column {position} of the header has no name"
                self.problems.add(Problem(what, self._header_line, hint="name it or remove it"))
            elif name in taken:
                earlier = row[names.index(name)].strip()
                what = f"the header has {shorten(earlier)} and {shorten(written.strip())}, which is the same column"
                self.problems.add(Problem(what, self._header_line, written.strip(), "keep one of them"))
            names.append(name)
            taken.add(name)
        self.problems.raise_if_any()
        return names

    def _rows(self, columns: Sequence[str] | None = None) -> Iterator[tuple[int, list[str]]]:
        """The records that are not blank. A broken quote ends them: what follows cannot be told apart."""
        import csv
        from io import StringIO

        while True:
            self._recent = StringIO()
            begin = self._begin = self._line + 1
            usual = csv.field_size_limit(LARGEST_FIELD)
            try:
                row = next(self._reader, None)
            except csv.Error as error:
                names = self.columns if columns is None else columns
                text = self._recent.getvalue().removesuffix("\n")
                self.problems.add(_explain(text, begin, names, self._delimiter, error))
                return
            finally:
                # The limit belongs to the whole process, so it is changed for one record at a time.
                csv.field_size_limit(usual)
            if row is None:
                return
            if any(value and not value.isspace() for value in row):
                yield begin, row

    def _ragged(self, line: int, row: list[str]) -> Problem:
        wanted, found = len(self.columns), len(row)
        if found < wanted:
            what = f"{_fields(found)} where the header has {wanted}; {self.columns[found]!r} is the first missing one"
            return Problem(what, line, self.columns[found])
        what = f"{_fields(found)} where the header has {wanted}; {shorten(row[wanted])} is the first one too many"
        return Problem(what, line, self.columns[-1], "put text that contains the delimiter in double quotes")


def filled(cell: str) -> str:
    """What stands in a cell, where `nan` is how data frames write that nothing does."""
    return "" if cell.lower() == "nan" else cell


def near_column(name: str, known: Sequence[str]) -> str:
    """A hint for a column whose name is nearly one that has a meaning, or nothing."""
    from difflib import get_close_matches

    near = get_close_matches(name.lower(), known, n=1, cutoff=0.75)
    return f"did you mean {near[0]!r}?" if near else ""


def _fields(count: int) -> str:
    return "1 field" if count == 1 else f"{count} fields"


def _near(name: str, columns: Sequence[str]) -> str:
    hint = did_you_mean(name, columns)
    if not hint.startswith("did you mean"):
        return ""
    return f"{hint.removeprefix('did you mean ').removesuffix('?')} should perhaps be {name!r}"


def _explain(text: str, begin: int, columns: Sequence[str], delimiter: str, error: csv.Error) -> Problem:
    """What is wrong with the quotes of a record, found by going over it once more."""
    position = column = 0
    too_large = str(error).startswith(TOO_LARGE)
    while True:
        while text.startswith(" ", position):
            position += 1
        opened = position
        if text.startswith('"', position):
            position = _closing_quote(text, position + 1)
            if position < 0:
                break
            after = text[position + 1 : position + 2]
            if after not in ("", "\n", delimiter):
                what = f"{shorten(text[position + 1 : position + 21])} after a closing quote"
                line = begin + text.count("\n", 0, position)
                return Problem(what, line, _name(columns, column), "double a quote that is part of the text")
        following = text.find(delimiter, position)
        if following < 0:
            break
        position, column = following + 1, column + 1
    line = begin + text.count("\n", 0, opened)
    if too_large:
        most = str(error) if "lines" in str(error) else f"{TOO_LARGE} {LARGEST_FIELD:,} characters"
        what = most.replace(TOO_LARGE, "a field of more than")
        return Problem(what, line, _name(columns, column), "look for a quote that is not closed")
    if position < 0:
        what = "the quote that opens here is never closed"
        return Problem(what, line, _name(columns, column), "close it, or double it where it is part of the text")
    return Problem(f"not valid CSV: {error}", begin)


def _closing_quote(text: str, position: int) -> int:
    """Where the quoted text ends, or -1; two quotes in a row stand for one."""
    while (end := text.find('"', position)) >= 0 and text.startswith('"', end + 1):
        position = end + 2
    return end


def _name(columns: Sequence[str], column: int) -> str | None:
    return columns[column] if column < len(columns) else None
