"""The names of a suite in Unicode normal form C, so that they are found however a trace writes them.

Texts that are compared as texts, such as arguments and answers, are left as written.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from toolgauge.core import Case, Expect, ExpectedCall, JsonValue, Plan, Suite, ToolDefinition, nfc
from toolgauge.matchers import read_matcher

__all__ = ["normal_case", "normal_suite", "with_normal_tools"]


def normal_suite(suite: Suite) -> Suite:
    """The suite with the names of its cases, labels, tools and arguments in normal form."""
    return with_normal_tools(replace(suite, cases=tuple(map(normal_case, suite.cases))))


def with_normal_tools(suite: Suite) -> Suite:
    """The suite with its own name and those of its tools in normal form, where its cases are already."""
    return replace(suite, name=nfc(suite.name), tools=tuple(map(_tool, suite.tools)))


def normal_case(case: Case) -> Case:
    """The case with all its names in normal form."""
    labels = {nfc(key): nfc(value) for key, value in case.labels.items()}
    expect = _expect(case.expect)
    if expect is case.expect and labels == case.labels and nfc(case.id) == case.id:
        return case
    return replace(case, id=nfc(case.id), labels=labels, expect=expect)


def _expect(expect: Expect) -> Expect:
    calls = None if expect.calls is None else tuple(map(_call, expect.calls))
    plans = tuple(map(_plan, expect.any_of))
    neutral, forbid = _names(expect.neutral), _names(expect.forbid)
    if calls == expect.calls and plans == expect.any_of and (neutral, forbid) == (expect.neutral, expect.forbid):
        return expect
    return replace(expect, calls=calls, any_of=plans, neutral=neutral, forbid=forbid)


def _plan(plan: Plan) -> Plan:
    return replace(plan, calls=tuple(map(_call, plan.calls)))


def _call(call: ExpectedCall) -> ExpectedCall:
    # Most names are ASCII, which is soon looked through; only a matcher may hold more of them.
    names = "".join((call.tool, *call.args, *call.check, *call.forbid_args, *call.after, call.id or ""))
    if names.isascii() and not any(isinstance(rule, dict) for rule in (*call.args.values(), *call.check.values())):
        return call
    return replace(
        call,
        tool=nfc(call.tool),
        args=_rules(call.args),
        check=_rules(call.check),
        forbid_args=_names(call.forbid_args),
        id=None if call.id is None else nfc(call.id),
        after=_names(call.after),
    )


def _rules(rules: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {nfc(name): _rule(rule) for name, rule in rules.items()}


def _rule(rule: JsonValue) -> JsonValue:
    """A rule; of all that may stand in one, the names of tools."""
    found = read_matcher(rule)
    if found is None:
        return rule
    matcher, written = found
    if matcher.holds == "tools":
        return {matcher.name: _strings(written)}
    return {matcher.name: _rule(written)} if matcher.holds == "rules" else rule


def _strings(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [nfc(item) if isinstance(item, str) else item for item in value]
    return nfc(value) if isinstance(value, str) else value


def _tool(tool: ToolDefinition) -> ToolDefinition:
    schema = tool.parameters
    if schema is not None:
        schema = dict(schema)
        if isinstance(properties := schema.get("properties"), dict):
            schema["properties"] = {nfc(key): value for key, value in properties.items()}
        if isinstance(required := schema.get("required"), list):
            schema["required"] = _strings(required)
    return replace(tool, name=nfc(tool.name), parameters=schema)


def _names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(nfc, names))
