"""What can be said of a conversation without knowing what it should have been: one table.

A measure reads facts of a conversation and gives observations: of a rate 1 or 0, of a quantity a number, of a mix a
label. Measures by tool have a series for each tool besides.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec import Struct

from toolgauge.core import Call, Case, Issue, JsonValue, ToolDefinition, Trajectory, identity
from toolgauge.drift import OTHER, Kind, Observation
from toolgauge.scoring.grounding import Grounding
from toolgauge.scoring.issues import DefinedTools
from toolgauge.scoring.observations import find_repeats

__all__ = ["MEASURES", "Facts", "Measure", "Measurer", "error_class", "series_name"]

Values = Iterable[tuple[float, str, str]]
"""Value, label of a mix, and the tool that it is of; both may be empty."""

LOOP = 3
"""So many times the same calls in a row are a loop."""

LONGEST_LOOP = 3
"""Of so many calls at most."""

MAX_WORDS = 20_000
"""How many words of a result are looked for in what came after it."""

MAX_LABELS = 500
"""How many labels a mix may have; what would need another one counts as of others."""

LONGEST_LABEL = 100

_WORDS = re.compile(r"\w{4,}")
_CLASSES = (
    ("rate limit", re.compile(r"\b429\b|rate.?limit|too many requests", re.I)),
    ("timeout", re.compile(r"\b(?:408|504)\b|time.?d?.?out|deadline", re.I)),
    ("denied", re.compile(r"\b(?:401|403)\b|denied|forbidden|unauthori[sz]ed|permission", re.I)),
    ("not found", re.compile(r"\b404\b|not found|no such|unknown", re.I)),
    ("invalid arguments", re.compile(r"\b(?:400|422)\b|invalid|validation|missing required|unexpected argument", re.I)),
    ("server error", re.compile(r"\b5\d\d\b|internal server error|unavailable|bad gateway", re.I)),
    ("connection", re.compile(r"connection|network|dns|refused|reset by peer", re.I)),
)
_NAMED = re.compile(r"\b([A-Z]\w*(?:Error|Exception))\b")


def error_class(error: str) -> str:
    """A short name for the kind of an error, by its words: what recorders write in thousands of ways is a few kinds."""
    text = error[:2000]
    found = next((name for name, pattern in _CLASSES if pattern.search(text)), None)
    if found is not None:
        return found
    named = _NAMED.search(text)
    return named[1] if named else "other"


class Facts(Struct, gc=False):
    """What is looked up once for all measures."""

    trajectory: Trajectory
    repeats: dict[int, int]
    unknown: frozenset[int] | None
    """The calls of tools that are not defined; None: no tools are."""
    broken: frozenset[int] | None
    """The calls whose arguments break the schema of their tool."""
    ungrounded: frozenset[int] | None
    """The calls with arguments that came from nowhere; None: that was not looked at."""

    @property
    def calls(self) -> Sequence[Call]:
        """The calls."""
        return self.trajectory.calls

    @property
    def wasted(self) -> bool:
        """Whether nothing came of it: it did not complete, or every call failed."""
        failed = bool(self.calls) and all(call.error is not None for call in self.calls)
        return self.trajectory.state != "completed" or failed


@dataclass(frozen=True, slots=True)
class Measure:
    """A row of the table."""

    name: str
    kind: Kind
    read: Callable[[Facts], Values]
    by_tool: bool = False
    """Whether every tool has a series of its own, too."""
    unit: str = ""


def _each(found: Callable[[Facts], frozenset[int] | None]) -> Callable[[Facts], Values]:
    """For each call whether it is among those that are found."""

    def read(facts: Facts) -> Values:
        among = found(facts)
        if among is not None:
            for index, call in enumerate(facts.calls):
                yield float(index in among), "", call.tool

    return read


def _number(read: Callable[[Facts], float | None]) -> Callable[[Facts], Values]:
    """One number, where it is known."""

    def values(facts: Facts) -> Values:
        found = read(facts)
        if found is not None:
            yield float(found), "", ""

    return values


def _failed(facts: Facts) -> Values:
    for call in facts.calls:
        yield float(call.error is not None), "", call.tool


def _tools(facts: Facts) -> Values:
    for call in facts.calls:
        yield 1.0, call.tool, ""


def _errors(facts: Facts) -> Values:
    for call in facts.calls:
        yield 1.0, "none" if call.error is None else error_class(call.error), ""


def _durations(facts: Facts) -> Values:
    for call in facts.calls:
        if call.duration_ms is not None:
            yield call.duration_ms, "", call.tool


def _has_loop(facts: Facts) -> float | None:
    """Whether some calls were made three times in a row, with the same arguments."""
    keys = [(call.tool, identity(call.args)) if call.args is not None else None for call in facts.calls]
    for length in range(1, LONGEST_LOOP + 1):
        for start in range(len(keys) - length * LOOP + 1):
            block = keys[start : start + length]
            rounds = (keys[start + length * turn : start + length * (turn + 1)] for turn in range(1, LOOP))
            if None not in block and all(each == block for each in rounds):
                return 1.0
    return 0.0 if keys else None


def _unused(facts: Facts) -> Values:
    """For each call that answered something whether nothing of it turns up later: in an argument or in the answer."""
    later = _words(facts.trajectory.output)
    found: list[tuple[float, str, str]] = []
    for call in reversed(facts.calls):
        words = _words(call.result) if call.error is None else set()
        if words:
            found.append((float(words.isdisjoint(later)), "", call.tool))
        later |= _words(call.args)
    return reversed(found)


def _words(value: JsonValue) -> set[str]:
    found: set[str] = set()
    waiting: list[JsonValue] = [value]
    while waiting and len(found) < MAX_WORDS:
        part = waiting.pop()
        if isinstance(part, str):
            found.update(_WORDS.findall(part[: MAX_WORDS * 10].lower()))
        elif isinstance(part, (int, float)) and not isinstance(part, bool):
            if abs(part) <= sys.float_info.max:  # larger whole numbers are no floating-point numbers
                found.add(f"{part:g}")
        elif isinstance(part, dict):
            waiting += part.values()
        elif isinstance(part, list):
            waiting += part
    return found | set(_numbers(value))


def _numbers(value: JsonValue) -> Iterator[str]:
    """The numbers in a text, as short ones are no words."""
    if isinstance(value, str):
        for found in re.findall(r"\d+(?:\.\d+)?", value[: MAX_WORDS * 10]):
            yield f"{float(found):g}"


def _width(facts: Facts) -> float | None:
    turns = Counter(call.turn for call in facts.calls if call.turn is not None)
    return max(turns.values(), default=None)


def _tokens(facts: Facts) -> float | None:
    return None if facts.trajectory.usage is None else facts.trajectory.usage.tokens


def _lost_tokens(facts: Facts) -> float | None:
    tokens = _tokens(facts)
    return None if tokens is None else tokens if facts.wasted else 0.0


def _cost(facts: Facts) -> float | None:
    return None if facts.trajectory.usage is None else facts.trajectory.usage.cost_usd


MEASURES: tuple[Measure, ...] = (
    Measure("tool_mix", "mix", _tools),
    Measure("error_class", "mix", _errors),
    Measure("calls", "quantity", _number(lambda facts: len(facts.calls))),
    Measure("fail_rate", "rate", _failed, by_tool=True),
    Measure("unknown_tools", "rate", _each(lambda facts: facts.unknown)),
    Measure("schema_errors", "rate", _each(lambda facts: facts.broken), by_tool=True),
    Measure("ungrounded_arguments", "rate", _each(lambda facts: facts.ungrounded)),
    Measure("repeated_calls", "rate", _each(lambda facts: frozenset(facts.repeats))),
    Measure("loops", "rate", _number(_has_loop)),
    Measure("unused_results", "rate", _unused),
    Measure("parallel_width", "quantity", _number(_width)),
    Measure("not_completed", "rate", _number(lambda facts: float(facts.trajectory.state != "completed"))),
    Measure("latency", "quantity", _number(lambda facts: facts.trajectory.latency_ms), unit="ms"),
    Measure("tool_latency", "quantity", _durations, by_tool=True, unit="ms"),
    Measure("tokens", "quantity", _number(_tokens)),
    Measure("lost_tokens", "quantity", _number(_lost_tokens)),
    Measure("cost", "quantity", _number(_cost), unit="USD"),
)
"""Everything that is measured of a conversation that nobody expected anything of."""

KINDS: dict[str, Kind] = {measure.name: measure.kind for measure in MEASURES}


def series_name(measure: str, **labels: str) -> str:
    """The name of a series: `fail_rate{tool="search"}`."""
    if not labels:
        return measure
    written = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return f"{measure}{{{written}}}"


def _calls_with(issues: Iterable[Issue], kind: str) -> frozenset[int]:
    return frozenset(issue.call for issue in issues if issue.kind == kind and issue.call is not None)


class Measurer:
    """Reads observations from conversations."""

    def __init__(
        self,
        tools: Sequence[ToolDefinition] = (),
        *,
        by: Sequence[str] = (),
        max_series: int = 300,
        grounding: bool = True,
    ) -> None:
        """Make ready.

        Args:
            tools: The definitions of the tools, where they are known.
            by: Keys of the metadata, or `agent`, that have series of their own for each of their values.
            max_series: How many series there may be; what would need another one is counted.
            grounding: Whether to look for arguments that came from nowhere.
        """
        self._defined = DefinedTools(tools)
        self._grounding = Grounding(tools) if grounding else None
        self._by = tuple(by)
        self._max_series = max_series
        self._series: dict[str, None] = {}
        self._labels: dict[str, set[str]] = {}
        """By series the labels of mixes."""
        self.left_out = 0
        """Observations for which there was no room for another series."""
        self.merged = 0
        """Labels for which there was no room, and which count as of others."""

    def know(self, series: Iterable[str], labels: Iterable[tuple[str, str]] = ()) -> None:
        """Count series, and labels of series, that were there before."""
        self._series.update(dict.fromkeys(series))
        for name, label in labels:
            self._labels.setdefault(name, set()).add(label)

    def facts(self, trajectory: Trajectory) -> Facts:
        """What is looked up once."""
        calls = trajectory.calls
        by_tool: dict[str, list[int]] = {}
        for index, call in enumerate(calls):
            by_tool.setdefault(call.tool, []).append(index)
        unknown = broken = None
        if self._defined:
            issues = list(self._defined.issues(calls))
            unknown, broken = _calls_with(issues, "unknown_tool"), _calls_with(issues, "schema_error")
        return Facts(trajectory, find_repeats(calls, by_tool), unknown, broken, self._ungrounded(trajectory))

    def _ungrounded(self, trajectory: Trajectory) -> frozenset[int] | None:
        if self._grounding is None or not trajectory.input:
            return None
        case = Case(id="watched", input=trajectory.input)
        return _calls_with(self._grounding.issues(case, trajectory.calls), "ungrounded_arg")

    def observe(self, trajectory: Trajectory, at: float, session: str, trace: str) -> list[Observation]:
        """Everything that a conversation says."""
        facts = self.facts(trajectory)
        groups = [{}, *self._groups(trajectory)]
        found: list[Observation] = []
        for measure in MEASURES:
            for value, label, tool in measure.read(facts):
                own = {"tool": tool[:LONGEST_LABEL]}
                for group in [*groups, own] if measure.by_tool and tool else groups:
                    name = series_name(measure.name, **group)
                    if self._has_room(name):
                        kept = self._label(name, label) if measure.kind == "mix" else label
                        found.append(Observation(name, measure.kind, at, value, kept, session, trace))
        return found

    def of_score(self, passed: bool, at: float, session: str, trace: str) -> Observation:
        """What scoring says of a conversation that a case of the suite is found for."""
        self._series["pass_rate"] = None
        return Observation("pass_rate", "rate", at, float(passed), "", session, trace)

    def of_opinion(self, score: float, at: float, session: str, trace: str) -> Observation:
        """What a judge said, which is an opinion."""
        self._series["judge_opinion"] = None
        return Observation("judge_opinion", "quantity", at, score, "", session, trace)

    def _groups(self, trajectory: Trajectory) -> Iterator[dict[str, str]]:
        for key in self._by:
            value = trajectory.agent if key == "agent" else trajectory.meta.get(key)
            if value is not None and value != "":
                yield {key: str(value)[:LONGEST_LABEL]}

    def _has_room(self, name: str) -> bool:
        if name in self._series:
            return True
        if len(self._series) >= self._max_series:
            self.left_out += 1
            return False
        self._series[name] = None
        return True

    def _label(self, series: str, label: str) -> str:
        known = self._labels.setdefault(series, set())
        kept = label[:LONGEST_LABEL]
        if kept not in known:
            if len(known) >= MAX_LABELS:
                self.merged += 1
                return OTHER
            known.add(kept)
        return kept
