"""With `answer_line: true` the built-in agents are asked for one last line that says the answer, and else not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

import toolgauge
from tests.agents.market import tools
from tests.agents.working import QUESTION
from toolgauge.agents.opening import AGENTS
from toolgauge.agents.prompting import ANSWERING, opening, phrase
from toolgauge.core import Case, CaseSettings, Expect, ModelReply, ModelRequest, Settings, Suite, Trajectory
from toolgauge.testing import ScriptedModel

LINES = {"vi": '"Đáp án:"', "en": '"Answer:"'}

STEPS = {
    "plan": '{"steps": []}',
    "evaluate": '{"satisfied": true, "reason": "ok"}',
    "route": '{"next": "finish", "task": ""}',
}


def reply(request: ModelRequest) -> ModelReply:
    text = "\n".join(message.text for message in request.messages if message.role == "system")
    said = "AAA đóng cửa ở 12.000 đồng, tăng 500 đồng.\nĐáp án: 12.000 đồng"
    return ModelReply(STEPS.get(request.purpose) or (f"Final Answer: {said}" if "Final Answer" in text else said))


def work(agent: str, case: Case, settings: Settings) -> tuple[Trajectory, Sequence[ModelRequest]]:
    model = ScriptedModel(reply)
    run = toolgauge.run(Suite("market", (case,), settings=settings), agent, model=model, tools=tools(), store=False)
    (scored,) = run.scored
    return scored.trajectory, model.requests


def prompts(requests: Sequence[ModelRequest], line: str) -> dict[str, bool]:
    """By purpose whether the instruction was in the request."""
    return {one.purpose: any(line in message.text for message in one.messages) for one in requests}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("locale", ["vi", "en"])
def test_the_line_is_asked_for_in_the_language_of_the_case_only_where_it_is_set(agent: str, locale: str) -> None:
    case = replace(QUESTION, locale=locale)
    done, requests = work(agent, case, Settings(answer_line=True))
    asked = prompts(requests, LINES[locale])
    assert {purpose for purpose, found in asked.items() if found} == {"solve" if "solve" in asked else "act"}
    assert done.output is not None
    assert done.output.endswith("Đáp án: 12.000 đồng")
    _, plain = work(agent, case, Settings())
    assert not any(prompts(plain, LINES[locale]).values())


def test_a_case_says_otherwise() -> None:
    on, off = (replace(QUESTION, settings=CaseSettings(answer_line=line)) for line in (True, False))
    assert prompts(work("tools", on, Settings())[1], LINES["vi"]) == {"act": True}
    assert prompts(work("tools", off, Settings(answer_line=True))[1], LINES["vi"]) == {"act": False}


def test_words_of_ones_own_get_the_line_too() -> None:
    case = Case("a", settings=CaseSettings(answer_line=True))
    assert opening("tools", case, "mine") == f"mine\n\n{phrase('en', 'answer_line')}"
    assert opening("rewoo-plan", case, "mine") == "mine"
    assert "rewoo-plan" not in ANSWERING


def test_scoring_trusts_the_line() -> None:
    answer = Expect(answer={"type": "number", "value": 12000, "unit": "đồng"})
    case = replace(QUESTION, expect=answer)
    model = ScriptedModel(reply)
    run = toolgauge.run(Suite("m", (case,), settings=Settings(answer_line=True)), "tools", model=model, store=False)
    (scored,) = run.scored
    assert scored.score.answer is not None
    assert scored.score.answer.verdict == "right"
