"""Alarms: raised for what was planted, told to everybody once, kept through quiet hours and restarts, and answered."""

from __future__ import annotations

import hmac
import http.server
import json
import runpy
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from tests.cli.running import toolgauge
from toolgauge.core import Estimate
from toolgauge.drift import Alarm, FirstSeen
from toolgauge.errors import UsageError
from toolgauge.watch import QuietHours, WatchState, acknowledge, channels, describe, list_alarms
from toolgauge.watch.alarms import Teller
from toolgauge.watch.channels import GithubAnnotations, Webhook, open_channel, open_channels
from toolgauge.watch.state import Settled

EXAMPLE = Path(__file__).parents[2] / "examples" / "watch" / "week.py"

ALARM = Alarm(
    id="a1",
    series="fail_rate",
    kind="rate",
    direction="up",
    at=1_790_000_000.0,
    changed_at=1_789_990_000.0,
    sessions=12,
    before=Estimate(0.02, 0.01, 0.03),
    after=Estimate(0.08, 0.05, 0.12),
    chart="x",
    statistic=9.0,
    limit=8.0,
    examples=("t1", "t2"),
)


class Hook:
    """A server that takes alarms, after it has refused some."""

    def __init__(self) -> None:
        self.refusals = 0
        self.taken: list[tuple[dict[str, str], bytes]] = []
        hook = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if hook.refusals:
                    hook.refusals -= 1
                    self.send_response(500)
                else:
                    hook.taken.append((dict(self.headers), body))
                    self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None: ...

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/alarms?team=x"


@pytest.fixture
def hook() -> Iterator[Hook]:
    found = Hook()
    thread = threading.Thread(target=found.server.serve_forever, daemon=True)
    thread.start()
    yield found
    found.server.shutdown()
    found.server.server_close()
    thread.join()


@pytest.fixture
def state(tmp_path: Path) -> Iterator[WatchState]:
    opened = WatchState(str(tmp_path / "watch.db"))
    step = Settled([], [], [])
    step.alarms.append((ALARM.id, ALARM.at, msgspec.json.encode(ALARM)))
    opened.settle(step)
    yield opened
    opened.close()


