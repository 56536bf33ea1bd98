"""Small questions of our own in the layout of the leaderboard."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from toolgauge.core import Call, JsonValue, Suite, Trajectory
from toolgauge.scoring import Scorer
from toolgauge.suites import load_bfcl_suite

__all__ = ["function", "passes", "question", "suite_of", "write_lines"]


def function(name: str, required: Iterable[str] = (), **properties: JsonValue) -> dict[str, JsonValue]:
    """A function; a property is a type, or a type with that of its items after a space."""
    declared: dict[str, JsonValue] = {}
    for key, kind in properties.items():
        outer, _, inner = str(kind).partition(" ")
        declared[key] = {"type": outer, "items": {"type": inner}} if inner else {"type": outer}
    parameters: JsonValue = {"type": "dict", "properties": declared, "required": list(required)}
    return {"name": name, "description": f"Does {name}.", "parameters": parameters}


def question(name: str, functions: Iterable[JsonValue], truth: JsonValue = None) -> dict[str, JsonValue]:
    line: dict[str, JsonValue] = {
        "id": name,
        "question": [[{"role": "system", "content": "Be brief."}, {"role": "user", "content": f"What of {name}?"}]],
        "function": list(functions),
    }
    return line if truth is None else {**line, "ground_truth": truth}


def write_lines(path: Path, *lines: Mapping[str, JsonValue]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def suite_of(folder: Path, *lines: Mapping[str, JsonValue]) -> Suite:
    return load_bfcl_suite(write_lines(folder / "questions.jsonl", *lines))


def passes(suite: Suite, *calls: tuple[str, dict[str, JsonValue]]) -> bool:
    """Whether these calls pass the first case of a suite."""
    made = tuple(Call(tool, args) for tool, args in calls)
    return Scorer(suite).score(Trajectory(suite.cases[0].id, "a", 1, calls=made)).passed
