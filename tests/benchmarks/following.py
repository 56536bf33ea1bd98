"""An agent that does exactly what a case expects, to show that every case can be passed."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from toolgauge.benchmarks import Benchmark
from toolgauge.core import Call, Case, JsonValue, Plan, Trajectory
from toolgauge.locale import write_number
from toolgauge.tools import Box

REGEXES = {"(?i)^h[aà] ?n[oộ]i": "Hanoi", "(?i)^(da ?nang|đà nẵng)": "Da Nang", "(?i)^(da ?lat|đà lạt)": "Dalat"}


def example(rule: Any, name: str) -> JsonValue:
    """A value that fits a rule; of a span of days its inner end."""
    if not isinstance(rule, dict):
        return cast(JsonValue, rule)
    ((kind, inner),) = rule.items()
    if kind == "$one_of":
        return example(inner[0], name)
    if kind == "$range":
        return cast(JsonValue, inner[0 if name in ("end_date", "days") else 1])
    if kind == "$regex":
        return REGEXES.get(inner) or inner.removeprefix("(?i)^").strip("()").split("|")[0].replace(" ?", "").title()
    return "cold" if kind == "$any" else inner


BOXES: dict[str, Box] = {}
"""The tools of each suite, ready to be called."""


def follow(benchmark: Benchmark, case: Case, plan: Plan | None) -> Trajectory:
    """What an agent does that makes the required calls of a plan and gives the expected answer."""
    name = benchmark.suite.name
    if name not in BOXES:
        BOXES[name] = Box(benchmark.tools)
    calls = []
    for number, wanted in enumerate(plan.calls if plan else (), 1):
        if wanted.optional:
            continue
        args = {name: example(rule, name) for name, rule in wanted.args.items()}
        result = asyncio.run(BOXES[name].call(wanted.tool, args)).result
        calls.append(
            Call(tool=wanted.tool, args=args, id=f"c{number}", turn=number, result=result.value, error=result.error)
        )
    return Trajectory(case.id, "follower", calls=tuple(calls), output=written(case))


def written(case: Case) -> str:
    """The expected answer in a few words."""
    parts = list(case.expect.contains)
    answer = case.expect.answer or {}
    value = answer.get("value")
    language = case.locale or "en"
    if isinstance(value, bool):
        parts.insert(0, {"vi": ("Không.", "Có."), "en": ("No.", "Yes.")}[language][value])
    elif isinstance(value, (int, float)):
        parts.append(f"{write_number(value, language)} {answer.get('unit', '')}".strip())
    elif isinstance(value, list):
        parts.append("\n".join(f"- {one}" for one in value))
    elif value is not None:
        parts.append(str(value))
    return "\n".join(parts) or "OK"
