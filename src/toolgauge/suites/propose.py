"""Proposing a suite from recorded trajectories: what was done becomes what is expected, for a person to review.

A case is proposed for every case id that the trajectories name, or else for every question. Of a trajectory count the
calls that worked, each once. A call that failed counts for nothing where its tool worked later on; else it stays, as
one that may be left out.

Trajectories that share no tool are different ways of solving a case, and become plans of their own. Of trajectories
that do share tools, calls that correspond become one expected call: required if all of them made it, optional if some
did. An argument that all gave is required, with every value that was seen, or with any where these are many; one that
some gave is checked where it is given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from toolgauge.core import (
    Call,
    Case,
    Expect,
    ExpectedCall,
    JsonValue,
    Plan,
    Suite,
    ToolDefinition,
    Trajectory,
    identity,
    nfc,
    same,
)
from toolgauge.errors import NothingToDo
from toolgauge.files import convert
from toolgauge.matchers import taken_literally

from .check import MAX_TIMES
from .definitions import WrittenTool, tool_definition

__all__ = ["Made", "Plans", "Proposal", "merge", "propose_suite"]

TOOL_KEYS = ("tools", "tool_definitions", "available_tools")
"""Where recorders keep the definitions of tools in the metadata of a trajectory."""

MAX_VALUES = 5
"""So many different values are listed; where there are more, any will do."""

MAX_VALUE_BYTES = 1_000
"""How many bytes of JSON a value may have to be asked for literally. Nobody reviews more, and no agent repeats it."""

MAX_VALUE_DEPTH = 30
"""How deep the lists and objects of such a value may be nested."""


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
    beyond: Counter[str] = field(default_factory=Counter)
    """The same, whatever they weigh."""


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
        raise NothingToDo(f"none of {count} trajectories names a case or a question, so no suite can be made from them")
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
    # others by far, or there are such places, the trajectory would fail for them, and they are made welcome.
    beyond = Counter(call.tool for call in trajectory.calls) - Counter(call.tool for call in made)
    known.beyond |= beyond
    if 4 * len(trajectory.calls) > 9 * len(made):
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
            named[0].beyond |= known.beyond
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
        yield Case(name, known.input, expect=_with_spare(plans, known).expect(), reviewed=False)


def _with_spare(plans: Plans, known: _Seen) -> Plans:
    return plans if not known.beyond else Plans(tuple((*plan, *_repeats(plan, known)) for plan in plans.plans))


def _repeats(plan: Sequence[ExpectedCall], known: _Seen) -> Iterable[ExpectedCall]:
    """Further calls of the tools of a plan that are welcome, whatever their arguments."""
    for tool, places in Counter(call.tool for call in plan).items():
        if count := (known.beyond if places > 1 else known.spare)[tool]:
            yield ExpectedCall(tool, optional=True, times=min(count, MAX_TIMES) if count > 1 else None)


# --- one expectation of what several trajectories did


@dataclass(frozen=True, slots=True)
class Made:
    """A call that counts."""

    tool: str
    args: dict[str, JsonValue] | None
    """None: not recorded."""
    failed: bool = False
    """Whether it never worked."""


@dataclass(frozen=True, slots=True)
class Plans:
    """The ways of solving a case."""

    plans: tuple[tuple[ExpectedCall, ...], ...]

    def expect(self) -> Expect:
        """What they mean for a case; nothing is said about tools where nothing was recorded."""
        if not self.plans:
            return Expect()
        if len(self.plans) == 1:
            return Expect(self.plans[0])
        return Expect(any_of=tuple(map(Plan, self.plans)))


def merge(trajectories: Sequence[Sequence[Made]]) -> Plans:
    """The plans that several trajectories of a case followed."""
    return Plans(tuple(tuple(_merge_plan(alike)) for alike in _alike(trajectories)))


def _alike(trajectories: Sequence[Sequence[Made]]) -> list[list[Sequence[Made]]]:
    """The trajectories in groups: two are in one where they share a tool, directly or by way of others."""
    groups: list[tuple[set[str], list[Sequence[Made]]]] = []
    for made in trajectories:
        tools = {call.tool for call in made}
        apart: list[tuple[set[str], list[Sequence[Made]]]] = []
        joined: list[Sequence[Made]] = []
        for known, members in groups:
            if known & tools or not (known or tools):
                tools |= known
                joined += members
            else:
                apart.append((known, members))
        groups = [*apart, (tools, [*joined, made])]
    return [members for _, members in groups]


@dataclass(slots=True)
class _Place:
    """Calls of several trajectories that correspond to each other."""

    tool: str
    calls: list[Made] = field(default_factory=list)
    different: dict[Hashable, Made] = field(default_factory=dict)
    """Those of them that differ in their arguments."""

    def take(self, call: Made) -> None:
        """Add a call."""
        self.calls.append(call)
        self.different.setdefault(identity(call.args), call)

    def likeness(self, call: Made) -> tuple[bool, float]:
        """How well a call goes with those that are here: whether one is the same, and the share of equal arguments."""
        args = call.args or {}
        # Of many different calls some are enough to know what they have in common.
        some = [other.args or {} for other in islice(self.different.values(), 2 * MAX_VALUES)]
        shares = [
            sum(name in known and same(known[name], value) for name, value in args.items())
            / (len(args.keys() | known.keys()) or 1)
            for known in some
        ]
        return identity(call.args) in self.different, max(shares, default=0.0)


def _merge_plan(trajectories: Sequence[Sequence[Made]]) -> Iterable[ExpectedCall]:
    places: list[_Place] = []
    for made in trajectories:
        _put(made, places)
    for place in places:
        required = len(place.calls) == len(trajectories) and not any(call.failed for call in place.calls)
        yield _expected(place, optional=not required)


def _put(made: Sequence[Made], places: list[_Place]) -> None:
    """Put the calls of one trajectory to those of the others, the most alike first; what finds no place gets one."""
    options = [
        (*place.likeness(call), -index, -position)
        for index, call in enumerate(made)
        for position, place in enumerate(places)
        if place.tool == call.tool
    ]
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, index, position in sorted(options, reverse=True):
        if -index not in chosen and -position not in taken:
            chosen[-index] = -position
            taken.add(-position)
    for index, call in enumerate(made):
        if index not in chosen:
            chosen[index] = len(places)
            places.append(_Place(call.tool))
        places[chosen[index]].take(call)


def _expected(place: _Place, *, optional: bool) -> ExpectedCall:
    args: dict[str, JsonValue] = {}
    check: dict[str, JsonValue] = {}
    recorded = [call.args for call in place.calls if call.args is not None]
    if len(recorded) == len(place.calls):
        for name in dict.fromkeys(name for given in recorded for name in given):
            if name.startswith("$"):
                continue  # no suite can name it
            rule = _rule([given[name] for given in recorded if name in given])
            if all(name in given for given in recorded):
                args[name] = rule
            elif rule != {"$any": True}:
                check[name] = rule
    return ExpectedCall(place.tool, args, check, optional=optional)


def _rule(values: Sequence[JsonValue]) -> JsonValue:
    """The rule that these values fit, and as few others as a person would want."""
    different = list({identity(value): value for value in values}.values())
    if len(different) > MAX_VALUES or not all(map(_readable, different)):
        return {"$any": True}
    options = [taken_literally(value) for value in different]
    return options[0] if len(options) == 1 else {"$one_of": options}


def _readable(value: JsonValue) -> bool:
    return _depth(value) <= MAX_VALUE_DEPTH and len(msgspec.json.encode(value)) <= MAX_VALUE_BYTES


def _depth(value: JsonValue) -> int:
    """How deep lists and objects are nested, without recursion."""
    depth, level = 0, [value]
    while level := [
        item
        for part in level
        if isinstance(part, (list, dict))
        for item in (part.values() if isinstance(part, dict) else part)
    ]:
        depth += 1
    return depth
