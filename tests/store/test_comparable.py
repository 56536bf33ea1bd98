"""Whether two runs can be compared: compare, gate and resuming a run ask the same question and get the same answer."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from toolgauge import api
from toolgauge.core import (
    Case,
    Expect,
    ExpectedCall,
    Run,
    RunHeader,
    Settings,
    Suite,
    ToolDefinition,
    Trajectory,
    encode_suite,
    suite_hash,
)
from toolgauge.errors import UsageError
from toolgauge.store.comparable import (
    RunDifferences,
    baseline_differences,
    mismatches,
    resume_differences,
    run_differences,
    said,
)


def is_even(value: object) -> bool:
    return isinstance(value, int) and value % 2 == 0


def is_odd(value: object) -> bool:
    return not is_even(value)


def case(name: str, rule: Any = 1, **fields: Any) -> Case:
    return Case(name, f"{name}?", expect=Expect((ExpectedCall("t", {"x": rule, "y": [1, 2]}),)), **fields)


SUITE = Suite("s", (case("a"), case("b"), case("c")), (ToolDefinition("t"), ToolDefinition("u")))


def header(suite: Suite = SUITE, *, scoring: int = 1) -> RunHeader:
    created = "2026-01-31T10:00:00+00:00"
    return RunHeader(toolgauge="0", created=created, scoring=scoring, suite_hash=suite_hash(suite), suite=suite)


def run(of: RunHeader, agent: str) -> Run:
    """A run with this header in which everything was done by one agent."""
    done = api.score(of.suite, [Trajectory(one.id, agent, 1) for one in of.suite.cases])
    return Run(replace(done.header, scoring=of.scoring, suite_hash=of.suite_hash), done.summary, done.scored)


def cases(*several: Case) -> Suite:
    return replace(SUITE, cases=several)


A, B, C = SUITE.cases
T, U = SUITE.tools

CHANGES = {
    "nothing": (header(), RunDifferences()),
    "the name": (header(replace(SUITE, name="other")), RunDifferences()),
    "order of cases": (header(cases(C, B, A)), RunDifferences()),
    "order of keys": (
        header(cases(Case("a", "a?", expect=Expect((ExpectedCall("t", {"y": [1, 2], "x": 1}),))), B, C)),
        RunDifferences(),
    ),
    "scoring": (header(scoring=2), RunDifferences(scoring=(1, 2))),
    "a case more": (header(cases(A, B, C, case("d"))), RunDifferences(only_second=("d",))),
    "a case less": (header(cases(A, B)), RunDifferences(only_first=("c",))),
    "an expectation": (header(cases(case("a", 2), B, C)), RunDifferences(changed=("a",))),
    "a number of another kind": (header(cases(case("a", 1.0), B, C)), RunDifferences(changed=("a",))),
    "true for 1": (header(cases(case("a", True), B, C)), RunDifferences(changed=("a",))),
    "an input": (header(cases(replace(A, input="?"), B, C)), RunDifferences(changed=("a",))),
    "a label": (header(cases(A, replace(B, labels={"x": "y"}), C)), RunDifferences(changed=("b",))),
    "a tool less": (header(replace(SUITE, tools=(T,))), RunDifferences(tools=("u",))),
    "a tool changed": (header(replace(SUITE, tools=(T, replace(U, description="!")))), RunDifferences(tools=("u",))),
    "order of tools": (header(replace(SUITE, tools=(U, T))), RunDifferences(tools=("t", "u"))),
    "settings": (header(replace(SUITE, settings=Settings(threshold=0.5))), RunDifferences(settings=True)),
    "other cases": (
        header(cases(case("d"))),
        RunDifferences(only_first=("a", "b", "c"), only_second=("d",), disjoint=True),
    ),
}

INNOCENT = {"nothing", "the name", "order of cases", "order of keys"}


@pytest.mark.parametrize("name", CHANGES)
def test_what_differs_is_found(name: str) -> None:
    changed, expected = CHANGES[name]
    assert run_differences(header(), changed) == expected
    without_hash = replace(changed, suite_hash="")
    assert run_differences(replace(header(), suite_hash=""), without_hash) == expected


@pytest.mark.parametrize("name", CHANGES)
def test_a_header_that_claims_the_hash_of_another_suite_is_not_believed(name: str) -> None:
    changed, expected = CHANGES[name]
    assert run_differences(header(), replace(changed, suite_hash=suite_hash(SUITE))) == expected
    assert run_differences(header(), replace(header(), suite_hash="0" * 64)) == RunDifferences()


def refuses(work: Any) -> bool:
    try:
        work()
    except UsageError as error:
        return "cannot be" in str(error)
    return False


@pytest.mark.parametrize("name", CHANGES)
def test_compare_and_gate_refuse_the_same_but_for_cases_that_only_one_has(name: str) -> None:
    changed, found = CHANGES[name]
    first, second = run(header(), "m"), run(changed, "m")
    refused = refuses(lambda: api.compare(first, second))
    assert refused == (name not in INNOCENT)
    left_out = {"a case more", "a case less"}
    assert refuses(lambda: api.gate(first, baseline=second)) == (refused and name not in left_out)
    assert refuses(lambda: api.gate(second, baseline=first)) == (refused and name not in left_out)
    assert bool(mismatches(found, "x", "y")) == refused


@pytest.mark.parametrize("name", CHANGES)
def test_a_run_is_resumed_only_where_nothing_differs_and_otherwise_it_is_said_what(name: str) -> None:
    changed, _ = CHANGES[name]
    before, now = header(), changed
    listed = resume_differences(before, now, {"suite": before.suite_hash}, {"suite": now.suite_hash})
    assert bool(listed) == (name not in ("nothing", "order of keys"))
    assert not any("was" in line and before.suite_hash[:12] in line for line in listed)


def test_resuming_says_what_differs() -> None:
    def listed(name: str) -> list[str]:
        now = CHANGES[name][0]
        return resume_differences(header(), now, {"suite": suite_hash(SUITE)}, {"suite": now.suite_hash})

    assert listed("a case more") == ["suite: 1 case added: d"]
    assert listed("other cases") == ["suite: 1 case added: d", "suite: 3 cases removed: a, b, c"]
    assert listed("an expectation") == ["suite: 1 case changed: a"]
    assert listed("order of cases") == ["suite: its cases are in a different order"]
    assert listed("order of tools") == ["suite: 2 tools changed: t, u"]
    assert listed("settings") == ["suite: its settings changed"]
    assert listed("the name") == ['suite: its name was "s", is now "other"']
    assert listed("scoring") == ["scoring: was 1, is now 2"]


def test_settings_of_a_run_are_compared_key_by_key() -> None:
    before: dict[str, Any] = {"suite": "1", "limits": {"turns": 5, "calls": 2}, "model": "x" * 100, "old": 1}
    now: dict[str, Any] = {"suite": "1", "limits": {"turns": 6, "calls": 2}, "model": "y", "new": None}
    assert resume_differences(header(), header(), before, now) == [
        "limits.turns: was 5, is now 6",
        f'model: was "{"x" * 56}..., is now "y"',
        "old: was 1, is now absent",
        "new: was absent, is now null",
    ]


def test_a_suite_whose_hash_alone_differs_is_shown_by_it() -> None:
    assert resume_differences(header(), header(), {"suite": "1"}, {"suite": "2"}) == ['suite: was "1", is now "2"']


def test_a_rule_that_is_python_code_counts_by_its_name_in_memory_and_in_files() -> None:
    made = cases(case("a", is_even), B, C)
    read = msgspec.json.decode(encode_suite(made), type=Suite)
    assert run_differences(header(made), header(read)) == RunDifferences()
    other = cases(case("a", is_odd), B, C)
    assert run_differences(header(made), header(other)) == RunDifferences(changed=("a",))


def test_half_of_a_surrogate_pair_is_the_same_in_memory_and_in_files() -> None:
    made = cases(case("a", {"z": "\ud800", "n": 1e16}), B, C)
    read = msgspec.json.decode(encode_suite(made), type=Suite)
    assert run_differences(header(made), header(read)) == RunDifferences()
    other = cases(case("a", {"z": "\udfff", "n": 1e16}), B, C)
    assert run_differences(header(made), header(other)) == RunDifferences(changed=("a",))


def test_each_command_names_what_stands_against_it() -> None:
    tools = tuple(ToolDefinition(name) for name in "vwxyz")
    now = header(
        replace(SUITE, cases=(case("a", 2), case("d")), tools=tools, settings=Settings(threshold=0.5)), scoring=2
    )
    assert [said(one) for one in mismatches(run_differences(header(), now), "one", "two")] == [
        "scored by version 1 and version 2 of the rules",
        "only in one: b, c; only in two: d",
        "different expectations or inputs: a",
        "different tools: t, u, v and 4 more",
        "different weights, threshold or pass rule",
    ]
    assert baseline_differences(header(), now) == [
        "the baseline was scored by version 2 of the rules, the run by 1",
        "the weights, the threshold or the pass rule of the suite changed",
        "the tools of the suite changed: t, u, v, …",
        "cases changed: a",
    ]
