"""Options that commands share, and where their results go."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

import click

from toolgauge.catalogue import LANGUAGES, Lang, language
from toolgauge.errors import UsageError
from toolgauge.report import FORMATS, Report, render, show, visible

__all__ = ["Output", "output_options", "tell"]

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Output:
    """In which form a result is wanted, and where."""

    format: str
    path: str | None
    lang: Lang

    def refuse_inputs(self, *inputs: str | None) -> None:
        """Make sure that the result does not take the place of what it is made from.

        Raises:
            UsageError: The file to write is one of these.
        """
        if self.path is None or not os.path.isfile(self.path):
            return
        target = os.path.realpath(self.path)
        for path in inputs:
            if path is not None and os.path.realpath(path) == target:
                raise UsageError(f"{self.path} is read here and cannot be written too; name another file after -o")

    def draw(self, report: Report) -> None:
        """Write a report; on a terminal with colours."""
        if self.format == "text" and self.path is None and sys.stdout.isatty():
            from rich.console import Console

            show(report, Console())
        else:
            self.write(render(report, self.format))

    def write(self, chunks: Iterable[str | bytes]) -> None:
        """Write the result: to a file that is there as a whole or not at all, or to standard output."""
        encoded: Iterator[bytes] = (
            chunk if isinstance(chunk, bytes) else chunk.encode("utf-8", "backslashreplace") for chunk in chunks
        )
        if self.path is not None:
            from toolgauge.files import write_file

            write_file(self.path, encoded)
            return
        sys.stdout.flush()
        # A stream of its own, for that of the interpreter may be one that writes less than it was given.
        with open(sys.stdout.fileno(), "wb", closefd=False) as stream:
            stream.writelines(encoded)


def tell(*notes: str) -> None:
    """Write notes on standard error, with what comes from data made harmless."""
    for note in notes:
        sys.stderr.write(f"Note: {visible(note)}\n")


def output_options(*more_formats: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Adds `--format`, `-o` and `--lang`, handed over as one `Output`."""

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def command(*args: object, format: str, output_path: str | None, lang: str | None, **rest: object) -> R:  # noqa: A002
            return function(*args, output=Output(format, output_path, lang or language()), **rest)

        for option in reversed(_options(more_formats)):
            command = option(command)
        return command

    return decorate


def _options(more_formats: tuple[str, ...]) -> list[Callable[[Callable[..., R]], Callable[..., R]]]:
    formats = click.Choice([*FORMATS, *more_formats])
    return [
        click.option("--format", "format", type=formats, default="text", show_default=True, help="How to write it."),
        click.option("-o", "--output", "output_path", metavar="FILE", help="Write to FILE instead of standard output."),
        click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the report; default: the locale's."),
    ]