def test_the_three_planted_changes_of_the_week_are_found_and_nothing_else(tmp_path: Path) -> None:
    runpy.run_path(str(EXAMPLE))["main"](str(tmp_path / "week.jsonl"))
    done = toolgauge("watch", "--follow", "week.jsonl", "--once", "--baseline", "2d", cwd=tmp_path)
    assert done.returncode == 1
    state = WatchState(str(tmp_path / ".toolgauge" / "watch.db"))
    alarms = [record.alarm for record in list_alarms(state)]
    state.close()
    assert {alarm.series for alarm in alarms} == {
        'fail_rate{tool="search_web"}',
        "fail_rate",
        "error_class",
        "latency",
        "tool_mix",
    }
    planted = {
        "fail_rate": "11-12T09:20",
        "error_class": "11-12T09:20",
        "latency": "11-13T14:00",
        "tool_mix": "11-14T08:00",
    }
    for alarm in alarms:
        truth = (
            time.mktime(time.strptime(f"2026-{planted[alarm.series.partition('{')[0]]}", "%Y-%m-%dT%H:%M"))
            - time.timezone
        )
        assert abs(alarm.changed_at - truth) < 6 * 3600, alarm.series
        assert alarm.at >= truth, "nothing is raised before it happened"
        assert alarm.examples
    mix = next(alarm for alarm in alarms if alarm.series == "tool_mix")
    assert {moved.label for moved in mix.moved} == {"history_price", "search_web"}

    again = toolgauge("watch", "--follow", "week.jsonl", "--once", "--baseline", "2d", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (1, ""), "nothing is told twice, and the alarms are still open"
    listed = toolgauge("watch", "--alarms", cwd=tmp_path)
    assert len(listed.stdout.splitlines()) == len(alarms)
    assert toolgauge("watch", "--ack", "all", cwd=tmp_path).returncode == 0
    after = toolgauge("watch", "--follow", "week.jsonl", "--once", "--baseline", "2d", cwd=tmp_path)
    assert after.returncode == 0


def test_a_webhook_is_signed_and_tried_again_until_it_takes_the_alarm(state: WatchState, hook: Hook) -> None:
    hook.refusals = 2
    teller = Teller([Webhook(hook.url, "secret")])
    assert [teller.tell(state, 1000.0 + 100 * attempt) for attempt in range(3)] == [1, 1, 0]
    ((headers, body),) = hook.taken
    expected = hmac.new(b"secret", f"{headers['X-Toolgauge-Timestamp']}.".encode() + body, "sha256").hexdigest()
    assert headers["X-Toolgauge-Signature"] == f"sha256={expected}"
    told = json.loads(body)
    assert (told["series"], told["id"], told["examples"]) == ("fail_rate", "a1", ["t1", "t2"])
    assert teller.tell(state, 5000.0) == 0
    assert len(hook.taken) == 1


def test_a_failing_channel_is_not_asked_again_at_once(state: WatchState, hook: Hook) -> None:
    hook.refusals = 5
    teller = Teller([Webhook(hook.url)])
    for _ in range(4):
        teller.tell(state, 1000.0)
    assert hook.refusals == 4


def test_what_was_not_told_before_a_restart_is_told_after_it(state: WatchState, hook: Hook) -> None:
    hook.refusals = 1
    assert Teller([Webhook(hook.url)]).tell(state, 1000.0) == 1
    assert Teller([Webhook(hook.url)]).tell(state, 1001.0) == 0
    assert len(hook.taken) == 1


def test_in_quiet_hours_alarms_wait_and_none_is_lost(state: WatchState, hook: Hook) -> None:
    night, morning = (time.mktime((2026, 11, 14, hour, 30, 0, 0, 0, -1)) for hour in (23, 8))
    teller = Teller([Webhook(hook.url)], QuietHours.parse("22:00-07:00"))
    assert teller.tell(state, night) == 1
    assert hook.taken == []
    assert teller.tell(state, morning + 86400) == 0
    assert len(hook.taken) == 1


@pytest.mark.parametrize(
    ("text", "hour", "quiet"),
    [("22:00-07:00", 23, True), ("22:00-07:00", 6, True), ("22:00-07:00", 7, False), ("12:00-13:00", 12, True)],
)
def test_quiet_hours_may_go_over_midnight(text: str, hour: int, quiet: bool) -> None:
    moment = time.mktime((2026, 11, 14, hour, 15, 0, 0, 0, -1))
    assert QuietHours.parse(text).includes(moment) is quiet


def test_a_command_gets_the_alarm_as_json(state: WatchState, tmp_path: Path) -> None:
    script = tmp_path / "take.py"
    script.write_text(f"import sys; open({str(tmp_path / 'taken.json')!r}, 'w').write(sys.stdin.read())")
    assert Teller([open_channel(f"command:{sys.executable} {script}")]).tell(state, 1000.0) == 0
    assert json.loads((tmp_path / "taken.json").read_text())["series"] == "fail_rate"
    assert open_channel("command:false").send(ALARM) == "status 1"


def test_an_alarm_says_between_when_it_changed_and_what_is_new() -> None:
    new = FirstSeen("error_class", "quota", 1_789_990_500.0, "s9", "t9")
    alarm = replace(ALARM, changed_between=(1_789_988_000.0, 1_789_991_000.0), first_seen=(new,))
    text = describe(alarm)
    moments = [channels.moment(seconds) for seconds in (alarm.changed_at, *alarm.changed_between, new.at)]
    assert "at about {} ({} – {})".format(*moments[:3]) in text
    assert f"Seen for the first time: quota ({moments[3]})." in text
    told = json.loads(channels.as_json(alarm))
    assert told["changed_between"] == ["2026-09-21T10:53:20Z", "2026-09-21T11:43:20Z"]
    assert told["first_seen"] == [{"label": "quota", "at": "2026-09-21T11:35:00Z", "session": "s9", "trace": "t9"}]


def test_github_gets_an_annotation_that_cannot_be_broken_out_of(capsys: pytest.CaptureFixture[str]) -> None:
    GithubAnnotations().send(replace(ALARM, series="evil\n::error::x"))
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("::error title=toolgauge watch%3A evil%0A")


@pytest.mark.parametrize("text", ["pigeon", "webhook:ftp://x", "webhook:", "command: ", "webhook:file:///etc/passwd"])
def test_other_channels_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="not an alarm channel"):
        open_channel(text)


def test_without_a_channel_alarms_go_to_standard_output() -> None:
    assert [channel.name for channel in open_channels(())] == ["stdout"]


def test_only_open_alarms_can_be_acknowledged(state: WatchState) -> None:
    assert [alarm.id for alarm in acknowledge(state, ["a"], 1.0)] == ["a1"]
    assert list_alarms(state, only_open=True) == []
    with pytest.raises(UsageError, match="no open alarm"):
        acknowledge(state, ["a1"], 2.0)
