"""`local:lexical`: a baseline that answers like a model and is none. It has no key, no network and no weights.

It is not a language model. It compares the words of a request with those of the tools, fills arguments by their type
and pattern, and repeats what tools say. Equal requests get equal replies. Every real model should do better.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from toolgauge.core import JsonValue, Message, ModelReply, ModelRequest, ToolDefinition, ToolRequest, Usage

from .lexical_arguments import Known, wanted_calls
from .lexical_choice import answer, choose, content_words, is_vietnamese, overlap, ranked

__all__ = ["NAME", "Lexical"]

NAME = "local:lexical"

WIDE = 0.5
"""Looking back, a tool counts as left out from this share of the best similarity on; to act it takes more."""

MAX_THOUGHT = 80


class Lexical:
    """A baseline in place of a model. It is no language model."""

    remark = "local:lexical is a baseline that compares words, not a language model"
    """What whoever runs it is told."""

    def __init__(self, name: str = NAME) -> None:
        self.name = name

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The reply, by the words of the request alone. There are no tokens to count."""
        return msgspec.structs.replace(reply_to(request), usage=Usage(1))


def reply_to(request: ModelRequest) -> ModelReply:
    """What it says to a request."""
    heard = Heard(request)
    if request.purpose == "act":
        return _act_in_text(heard) if heard.listed and not request.tools else _act(heard)
    if request.purpose == "plan":
        return _as_asked(request, {"steps": list(_plan(heard))})
    if request.purpose == "evaluate":
        return _as_asked(request, _evaluate(heard))
    if request.purpose == "reflect":
        return ModelReply(_reflect(heard))
    if request.purpose == "route":
        return _as_asked(request, _route(heard))
    if request.purpose == "judge":
        return _as_asked(request, _judge(heard))
    if request.purpose == "point":
        return _as_asked(request, {"passage": _point(request.messages[-1].text)})
    return ModelReply(answer(heard.question, heard.results(), vietnamese=heard.vietnamese))


class Heard:
    """What can be taken from a request: the question, the tools, what was called, and what came of it."""

    def __init__(self, request: ModelRequest) -> None:
        self.request = request
        system = "\n".join(message.text for message in request.messages if message.role == "system")
        users = [message.text for message in request.messages if message.role == "user"]
        self.material = _object(users[0]) if users else {}
        said = self.material.get("question")
        self.question = said if isinstance(said, str) else (users[0] if users else "")
        objects = [one for line in system.splitlines() if line.startswith("{") and (one := _object(line))]
        self.listed = tuple(_definition(one) for one in objects if "parameters" in one and "name" in one)
        """Tools that the instructions name without offering them."""
        self.people = [one for one in objects if isinstance(one.get("tools"), list)]
        """Specialists that the instructions name."""
        self.tools = request.tools or self.listed
        self.instructions = "\n".join(line for line in system.splitlines() if not line.startswith("{"))
        self.vietnamese = is_vietnamese(self.question) or is_vietnamese(self.instructions)

    @property
    def named(self) -> list[str]:
        """Tools that the instructions, such as lessons from an earlier attempt, ask for by name."""
        return [tool.name for tool in self.tools if tool.name in self.instructions]

    def calls(self) -> list[tuple[str, Mapping[str, JsonValue]]]:
        """The calls that were made so far."""
        native = [call for message in self.request.messages for call in message.calls]
        if native:
            return [(call.tool, call.args or {}) for call in native]
        return list(_written_calls(self.request.messages))

    def results(self) -> list[JsonValue]:
        """What tools said that did not fail, in order."""
        said = [_value(one.text) for one in self.request.messages if one.role == "tool" and not one.failed]
        if said:
            return said
        if self.material:
            return list(_given(self.material))
        seen = [
            one.text for one in self.request.messages if one.role == "user" and one.text.startswith("Observation: ")
        ]
        texts = [text.removeprefix("Observation: ") for text in seen]
        return [_value(text) for text in texts if not text.startswith("Error: ")]

    def known(self) -> Known:
        """What arguments can be made from."""
        return Known(self.question, self.instructions, tuple(self.results()))


