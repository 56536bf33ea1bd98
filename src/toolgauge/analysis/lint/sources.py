"""Values that have to come from an earlier result, where no expected call can give that result before."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import Case, Finding, JsonValue, Plan, Severity
from toolgauge.files import Path

from .walk import plans_of, rules_of, sources_in

__all__ = ["sources_too_late"]


def sources_too_late(case: Case) -> Iterator[Finding]:
    """Rules `$from` whose tools are expected only later, or neither expected nor allowed."""
    for path, plan in plans_of(case):
        later = _later(plan, strict=(plan.order or case.expect.order) == "strict")
        for index, call in enumerate(plan.calls):
            for place, name, rule in rules_of(call, (*path, "calls", index)):
                tools = sources_in(rule)
                severity = _severity(case, plan, index, tools, later[index]) if tools else None
                if severity is not None:
                    certain = severity == "error" and call.least and "args" in place
                    values: dict[str, JsonValue] = {"tool": call.tool, "argument": name, "sources": list(tools)}
                    yield Finding("no_earlier_source", "error" if certain else "warning", case.id, place, values)


def _severity(case: Case, plan: Plan, index: int, tools: tuple[str, ...], later: Path) -> Severity | None:
    """How bad it is that no source comes before a call; None: one can."""
    expect = case.expect
    if expect.extra == "allow" or any(tool in expect.neutral for tool in tools):
        return None
    sources = [other for other, call in enumerate(plan.calls) if call.tool in tools and call.most != 0]
    # A call that is made several times can take its value from the time before.
    if any(other not in later if other != index else plan.calls[index].most != 1 for other in sources):
        return None
    if expect.extra == "forbid" or all(tool in expect.forbid for tool in tools):
        return "error"
    return "warning" if sources else None


def _later(plan: Plan, *, strict: bool) -> list[tuple[int, ...]]:
    """For each call the positions of those that come behind it in every order that is right."""
    count = len(plan.calls)
    if strict:
        return [tuple(range(index + 1, count)) for index in range(count)]
    positions = {call.id: index for index, call in enumerate(plan.calls) if call.id is not None}
    before = [{positions[name] for name in call.after if name in positions} for call in plan.calls]
    for _ in range(count):
        grown = [known.union(*(before[other] for other in known)) for known in before]
        if grown == before:
            break
        before = grown
    return [tuple(other for other in range(count) if index in before[other]) for index in range(count)]
