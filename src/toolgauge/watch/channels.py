"""Where alarms go: standard output, GitHub's annotations, a webhook, a command.

What a channel did not take is offered to it again, after a restart too; during quiet hours alarms wait. None is lost.
"""

from __future__ import annotations

import hmac
import http.client
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import ClassVar, Protocol
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from toolgauge.catalogue.speaking import say
from toolgauge.core import Estimate, JsonValue
from toolgauge.drift import Alarm, FirstSeen
from toolgauge.errors import UsageError

__all__ = ["SECRET", "Channel", "QuietHours", "describe", "open_channel"]

SECRET = "TOOLGAUGE_WEBHOOK_SECRET"  # noqa: S105 - the name of a variable
"""The environment variable that holds what webhooks are signed with."""

SECONDS = 20.0
"""How long a webhook may take."""

COMMAND_SECONDS = 60.0


class Channel(Protocol):
    """Takes alarms."""

    @property
    def name(self) -> str:
        """What it is known by, also after a restart."""

    def send(self, alarm: Alarm) -> str | None:
        """Tell of an alarm; returns why it could not be told, or None."""


def moment(seconds: float) -> str:
    """A time as people read it, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def describe(alarm: Alarm, *, traces: bool = True) -> str:
    """An alarm in a sentence or two, in the language that is spoken, with some of its traces."""
    what = f"{alarm.series}: {alarm.label}" if alarm.label else alarm.series
    before, after = _estimate(alarm.before, alarm.kind), _estimate(alarm.after, alarm.kind)
    when, sessions = moment(alarm.changed_at), alarm.sessions
    if any(alarm.changed_between):
        when += f" ({moment(alarm.changed_between[0])} – {moment(alarm.changed_between[1])})"
    if alarm.direction == "up":
        text = say(f"{what} went up at about {when}: {before} before, {after} in {sessions} sessions since.")
    else:
        text = say(f"{what} went down at about {when}: {before} before, {after} in {sessions} sessions since.")
    others = [each for each in alarm.moved if each.label != alarm.label][:3]
    if others:
        moved = ", ".join(f"{each.label} {_share(each.before.value)} → {_share(each.after.value)}" for each in others)
        text += " " + say(f"Also moved: {moved}.")
    if alarm.first_seen:
        new = ", ".join(f"{each.label} ({moment(each.at)})" for each in alarm.first_seen)
        text += " " + say(f"Seen for the first time: {new}.")
    if traces and alarm.examples:
        text += " " + say(f"Traces: {', '.join(alarm.examples[:3])}.")
    return text


def describe_label(seen: FirstSeen) -> str:
    """That a mix has a label that it did not have while it was learned."""
    return f"{seen.series}: {seen.label!r} was seen for the first time, in trace {seen.trace}"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.3g} %"


def _estimate(estimate: Estimate, kind: str) -> str:
    show: Callable[[float], str] = (lambda value: f"{value:.4g}") if kind == "quantity" else _share
    if estimate.value is None:
        return "?"
    low, high = estimate.low, estimate.high
    around = f" ({show(low)} – {show(high)})" if low is not None and high is not None else ""
    return show(estimate.value) + around


def as_json(alarm: Alarm) -> bytes:
    """An alarm as webhooks and commands get it."""
    body: dict[str, JsonValue] = {
        "schema": "toolgauge.alarm/1",
        "text": describe(alarm),
        **msgspec.to_builtins(alarm),
        "at": _iso(alarm.at),
        "changed_at": _iso(alarm.changed_at),
        "changed_between": [_iso(seconds) for seconds in alarm.changed_between],
        "first_seen": [
            {"label": each.label, "at": _iso(each.at), "session": each.session, "trace": each.trace}
            for each in alarm.first_seen
        ],
    }
    return msgspec.json.encode(body)


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class StandardOutput:
    """A line for each alarm."""

    name: ClassVar[str] = "stdout"

    def send(self, alarm: Alarm) -> str | None:
        """Print it."""
        sys.stdout.write(f"{moment(alarm.at)} {alarm.id} {describe(alarm)}\n")
        sys.stdout.flush()
        return None


@dataclass(frozen=True, slots=True)
class GithubAnnotations:
    """An error annotation for each alarm."""

    name: ClassVar[str] = "github"

    def send(self, alarm: Alarm) -> str | None:
        """Print it as a command to the runner."""
        title = _escaped(f"toolgauge watch: {alarm.series}").replace(":", "%3A").replace(",", "%2C")
        sys.stdout.write(f"::error title={title}::{_escaped(describe(alarm))}\n")
        sys.stdout.flush()
        return None


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


@dataclass(frozen=True, slots=True)
class Webhook:
    """Posts alarms as JSON, signed where a secret is given.

    The signature is that of GitHub's and Stripe's webhooks: HMAC-SHA256 over `TIMESTAMP.BODY`.
    """

    url: str
    secret: str = field(repr=False, default="")

    @property
    def name(self) -> str:
        """By its address."""
        return f"webhook:{self.url}"

    def send(self, alarm: Alarm) -> str | None:
        """Post it; anything but a status of 2xx is a failure."""
        body = as_json(alarm)
        stamp = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "X-Toolgauge-Alarm": alarm.id,
            "X-Toolgauge-Timestamp": stamp,
        }
        if self.secret:
            signature = hmac.new(self.secret.encode(), f"{stamp}.".encode() + body, "sha256").hexdigest()
            headers["X-Toolgauge-Signature"] = f"sha256={signature}"
        address = urlsplit(self.url)
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        connection = kind(address.hostname or "", address.port, timeout=SECONDS)
        path = (address.path or "/") + (f"?{address.query}" if address.query else "")
        try:
            connection.request("POST", path, body, headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            return f"{type(error).__name__}: {error}"
        finally:
            connection.close()
        return None if 200 <= status < 300 else f"status {status}"


@dataclass(frozen=True, slots=True)
class Command:
    """Starts a command for each alarm, with the alarm as JSON on its standard input."""

    command: str

    @property
    def name(self) -> str:
        """By its words."""
        return f"command:{self.command}"

    def send(self, alarm: Alarm) -> str | None:
        """Run it; a status other than 0 is a failure."""
        try:
            done = subprocess.run(  # noqa: S603 - that is what the option is for, and no shell reads it
                shlex.split(self.command),
                input=as_json(alarm),
                timeout=COMMAND_SECONDS,
                check=False,
                env={**os.environ, "TOOLGAUGE_ALARM": alarm.id, "TOOLGAUGE_SERIES": alarm.series},
            )
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return f"{type(error).__name__}: {error}"
        return None if done.returncode == 0 else f"status {done.returncode}"


def open_channel(text: str) -> Channel:
    """A channel by how it is written: `stdout`, `github`, `webhook:URL`, `command:COMMAND`.

    Raises:
        UsageError: There is no such channel.
    """
    kind, _, rest = text.partition(":")
    if text == "stdout":
        return StandardOutput()
    if text == "github":
        return GithubAnnotations()
    if kind == "command" and rest.strip():
        return Command(rest)
    if kind == "webhook":
        address = urlsplit(rest)
        if address.scheme in ("http", "https") and address.hostname:
            return Webhook(rest, os.environ.get(SECRET, ""))
    raise UsageError(f"{text!r} is not an alarm channel; write stdout, github, webhook:URL or command:COMMAND")


class QuietHours(Struct, frozen=True):
    """The part of the day in which nobody is told anything, in minutes of local time."""

    start: int
    end: int

    @classmethod
    def parse(cls, text: str) -> QuietHours:
        """Of `22:00-07:00`.

        Raises:
            UsageError: It is written otherwise.
        """
        try:
            start, end = (datetime.strptime(part.strip(), "%H:%M") for part in text.split("-"))
        except ValueError as error:
            raise UsageError(f"{text!r} is not a range of hours; write 22:00-07:00") from error
        return cls(start.hour * 60 + start.minute, end.hour * 60 + end.minute)

    def includes(self, seconds: float) -> bool:
        """Whether a moment is in it."""
        now = time.localtime(seconds)
        minute = now.tm_hour * 60 + now.tm_min
        if self.start <= self.end:
            return self.start <= minute < self.end
        return minute >= self.start or minute < self.end


def open_channels(texts: Sequence[str]) -> list[Channel]:
    """The channels that are asked for; standard output where none is."""
    return [open_channel(text) for text in texts or ("stdout",)]
