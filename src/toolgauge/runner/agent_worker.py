"""The process behind an isolated agent: imports it, and lets it work on one case after the other."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import msgspec
from msgspec.structs import replace

from toolgauge.agents import agent_of, call_agent, name_of
from toolgauge.core import (
    Agent,
    Case,
    JsonValue,
    Model,
    ModelReply,
    ModelRequest,
    ToolDefinition,
    ToolResult,
    described,
)
from toolgauge.errors import ModelError, ToolgaugeError, UsageError
from toolgauge.models import Retry, watch_retries
from toolgauge.plugins import load_object
from toolgauge.secrets import Secrets
from toolgauge.tools import Serving, plain, plain_arguments

from .agent_task import described_agent, failure, read_reply
from .journal import retry_event
from .plain import storable

__all__ = ["main"]

NO_ARGUMENTS: Mapping[str, JsonValue] = {}


def main() -> None:
    """Run cases until the requests end."""
    serving = Serving()
    try:
        agent = agent_of(load_object(serving.target, allow_code=True), serving.target)
    except ToolgaugeError as error:
        serving.reply({"refused": str(error), "usage": isinstance(error, UsageError)})
        return
    uses_toolbox = bool(getattr(agent, "uses_toolbox", False))
    known = plain(described_agent(agent))
    serving.reply({"name": name_of(agent), "described": known, "uses_toolbox": uses_toolbox})
    with asyncio.Runner() as runner:
        runner.run(_serve(serving, agent))


async def _serve(serving: Serving, agent: Agent) -> None:
    loop = asyncio.get_running_loop()
    begun: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    box = _Box(serving, ())

    def hear() -> None:
        for said in serving.requests():
            loop.call_soon_threadsafe(take, said)
        os._exit(0)  # nobody asks any more, whatever the agent is doing

    def take(said: dict[str, Any]) -> None:
        if "begin" in said:
            begun.put_nowait(said["begin"])
        else:
            box.take(said)

    threading.Thread(target=hear, name="toolgauge pipe", daemon=True).start()
    while True:
        begin = await begun.get()
        case = msgspec.convert(begin["case"], Case)
        box = _Box(serving, msgspec.convert(begin["definitions"], tuple[ToolDefinition, ...]))
        done = await _work(agent, case, box)
        box.over = True
        serving.reply({"done": done})


async def _work(agent: Agent, case: Case, box: _Box) -> JsonValue:
    """What the agent did by its own account, however that ended."""
    try:
        with watch_retries(box.retried):
            replied = read_reply(await call_agent(agent, case, box))
    except BaseException as error:  # noqa: BLE001 - whatever it raises is how its trial ended
        replied = failure(error)
    try:
        # Whose it is, is said elsewhere; here it only has to be said.
        whole = replace(replied, case=case.id, agent="", trial=1)
        done: JsonValue = msgspec.to_builtins(storable(whole, Secrets({})))
    except Exception as error:  # noqa: BLE001 - and whatever its answer does
        done = msgspec.to_builtins(failure(error))
    return done


_numbers = count(1)
"""Of what is asked, over all cases: an answer that comes late is nobody else's."""


class _Box:
    """The box of tools of the other process."""

    def __init__(self, serving: Serving, definitions: tuple[ToolDefinition, ...], whole: _Box | None = None) -> None:
        self._serving = serving
        self._whole = whole
        self._waiting: dict[int, asyncio.Future[JsonValue]] = {} if whole is None else whole._waiting
        self.definitions = definitions
        self.over = False
        """Whether the case is over. What is done about it later is nobody's business any more."""

    def take(self, said: Mapping[str, Any]) -> None:
        """Hand an answer to whoever waits for it."""
        waiting = self._waiting.pop(said["number"], None)
        if waiting is not None and not waiting.done():
            waiting.set_result(said["result"])

    async def call(self, tool: str, args: Mapping[str, JsonValue] | None = NO_ARGUMENTS, *, id: str = "") -> ToolResult:  # noqa: A002
        written, fault = (None, "") if args is None else plain_arguments(args)
        only: JsonValue = None if self._whole is None else [one.name for one in self.definitions]
        made: dict[str, JsonValue] = {
            "tool": plain(tool),
            "args": written,
            "fault": fault,
            "id": plain(id),
            "only": only,
        }
        return msgspec.convert(await self._answer("call", next(_numbers), made), ToolResult)

    async def ask(self, model: Model, request: ModelRequest) -> ModelReply:
        number = next(_numbers)
        await self._answer("ask", number, {})
        told: dict[str, JsonValue] = {"reply": None, "error": None}
        try:
            reply = await model.ask(request)
            told["reply"] = plain(msgspec.to_builtins(reply, enc_hook=str))
        except ModelError as error:
            told["error"] = {"words": str(error), "kind": error.kind, "status": error.status, "fatal": error.fatal}
            raise
        except BaseException as error:
            told["error"] = {"words": described(error), "kind": "error", "status": None, "fatal": False}
            raise
        finally:
            self._say("asked", number=number, **told)
        return reply

    def tell(self, kind: str, **what: JsonValue) -> None:
        self._say("tell", event=plain(kind), what=plain(what))

    def retried(self, retry: Retry) -> None:
        """Record that a model of the agent's own is asked again."""
        event = retry_event(retry)
        self._say("tell", event=event.pop("kind"), what=event)

    def begin_round(self, number: int) -> None:
        self._say("round", number=number)

    def only(self, names: Sequence[str]) -> _Box:
        return _Box(self._serving, tuple(one for one in self.definitions if one.name in names), self._whole or self)

    async def _answer(self, kind: str, number: int, what: Mapping[str, JsonValue]) -> JsonValue:
        waiting: asyncio.Future[JsonValue] = asyncio.get_running_loop().create_future()
        self._waiting[number] = waiting
        self._say(kind, number=number, **what)
        return await waiting

    def _say(self, kind: str, **what: JsonValue) -> None:
        if not (self._whole or self).over:
            self._serving.reply({"kind": kind, **what})


if __name__ == "__main__":
    main()
