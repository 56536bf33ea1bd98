"""Expectations that all strong agents contradict in the same way."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from toolgauge import api
from toolgauge.analysis.lint import lint
from toolgauge.core import Call, Case, Expect, Finding, Run, Suite, Trajectory

from ...builders import call, case, expected, trajectory

CASES = (
    case([expected("w", {"city": "Hanoi"})], id="gold"),
    case(["w"], id="two"),
    case(["w"], id="three"),
    case(["w"], id="four"),
)
SUITE = Suite("s", CASES)
WRONG = call("w", {"city": "Hue"})
RIGHT = call("w", {"city": "Hanoi"})
NONE: tuple[Call, ...] = ()


def run_of(agents: Mapping[str, Mapping[str, tuple[Call, ...]]], suite: Suite = SUITE) -> Run:
    """A run in which every agent calls what is said for a case, and otherwise the right tool."""
    made: list[Trajectory] = [
        trajectory(calls.get(one.id, (call("w"),)), case=one.id, agent=agent)
        for agent, calls in agents.items()
        for one in suite.cases
    ]
    return api.score(suite, made)


def suspected(*runs: Run, suite: Suite = SUITE) -> list[Finding]:
    return [finding for finding in lint(suite, runs) if finding.kind == "suspected_gold"]


def lenient(suite: Suite = SUITE) -> Suite:
    """Here a case passes with one wrong argument."""
    return replace(suite, settings=replace(suite.settings, passing="score"))


def strict(suite: Suite = SUITE) -> Suite:
    """By its score, too, a case does not pass with one wrong argument."""
    return replace(suite, settings=replace(suite.settings, threshold=0.95))


def test_what_all_strong_agents_do_alike_is_suspected_and_said() -> None:
    run = run_of({"a": {"gold": (WRONG,)}, "b": {"gold": (WRONG,)}}, strict())
    (found,) = suspected(run, suite=strict())
    assert (found.severity, found.case, found.path) == ("hint", "gold", ("expect",))
    assert found.values == {
        "issue": "wrong_arg",
        "tool": "w",
        "argument": "city",
        "want": "Hanoi",
        "got": "Hue",
        "agents": ["a", "b"],
    }


def test_an_argument_counts_in_a_case_that_is_passed_as_well() -> None:
    kind = lenient()
    wrong = run_of({"a": {"gold": (WRONG,)}, "b": {"gold": (WRONG,)}}, kind)
    assert all(scored.score.passed for scored in wrong.scored)
    assert [found.values["issue"] for found in suspected(wrong, suite=kind)] == ["wrong_arg"]
    other = run_of({"a": {"gold": (WRONG,)}, "b": {"gold": (call("w", {"city": "Da Lat"}),)}}, kind)
    assert suspected(other, suite=kind) == []


def test_agents_that_go_wrong_in_different_ways_are_just_wrong() -> None:
    other = call("w", {"city": "Da Lat"})
    run = run_of({"a": {"gold": (WRONG,)}, "b": {"gold": (other,)}}, strict())
    assert suspected(run, suite=strict()) == []


def test_one_strong_agent_that_is_right_is_enough() -> None:
    wrong = {"gold": (WRONG,)}
    run = run_of({"a": wrong, "b": wrong, "c": {"gold": (RIGHT,)}}, strict())
    assert suspected(run, suite=strict()) == []


def test_weak_agents_have_no_say() -> None:
    wrong, weak = {"gold": NONE}, {"gold": (RIGHT,), "two": NONE, "three": NONE, "four": NONE}
    assert [one.values["agents"] for one in suspected(run_of({"a": wrong, "b": wrong, "weak": weak}))] == [["a", "b"]]
    hopeless = {"gold": NONE, "two": NONE, "three": NONE}
    assert suspected(run_of({"a": hopeless, "b": hopeless})) == []


def test_one_agent_is_not_enough_even_in_two_runs() -> None:
    run = run_of({"a": {"gold": NONE}})
    assert suspected(run) == []
    assert suspected(run, run) == []
    assert len(suspected(run, run_of({"b": {"gold": NONE}}))) == 1


def test_a_trial_that_passes_clears_the_expectation() -> None:
    wrong = run_of({"a": {"gold": NONE}, "b": {"gold": NONE}})
    right = run_of({"a": {"gold": (RIGHT,)}, "b": {}})
    assert len(suspected(wrong)) == 1
    assert suspected(wrong, right) == []


def test_runs_of_a_case_that_has_changed_since_say_nothing() -> None:
    run = run_of({"a": {"gold": NONE}, "b": {"gold": NONE}})
    changed = Suite("s", (Case("gold", expect=Expect(())), *CASES[1:]))
    assert suspected(run, suite=changed) == []
    assert suspected(run, suite=Suite("s", CASES[1:])) == []


def test_failures_of_the_agents_themselves_say_nothing_about_the_suite() -> None:
    made = [
        trajectory([RIGHT], case=one.id, agent=agent, state="timeout" if one.id == "gold" else "completed")
        for agent in "ab"
        for one in CASES
    ]
    assert suspected(api.score(SUITE, made)) == []


def test_no_runs_and_runs_of_no_such_case_are_fine() -> None:
    assert suspected() == []
    assert suspected(run_of({"a": {}, "b": {}}), suite=Suite("t", (Case("other"),))) == []
