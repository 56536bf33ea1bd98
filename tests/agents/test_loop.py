"""The plain tool-calling loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tests.runner.weather import TOOL
from toolgauge.agents import AgentFailure, ToolsAgent
from toolgauge.core import Case, Limits, ModelReply, ModelRequest, ToolRequest
from toolgauge.errors import ModelError, UsageError
from toolgauge.runner import Trial
from toolgauge.testing import ScriptedModel, ScriptedReply
from toolgauge.tools import Box, from_definition

CASE = Case("c", "Weather in Hanoi?")


def wants(*cities: str) -> ModelReply:
    return ModelReply(calls=tuple(ToolRequest("get_weather", {"city": city}, f"id-{city}") for city in cities))


def work(replies: Sequence[ScriptedReply], case: Case = CASE, **settings: bool) -> tuple[str, Trial, ScriptedModel]:
    model = ScriptedModel(replies)
    trial = Trial(Box([from_definition(TOOL)]), Limits())
    answer = asyncio.run(ToolsAgent(model, **settings)(case, trial))  # type: ignore[arg-type]  # only switches here
    return answer, trial, model


def test_calls_are_made_and_their_results_given_back_until_there_is_an_answer() -> None:
    answer, trial, model = work([wants("Hanoi"), "31 degrees."])
    assert answer == "31 degrees."
    (call,) = trial.calls
    assert (call.tool, call.args, call.result, call.turn, call.id) == (
        "get_weather",
        {"city": "Hanoi"},
        {"celsius": 31},
        1,
        "id-Hanoi",
    )
    first, second = model.requests
    assert [message.role for message in first.messages] == ["system", "user"]
    assert [message.role for message in second.messages] == ["system", "user", "assistant", "tool"]
    assert (second.messages[-1].text, second.messages[-1].call_id) == ('{"celsius":31}', "id-Hanoi")
    assert first.tools == (TOOL,)


@pytest.mark.parametrize("parallel", [True, False])
def test_calls_of_a_turn_are_recorded_and_answered_in_their_order(parallel: bool) -> None:
    _, trial, model = work([wants("Hue", "Hanoi", "Vinh"), "done"], parallel=parallel)
    assert [call.args for call in trial.calls] == [{"city": "Hue"}, {"city": "Hanoi"}, {"city": "Vinh"}]
    assert {call.turn for call in trial.calls} == {1}
    assert [message.call_id for message in model.requests[1].messages[3:]] == ["id-Hue", "id-Hanoi", "id-Vinh"]


def test_an_empty_reply_is_answered_and_many_are_a_failure() -> None:
    answer, _, model = work(["", "  ", "Here I am."])
    assert answer == "Here I am."
    assert model.requests[1].messages[-1].role == "user"
    with pytest.raises(AgentFailure, match="3 empty replies in a row"):
        work(["", "", ""])


def test_arguments_that_are_no_object_are_answered_as_an_error_and_recorded() -> None:
    broken = ModelReply(calls=(ToolRequest("get_weather", None, "x", '{"city": '),))
    answer, trial, model = work([broken, "sorry"])
    assert answer == "sorry"
    assert trial.calls[0].error == "the arguments are not a JSON object"
    assert trial.events == [{"kind": "invalid_arguments", "tool": "get_weather", "id": "x", "arguments": '{"city": '}]
    assert model.requests[1].messages[-1].failed


@pytest.mark.parametrize("name", ["get_wether", "", "<b>\n"])
def test_an_unknown_tool_is_answered_as_an_error_and_the_loop_goes_on(name: str) -> None:
    answer, trial, model = work([ModelReply(calls=(ToolRequest(name, {}, "x"),)), "never mind"])
    assert answer == "never mind"
    assert trial.calls[0].tool == name
    assert "there is no tool" in model.requests[1].messages[-1].text


def test_a_thousand_calls_at_once_are_capped_with_a_note() -> None:
    _, trial, model = work([wants(*map(str, range(1000))), "done"])
    assert len(trial.calls) == 32
    assert trial.events == [{"kind": "calls_capped", "asked": 1000, "made": 32}]
    last = model.requests[1].messages
    assert len(last[2].calls) == 32
    assert "first 32 of 1000" in last[-1].text


def test_a_model_that_repeats_itself_is_told_so() -> None:
    _, trial, model = work([wants("Hanoi")] * 4 + [ModelReply("31")])
    assert len(trial.calls) == 4
    assert "same call" not in model.requests[2].messages[-1].text
    assert "The same call was made 3 times" in model.requests[3].messages[-1].text


def test_calls_without_an_id_get_one() -> None:
    reply = ModelReply(calls=(ToolRequest("get_weather", {"city": "a"}), ToolRequest("get_weather", {"city": "b"})))
    _, _, model = work([reply, "done"])
    assert [message.call_id for message in model.requests[1].messages[-2:]] == ["c1", "c2"]


def test_an_id_that_a_model_gives_twice_is_told_apart() -> None:
    same = ModelReply(calls=(ToolRequest("get_weather", {"city": "a"}, "x"), ToolRequest("get_weather", {}, "x")))
    _, trial, model = work([same, same, ModelReply(calls=(ToolRequest("get_weather", {}),)), "done"])
    marks = [message.call_id for message in model.requests[-1].messages if message.role == "tool"]
    assert marks == ["x", "x-2", "x-3", "x-4", "c1"]
    assert [call.id for call in trial.calls] == marks


def test_arguments_that_cannot_be_read_are_only_the_same_where_they_are_written_alike() -> None:
    def broken(written: str) -> ModelReply:
        return ModelReply(calls=(ToolRequest("get_weather", None, "x", written),))

    _, _, model = work([broken("{a"), broken("{b"), broken("{c"), "done"])
    assert "same call" not in model.requests[-1].messages[-1].text
    _, _, model = work([broken("{a"), broken("{a"), broken("{a"), "done"])
    assert "The same call was made 3 times" in model.requests[-1].messages[-1].text


def test_the_prompt_is_in_the_language_of_the_case_and_says_what_day_it_is() -> None:
    for locale, word in (("vi", "công cụ"), ("en", "tools"), (None, "tools")):
        case = Case("c", "?", locale=locale, now="2026-01-31")  # type: ignore[arg-type]  # the three there are
        _, _, model = work(["answer"], case)
        assert word in model.requests[0].messages[0].text
        assert "2026-01-31" in model.requests[0].messages[0].text


def test_settings_reach_the_model() -> None:
    model = ScriptedModel(["answer"])
    agent = ToolsAgent(model, prompt="Be brief.", temperature=0.0, max_tokens=7)
    asyncio.run(agent(CASE, Trial(Box(), Limits())))
    request: ModelRequest = model.requests[0]
    assert (request.messages[0].text, request.temperature, request.max_tokens) == ("Be brief.", 0.0, 7)


def test_a_model_that_does_not_answer_ends_the_work() -> None:
    with pytest.raises(ModelError):
        work([ModelError("gone", kind="connection")])


def test_it_needs_a_model() -> None:
    with pytest.raises(UsageError, match="needs a model; name one with --model"):
        ToolsAgent(None)  # type: ignore[arg-type]  # what the command line hands over without --model
