"""`toolgauge init`: a starter suite with traces, to change into one's own, or one that recorded traces propose."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import click

from toolgauge import api
from toolgauge.catalogue import LANGUAGES, Lang, language, words_of
from toolgauge.catalogue.speaking import say
from toolgauge.errors import OutputError, UsageError
from toolgauge.files import STANDARD_INPUT, write_file

from .options import tell

__all__ = ["command"]

STARTER = ("suite.yaml", "traces.jsonl")


@click.command()
@click.argument("directory", required=False)
@click.option(
    "--lang", type=click.Choice(LANGUAGES), help="Language of the starter suite; default: that of the locale."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option(
    "--from-traces",
    multiple=True,
    metavar="TRACES",
    help="Propose a suite from these traces, in any supported format; may be repeated.",
)
@click.option(
    "--suite-name", metavar="NAME", help="Name of the proposed suite; default: the name of the file of traces."
)
@click.option("-o", "--output", metavar="FILE", help="Write the proposed suite to FILE instead of DIRECTORY.")
@click.option("--input-format", metavar="FORMAT", help="Format of TRACES, if it is not recognised.")
def command(
    directory: str | None,
    lang: Lang | None,
    force: bool,
    from_traces: tuple[str, ...],
    suite_name: str | None,
    output: str | None,
    input_format: str | None,
) -> None:
    """Create a starter suite, and a few recorded traces to score with it, in DIRECTORY.

    With --from-traces, propose a suite in which every case expects what the traces did, for you to review.

    \b
    toolgauge init demo
    toolgauge init --from-traces traces.jsonl my-suite
    toolgauge init --from-traces monday.jsonl --from-traces tuesday.jsonl -o suite.yaml
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if not from_traces:
        for name, given in (("--suite-name", suite_name), ("-o", output), ("--input-format", input_format)):
            if given is not None:
                raise UsageError(f"{name} applies to a proposed suite; add --from-traces TRACES")
        _write_starter(Path(directory or "."), lang or language(), force)
        return
    if output is not None and directory is not None:
        raise UsageError("the suite can go into a directory or into a file after -o, not both")
    target = Path(output) if output is not None else Path(directory or ".") / STARTER[0]
    _refuse_taken(target, from_traces, force)
    _propose(target, from_traces, suite_name, input_format, lang or language())


def _write_starter(target: Path, lang: Lang, force: bool) -> None:
    taken = [name for name in (*STARTER, api.SCHEMA_FILE) if (target / name).exists()]
    if taken and not force:
        raise UsageError(f"{target / taken[0]} already exists; name another directory, or overwrite it with --force")
    _make_directory(target)
    source = files("toolgauge.cli") / "starter" / lang
    for name in STARTER:
        write_file(target / name, [(source / name).read_bytes()])
        click.echo(say(f"wrote {target / name}"))
    _write_schema(target)
    suite, traces = (target / name for name in STARTER)
    command_line = shlex.join(["toolgauge", "score", str(suite), str(traces), "--failures", *_spoken(lang)])
    click.echo(f"\n{say('Now score them:')}\n\n    {command_line}\n")


def _spoken(lang: Lang) -> list[str]:
    """What a command needs to speak a language that is not that of the environment."""
    return [] if lang == language() else ["--lang", lang]


def _make_directory(target: Path) -> None:
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{target}: the directory could not be made: {error.strerror}") from error


def _write_schema(directory: Path) -> None:
    """Write the schema that the first line of a suite names, so that editors complete keys without a network."""
    write_file(directory / api.SCHEMA_FILE, [api.read_schema()])
    click.echo(say(f"wrote {directory / api.SCHEMA_FILE}"))


def _refuse_taken(target: Path, traces: tuple[str, ...], force: bool) -> None:
    if target.is_dir():
        raise UsageError(f"{target} is a directory; name a file after -o, or the directory without -o")
    if target.exists():
        api.check_places({"-o": target}, traces)
    schema = target.parent / api.SCHEMA_FILE
    other = schema.exists() and schema.read_bytes() != api.read_schema()
    for path in (target, *([schema] if other else [])):
        if path.exists() and not force:
            raise UsageError(f"{path} already exists; name another place, or overwrite it with --force")


def _propose(
    target: Path, traces: tuple[str, ...], suite_name: str | None, input_format: str | None, lang: Lang
) -> None:
    report = api.ImportReport()
    name = suite_name or _name_of(traces[0])
    proposal = api.propose_from_traces(traces, name, input_format=input_format, report=report)
    comments = words_of(lang)("init.comments").split("\n")
    text = api.write_suite(proposal.suite, comments=comments, schema=api.SCHEMA_FILE)
    _make_directory(target.parent)
    write_file(target, (part.encode("utf-8") for part in text))
    click.echo(say(f"wrote {target}"))
    _write_schema(target.parent)
    tell(*report.lines(), *_notes(proposal.nameless, proposal.incomplete))
    cases = len(proposal.suite.cases)
    proposed = (
        f"{'1 case' if cases == 1 else f'{cases} cases'} proposed from "
        f"{'1 trajectory' if proposal.trajectories == 1 else f'{proposal.trajectories} trajectories'}. "
        "Review each of them, then:"
    )
    click.echo(f"\n{say(proposed)}\n")
    for line in (["toolgauge", "lint", str(target)], ["toolgauge", "score", str(target), *traces]):
        click.echo(f"    {shlex.join([*line, *_spoken(lang)])}")
    click.echo("")


def _name_of(path: str) -> str:
    return "proposed" if path == STANDARD_INPUT else Path(path).stem or "proposed"


def _notes(nameless: int, incomplete: int) -> Iterator[str]:
    if nameless:
        were = "1 trajectory names" if nameless == 1 else f"{nameless} trajectories name"
        yield f"{were} neither a case nor a question, and nothing is proposed from them"
    if incomplete:
        have = "1 case has" if incomplete == 1 else f"{incomplete} cases have"
        yield f"{have} no completed trajectory; the calls made before it ended are proposed"
