"""ReWOO: plans, steps in the order of what they need, and what happens to plans that cannot be used."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from functools import partial

import pytest

from tests.agents.market import definitions
from tests.agents.working import QUESTION, events, made, purposes, said, work
from toolgauge.agents.evidence import PlanStep, filled, read_plan, waves
from toolgauge.agents.plan_schema import plan_schema
from toolgauge.agents.rewoo import RewooAgent
from toolgauge.core import JsonValue, Limits, ToolResult
from toolgauge.runner import Trial
from toolgauge.testing import ScriptedModel, ScriptedReply
from toolgauge.tools import Box, from_function

DAYS: dict[str, JsonValue] = {"start_date": "2026-01-05", "end_date": "2026-01-05"}
LIST: dict[str, JsonValue] = {"id": "#E1", "tool": "listing_symbol", "args": {"query": "Cửu Long"}}
PRICE: dict[str, JsonValue] = {"id": "#E2", "tool": "history_price", "args": {"symbol": "#E1.symbol", **DAYS}}


def plan(*steps: Mapping[str, object]) -> str:
    return json.dumps({"steps": list(steps)})


def test_a_plan_is_made_carried_out_and_solved() -> None:
    trajectory, model = work(RewooAgent, [plan(LIST, PRICE), "Giá của CCC là 22.000."])
    assert (trajectory.state, trajectory.output) == ("completed", "Giá của CCC là 22.000.")
    assert [(call.tool, call.args, call.id) for call in trajectory.calls] == [
        ("listing_symbol", {"query": "Cửu Long"}, "#E1"),
        ("history_price", {"symbol": "CCC", **DAYS}, "#E2"),
    ]
    assert purposes(model) == ["plan", "solve"]
    planning, solving = model.requests
    assert (planning.schema, planning.tools) == (plan_schema(definitions()), ())
    assert '{"name":"history_price"' in said(planning)
    evidence = json.loads(solving.messages[1].text)["evidence"]
    assert [(one["id"], one["failed"]) for one in evidence] == [("#E1", False), ("#E2", False)]
    (told,) = events(trajectory, "plan")
    assert (told["number"], told["usable"], len(told["steps"])) == (1, True, 2)  # type: ignore[arg-type]  # a list


def test_a_plan_that_names_an_unknown_tool_is_recorded_and_made_anew_once() -> None:
    unknown = plan({"id": "#E1", "tool": "get_rich", "args": {}})
    trajectory, model = work(RewooAgent, [unknown, plan(LIST), "CCC"])
    assert (trajectory.output, made(trajectory)) == ("CCC", ["listing_symbol"])
    bad, good = events(trajectory, "plan")
    assert (bad["usable"], bad["problem"]) == (False, "step #E1 names the tool 'get_rich', which does not exist")
    assert good["usable"] is True
    assert "get_rich" in said(model.requests[1])


@pytest.mark.parametrize("text", ["", "Tôi sẽ tra giá rồi trả lời.", '{"steps": [', '{"plan": 1}', '{"steps": 5}'])
def test_two_plans_that_cannot_be_read_are_the_end(text: str) -> None:
    trajectory, model = work(RewooAgent, [text, text])
    assert trajectory.state == "error"
    assert str(trajectory.error).startswith("no plan could be used, of 2: the plan cannot be read")
    assert [event["usable"] for event in events(trajectory, "plan")] == [False, False]
    assert (len(model.requests), trajectory.calls) == (2, ())


def test_a_plan_in_a_circle_or_far_too_long_is_recorded_in_short_and_made_anew_once() -> None:
    circle = plan(
        {"id": "#E1", "tool": "search_web", "args": {"query": "#E2"}},
        {"id": "#E2", "tool": "search_web", "args": {"query": "#E1"}},
    )
    endless = plan(*({**LIST, "id": f"#E{n}"} for n in range(1, 5001)))
    trajectory, model = work(RewooAgent, [circle, endless])
    assert (trajectory.state, trajectory.calls, len(model.requests)) == ("error", (), 2)
    assert trajectory.error == "no plan could be used, of 2: the plan has 5000 steps; at most 12 are allowed"
    first, second = events(trajectory, "plan")
    assert str(first["problem"]).startswith("some steps need each other's results")
    assert (len(second["steps"]), len(str(second["written"]))) == (12, 2000)  # type: ignore[arg-type]  # a list


def test_a_tool_error_in_the_middle_leaves_out_what_needs_it_and_nothing_else() -> None:
    bad = {"id": "#E1", "tool": "history_price", "args": {"symbol": "ZZZ", **DAYS}}
    after = {"id": "#E2", "tool": "search_web", "args": {"query": "vì sao #E1"}}
    later = {"id": "#E3", "tool": "search_web", "args": {"query": "rồi #E2"}}
    other = {"id": "#E4", "tool": "time_now", "args": {}}
    trajectory, model = work(RewooAgent, [plan(bad, after, later, other), "Không có mã ZZZ."])
    assert (trajectory.state, made(trajectory)) == ("completed", ["history_price", "time_now"])
    assert [event["step"] for event in events(trajectory, "step_skipped")] == ["#E2", "#E3"]
    evidence = json.loads(model.requests[1].messages[1].text)["evidence"]
    assert [one["failed"] for one in evidence] == [True, True, True, False]
    assert "không có mã ZZZ" in evidence[0]["result"]


def test_steps_that_do_not_need_each_other_are_taken_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def meet() -> str:
        """Come together."""
        await both.wait()
        return "met"

    async def go() -> str:
        script: list[ScriptedReply] = [
            plan({"id": "#E1", "tool": "meet", "args": {}}, {"id": "#E2", "tool": "meet", "args": {}}),
            "ok",
        ]
        return await RewooAgent(ScriptedModel(script))(QUESTION, Trial(Box([from_function(meet)]), Limits()))

    assert asyncio.run(asyncio.wait_for(go(), 30)) == "ok"


def test_an_empty_plan_is_solved_without_any_call() -> None:
    trajectory, _ = work(RewooAgent, [plan(), "Chào bạn."])
    assert (trajectory.state, trajectory.output, trajectory.calls) == ("completed", "Chào bạn.", ())


def test_no_answer_to_the_evidence_is_a_failure() -> None:
    trajectory, _ = work(RewooAgent, [plan(LIST), "  "])
    assert (trajectory.state, trajectory.error) == ("error", "the model gave no answer from the evidence")


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ([LIST, LIST], "two steps are called #E1"),
        ([PRICE], "step #E2 needs #E1, which no step provides"),
        (
            [
                {"id": "#E1", "tool": "search_web", "args": {"query": "#E2"}},
                {"id": "#E2", "tool": "search_web", "args": {"query": "#E1"}},
            ],
            "some steps need each other's results, so none can come first",
        ),
        ([{**LIST, "id": f"#E{n}"} for n in range(1, 14)], "the plan has 13 steps; at most 12 are allowed"),
        ([{**LIST, "args": "query=Cửu Long"}], "the arguments of a step are not a JSON object"),
        ([{**LIST, "args": {"query": float("nan")}}], "the plan cannot be read: NaN is not a number in JSON"),
    ],
)
def test_plans_that_cannot_be_carried_out_are_refused(steps: list[dict[str, JsonValue]], problem: str) -> None:
    assert read_plan(plan(*steps), definitions(), 12)[1] == problem


@pytest.mark.parametrize(
    "text",
    [
        plan(LIST),
        f"Kế hoạch:\n```json\n{plan(LIST)}\n```",
        plan({"tool": "listing_symbol", "args": '{"query": "Cửu Long"}'}),
        'Plan: tra mã\n#E1 = listing_symbol({"query": "Cửu Long"})',
        'Plan: tra mã\n#E1 = listing_symbol[{"query": "Cửu Long"}]\nXong.',
        plan({**LIST, "id": "#E01"}),
    ],
)
def test_plans_are_read_however_they_are_written(text: str) -> None:
    steps, problem = read_plan(text, definitions(), 12)
    assert (problem, [(one.id, one.tool, one.args) for one in steps]) == (
        "",
        [("#E1", "listing_symbol", {"query": "Cửu Long"})],
    )


def test_a_line_whose_arguments_cannot_be_read_is_not_passed_over() -> None:
    text = '#E1 = listing_symbol({"query": "Cửu Long"})\n#E2 = search_web[tin về #E1]'
    assert read_plan(text, definitions(), 12)[1] == "the arguments of a step are not a JSON object"


def test_evidence_takes_the_place_of_variables() -> None:
    rows: JsonValue = [{"symbol": "CCC", "rank": 1}, {"symbol": "AAA", "rank": 2}]
    evidence = {"#E1": ToolResult(rows), "#E2": ToolResult("2026-01-30"), "#E3": ToolResult(None, "broken")}
    for written, meant in [
        ("#E1[1].symbol", "AAA"),
        ("#E01[1].symbol", "AAA"),
        ("#E1.0.symbol", "CCC"),
        ("#E1.symbol", "CCC"),
        ("#E2", "2026-01-30"),
        ("mã #E1.symbol ngày #E2", "mã CCC ngày 2026-01-30"),
        ("#E1.rank", "1"),
        ("không có gì", "không có gì"),
    ]:
        step = PlanStep("#E9", "history_price", {"symbol": written, "deep": [{"also": written}]})
        args, missing = filled(step, evidence, definitions())
        assert (args["symbol"], missing) == (meant, [])
    for written in ("#E3", "#E4", "#E1.price", "#E1[7]", "#E1.²", f"#E1[{'9' * 5000}]"):
        assert filled(PlanStep("#E9", "search_web", {"query": written}), evidence, definitions())[1] == [written]


def test_steps_are_ordered_by_what_they_need() -> None:
    steps = [
        PlanStep("#E1", "t", {"a": "#E3"}),
        PlanStep("#E2", "t"),
        PlanStep("#E3", "t", {"a": ["#E2.x"]}),
        PlanStep("#E4", "t"),
    ]
    assert [[step.id for step in wave] for wave in waves(steps)] == [["#E2", "#E4"], ["#E3"], ["#E1"]]


def test_one_step_at_a_time_gives_the_same() -> None:
    trajectory, _ = work(partial(RewooAgent, parallel=False), [plan(LIST, PRICE), "xong"])
    assert made(trajectory) == ["listing_symbol", "history_price"]
