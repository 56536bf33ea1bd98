"""Where results go and in which form: `--format`, `--table`, `-o` and `--lang`, the same for every command."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import click

from toolgauge.catalogue import LANGUAGES, Lang, language, words_of
from toolgauge.catalogue.speaking import say
from toolgauge.errors import UsageError
from toolgauge.report import CASE_FORMATS, CHART_FORMATS, FORMATS, brought_formats, check_tables, render, show, visible

from .streams import messages, results_descriptor

if TYPE_CHECKING:
    from toolgauge.core import Run
    from toolgauge.report import Document, RunDocument

__all__ = ["RUN", "FiniteRange", "Output", "output_options", "tell"]

RUN = "run"
"""The format of run files, which other commands read. It is no report."""

R = TypeVar("R")


class FiniteRange(click.FloatRange):
    """A number in a range. What is not a number, or without bound, would mean no limit at all."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number; anything else is an error of usage."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(say(f"{number} is not a finite number."), param, ctx)
        return number


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return ""  # it was removed


@dataclass(frozen=True, slots=True)
class Output:
    """In which form a result is wanted, and where."""

    format: str
    path: str | None
    lang: Lang
    tables: tuple[str, ...] = ()
    """The only sections, tables or metrics that are wanted."""
    full: bool = False
    """Whether everything is wanted, beyond what a report opens with."""
    chart: str = ""
    """The chart that is wanted, of a format that draws one."""
    folder: str = field(default_factory=_current_folder)
    """The folder that the command was called in, which paths are relative to."""

    @property
    def read(self) -> bool:
        """Whether people read it, so that it opens with what they should know first."""
        return self.format not in ("json", "csv", "junit", RUN, *CHART_FORMATS)

    @property
    def cases(self) -> Literal["all", "failed", "none"]:
        """Which single cases the format draws whether or not somebody asks for them."""
        if self.format in FORMATS:
            return "all" if self.format == "html" and not self.tables else "none"
        return "failed" if self.format == "github" else "all"

    def of_run(self, run: Run, *, details: bool = False, failures: str | None = None) -> RunDocument:
        """The report of a run as it is wanted here.

        Args:
            run: The run.
            details: Whether to add the single cases.
            failures: Which cases to show with what was expected: those that did not pass, or `issues`: all with issues.
        """
        from toolgauge import api
        from toolgauge.report import RunDocument

        places = api.case_places(run) if self.format == "github" else {}
        several = len({row.agent for row in run.summary.rows}) > 1
        more = "head.more.several" if several else "head.more"
        hint = "" if self.full else words_of(self.lang)(more)
        return RunDocument(
            run,
            details=details,
            failures=bool(failures),
            issues=failures == "issues",
            full=self.full,
            more=hint,
            places=places,
        )

    def beside(self, format: str, path: str | None) -> Output:  # noqa: A002 - the name of the option
        """The same in another form, at another place."""
        return replace(self, format=format, path=path, tables=())

    def refuse_inputs(
        self, *inputs: str | None, store: str | None = None, beside: Mapping[str, str | None] | None = None
    ) -> None:
        """Make sure that no result takes the place of a store, of what it is made from, or of another result.

        Args:
            *inputs: What is read, as far as it is files.
            store: The store that is named; default: the usual one.
            beside: By option the other files that are written.

        Raises:
            UsageError: A file to write is one of these.
            OutputError: One cannot be written at all.
        """
        written = {"-o": self.path, **(beside or {})}
        if any(path is not None for path in written.values()):
            from toolgauge import api

            api.check_places(written, inputs, store)

    def place(self, path: str) -> str:
        """Where a file is that was named when the command began, wherever code under test has gone since."""
        return path if _current_folder() == self.folder else os.path.join(self.folder, path)

    def draw(self, document: Document) -> None:
        """Write a document; on a terminal with colours."""
        if self.format == "text" and self.path is None and os.isatty(results_descriptor()):
            from rich.console import Console

            encoding = sys.stdout.encoding or "utf-8"
            with open(results_descriptor(), "w", -1, encoding, "backslashreplace", closefd=False) as stream:
                show(document, Console(file=stream), lang=self.lang, tables=self.tables)
        else:
            self.write(render(document, self.format, lang=self.lang, tables=self.tables, chart=self.chart))

    def write(self, chunks: Iterable[str | bytes]) -> None:
        """Write the result: to a file that is there as a whole or not at all, or to standard output."""
        encoded: Iterator[bytes] = (
            chunk if isinstance(chunk, bytes) else chunk.encode("utf-8", "backslashreplace") for chunk in chunks
        )
        if self.path is not None:
            from toolgauge.files import write_file

            write_file(self.place(self.path), encoded)
            return
        sys.stdout.flush()
        # A stream of its own, for that of the interpreter may be one that writes less than it was given.
        with open(results_descriptor(), "wb", closefd=False) as stream:
            stream.writelines(encoded)


def tell(*notes: str) -> None:
    """Write notes on standard error, in the language that is spoken, with what comes from data made harmless."""
    for note in notes:
        messages().write(f"{say('Note:')} {visible(say(note))}\n")


class _Formats(click.Choice[str]):
    """The formats that are built in, or any that another package brings."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices and value in brought_formats():
            return str(value)
        return super().convert(value, param, ctx)


def output_options(
    *, cases: bool = False, run: bool = False, full: bool = False, charts: bool = False
) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Adds `--format`, `--table`, `-o`, `--lang` and, if asked, `--full`, handed over as one `Output`.

    Args:
        cases: Whether there are cases with verdicts, so that JUnit XML and the messages of GitHub can be drawn.
        run: Whether a run file can be written.
        full: Whether a report opens with the most important, and `--full` adds the rest.
        charts: Whether one chart can be drawn alone, with `--chart`.
    """
    formats = [*FORMATS, *(CHART_FORMATS if charts else ()), *(CASE_FORMATS if cases else ()), *([RUN] if run else [])]

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def command(
            *args: object,
            format: str,  # noqa: A002 - the name of the option
            tables: tuple[str, ...],
            output_path: str | None,
            lang: str | None,
            full: bool = False,
            chart: str | None = None,
            **rest: object,
        ) -> R:
            check_tables(format, tables)
            if chart is not None and format not in CHART_FORMATS:
                raise UsageError(f"--chart draws one chart, with --format {', '.join(CHART_FORMATS)}")
            output = Output(format, output_path, lang or language(), tables, full, chart or "")
            return function(*args, output=output, **rest)

        decorated: Callable[..., R] = command
        for option in reversed(_options(formats, full=full, charts=charts)):
            decorated = option(decorated)
        return decorated

    return decorate


def _options(
    formats: Sequence[str], *, full: bool, charts: bool
) -> list[Callable[[Callable[..., R]], Callable[..., R]]]:
    chart = click.option("--chart", metavar="NAME", help="With --format svg: the chart, such as pass_rate or tools.")
    whole = click.option("--full", is_flag=True, help="Show everything, not only what matters most.")
    return [
        click.option(
            "--format",
            type=_Formats(formats),
            default="text",
            show_default=True,
            help="Output format, or the name of a format plugin.",
        ),
        click.option(
            "--table",
            "--section",
            "tables",
            multiple=True,
            metavar="NAME",
            help="Show only this section, table or metric, such as for a paper with --format latex; may be repeated.",
        ),
        click.option("-o", "--output", "output_path", metavar="FILE", help="Write to FILE instead of standard output."),
        click.option(
            "--lang", type=click.Choice(LANGUAGES), help="Language of the output; default: that of the locale."
        ),
        *([chart] if charts else []),
        *([whole] if full else []),
    ]
