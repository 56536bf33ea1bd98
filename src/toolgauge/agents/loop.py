"""The plain tool-calling loop: ask, make the calls that were asked for, give the results back, until there are none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from toolgauge.core import Case, Message, Model, ModelReply, ModelRequest, Toolbox, ToolRequest, ToolResult
from toolgauge.errors import UsageError

from .prompting import Language, language_of, opening, phrase

__all__ = ["MAX_WRITTEN", "AgentFailure", "ToolsAgent", "call_key", "make_call", "observations"]

MAX_CALLS_A_TURN = 32
"""More calls than these in one reply are not made, and left out of the conversation."""

MAX_EMPTY = 3
"""After so many replies in a row that say nothing and call nothing, the model is given up."""

MAX_WRITTEN = 2_000
"""How many characters of arguments that cannot be read are kept."""

MANY_TIMES = 3
"""When an identical call was made so often, the model is told that it repeats itself."""


class AgentFailure(Exception):  # noqa: N818 - what an agent says of itself, not a fault of the program
    """An agent gives up, and says why."""


@dataclass(frozen=True, slots=True)
class ToolsAgent:
    """An agent that leaves everything to the model. It keeps nothing between cases, so one serves all of them."""

    model: Model
    name: str = field(default="tools", kw_only=True)
    prompt: str | None = field(default=None, kw_only=True)
    """The system prompt; None: a short one in the language of the case."""
    temperature: float | None = field(default=None, kw_only=True)
    max_tokens: int | None = field(default=None, kw_only=True)
    parallel: bool = field(default=True, kw_only=True)
    """Whether the calls of one reply are made at the same time."""

    uses_toolbox = True
    """Without the tools of the run it has none."""

    def __post_init__(self) -> None:
        if self.model is None:
            raise UsageError(f"the agent {self.name!r} needs a model; name one with --model")

    @property
    def settings(self) -> dict[str, str | float | bool | None]:
        """What makes it behave as it does, for telling one run from another."""
        return {
            "prompt": self.prompt,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "parallel": self.parallel,
        }

    async def __call__(self, case: Case, tools: Toolbox) -> str:
        """Work on a case.

        Raises:
            AgentFailure: The model says nothing, over and over.
            ModelError: The model does not answer.
        """
        messages = [Message("system", opening("tools", case, self.prompt)), Message("user", case.input)]
        return await self.work(messages, tools, language_of(case))

    async def work(
        self, messages: list[Message], tools: Toolbox, language: Language, *, turns: int | None = None
    ) -> str:
        """Continue a conversation until there is an answer; all that is said is added to it.

        Args:
            messages: What was said so far.
            tools: What may be called.
            language: What the model is spoken to in.
            turns: How often it is asked; the last time it is told to answer, and calls are not made any more.

        Raises:
            AgentFailure: The model says nothing, over and over, or calls to the last.
            ModelError: The model does not answer.
        """
        made: dict[str, int] = {}
        marks: set[str] = set()
        empty = asked = 0
        while True:
            asked += 1
            last = turns is not None and asked >= turns
            if last and asked > 1:
                messages.append(Message("user", phrase(language, "loop.last")))
            reply = await tools.ask(self.model, self._request(messages, tools))
            if not reply.calls or last:
                if reply.text.strip():
                    messages.append(Message("assistant", reply.text))
                    return reply.text
                if last:
                    raise AgentFailure(f"the model gave no answer in {turns} turns")
                empty += 1
                if empty == MAX_EMPTY:
                    raise AgentFailure(f"the model gave {MAX_EMPTY} empty replies in a row")
                messages.append(Message("user", phrase(language, "loop.empty")))
                continue
            empty = 0
            calls = _capped(reply, tools, marks)
            messages.append(Message("assistant", reply.text, calls))
            results = await self._make(calls, tools)
            messages += observations(calls, results, made, phrase(language, "loop.repeated"))
            if len(calls) < len(reply.calls):
                note = phrase(language, "loop.capped").format(made=len(calls), asked=len(reply.calls))
                messages.append(Message("user", note))

    def _request(self, messages: Sequence[Message], tools: Toolbox) -> ModelRequest:
        return ModelRequest(
            tuple(messages), tools.definitions, "act", temperature=self.temperature, max_tokens=self.max_tokens
        )

    async def _make(self, calls: Sequence[ToolRequest], tools: Toolbox) -> list[ToolResult]:
        if len(calls) == 1 or not self.parallel:
            return [await make_call(call, tools) for call in calls]
        return list(await asyncio.gather(*(make_call(call, tools) for call in calls)))


async def make_call(call: ToolRequest, tools: Toolbox) -> ToolResult:
    """Make a call that a model asks for. Of its arguments everything is recorded, as it was written.

    That matters where they are no JSON object, and where a key stands twice in them.
    """
    if call.args is None:
        tools.tell("invalid_arguments", tool=call.tool, id=call.id, arguments=call.written[:MAX_WRITTEN])
    elif call.written:
        tools.tell("repeated_arguments", tool=call.tool, id=call.id, arguments=call.written[:MAX_WRITTEN])
    return await tools.call(call.tool, call.args, id=call.id)


def _capped(reply: ModelReply, tools: Toolbox, marks: set[str]) -> tuple[ToolRequest, ...]:
    """The calls of a reply that are made, each with an id that no other call of the conversation has.

    Some servers give no ids, or the same in every reply; providers refuse a conversation in which one stands twice.
    """
    if len(reply.calls) > MAX_CALLS_A_TURN:
        tools.tell("calls_capped", asked=len(reply.calls), made=MAX_CALLS_A_TURN)
    marked = []
    for number, call in enumerate(reply.calls[:MAX_CALLS_A_TURN], 1):
        given = call.id or f"c{number}"
        mark, again = given, 1
        while mark in marks:
            again += 1
            mark = f"{given}-{again}"
        marks.add(mark)
        marked.append(call if mark == call.id else msgspec.structs.replace(call, id=mark))
    return tuple(marked)


_write = json.JSONEncoder(sort_keys=True).encode


def call_key(call: ToolRequest) -> str:
    """What two calls have in common that are the same; arguments that cannot be read count as they were written."""
    return _write([call.tool, call.written if call.args is None else call.args])


def observations(
    calls: Sequence[ToolRequest], results: Sequence[ToolResult], made: dict[str, int], repeated: str
) -> list[Message]:
    """What the model gets to read of the results, in the order of its calls.

    Args:
        calls: What it asked for.
        results: What came of it.
        made: How often each call was made, which is kept up here.
        repeated: What it is told when it repeats itself.
    """
    answers = []
    for call, result in zip(calls, results, strict=True):
        text = result.text or (f"Error: {result.error}" if result.error is not None else "")
        key = call_key(call)
        times = made[key] = made.get(key, 0) + 1
        if times >= MANY_TIMES:
            text = f"{text}\n{repeated.format(times=times)}"
        answers.append(Message("tool", text, call_id=call.id, tool=call.tool, failed=result.error is not None))
    return answers
