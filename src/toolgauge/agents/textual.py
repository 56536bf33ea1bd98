"""Tool calls in plain text, for models without a protocol for them: Thought, Action, Action Input, Observation."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import NamedTuple

from toolgauge.core import Message, ModelRequest, Toolbox, ToolRequest
from toolgauge.files import BadJson, decode_json

from .asking import ModelAgent
from .loop import MAX_WRITTEN, AgentFailure, make_call, observations
from .prompting import Language, phrase

__all__ = ["Said", "read_reply", "work_in_text"]

MAX_USELESS = 3
"""After so many replies in a row that neither act nor answer, the model is given up."""

LABELS = re.compile(
    r"^[ \t>*_#]*(?P<label>thought|action input|action|observation|final answer)[ \t*_]*:[ \t*_]*", re.I | re.M
)

CALL = re.compile(r"(?P<tool>[^\s({\[]+)\s*[(\[]?\s*(?P<args>\{.*\})?\s*[)\]]?", re.S)


class Said(NamedTuple):
    """What a reply in the text protocol says."""

    text: str
    """The reply without what the model made up after it, such as the results of its own call."""
    call: ToolRequest | None = None
    answer: str | None = None


def read_reply(text: str) -> Said:
    """Read a reply. The first action or answer counts; observations are not for the model to write."""
    labels = list(LABELS.finditer(text))
    pieces: dict[str, str] = {}
    end = len(text)
    for number, label in enumerate(labels):
        name = label["label"].lower()
        following = labels[number + 1].start() if number + 1 < len(labels) else len(text)
        if name == "observation" or name in pieces or (name == "final answer" and "action" in pieces):
            end = label.start()
            break
        pieces[name] = text[label.end() : following].strip()
        if name == "final answer":
            # What an answer says may look like a label.
            pieces[name] = text[label.end() :].strip()
            break
    said = text[:end].strip()
    if pieces.get("action"):
        return Said(said, call=_call(pieces["action"], pieces.get("action input")))
    return Said(said, answer=pieces.get("final answer") or None)


def _call(action: str, given: str | None) -> ToolRequest:
    found = CALL.match(action.strip("` \n"))
    tool = action if found is None else found["tool"].strip("`'\"*_ ")
    beside = "" if found is None else found["args"] or ""
    written = (beside if given is None else given).strip()
    written = re.sub(r"^```(?:json)?\s*", "", written).removesuffix("```").rstrip()
    if written.lower() in ("", "none", "null"):
        return ToolRequest(tool, {})
    try:
        # What a model adds behind the object is of no use to anybody.
        value, _ = json.JSONDecoder().raw_decode(written)
        value = decode_json(json.dumps(value).encode("ascii"))
    except (ValueError, RecursionError, BadJson):
        return ToolRequest(tool, None, written=written)
    return ToolRequest(tool, value) if isinstance(value, dict) else ToolRequest(tool, None, written=written)


async def work_in_text(
    agent: ModelAgent, messages: list[Message], tools: Toolbox, language: Language, *, turns: int | None = None
) -> str:
    """Continue a conversation until there is an answer.

    Raises:
        AgentFailure: The model neither acts nor answers, over and over.
        ModelError: The model does not answer.
    """
    made: Counter[str] = Counter()
    useless = asked = 0
    while True:
        asked += 1
        last = turns is not None and asked >= turns
        if last and asked > 1:
            messages[-1] = Message("user", f"{messages[-1].text}\n\n{phrase(language, 'react.last')}")
        request = ModelRequest(tuple(messages), temperature=agent.temperature, max_tokens=agent.max_tokens)
        said = read_reply((await tools.ask(agent.model, request)).text)
        if said.answer is not None:
            return said.answer
        if last:
            raise AgentFailure(f"the model gave no answer in {turns} turns")
        if said.call is None:
            useless += 1
            tools.tell("reply_without_form", text=said.text[:MAX_WRITTEN])
            if useless == MAX_USELESS:
                if said.text:
                    return said.text  # it will not learn the format, and this may be an answer
                raise AgentFailure(f"the model gave {MAX_USELESS} replies in a row that neither act nor answer")
            messages += [
                Message("assistant", said.text or "Thought:"),
                Message("user", phrase(language, "react.format")),
            ]
            continue
        useless = 0
        call = ToolRequest(said.call.tool, said.call.args, f"t{asked}", said.call.written)
        (seen,) = observations([call], [await make_call(call, tools)], made, phrase(language, "react.repeated"))
        messages += [Message("assistant", said.text), Message("user", f"Observation: {seen.text}")]
