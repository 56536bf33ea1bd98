"""ReAct, with tool calls and with the protocol in plain text."""

from __future__ import annotations

from functools import partial

import pytest

from tests.agents.working import QUESTION, calls, events, made, said, work
from toolgauge.agents.react import ReactAgent, text_react
from toolgauge.agents.textual import read_reply
from toolgauge.core import Case, JsonValue, ModelReply, ToolRequest
from toolgauge.errors import UsageError
from toolgauge.testing import ScriptedReply

PRICE: dict[str, JsonValue] = {"symbol": "AAA", "start_date": "2026-01-05", "end_date": "2026-01-05"}
ACTION = (
    'Thought: cần giá\nAction: history_price\nAction Input: {"symbol": "AAA", "start_date": "2026-01-05", '
    '"end_date": "2026-01-05"}'
)


def test_it_thinks_acts_looks_and_answers() -> None:
    script: list[ScriptedReply] = [calls(("history_price", PRICE), text="Cần giá của AAA."), "Giá là 22.000 đồng."]
    trajectory, model = work(ReactAgent, script)
    assert (trajectory.state, trajectory.output, made(trajectory)) == (
        "completed",
        "Giá là 22.000 đồng.",
        ["history_price"],
    )
    first, second = model.requests
    assert "suy luận" in first.messages[0].text
    assert "2026-01-30" in first.messages[0].text
    assert [message.role for message in second.messages] == ["system", "user", "assistant", "tool"]
    assert second.messages[2].text == "Cần giá của AAA."
    assert [tool.name for tool in first.tools] == ["history_price", "listing_symbol", "search_web", "time_now"]


def test_a_failed_call_is_looked_at_like_any_other() -> None:
    wrong = {**PRICE, "symbol": "ZZZ"}
    trajectory, model = work(ReactAgent, [calls(("history_price", wrong)), calls(("history_price", PRICE)), "xong"])
    assert [call.error is None for call in trajectory.calls] == [False, True]
    assert "không có mã ZZZ" in said(model.requests[1])


def test_turns_are_limited_where_somebody_says_so() -> None:
    script: list[ScriptedReply] = [
        calls(("time_now", {})),
        calls(("time_now", {})),
        ModelReply("Không rõ.", (ToolRequest("time_now"),)),
    ]
    trajectory, model = work(partial(ReactAgent, turns=3), script)
    assert (trajectory.state, trajectory.output, len(trajectory.calls)) == ("completed", "Không rõ.", 2)
    assert "trả lời ngay" in model.requests[-1].messages[-1].text
    trajectory, _ = work(partial(ReactAgent, turns=1), [calls(("time_now", {}))])
    assert (trajectory.state, trajectory.error) == ("error", "the model gave no answer in 1 turns")


def test_a_model_that_calls_for_ever_ends_at_the_limits_of_the_case() -> None:
    trajectory, _ = work(ReactAgent, lambda _: calls(("time_now", {})))
    assert (trajectory.state, trajectory.error, len(trajectory.calls)) == ("limit", "limit: turns (20)", 20)


def test_own_prompts_and_settings_reach_the_model() -> None:
    agent = partial(ReactAgent, prompts={"react": "Ngắn gọn thôi."}, temperature=0.5, max_tokens=9)
    _, model = work(agent, ["xong"], Case("c", "?"))
    (request,) = model.requests
    assert (request.messages[0].text, request.temperature, request.max_tokens) == ("Ngắn gọn thôi.", 0.5, 9)
    assert agent(model).settings == {
        "temperature": 0.5,
        "max_tokens": 9,
        "prompts": {"react": "Ngắn gọn thôi."},
        "protocol": "native",
        "turns": None,
        "parallel": True,
    }


def test_it_needs_a_model() -> None:
    with pytest.raises(UsageError, match="the agent 'react' needs a model"):
        ReactAgent(None)  # type: ignore[arg-type]  # what the command line hands over without --model


