"""Scoring in several processes gives what one process gives."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from toolgauge import api
from toolgauge.cli.sources import trace_source

from .running import toolgauge

CASES = 40


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("jobs")
    cases = [
        {"id": f"c{n}", "labels": {"difficulty": "ab"[n % 2]}, "expect": {"calls": [{"tool": "f", "args": {"n": n}}]}}
        for n in range(CASES)
    ]
    (folder / "suite.json").write_text(json.dumps({"name": "large", "cases": cases}), encoding="utf-8")
    return folder


def lines(trials: int, *, numbered: bool = True) -> list[str]:
    dice = random.Random(7)
    made = []
    for trial in range(1, trials + 1):
        for n in range(CASES):
            calls = [
                {"tool": dice.choice("ffg"), "args": {"n": n + (dice.random() < 0.2)}}
                for _ in range(dice.randint(0, 3))
            ]
            line = {
                "case": f"c{n}",
                "agent": "m",
                "calls": calls,
                "output": "x" * 800,
                "latency_ms": dice.random() * 100,
            }
            made.append(json.dumps({**line, "trial": trial} if numbered else line))
    return made


def outcome(place: Path, *options: str) -> tuple[int, Any, str, list[str]]:
    done = toolgauge(
        "score", "suite.json", "traces.jsonl", "--format", "json", "--run-file", "run.jsonl", *options, cwd=place
    )
    run = place / "run.jsonl"
    kept = run.read_text(encoding="utf-8").splitlines()[1:] if run.exists() else []
    run.unlink(missing_ok=True)
    return done.returncode, json.loads(done.stdout or "null"), done.stderr, kept


@pytest.mark.parametrize("numbered", [True, False], ids=["numbered", "numbered by their order"])
def test_two_processes_find_what_one_finds(place: Path, numbered: bool) -> None:
    (place / "traces.jsonl").write_text("\n".join(lines(80, numbered=numbered)) + "\n", encoding="utf-8")
    assert (place / "traces.jsonl").stat().st_size > 2 * 1024 * 1024
    alone = outcome(place)
    together = outcome(place, "--jobs", "2")
    assert alone == together
    assert alone[0] == 0
    assert len(alone[3]) == 80 * CASES


def test_a_bad_line_is_named_as_one_process_names_it(place: Path) -> None:
    bad = lines(80)
    bad[3000] = '{"case": "c1", "calls": [}'
    (place / "traces.jsonl").write_text("\n".join(bad) + "\n", encoding="utf-8")
    alone = outcome(place)
    assert alone == outcome(place, "--jobs", "2")
    assert alone[0] == 2
    assert "traces.jsonl:3001:" in alone[2]


def test_cases_that_were_not_run_are_missing_for_several_processes_too(place: Path) -> None:
    kept = [line for line in lines(85) if '"case": "c7"' not in line]
    (place / "traces.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
    alone = outcome(place)
    assert alone == outcome(place, "--jobs", "3")
    assert alone[0] == 3
    assert alone[1]["counts"]["not_run"] == 1


def test_a_run_file_beside_the_report_is_drawn_the_same(place: Path) -> None:
    (place / "traces.jsonl").write_text("\n".join(lines(2)) + "\n", encoding="utf-8")
    scored = toolgauge("score", "suite.json", "traces.jsonl", "--run-file", "kept.jsonl", cwd=place)
    assert scored.stdout == toolgauge("report", "kept.jsonl", cwd=place).stdout
    refused = toolgauge("score", "suite.json", "traces.jsonl", "--run-file", "suite.json", cwd=place)
    assert refused.returncode == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--jobs", "many"], "'many' is neither a number of processes nor ray"),
        (["--ray-address", "127.0.0.1:1"], "--ray-address is for --jobs ray; add it"),
        (["--shard", "1/2"], "--shard writes a part; name its file with -o"),
        (["--shard", "3/2", "-o", "x.part"], "--shard 3/2: write K/N, the K-th of N parts"),
        (["--shard", "1/2", "-o", "x.part", "--format", "md"], "--format is for toolgauge merge"),
        (["--shard", "1/2", "-o", "x.part", "--failures"], "--failures is for toolgauge merge"),
        (["--shard", "1/2", "-o", "x.part", "--parts", "p"], "--shard writes one part, and --parts a folder of them"),
        (["--keep", "none"], "--keep says what a part contains; add --shard"),
    ],
)
def test_options_that_do_not_go_together_are_refused(place: Path, options: list[str], said: str) -> None:
    (place / "traces.jsonl").write_text("\n".join(lines(1)) + "\n", encoding="utf-8")
    done = toolgauge("score", "suite.json", "traces.jsonl", *options, cwd=place)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (place / "x.part").exists()


def test_folders_with_equals_signs_are_no_names_of_agents(place: Path) -> None:
    (place / "logs" / "day=1").mkdir(parents=True)
    (place / "logs" / "day=1" / "x.jsonl").write_text("\n".join(lines(1)) + "\n", encoding="utf-8")
    for named, agent in (
        ("logs/day=1/x.jsonl", "m"),
        ("logs/day=*/*.jsonl", "m"),
        ("logs/day=1", "m"),
        ("me=logs/day=1/x.jsonl", "me"),
        ("me=logs/day=*/*.jsonl", "me"),
    ):
        done = toolgauge("score", "suite.json", named, "--format", "json", cwd=place)
        assert {row["agent"] for row in json.loads(done.stdout)["rows"]} == {agent}, named


def test_addresses_with_equals_signs_are_no_names_of_agents() -> None:
    assert trace_source("s3://bucket/day=1/x.jsonl") == api.Source("s3://bucket/day=1/x.jsonl")
    assert trace_source("me=s3://bucket/day=1/*.jsonl") == api.Source("s3://bucket/day=1/*.jsonl", "me")
