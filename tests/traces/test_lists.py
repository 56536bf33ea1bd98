"""Trajectories that are read and joined several at once are the same as those that come one by one."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest

from toolgauge.core import Case, Suite, Trajectory
from toolgauge.errors import InputError
from toolgauge.files import MOST_DEPTH
from toolgauge.traces import ImportReport, Join, ReadOptions, read_in_lists, read_traces
from toolgauge.traces.native import _may_hold_deep

LINES = 3000


def record(dice: Random, number: int) -> dict[str, Any]:
    """A line as recorders write them: most alike, some with more in them."""
    line: dict[str, Any] = {"case": f"c{number % 40}", "agent": "a", "calls": [{"tool": "f", "args": {"n": number}}]}
    if dice.random() < 0.02:
        line["calls"][0]["error"] = dice.choice(["", "boom"])
    if dice.random() < 0.02:
        line["agent"] = dice.choice(["e\u0301", "b"])
    if dice.random() < 0.02:
        line["output"] = "x" * 20_000
    if dice.random() < 0.02:
        line["surprise"] = number
    return line


def written(path: Path, *records: str) -> Path:
    path.write_text("\n".join(records) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dice = Random(3)
    lines = [json.dumps(record(dice, number), ensure_ascii=dice.random() < 0.5) for number in range(LINES)]
    return written(tmp_path_factory.mktemp("lists") / "traces.jsonl", *lines)


def test_lists_hold_what_comes_one_by_one(traces: Path) -> None:
    alone, together = ImportReport(), ImportReport()
    lists = list(read_in_lists(traces, ReadOptions(report=together)))
    assert list(chain.from_iterable(lists)) == list(read_traces(traces, ReadOptions(report=alone)))
    assert together == alone
    assert together.read == LINES
    assert len(lists) < LINES / 10


def test_what_is_not_native_jsonl_comes_one_by_one(tmp_path: Path) -> None:
    path = written(tmp_path / "traces.csv", "case,calls", 'a,"[]"', 'b,"[]"')
    assert [len(several) for several in read_in_lists(path)] == [1, 1]


def test_trajectories_are_joined_the_same_however_many_come_at_once(traces: Path) -> None:
    suite = Suite("s", tuple(Case(f"c{number}") for number in range(35)))
    found = list(read_traces(traces))
    report = ImportReport()
    alone = list(Join(suite, report)(found, agent=None, fallback="x"))
    assert report.unmatched > 0
    for size in (1, 7, 500):
        again = ImportReport()
        lists = [found[start : start + size] for start in range(0, len(found), size)]
        joined = Join(suite, again).in_lists(lists, agent=None, fallback="x")
        assert list(chain.from_iterable(joined)) == alone
        assert again == report


def nested(dice: Random, depth: int) -> str:
    """Lists and objects in each other, as short as they can be written or not."""
    opening, closing = "", ""
    objects = dice.choice([0.0, 0.5, 0.97, 1.0])
    for _ in range(depth):
        key = dice.choice(["", "", "a", "key"])
        begin, end = (f'{{"{key}":', "}") if dice.random() < objects else ("[", "]")
        opening, closing = opening + begin, end + closing
    return f"{opening}0{closing}"


def test_a_line_that_is_nested_too_deep_is_never_overlooked() -> None:
    dice = Random(5)
    for _ in range(300):
        lines = [b'{"case":"a","calls":[]}'] * dice.randint(0, 80)
        lines.insert(dice.randint(0, len(lines)), nested(dice, MOST_DEPTH + dice.choice([1, 2, 50])).encode())
        assert _may_hold_deep(lines, b"\n".join(lines))


def test_lines_that_are_long_and_flat_are_not_taken_for_deep_ones() -> None:
    line = json.dumps({"case": "a", "calls": [{"tool": "t", "args": {"x": "y" * 2000}}]}).encode()
    assert not _may_hold_deep([line] * 50, b"\n".join([line] * 50))


@pytest.mark.parametrize("deeper", [0, 1])
def test_a_deep_line_among_many_is_refused_at_its_place(deeper: int, tmp_path: Path) -> None:
    inner = nested(Random(1), MOST_DEPTH - 4 + deeper)
    deep = f'{{"case":"a","calls":[{{"tool":"t","args":{{"x":{inner}}}}}]}}'
    path = written(tmp_path / "t.jsonl", *['{"case":"a","calls":[]}'] * 1500, deep, *['{"case":"a","calls":[]}'] * 50)

    def read() -> list[Trajectory]:
        return list(chain.from_iterable(read_in_lists(path)))

    if not deeper:
        assert len(read()) == 1551
        return
    with pytest.raises(InputError, match=rf"t\.jsonl:1501:\d+: .*nested more than {MOST_DEPTH} deep"):
        read()