def test_without_tool_calls_it_acts_in_text() -> None:
    trajectory, model = work(text_react, [ACTION, "Thought: đủ rồi\nFinal Answer: 22.000 đồng"])
    assert (trajectory.state, trajectory.output) == ("completed", "22.000 đồng")
    (call,) = trajectory.calls
    assert (call.tool, call.args) == ("history_price", PRICE)
    first, second = model.requests
    assert first.tools == ()
    assert '{"name":"history_price"' in first.messages[0].text
    assert second.messages[-1].text.startswith('Observation: [{"date":"2026-01-05"')


def test_what_a_model_makes_up_after_its_action_is_dropped() -> None:
    invented = f"{ACTION}\nObservation: 99.000\nThought: đã biết\nFinal Answer: 99.000"
    trajectory, model = work(text_react, [invented, "Final Answer: 22.000"])
    assert trajectory.output == "22.000"
    assert "99.000" not in said(model.requests[1])


def test_a_reply_without_form_is_answered_by_the_form_and_at_last_taken_as_it_is() -> None:
    trajectory, model = work(text_react, ["Để tôi xem.", ACTION, "Final Answer: xong"])
    assert trajectory.output == "xong"
    assert events(trajectory, "reply_without_form") == [{"text": "Để tôi xem."}]
    assert "không đúng định dạng" in model.requests[1].messages[-1].text
    trajectory, _ = work(text_react, ["Tôi nghĩ là 5."] * 3)
    assert (trajectory.state, trajectory.output) == ("completed", "Tôi nghĩ là 5.")
    trajectory, _ = work(text_react, [""] * 3)
    assert trajectory.error == "the model gave 3 replies in a row that neither act nor answer"


def test_arguments_in_text_that_are_no_object_are_a_failed_call() -> None:
    trajectory, _ = work(text_react, ["Action: time_now\nAction Input: {oops", "Final Answer: thôi"])
    assert trajectory.calls[0].error == "the arguments are not a JSON object"
    assert events(trajectory, "invalid_arguments")[0]["arguments"] == "{oops"


def test_a_limit_of_turns_holds_in_text_too() -> None:
    same = ["Action: time_now\nAction Input: {}"] * 3
    trajectory, model = work(partial(ReactAgent, protocol="text", turns=3), same, QUESTION)
    assert (trajectory.error, len(trajectory.calls)) == ("the model gave no answer in 3 turns", 2)
    assert "Final Answer ngay" in model.requests[-1].messages[-1].text


@pytest.mark.parametrize(
    ("text", "tool", "args"),
    [
        ('Action: a\nAction Input: {"x": 1}', "a", {"x": 1}),
        ('**Action:** `a`\n**Action Input:** ```json\n{"x": 1}\n```', "a", {"x": 1}),
        ('Action: a({"x": 1})', "a", {"x": 1}),
        ("Action: a", "a", {}),
        ("Action: a()\nAction Input: none", "a", {}),
        ('action: a\naction input: {"x": 1} and so on', "a", {"x": 1}),
        ("Action: a\nAction Input: [1]", "a", None),
        ("Action: a\nAction Input: Hà Nội", "a", None),
        ('Thought: t\nAction: a\nAction Input: {"x": 1}\nFinal Answer: b', "a", {"x": 1}),
    ],
)
def test_actions_are_read_however_they_are_written(text: str, tool: str, args: dict[str, JsonValue] | None) -> None:
    call = read_reply(text).call
    assert call is not None
    assert (call.tool, call.args) == (tool, args)


def test_an_answer_may_hold_words_that_look_like_labels() -> None:
    said_so = read_reply("Thought: t\nFinal Answer: Hai bước.\nAction: mua\nObservation: bán")
    assert (said_so.call, said_so.answer) == (None, "Hai bước.\nAction: mua\nObservation: bán")
    assert read_reply("Final Answer:   ").answer is None
