"""Planted faults of every kind, alone and mixed, are found as what they are, in both languages."""

from __future__ import annotations

import json
import re
from dataclasses import replace as replace_plant

import pytest
from msgspec.structs import replace

import toolgauge
from toolgauge.analysis.diagnose import diagnose
from toolgauge.catalogue import Lang
from toolgauge.core import (
    FAULT_GROUPS,
    Case,
    Diagnosis,
    Expect,
    ExpectedCall,
    Pattern,
    Suite,
    ToolDefinition,
    Trajectory,
)
from toolgauge.errors import NothingToDo
from toolgauge.report import DiagnosisDocument, render

from .planting import PLANTS, SUITE, Plant, run_with


def draw(diagnosis: Diagnosis, lang: Lang = "en", format: str = "text", most: int = 50) -> str:  # noqa: A002
    """What is drawn, on one line."""
    return " ".join("".join(render(DiagnosisDocument(diagnosis, most), format, lang=lang)).split())


def find(diagnosis: Diagnosis, fault: Plant) -> Pattern:
    wanted = (fault.kind, fault.tool, fault.argument, fault.other, fault.state)
    (found,) = (one for one in diagnosis.patterns if (one.kind, one.tool, one.argument, one.other, one.state) == wanted)
    return found


@pytest.mark.parametrize("name", PLANTS)
def test_each_planted_fault_is_found_with_its_tool_and_argument(name: str) -> None:
    fault = PLANTS[name]
    diagnosis = diagnose(run_with((fault, range(4))))
    pattern = find(diagnosis, fault)
    assert (pattern.group, pattern.advice.kind) == (fault.group, fault.advice)
    assert pattern.trajectories == 4
    assert {example.case.partition("_")[0] for example in pattern.examples} == {fault.topic}
    assert len(pattern.examples) == 3
    # Whatever failed, failed by this.
    assert pattern.failed == diagnosis.failed
    if diagnosis.failed:
        assert pattern.share == 1.0
        # Too many calls are too many of something, and that comes first.
        assert diagnosis.patterns[0].kind == ("duplicate_call" if name == "budget" else fault.kind)


@pytest.mark.parametrize("name", PLANTS)
@pytest.mark.parametrize("lang", ["en", "vi"])
def test_the_recommendation_names_tool_and_argument_in_both_languages(name: str, lang: Lang) -> None:
    fault = PLANTS[name]
    diagnosis = diagnose(run_with((fault, range(4))))
    entry = next(
        one
        for one in json.loads("".join(render(DiagnosisDocument(diagnosis), "json", lang=lang)))["patterns"]
        if (one["kind"], one["tool"], one["argument"]) == (fault.kind, fault.tool, fault.argument)
    )
    for text in (entry["advice"]["text"], draw(diagnosis, lang)):
        for part in (fault.tool, fault.argument, fault.other, *fault.shows):
            assert part is None or part in text, (part, text)
    assert not re.search(r"[\[\]{}]", entry["advice"]["text"])


def test_without_faults_there_is_nothing_to_say() -> None:
    diagnosis = diagnose(run_with())
    assert (diagnosis.failed, diagnosis.patterns) == (0, ())
    assert "No faults were found." in draw(diagnosis)
    assert "Không phát hiện lỗi nào." in draw(diagnosis, "vi")


def test_mixed_faults_are_told_apart_and_counted() -> None:
    planted = {
        "wrong value": range(3),
        "argument left out": range(3),
        "tool confused": range(2),
        "tool invented": range(2, 4),
        "agent breaks down": range(4, 6),
        "tool not called": range(4),
        "order": range(4, 6),
        "tool in small talk": range(5),
        "tool forbidden": range(3, 5),
        "loop": range(3, 6),
    }
    diagnosis = diagnose(run_with(*((PLANTS[name], numbers) for name, numbers in planted.items())))
    for name, numbers in planted.items():
        pattern = find(diagnosis, PLANTS[name])
        assert (name, pattern.trajectories) == (name, len(numbers))
        assert pattern.advice.kind == PLANTS[name].advice
    assert len(diagnosis.patterns) == len(planted)
    for lang in ("en", "vi"):
        shown = draw(diagnosis, lang)
        for name in planted:
            for part in (PLANTS[name].tool, PLANTS[name].argument, PLANTS[name].other):
                assert part is None or part in shown


