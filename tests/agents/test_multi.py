"""Supervisor, specialists and synthesiser: who gets what, and what bounds them."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.agents.working import calls, events, made, purposes, said, work
from toolgauge.agents.multi import MultiAgent, Specialist
from toolgauge.core import Case, JsonValue, ModelRequest
from toolgauge.errors import UsageError
from toolgauge.testing import ScriptedModel, ScriptedReply

PRICE: dict[str, JsonValue] = {"symbol": "AAA", "start_date": "2026-01-05", "end_date": "2026-01-05"}


def to(name: str, task: str = "") -> str:
    return json.dumps({"next": name, "task": task})


def test_work_is_handed_over_reported_and_put_together() -> None:
    script: list[ScriptedReply] = [
        to("finance", "Giá AAA ngày 05/01/2026"),
        calls(("history_price", PRICE)),
        "AAA đóng cửa 22.000.",
        to("research", "Tin về AAA"),
        calls(("search_web", {"query": "AAA"})),
        "Có một tin.",
        to("finish"),
        "AAA 22.000, có một tin.",
    ]
    trajectory, model = work(MultiAgent, script)
    assert (trajectory.state, trajectory.output) == ("completed", "AAA 22.000, có một tin.")
    assert made(trajectory) == ["history_price", "search_web"]
    assert events(trajectory, "handoff") == [
        {"number": 1, "to": "finance", "task": "Giá AAA ngày 05/01/2026"},
        {"number": 2, "to": "research", "task": "Tin về AAA"},
    ]
    assert events(trajectory, "report")[0] == {"of": "finance", "calls": 1, "repeated": 0, "failed": False}
    assert [event["next"] for event in events(trajectory, "route")] == ["finance", "research", "finish"]
    assert purposes(model) == ["route", "act", "act", "route", "act", "act", "route", "solve"]
    routing = model.requests[0]
    assert routing.schema is not None
    assert "research" in said(routing)
    assert routing.tools == ()
    solving = json.loads(model.requests[-1].messages[1].text)
    assert [(one["from"], one["report"]) for one in solving["reports"]] == [
        ("finance", "AAA đóng cửa 22.000."),
        ("research", "Có một tin."),
    ]


def test_each_specialist_sees_only_its_tools_and_its_task() -> None:
    script: list[ScriptedReply] = [to("finance", "Giá?"), "xong", to("research", "Tin?"), "xong", to("finish"), "xong"]
    _, model = work(MultiAgent, script)
    finance, research = (request for request in model.requests if request.purpose == "act")
    assert [tool.name for tool in finance.tools] == ["history_price", "listing_symbol", "time_now"]
    assert [tool.name for tool in research.tools] == ["search_web", "time_now"]
    assert finance.messages[-1].text == "Giá?"


def test_a_specialist_that_asks_for_a_tool_it_lacks_is_told_so() -> None:
    script: list[ScriptedReply] = [
        to("research", "Giá?"),
        calls(("history_price", PRICE)),
        "Không làm được.",
        to("finish"),
        "Không rõ.",
    ]
    trajectory, model = work(MultiAgent, script)
    (call,) = trajectory.calls
    assert call.error == "the tool 'history_price' is not for this part of the work"
    assert "is not for this part of the work" in said(model.requests[2])
    assert trajectory.output == "Không rõ."


def test_a_supervisor_that_never_ends_is_bounded() -> None:
    def never_ends(request: ModelRequest) -> ScriptedReply:
        if request.purpose == "route":
            return to("research", "Tìm nữa")
        if request.purpose == "solve":
            return "Đến đây thôi."
        return "Báo cáo." if "trả lời ngay" in request.messages[-1].text else calls(("search_web", {"query": "x"}))

    trajectory, model = work(MultiAgent, never_ends)
    assert (trajectory.state, trajectory.output) == ("completed", "Đến đây thôi.")
    assert len(events(trajectory, "handoff")) == 3
    assert events(trajectory, "handoffs_used_up") == [{"most": 3}]
    assert len(model.requests) == 19
    # Four equal calls by each of three specialists: all but the first are work done twice.
    assert [event["repeated"] for event in events(trajectory, "report")] == [3, 4, 4]


@pytest.mark.parametrize("text", ["", "Hỏi chuyên viên tài chính.", '{"next": 5', to("boss"), '{"task": "x"}'])
def test_a_decision_that_cannot_be_used_is_asked_for_once_more_and_then_the_answer_is_made(text: str) -> None:
    trajectory, model = work(MultiAgent, [text, text, "Tạm trả lời."])
    assert (trajectory.state, trajectory.output) == ("completed", "Tạm trả lời.")
    assert purposes(model) == ["route", "route", "solve"]
    assert [event["next"] for event in events(trajectory, "route")] == [None, None]
    trajectory, model = work(MultiAgent, [text, to("research", "Tin?"), "Tin.", to("finish"), "Xong."])
    assert [event["to"] for event in events(trajectory, "handoff")] == ["research"]
    assert "problem" in said(model.requests[1])


def test_a_specialist_without_a_report_does_not_end_the_work() -> None:
    script: list[ScriptedReply] = [to("research", "Tin?"), "", "", "", to("finish"), "Không có tin."]
    trajectory, model = work(MultiAgent, script)
    assert trajectory.output == "Không có tin."
    assert events(trajectory, "report") == [{"of": "research", "calls": 0, "repeated": 0, "failed": True}]
    assert "3 empty replies" in said(model.requests[-1])


def test_a_task_without_words_is_the_question() -> None:
    trajectory, _ = work(MultiAgent, [to("finance"), "r", to("finish"), "a"], Case("c", "Giá AAA?"))
    assert events(trajectory, "handoff")[0]["task"] == "Giá AAA?"


def test_no_answer_of_the_synthesiser_is_a_failure() -> None:
    trajectory, _ = work(MultiAgent, [to("finish"), ""])
    assert (trajectory.state, trajectory.error) == ("error", "the synthesiser gave no answer")


def test_specialists_can_be_others() -> None:
    clerk = Specialist("clerk", "Looks at the clock.", ("time_now",))
    script: list[ScriptedReply] = [to("clerk", "When?"), calls(("time_now", {})), "Now.", to("finish"), "Now."]
    trajectory, model = work(partial(MultiAgent, specialists=(clerk,)), script)
    assert made(trajectory) == ["time_now"]
    assert "Looks at the clock." in said(model.requests[0])
    assert MultiAgent(model, specialists=(clerk,)).settings["specialists"] == [
        {"name": "clerk", "description": "Looks at the clock.", "tools": ["time_now"]}
    ]


@pytest.mark.parametrize("names", [["a", "a"], ["finish"]])
def test_specialists_need_names_of_their_own(names: list[str]) -> None:
    with pytest.raises(UsageError, match="names of their own"):
        MultiAgent(ScriptedModel([]), specialists=tuple(Specialist(name, "", ()) for name in names))
