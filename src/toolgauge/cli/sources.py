"""Runs and traces as they are named on the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

import click

from toolgauge import api
from toolgauge.catalogue import LANGUAGES, language
from toolgauge.core import Run
from toolgauge.errors import InputError, UsageError
from toolgauge.store import Spool
from toolgauge.store.runfile import WRITE_ONE
from toolgauge.traces import ImportReport

from .options import Output, reading_options, tell
from .progress import watched

__all__ = ["Subject", "subject_options", "trace_source"]

R = TypeVar("R")


def trace_source(argument: str) -> api.Source:
    """A file of traces with the name of its agent, unless the whole argument is the name of a file."""
    agent, equals, path = argument.partition("=")
    if equals and agent and path and not Path(argument).exists():
        return api.Source(path, agent)
    return api.Source(argument)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a command is to look at: a run, or recorded traces with the suite to score them by."""

    arguments: tuple[str, ...]
    suite: str | None
    input_format: str | None
    join_by: str
    error_patterns: tuple[str, ...]
    store: str | None

    @property
    def inputs(self) -> list[str]:
        """The files that are read, as far as the arguments name files."""
        if self.suite is None:
            return list(self.arguments)
        return [self.suite, *(str(trace_source(argument).path) for argument in self.arguments)]

    @contextmanager
    def opened(self, *, by: str | None = None) -> Iterator[Run]:
        """The run, with all its trajectories."""
        if self.suite is None:
            if len(self.arguments) > 1:
                raise UsageError("one run is looked at; for recorded traces name their suite with --suite")
            yield self._loaded(by)
            return
        imported = ImportReport()
        with Spool() as spool:
            run = api.score(
                self.suite,
                [trace_source(argument) for argument in self.arguments],
                by=by,
                sink=spool,
                input_format=self.input_format,
                join_by=self.join_by,
                error_patterns=self.error_patterns or None,
                report=imported,
                watch=watched,
            )
            tell(*imported.lines())
            yield run

    def _loaded(self, by: str | None) -> Run:
        try:
            return api.load_run(self.arguments[0], by=by, store=self.store)
        except InputError as error:
            problem = error.problems[0]
            if problem.hint != WRITE_ONE:
                raise
            hint = f"{WRITE_ONE}, or name the suite of traces with --suite"
            raise InputError(error.source, replace(problem, hint=hint)) from error


def subject_options(*formats: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Adds the argument RUN, `--suite` with what it takes to read traces, `--store`, and where the result goes."""

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        def command(
            *,
            arguments: tuple[str, ...],
            suite: str | None,
            input_format: str | None,
            join_by: str,
            error_patterns: tuple[str, ...],
            store: str | None,
            format: str,  # noqa: A002 - the name of the option
            output_path: str | None,
            lang: str | None,
            **rest: object,
        ) -> R:
            subject = Subject(arguments, suite, input_format, join_by, error_patterns, store)
            output = Output(format, output_path, lang or language())
            return function(subject=subject, output=output, **rest)

        command.__name__, command.__doc__ = function.__name__, function.__doc__
        command.__dict__.update(function.__dict__)
        options: list[Callable[[Callable[..., R]], Callable[..., R]]] = [
            click.argument("arguments", nargs=-1, required=True, metavar="RUN | [NAME=]TRACES..."),
            click.option("--suite", metavar="SUITE", help="Score TRACES by this suite, instead of reading a run."),
            reading_options,
            click.option("--store", metavar="URL", help="Where runs are kept; default: .toolgauge/runs.db."),
            click.option(
                "--format",
                "format",
                type=click.Choice(formats),
                default="text",
                show_default=True,
                help="How to write it.",
            ),
            click.option(
                "-o", "--output", "output_path", metavar="FILE", help="Write to FILE instead of standard output."
            ),
            click.option("--lang", type=click.Choice(LANGUAGES), help="Language of the report; default: the locale's."),
        ]
        for option in reversed(options):
            command = option(command)
        return command

    return decorate
