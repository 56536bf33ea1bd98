"""Making one expectation of what several trajectories of a case did.

Trajectories that share no tool are different ways of solving a case, and become plans of their own. Of trajectories
that do share tools, calls that correspond become one expected call: required if all of them made it, optional if some
did. An argument that all gave is required, with every value that was seen, or with any where these are many; one that
some gave is checked where it is given.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

import msgspec

from toolgauge.core import Expect, ExpectedCall, JsonValue, Plan, identity, same
from toolgauge.matchers import taken_literally

__all__ = ["Made", "Plans", "merge"]

MOST_VALUES = 5
"""So many different values are listed; where there are more, any will do."""

LONGEST_VALUE = 1_000
"""How many bytes of JSON a value may have to be asked for literally. Nobody reviews more, and no agent repeats it."""

DEEPEST_VALUE = 30
"""How deep the lists and objects of such a value may be nested."""


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
        some = [other.args or {} for other in islice(self.different.values(), 2 * MOST_VALUES)]
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
    if len(different) > MOST_VALUES or not all(map(_readable, different)):
        return {"$any": True}
    options = [taken_literally(value) for value in different]
    return options[0] if len(options) == 1 else {"$one_of": options}


def _readable(value: JsonValue) -> bool:
    return _depth(value) <= DEEPEST_VALUE and len(msgspec.json.encode(value)) <= LONGEST_VALUE


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