def test_faults_in_the_same_trajectory_are_both_found_and_said_to_come_together() -> None:
    diagnosis = diagnose(
        run_with((PLANTS["wrong value"], range(4)), (PLANTS["keyword missing"], range(4)), (PLANTS["loop"], range(3)))
    )
    pattern = find(diagnosis, PLANTS["wrong value"])
    (companion,) = pattern.companions
    assert (companion.kind, companion.count) == ("missing_content", 4)
    assert companion.lift == pytest.approx(len(SUITE.cases) / 4)
    assert "the answer lacks what it has to contain (4 times, 7.5 times as often as by chance)" in draw(diagnosis)


def test_a_tool_that_is_not_there_has_to_fail_and_is_not_to_be_mended() -> None:
    def invented(trajectory: Trajectory) -> Trajectory:
        return replace(trajectory, calls=(toolgauge.Call("fetch_price", {"symbol": "VNM"}, error="no such tool"),))

    fault = PLANTS["tool invented"]
    diagnosis = diagnose(run_with((replace_plant(fault, change=invented), range(4))))
    assert [pattern.kind for pattern in diagnosis.patterns] == ["unknown_tool"]
    assert find(diagnosis, fault).trajectories == 4


def test_a_call_that_may_not_be_made_is_the_first_fault_also_where_it_fails() -> None:
    suite = Suite("s", (Case("a", expect=Expect(())),), tools=(ToolDefinition("find"),))
    made = [Trajectory("a", agent="x", calls=(toolgauge.Call("find", {}, error="no"),), output="none")]
    first, second = diagnose(toolgauge.score(suite, made)).patterns
    assert (first.kind, first.first, second.kind, second.first) == ("unexpected_call", 1, "unrecovered_error", 0)


def test_the_first_divergent_step_is_told() -> None:
    diagnosis = diagnose(run_with((PLANTS["wrong value"], range(4)), (PLANTS["keyword missing"], range(6))))
    wrong, missing = find(diagnosis, PLANTS["wrong value"]), find(diagnosis, PLANTS["keyword missing"])
    assert (wrong.first, wrong.step) == (4, 1)
    assert (missing.first, missing.step) == (2, 2)
    news = find(diagnose(run_with((PLANTS["tool not called"], range(3)))), PLANTS["tool not called"])
    assert news.step == 2


def test_the_groups_are_the_top_level() -> None:
    diagnosis = diagnose(run_with((PLANTS["tool confused"], range(4)), (PLANTS["tool not called"], range(2))))
    assert tuple(one.group for one in diagnosis.groups) == FAULT_GROUPS
    counts = {one.group: (one.trajectories, one.failed, one.first) for one in diagnosis.groups}
    assert counts["wrong_tool"] == (4, 4, 4)
    assert counts["missing_tool"] == (2, 2, 2)
    assert counts["parameters"] == (0, 0, 0)
    assert {one.group: one.share for one in diagnosis.groups}["wrong_tool"] == pytest.approx(4 / 6)
    shown = draw(diagnosis, "vi")
    for word in ("sai tham số", "chọn sai công cụ", "bỏ sót công cụ", "gọi thừa"):
        assert word in shown


def test_patterns_are_broken_down_by_label() -> None:
    pattern = find(diagnose(run_with((PLANTS["wrong value"], (1, 3, 5)))), PLANTS["wrong value"])
    assert [(one.value, one.count, one.of) for one in pattern.labels] == [("dễ", 3, 12), ("khó", 0, 18)]
    with pytest.raises(NothingToDo, match=r"no case .* has the label 'dificulty'; did you mean 'difficulty'"):
        diagnose(run_with(), by="dificulty")


