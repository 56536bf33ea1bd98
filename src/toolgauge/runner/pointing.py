"""Asking a language model which passage of an answer answers the question.

What it says is an opinion that scoring reads from the trajectory, and never by default. It can only point: a passage
that does not stand in the answer letter by letter is not used.
"""

from __future__ import annotations

import asyncio

import msgspec
from msgspec import Struct

from toolgauge.agents.prompting import prompt_of
from toolgauge.core import POINTER, Case, JsonValue, Message, Model, ModelRequest
from toolgauge.errors import ModelError

from .quoting import mark_around, unfenced
from .trial import NOT_RECORDED

__all__ = ["POINTING_SCHEMA", "pointer"]

SECONDS = 120.0
"""How long it may take."""

MAX_CHARACTERS = 20_000
"""Of a longer answer only this much is read."""

POINTING_SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {"passage": {"type": "string"}},
    "required": ["passage"],
    "additionalProperties": False,
}


class _Pointed(Struct, frozen=True, forbid_unknown_fields=True):
    passage: str


async def pointer(model: Model, case: Case, output: str) -> dict[str, JsonValue]:
    """The event that a trajectory keeps of what a model points to: the passage, or why there is none.

    Raises:
        ModelError: No request to this model can succeed, or a record does not hold this one.
        OutputError: What it said could not be recorded.
    """
    event: dict[str, JsonValue] = {"kind": POINTER, "model": model.name}
    try:
        async with asyncio.timeout(SECONDS):
            reply = await model.ask(_request(case, output))
    except ModelError as error:
        if error.fatal or error.kind == NOT_RECORDED:
            raise
        return {**event, "error": str(error)}
    except TimeoutError:
        return {**event, "error": f"no reply after {SECONDS:g} s"}
    if reply.usage is not None:
        event["usage"] = msgspec.to_builtins(reply.usage)
    try:
        passage = msgspec.json.decode(unfenced(reply.text), type=_Pointed).passage.strip()
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        return {**event, "error": f"the model did not reply as asked: {error}"}
    if not passage:
        return {**event, "error": "it says that nothing answers the question"}
    if passage not in output:
        return {**event, "error": "what it points to is not in the answer"}
    return {**event, "passage": passage}


def _request(case: Case, output: str) -> ModelRequest:
    mark = mark_around(output, case.input)
    question = msgspec.json.encode({"question": case.input}).decode()
    return ModelRequest(
        (
            Message("system", prompt_of("point", case).replace("{mark}", mark)),
            Message("user", f"{question}\n\n{mark}\n{output[:MAX_CHARACTERS]}\n{mark}"),
        ),
        purpose="point",
        schema=POINTING_SCHEMA,
        temperature=0.0,
    )