def _act(heard: Heard) -> ModelReply:
    """The next call, or an answer when no tool is left that fits and can be called."""
    call = _next_call(heard)
    if call is None:
        return ModelReply(answer(heard.question, heard.results(), vietnamese=heard.vietnamese))
    return ModelReply(calls=(call,))


def _next_call(heard: Heard) -> ToolRequest | None:
    made = heard.calls()
    known = heard.known()
    max_times = max(1, len(known.tickers))
    for wanted in wanted_calls(heard.tools, known, heard.named):
        name = wanted.tool.name
        times = sum(tool == name for tool, _ in made)
        if not wanted.missing and times < max_times and (name, wanted.args) not in made:
            return ToolRequest(name, wanted.args, f"call_{len(made) + 1}")
    return None


def _act_in_text(heard: Heard) -> ModelReply:
    call = _next_call(heard)
    if call is None:
        return ModelReply(f"Final Answer: {answer(heard.question, heard.results(), vietnamese=heard.vietnamese)}")
    args = msgspec.json.encode(call.args).decode()
    return ModelReply(f"Thought: {call.tool}\nAction: {call.tool}\nAction Input: {args}")


def _plan(heard: Heard) -> Iterator[JsonValue]:
    """Every call that seems to be wanted; what the question does not tell is hoped for in the result of another."""
    ids: dict[str, str] = {}
    for wanted in wanted_calls(heard.tools, heard.known(), heard.named):
        if wanted.missing and not ids:
            continue
        source = ids.get(wanted.provider or "") or next(reversed(ids.values()), "")
        hoped = {name: f"{source}.{name}" for name in wanted.missing}
        mark = f"#E{len(ids) + 1}"
        ids[wanted.tool.name if wanted.tool.name not in ids else mark] = mark
        thought = wanted.tool.description[:MAX_THOUGHT]
        yield {"id": mark, "thought": thought, "tool": wanted.tool.name, "args": {**wanted.args, **hoped}}


def _evaluate(heard: Heard) -> dict[str, JsonValue]:
    """Content unless a call failed, nothing came back, or a tool that fits was left out."""
    made = _objects(heard.material.get("calls"))
    worked = {str(one.get("tool")) for one in made if not one.get("failed")}
    failed = sorted({str(one.get("tool")) for one in made if one.get("failed")} - worked)
    left_out = [
        tool.name for tool in choose(heard.known().subject, heard.tools, min_share=WIDE) if tool.name not in worked
    ]
    if failed:
        return {"satisfied": False, "reason": f"failed: {', '.join(failed)}"}
    if left_out:
        return {"satisfied": False, "reason": f"not called: {', '.join(left_out)}"}
    return {"satisfied": bool(heard.material.get("answer")), "reason": "every tool that fits by its words was called"}


def _reflect(heard: Heard) -> str:
    """Names the tools that the reason of the evaluation names, so that the next attempt takes them."""
    reason = heard.material.get("reason")
    names = [tool.name for tool in heard.tools if isinstance(reason, str) and tool.name in reason]
    opening = "Lần sau hãy gọi:" if heard.vietnamese else "Next time call:"
    return f"{opening} {', '.join(names)}" if names else str(reason or "")


def _route(heard: Heard) -> dict[str, JsonValue]:
    """The specialist that fits best and has not reported; nobody when none is left whose words fit."""
    done = {str(one.get("from")) for one in _objects(heard.material.get("reports"))}
    people = [ToolDefinition(str(one.get("name")), _about(one)) for one in heard.people]
    fitting = [one for one, likeness in ranked(heard.question, people) if likeness > 0]
    waiting = [one.name for one in fitting or people[:1] if one.name not in done]
    if not waiting:
        return {"next": "finish", "task": ""}
    return {"next": waiting[0], "task": heard.question}


