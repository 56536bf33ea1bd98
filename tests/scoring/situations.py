"""Random cases, most of them plain, and trajectories that follow them more or less."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from tests.builders import case, expected
from toolgauge.core import (
    Annotations,
    Call,
    Case,
    CaseSettings,
    ExpectedCall,
    JsonValue,
    Settings,
    ToolDefinition,
    Trajectory,
    Weights,
)

__all__ = [
    "DRAFT_4",
    "SETTINGS",
    "TOOLS",
    "plain_situation",
    "several",
    "situation",
]

VALUES: tuple[JsonValue, ...] = (0, 1, 1.0, 2, 2.5, True, False, None, "1", "é", "e\u0301", [1], {"a": 1})

SCALARS = tuple(value for value in VALUES if not isinstance(value, (list, dict)))
"""What the compiled part compares by itself."""

WANTED: tuple[JsonValue, ...] = (*VALUES, {"$one_of": [1, "é"]}, {"$any": True}, {"$default": 2}, {"$absent": True})

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
"""Here the whole number 1.0 is no integer."""

TOOLS = (
    ToolDefinition("a", "", {"$schema": DRAFT_4, "type": "object", "properties": {"x": {"type": "integer"}}}),
    ToolDefinition("b", "", {"type": "object", "properties": {"y": {"type": ["string", "integer"]}}}),
    ToolDefinition("c", "", {"type": "object", "required": ["x"], "additionalProperties": False}),
    ToolDefinition("d", annotations=Annotations(read_only=False)),
    ToolDefinition("e", annotations=Annotations(destructive=True)),
)

SETTINGS = (
    Settings(),
    Settings(Weights(0.1, 0.2, 0.3, 0.4), 0.5),
    Settings(passing="score"),
    Settings(fail_on=("duplicate_call", "schema_error"), ignore=("wrong_arg",), failed="ignore"),
)

CASE_SETTINGS = (
    None,
    None,
    None,
    CaseSettings(passing="score"),
    CaseSettings(threshold=0.2, ignore=("missing_arg",)),
)


def arguments(dice: Random, values: tuple[JsonValue, ...]) -> dict[str, JsonValue]:
    """Up to three arguments."""
    return {name: dice.choice(values) for name in dice.sample("xyz", dice.randint(0, 3))}


def wish(dice: Random) -> ExpectedCall:
    """An expected call, most often of literals only."""
    args = arguments(dice, VALUES if dice.random() < 0.8 else WANTED)
    if dice.random() < 0.1:
        return expected(dice.choice("abcd"), args, check={"v": 1}, forbid_args=("w",), times=dice.choice([None, 0, 2]))
    return expected(dice.choice("abcd"), args, times=dice.choice([None] * 8 + [0, 2]))


def made(dice: Random, wanted: ExpectedCall) -> Call:
    """A call that is like an expected one, or not quite."""
    args = {name: value for name, value in wanted.args.items() if not isinstance(value, dict) or dice.random() < 0.5}
    if dice.random() < 0.4:
        args.update(arguments(dice, VALUES))
    if dice.random() < 0.1:
        args.update({dice.choice("vw"): dice.choice(VALUES)})
    tool = wanted.tool if dice.random() < 0.9 else dice.choice("abcde")
    return Call(tool, args if dice.random() < 0.95 else None, error="boom" if dice.random() < 0.03 else None)


def situation(dice: Random) -> tuple[Case, Trajectory]:
    """A case that is plain as a rule, and a trajectory that follows it more or less."""
    wanted = [wish(dice) for _ in range(dice.randint(1, 5))]
    calls = [made(dice, one) for one in wanted if dice.random() < 0.8]
    calls += [made(dice, dice.choice(wanted)) for _ in range(dice.choice([0, 0, 0, 1, 2]))]
    calls += [call for call in calls if dice.random() < 0.1]
    if dice.random() < 0.3:
        dice.shuffle(calls)
    return replace(case(wanted), settings=dice.choice(CASE_SETTINGS)), Trajectory(
        "c1", "agent", 1, calls=tuple(calls), output="done"
    )


def plain_situation(dice: Random) -> tuple[Case, Trajectory]:
    """A plain case, and a trajectory that follows it more or less."""
    wanted = [expected(dice.choice("abcd"), arguments(dice, SCALARS)) for _ in range(dice.randint(1, 6))]
    calls = [made(dice, one) for one in wanted if dice.random() < 0.8]
    calls += [made(dice, dice.choice(wanted)) for _ in range(dice.choice([0, 0, 0, 1, 2]))]
    if dice.random() < 0.3:
        dice.shuffle(calls)
    return replace(case(wanted), settings=dice.choice(CASE_SETTINGS)), Trajectory(
        "c1", "agent", 1, calls=tuple(calls), output="done"
    )


def several(seed: int, count: int = 40) -> tuple[list[Case], list[Trajectory]]:
    """Cases with a trajectory each that follows it more or less, and some that follow another."""
    dice = Random(seed)
    cases, trajectories = [], []
    for number in range(count):
        one, trajectory = plain_situation(dice) if dice.random() < 0.8 else situation(dice)
        cases.append(replace(one, id=f"c{number}"))
        which = f"c{number if dice.random() < 0.9 else dice.randrange(number + 1)}"
        trajectories.append(replace(trajectory, case=which))
    return cases, trajectories
