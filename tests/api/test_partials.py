"""Parts that were made apart come to the bytes that one process comes to, and parts that do not fit are refused."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from tests.files.test_opening import SUITE
from toolgauge import api
from toolgauge.api import partials
from toolgauge.api.pieces import ScorePieces, plan_pieces
from toolgauge.api.sharing import SourceChunk
from toolgauge.core import Run, Suite
from toolgauge.errors import InputError, ToolgaugeError, UsageError
from toolgauge.report import RunDocument, render
from toolgauge.store import Spool
from toolgauge.traces import ReadOptions, find_sources

CREATED = re.compile(rb'"created":"[^"]*"')


def native(path: Path) -> str:
    """Lines of two agents that mostly leave open which trial they are."""
    dice = Random(5)
    with path.open("w", encoding="utf-8") as stream:
        for number in range(900):
            record: dict[str, Any] = {
                "case": dice.choice("ab"),
                "agent": dice.choice("pq"),
                "output": "x" * dice.randint(0, 300),
            }
            record["calls"] = [{"tool": "w", "args": {"c": dice.choice("ab")}}]
            record["latency_ms"] = dice.random() * 1000
            stream.write(json.dumps(record | ({"trial": number % 7} if number % 5 == 0 else {})) + "\n")
    return str(path)


def chat(path: Path) -> str:
    """A folder of conversations, which leave all of it open."""
    dice = Random(6)
    path.mkdir()
    for number in range(4):
        with (path / f"{number}.jsonl").open("w", encoding="utf-8") as stream:
            for _ in range(30):
                arguments = json.dumps({"c": dice.choice("ab")})
                call = {"id": "1", "type": "function", "function": {"name": "w", "arguments": arguments}}
                messages = [
                    {"role": "user", "content": f"Weather in {dice.choice('ab')}?"},
                    {"role": "assistant", "content": None, "tool_calls": [call]},
                    {"role": "tool", "tool_call_id": "1", "content": "31"},
                    {"role": "assistant", "content": "31"},
                ]
                stream.write(json.dumps({"messages": messages}) + "\n")
    return str(path)


def otlp(path: Path) -> str:
    """A folder of exported spans."""
    path.mkdir()
    for number in range(3):
        with (path / f"{number}.jsonl").open("w", encoding="utf-8") as stream:
            for trace in range(20):
                stream.write(json.dumps(_spans(f"{number:016x}{trace:016x}", "ab"[(number + trace) % 2])) + "\n")
    return str(path)


def _spans(trace: str, case: str) -> dict[str, object]:
    def attributes(**values: str) -> list[dict[str, object]]:
        return [{"key": key.replace("__", "."), "value": {"stringValue": value}} for key, value in values.items()]

    asked = json.dumps([{"role": "user", "parts": [{"type": "text", "content": f"Weather in {case}?"}]}])
    root = {"traceId": trace, "spanId": "1" * 16, "name": "invoke_agent x", "startTimeUnixNano": "1"}
    root["endTimeUnixNano"] = "9000000"
    tool = {"traceId": trace, "spanId": "2" * 16, "parentSpanId": "1" * 16, "name": "execute_tool w"}
    tool |= {"startTimeUnixNano": "2", "endTimeUnixNano": "3000000"}
    found: dict[str, object] = {
        **root,
        "attributes": attributes(gen_ai__operation__name="invoke_agent", gen_ai__input__messages=asked),
    }
    called: dict[str, object] = {
        **tool,
        "attributes": attributes(
            gen_ai__operation__name="execute_tool", gen_ai__tool__name="w", gen_ai__tool__call__arguments='{"c": "a"}'
        ),
    }
    return {"resourceSpans": [{"scopeSpans": [{"spans": [found, called]}]}]}


def parquet(path: Path) -> str:
    import pyarrow
    from pyarrow import parquet as library

    native(path.with_suffix(".jsonl"))
    rows = [json.loads(line) for line in path.with_suffix(".jsonl").read_bytes().splitlines()]
    flat = [{"trial": None, **row, "calls": json.dumps(row["calls"])} for row in rows]
    library.write_table(pyarrow.Table.from_pylist(flat), path, row_group_size=100)
    return str(path)


INPUTS = [
    ("native.jsonl", native),
    ("chat", chat),
    ("otlp", otlp),
    pytest.param("table.parquet", parquet, marks=pytest.mark.deep),
]


def result(run: Run, report: api.ImportReport) -> tuple[bytes, str, list[str]]:
    """The run file, the report and the notes."""
    written = CREATED.sub(b"", b"".join(api.encode_run(run)))
    return written, "".join(render(RunDocument(run, full=True), "md", lang="en")), report.lines()


def scored(traces: str, **options: Any) -> tuple[bytes, str, list[str]]:
    report = api.ImportReport()
    with Spool() as spool:
        return result(api.score(SUITE, traces, sink=spool, report=report, **options), report)


def merged(paths: Sequence[Path]) -> tuple[bytes, str, list[str]]:
    report = api.ImportReport()
    with Spool() as spool:
        return result(api.merge_parts(paths, spool=spool, report=report), report)


def part(path: Path, traces: str, shard: str, **options: Any) -> Path:
    wanted = api.parse_shard(shard)
    chosen = api.ScoreOptions(**options)
    path.write_bytes(b"".join(api.score_shard(SUITE, traces, wanted, options=chosen)))
    return path


@pytest.mark.parametrize(("name", "make"), INPUTS)
def test_parts_merged_in_any_order_are_the_whole(name: str, make: Callable[[Path], str], tmp_path: Path) -> None:
    traces = make(tmp_path / name)
    whole = scored(traces)
    parts = [part(tmp_path / f"{number}.part", traces, f"{number}/3") for number in (1, 2, 3)]
    for order in permutations(parts):
        assert merged(order) == whole
    assert merged([part(tmp_path / "only.part", traces, "1/1")]) == whole
    for jobs in (2, 8):
        assert part(tmp_path / "again.part", traces, "2/3", jobs=jobs).read_bytes() == parts[1].read_bytes()
        assert scored(traces, jobs=jobs) == whole


@pytest.mark.parametrize("keep", ["failed", "none"])
def test_parts_may_hold_less(keep: str, tmp_path: Path) -> None:
    traces = chat(tmp_path / "chat")
    parts = [part(tmp_path / f"{number}.part", traces, f"{number}/2", keep=keep) for number in (1, 2)]
    assert merged(parts)[:2] == scored(traces, keep=keep)[:2]


def test_the_input_is_divided_among_the_parts(tmp_path: Path) -> None:
    sources, _ = find_sources(SUITE, native(tmp_path / "native.jsonl"))
    assert len(plan_pieces(sources, 3, ReadOptions())) > 3


def test_a_part_with_a_fault_says_where_in_the_file_it_is(tmp_path: Path) -> None:
    traces = Path(native(tmp_path / "native.jsonl"))
    lines = traces.read_bytes().splitlines(keepends=True)
    traces.write_bytes(b"".join([*lines[:800], b'{"case": 1}\n', *lines[800:]]))
    with pytest.raises(InputError, match=r"native.jsonl:801:"):
        part(tmp_path / "x.part", str(traces), "3/3")
    assert not (tmp_path / "x.part").exists()


def test_parts_that_do_not_belong_together_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traces, other = chat(tmp_path / "chat"), native(tmp_path / "native.jsonl")
    one, two = (part(tmp_path / f"{number}.part", traces, f"{number}/2") for number in (1, 2))
    with pytest.raises(UsageError, match="part 1 of 2 is given twice"):
        merged([one, one, two])
    with pytest.raises(UsageError, match="of 2 parts, these are missing: 2; make them"):
        merged([one])
    with pytest.raises(UsageError, match="this part is of other input"):
        merged([one, part(tmp_path / "x.part", other, "2/2")])
    with pytest.raises(UsageError, match="scored with other options"):
        merged([one, part(tmp_path / "x.part", traces, "2/2", keep="none")])
    suite = msgspec.structs.replace(SUITE, name="another")
    blocks = api.score_shard(suite, traces, api.Shard(2, 2), options=api.ScoreOptions())
    (tmp_path / "x.part").write_bytes(b"".join(blocks))
    with pytest.raises(UsageError, match="this part is of another suite"):
        merged([one, tmp_path / "x.part"])
    monkeypatch.chdir(tmp_path)
    for number, name in ((1, "suite.yaml"), (2, "other.yaml")):
        Path(name).write_text("".join(api.write_suite(SUITE)), encoding="utf-8")
        blocks = api.score_shard(name, traces, api.Shard(number, 2), options=api.ScoreOptions())
        (tmp_path / f"{number}.part").write_bytes(b"".join(blocks))
    with pytest.raises(UsageError, match="the suite of this part was at another path than that of"):
        merged([tmp_path / "1.part", tmp_path / "2.part"])


def test_parts_of_another_version_cut_off_or_none_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = part(tmp_path / "1.part", chat(tmp_path / "chat"), "1/1")
    data = path.read_bytes()
    for spoilt in (data[:-1], data[:-500], data[:900] + b"x" + data[901:]):
        path.write_bytes(spoilt)
        with pytest.raises(InputError, match="this part of a run is cut off or damaged"):
            merged([path])
    path.write_bytes(b"something else")
    with pytest.raises(InputError, match="this is not a part of a run"):
        merged([path])
    path.write_bytes(data)
    monkeypatch.setattr(partials, "VERSION", "9.9")
    with pytest.raises(InputError, match=r"this part was made by toolgauge .*, and this is 9.9"):
        merged([path])


def test_a_question_of_several_cases_cannot_be_divided(tmp_path: Path) -> None:
    traces = chat(tmp_path / "chat")
    twice = Suite("s", (*SUITE.cases, msgspec.structs.replace(SUITE.cases[0], id="c")))
    with pytest.raises(ToolgaugeError, match="several cases ask the same question"):
        b"".join(api.score_shard(twice, traces, api.Shard(1, 2), options=api.ScoreOptions()))
    with Spool() as spool, Spool() as other:
        one = api.score(twice, traces, sink=spool)
        assert api.score(twice, traces, sink=other, jobs=3).summary == one.summary


@pytest.mark.parametrize("packed", [False, True])
def test_parts_of_an_input_that_has_changed_are_made_again(packed: bool, tmp_path: Path) -> None:
    traces, folder = tmp_path / "native.jsonl", tmp_path / "parts"
    native(traces)

    def again() -> tuple[bytes, str, list[str]]:
        data = traces.read_bytes()
        named = tmp_path / "x.jsonl.gz" if packed else traces
        if packed:
            named.write_bytes(gzip.compress(data))
        found = scored(str(named), parts=folder)
        assert found == scored(str(named))
        return found

    before = again()
    known = sorted(folder.glob("*.part"))
    traces.write_bytes(traces.read_bytes().replace(b'"tool": "', b'"tool": "y').replace(b'"tool":"', b'"tool":"y'))
    assert again() != before
    with pytest.raises(UsageError, match="this part is of other input"):
        merged(sorted({*folder.glob("*.part"), known[0]}))


def test_others_cannot_read_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = Path(native(tmp_path / "native.jsonl")).read_bytes()
    for more in ({"jobs": "ray"}, {"parts": tmp_path / "parts"}):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with pytest.raises(UsageError, match="only this process can read standard input"):
            scored("-", **more)
    for jobs in (1, 2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with Spool() as spool:
            run = api.score(SUITE, ["-", str(tmp_path / "native.jsonl")], sink=spool, jobs=jobs)
        assert run.summary.counts.planned == 1800


def test_parts_in_a_folder_are_gone_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = native(tmp_path / "native.jsonl")
    whole, folder = scored(traces), tmp_path / "parts"
    assert scored(traces, parts=folder, jobs=2) == whole
    written = sorted(folder.glob("*.part"))
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert {one["part"] for one in manifest["parts"]} == {path.name for path in written}
    assert merged(written) == whole
    written[0].unlink()
    written[1].write_bytes(written[1].read_bytes()[:-5])
    done = []
    made = ScorePieces.process

    def counted(work: ScorePieces, piece: SourceChunk) -> Any:
        done.append(piece)
        return made(work, piece)

    monkeypatch.setattr(ScorePieces, "process", counted)
    assert scored(traces, parts=folder) == whole
    assert len(done) == 2