def _about(person: Mapping[str, JsonValue]) -> str:
    tools = person.get("tools")
    listed = " ".join(map(str, tools)) if isinstance(tools, list) else ""
    return f"{person.get('description') or ''} {listed.replace('_', ' ')}"


def _judge(heard: Heard) -> dict[str, JsonValue]:
    """The share of the rubric's words that stand in the answer, which is not much of an opinion."""
    rubric, said = str(heard.material.get("rubric") or ""), str(heard.material.get("answer") or "")
    score = round(overlap(content_words(rubric), content_words(said)), 3)
    return {"score": score, "reason": "the share of the rubric's words that the answer has; no language model read it"}


SENTENCE = re.compile(r"[^\s.!?](?:[^.!?\n]|[.!?](?=\S))*")


def _point(text: str) -> str:
    """The sentence with most words of the question, of what stands between two lines that are the same."""
    asked, _, rest = text.partition("\n\n")
    mark, _, inner = rest.partition("\n")
    sentences = [found[0].strip() for found in SENTENCE.finditer(inner.rpartition(f"\n{mark}")[0])]
    wanted = content_words(str(_object(asked).get("question") or ""))
    return max(sentences, key=lambda one: overlap(wanted, content_words(one)), default="")


def _as_asked(request: ModelRequest, found: dict[str, JsonValue]) -> ModelReply:
    """The reply in the schema that was asked for: what it names and nothing else, with empty values for the rest."""
    if request.schema is None:
        return ModelReply(json.dumps(found, ensure_ascii=False))
    properties = request.schema.get("properties")
    wanted = properties if isinstance(properties, dict) else {}
    required = request.schema.get("required")
    names = [*(str(name) for name in required)] if isinstance(required, list) else []
    whole = {name: value for name, value in found.items() if name in wanted}
    for name in names:
        if name not in whole:
            whole[name] = _empty(wanted.get(name))
    return ModelReply(json.dumps(whole, ensure_ascii=False))


def _empty(schema: JsonValue) -> JsonValue:
    """The least that a schema takes."""
    about = schema if isinstance(schema, dict) else {}
    options = about.get("enum")
    if isinstance(options, list) and options:
        return options[0]
    kinds: dict[str, JsonValue] = {"string": "", "number": 0, "integer": 0, "boolean": False, "array": [], "object": {}}
    return kinds.get(str(about.get("type")))


def _object(text: str) -> dict[str, JsonValue]:
    value = _value(text) if text.startswith("{") else None
    return value if isinstance(value, dict) else {}


def _value(text: str) -> JsonValue:
    """A text as JSON where it is some, else as it is."""
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


def _definition(one: Mapping[str, JsonValue]) -> ToolDefinition:
    parameters = one.get("parameters")
    return ToolDefinition(
        str(one["name"]), str(one.get("description") or ""), parameters if isinstance(parameters, dict) else None
    )


def _written_calls(messages: Sequence[Message]) -> Iterator[tuple[str, Mapping[str, JsonValue]]]:
    """Calls in the text protocol."""
    for message in messages:
        lines = message.text.splitlines() if message.role == "assistant" else []
        tools = [line.removeprefix("Action: ") for line in lines if line.startswith("Action: ")]
        given = [line.removeprefix("Action Input: ") for line in lines if line.startswith("Action Input: ")]
        for tool, args in zip(tools, given, strict=False):
            yield tool, _object(args)


def _given(material: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    """Results that stand in the material of a request: as evidence, as calls, or below reports."""
    entries = [one for key in ("evidence", "calls") for one in _objects(material.get(key))]
    entries += [one for report in _objects(material.get("reports")) for one in _objects(report.get("results"))]
    for one in entries:
        if "result" in one and not one.get("failed"):
            result = one["result"]
            yield _value(result) if isinstance(result, str) else result


def _objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
