"""A run file that one command refuses is refused by all of them, in the same words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from toolgauge import api
from toolgauge.core import (
    Call,
    Case,
    Expect,
    ExpectedCall,
    JsonValue,
    Plan,
    Suite,
    ToolDefinition,
    Trajectory,
    Usage,
)
from toolgauge.errors import InputError, ToolgaugeError
from toolgauge.store import encode_header, encode_scored

SUITE = Suite(
    "s",
    (
        Case("a", "A?", expect=Expect((ExpectedCall("t", {"x": 1}), ExpectedCall("u")))),
        Case("b", "B?", expect=Expect(answer={"type": "number", "value": 3})),
        Case("c", "C?", expect=Expect(any_of=(Plan((ExpectedCall("t"),)), Plan(())))),
    ),
    (ToolDefinition("t"), ToolDefinition("u")),
)


def trajectories(agent: str) -> list[Trajectory]:
    calls = (Call("t", {"x": 2}, result=[1.5], duration_ms=3.0), Call("v", error="no", started_ms=1.0, turn=1))
    events: tuple[dict[str, JsonValue], ...] = ({"kind": "round", "number": 1},)
    return [
        Trajectory("a", agent, 1, calls=calls, output="yes", latency_ms=5.0, usage=Usage(1, 2, 3, 0.5), events=events),
        Trajectory("b", agent, 1, output="it is 4", meta={"x": {"y": None}}, input="B?"),
        Trajectory("c", agent, 1, "error", error="it broke"),
    ]


Record = dict[str, Any]


def whole() -> list[Record]:
    """A run file with two agents as its lines, decoded."""
    run = api.score(SUITE, [*trajectories("m"), *trajectories("n")])
    return [msgspec.json.decode(line) for line in (encode_header(run.header), *map(encode_scored, run.scored))]


def encoded(lines: list[Record]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


WHOLE = whole()
FIRST = 1
"""The line that is damaged: calls, a pair, issues, usage and events are all there."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damaged")
    (folder / "suite.json").write_bytes(msgspec.json.encode(SUITE))
    (folder / "whole.run.jsonl").write_bytes(encoded(WHOLE))
    return folder


def commands(folder: Path, file: Path) -> dict[str, list[str]]:
    """Every command that reads run files, with this one."""
    return {
        "report": [str(file)],
        "compare": [str(file)],
        "gate": [str(file)],
        "gate baseline": [str(folder / "whole.run.jsonl"), "--baseline", str(file)],
        "diagnose": [str(file)],
        "lint": [str(folder / "suite.json"), "--runs", str(file)],
        "runs": ["import", str(file), "--store", str(folder / "runs.db")],
    }


def refusal(name: str, arguments: list[str]) -> str | None:
    """The words in which a command refuses its input, with the exit code; None: it does not."""
    command = import_module(f"toolgauge.cli.{name.split()[0]}").command
    try:
        with command.make_context(name, list(arguments)) as context:
            command.invoke(context)
    except InputError as error:
        return f"{error.exit_code}: {error}"
    except ToolgaugeError as error:
        pytest.fail(f"{name} ends with {error}")
    return None


