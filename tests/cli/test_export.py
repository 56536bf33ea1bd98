"""`toolgauge export` and `toolgauge cases`: what people see, and how the commands end."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.exports.receiving import Receiver, Replied
from toolgauge.suites import load_suite

from .running import toolgauge

TRACE = "0af7651916cd43dd8448eb211c8031"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store with a run, of which all trajectories but one have a trace."""
    assert toolgauge("init", "demo", cwd=tmp_path).returncode == 0
    lines = [json.loads(line) for line in (tmp_path / "demo" / "traces.jsonl").read_text(encoding="utf-8").splitlines()]
    for number, line in enumerate(lines[1:]):
        line["meta"] = {"trace_id": f"{TRACE}{number:02x}"}
    (tmp_path / "traces.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert toolgauge("score", "demo/suite.yaml", "traces.jsonl", "--save", "one", cwd=tmp_path).returncode == 0
    return tmp_path


def test_scores_are_sent_and_what_has_no_trace_is_named(folder: Path) -> None:
    with Receiver() as server:
        done = toolgauge("export", "latest", "--to", "phoenix", "--endpoint", server.url, cwd=folder)
    assert done.returncode == 0, done.stderr
    sent = sum(len(request.json["data"]) for request in server.received)
    assert done.stdout == f"phoenix ({server.url}): {sent} scores delivered\n"
    assert "1 of 8 trajectories have no trace id, and were not sent: now_hanoi, careful, 1" in done.stderr


def test_only_some_metrics_are_sent_where_they_are_named(folder: Path) -> None:
    with Receiver() as server:
        words = ("export", "latest", "--to", "phoenix", "--endpoint", server.url, "--metrics", "passed,score")
        assert toolgauge(*words, cwd=folder).returncode == 0
    names = {one["name"] for request in server.received for one in request.json["data"]}
    assert names == {"toolgauge.passed", "toolgauge.score"}
    done = toolgauge("export", "latest", "--to", "phoenix", "--metrics", "pased", cwd=folder)
    assert (done.returncode, "did you mean 'passed'" in done.stderr) == (2, True)


def test_what_does_not_arrive_waits_is_said_and_is_sent_later(folder: Path) -> None:
    key = "-".join(["px", "a", "secret", "key"])
    with Receiver([Replied(401, f"wrong: {key}".encode())]) as server:
        address = {"PHOENIX_COLLECTOR_ENDPOINT": server.url, "PHOENIX_API_KEY": key}
        failed = toolgauge("export", "latest", "--to", "phoenix", cwd=folder, **address)
        assert failed.returncode == 3
        assert "check the key" in failed.stderr
        assert "scores are waiting beside the store; send them with toolgauge export --retry" in failed.stderr
        (waiting,) = (folder / ".toolgauge" / "runs.db-exports").iterdir()
        assert key not in failed.stdout + failed.stderr + waiting.read_text(encoding="utf-8")
        done = toolgauge("export", "--retry", "--format", "json", cwd=folder, **address)
    assert done.returncode == 0, done.stderr
    (delivery,) = json.loads(done.stdout)["deliveries"]
    assert delivery["delivered"] == len(server.received[0].json["data"])
    assert not list((folder / ".toolgauge" / "runs.db-exports").iterdir())
    assert toolgauge("export", "--retry", cwd=folder).stdout == "Nothing is waiting to be sent.\n"


def test_what_waits_goes_to_where_it_was_to_go_though_nobody_says_so_again(folder: Path) -> None:
    with Receiver([Replied(401)]) as server:
        address = {"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": f"{server.url}/custom"}
        assert toolgauge("export", "latest", "--to", "otel", cwd=folder, **address).returncode == 3
        again = toolgauge("export", "--retry", cwd=folder)
    assert again.returncode == 0, again.stderr
    assert [request.path for request in server.received] == ["/custom", "/custom"]


def test_a_run_without_traces_has_nothing_to_send(folder: Path) -> None:
    toolgauge("score", "demo/suite.yaml", "demo/traces.jsonl", "--save", "bare", cwd=folder)
    with Receiver() as server:
        done = toolgauge("export", "bare", "--to", "phoenix", "--endpoint", server.url, cwd=folder)
    assert done.returncode == 5
    assert "none of 8 trajectories has a trace id" in done.stderr
    assert not server.received


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["latest"], "say where to with --to"),
        (["--to", "otel"], "name a run to export"),
        (["latest", "--retry"], "leave RUN out"),
        (["latest", "--to", "parquet"], "name it with -o"),
        (["latest", "--to", "langfuse"], "LANGFUSE_PUBLIC_KEY"),
        (["latest", "--to", "otel", "--to", "phoenix", "--endpoint", "http://h"], "the address of one system"),
        (["latest", "--to", "mlflow", "--endpoint", "databricks"], "is not an address to export to"),
        (["nothing", "--to", "otel"], "nothing"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_sent(folder: Path, words: list[str], said: str) -> None:
    done = toolgauge("export", *words, cwd=folder)
    assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (2, True, False), done.stderr


@pytest.mark.deep
def test_a_table_of_all_trajectories_is_written(folder: Path) -> None:
    from pyarrow import parquet

    done = toolgauge("export", "latest", "--to", "parquet", "-o", "out.parquet", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert parquet.read_table(folder / "out.parquet").num_rows == 8
    assert toolgauge("export", "latest", "--to", "parquet", "-o", ".toolgauge/runs.db", cwd=folder).returncode == 2


def test_failures_become_cases_to_review_and_no_question_is_asked_twice(folder: Path) -> None:
    done = toolgauge("cases", "add", "latest", "--failed", "--to", "new.yaml", cwd=folder)
    assert (done.returncode, done.stdout.split()) == (0, ["forecast_hue", "compare_two_cities", "no_tool_needed"])
    assert "new cases to review in new.yaml: 3;" in done.stderr
    linted = toolgauge("lint", "new.yaml", cwd=folder)
    assert "reviewed" in linted.stdout
    again = toolgauge("cases", "add", "latest", "forecast_hue", "now_hanoi", "--to", "new.yaml", cwd=folder)
    assert (again.returncode, again.stdout) == (0, "now_hanoi\n")
    assert "new.yaml already asks the same: 1" in again.stderr
    assert [case.reviewed for case in load_suite(folder / "new.yaml").cases] == [False] * 4


def test_cases_are_made_of_run_files_and_of_one_agent(folder: Path) -> None:
    assert toolgauge("runs", "export", "one", "-o", "run.jsonl", cwd=folder).returncode == 0
    shutil.rmtree(folder / ".toolgauge")
    words = ("cases", "add", "run.jsonl", "--failed", "--agent")
    assert toolgauge(*words, "careful", "--to", "new.yaml", cwd=folder).returncode == 5
    assert toolgauge(*words, "hasty", "--to", "new.yaml", cwd=folder).returncode == 0
    unknown = toolgauge(*words, "hastily", "--to", "new.yaml", cwd=folder)
    assert (unknown.returncode, "did you mean 'hasty'" in unknown.stderr) == (2, True)


def test_cases_that_are_not_there_are_refused(folder: Path) -> None:
    done = toolgauge("cases", "add", "latest", "forecast_huế", "--to", "new.yaml", cwd=folder)
    assert (done.returncode, "did you mean 'forecast_hue'" in done.stderr) == (2, True)
    assert toolgauge("cases", "add", "latest", "--to", "new.yaml", cwd=folder).returncode == 2
    assert not (folder / "new.yaml").exists()
