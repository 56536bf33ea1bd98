"""`toolgauge export`: the scores of a run for other systems."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from toolgauge import api
from toolgauge.catalogue.speaking import say
from toolgauge.errors import INCOMPLETE, NothingToDo, UsageError
from toolgauge.report import visible

from .options import tell
from .sources import store_option

if TYPE_CHECKING:
    from toolgauge.api import DeliveryReport, ExportOutcome

__all__ = ["command"]

PARQUET = "parquet"


@click.command()
@click.argument("run", required=False)
@click.option(
    "--to",
    "targets",
    multiple=True,
    type=click.Choice([*api.EXPORT_TARGETS, PARQUET]),
    help="Where to; may be repeated.",
)
@click.option(
    "--endpoint",
    metavar="URL",
    help="Address of the system; default: that of its own environment variables.",
)
@click.option(
    "--metrics",
    metavar="NAMES",
    help=f"Send only these, separated by commas: {', '.join(api.EXPORT_METRICS)}, or names of scorers.",
)
@click.option("-o", "--output", metavar="FILE", help="File to write with --to parquet.")
@click.option("--retry", is_flag=True, help="Send only what could not be delivered earlier, from any run.")
@click.option("--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@store_option
def command(
    run: str | None,
    targets: tuple[str, ...],
    endpoint: str | None,
    metrics: str | None,
    output: str | None,
    retry: bool,
    format_: str,
    store: str | None,
) -> int:
    """Send the scores of RUN to where its traces are: an OpenTelemetry collector, Langfuse, Phoenix or MLflow.

    RUN is a run file, or a run in the store: its id or the beginning of its id, its name, NAME@latest, or latest.

    A score that is sent several times counts once. What cannot be delivered is kept beside the store and sent with
    the next export, or with --retry. Keys and addresses come from the environment variables that the clients of these
    systems use: OTEL_EXPORTER_OTLP_ENDPOINT, LANGFUSE_BASE_URL, PHOENIX_COLLECTOR_ENDPOINT, MLFLOW_TRACKING_URI.

    \b
    toolgauge export latest --to otel --to langfuse
    toolgauge export latest --to phoenix --metrics passed,answer,review
    toolgauge export latest --to parquet -o scores.parquet
    toolgauge export --retry
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if retry:
        if run is not None:
            raise UsageError("--retry sends what could not be delivered earlier, from any run; leave RUN out")
        return _finish(api.retry_exports(targets, endpoint=endpoint, store=store), format_)
    _check(run, targets, output)
    code = 0
    if output is not None and run is not None:
        api.check_places({"-o": output}, [run], store)
        rows = api.export_table(run, output, store=store)
        tell(f"{output}: {rows} rows")
    systems = [name for name in targets if name != PARQUET]
    if systems and run is not None:
        chosen = [name.strip() for name in (metrics or "").split(",") if name.strip()]
        outcome = api.export_run(run, systems, endpoint=endpoint, metrics=chosen, store=store)
        code = _finish(outcome, format_)
    return code


def _check(run: str | None, targets: tuple[str, ...], output: str | None) -> None:
    if run is None:
        raise UsageError("name a run to export, or send what could not be delivered earlier with --retry")
    if not targets:
        raise UsageError(f"say where to with --to: {', '.join([*api.EXPORT_TARGETS, PARQUET])}")
    if (PARQUET in targets) != (output is not None):
        raise UsageError("--to parquet writes a file; name it with -o, and no file without it")


def _finish(outcome: ExportOutcome, format_: str) -> int:
    """Say what became of an export, and how it ended."""
    if format_ == "json":
        import msgspec

        sys.stdout.write(msgspec.json.format(msgspec.json.encode(outcome), indent=2).decode() + "\n")
    else:
        sys.stdout.write("".join(f"{say(_line(one))}\n" for one in outcome.deliveries))
        if not outcome.deliveries:
            sys.stdout.write(say("Nothing is waiting to be sent.") + "\n")
    for one in outcome.deliveries:
        tell(*_notes(one))
    if outcome.untraced:
        _name_untraced(outcome)
    if outcome.unscored:
        tell(f"{outcome.unscored} outcomes of scorers have no value, and were not sent")
    return 0 if outcome.complete else INCOMPLETE


def _line(one: DeliveryReport) -> str:
    return f"{one.to} ({visible(one.address)}): {one.delivered} scores delivered"


def _notes(one: DeliveryReport) -> list[str]:
    notes = [f"{one.to}: {reason}" for reason in one.reasons]
    if one.other_kind:
        notes.append(f"{one.to}: {one.other_kind} scores belong to traces whose ids it does not know")
    if one.waiting:
        notes.append(
            f"{one.to}: {one.waiting} scores are waiting beside the store; send them with toolgauge export --retry"
        )
    if one.lost:
        notes.append(f"{one.to}: {one.lost} scores were not delivered and are not kept")
    return notes


def _name_untraced(outcome: ExportOutcome) -> None:
    count = outcome.untraced
    named = "; ".join(outcome.untraced_examples) + ("; ..." if count > len(outcome.untraced_examples) else "")
    if count == outcome.trajectories:
        raise NothingToDo(f"none of {count} trajectories has a trace id, so no score can be sent: {named}")
    tell(f"{count} of {outcome.trajectories} trajectories have no trace id, and were not sent: {named}")
