"""Runs from strangers: whatever they hold is shown as text, and nothing of it is done. H1 to H5 and H11 to H18."""

from __future__ import annotations

import csv
import io
import json
import os
import sqlite3
import stat
from pathlib import Path
from xml.etree import ElementTree

import pytest

from toolgauge import api
from toolgauge.core import Call, Case, Expect, ExpectedCall, RunHeader, Suite, Trajectory
from toolgauge.errors import StoreError
from toolgauge.store import open_store

from .serving import kept, ready, suite, viewing

SCRIPT = "<script>fetch('http://evil.example')</script>"
TEXTS = [
    SCRIPT,
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "\u2028alert(1)\u2029",
    "<svg onload=alert(1)>",
    "![x](http://evil.example/x.png)",
    "{{config}} {0.__class__} %(x)s ${7*7}",
    "\u202egnp.exe",
    "\x1b]52;c;AAAA\x07",
    "\ud800",
    "=cmd|'/c calc'!A1",
]


DRAWN = {"svg", "title", "desc", "a", "g", "line", "path", "rect", "text"}
"""The elements of charts."""


def hostile_suite() -> Suite:
    cases = tuple(
        Case(f"{text} {number}", text, labels={text: text}, expect=Expect((ExpectedCall("t", {"x": 1}),)))
        for number, text in enumerate(text.encode("utf-8", "replace").decode() for text in TEXTS)
    )
    return Suite(SCRIPT, cases)


def hostile_run(path: Path) -> str:
    of = hostile_suite()
    trajectories = [
        Trajectory(
            case.id,
            SCRIPT,
            1,
            calls=(Call(case.input, {case.input: case.input}, result=case.input),),
            output=case.input,
        )
        for case in of.cases
    ]
    made = api.score(of, trajectories)
    header = RunHeader(
        toolgauge="0", created="2026-01-31T10:00:00+00:00", agents=(SCRIPT,), suite=of, about={"model": SCRIPT}
    )
    with open_store(path) as store:
        return store.keep(header, made.scored, name=SCRIPT)


def test_texts_are_data_wherever_they_stand(tmp_path: Path) -> None:
    run = hostile_run(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        for path in ("/", f"/runs/{run}", f"/runs/{run}/case?case=%3Cscript%3E", "/history", f"/?lang={SCRIPT[:8]}"):
            answer = viewer.ask(path)
            assert answer.status == 200
            assert b"evil.example" not in answer.body
            assert b"alert" not in answer.body
        for path in ("/api/runs", f"/api/runs/{run}/run", f"/api/runs/{run}/cases", "/api/history"):
            answer = viewer.ask(path)
            assert answer.headers["content-type"] == "application/json"
            assert b"\xe2\x80\xa8" not in answer.body
            assert json.loads(answer.body)
        rows = viewer.get(f"/api/runs/{run}/cases", limit=100)["rows"]
        assert [row["input"] for row in rows] == [case.input for case in hostile_suite().cases]
        for row in rows:
            page = viewer.get(f"/api/runs/{run}/case", case=row["id"])
            assert page["trajectories"][0]["raw"]["calls"][0]["tool"] == row["input"]


def test_charts_hold_no_markup_of_others(tmp_path: Path) -> None:
    run = hostile_run(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        page = viewer.get(f"/api/runs/{run}/run")
        for charts in page["charts"].values():
            for chart in charts.values():
                for element in ElementTree.fromstring(chart["svg"]).iter():  # noqa: S314 - our own
                    assert element.tag.rpartition("}")[2] in DRAWN
                    assert not [name for name in element.attrib if name.lower().startswith(("on", "href", "style"))]


def test_cells_of_exported_tables_are_no_formulas(tmp_path: Path) -> None:
    run = hostile_run(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        text = viewer.ask(f"/api/runs/{run}/export.csv").body.decode()
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@", "\t", "\r")]
        assert any(cell.startswith("'=cmd") for cell in cells)
        lines = viewer.ask(f"/api/runs/{run}/export.jsonl").body.splitlines()
        assert any("=cmd|'/c calc'!A1" in json.loads(line)["output"] for line in lines)


def test_credentials_of_the_environment_are_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolgauge.report.values import _secrets

    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-value-123456")
    _secrets.cache_clear()
    of = suite(1)
    told = Trajectory("d0", "react", 1, calls=(Call("look", {"key": "sk-very-secret-value-123456"}),), output="x")
    with open_store(tmp_path / "runs.db") as store:
        header = RunHeader(toolgauge="0", created="2026-01-31T10:00:00+00:00", agents=("react",), suite=of)
        run = store.keep(header, api.score(of, [told]).scored)
    try:
        with viewing(tmp_path / "runs.db") as viewer:
            ready(viewer, run)
            for path in ("run", "cases", "case?case=d0", "export.jsonl", "export.csv"):
                assert b"sk-very-secret" not in viewer.ask(f"/api/runs/{run}/{path}").body
    finally:
        _secrets.cache_clear()


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON reviews BEGIN DELETE FROM runs; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER DELETE ON leases BEGIN DELETE FROM trajectories; END",
    ],
)
def test_a_store_with_triggers_or_views_is_refused(tmp_path: Path, statement: str) -> None:
    kept(tmp_path / "runs.db")
    connection = sqlite3.connect(tmp_path / "runs.db")
    connection.execute(statement)
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="not one that toolgauge creates"):
        open_store(tmp_path / "runs.db")


def test_rows_that_are_none_do_not_end_the_viewer(tmp_path: Path) -> None:
    run, other = kept(tmp_path / "runs.db"), kept(tmp_path / "runs.db", name="whole")
    connection = sqlite3.connect(tmp_path / "runs.db")
    connection.execute("UPDATE trajectories SET line = '{\"case\":' WHERE key = 3")
    connection.commit()
    connection.close()
    with viewing(tmp_path / "runs.db") as viewer:
        answer = viewer.ask(f"/api/runs/{run}/run")
        assert answer.status in (200, 422)
        ready(viewer, other)
        assert viewer.get(f"/api/runs/{other}/cases")["filtered"] == 8
        assert viewer.ask(f"/api/runs/{run}/run").status == 422


def test_a_suite_that_names_code_is_looked_at_and_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "evil_tools.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    of = suite(2)
    header = RunHeader(
        toolgauge="0",
        created="2026-01-31T10:00:00+00:00",
        agents=("react",),
        suite=of,
        about={"tools": "evil_tools:look", "scorers": {"evil_tools:x": 1}},
    )
    with open_store(tmp_path / "runs.db") as store:
        run = store.keep(header, api.score(of, [Trajectory("d0", "react", 1, output="x")]).scored)
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        assert viewer.ask(f"/api/runs/{run}/run").status == 200


def test_what_the_viewer_keeps_only_its_owner_can_read(tmp_path: Path) -> None:
    run = kept(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        folder = viewer.library._folder
        assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
        assert {stat.S_IMODE(file.stat().st_mode) & 0o077 for file in folder.glob("*.index")} == {0}
    assert not folder.exists()


def test_looking_writes_nothing_into_the_store(tmp_path: Path) -> None:
    run = kept(tmp_path / "runs.db")
    before = _content(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        viewer.get(f"/api/runs/{run}/cases", q="ha noi")
        viewer.get("/api/history")
    assert _content(tmp_path / "runs.db") == before


def _content(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    found = list(connection.iterdump())
    connection.close()
    return found
