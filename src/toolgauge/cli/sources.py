"""Runs, suites and traces as they are named on the command line, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import wraps
from glob import iglob
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from toolgauge import api
from toolgauge.catalogue import words_of
from toolgauge.catalogue.speaking import spoken
from toolgauge.errors import InputError, UsageError, did_you_mean
from toolgauge.files import is_address

from .options import tell
from .progress import ProgressLine
from .streams import divert_output

if TYPE_CHECKING:
    from toolgauge.core import Run, Summary

__all__ = [
    "Subject",
    "allow_code_option",
    "by_option",
    "columns_option",
    "details_option",
    "failures_option",
    "gathered",
    "grounding_option",
    "ray_address_option",
    "reading_options",
    "review_notes",
    "scorer_failures",
    "scorer_option",
    "selection_options",
    "store_option",
    "subject_options",
    "trace_source",
    "with_reviews_option",
]

R = TypeVar("R")

by_option = click.option(
    "--by", metavar="LABEL", help="Break results down by this label; default: difficulty, if the suite has it."
)
details_option = click.option("--details", is_flag=True, help="Show every case.")


def failures_option(command: Callable[..., R]) -> Callable[..., R]:
    """Adds `--failures` and `--issues`, handed over as `failures`: which cases are shown, or None."""
    both = click.option(
        "--issues", "failures", flag_value="issues", help="Likewise, and for cases that passed with issues."
    )
    side_by_side = "Show expected and actual calls side by side for each case that did not pass."
    return click.option("--failures", "failures", flag_value="failed", help=side_by_side)(both(command))


grounding_option = click.option(
    "--grounding", is_flag=True, help="Also look for arguments found in neither the question nor an earlier result."
)
ray_address_option = click.option(
    "--ray-address",
    metavar="ADDRESS",
    help="Ray cluster for --jobs ray; default: that of RAY_ADDRESS, or else one started here.",
)
scorer_option = click.option(
    "--scorer",
    "scorers",
    multiple=True,
    metavar="NAME",
    help="Also run this scorer: the name of a plugin, or module:object (with --allow-code); may be repeated.",
)
allow_code_option = click.option(
    "--allow-code", is_flag=True, help="Allow importing Python objects that --scorer names."
)
with_reviews_option = click.option(
    "--with-reviews",
    is_flag=True,
    help="Count reviews: they decide what passed, and cases whose expectation is wrong are left out.",
)
store_option = click.option("--store", metavar="URL", help="Store of runs; default: .toolgauge/runs.db.")

_NEXT_COLUMN = re.compile(r",(?=\s*\w+\s*=)")
"""A heading may hold commas: only one that another meaning follows ends it."""


def selection_options(function: Callable[..., R]) -> Callable[..., R]:
    """Adds `--case`, `--label`, `--limit`, `--sample` and `--seed`: which cases of the suite are wanted."""
    options = [
        click.option(
            "--case",
            "cases",
            multiple=True,
            metavar="ID",
            help="Only this case, or those that match a pattern such as 'weather_*'; may be repeated.",
        ),
        click.option(
            "--label",
            "labels",
            multiple=True,
            metavar="KEY=VALUE",
            help="Only cases with this label; may be repeated: a case needs one of the values of each key.",
        ),
        click.option("--limit", type=click.IntRange(1), metavar="N", help="Only the first N of these cases."),
        click.option("--sample", type=click.IntRange(1), metavar="N", help="Only N of these cases, chosen at random."),
        click.option("--seed", type=int, default=0, show_default=True, help="Seed of --sample."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def gathered(into: str, kind: str | type) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Hands the options of a command over as one value.

    Args:
        into: The parameter that takes it.
        kind: A dataclass, whose fields are named as the options are; or the name of one in `api`, which is imported
            when the command is called.
    """

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        @wraps(function)
        def command(**given: object) -> R:
            made = getattr(api, kind) if isinstance(kind, str) else kind
            taken = {field.name: given.pop(field.name) for field in fields(made) if field.name in given}
            return function(**{into: made(**taken)}, **given)

        return command

    return decorate


def trace_source(argument: str) -> api.Source:
    """A file of traces with the name of its agent, unless the whole argument is an address or means a file."""
    agent, equals, path = argument.partition("=")
    if not (equals and agent and path) or is_address(argument) or Path(argument).exists() or any(iglob(argument)):
        return api.Source(argument)
    return api.Source(path, agent)


