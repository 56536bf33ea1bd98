"""What the pages and the documentation show of a watch, from the example week."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.running import toolgauge
from toolgauge.catalogue import words_of
from toolgauge.viewer import Library
from toolgauge.viewer.app import make_app
from toolgauge.viewer.guard import Guard
from toolgauge.watch import WatchState
from toolgauge.watch.showing import show_watch

if TYPE_CHECKING:
    from starlette.testclient import TestClient

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "watch.md"
IMAGES = {
    "watch-fail-rate.svg": 'fail_rate{tool="search_web"}',
    "watch-tool-mix.svg": "tool_mix",
    "watch-latency.svg": "latency",
}


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the example was followed, and what was printed."""
    folder = tmp_path_factory.mktemp("week")
    runpy.run_path(str(ROOT / "examples" / "watch" / "week.py"))["main"](str(folder / "week.jsonl"))
    command = re.search(r"^\$ toolgauge (watch .*)$", PAGE.read_text(), re.M)
    assert command is not None
    done = toolgauge(*command[1].split(), cwd=folder)
    assert done.returncode == 1, done.stderr
    (folder / "printed.txt").write_text(done.stdout)
    return folder


@pytest.fixture
def page(week: Path, tmp_path: Path) -> Iterator[TestClient]:
    shutil.copy(week / ".toolgauge" / "watch.db", tmp_path / "watch.db")
    with pages_of(tmp_path / "watch.db") as client:
        yield client


@contextmanager
def pages_of(state: Path) -> Iterator[TestClient]:
    from starlette.testclient import TestClient  # which needs a library of the group deep

    with Library(str(state.with_name("none.db")), may_be_empty=True) as library:
        app = make_app(library, watch=str(state))
        guarded = Guard(app, hosts=frozenset({"testserver"}), token="x", needs_token=False)  # noqa: S106 - of no use to anybody
        yield TestClient(guarded)


def test_the_example_prints_what_the_page_says(week: Path) -> None:
    printed = (week / "printed.txt").read_text()
    text = PAGE.read_text()
    console = re.search(r"```console\n\$ toolgauge watch[^\n]*\n(.*?)\n\.\.\.\n```", text, re.S)
    assert console is not None
    assert console[1] in printed
    assert len(printed.splitlines()) == 5, "five alarms"
    for figure in re.findall(r"history_price went down at about [0-9: -]+", text):
        assert figure in printed
    lines = (week / "week.jsonl").read_text().splitlines()
    sessions = {re.search(r'"session_id": "(\w+)"', line)[1] for line in lines}  # type: ignore[index]
    assert f"{len(lines):,} conversations in {len(sessions):,}" in " ".join(text.split())


def test_the_page_states_the_delays_and_the_rate_that_the_page_about_drift_explains() -> None:
    row = re.compile(r"^\| ([^|]+) \| (\d+) \| (\d+) \|", re.M)
    own, explained = PAGE.read_text(), (ROOT / "docs" / "drift.md").read_text()
    assert len(row.findall(own)) == 5
    assert set(row.findall(own)) <= set(row.findall(explained))
    rate = re.search(r"\*\*all\*\* \| \d+ \| ([\d,]+) \| ([\d.]+) (\(.*?\))", explained)
    assert rate is not None
    assert (
        f"{rate[1]} months of them, all series of a watch together raised {rate[2]} false alarms a month {rate[3]}"
        in (" ".join(own.split()))
    )


def test_the_pictures_are_those_of_the_example(week: Path) -> None:
    charts = {chart.title(words_of("en")): chart for chart in show_watch(str(week / ".toolgauge" / "watch.db")).charts}
    for name, series in IMAGES.items():
        drawn = charts[series].file(words_of("en"))
        path = ROOT / "docs" / "images" / name
        if os.environ.get("TOOLGAUGE_RENEW"):
            path.write_text(drawn, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == drawn


@pytest.mark.deep
def test_the_page_shows_alarms_series_with_limits_and_leads_to_traces(page: TestClient) -> None:
    html = page.get("/watch?lang=en").text
    assert "5 open alarms" in html
    assert html.count("<svg") >= 10
    assert "▲ 11-14" in html
    assert "Charts and their limits" in html
    (trace,) = set(re.findall(r"/watch/trace\?id=(\w+)", html)[:1])
    shown = page.get(f"/watch/trace?id={trace}&lang=en").text
    assert "search_web" in shown
    assert page.get("/watch?lang=vi").text.count("báo động chưa xử lý") == 1


@pytest.mark.deep
def test_what_is_shown_of_a_trace_is_text(page: TestClient, tmp_path: Path) -> None:
    state = WatchState(str(tmp_path / "watch.db"))
    evil = b'{"calls": [{"tool": "<script>alert(1)</script>"}], "input": "<b>x"}'
    with state.transaction() as connection:
        connection.execute(
            "INSERT INTO conversations(trace, session, agent, at, body) VALUES('e', '', '', 0, ?)", (evil,)
        )
    state.close()
    html = page.get("/watch/trace?id=e").text
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html
    assert "There" not in page.get("/watch/trace?id=nothing").text


@pytest.mark.deep
def test_the_page_and_the_list_of_alarms_show_what_was_seen_for_the_first_time(week: Path, tmp_path: Path) -> None:
    shutil.copy(week / ".toolgauge" / "watch.db", tmp_path / "watch.db")
    last = json.loads((week / "week.jsonl").read_text().splitlines()[-1])
    lines = []
    for number in range(12):
        last["calls"][0] |= {"tool": "<shell>"}
        last["meta"] |= {
            "trace_id": f"{number:032d}",
            "session_id": f"new{number}",
            "started_at": last["meta"]["started_at"] + 3_600_000,
        }
        lines.append(json.dumps(last) + "\n")
    (tmp_path / "new.jsonl").write_text("".join(lines))
    words = ("watch", "--state", "watch.db")
    done = toolgauge(*words, "--follow", "new.jsonl", "--once", "--baseline", "2d", cwd=tmp_path)
    assert "Note: tool_mix: '<shell>' was seen for the first time, in trace 0000" in done.stderr
    listed = toolgauge(*words, "--alarms", cwd=tmp_path).stdout
    assert "Seen for the first time: <shell> (" in listed
    with pages_of(tmp_path / "watch.db") as client:
        html = client.get("/watch?lang=en").text
        assert "Lần đầu xuất hiện" in client.get("/watch?lang=vi").text
    assert "<h2>Seen for the first time</h2>" in html
    assert re.search(r"<td>tool_mix</td><td><a href=\"/watch/trace\?id=0+\">&lt;shell&gt;</a>", html)
