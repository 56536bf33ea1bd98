"""What the viewer answers: lists, filters, cases, reviews, files and history, over a store and over run files."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest
from msgspec.structs import replace

from toolgauge import api
from toolgauge.core import Call, Review, Trajectory
from toolgauge.pages import PageData
from toolgauge.report import RunDocument, render
from toolgauge.store import open_store, reviews_path

from .serving import Viewer, header, kept, ready, scored, suite, viewing

STATIC = Path(api.__file__).parent.parent / "pages" / "static"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("api") / "runs.db"
    kept(path, suite(40), name="lớn", model="haiku")
    kept(path, suite(40, tools=()), name="second", model="opus", created="2026-02-01T10:00:00+00:00")
    return path


@pytest.fixture(scope="module")
def viewer(store: Path) -> Iterator[Viewer]:
    with viewing(store) as opened:
        yield opened


@pytest.fixture(scope="module")
def run(viewer: Viewer) -> str:
    run_id = str(viewer.get("/api/runs", q="lon")["rows"][0]["id"])
    ready(viewer, run_id)
    return run_id


def test_runs_are_listed_found_and_put_in_order(viewer: Viewer) -> None:
    found = viewer.get("/api/runs")
    assert [row["name"] for row in found["rows"]] == ["second", "lớn"]
    assert (found["filtered"], found["total"], found["suites"]) == (2, 2, ["weather"])
    assert [row["name"] for row in viewer.get("/api/runs", q="LON haiku")["rows"]] == ["lớn"]
    assert viewer.get("/api/runs", q="nothing")["filtered"] == 0
    assert [row["name"] for row in viewer.get("/api/runs", sort="created")["rows"]] == ["lớn", "second"]
    assert viewer.get("/api/runs", state="running")["rows"] == []
    assert len(viewer.get("/api/runs", limit=1, offset=1)["rows"]) == 1


def test_the_figures_are_those_of_the_json_report(viewer: Viewer, run: str, store: Path) -> None:
    page = viewer.get(f"/api/runs/{run}/run")
    report = json.loads("".join(render(RunDocument(api.load_run(run, store=store)), "json")))
    for name in ("rows", "counts", "tools", "confusion", "passed_with_issues", "scoring"):
        assert page[name] == report[name]


def test_rows_and_cases_are_those_of_the_page_in_one_file(viewer: Viewer, run: str, store: Path) -> None:
    data = PageData.of(api.load_run(run, store=store))
    rows = json.loads(json.dumps(list(data.rows())))
    assert viewer.get(f"/api/runs/{run}/cases", limit=500)["rows"] == rows
    for page in json.loads(json.dumps(list(data.pages())))[:5]:
        assert viewer.get(f"/api/runs/{run}/case", case=page["row"]["id"]) == page


@pytest.mark.parametrize("text", ["hà nội", "ha noi", "HA NOI", "Hà Nội hôm", "nhiet do 4"])
def test_texts_are_found_with_and_without_tones(viewer: Viewer, run: str, text: str) -> None:
    found = viewer.get(f"/api/runs/{run}/cases", q=text)
    assert 0 < found["filtered"] < found["total"]
    if "noi" in text.lower():
        assert all("Hà Nội" in row["input"] for row in found["rows"])


@pytest.mark.parametrize(
    ("params", "fits"),
    [
        ({"agent": "rewoo", "tool": "search"}, lambda n: n % 3 == 0),
        ({"tool": "search", "agent": "react"}, lambda n: False),
        ({"label": "difficulty:khó"}, lambda n: n % 2 == 1),
        ({"label": ["difficulty:khó", "difficulty:dễ"]}, lambda n: True),
        ({"outcome": "failed", "agent": "react"}, lambda n: n % 2 == 1),
        ({"issue": "missing_call"}, lambda n: n % 3 == 0),
        ({"latency": "500..1000"}, lambda n: 5 <= n <= 10),
        ({"tokens": "..105"}, lambda n: n <= 10),
        ({"q": "hue", "label": "difficulty:dễ", "calls": "1..1"}, lambda n: n % 2 == 0),
        ({"q": "trả lời 39"}, lambda n: n == 39),
    ],
)
def test_filters_choose_cases(viewer: Viewer, run: str, params: dict[str, Any], fits: Any) -> None:
    found = viewer.get(f"/api/runs/{run}/cases", limit=500, **params)
    assert [row["n"] for row in found["rows"]] == [n for n in range(40) if fits(n)]
    assert (found["filtered"], found["total"]) == (len(found["rows"]), 40)


def test_filters_choose_what_pages_in_one_file_choose(viewer: Viewer, run: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    rows = viewer.get(f"/api/runs/{run}/cases", limit=500)["rows"]
    chance = random.Random(7)
    choices: dict[str, list[str]] = {
        "agent": ["react", "rewoo"],
        "tool": ["search", "look", "none"],
        "issue": ["missing_call", "wrong_arg"],
        "outcome": ["passed", "failed", "passed_with_issues"],
        "label": ["difficulty:dễ", "difficulty:khó", "x:y"],
        "latency": ["100..900", "..700", "1500.."],
        "score": ["0.5..1", "..0.2"],
        "sort": ["", "id", "-id", "passed", "-passed", "latency", "-tokens", "issues", "agent:rewoo", "input"],
    }
    asked = []
    for _ in range(80):
        names = chance.sample(list(choices), k=chance.randint(1, 4))
        asked.append(urlencode([(name, chance.choice(choices[name])) for name in names]))
    program = f"""
