"""The compiled part scores as Python does, whatever it is given."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from decimal import Decimal
from random import Random
from typing import Any

import msgspec
import pytest

from tests.budgets import seeds
from tests.builders import case, expected
from tests.compiled.needed import needs_compiled_part
from tests.scoring.situations import SETTINGS, TOOLS, several
from toolgauge.compiled import PlainCase, score_plain
from toolgauge.core import (
    Call,
    ExpectedCall,
    Issue,
    IssueKind,
    JsonValue,
    Score,
    Settings,
    Suite,
    ToolDefinition,
    Trajectory,
)
from toolgauge.scoring import Scorer, score
from toolgauge.scoring.fast import MAX_PLAIN, FastScorer
from toolgauge.scoring.issues import DefinedTools, missing_call
from toolgauge.store.encoding import RunLine

pytestmark = needs_compiled_part


NOTHING: frozenset[IssueKind] = frozenset()
FAILING = (frozenset[IssueKind]({"missing_call"}), NOTHING, frozenset[str]())


def left_to_python(suite: Suite, trajectories: list[Trajectory]) -> int:
    """How many of the trajectories the compiled part does not score."""
    left: list[Trajectory] = []
    cases = {case.id: case for case in suite.cases}

    def by_definition(trajectory: Trajectory) -> Score:
        left.append(trajectory)
        return score(cases[trajectory.case], trajectory)

    FastScorer(suite, DefinedTools(suite.tools), by_definition).score_all(trajectories)
    return len(left)


@pytest.mark.parametrize("seed", seeds(150))
def test_it_scores_as_python_does(seed: int) -> None:
    cases, trajectories = several(seed)
    dice = Random(seed)
    tools, settings = (TOOLS if dice.random() < 0.6 else ()), dice.choice(SETTINGS)
    by_id = {case.id: case for case in cases}
    got = Scorer(Suite("s", tuple(cases), tools, settings)).score_all(trajectories)
    for trajectory, verdict in zip(trajectories, got, strict=True):
        wanted = score(by_id[trajectory.case], trajectory, settings=settings, tools=tools)
        assert verdict == wanted
        assert msgspec.json.encode(verdict) == msgspec.json.encode(wanted)


def test_it_scores_more_than_half_of_these_itself() -> None:
    counts = []
    for seed in range(20):
        cases, trajectories = several(seed)
        counts.append(len(trajectories) - left_to_python(Suite("s", tuple(cases)), trajectories))
    assert sum(counts) > 20 * 40 / 2


def both_ways(wanted: Sequence[ExpectedCall | str], calls: Sequence[Call], tools: Sequence[ToolDefinition] = ()) -> int:
    """Score calls in both ways, which have to agree; how many trajectories were left to Python."""
    one = case(wanted)
    trajectory = Trajectory(one.id, "agent", 1, calls=tuple(calls))
    suite = Suite("s", (one,), tuple(tools))
    assert Scorer(suite).score_all([trajectory]) == [score(one, trajectory, tools=tools)]
    return left_to_python(suite, [trajectory])


class Text(str):
    __slots__ = ()


class Count(int):
    pass


ODD_VALUES: tuple[Any, ...] = (
    Decimal(1),
    Text("1"),
    Count(1),
    float("nan"),
    float("inf"),
    -0.0,
    10**400,
    2**53 + 1,
    float(2**53),
    [1, [2]],
    {"a": {"b": 1}},
    (1, 2),
    b"1",
    "\ud800",
    "\u1ea5",
    "a\u0302\u0301",
    "a\x00b",
    "",
    object(),
)


@pytest.mark.parametrize("wanted", [1, 1.0, True, None, "1", "\u1ea5", float("nan"), 10**400, 2**53 + 1, "\ud800", ""])
@pytest.mark.parametrize("made", ODD_VALUES, ids=lambda value: ascii(type(value).__name__))
def test_odd_values_are_judged_as_in_python(wanted: Any, made: Any) -> None:
    both_ways([expected("a", {"x": wanted})], [Call("a", {"x": made}), Call("b", {"x": made}), Call("b", {"x": made})])


def test_what_does_not_equal_itself_is_left_to_python() -> None:
    nan = float("nan")
    assert both_ways([expected("a", {"x": nan})], [Call("a", {"x": nan})]) == 1


@pytest.mark.parametrize("name", ["\u1ea5", "a\u0302\u0301", "", "x y", "\U0001f600"])
def test_names_beyond_ascii_are_found(name: str) -> None:
    other = "\u1ea5" if name == "a\u0302\u0301" else "a\u0302\u0301"
    for spelled in (name, other):
        calls = [Call(name, {name: 1}), Call(name, {spelled: 1})]
        assert both_ways([expected(name, {name: 1}), expected(name, {name: 1})], calls) == 0


def test_what_is_out_of_the_ordinary_is_left_to_python() -> None:
    fine = Call("a", {"x": 1})
    assert both_ways([expected("a", {"x": 1})], [fine]) == 0
    assert both_ways([expected("a", {"x": 1})], [fine, Call("a", None)]) == 1
    assert both_ways([expected("a", {"x": 1})], [fine, Call("b", {}, error="boom")]) == 1
    assert both_ways([expected("a", {"x": 1})], [fine] * MAX_PLAIN) == 0
    assert both_ways([expected("a", {"x": 1})], [fine] * (MAX_PLAIN + 1)) == 1
    assert both_ways([expected("a", {"x": 1})] * MAX_PLAIN, [fine]) == 0
    assert both_ways([expected("a", {"x": 1})] * (MAX_PLAIN + 1), [fine]) == 1
    assert both_ways([expected("a", dict.fromkeys(map(str, range(MAX_PLAIN)), 1))], [fine]) == 0
    assert both_ways([expected("a", dict.fromkeys(map(str, range(MAX_PLAIN + 1)), 1))], [fine]) == 1
    assert both_ways([expected("a", {"x": 1}), expected("a", {"x": 2})] * 2, [fine] * 4) == 1
    assert both_ways([expected("a", {"x": [1]})], [fine]) == 1
    assert both_ways([expected("a", {"x": Text("1")})], [fine]) == 1


def test_equally_good_pairings_are_told_apart_by_python() -> None:
    wanted = [expected("b", {}), expected("a", {"x": 1})]
    early, late = Call("a", {"x": 2}), Call("a", {"x": 3})
    assert both_ways(wanted, [Call("b", {}), early, late]) == 0
    assert both_ways(wanted, [early, Call("b", {}), late]) == 1


def test_calls_that_break_a_schema_are_found() -> None:
    wanted = [expected("a", {"x": 1}), expected("b", {"y": "1"})]
    for calls in (
        [Call("a", {"x": 1}), Call("b", {"y": "1"})],
        [Call("a", {"x": 1.0}), Call("b", {"y": None})],
        [Call("a", {"x": 1, "w": 2}), Call("c", {}), Call("e", {})],
    ):
        assert both_ways(wanted, calls, TOOLS) == 0


def test_other_states_and_unknown_cases_are_left() -> None:
    one = case([expected("a", {})])
    suite = Suite("s", (one,))
    ended = [Trajectory(one.id, "agent", 1, state) for state in ("error", "timeout", "not_run", "completed")]
    assert left_to_python(suite, ended) == 3
    assert Scorer(suite).score_all(ended) == [score(one, trajectory) for trajectory in ended]


def test_subclasses_answer_for_themselves() -> None:
    class Failing(Call, frozen=True):
        error = property(lambda _: "boom")

    assert both_ways([expected("a", {})], [Failing("a")]) == 1


def test_a_line_of_a_run_file_is_scored_in_python() -> None:
    one = case([expected("a", {"x": 1})])
    bare = Trajectory(one.id, "agent", 1, calls=(Call("a", {"x": 2}),))
    line = RunLine(one.id, "agent", 1, calls=bare.calls, score=score(one, bare))
    assert Scorer(Suite("s", (one,))).score_all([line, bare]) == [score(one, bare)] * 2
    assert left_to_python(Suite("s", (one,)), [line, bare]) == 1


@pytest.mark.parametrize("times", [2, 3])
def test_repeats_are_those_of_python(times: int) -> None:
    nan = float("nan")
    assert both_ways([expected("a", {})], [Call("a", {"x": 1})] * times) == 0
    assert both_ways([expected("a", {})], [Call("a", {"x": nan})] * times) == 0
    assert both_ways([expected("a", {})], [Call("a", {"x": [1]})] * times) == 0
    assert both_ways([expected("a", {})], [Call("a", {"x": [float("nan")]}) for _ in range(times)]) == 0
    assert both_ways([expected("a", {})], [Call("a", {"x": {"é": 1}}), Call("a", {"x": {"e\u0301": 1}})] * times) == 0
    accents: list[dict[str, JsonValue]] = [{"x": 1.0}, {"é": 1, "e\u0301": 1}, {"é": 1}]
    assert both_ways([expected("a", args) for args in accents], [Call("a", args) for args in accents]) == 0


def one_slot(accepts: Callable[[Call], bool], judge: Callable[..., tuple[int, int]]) -> PlainCase:
    slot = ("a", 0, missing_call("a", 0, {}), False, (("x", 1),))
    return PlainCase((slot,), (0.1, 0.3, 0.3, 0.3), 0.7, FAILING, accepts, judge)


def test_python_code_that_is_asked_may_do_anything() -> None:
    trajectory = Trajectory("c", "agent " * 3, 10**30, calls=tuple(Call("a", {"x": n}) for n in range(9)))
    ready: dict[str, PlainCase] = {}
    asked: list[Call] = []

    def forgets_the_case(call: Call) -> bool:
        ready.clear()
        asked.append(call)
        msgspec.structs.force_setattr(trajectory, "calls", ())
        msgspec.structs.force_setattr(trajectory, "agent", "other")
        return len(asked) < 5

    def raises(*_: object) -> tuple[int, int]:
        raise LookupError("asked")

    ready["c"] = one_slot(forgets_the_case, lambda *_: (3, 4))
    (found,), left = score_plain(ready, [trajectory])
    assert left == []
    assert found is not None
    assert (found.agent, found.trial, found.counts.unknown_tools) == ("agent " * 3, 10**30, 3)
    assert len(asked) == 5
    for asking in (one_slot(lambda _: False, raises), one_slot(raises, raises)):  # type: ignore[arg-type]  # never returns
        with pytest.raises(LookupError):
            score_plain({"c": asking}, [Trajectory("c", calls=(Call("a"),))])
    wrong: Any = lambda *_: 7  # noqa: E731
    with pytest.raises(TypeError, match="tuple"):
        score_plain({"c": one_slot(lambda _: False, wrong)}, [Trajectory("c", calls=(Call("a"),))])


def test_nothing_is_held_back() -> None:
    cases, trajectories = several(7)
    ready = {
        case.id: PlainCase(
            tuple([(call.tool, at, missing_call(call.tool, at, {}), True, ()) for at, call in enumerate(calls)]),
            (0.1, 0.3, 0.3, 0.3),
            0.7,
            FAILING,
        )
        for case in cases
        if 0 < len(calls := case.expect.calls or ()) <= MAX_PLAIN
    }
    score_plain(ready, trajectories)
    gc.collect()
    before = sys.getallocatedblocks()
    for _ in range(200):
        scores, left = score_plain(ready, trajectories)
    assert len(left) < len(scores) / 2
    del scores, left
    gc.collect()
    assert sys.getallocatedblocks() - before < 50


def test_it_refuses_what_it_does_not_know() -> None:
    weights = (0.1, 0.3, 0.3, 0.3)
    missing: Any = None
    slot = ("a", 0, missing, True, (("x", 1),))
    assert isinstance(PlainCase((slot,), weights, 0.7, FAILING), PlainCase)
    for slots in ((), (slot,) * (MAX_PLAIN + 1), (("a", 0, missing, True, (("x", [1]),)),)):
        with pytest.raises(ValueError, match=r"slots|literal"):
            PlainCase(slots, weights, 0.7, FAILING)  # type: ignore[arg-type]  # what is refused
    with pytest.raises(TypeError, match="go together"):
        PlainCase((slot,), weights, 0.7, FAILING, lambda _: True)
    wrong: Any = PlainCase
    for given in (((1,), weights, 0.7, ()), ((slot,), (1, 2), 0.7, ()), ((slot,), weights, "x", ())):
        with pytest.raises(TypeError):
            wrong(*given)
    for failing in (None, 7, (None, NOTHING, NOTHING), (NOTHING, 7, NOTHING), (NOTHING, NOTHING)):
        with pytest.raises(TypeError):
            wrong((slot,), weights, 0.7, failing)
    with pytest.raises(TypeError, match="keywords"):
        wrong((slot,), weights, passing_score=0.7)
    odd: Any = [object(), None]
    assert score_plain({}, odd) == ([None, None], [0, 1])
    strange: Any = {"c": object()}
    assert score_plain(strange, [Trajectory("c")]) == ([None], [0])
    wrong = score_plain
    with pytest.raises(TypeError):
        wrong([], [])


def test_settings_count() -> None:
    one = case([expected("a", {"x": 1})])
    trajectory = Trajectory(one.id, "agent", 1, calls=(Call("a", {"x": 2}),))
    for settings in (Settings(threshold=0.5), Settings(threshold=0.99)):
        assert Scorer(Suite("s", (one,), (), settings)).score_all([trajectory]) == [
            score(one, trajectory, settings=settings)
        ]


@pytest.mark.parametrize("kind", ["missing_arg", "wrong_arg", "unexpected_call", "duplicate_call"])
def test_what_fails_a_case_is_said_by_the_kinds_it_is_given(kind: IssueKind) -> None:
    slot = ("a", 0, missing_call("a", 0, {}), False, (("x", 1), ("y", 2)))
    made = Trajectory("c", calls=(Call("a", {"x": 2}), Call("b"), Call("b")))
    nothing: set[IssueKind] = set()
    for failing, threshold, passed in ((nothing, 0.1, True), (nothing, 0.99, False), ({kind}, 0.1, False)):
        ready = PlainCase((slot,), (0.1, 0.3, 0.3, 0.3), threshold, (failing, nothing, frozenset()))
        (found,), _ = score_plain({"c": ready}, [made])
        assert found is not None
        assert found.passed == passed
        assert {issue.kind for issue in found.issues if issue.failing} == failing


@pytest.mark.parametrize("kind", ["unexpected_call", "duplicate_call"])
def test_an_extra_call_of_a_tool_that_changes_things_may_fail_a_case(kind: IssueKind) -> None:
    slot = ("a", 0, missing_call("a", 0, {}), False, ())
    made = [Trajectory("c", calls=(Call("a"), Call(tool), Call(tool))) for tool in ("send", "look")]
    ready = PlainCase((slot,), (0.1, 0.3, 0.3, 0.3), 0.1, (NOTHING, {kind}, {"send"}))
    sent, looked = score_plain({"c": ready}, made)[0]
    assert sent is not None
    assert looked is not None
    assert [issue.kind for issue in sent.issues if issue.failing] == [kind]
    assert (sent.passed, looked.passed) == (False, True)


def test_what_the_definitions_say_may_fail_a_case() -> None:
    made = Trajectory("c", calls=(Call("a", {"x": 1}),))
    for fails in (False, True):
        broken = Issue("schema_error", "a", call=0, failing=fails)
        asking = one_slot(lambda _: False, lambda _, issues: (issues.append(broken), 1))  # noqa: B023 - asked at once
        (found,), _ = score_plain({"c": asking}, [made])
        assert found is not None
        assert (found.passed, found.issues) == (not fails, (broken,))