def test_a_definition_that_says_nothing_is_pointed_out() -> None:
    wrong = find(diagnose(run_with((PLANTS["wrong value"], range(4)))), PLANTS["wrong value"])
    assert wrong.advice.described is False
    assert wrong.advice.examples == ("Hà Nội", "Huế", "Đà Nẵng")
    invalid = find(diagnose(run_with((PLANTS["value not allowed"], range(4)))), PLANTS["value not allowed"])
    assert invalid.advice.examples == ("c", "f")
    described = find(
        diagnose(run_with((PLANTS["required argument left out"], range(4)))), PLANTS["required argument left out"]
    )
    assert described.advice.described is True


def test_questions_without_need_for_tools_are_told_from_those_that_need_them() -> None:
    cases = [Case(f"now_{city}", f"Thời tiết ở {city}?", expect=Expect((ExpectedCall("look"),))) for city in "abc"]
    cases += [Case(f"talk_{word}", f"Thời tiết và khí hậu {word}?", expect=Expect(())) for word in ("x", "y", "z")]
    made = [Trajectory(case.id, "agent", 1, calls=(toolgauge.Call("look", {"city": case.id}),)) for case in cases]
    run = toolgauge.score(Suite("s", tuple(cases), (ToolDefinition("look"),)), made)
    (pattern,) = diagnose(run).patterns
    assert (pattern.kind, pattern.advice.kind, pattern.trajectories) == ("unexpected_call", "answer_without", 3)
    # "Thời tiết" stands in all of them, and would keep the agent from calling the tool where it has to.
    assert pattern.advice.phrases == ("khí hậu",)


def test_agents_are_looked_at_together_or_alone() -> None:
    run = run_with((PLANTS["wrong value"], range(2)))
    again = [one.trajectory for one in run_with((PLANTS["wrong value"], range(3))).scored]
    other = [Trajectory(one.case, "other", 1, calls=one.calls, output=one.output) for one in again]
    both = toolgauge.score(SUITE, [*(one.trajectory for one in run.scored), *other])
    assert find(diagnose(both), PLANTS["wrong value"]).agents == {"agent": 2, "other": 3}
    assert find(diagnose(both, agents=["other"]), PLANTS["wrong value"]).agents == {"other": 3}
    with pytest.raises(NothingToDo, match="no agent 'othr'; did you mean 'other'"):
        diagnose(both, agents=["othr"])


def test_what_was_not_run_is_no_fault() -> None:
    run = toolgauge.score(SUITE, [Trajectory("talk_0", "agent", 1, output="Chào!")])
    diagnosis = diagnose(run)
    assert (diagnosis.trajectories, diagnosis.failed, diagnosis.not_run) == (1, 0, len(SUITE.cases) - 1)
    assert "29 more were not run" in draw(diagnosis)


def test_arguments_from_nowhere_are_found_where_they_are_looked_for() -> None:
    trajectories = [one.trajectory for one in run_with((PLANTS["wrong value"], range(4))).scored]
    run = toolgauge.score(SUITE, trajectories, grounding=True)
    assert any(
        (one.kind, one.tool, one.argument, one.advice.kind)
        == ("ungrounded_arg", "get_weather", "city", "ground_argument")
        for one in diagnose(run).patterns
    )


@pytest.mark.parametrize("format", ["text", "md", "json"])
def test_names_and_values_are_made_harmless(format: str) -> None:  # noqa: A002 - the name of the option
    nasty = "x<script>\x1b[31m\u202e\n|`"
    fault = PLANTS["wrong value"]
    run = run_with((Plant("weather", lambda one: _city(one, nasty), fault.group, fault.kind, fault.advice), range(4)))
    shown = "".join(render(DiagnosisDocument(diagnose(run)), format))
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    if format == "md":
        assert "<script>" not in shown
    if format == "text":
        assert max(map(len, shown.splitlines())) <= 80


def _city(trajectory: Trajectory, city: str) -> Trajectory:
    return Trajectory(
        trajectory.case,
        "agent\x1b",
        1,
        calls=(toolgauge.Call("get_weather", {"city": city}, error=city), toolgauge.Call(f"t{city}")),
        output="",
    )


def test_it_can_be_had_from_the_package() -> None:
    assert toolgauge.diagnose is diagnose
    assert isinstance(toolgauge.diagnose(run_with()), toolgauge.Diagnosis)
