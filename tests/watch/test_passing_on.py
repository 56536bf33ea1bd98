"""What a watch passes on: scores to where the traces are, and failures as cases to review; neither can fail it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.exports.receiving import Receiver, Replied
from toolgauge.suites import load_suite

SUITE = """name: production
cases:
  - {id: hanoi, input: "How is the weather in Hanoi?", expect: {calls: [{tool: get_weather, args: {city: Hanoi}}]}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite, and a log of three conversations: one that it knows, one that failed, and one that did not."""
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    lines = [
        conversation(1, "How is the weather in Hanoi?", "Hue"),
        conversation(2, "How is Huế?", "Hue", error="no such city"),
        conversation(3, "How is Đà Nẵng?", "Da Nang"),
    ]
    (tmp_path / "log.jsonl").write_text("".join(lines), encoding="utf-8")
    return tmp_path


def conversation(number: int, question: str, city: str, error: str | None = None) -> str:
    call = {"tool": "get_weather", "args": {"city": city}, "result": 31, "error": error, "span_id": f"{number:016x}"}
    meta = {"trace_id": f"{number:032x}", "session_id": f"s{number}", "started_at": 1_760_000_000_000.0}
    return json.dumps({"input": question, "agent": "react", "calls": [call], "output": "31", "meta": meta}) + "\n"


def watch(folder: Path, *words: str, **environment: str) -> int:
    done = toolgauge(
        "watch", "--follow", "log.jsonl", "--once", "--suite", "suite.yaml", *words, cwd=folder, **environment
    )
    assert "Traceback" not in done.stderr
    return done.returncode


def test_scores_of_what_the_suite_knows_are_sent_once(folder: Path) -> None:
    with Receiver() as server:
        for _ in range(2):
            assert watch(folder, "--export", "phoenix", "--endpoint", server.url) == 0
    sent = [one for request in server.received for one in request.json["data"]]
    assert {one["trace_id"] for one in sent if "trace_id" in one} == {f"{1:032x}"}
    ids = [one["identifier"] for one in sent]
    assert len(ids) == len(set(ids)) > 0, "what was read already is not sent again"


def test_a_system_that_is_down_does_not_fail_a_watch_and_gets_the_scores_later(folder: Path) -> None:
    with Receiver([Replied(503)]) as server:
        assert watch(folder, "--export", "phoenix", "--endpoint", server.url) == 0
        assert len(server.received) == 1, "a watch does not wait for it"
        assert len(list((folder / ".toolgauge" / "runs.db-exports").iterdir())) == 1
        later = toolgauge("export", "--retry", cwd=folder)
    assert later.returncode == 0, later.stderr
    assert server.received[1].body == server.received[0].body
    assert not list((folder / ".toolgauge" / "runs.db-exports").iterdir())


def test_failures_become_cases_with_what_is_expected_where_that_is_known(folder: Path) -> None:
    for _ in range(2):
        assert watch(folder, "--propose", "new.yaml") == 0
    known, unknown = load_suite(folder / "new.yaml").cases
    assert (known.id, known.input, known.reviewed) == ("hanoi", "How is the weather in Hanoi?", False)
    assert known.expect.calls is not None
    assert known.expect.calls[0].args == {"city": "Hanoi"}, "what is right, and not what was done"
    assert (unknown.input, unknown.reviewed) == ("How is Huế?", False)
