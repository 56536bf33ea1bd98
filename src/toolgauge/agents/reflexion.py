"""Reflexion: try, judge the own attempt, put into words what went wrong, and try again with that in mind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from toolgauge.core import Case, JsonValue, Message, Toolbox

from .asking import MAX_READ, ModelAgent, read_object, tool_lines
from .loop import AgentFailure
from .prompting import language_of

__all__ = ["ReflexionAgent"]

EVALUATION_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"satisfied": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["satisfied", "reason"],
    "additionalProperties": False,
}


class _Evaluation(Struct):
    satisfied: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """One round: what was called and what was answered."""

    answer: str
    """Empty where there is none."""
    failure: str
    calls: tuple[JsonValue, ...]


@dataclass(frozen=True, slots=True)
class ReflexionAgent(ModelAgent):
    """Tries several times, and takes from each round what it says it has learnt."""

    name: str = field(default="reflexion", kw_only=True)
    rounds: int = field(default=3, kw_only=True)
    """The most attempts."""
    turns: int = field(default=5, kw_only=True)
    """How often the model is asked in one attempt at most. With three rounds all fits into twenty turns."""
    parallel: bool = field(default=True, kw_only=True)

    async def __call__(self, case: Case, tools: Toolbox) -> str:
        """Work on a case.

        Raises:
            AgentFailure: No attempt came to an answer.
            ModelError: The model does not answer.
        """
        lessons: list[str] = []
        answer = failure = ""
        for number in range(1, self.rounds + 1):
            tools.begin_round(number)
            attempt = await self._try(case, tools, lessons)
            answer, failure = attempt.answer or answer, attempt.failure
            if number == self.rounds:
                # Nothing could follow from an evaluation any more.
                tools.tell("round", number=number, calls=len(attempt.calls), satisfied=None, reason=attempt.failure)
                break
            verdict = await self._evaluate(case, tools, attempt)
            told: dict[str, JsonValue] = {"number": number, "calls": len(attempt.calls)}
            if isinstance(verdict, str):
                # Without an opinion there is no reason for another round.
                tools.tell("round", **told, satisfied=None, reason=f"the evaluation cannot be read: {verdict}")
                break
            tools.tell("round", **told, satisfied=verdict.satisfied, reason=verdict.reason[:MAX_READ])
            if verdict.satisfied:
                break
            lessons.append(await self._reflect(case, tools, attempt, verdict.reason, lessons))
            tools.tell("reflection", round=number, text=lessons[-1])
        if not answer:
            raise AgentFailure(f"no attempt produced an answer; the last one: {failure}")
        return answer

    async def _try(self, case: Case, tools: Toolbox, lessons: Sequence[str]) -> _Attempt:
        listed = "\n".join(f"- {lesson}" for lesson in lessons) or "-"
        prompt = self.prompt("reflexion-act", case, lessons=listed)
        messages = [Message("system", prompt), Message("user", case.input)]
        answer = failure = ""
        try:
            answer = await self.loop(parallel=self.parallel).work(messages, tools, language_of(case), turns=self.turns)
        except AgentFailure as error:
            failure = str(error)
        return _Attempt(answer, failure, tuple(_calls(messages)))

    async def _evaluate(self, case: Case, tools: Toolbox, attempt: _Attempt) -> _Evaluation | str:
        """What the model thinks of the attempt, or why that cannot be read. No answer at all needs no opinion."""
        if not attempt.answer:
            return _Evaluation(False, attempt.failure)
        prompt = self.prompt("reflexion-evaluate", case, tools=tool_lines(tools.definitions))
        reply = await self.ask(tools, "evaluate", prompt, _material(case, attempt), EVALUATION_SCHEMA)
        return read_object(reply.text, _Evaluation)

    async def _reflect(self, case: Case, tools: Toolbox, attempt: _Attempt, reason: str, lessons: Sequence[str]) -> str:
        """What to do differently; the reason itself where the model has nothing to say."""
        prompt = self.prompt("reflexion-reflect", case, tools=tool_lines(tools.definitions))
        material = {**_material(case, attempt), "reason": reason[:MAX_READ], "earlier_lessons": list(lessons)}
        reply = await self.ask(tools, "reflect", prompt, material)
        return (reply.text.strip() or reason)[:MAX_READ]


def _material(case: Case, attempt: _Attempt) -> dict[str, JsonValue]:
    return {"question": case.input, "calls": list(attempt.calls), "answer": attempt.answer[:MAX_READ] or None}


def _calls(messages: Sequence[Message]) -> Iterator[JsonValue]:
    """The calls of a conversation with what came of each."""
    waiting = [call for message in messages for call in message.calls]
    results = [message for message in messages if message.role == "tool"]
    for call, result in zip(waiting, results, strict=True):
        yield {
            "tool": call.tool,
            "args": call.args if call.args is not None else call.written[:MAX_READ],
            "failed": result.failed,
            "result": result.text[:MAX_READ],
        }
