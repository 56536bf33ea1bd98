"""`toolgauge watch`: agents in production, and suites over time."""

from __future__ import annotations

import re
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from toolgauge.catalogue.speaking import say
from toolgauge.errors import UsageError

from .options import FiniteRange, tell
from .sources import store_option

if TYPE_CHECKING:
    from toolgauge.watch import WatchOptions, WatchParts

__all__ = ["command"]

NEEDED = ("starlette", "uvicorn", "opentelemetry.proto")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd])")
RECEIVING = {"listens", "port", "host", "names"}
"""The options about receiving traces."""

FIRST_PORT = 4318
"""Where OTLP over HTTP is expected."""


class _Duration(click.ParamType[float]):
    """A time: 30s, 15m, 6h, 7d."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """In seconds."""
        if isinstance(value, (int, float)):
            return float(value)
        found = DURATION.fullmatch(str(value).strip())
        if found is None or not float(found[1]):
            self.fail(f"{value!r} is not a time; write 30s, 15m, 6h or 7d", param, ctx)
        return float(found[1]) * UNITS[found[2]]


TIME = _Duration()


@click.command()
@click.option("--otlp", "listens", is_flag=True, help="Receive traces over OTLP; default if nothing else is watched.")
@click.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Port; default: the first free from 4318 on.")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on. If others can reach it, they need the token that is printed.",
)
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="Another host name that senders use; may be repeated."
)
@click.option(
    "--follow", multiple=True, metavar="FILE|FOLDER", help="Follow a file, or the files of a folder; may be repeated."
)
@click.option("--once", is_flag=True, help="Process what is there now, and exit with code 1 if there are open alarms.")
@click.option(
    "--suite", metavar="SUITE", help="Suite that defines the known tools, and whose cases are scored where they occur."
)
@click.option("--agent", "agents", multiple=True, metavar="AGENT", help="Run the suite with this agent, on a schedule.")
@click.option("--model", metavar="MODEL", help="Model that these agents use.")
@click.option("--trials", type=click.IntRange(1), default=1, show_default=True, help="How many times to run each case.")
@click.option("--every", type=TIME, metavar="TIME", help="How often to run the suite, such as 6h.")
@click.option(
    "--by", multiple=True, metavar="KEY", help="Keep a separate series per agent, or per value of a resource attribute."
)
@click.option(
    "--window",
    type=TIME,
    default="30s",
    show_default=True,
    metavar="TIME",
    help="A trace is over after this long without news.",
)
@click.option(
    "--gap",
    type=TIME,
    default="30m",
    show_default=True,
    metavar="TIME",
    help="A session is over after this long without news.",
)
@click.option(
    "--baseline",
    type=TIME,
    default="7d",
    show_default=True,
    metavar="TIME",
    help="How long to learn what is normal for a series.",
)
@click.option(
    "--baseline-sessions",
    type=click.IntRange(2),
    default=100,
    show_default=True,
    help="Learn from at least this many sessions.",
)
@click.option(
    "--false-alarms",
    type=FiniteRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Acceptable number of false alarms per month, for all series together.",
)
@click.option(
    "--alarm",
    "channels",
    multiple=True,
    metavar="CHANNEL",
    help="Where to send alarms: stdout, github, webhook:URL or command:COMMAND; may be repeated.",
)
@click.option("--quiet-hours", metavar="22:00-07:00", help="When to hold alarms back, in local time.")
@click.option(
    "--export",
    "exports",
    multiple=True,
    metavar="SYSTEM",
    help="Where to send scores: otel, langfuse, phoenix, mlflow.",
)
@click.option("--endpoint", metavar="URL", help="Address of the system of --export.")
@click.option("--propose", metavar="FILE", help="Suite file that failures are added to, for you to review.")
@click.option("--judge", "judge_model", metavar="MODEL", help="Model that judges a sample of the answers.")
@click.option(
    "--judge-share",
    type=FiniteRange(0, 1),
    default=0.05,
    show_default=True,
    help="Share of conversations that it judges.",
)
@click.option("--state", metavar="FILE", help="State of the watch; default: .toolgauge/watch.db.")
@click.option("--alarms", "lists", is_flag=True, help="List the open alarms, and exit.")
@click.option(
    "--ack",
    multiple=True,
    metavar="ALARM",
    help="Acknowledge an alarm, or all: accept the new level as normal, and exit.",
)
@click.option(
    "--reset",
    "resets",
    multiple=True,
    metavar="ALARM",
    help="Reset an alarm, or all: the level before it is normal again, and exit.",
)
@store_option
@click.pass_context
def command(context: click.Context, /, **given: Any) -> int:
    """Watch agents in production and suites over time, and raise an alarm when something changes.

    It can watch three things: traces sent to this machine over OTLP (the default), growing files, and a suite run on
    a schedule. Press Ctrl-C to stop.

    \b
    toolgauge watch
    toolgauge watch --follow traces.jsonl --once
    toolgauge watch --suite weather --agent react --every 6h
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if any(find_spec(name.partition(".")[0]) is None for name in NEEDED):
        raise UsageError("watching needs other packages; install them with: pip install 'toolgauge[watch]'")
    from toolgauge.watch import DEFAULT_STATE

    asked = {name for name in given if context.get_parameter_source(name) is ParameterSource.COMMANDLINE}
    given["state"] = given["state"] or DEFAULT_STATE
    tending = asked & {"lists", "ack", "resets"}
    if tending:
        if option := _first(context, asked - tending - {"state"}):
            raise UsageError(f"{option} has no effect with --alarms, --ack and --reset")
        return _tend(given)
    _check(context, given, asked)
    return _watch(given)