import {{ fitsCase, readFilter, sorted }} from {json.dumps(str(STATIC / "filters.js"))};
const rows = {json.dumps(rows)};
const answers = {json.dumps(asked)}.map((query) => {{
  const params = new URLSearchParams(query);
  const found = rows.filter((row) => fitsCase(row, readFilter(params), null));
  return sorted(found, params.get("sort") ?? "").map((row) => row.n);
}});
console.log(JSON.stringify(answers));
"""
    done = subprocess.run([node, "--input-type=module", "-e", program], capture_output=True, text=True, check=True)
    for query, wanted in zip(asked, json.loads(done.stdout), strict=True):
        found = viewer.ask(f"/api/runs/{run}/cases?{query}&limit=500").json
        assert [row["n"] for row in found["rows"]] == wanted, query


def test_pages_follow_each_other_and_cases_have_neighbours(viewer: Viewer, run: str) -> None:
    params = {"sort": "-id", "label": "difficulty:khó"}
    pages = [viewer.get(f"/api/runs/{run}/cases", limit=7, offset=at, **params)["rows"] for at in (0, 7, 14)]
    ids = [row["id"] for page in pages for row in page]
    assert len(set(ids)) == 20
    beside = viewer.get(f"/api/runs/{run}/neighbours", case=ids[3], **params)
    assert beside == {"before": ids[2], "after": ids[4], "at": 3, "of": 20}
    assert viewer.get(f"/api/runs/{run}/neighbours", case="d0", **params)["at"] == -1


def test_a_set_behind_a_figure_can_be_opened(viewer: Viewer, run: str) -> None:
    page = viewer.get(f"/api/runs/{run}/run")
    pattern = page["patterns"][0]
    found = viewer.get(f"/api/runs/{run}/cases", set=pattern["set"])
    assert found["filtered"] == page["sets"][pattern["set"]]["length"] > 0
    assert viewer.get(f"/api/runs/{run}/cases", set="pattern/99")["filtered"] == 0


def test_what_is_filtered_can_be_taken_along(viewer: Viewer, run: str) -> None:
    answer = viewer.ask(f"/api/runs/{run}/export.csv?tool=search")
    rows = list(csv.DictReader(io.StringIO(answer.body.decode())))
    assert answer.headers["content-disposition"].startswith("attachment")
    assert {row["id"] for row in rows} == {f"d{n}" for n in range(0, 40, 3)}
    assert {row["trial"] for row in rows} == {"1"}
    lines = viewer.ask(f"/api/runs/{run}/export.jsonl?q=ha+noi").body.splitlines()
    cases = {msgspec.json.decode(line)["case"] for line in lines}
    assert len(lines) == 20
    assert cases == {f"d{n}" for n in range(0, 40, 4)}
    assert viewer.ask(f"/api/runs/{run}/export.exe").status == 404


def test_reviews_are_kept_filtered_by_and_withdrawn(tmp_path: Path) -> None:
    run = kept(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        path = f"/api/runs/{run}/reviews"
        said = {"case": "d1", "agent": "react", "trial": 1, "verdict": "right", "note": "<b>31</b>"}
        (kept_one,) = viewer.post(path, said).json
        assert {name: kept_one[name] for name in said} == said
        assert kept_one["at"]
        assert [row["id"] for row in viewer.get(f"/api/runs/{run}/cases", review="right")["rows"]] == ["d1"]
        assert viewer.get(f"/api/runs/{run}/cases", review="wrong")["filtered"] == 0
        refused: list[object] = [{"case": "no"}, {"case": "no", "verdict": "right"}, {"case": "d1", "verdict": "?"}, []]
        for wrong in refused:
            assert viewer.post(path, wrong).status == 422
        assert viewer.post(path, said | {"verdict": None}).json == []
        viewer.post(path, {"case": "d0", "verdict": "gold_is_wrong"})
    counted = api.load_run(run, store=tmp_path / "runs.db", with_reviews=True)
    assert "d0" not in {one.score.case for one in counted.scored}


def test_run_files_are_looked_at_like_runs_and_reviewed_beside(tmp_path: Path) -> None:
    run = kept(tmp_path / "runs.db")
    file = tmp_path / "today.run.jsonl"
    with open_store(tmp_path / "runs.db") as opened:
        file.write_bytes(b"".join(opened.open_run(run).export()))
    before = file.read_bytes()
    with viewing(tmp_path / "none.db", [file]) as viewer:
        (row,) = viewer.get("/api/runs")["rows"]
        assert (row["id"], row["name"], row["file"]) == ("file-1", "today.run.jsonl", True)
        ready(viewer, "file-1")
        assert viewer.get("/api/runs/file-1/cases", q="ha noi")["filtered"] == 2
        viewer.post("/api/runs/file-1/reviews", {"case": "d0", "verdict": "wrong", "agent": "react"})
        assert not (tmp_path / "none.db").exists()
    assert [one.verdict for one in api.load_run(file).reviews] == ["wrong"]
    assert Path(reviews_path(str(file))).exists()
    assert file.read_bytes() == before


def test_a_case_is_made_of_what_was_seen(tmp_path: Path) -> None:
    run = kept(tmp_path / "runs.db")
    file = tmp_path / "made.yaml"
    with viewing(tmp_path / "runs.db", cases_file=file) as viewer:
        ready(viewer, run)
        asked = {"case": "d1", "agent": "react", "trial": 1}
        assert viewer.post(f"/api/runs/{run}/make-case", asked).json == {"id": "d1", "file": "made.yaml"}
        file.write_text(file.read_text(encoding="utf-8") + "# kept\n", encoding="utf-8")
        assert viewer.post(f"/api/runs/{run}/make-case", asked | {"expect": "case"}).json["id"] == "d1-2"
        assert viewer.post(f"/api/runs/{run}/make-case", asked | {"file": "x.yaml"}).status == 422
        assert viewer.post(f"/api/runs/{run}/make-case", asked | {"trial": 9}).status == 422
    made = api.load_suite(file)
    assert [case.id for case in made.cases] == ["d1", "d1-2"]
    assert made.cases[0].expect.calls is not None
    assert made.cases[0].expect.calls[0].args == {"city": "Vinh"}
    assert made.cases[1].expect.calls is not None
    assert made.cases[1].expect.calls[0].args == {"city": "Hue"}
    assert "# kept" in file.read_text(encoding="utf-8")


def test_without_a_file_no_case_is_made(viewer: Viewer, run: str) -> None:
    answer = viewer.post(f"/api/runs/{run}/make-case", {"case": "d1", "agent": "react", "trial": 1})
    assert answer.status == 422
    assert "--cases" in answer.json["error"]


def history(viewer: Viewer, **params: str) -> dict[str, Any]:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        found: dict[str, Any] = viewer.get("/api/history", **params)
        if not found["pending"]:
            return found
        time.sleep(0.05)
    raise AssertionError("the history was not made in time")


def test_a_metric_over_runs_says_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    other = suite()
    changed = replace(other, cases=(replace(other.cases[0], input="Another?"), *other.cases[1:]))
    for day, (of, about) in enumerate([(other, "haiku"), (other, "haiku"), (other, "opus"), (changed, "opus")], 1):
        kept(path, of, name=f"day {day}", model=about, created=f"2026-01-0{day}T10:00:00+00:00")
    with open_store(path) as store:
        older = replace(header(other, model="opus", created="2026-01-05T10:00:00+00:00"), scoring=1, suite=changed)
        store.keep(older, scored(changed), name="day 5")
    with viewing(path) as viewer:
        found = history(viewer, metric="f1")
    assert [point["name"] for point in found["points"]] == [f"day {day}" for day in range(1, 6)]
    assert [point["changed"] for point in found["points"]] == [[], [], ["model"], ["suite"], ["scoring"]]
    assert [point["joined"] for point in found["points"]] == [False, True, True, False, False]
    summary = api.load_run("day 1", store=path).summary
    (row,) = [row for row in summary.rows if row.agent == "react" and not row.group]
    assert found["points"][0]["figures"]["react"]["value"] == row.metrics["f1"].value
    assert "latency" in found["metrics"]
    assert "<svg" in found["charts"]["vi"]["svg"]


def test_what_is_not_there_is_said(viewer: Viewer, run: str) -> None:
    for path in ("/api/runs/no/run", "/api/runs/no/cases", f"/api/runs/{run}/case?case=no", "/api/nothing"):
        answer = viewer.ask(path)
        assert answer.status == 404


def test_what_was_planned_and_not_run_is_shown_as_that(tmp_path: Path) -> None:
    of = suite(4)
    with open_store(tmp_path / "runs.db") as store:
        writer = store.begin(header(of, trials=1), 8)
        for one in scored(of)[:3]:
            writer.save(one)
        writer.finish("interrupted")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, writer.id)
        found = viewer.get(f"/api/runs/{writer.id}/cases", outcome="not_run")
        assert found["filtered"] == 4
        page = viewer.get(f"/api/runs/{writer.id}/case", case="d3")
        assert [one["state"] for one in page["trajectories"]] == ["not_run", "not_run"]


def test_a_case_with_many_calls_and_a_large_result_stays_usable(tmp_path: Path) -> None:
    of = suite(2)
    many = Trajectory("d0", "react", 1, calls=tuple(Call("look", {"n": n}, result="x" * 1000) for n in range(20_000)))
    large = Trajectory("d1", "react", 1, calls=(Call("look", {}, result="ệ\n" * 3_000_000),), output="done")
    with open_store(tmp_path / "runs.db") as store:
        run = store.keep(header(of, ["react"]), api.score(of, [many, large]).scored)
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        page = viewer.get(f"/api/runs/{run}/case", case="d0")
        assert len(page["trajectories"][0]["raw"]["calls"]) == 20_000
        assert len(page["trajectories"][0]["cut"]) == 20_000
        answer = viewer.ask(f"/api/runs/{run}/case?case=d1")
        assert len(answer.body) < 400_000
        assert answer.json["trajectories"][0]["raw"]["calls"][0]["result"].startswith("ệ\nệ\n")
        assert answer.json["trajectories"][0]["cut"]


def test_a_review_is_no_part_of_a_trajectory(tmp_path: Path) -> None:
    run = kept(tmp_path / "runs.db")
    before = [one.trajectory for one in api.load_run(run, store=tmp_path / "runs.db").scored]
    api.review_run(run, [Review("d0", "wrong")], store=tmp_path / "runs.db")
    assert [one.trajectory for one in api.load_run(run, store=tmp_path / "runs.db").scored] == before


def test_two_runs_are_one_whose_agents_are_the_contenders(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    of = suite(6)
    first = kept(path, of, name="before")
    made = scored(of)
    with open_store(path) as store:
        worse = scored(of)
        broken = api.score(of, [replace(worse[0].trajectory, calls=()), *(one.trajectory for one in worse[1:])])
        second = store.keep(header(of, created="2026-02-01T10:00:00+00:00"), broken.scored, name="after")
    with viewing(path) as viewer:
        both = f"{first}~{second}"
        ready(viewer, both)
        page = viewer.get(f"/api/runs/{both}/run")
        assert [agent["name"] for agent in page["agents"]] == [
            "react (before)", "react (after)", "rewoo (before)", "rewoo (after)",
        ]  # fmt: skip
        assert (page["differences"]["first"], page["differences"]["second"]) == ("before", "after")
        assert page["differences"]["counts"] == {"broken": 1, "fixed": 0, "flaky": 0, "unchanged": 11}
        assert [row["id"] for row in viewer.get(f"/api/runs/{both}/cases", set="change/broken")["rows"]] == ["d0"]
        assert len(viewer.get(f"/api/runs/{both}/case", case="d0")["trajectories"]) == 4
        assert len(made) == viewer.get("/api/runs")["rows"][0]["finished"]
        said = {"case": "d0", "agent": "react (after)", "trial": 1, "verdict": "right"}
        assert viewer.post(f"/api/runs/{both}/reviews", said).json[0]["agent"] == "react (after)"
        assert viewer.post(f"/api/runs/{both}/reviews", said | {"agent": None, "trial": None}).status == 422
        assert viewer.get(f"/api/runs/{second}/reviews")[0]["agent"] == "react"
        assert viewer.get(f"/api/runs/{first}/reviews") == []
        ready(viewer, both)
        assert viewer.ask(f"/api/runs/{first}~none/run").status == 404
    assert [one.agent for one in api.load_run("after", store=path).reviews] == ["react"]


def test_two_runs_that_share_no_case_are_said_not_to(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    other = suite(2)
    other = replace(other, cases=tuple(replace(case, id=f"x{case.id}") for case in other.cases))
    first, second = kept(path, suite(2)), kept(path, other)
    with viewing(path) as viewer:
        deadline = time.monotonic() + 30
        while viewer.ask(f"/api/runs/{first}~{second}/run").status != 422:
            assert time.monotonic() < deadline
        assert "share no case" in viewer.ask(f"/api/runs/{first}~{second}/run").json["error"]
