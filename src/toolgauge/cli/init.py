"""`toolgauge init`: a starter suite with traces, to change into one's own."""

from __future__ import annotations

import shlex
from importlib.resources import files
from pathlib import Path

import click

from toolgauge.errors import OutputError, UsageError
from toolgauge.files import write_file
from toolgauge.suites.schema import SCHEMA_FILE, read_schema

from .options import language

__all__ = ["command"]

STARTER = ("suite.yaml", "traces.jsonl")


@click.command()
@click.argument("directory", default=".")
@click.option("--lang", type=click.Choice(["en", "vi"]), help="Language of the starter suite; default: the locale's.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
def command(directory: str, lang: str | None, force: bool) -> None:
    """Write a starter suite, and a few recorded traces to score with it, into DIRECTORY."""
    target = Path(directory)
    taken = [name for name in (*STARTER, SCHEMA_FILE) if (target / name).exists()]
    if taken and not force:
        raise UsageError(f"{target / taken[0]} is there already; name another directory, or overwrite it with --force")
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{target}: the directory could not be made: {error.strerror}") from error
    source = files("toolgauge.cli") / "starter" / (lang or language())
    for name in STARTER:
        write_file(target / name, [(source / name).read_bytes()])
        click.echo(f"wrote {target / name}")
    # The first line of the suite names the schema, so that editors complete keys without a network.
    write_file(target / SCHEMA_FILE, [read_schema()])
    click.echo(f"wrote {target / SCHEMA_FILE}")
    suite, traces = (target / name for name in STARTER)
    command_line = shlex.join(["toolgauge", "score", str(suite), str(traces), "--failures"])
    click.echo(f"\nNow score them:\n\n    {command_line}\n")