def _first(context: click.Context, names: set[str]) -> str | None:
    """How the first of these options is written."""
    return next((each.opts[0] for each in context.command.params if each.name in names), None)


def _check(context: click.Context, given: dict[str, Any], asked: set[str]) -> None:
    """Make sure that every option that was given has something to do.

    Raises:
        UsageError: One has not.
    """
    if given["every"] is not None and not given["agents"]:
        raise UsageError("--every runs a suite again and again; name it with --suite and its agent with --agent")
    if given["agents"] and given["suite"] is None:
        raise UsageError("--agent needs the suite that is run; name it with --suite")
    if given["once"] and (option := _first(context, asked & {*RECEIVING, "every"})):
        raise UsageError(f"{option} is for a continuous watch; leave out either it or --once")
    if given["once"] and not given["follow"] and not given["agents"]:
        raise UsageError("--once has nothing to read; name files with --follow, or a suite and its --agent")
    listens = given["listens"] or not (given["follow"] or given["agents"])
    if not listens and (option := _first(context, asked & RECEIVING)):
        raise UsageError(f"{option} is for receiving traces; add --otlp")
    if not given["agents"] and (option := _first(context, asked & {"model", "trials"})):
        raise UsageError(f"{option} is for the agent that runs the suite; name it with --agent")
    if given["exports"] and given["suite"] is None:
        raise UsageError("--export sends scores of conversations that match a case; name the suite with --suite")
    if given["endpoint"] is not None and not given["exports"]:
        raise UsageError("--endpoint is the address that scores are sent to; name its system with --export")
    if given["judge_model"] is None and "judge_share" in asked:
        raise UsageError("--judge-share is how often a judge is asked; name it with --judge")


def _tend(given: dict[str, Any]) -> int:
    """List, acknowledge and reset alarms."""
    from toolgauge.watch import WatchState, acknowledge, describe, list_alarms, reset

    state = WatchState(str(given["state"]), create=False)
    try:
        for action, key in ((acknowledge, "ack"), (reset, "resets")):
            wanted = given[key]
            if isinstance(wanted, tuple) and wanted:
                done = action(state, wanted, time.time())
                tell(f"{len(done)} alarms are acknowledged" if key == "ack" else f"{len(done)} alarms are reset")
        if given["lists"]:
            for record in list_alarms(state, only_open=True):
                sys.stdout.write(f"{record.alarm.id} {describe(record.alarm)}\n")
    finally:
        state.close()
    return 0


def _watch(given: dict[str, Any]) -> int:
    from toolgauge.watch import open_watch
    from toolgauge.web import listen

    watch = open_watch(_options(given), _parts(given))
    if watch.restored:
        tell(f"resuming with {watch.restored} batches that were received earlier")
    if given["once"]:
        try:
            alarms = watch.once()
        finally:
            watch.close()
            tell(*watch.notes)
        return 1 if alarms else 0
    place = None
    if given["listens"] or not (given["follow"] or given["agents"]):
        host = str(given["host"])
        port = given["port"]
        place = listen(host, port if isinstance(port, int) else None, first=FIRST_PORT)
        if not place.loopback:
            tell("this receiver can be reached from other machines; senders need the token")

    def ready() -> None:
        if place is not None:
            address = f"http://{place.host}:{place.port}"
            sys.stdout.write(say(f"Receiving OTLP at {address}") + "\n")
            if not place.loopback:
                sys.stdout.write(say(f"Token: {place.token}") + "\n")
        sys.stdout.write(say("Watching. Press Ctrl-C to stop.") + "\n")
        sys.stdout.flush()

    with suppress(KeyboardInterrupt):  # that is how it ends
        watch.run(place, ready, tell)
    tell(*watch.notes)
    return 0


def _options(given: dict[str, Any]) -> WatchOptions:
    from toolgauge.watch import QuietHours, WatchOptions, make_settings

    quiet = given["quiet_hours"]
    return WatchOptions(
        settings=make_settings(given),
        follow=given["follow"],
        channels=given["channels"],
        quiet=QuietHours.parse(str(quiet)) if quiet is not None else None,
        names=given["names"],
        propose=given["propose"],
    )


def _parts(given: dict[str, Any]) -> WatchParts:
    from toolgauge.watch import WatchParts

    return WatchParts(**{name: given[name] for name in WatchParts.__struct_fields__})
