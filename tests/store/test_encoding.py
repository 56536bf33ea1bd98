"""Headers that repeat a suite: it is decoded once, and a header is refused whether or not its suite is known."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from toolgauge import api
from toolgauge.core import Case, Expect, ExpectedCall, JsonValue, RunHeader, Scored, Suite, Trajectory
from toolgauge.errors import InputError
from toolgauge.store import RunFile, Suites, encode_header, encode_scored, find_run, open_store

CASES = tuple(Case(f"c{number}", expect=Expect((ExpectedCall("t", {"x": "[{"}),))) for number in range(4))
SUITE = Suite("s", CASES)


def header(suite: Suite = SUITE, *, agent: str = "m") -> RunHeader:
    about: dict[str, JsonValue] = {"suite": {"name": agent}, "settings": {"n": 1}}
    return RunHeader(toolgauge="0", created="2026-01-31T10:00:00+00:00", agents=(agent,), about=about, suite=suite)


def line(suite: Suite = SUITE, *, agent: str = "m") -> bytes:
    return encode_header(header(suite, agent=agent)).strip()


def test_a_suite_that_is_the_same_to_the_byte_is_decoded_once() -> None:
    suites = Suites()
    first, second, third = (suites.read_header(line(agent=agent)) for agent in "abc")
    assert (first, second, third) == tuple(header(agent=agent) for agent in "abc")
    assert first is not None
    assert second is not None
    assert second.suite is first.suite


@pytest.mark.parametrize("other", [Suite("s", CASES[:3]), Suite("t", CASES), Suite("s", CASES[::-1]), Suite("s", ())])
def test_another_suite_is_another_suite(other: Suite) -> None:
    suites = Suites()
    for suite in (SUITE, other, SUITE, other, other):
        assert suites.read_header(line(suite)) == header(suite)


def refusal(path: Path, suites: Suites | None) -> str:
    with pytest.raises(InputError) as caught:
        RunFile(path, suites)
    return str(caught.value)


SUITE_JSON = msgspec.json.encode(SUITE)
START = b'{"schema":"toolgauge.run/1","toolgauge":"0","created":"2026"'


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(START + b',"x":' + SUITE_JSON + b"}", id="under another key"),
        pytest.param(START + b',"suite":null,"x":' + SUITE_JSON + b"}", id="another key comes after none"),
        pytest.param(START + b',"suite":null,"x\\"suite":' + SUITE_JSON + b"}", id="a key that ends alike"),
        pytest.param(START + b',"x":{"suite":' + SUITE_JSON + b"}}", id="one level down"),
        pytest.param(START + b',"suite":' + SUITE_JSON + b"]", id="not closed as it was opened"),
        pytest.param(START + b',"suite":' + SUITE_JSON, id="cut"),
        pytest.param(START + b',"scoring":99,"suite":' + SUITE_JSON + b"}", id="scored by later rules"),
        pytest.param(START + b',"agents":7,"suite":' + SUITE_JSON + b"}", id="wrong in another key"),
        pytest.param(START + b',"x":' + b"[" * 300 + b"]" * 300 + b',"suite":' + SUITE_JSON + b"}", id="deep"),
        pytest.param(START.replace(b"run/1", b"run/2") + b',"suite":' + SUITE_JSON + b"}", id="another schema"),
        pytest.param(b'{"toolgauge":"0","created":"2026","suite":' + SUITE_JSON + b"}", id="no schema"),
        pytest.param(SUITE_JSON, id="nothing but the suite"),
        pytest.param(START + b',"about":"\xff","suite":' + SUITE_JSON + b"}", id="not UTF-8"),
        pytest.param(START + b',"suite":{"name":"s","cases":[{"id":1}]}}', id="a broken suite"),
    ],
)
def test_what_is_refused_is_refused_in_the_same_words_where_its_suite_is_known(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_bytes(data + b"\n")
    suites = Suites()
    assert suites.read_header(line()) == header()
    assert refusal(path, suites) == refusal(path, None)


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf", b"\n\n", b"  \r\n", b"\r"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("padding", [0, 200_000])
def test_the_lines_below_a_header_are_found_however_lines_end(
    before: bytes, end: bytes, padding: int, tmp_path: Path
) -> None:
    suite = Suite("s" * (padding + 1), CASES)
    run = api.score(suite, [Trajectory(case.id, "m", 1) for case in CASES])
    lines = [encode_header(run.header), *map(encode_scored, run.scored)]
    path = tmp_path / "r"
    path.write_bytes(before + b"".join(one.rstrip() + end for one in lines))
    file = RunFile(path)
    assert file.header == run.header
    assert [(told.case, score.passed) for told, score in file.pairs()] == [(case.id, False) for case in CASES]


def test_a_header_without_lines_below_it_has_none(tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(line())
    assert list(RunFile(tmp_path / "r").pairs()) == []


def test_runs_of_a_store_and_files_share_a_suite(tmp_path: Path, store_address: str) -> None:
    run = api.score(SUITE, [Trajectory(case.id, "m", 1) for case in CASES])
    (tmp_path / "r").write_bytes(encode_header(run.header) + b"".join(map(encode_scored, run.scored)))
    with open_store(store_address) as store:
        for name in ("one", "two"):
            store.keep(run.header, run.scored, name=name)
    suites = Suites()
    opened = [find_run(name, store_address, suites) for name in ("one", "two")]
    opened.append(find_run(tmp_path / "r", None, suites))
    assert {id(one.header.suite) for one in opened} == {id(opened[0].header.suite)}
    assert opened[0].header == opened[1].header == run.header


def test_a_line_has_the_score_that_was_given_and_not_the_one_that_it_was_read_with(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    made = api.score(SUITE, [Trajectory("c0", "m", 1, output="x")])
    api.write_run(made, str(path))
    for item in find_run(path):
        assert encode_scored(item) in path.read_bytes()
        changed = Scored(item.trajectory, msgspec.structs.replace(item.score, passed=not item.score.passed))
        assert msgspec.json.decode(encode_scored(changed))["score"]["passed"] is not item.score.passed
