"""A suite and recorded traces of any size, the same for the same seed.

Cases expect one to five calls out of twenty tools, with one to four arguments each. Of the expected calls a fifth is
dropped and a tenth made with a wrong argument, and for a fifth of them another call is made as well.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from toolgauge.core import Call, Case, Expect, ExpectedCall, JsonValue, Suite, ToolDefinition, Trajectory

__all__ = ["CASES", "make_suite", "make_trajectories", "write_data", "write_plain_data"]

CASES = 2_000
AGENTS = ("react", "rewoo", "reflexion", "plan")
DROPPED, EXTRA, WRONG = 0.2, 0.2, 0.1
WORDS = ("Hanoi", "Hue", "Dalat", "weather", "stock", "report", "price", "ticket", "flight", "hotel", "river", "market")

ARGUMENTS: dict[str, JsonValue] = {
    "query": {"type": "string"},
    "limit": {"type": "integer"},
    "rate": {"type": "number"},
    "exact": {"type": "boolean"},
}
SCHEMA: dict[str, JsonValue] = {"type": "object", "properties": ARGUMENTS}
TOOLS = tuple(ToolDefinition(f"tool_{number:02d}", "One of twenty tools.", SCHEMA) for number in range(20))


def make_suite(dice: random.Random, cases: int = CASES) -> Suite:
    """The suite."""
    return Suite("benchmark", tuple(_case(dice, number) for number in range(cases)), TOOLS)


def _case(dice: random.Random, number: int) -> Case:
    calls = tuple(ExpectedCall(*_call(dice)) for _ in range(dice.randint(1, 5)))
    labels = {"difficulty": dice.choice(["easy", "medium", "hard"])}
    return Case(f"case_{number:05d}", f"Question {number}: {_text(dice)}?", labels, expect=Expect(calls))


def _call(dice: random.Random) -> tuple[str, dict[str, JsonValue]]:
    names = dice.sample(list(ARGUMENTS), dice.randint(1, 4))
    return dice.choice(TOOLS).name, {name: _value(dice, name) for name in names}


def _value(dice: random.Random, name: str) -> JsonValue:
    if name == "query":
        return _text(dice)
    if name == "limit":
        return dice.randint(1, 1000)
    return round(dice.uniform(0, 100), 2) if name == "rate" else dice.random() < 0.5


def _text(dice: random.Random) -> str:
    return " ".join(dice.choices(WORDS, k=dice.randint(1, 4)))


def make_trajectories(dice: random.Random, suite: Suite, count: int) -> Iterator[Trajectory]:
    """What four agents did, in as many trials of every case as it takes."""
    for number in range(count):
        trial, position = divmod(number, len(suite.cases) * len(AGENTS))
        agent, index = divmod(position, len(suite.cases))
        case = suite.cases[index]
        calls = tuple(_made(dice, case))
        yield Trajectory(
            case.id, AGENTS[agent], trial + 1, "completed", calls, _text(dice), None, dice.uniform(100, 5000)
        )


def make_trials(dice: random.Random, suite: Suite, count: int) -> Iterator[Trajectory]:
    """What one agent did, in as many trials of every case as it takes."""
    for number in range(count):
        trial, index = divmod(number, len(suite.cases))
        case = suite.cases[index]
        yield Trajectory(case.id, "agent", trial + 1, "completed", tuple(_made(dice, case)), _text(dice))


def _made(dice: random.Random, case: Case) -> Iterator[Call]:
    for wanted in case.expect.calls or ():
        if dice.random() >= DROPPED:
            yield Call(wanted.tool, _spoilt(dice, wanted.args) if dice.random() < WRONG else wanted.args)
        if dice.random() < EXTRA:
            yield Call(*_call(dice))


def _spoilt(dice: random.Random, args: dict[str, JsonValue]) -> dict[str, JsonValue]:
    name = dice.choice(list(args))
    value = args[name]
    return {**args, name: not value if isinstance(value, bool) else f"{value} not"}


def write_plain_data(folder: Path, count: int) -> tuple[Path, Path]:
    """Write a suite without tool definitions and this many trajectories of one agent, and return where they are."""
    dice = random.Random(5)
    suite = Suite("benchmark", make_suite(dice).cases)
    return _write(folder, "plain", suite, make_trials(dice, suite, count), count)


def write_data(folder: Path, count: int) -> tuple[Path, Path]:
    """The same with tool definitions, and with four agents whose answers took some time."""
    dice = random.Random(20260131)
    suite = make_suite(dice)
    return _write(folder, "schemas", suite, make_trajectories(dice, suite, count), count)


def _write(folder: Path, name: str, suite: Suite, trajectories: Iterable[Trajectory], count: int) -> tuple[Path, Path]:
    suite_path, traces_path = folder / f"suite-{name}.json", folder / f"traces-{name}-{count}.jsonl"
    suite_path.write_bytes(msgspec.json.encode(suite))
    encoder = msgspec.json.Encoder()
    with open(traces_path, "wb") as stream:
        for trajectory in trajectories:
            stream.write(encoder.encode(trajectory))
            stream.write(b"\n")
    return suite_path, traces_path
