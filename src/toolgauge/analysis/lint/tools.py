"""Expected calls against the tools of the suite and the schemas of their arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolgauge.core import ANY_OTHER, Case, ExpectedCall, Finding, JsonValue, Suite
from toolgauge.files import Path
from toolgauge.matchers import fitting, read_matcher

from .schemas import ToolSchema, impossible
from .walk import calls_of, closest, is_to_be_absent, rules_of, sources_in

__all__ = ["case_tools", "invalid_schemas", "schemas_of", "unused_tools"]


def schemas_of(suite: Suite) -> dict[str, ToolSchema]:
    """The schema of every tool, by the tool's name."""
    return {tool.name: ToolSchema(tool) for tool in suite.tools}


def invalid_schemas(suite: Suite, schemas: Mapping[str, ToolSchema]) -> Iterator[Finding]:
    """Tools whose schema is none."""
    for index, tool in enumerate(suite.tools):
        fault = schemas[tool.name].fault
        if fault is not None:
            values: dict[str, JsonValue] = {"tool": tool.name, "reason": fault}
            yield Finding("invalid_schema", "error", path=("tools", index), values=values)


def unused_tools(suite: Suite) -> Iterator[Finding]:
    """Tools that no plan of any case expects."""
    if not any(case.expect.plans for case in suite.cases):
        return
    expected = {call.tool for case in suite.cases for _, call in calls_of(case)}
    for index, tool in enumerate(suite.tools):
        if tool.name not in expected:
            yield Finding("unused_tool", "hint", path=("tools", index), values={"tool": tool.name})


def case_tools(case: Case, schemas: Mapping[str, ToolSchema]) -> Iterator[Finding]:
    """Everything in which a case does not fit the tools; nothing where the suite defines none."""
    if not schemas:
        return
    for path, call in calls_of(case):
        if call.tool not in schemas:
            yield _unknown_tool(case, (*path, "tool"), call.tool, schemas)
        else:
            yield from _arguments(case, path, call, schemas[call.tool])
        yield from _sources(case, path, call, schemas)
    yield from _similar_tools(case, schemas)


def _unknown_tool(case: Case, path: Path, tool: str, schemas: Mapping[str, ToolSchema]) -> Finding:
    values: dict[str, JsonValue] = {"tool": tool, "near": closest(tool, list(schemas))}
    return Finding("unknown_tool", "error", case.id, path, values)


def _sources(case: Case, path: Path, call: ExpectedCall, schemas: Mapping[str, ToolSchema]) -> Iterator[Finding]:
    """Tools whose results a rule refers to, and that are not there."""
    for place, _, rule in rules_of(call, path):
        for tool in sources_in(rule):
            if tool not in schemas:
                yield _unknown_tool(case, (*place, *_name(rule)), tool, schemas)


def _name(rule: JsonValue) -> Path:
    """The step from a rule to what is written in it."""
    found = read_matcher(rule)
    return () if found is None else (found[0].name,)


def _similar_tools(case: Case, schemas: Mapping[str, ToolSchema]) -> Iterator[Finding]:
    """Neutral or forbidden tools that are not there, with a name close to one that is.

    A name of its own is no fault here: one may forbid what an agent could make up.
    """
    for key, names in (("neutral", case.expect.neutral), ("forbid", case.expect.forbid)):
        for index, tool in enumerate(names):
            near = None if tool in schemas else closest(tool, list(schemas))
            if near is not None:
                values: dict[str, JsonValue] = {"tool": tool, "near": near}
                yield Finding("similar_tool", "warning", case.id, ("expect", key, index), values)


def _arguments(case: Case, path: Path, call: ExpectedCall, schema: ToolSchema) -> Iterator[Finding]:
    if schema.fault is not None:
        return
    for place, name, rule in rules_of(call, path):
        listed = schema.argument(name)
        if is_to_be_absent(rule):
            continue
        if listed is not None:
            yield from _impossible_values(case, place, call.tool, name, rule, schema)
        elif schema.lists_all or schema.refuses_others:
            yield _unknown_argument(case, place, name, schema)
    yield from _required_but_forbidden(case, path, call, schema)


def _unknown_argument(case: Case, place: Path, name: str, schema: ToolSchema) -> Finding:
    certain = schema.refuses_others and schema.lists_all and "args" in place
    values: dict[str, JsonValue] = {"tool": schema.name, "argument": name, "near": closest(name, schema.names)}
    return Finding("unknown_arg", "error" if certain else "warning", case.id, place, values)


def _impossible_values(
    case: Case, place: Path, tool: str, name: str, rule: JsonValue, schema: ToolSchema
) -> Iterator[Finding]:
    """A rule that no valid value can fit; or, of several options, those that are never valid."""
    listed = schema.argument(name)
    if listed is None:
        return
    values: dict[str, JsonValue] = {"tool": tool, "argument": name, "value": rule, "allowed": listed.summary()}
    if impossible(rule, listed, case.locale):
        yield Finding("impossible_value", "error", case.id, place, values)
    else:
        for index, option in enumerate(fitting(rule).options or ()):
            if impossible(option, listed, case.locale):
                here = (*place, *_name(rule), index)
                yield Finding("impossible_value", "warning", case.id, here, {**values, "value": option})


def _required_but_forbidden(case: Case, path: Path, call: ExpectedCall, schema: ToolSchema) -> Iterator[Finding]:
    """Arguments that every valid call has, and that the case does not want."""
    named = {*call.args, *call.check}
    for name in schema.required:
        place: Path | None = None
        for key, rules in (("args", call.args), ("check", call.check)):
            if is_to_be_absent(rules.get(name)):
                place = (*path, key, name)
        if name in call.forbid_args:
            place = (*path, "forbid_args", call.forbid_args.index(name))
        elif ANY_OTHER in call.forbid_args and name not in named:
            place = (*path, "forbid_args", call.forbid_args.index(ANY_OTHER))
        if place is not None:
            values: dict[str, JsonValue] = {"tool": call.tool, "argument": name}
            yield Finding("required_arg_forbidden", "error", case.id, place, values)
