"""Plans with evidence variables: reading them, the order of their steps, and putting evidence in place of variables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from toolgauge.core import JsonValue, ToolDefinition, ToolResult
from toolgauge.files import BadJson, decode_json

from .asking import read_object

__all__ = ["PlanStep", "filled", "read_plan", "waves"]

VARIABLE = re.compile(r"#E(?P<number>[0-9]+)(?P<path>(?:\.\w+|\[[0-9]+\])*)")
STEP = re.compile(r"#E(?P<number>[0-9]+)\s*=\s*(?P<tool>[\w.\-]+)\s*[(\[]")
"""How a line begins that is a step; its arguments go on to the bracket that ends the line."""
MAX_WRITTEN = 20_000
"""Further than this a plan in lines is not read."""

PLACE = re.compile(r"\.(\w+)|\[([0-9]+)\]")

LONGEST_NUMBER = 9
"""No list has an item whose number has more digits."""


class PlanStep(Struct, frozen=True):
    """A step of a plan: a call whose result is known by the id of the step."""

    id: str
    tool: str
    args: dict[str, JsonValue] = {}
    thought: str = ""

    @property
    def needs(self) -> frozenset[str]:
        """The ids of the steps whose results it wants."""
        return frozenset(_mark(found["number"]) for found in VARIABLE.finditer(json.dumps(self.args)))


class _Step(Struct):
    """A step as a model may write it: some want the arguments in a text, and some leave out the id."""

    tool: str
    args: dict[str, JsonValue] | str | None = None
    id: str | int = ""
    thought: str | None = None


class _Plan(Struct):
    steps: list[_Step]


def read_plan(text: str, tools: Sequence[ToolDefinition], most: int) -> tuple[list[PlanStep], str]:
    """The steps of a plan, and why it cannot be used; nothing where it can.

    A plan is a JSON object, or lines such as `#E1 = tool({"argument": "#E2"})`.
    """
    read = read_object(text, _Plan)
    steps = list(_lines(text)) if isinstance(read, str) else [_step(one, n) for n, one in enumerate(read.steps, 1)]
    if isinstance(read, str) and not steps:
        return [], f"the plan cannot be read: {read}"
    return [step for step in steps if step is not None], _problem(steps, tools, most)


def _step(written: _Step, number: int) -> PlanStep | None:
    """A step as it is meant; None: its arguments are no JSON object."""
    args: JsonValue = written.args or {}
    if isinstance(args, str):
        try:
            args = decode_json(args.encode("utf-8", "backslashreplace"))
        except BadJson:
            return None
    if not isinstance(args, dict):
        return None
    figure = re.search(r"[0-9]+", str(written.id))
    return PlanStep(_mark(figure[0] if figure else str(number)), written.tool, args, written.thought or "")


def _lines(text: str) -> Iterator[PlanStep | None]:
    for number, line in enumerate(text[:MAX_WRITTEN].splitlines(), 1):
        found, line = STEP.search(line), line.rstrip()
        if found and line.endswith((")", "]")):
            yield _step(_Step(found["tool"], line[found.end() : -1].strip() or "{}", found["number"]), number)


def _mark(number: str) -> str:
    """The id of a step; a number may be longer than Python cares to convert."""
    return f"#E{number.lstrip('0') or '0'}"


def _problem(steps: Sequence[PlanStep | None], tools: Sequence[ToolDefinition], most: int) -> str:
    """What makes a plan useless."""
    read = [step for step in steps if step is not None]
    if len(read) < len(steps):
        return "the arguments of a step are not a JSON object"
    if len(read) > most:
        return f"the plan has {len(read)} steps; at most {most} are allowed"
    known = {tool.name for tool in tools}
    ids = [step.id for step in read]
    for step in read:
        if step.tool not in known:
            return f"step {step.id} names the tool {step.tool!r}, which does not exist"
        if ids.count(step.id) > 1:
            return f"two steps are called {step.id}"
        if missing := sorted(step.needs - set(ids)):
            return f"step {step.id} needs {', '.join(missing)}, which no step provides"
    if read and sum(map(len, waves(read))) < len(read):
        return "some steps need each other's results, so none can come first"
    return ""


def waves(steps: Sequence[PlanStep]) -> list[list[PlanStep]]:
    """The steps in the order of what they need: those of one wave do not need each other. Circles are left out."""
    ordered: list[list[PlanStep]] = []
    done: set[str] = set()
    left = list(steps)
    while wave := [step for step in left if step.needs <= done]:
        ordered.append(wave)
        done.update(step.id for step in wave)
        left = [step for step in left if step not in wave]
    return ordered


def filled(
    step: PlanStep, evidence: Mapping[str, ToolResult], tools: Sequence[ToolDefinition]
) -> tuple[dict[str, JsonValue], list[str]]:
    """The arguments of a step with evidence in place of variables, and the variables for which there is none."""
    missing: list[str] = []
    parameters = next((tool.parameters for tool in tools if tool.name == step.tool), None) or {}
    properties = parameters.get("properties")
    known = properties if isinstance(properties, dict) else {}

    def put(value: JsonValue, wanted: JsonValue) -> JsonValue:
        if isinstance(value, dict):
            return {key: put(one, None) for key, one in value.items()}
        if isinstance(value, list):
            return [put(one, None) for one in value]
        if not isinstance(value, str):
            return value
        if whole := VARIABLE.fullmatch(value.strip()):
            return _typed(look_up(whole), wanted)
        return VARIABLE.sub(lambda match: _text(look_up(match)), value)

    def look_up(match: re.Match[str]) -> JsonValue:
        result = evidence.get(_mark(match["number"]))
        found = result is not None and result.error is None
        value = _at(result.value, match["path"]) if result is not None and found else _NOTHING
        if value is _NOTHING:
            missing.append(match.group())
            return None
        return value  # type: ignore[return-value]  # JSON, where it is something

    return {key: put(value, known.get(key)) for key, value in step.args.items()}, missing


_NOTHING = object()


def _at(value: JsonValue, path: str) -> object:
    """What stands at a path; a name that is not there is looked for inside, so that lists need no number."""
    found: object = value
    for name, index in PLACE.findall(path):
        if name and isinstance(found, dict) and name in found:
            found = found[name]
        elif (number := index or name).isdecimal() and isinstance(found, list):
            known = len(number) <= LONGEST_NUMBER and int(number) < len(found)
            found = found[int(number)] if known else _NOTHING
        else:
            found = next(_named(found, name), _NOTHING)
    return found


def _named(value: object, name: str) -> Iterator[object]:
    """Everything that goes by a name, in the order in which it is written."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            if name in one:
                yield one[name]
            left.extend(reversed(one.values()))
        elif isinstance(one, list):
            left.extend(reversed(one))


def _typed(value: JsonValue, wanted: JsonValue) -> JsonValue:
    """A result as the argument it becomes: a text, where the schema wants one."""
    kind = wanted.get("type") if isinstance(wanted, dict) else None
    if kind == "array" and not isinstance(value, list):
        return [value]
    return _text(value) if kind == "string" and value is not None else value


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
