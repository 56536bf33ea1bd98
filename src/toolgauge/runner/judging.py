"""Asking a language model for its opinion on an answer. Nothing it says, or fails to say, changes a verdict."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from toolgauge.agents.prompting import prompt_of
from toolgauge.core import JUDGE, Case, JsonValue, Message, Model, ModelRequest
from toolgauge.errors import ModelError

from .quoting import mark_around, unfenced
from .trial import NOT_RECORDED

__all__ = ["SCHEMA", "opinion"]

SECONDS = 120.0
"""How long a judge may take."""

MAX_CHARACTERS = 20_000
"""Of a longer answer the judge reads only this much."""

SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "properties": {
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "reason": {"type": "string"},
    },
    "required": ["score", "reason"],
    "additionalProperties": False,
}


class _Opinion(Struct, frozen=True, forbid_unknown_fields=True):
    score: Annotated[float, Meta(ge=0, le=1)]
    reason: str = ""


async def opinion(model: Model, case: Case, answer: str | None) -> dict[str, JsonValue]:
    """The event that a trajectory keeps of what the judge said: its score, or why there is none.

    Raises:
        ModelError: No request to this model can succeed, or a record does not hold this one.
        OutputError: What it said could not be recorded.
    """
    event: dict[str, JsonValue] = {"kind": JUDGE, "model": model.name}
    try:
        async with asyncio.timeout(SECONDS):
            reply = await model.ask(_request(case, answer or ""))
        found = msgspec.json.decode(unfenced(reply.text), type=_Opinion)
    except ModelError as error:
        if error.fatal or error.kind == NOT_RECORDED:
            raise
        return {**event, "error": str(error)}
    except TimeoutError:
        return {**event, "error": f"no reply after {SECONDS:g} s"}
    except (msgspec.MsgspecError, UnicodeEncodeError) as error:
        return {**event, "error": f"the judge did not reply as asked: {error}"}
    if reply.usage is not None:
        event["usage"] = msgspec.to_builtins(reply.usage)
    return {**event, "score": found.score, "reason": found.reason}


def _request(case: Case, answer: str) -> ModelRequest:
    rubric = case.judge.rubric if case.judge is not None else ""
    asked = msgspec.json.encode({"question": case.input, "rubric": rubric}).decode()
    judged = answer[:MAX_CHARACTERS]
    mark = mark_around(judged, case.input, rubric)
    return ModelRequest(
        (
            Message("system", prompt_of("judge", case).replace("{mark}", mark)),
            Message("user", f"{asked}\n\n{mark}\n{judged}\n{mark}"),
        ),
        purpose="judge",
        schema=SCHEMA,
        temperature=0.0,
    )
