"""Proposing a suite from recorded trajectories: what was done becomes what is expected, for a person to review.

A case is proposed for every case id that the trajectories name, or else for every question. Of a trajectory count the
calls that worked, each once. A call that failed counts for nothing where its tool worked later on; else it stays, as
one that may be left out. Where several trajectories of a case differ, `merge` says what becomes of that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from toolgauge.core import Call, Case, ExpectedCall, Suite, ToolDefinition, Trajectory, identity, nfc
from toolgauge.errors import NothingToDo
from toolgauge.files import convert

from .definitions import WrittenTool, tool_definition
from .merge import Made, Plans, merge
from .rules import MOST_TIMES

__all__ = ["Proposal", "propose_suite"]

TOOL_KEYS = ("tools", "tool_definitions", "available_tools")
"""Where recorders keep the definitions of tools in the metadata of a trajectory."""


@dataclass(slots=True)
class Proposal:
    """A proposed suite, and what is to be known about it."""

    suite: Suite
    trajectories: int = 0
    """How many it was made of."""
    nameless: int = 0
    """How many name neither a case nor a question, and so were of no use."""
    incomplete: int = 0
    """Cases of which no trajectory completed, so that one that ended early had to do."""


@dataclass(slots=True)
class _Seen:
    """What is known of one case."""

    name: str
    input: str = ""
    completed: list[tuple[Made, ...]] = field(default_factory=list)
    others: list[tuple[Made, ...]] = field(default_factory=list)
    spare: Counter[str] = field(default_factory=Counter)
    """By tool the most calls of one trajectory beyond those that count, where they weigh so much that it would fail."""


def propose_suite(trajectories: Iterable[Trajectory], name: str) -> Proposal:
    """Propose a suite in which every trajectory that completed passes.

    Args:
        trajectories: What was recorded, of any number of agents and trials.
        name: The name of the suite.

    Raises:
        NothingToDo: No trajectory names a case or a question.
    """
    seen: dict[tuple[bool, str], _Seen] = {}
    tools: dict[str, ToolDefinition] = {}
    count = nameless = 0
    for trajectory in trajectories:
        count += 1
        case, question = nfc(trajectory.case.strip()), nfc((trajectory.input or "").strip())
        if not case and not question:
            nameless += 1
            continue
        known = seen.setdefault((bool(case), case or question), _Seen(case))
        known.input = known.input or question
        _take(known, trajectory)
        for tool in _defined(trajectory):
            tools.setdefault(tool.name, tool)
    if not seen:
        raise NothingToDo(f"none of {count} trajectories names a case or a question, so no suite can be made of them")
    joined = _joined(list(seen.values()))
    incomplete = sum(not known.completed and bool(known.others) for known in joined)
    return Proposal(Suite(name, tuple(_cases(joined)), tuple(tools.values())), count, nameless, incomplete)


def _take(known: _Seen, trajectory: Trajectory) -> None:
    if trajectory.state == "not_run":
        return
    made = tuple(_counting(trajectory.calls))
    if trajectory.state != "completed":
        known.others.append(made)
        return
    known.completed.append(made)
    # Calls beyond those that count cost precision, or fill places that are not theirs. Where they are more than the
    # others by far, the trajectory would fail for them, and they are made welcome.
    if 4 * len(trajectory.calls) > 9 * len(made):
        beyond = Counter(call.tool for call in trajectory.calls) - Counter(call.tool for call in made)
        known.spare |= beyond


def _counting(calls: Sequence[Call]) -> Iterable[Made]:
    """The calls that count, in their order."""
    worked_at = {call.tool: index for index, call in enumerate(calls) if call.error is None}
    seen: set[object] = set()
    for index, call in enumerate(calls):
        if call.error is not None and worked_at.get(call.tool, -1) > index:
            continue
        key = (call.tool, None if call.args is None else identity(call.args))
        if key not in seen and call.tool.strip():
            seen.add(key)
            yield Made(call.tool, call.args, failed=call.error is not None)


def _defined(trajectory: Trajectory) -> Iterable[ToolDefinition]:
    """The tools that a trajectory defines, if its recorder kept them."""
    for key in TOOL_KEYS:
        listed = trajectory.meta.get(key)
        for item in listed if isinstance(listed, list) else ():
            written = convert(item, WrittenTool) if isinstance(item, dict) else []
            if isinstance(written, WrittenTool):
                tool = tool_definition(written)
                if tool.name.strip() and tool.parameters is not None:
                    yield tool


def _joined(seen: list[_Seen]) -> list[_Seen]:
    """The cases, where one that is known by its question only is put to the one with that question and an id."""
    by_question: dict[str, list[_Seen]] = {}
    for known in seen:
        if known.name and known.input:
            by_question.setdefault(known.input, []).append(known)
    kept: list[_Seen] = []
    for known in seen:
        named = by_question.get(known.input, []) if not known.name else []
        if len(named) == 1:
            named[0].completed += known.completed
            named[0].others += known.others
            named[0].spare |= known.spare
        else:
            kept.append(known)
    return kept


def _cases(seen: list[_Seen]) -> Iterable[Case]:
    taken = {known.name for known in seen}
    width = len(str(len(seen)))
    for number, known in enumerate(seen, start=1):
        name = known.name
        if not name:
            name = f"q{number:0{width}}"
            while name in taken:
                name += "_"
            taken.add(name)
        plans = merge(known.completed or known.others)
        yield Case(name, known.input, expect=_with_spare(plans, known.spare).expect(), reviewed=False)


def _with_spare(plans: Plans, spare: Counter[str]) -> Plans:
    return plans if not spare else Plans(tuple((*plan, *_repeats(plan, spare)) for plan in plans.plans))


def _repeats(plan: Sequence[ExpectedCall], spare: Counter[str]) -> Iterable[ExpectedCall]:
    """Further calls of the tools of a plan that are welcome, whatever their arguments."""
    for tool in dict.fromkeys(call.tool for call in plan):
        if count := spare[tool]:
            yield ExpectedCall(tool, optional=True, times=min(count, MOST_TIMES) if count > 1 else None)
