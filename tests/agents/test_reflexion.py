"""Reflexion: rounds, what ends them, and what is carried from one to the next."""

from __future__ import annotations

import json
from functools import partial

import pytest

from tests.agents.working import calls, events, made, purposes, said, work
from toolgauge.agents.reflexion import EVALUATION_SCHEMA, ReflexionAgent
from toolgauge.core import ModelRequest
from toolgauge.errors import ModelError
from toolgauge.testing import ScriptedReply

NEWS = calls(("search_web", {"query": "AAA"}))
TIME = calls(("time_now", {}))


def verdict(satisfied: bool, reason: str) -> str:
    return json.dumps({"satisfied": satisfied, "reason": reason})


def test_a_good_first_attempt_is_the_last() -> None:
    trajectory, model = work(ReflexionAgent, [NEWS, "Có tin mới.", verdict(True, "đủ")])
    assert (trajectory.state, trajectory.output) == ("completed", "Có tin mới.")
    assert [call.round for call in trajectory.calls] == [1]
    assert events(trajectory, "round") == [{"number": 1, "calls": 1, "satisfied": True, "reason": "đủ"}]
    assert purposes(model) == ["act", "act", "evaluate"]
    evaluation = model.requests[2]
    assert evaluation.schema == EVALUATION_SCHEMA
    material = json.loads(evaluation.messages[1].text)
    assert [(one["tool"], one["failed"]) for one in material["calls"]] == [("search_web", False)]
    assert material["answer"] == "Có tin mới."


def test_a_reflection_is_kept_in_mind_and_the_calls_of_every_round_are_recorded() -> None:
    script: list[ScriptedReply] = [
        NEWS,
        "Không rõ ngày.",
        verdict(False, "thiếu ngày"),
        "Hãy gọi time_now.",
        TIME,
        "Hôm nay là 30/01.",
    ]
    trajectory, model = work(ReflexionAgent, [*script, verdict(True, "đủ")])
    assert trajectory.output == "Hôm nay là 30/01."
    assert [(call.tool, call.round) for call in trajectory.calls] == [("search_web", 1), ("time_now", 2)]
    assert events(trajectory, "reflection") == [{"round": 1, "text": "Hãy gọi time_now."}]
    assert purposes(model) == ["act", "act", "evaluate", "reflect", "act", "act", "evaluate"]
    assert "Hãy gọi time_now." not in said(model.requests[0])
    assert "- Hãy gọi time_now." in model.requests[4].messages[0].text
    assert "thiếu ngày" in said(model.requests[3])
    assert [message.role for message in model.requests[4].messages] == ["system", "user"]


def test_a_reflection_that_does_not_help_ends_after_the_last_round() -> None:
    one_round: list[ScriptedReply] = [NEWS, "Không biết.", verdict(False, "chưa đủ"), "Cố hơn."]
    trajectory, model = work(ReflexionAgent, [*one_round, *one_round, NEWS, "Vẫn không biết."])
    assert (trajectory.state, trajectory.output) == ("completed", "Vẫn không biết.")
    assert [event["satisfied"] for event in events(trajectory, "round")] == [False, False, None]
    assert [call.round for call in trajectory.calls] == [1, 2, 3]
    assert len(model.requests) == 10
    assert trajectory.usage is not None
    assert trajectory.usage.requests == 10


@pytest.mark.parametrize("text", ["", "Tốt lắm!", '{"satisfied": ', '{"reason": "x"}', '{"satisfied": "maybe"}'])
def test_an_evaluation_that_cannot_be_read_is_no_reason_for_another_round(text: str) -> None:
    trajectory, _ = work(ReflexionAgent, [NEWS, "Có tin.", text])
    assert (trajectory.state, trajectory.output) == ("completed", "Có tin.")
    (told,) = events(trajectory, "round")
    assert told["satisfied"] is None
    assert str(told["reason"]).startswith("the evaluation cannot be read")


def test_an_attempt_without_an_answer_is_reflected_on_without_an_evaluation() -> None:
    trajectory, model = work(
        partial(ReflexionAgent, turns=2), [TIME, TIME, "Trả lời sớm hơn.", "30/01.", verdict(True, "")]
    )
    assert trajectory.output == "30/01."
    assert purposes(model) == ["act", "act", "reflect", "act", "evaluate"]
    assert events(trajectory, "round")[0]["reason"] == "the model gave no answer in 2 turns"


def test_an_earlier_answer_is_better_than_none() -> None:
    script: list[ScriptedReply] = [NEWS, "Có tin.", verdict(False, "thiếu"), "Thử lại.", "", "", ""]
    trajectory, _ = work(partial(ReflexionAgent, rounds=2), script)
    assert (trajectory.state, trajectory.output) == ("completed", "Có tin.")


def test_no_answer_in_any_round_is_a_failure() -> None:
    trajectory, _ = work(partial(ReflexionAgent, rounds=2), ["", "", "", "Nói gì đi.", "", "", ""])
    assert trajectory.state == "error"
    assert trajectory.error == "no attempt produced an answer; the last one: the model gave 3 empty replies in a row"


def test_a_reflection_without_words_leaves_the_reason() -> None:
    trajectory, model = work(ReflexionAgent, ["A", verdict(False, "thiếu B"), " ", "B", verdict(True, "")])
    assert events(trajectory, "reflection") == [{"round": 1, "text": "thiếu B"}]
    assert "- thiếu B" in model.requests[3].messages[0].text


def test_the_most_that_it_asks_fits_into_the_default_limit() -> None:
    trajectory, model = work(ReflexionAgent, never_content)
    assert trajectory.state == "completed"
    assert len(model.requests) == 19
    assert len(made(trajectory)) == 12


def never_content(request: ModelRequest) -> ScriptedReply:
    if request.purpose == "evaluate":
        return verdict(False, "chưa")
    if request.purpose == "reflect":
        return "Lại."
    return "Không biết." if "trả lời ngay" in request.messages[-1].text else NEWS


def test_a_model_that_does_not_answer_ends_the_work_with_what_was_recorded() -> None:
    trajectory, _ = work(ReflexionAgent, [NEWS, ModelError("gone", kind="server error", status=500)])
    assert (trajectory.state, trajectory.error, made(trajectory)) == ("error", "gone", ["search_web"])