def reading_options(function: Callable[..., R]) -> Callable[..., R]:
    """Adds `--input-format`, `--join` and others: how traces are read and joined to cases."""
    options = [
        click.option(
            "--agent-from",
            type=click.Choice(["file", "path"]),
            default="file",
            show_default=True,
            help="What names the agent of a file in a folder: its content, or its path below that folder.",
        ),
        click.option(
            "--input-format",
            metavar="NAME",
            callback=_known_format,
            help="Format of TRACES, if it is not recognised: yaml, json, jsonl, csv, "
            f"{', '.join(api.built_in_readers())}, or the name of a plugin.",
        ),
        click.option(
            "--join",
            "join_by",
            metavar="auto|id|input|KEY",
            default="auto",
            show_default=True,
            help="How to match a trajectory to its case: by id, by question, or by a KEY of its metadata.",
        ),
        click.option(
            "--error-pattern",
            "error_patterns",
            multiple=True,
            metavar="REGEX",
            callback=lambda _context, _parameter, given: given or None,
            help="A call whose result matches REGEX failed, if the traces do not say which calls failed; "
            "may be repeated. Replaces the built-in patterns.",
        ),
        click.option(
            "--text-calls",
            metavar="STYLE[,STYLE]",
            default="auto",
            show_default=True,
            callback=_known_styles,
            help="Which calls written as text to parse: auto (the unambiguous ones), any, off, or these "
            f"styles: {', '.join(style for style in api.text_styles() if style not in ('auto', 'any', 'off'))}.",
        ),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def _known_format(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:  # noqa: ARG001
    """Refuse a format that there is not before anything is read."""
    if value is None:
        return None
    known = api.trace_formats()
    if value not in known:
        near = did_you_mean(value, known)
        hint = f" D{near[1:]}" if near.startswith("did") else ""
        raise click.BadParameter(f"{value!r} is not a known format.{hint} Known here: {', '.join(known)}.")
    return value


def _known_styles(context: click.Context, parameter: click.Parameter, value: str) -> str:  # noqa: ARG001
    """Refuse a style that there is not before anything is read."""
    known = api.text_styles()
    names = [name.strip() for name in value.split(",")]
    for name in names:
        if name not in known or (len(names) > 1 and name in ("auto", "any", "off")):
            near = did_you_mean(name, known)
            hint = f" D{near[1:]}" if near.startswith("did") else ""
            raise click.BadParameter(f"{name!r} is not a style of calls.{hint} Known: {', '.join(known)}.")
    return value


def scorer_failures(summary: Summary) -> Iterator[str]:
    """Which scorers failed, how often, and for instance why."""
    for note in summary.notes:
        if note.kind == "scorer_failed":
            count, scorer = note.values["count"], note.values["scorer"]
            times = "1 trajectory" if count == 1 else f"{count} trajectories"
            yield f"scorer {scorer} failed on {times}, not scored by it: {note.values['reason']}"


def review_notes(run: Run) -> Iterator[str]:
    """What reviews there are, and whether they count, in words."""
    for note in run.summary.notes:
        if note.kind in ("reviews", "reviewed"):
            yield words_of(spoken())(f"note.{note.kind}", **note.values)


def columns_option(function: Callable[..., R]) -> Callable[..., R]:
    """Adds `--columns`, handed over as a mapping of meaning to heading."""
    return click.option(
        "--columns",
        multiple=True,
        metavar="MEANING=HEADING,...",
        callback=_read_columns,
        help='What the columns of a CSV suite mean: input="Question text",tools="Expected tools",id=No; also calls, '
        "args, contains, answer, answer_type, or the name of a label.",
    )(function)


def _read_columns(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    columns: dict[str, str] = {}
    for part in (part for option in given for part in _NEXT_COLUMN.split(option)):
        meaning, _equals, heading = (text.strip() for text in part.partition("="))
        if not meaning or not heading:
            raise UsageError(f"--columns {part}: write MEANING=HEADING, such as input=Question")
        if meaning in columns:
            raise UsageError(f"--columns gives {meaning!r} twice, as {columns[meaning]!r} and as {heading!r}")
        columns[meaning] = heading
    return columns


@dataclass(frozen=True, slots=True)
class Subject:
    """What a command is to look at: a run, or recorded traces with the suite to score them by."""

    arguments: tuple[str, ...]
    suite: str | None
    store: str | None
    reading: api.TraceOptions
    scorers: tuple[str, ...]
    allow_code: bool

    @property
    def inputs(self) -> list[str]:
        """The files that are read, as far as the arguments name files."""
        if self.suite is None:
            return list(self.arguments)
        return [self.suite, *(str(trace_source(argument).path) for argument in self.arguments)]

    @contextmanager
    def opened(self, *, by: str | None = None, with_reviews: bool = False) -> Iterator[Run]:
        """The run, with all its trajectories."""
        if self.suite is not None and with_reviews:
            raise UsageError("--with-reviews counts reviews of a run; traces that are scored now have none")
        if self.suite is None:
            if self.scorers:
                raise UsageError("--scorer runs when traces are scored; name their suite with --suite")
            if len(self.arguments) > 1:
                raise UsageError("give one run only; to score recorded traces, name their suite with --suite")
            yield self._loaded(by, with_reviews)
            return
        imported = api.ImportReport()
        if self.scorers:
            divert_output()
        sources = [trace_source(argument) for argument in self.arguments]
        options = api.ScoreOptions(by=by, scorers=self.scorers, allow_code=self.allow_code, **vars(self.reading))
        with api.Spool() as spool:
            with ProgressLine() as line:
                run = api.score(self.suite, sources, options=options, sink=spool, report=imported, advance=line.advance)
            tell(*imported.lines(), *scorer_failures(run.summary))
            yield run

    def _loaded(self, by: str | None, with_reviews: bool) -> Run:
        try:
            return api.load_run(self.arguments[0], by=by, store=self.store, with_reviews=with_reviews)
        except InputError as error:
            problem = error.problems[0]
            if problem.hint != api.WRITE_ONE:
                raise
            hint = f"{problem.hint}, or name the suite of traces with --suite"
            raise InputError(error.source, replace(problem, hint=hint)) from error


def subject_options(function: Callable[..., R]) -> Callable[..., R]:
    """Adds the argument RUN, `--suite` with what it takes to read traces, and `--store`, handed over as a `Subject`."""
    command = gathered("reading", "TraceOptions")(gathered("subject", Subject)(function))
    options: list[Callable[[Callable[..., R]], Callable[..., R]]] = [
        click.argument("arguments", nargs=-1, required=True, metavar="RUN | [NAME=]TRACES..."),
        click.option("--suite", metavar="SUITE", help="Score TRACES against this suite, instead of reading a run."),
        reading_options,
        scorer_option,
        allow_code_option,
        store_option,
    ]
    for option in reversed(options):
        command = option(command)
    return command