def refusals(folder: Path, data: bytes) -> str | None:
    """What all commands say to a file with these bytes."""
    file = folder / "damaged.run.jsonl"
    file.write_bytes(data)
    found = {name: refusal(name, arguments) for name, arguments in commands(folder, file).items()}
    # Two commands know a better hint for what is no run file at all.
    said = {text and text.replace(", or name the suite of traces with --suite", "") for text in found.values()}
    assert len(said) == 1, found
    return said.pop()


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of everything in a record; of what is listed, the first."""
    items: Any = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, item in items:
        yield (*path, key)
        yield from places(item, (*path, key))


WRONG: tuple[Any, ...] = (None, "x", -1, 1.5, [], {"x": 7})


@pytest.mark.parametrize("path", list(places(WHOLE[FIRST])), ids=lambda path: ".".join(map(str, path)))
def test_whatever_stands_in_place_of_a_value_all_commands_say_the_same(
    folder: Path, path: tuple[str | int, ...]
) -> None:
    refused = 0
    for wrong in WRONG:
        lines = deepcopy(WHOLE)
        holder: Any = lines[FIRST]
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = wrong
        refused += refusals(folder, encoded(lines)) is not None
    free = {"args", "result", "want", "got", "events", "output", "error"}
    assert refused or free.intersection(path)


@pytest.mark.parametrize("path", list(places(WHOLE[FIRST])), ids=lambda path: ".".join(map(str, path)))
def test_whatever_is_missing_all_commands_say_the_same(folder: Path, path: tuple[str | int, ...]) -> None:
    lines = deepcopy(WHOLE)
    holder: Any = lines[FIRST]
    for key in path[:-1]:
        holder = holder[key]
    del holder[path[-1]]
    said = refusals(folder, encoded(lines))
    assert said is None or said.strip()


def change(**values: Any) -> Callable[[list[Record]], None]:
    """Sets keys of the first score."""
    return lambda lines: lines[FIRST]["score"].update(values)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (change(plan=7), "the case has no plan 7"),
        (change(plan=-1), "expected 0 or more, found -1"),
        (change(agent="n"), "this is not the agent of the trajectory"),
        (change(case="b"), "this is not the case of the trajectory"),
        (change(trial=2), "this is not the trial of the trajectory"),
        (change(state="error"), "this is not the state of the trajectory"),
        (change(alignment=[{"expected": 2, "call": 0, "params": 1}]), "there is no expected call 2: there are 2"),
        (change(alignment=[{"expected": 0, "call": 2, "params": 1}]), "there is no call 2: there are 2"),
        (change(alignment=[{"expected": 0, "call": 0, "params": 1.1}]), "expected 1 or less, found 1.1"),
        (change(issues=[{"kind": "missing_call", "expected": 2}]), "there is no expected call 2: there are 2"),
        (change(issues=[{"kind": "missing_call", "call": 2}]), "there is no call 2: there are 2"),
        (change(issues=[{"kind": "unheard of"}]), "found 'unheard of', at score.issues[0].kind"),
        (change(counts=[0, 0, 0, 9]), "9 calls are counted, and there are 2"),
        (change(counts=[0, 0, 0, 2, 3]), "'failed_calls' is 3, of 2 calls"),
        (change(counts=[0, 0, 0, 2, 0, 0, -1]), "expected 0 or more, found -1"),
        (change(counts=["x"]), "expected a whole number, found the string 'x', at score.counts[0]"),
        (change(counts={}), "expected a list, found an object, at score.counts"),
        (change(score=1.1), "expected 1 or less, found 1.1"),
        (change(content=None), "'content' is missing, but other measures are there, at score"),
        (change(content=-0.5), "expected 0 or more, found -0.5"),
        (lambda lines: lines[FIRST].update(case="zzz"), "the suite of this run has no case 'zzz'"),
        (lambda lines: lines[FIRST].update(latency_ms=-1), "expected 0 or more, found -1"),
        (lambda lines: lines[FIRST].update(trial=-1), "expected 0 or more, found -1"),
        (lambda lines: lines[FIRST].update(usage={"requests": 10**16}), "or less, found"),
        (lambda lines: lines[FIRST].update(calls=[{"args": {}}]), "the key 'tool' is missing"),
        (
            lambda lines: lines[FIRST].update(calls=[{"tool": "t", "args": [1]}]),
            "expected an object, found a list, at calls[0].args",
        ),
        (lambda lines: lines.insert(2, lines[FIRST]), "agent 'm', case 'a', trial 1 already exists"),
        (lambda lines: lines.pop(), "the header announces 6 trajectories, but there are 5"),
        (lambda lines: lines[0].update(trajectories=5), "the header announces 5 trajectories, but there are 6"),
        (lambda lines: lines[0].update(scoring=99), "scored by version 99 of the rules"),
        (lambda lines: lines[0].update(agents=7), "the header: expected a list"),
        (lambda lines: lines[0].update(schema="x"), "this run file has the schema 'x'"),
        (lambda lines: lines[0].update(suite={"name": 1}), "the header: expected a string"),
        (lambda lines: lines.pop(0), "this is not a run file"),
        (lambda lines: lines.clear(), "this is not a run file"),
    ],
)
def test_a_line_that_contradicts_the_run_is_refused_by_all(
    folder: Path, damage: Callable[[list[Record]], object], words: str
) -> None:
    lines = deepcopy(WHOLE)
    damage(lines)
    said = refusals(folder, encoded(lines))
    assert said is not None
    assert said.startswith("2: ")
    assert words in said


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"yes"', b'"\xff"', "UTF-8"),
        (b'"yes"', b'"yes', "not valid JSON"),
        (b'"yes"', b'"yes","x":\xff', "UTF-8"),
        (b'{"x":2}', b'{"x":1e999}', "1e999 is not a number in JSON"),
        (b'{"x":2}', b'{"x":NaN}', "NaN is not a number in JSON"),
        (b'{"x":2}', b'{"x":' + b"[" * 250 + b"]" * 250 + b"}", "nested more than 200 deep"),
        (b'{"x":2}', b'{"x":' + b"[" * 9000 + b"]" * 9000 + b"}", "nested more than 200 deep"),
        (b'"yes"', b"yes", "not valid JSON"),
        (b'"agent":"m","trial":1,"calls"', b'"agent":"m","trial":1,"calls"\n', "not valid JSON"),
    ],
)
def test_text_that_is_no_record_is_refused_by_all(folder: Path, old: bytes, new: bytes, words: str) -> None:
    data = encoded(WHOLE)
    assert old in data
    said = refusals(folder, data.replace(old, new, 1))
    assert said is not None
    assert words in said


def test_a_file_that_is_cut_anywhere_is_refused_by_all(folder: Path) -> None:
    data = encoded(WHOLE)
    for length in range(0, len(data) - 1, 97):
        assert refusals(folder, data[:length]) is not None


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(encoded(WHOLE), id="as it was written"),
        pytest.param(encoded(WHOLE).replace(b"\n", b"\r\n"), id="other ends of lines"),
        pytest.param(encoded(WHOLE).replace(b"\n", b"\n\n"), id="blank lines"),
        pytest.param(b"\xef\xbb\xbf" + encoded(WHOLE), id="a byte order mark"),
        pytest.param(encoded(WHOLE).replace(b'"yes"', b'"\\ud800"', 1), id="half of a surrogate pair"),
        pytest.param(encoded(WHOLE).replace(b'"yes"', b'"yes","more":[1]', 1), id="a key of a later version"),
    ],
)
def test_what_is_only_unusual_is_refused_by_none(folder: Path, data: bytes) -> None:
    assert refusals(folder, data) is None


def test_all_faults_of_a_file_are_named_at_once(folder: Path) -> None:
    lines = deepcopy(WHOLE)
    lines[1]["score"]["plan"] = 7
    lines[2]["score"]["score"] = 2
    lines[4]["case"] = "zzz"
    said = refusals(folder, encoded(lines))
    assert said is not None
    assert [line.split(":")[1] for line in said.removeprefix("2: ").splitlines()] == ["2", "3", "5"]
