"""The table of trajectories: its columns as the page describes them, and its values as they are in the run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from toolgauge.core import Case, Measured, Review, Reviews, RunHeader, Scored, Suite, Usage
from toolgauge.exports import write_parquet
from toolgauge.exports.parquet import COLUMNS, ROWS

from .receiving import TRACE, seen

PAGE = Path(__file__).parents[2] / "docs" / "export.md"


HEADER = RunHeader(
    toolgauge="1",
    created="2026-01-01T00:00:00Z",
    suite=Suite("weather", (Case("now", labels={"difficulty": "easy"}), Case("later"))),
)


def test_every_column_is_described_in_its_order() -> None:
    section = PAGE.read_text(encoding="utf-8").partition("## A table")[2].partition("\n## ")[0]
    named = [name for row in re.findall(r"^\| (`.*?) \|", section, re.M) for name in re.findall(r"`(\w+)`", row)]
    assert named == list(COLUMNS)


@pytest.mark.deep
def test_a_row_says_what_the_run_says(tmp_path: Path) -> None:
    from pyarrow import parquet

    one = seen(city="Hue")
    done = replace(one.trajectory, usage=Usage(input_tokens=7), latency_ms=12.5, output="half \ud800 a pair")
    told = replace(one.score, by_scorer={"tone": Measured(0.5)})
    reviews = Reviews([Review("now", "right", by="An")])
    bare = seen("later", trace=None, agent="half \ud800")
    assert write_parquet(str(tmp_path / "t.parquet"), HEADER, [Scored(done, told), bare], reviews) == 2
    table = parquet.read_table(tmp_path / "t.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.schema.metadata[b"suite"] == b"weather"
    first, second = table.to_pylist()
    assert (first["case"], first["trace_id"], first["session_id"]) == ("now", TRACE, "s1")
    assert first["started_at"].isoformat() == "2025-10-09T08:53:20.123000+00:00"
    assert (first["passed"], first["issues"], first["failing_issues"]) == (False, ["wrong_arg"], ["wrong_arg"])
    assert (first["score"], first["tools"], first["calls"]) == (one.score.score, ["get_weather"], 1)
    assert (first["input_tokens"], first["output_tokens"], first["latency_ms"]) == (7, None, 12.5)
    assert (first["review"], first["reviewed_by"]) == ("right", "An")
    assert (first["labels"], first["scorers"]) == ([("difficulty", "easy")], [("tone", 0.5)])
    assert first["output"] == "half \\ud800 a pair"
    assert (second["trace_id"], second["review"], second["passed"]) == (None, None, True)
    assert second["agent"] == "half \\ud800"


@pytest.mark.deep
def test_many_rows_are_written_in_groups(tmp_path: Path) -> None:
    from pyarrow import parquet

    one = seen()
    assert write_parquet(str(tmp_path / "t.parquet"), HEADER, [one] * (ROWS + 1)) == ROWS + 1
    assert parquet.ParquetFile(tmp_path / "t.parquet").metadata.num_row_groups == 2
