"""`toolgauge init`: a starter suite with traces, to change into one's own, or one that recorded traces propose."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from importlib.resources import files
from itertools import chain
from pathlib import Path

import click

from toolgauge.errors import OutputError, UsageError
from toolgauge.files import STANDARD_INPUT, write_file
from toolgauge.report import Lang
from toolgauge.suites.schema import SCHEMA_FILE, read_schema

from .options import language, tell

__all__ = ["command"]

STARTER = ("suite.yaml", "traces.jsonl")

COMMENTS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "Proposed from recorded traces: what is expected here is what was done, right or wrong.",
        "Go through the cases one by one:",
        "  1. Is this what should be done? Take out calls and arguments that do not matter,",
        "     correct wrong ones, and loosen values that may vary: $one_of, $regex, $approx, $date ...",
        "  2. Say what the answer has to hold (contains) or to be (answer).",
        "  3. Take out 'reviewed: false'. toolgauge lint lists the cases that still have it.",
        "What the keys mean is written in docs/concepts.md.",
    ),
    "vi": (
        "Đề xuất từ dữ liệu ghi lại: điều được kỳ vọng ở đây là điều đã xảy ra, dù đúng hay sai.",
        "Hãy xem lại từng câu một:",
        "  1. Có đúng là phải làm như vậy không? Bỏ những lời gọi và tham số không quan trọng,",
        "     sửa chỗ sai, nới những giá trị có thể khác: $one_of, $regex, $approx, $date ...",
        "  2. Ghi câu trả lời phải chứa gì (contains) hoặc phải là gì (answer).",
        "  3. Xóa dòng 'reviewed: false'. toolgauge lint liệt kê những câu vẫn còn dòng này.",
        "Ý nghĩa từng khóa có trong docs/concepts.md.",
    ),
}
"""What stands at the head of a proposed suite."""


@click.command()
@click.argument("directory", required=False)
@click.option("--lang", type=click.Choice(["en", "vi"]), help="Language of the starter suite; default: the locale's.")
@click.option("--force", is_flag=True, help="Overwrite what is there.")
@click.option(
    "--from-traces", multiple=True, metavar="TRACES", help="Propose a suite from these traces, in any format."
)
@click.option("--suite-name", metavar="NAME", help="The name of the proposed suite; default: that of the traces.")
@click.option("-o", "--output", metavar="FILE", help="Write the proposed suite to FILE, not into DIRECTORY.")
@click.option("--input-format", metavar="FORMAT", help="How TRACES are written, where their content does not tell.")
def command(
    directory: str | None,
    lang: Lang | None,
    force: bool,
    from_traces: tuple[str, ...],
    suite_name: str | None,
    output: str | None,
    input_format: str | None,
) -> None:
    """Write a starter suite, and a few recorded traces to score with it, into DIRECTORY.

    With --from-traces a suite is written in which every case expects what the traces did on it, for you to review.

    \b
    toolgauge init demo
    toolgauge init --from-traces traces.jsonl my-suite
    toolgauge init --from-traces monday.jsonl --from-traces tuesday.jsonl -o suite.yaml
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if not from_traces:
        for name, given in (("--suite-name", suite_name), ("-o", output), ("--input-format", input_format)):
            if given is not None:
                raise UsageError(f"{name} is for a suite that is proposed; add --from-traces TRACES")
        _write_starter(Path(directory or "."), lang or language(), force)
        return
    if output is not None and directory is not None:
        raise UsageError("the suite can go into a directory or into a file after -o, not both")
    target = Path(output) if output is not None else Path(directory or ".") / STARTER[0]
    _refuse_taken(target, from_traces, force)
    _propose(target, from_traces, suite_name, input_format, lang or language())


def _write_starter(target: Path, lang: Lang, force: bool) -> None:
    taken = [name for name in (*STARTER, SCHEMA_FILE) if (target / name).exists()]
    if taken and not force:
        raise UsageError(f"{target / taken[0]} is there already; name another directory, or overwrite it with --force")
    _make_directory(target)
    source = files("toolgauge.cli") / "starter" / lang
    for name in STARTER:
        write_file(target / name, [(source / name).read_bytes()])
        click.echo(f"wrote {target / name}")
    _write_schema(target)
    suite, traces = (target / name for name in STARTER)
    command_line = shlex.join(["toolgauge", "score", str(suite), str(traces), "--failures"])
    click.echo(f"\nNow score them:\n\n    {command_line}\n")


def _make_directory(target: Path) -> None:
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{target}: the directory could not be made: {error.strerror}") from error


def _write_schema(directory: Path) -> None:
    """Write the schema that the first line of a suite names, so that editors complete keys without a network."""
    write_file(directory / SCHEMA_FILE, [read_schema()])
    click.echo(f"wrote {directory / SCHEMA_FILE}")


def _refuse_taken(target: Path, traces: tuple[str, ...], force: bool) -> None:
    if any(os.path.realpath(path) == os.path.realpath(target) for path in traces):
        raise UsageError(f"{target} is read here and cannot be written too; name another file after -o")
    if target.is_dir():
        raise UsageError(f"{target} is a directory; name a file after -o, or the directory without -o")
    schema = target.parent / SCHEMA_FILE
    other = schema.exists() and schema.read_bytes() != read_schema()
    for path in (target, *([schema] if other else [])):
        if path.exists() and not force:
            raise UsageError(f"{path} is there already; name another place, or overwrite it with --force")


def _propose(
    target: Path, traces: tuple[str, ...], suite_name: str | None, input_format: str | None, lang: Lang
) -> None:
    from toolgauge.suites import propose_suite, write_suite
    from toolgauge.traces import ImportReport, read_traces

    report = ImportReport()
    found = chain.from_iterable(read_traces(path, input_format=input_format, report=report) for path in traces)
    proposal = propose_suite(found, suite_name or _name_of(traces[0]))
    text = write_suite(proposal.suite, comments=COMMENTS[lang], schema=SCHEMA_FILE)
    _make_directory(target.parent)
    write_file(target, (part.encode("utf-8") for part in text))
    click.echo(f"wrote {target}")
    _write_schema(target.parent)
    tell(*report.lines(), *_notes(proposal.nameless, proposal.incomplete))
    cases = len(proposal.suite.cases)
    click.echo(
        f"\n{'1 case' if cases == 1 else f'{cases} cases'} proposed from "
        f"{'1 trajectory' if proposal.trajectories == 1 else f'{proposal.trajectories} trajectories'}. "
        "Review each of them, then:\n"
    )
    for line in (["toolgauge", "lint", str(target)], ["toolgauge", "score", str(target), *traces]):
        click.echo(f"    {shlex.join(line)}")
    click.echo("")


def _name_of(path: str) -> str:
    return "proposed" if path == STANDARD_INPUT else Path(path).stem or "proposed"


def _notes(nameless: int, incomplete: int) -> Iterator[str]:
    if nameless:
        were = "1 trajectory names" if nameless == 1 else f"{nameless} trajectories name"
        yield f"{were} neither a case nor a question, and nothing is proposed from them"
    if incomplete:
        have = "1 case has" if incomplete == 1 else f"{incomplete} cases have"
        yield f"{have} no trajectory that completed; what was done until it ended is proposed"
