"""`--once`, as somebody uses it for the first time and as cron does: nothing is lost silently, nothing counts twice."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.traces.formats.span_builders import otlp
from tests.traces.formats.spans.test_otel import SPANS
from toolgauge.drift import Drift
from toolgauge.watch import Watch, WatchOptions, WatchSettings, WatchState
from toolgauge.watch.showing import show_watch
from toolgauge.web import listen

from .running import started

BEGAN = 1_790_000_000_000


def line(
    number: int, *, session: str = "", minutes: float = 0.0, tool: str = "f", error: str = "", began: float = BEGAN
) -> str:
    """A conversation, so many minutes after the first."""
    meta: dict[str, str | float] = {"trace_id": f"{number:032x}", "started_at": began + minutes * 60_000}
    if session:
        meta["session_id"] = session
    call = {"tool": tool, "args": {"a": number}, "error": error or None}
    return json.dumps({"case": f"c{number}", "calls": [call], "output": "x", "meta": meta}) + "\n"


def once(folder: Path, *words: str) -> tuple[int, str]:
    """How it ends, and what is said beside results."""
    done = toolgauge("watch", "--once", *words, cwd=folder)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr


def drift_of(folder: Path) -> Drift:
    state = WatchState(str(folder / ".toolgauge" / "watch.db"), create=False)
    known = state.fact("drift")
    state.close()
    assert known is not None
    return Drift.decode(known)


def sessions(folder: Path, series: str) -> int:
    """How many sessions a series has counted."""
    return next(reading.learned for reading in drift_of(folder).readings() if reading.series == series)


GARBAGE = {
    "lines.jsonl": '{bad\n{"worse"\n',
    "other.jsonl": '{"foo": 1}\n{"bar": 2}\n',
    "text.log": "hello\nworld\n",
    "cut.json": '{"a": ',
}


@pytest.mark.parametrize("name", GARBAGE)
def test_where_nothing_can_be_read_every_fault_is_named_with_its_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(GARBAGE[name])
    status, said = once(tmp_path, "--follow", name)
    assert status == 2
    assert re.search(rf"^Note: {name}:\d+", said, re.M)
    assert "none of the followed files can be read" in said


def test_what_is_not_there_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "good.jsonl").write_text(line(1))
    status, said = once(tmp_path, "--follow", "good.jsonl", "--follow", "missing.jsonl")
    assert (status, said) == (2, "Error: missing.jsonl: there is no such file; check the path\n")
    assert not (tmp_path / ".toolgauge").exists()


@pytest.mark.parametrize("kind", ["file", "folder", "folder of others"])
def test_where_there_is_nothing_yet_there_is_nothing_to_do(tmp_path: Path, kind: str) -> None:
    if kind == "file":
        (tmp_path / "logs").write_text("")
    else:
        (tmp_path / "logs").mkdir()
    if kind == "folder of others":
        (tmp_path / "logs" / "notes.md").write_text("# Notes")
    status, said = once(tmp_path, "--follow", "logs")
    assert status == 5
    assert "logs: there are no conversations in the followed files" in said
    assert ("known endings: .json" in said) is (kind != "file")


def test_broken_lines_among_good_ones_are_counted_and_named_also_after_a_restart(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(line(1) + "{bad\n" + line(2))
    status, said = once(tmp_path, "--follow", "log.jsonl")
    assert status == 0
    assert "log.jsonl:2: a record is left out because it is not JSON" in said
    assert once(tmp_path, "--follow", "log.jsonl") == (0, ""), "nothing new is nothing wrong"
    with log.open("a") as more:
        more.write(line(3) + '{"foo": 1}\n{"foo": 2}\n')
    status, said = once(tmp_path, "--follow", "log.jsonl")
    assert status == 0
    assert said == "Note: log.jsonl:5: a record is left out because its format is not known (2 times)\n"
    state = WatchState(str(tmp_path / ".toolgauge" / "watch.db"))
    counters = state.counters()
    state.close()
    assert counters["conversations"] == 3
    assert counters["lost: a record is left out because its format is not known"] == 2


def test_broken_lines_among_spans_are_named(tmp_path: Path) -> None:
    lines = [json.dumps(otlp(*SPANS)), '{"resourceSpans": ', json.dumps({"resourceSpans": 3})]
    (tmp_path / "spans.jsonl").write_text("\n".join(lines) + "\n")
    status, said = once(tmp_path, "--follow", "spans.jsonl")
    assert status == 0
    assert said == "Note: spans.jsonl:2: a line is left out because it is not JSON (2 times)\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "--once has nothing to read"),
        (("--follow", "log.jsonl", "--otlp"), "--otlp is for a continuous watch"),
        (("--follow", "log.jsonl", "--port", "4318"), "--port is for a continuous watch"),
        (("--follow", "log.jsonl", "--model", "local:lexical"), "--model is for the agent"),
        (("--follow", "log.jsonl", "--trials", "1"), "--trials is for the agent"),
        (("--follow", "log.jsonl", "--every", "6h"), "--every runs a suite again and again"),
        (("--follow", "log.jsonl", "--agent", "react"), "--agent needs the suite"),
        (("--follow", "log.jsonl", "--export", "otel"), "--export sends scores"),
        (("--follow", "log.jsonl", "--endpoint", "http://127.0.0.1:1"), "--endpoint is the address"),
        (("--follow", "log.jsonl", "--judge-share", "0.5"), "--judge-share is how often"),
        (("--follow", "log.jsonl", "--alarms"), "--follow has no effect with"),
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    (tmp_path / "log.jsonl").write_text(line(1))
    status, said = once(tmp_path, *words)
    assert status == 2
    assert says in said


def test_options_about_receiving_need_a_receiver(tmp_path: Path) -> None:
    done = toolgauge("watch", "--follow", "log.jsonl", "--port", "0", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "Error: --port is for receiving traces; add --otlp\n")


@pytest.mark.parametrize(
    ("target", "status"), [("none/new.yaml", 3), (".", 3), ("broken.yaml", 2), ("log.jsonl/new.yaml", 3)]
)
def test_where_failures_cannot_be_proposed_nothing_is_watched(tmp_path: Path, target: str, status: int) -> None:
    (tmp_path / "log.jsonl").write_text(line(1, error="x"))
    (tmp_path / "broken.yaml").write_text("name: [")
    assert once(tmp_path, "--follow", "log.jsonl", "--propose", target)[0] == status
    assert not (tmp_path / ".toolgauge").exists()


def test_a_suite_that_cannot_be_run_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "suite.yaml").write_text("name: s\ncases: [{id: a, input: b}]\n")
    status, said = once(tmp_path, "--suite", "suite.yaml", "--agent", "nobody", "--model", "local:lexical")
    assert status == 2
    assert "nobody" in said


def test_a_session_that_spans_several_invocations_counts_once(tmp_path: Path) -> None:
    log, began = tmp_path / "log.jsonl", (time.time() - 7200) * 1000
    parts = [
        line(1, session="s1", began=began),
        line(2, session="s1", minutes=10, began=began) + line(3, session="s2", minutes=12, began=began),
        line(4, session="s1", minutes=20, began=began),
    ]
    for part in parts:
        with log.open("a") as more:
            more.write(part)
        assert once(tmp_path, "--follow", "log.jsonl")[0] == 0
        assert sessions(tmp_path, "fail_rate") == 0, "both may go on"
    with log.open("a") as more:
        more.write(line(5, session="s3", minutes=80, began=began))
    assert once(tmp_path, "--follow", "log.jsonl")[0] == 0
    assert sessions(tmp_path, "fail_rate") == 2


def test_what_cannot_go_on_counts_at_once(tmp_path: Path) -> None:
    old = line(1, session="s1", began=(time.time() - 3 * 86_400) * 1000)
    alone = json.dumps({"case": "c2", "calls": [{"tool": "f", "args": {}}], "output": "x"}) + "\n"
    (tmp_path / "log.jsonl").write_text(old + alone)
    assert once(tmp_path, "--follow", "log.jsonl")[0] == 0
    assert sessions(tmp_path, "fail_rate") == 2


def test_a_trace_that_spans_two_invocations_counts_once_and_whole(tmp_path: Path) -> None:
    parts = sorted(SPANS, key=lambda span: span["parentSpanId"] == "")
    log = tmp_path / "spans.jsonl"
    log.write_text("".join(json.dumps(otlp(span)) + "\n" for span in parts[:2]))
    status, said = once(tmp_path, "--follow", "spans.jsonl")
    assert status == 5
    assert "traces whose root spans have not arrived yet, which count in a later --once: 1" in said
    with log.open("a") as more:
        more.write("".join(json.dumps(otlp(span)) + "\n" for span in parts[2:]))
    assert once(tmp_path, "--follow", "spans.jsonl")[0] == 0
    state = WatchState(str(tmp_path / ".toolgauge" / "watch.db"))
    ((body,),) = state.execute("SELECT body FROM conversations")
    state.close()
    assert len(json.loads(body)["calls"]) == 2


def test_a_setting_that_is_changed_holds_from_then_on(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(line(1))
    once(tmp_path, "--follow", "log.jsonl")
    once(tmp_path, "--follow", "log.jsonl", "--false-alarms", "0.25", "--gap", "5m")
    (tmp_path / "log.jsonl").write_text(line(1) + line(2))
    once(tmp_path, "--follow", "log.jsonl", "--false-alarms", "0.25", "--gap", "5m")
    settings = drift_of(tmp_path).settings
    assert (settings.false_alarms, settings.gap) == (0.25, 300.0)


def test_a_tool_that_was_never_there_is_told_of_at_once(tmp_path: Path) -> None:
    began = (time.time() - 3 * 86_400) * 1000
    usual = [line(number, session=f"s{number}", minutes=15 * number, began=began) for number in range(150)]
    (tmp_path / "log.jsonl").write_text("".join(usual))
    words = ("--follow", "log.jsonl", "--baseline", "1d")
    assert once(tmp_path, *words) == (0, "")
    with (tmp_path / "log.jsonl").open("a") as more:
        more.write(line(200, session="x", minutes=2400, tool="shell", began=began))
        more.write(line(201, session="y", minutes=2500, began=began))
    status, said = once(tmp_path, *words)
    assert status == 0, "not an alarm"
    assert f"Note: tool_mix: 'shell' was seen for the first time, in trace {200:032x}\n" in said
    assert [seen.label for seen in show_watch(str(tmp_path / ".toolgauge" / "watch.db")).first_seen] == ["shell"]
    assert once(tmp_path, *words) == (0, ""), "told once"


def test_without_once_what_is_not_there_is_waited_for_and_said(tmp_path: Path) -> None:
    with started(tmp_path, "--follow", "later.jsonl") as watch:
        assert watch.process.stdout is not None
        said = watch.process.stdout.readline() + watch.process.stdout.readline()
        assert "Note: later.jsonl: there is no such file yet; waiting for it" in said
        (tmp_path / "later.jsonl").write_text(line(1) + "{bad\n")
        assert [each.case for each in watch.conversations(1)] == ["c1"]
        assert "Note: later.jsonl:2: a record is left out" in watch.process.stdout.readline()


def test_what_breaks_a_watch_ends_it_and_does_not_go_unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = WatchSettings(state=str(tmp_path / "watch.db"))
    watch = Watch(WatchOptions(settings=settings))

    def fail(now: float) -> int:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(watch.watcher, "step", fail)
    with pytest.raises(ZeroDivisionError, match="a fault of ours"):
        watch.run(listen("127.0.0.1", 0, first=4318), lambda: None, lambda *notes: None)
