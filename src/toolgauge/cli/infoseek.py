"""`toolgauge infoseek`: predictions against references, scored as the published InfoSeek evaluator does."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from toolgauge.errors import NothingToDo
from toolgauge.infoseek import Result, compare, notes, score
from toolgauge.infoseek.rendering import InfoSeekDocument

from .options import Output, output_options, tell

__all__ = ["command"]

PATIENCE = 1.0
"""Seconds before progress is shown."""


@click.command()
@click.argument("predictions")
@click.argument("references")
@click.option(
    "--fix-space", is_flag=True, help="Remove spaces from the numbers in predictions first: 1, 234 becomes 1,234."
)
@click.option("--against", metavar="PREDICTIONS", help="Other predictions for the same references, to compare with.")
@click.option(
    "--intervals", is_flag=True, help="Add 95% intervals to JSON, which otherwise has the published names only."
)
@click.option("--strict", is_flag=True, help="Stop at an item that cannot be scored, instead of counting it as wrong.")
@output_options()
def command(
    predictions: str,
    references: str,
    fix_space: bool,
    against: str | None,
    intervals: bool,
    strict: bool,
    output: Output,
) -> None:
    """Score PREDICTIONS against REFERENCES as InfoSeek does.

    PREDICTIONS is JSONL with data_id (or id) and prediction, or a JSON list in the order of the references.
    REFERENCES is JSONL with data_id, answer_eval, data_split and question_type (or id, and answer in output), or the
    folder of a Hugging Face dataset.

    \b
    toolgauge infoseek predictions.jsonl references.jsonl
    toolgauge infoseek predictions.json references/ --fix-space --format latex -o table.tex
    toolgauge infoseek small.jsonl references.jsonl --against large.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    files = [predictions, *([against] if against else [])]
    output.refuse_inputs(*files, references)
    with _progress(_size(references) + sum(map(_size, files))) as advance:
        if against is None:
            scored = score(predictions, references, fix_spaces=fix_space, strict=strict, advance=advance)
            document = InfoSeekDocument(scored, intervals=intervals)
        else:
            found, other, paired = compare(
                predictions, against, references, fix_spaces=fix_space, strict=strict, advance=advance
            )
            document = InfoSeekDocument(found, paired, other, _short_names(predictions, against))
    for path, result in zip(files, filter(None, (document.result, document.other)), strict=True):
        _refuse_nothing(path, references, result)
        tell(*(f"{path}: {note}" if against else note for note in notes(result)))
    if document.paired is not None and not document.paired.items:
        raise NothingToDo(f"{predictions} and {against} have no prediction for the same reference")
    output.draw(document)


def _refuse_nothing(predictions: str, references: str, result: Result) -> None:
    if result.count:
        return
    if not result.references:
        raise NothingToDo(f"{references}: there is no reference to score against")
    have = "has" if result.skipped == 1 else "have"
    skipped = f"; {result.skipped:,} {have} an id that no reference has" if result.skipped else ""
    raise NothingToDo(f"{predictions}: there is no prediction to score{skipped}")


def _short_names(first: str, second: str) -> tuple[str, str]:
    """What two files are called: by their names, or by their paths where these are the same."""
    short = os.path.basename(first), os.path.basename(second)
    return short if short[0] != short[1] else (first, second)


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error once the work takes longer than a second, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = _Bar(total)
    try:
        yield bar.advance
    finally:
        bar.close()


class _Bar:
    """How much of the files has been read."""

    _WIDTH = 30

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def advance(self, count: int) -> None:
        """Take note of bytes that were read."""
        self._done += count
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + 0.1
        self._shown = True
        share = min(self._done / self._total, 1.0) if self._total else 0.0
        filled = round(share * self._WIDTH)
        sys.stderr.write(f"\r{'━' * filled}{'╌' * (self._WIDTH - filled)} {share:4.0%}")
        sys.stderr.flush()

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
