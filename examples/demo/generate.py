"""Makes the synthetic traces of the demo: four agents with known habits, from a seeded random generator.

    python examples/demo/generate.py

No agent and no model is run. The habits below are made up so that the report has something to tell apart.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import msgspec

from toolgauge import Call, Case, Trajectory, load_suite
from toolgauge.core import JsonValue, Usage

HERE = Path(__file__).parent
SEED = 20250430


@dataclass(frozen=True)
class Habits:
    """How often a synthetic agent goes wrong."""

    agent: str
    skips: float
    """Leaves an expected call out."""
    strays: float
    """Makes a call that nobody asked for."""
    slips: float
    """Gives an argument a wrong value."""
    repeats: float
    """Makes the same call once more."""
    fails: float
    """Has a call fail first, and tries again."""
    gives_up: float
    """Ends with an error."""
    pace_ms: float


AGENTS = (
    Habits("react", skips=0.22, strays=0.08, slips=0.10, repeats=0.08, fails=0.06, gives_up=0.02, pace_ms=700),
    Habits("rewoo", skips=0.18, strays=0.03, slips=0.16, repeats=0.00, fails=0.05, gives_up=0.06, pace_ms=450),
    Habits("reflexion", skips=0.10, strays=0.10, slips=0.06, repeats=0.20, fails=0.05, gives_up=0.01, pace_ms=1500),
    Habits("multi", skips=0.03, strays=0.40, slips=0.05, repeats=0.12, fails=0.02, gives_up=0.01, pace_ms=2100),
)

SYMBOLS = ("FPT", "HPG", "MBB", "SSI", "VCB", "VIC", "VNM")


def main() -> None:
    """Write the traces beside this file."""
    suite = load_suite(HERE / "suite.yaml")
    tools = [tool.name for tool in suite.tools]
    lines = []
    for habits in AGENTS:
        chance = random.Random(f"{SEED}/{habits.agent}")
        lines += [msgspec.json.encode(imagine(case, habits, tools, chance)) for case in suite.cases]
    (HERE / "traces.jsonl").write_bytes(b"\n".join(lines) + b"\n")


def imagine(case: Case, habits: Habits, tools: list[str], chance: random.Random) -> Trajectory:
    """What an agent of these habits might do on a case."""
    if chance.random() < habits.gives_up:
        return Trajectory(
            case.id, habits.agent, 1, error="step limit reached", latency_ms=round(habits.pace_ms * 6, 1), meta=LABEL
        )
    plan = chance.choice(case.expect.plans)
    calls: list[Call] = []
    for expected in plan.calls:
        if chance.random() < (0.7 if expected.optional else habits.skips):
            continue
        call = Call(expected.tool, {name: value(rule, habits, chance) for name, rule in expected.args.items()})
        if chance.random() < habits.fails:
            calls.append(Call(call.tool, call.args, error="the service did not answer"))
        calls.append(call)
        if chance.random() < habits.repeats:
            calls.append(call)
    if chance.random() < habits.strays:
        calls.append(Call(chance.choice(tools), {"query": case.input}))
    calls = [
        msgspec.structs.replace(call, id=f"c{number}", turn=number, result=None if call.error else "…")
        for number, call in enumerate(calls, 1)
    ]
    said = " ".join(text for text in case.expect.contains if chance.random() > habits.slips)
    turns = len(calls) + 1
    return Trajectory(
        case.id,
        habits.agent,
        1,
        calls=tuple(calls),
        output=f"(câu trả lời tổng hợp) {said}".strip(),
        latency_ms=round(habits.pace_ms * turns * chance.uniform(0.7, 1.6), 1),
        usage=Usage(turns, 380 * turns + chance.randrange(200), 45 * turns + chance.randrange(60)),
        meta=LABEL,
    )


LABEL: dict[str, JsonValue] = {"synthetic": True}


def value(rule: JsonValue, habits: Habits, chance: random.Random) -> JsonValue:
    """A value for an argument: as asked for, or by a slip another."""
    if isinstance(rule, dict):
        return "từ khóa" if "$any" in rule else rule["$one_of"][0]  # type: ignore[index]  # a list
    return chance.choice(SYMBOLS) if chance.random() < habits.slips else rule


if __name__ == "__main__":
    main()
