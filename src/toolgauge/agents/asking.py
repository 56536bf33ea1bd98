"""What the agents that toolgauge brings have in common: a model, its prompts, and replies that are JSON objects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TypeVar

import msgspec

from toolgauge.core import Case, JsonValue, Message, Model, ModelReply, ModelRequest, Purpose, Toolbox, ToolDefinition
from toolgauge.errors import UsageError
from toolgauge.files import BadJson, decode_json

from .loop import ToolsAgent
from .prompting import opening

__all__ = ["ModelAgent", "read_object", "tool_lines"]

MAX_STARTS = 50
"""How many opening braces of a reply are tried before it is said to hold no JSON object."""

MAX_READ = 4_000
"""Of a longer result a model that plans, evaluates or solves gets only so many characters to read."""

PLACE = re.compile(r"\{(\w+)\}")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ModelAgent:
    """An agent around a model. It keeps nothing between cases, so one serves all of them."""

    model: Model
    name: str = field(default="agent", kw_only=True)
    temperature: float | None = field(default=None, kw_only=True)
    """None: the provider's own."""
    max_tokens: int | None = field(default=None, kw_only=True)
    """The most tokens of a single reply."""
    prompts: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    """Words in place of the shipped files, by the name of the file without language and ending."""

    uses_toolbox = True
    """Without the tools of the run it has none."""

    def __post_init__(self) -> None:
        if self.model is None:
            raise UsageError(f"the agent {self.name!r} needs a model; name one with --model")

    @property
    def settings(self) -> dict[str, JsonValue]:
        """What makes it behave as it does, for telling one run from another."""
        kept = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("model", "name")}
        # Through JSON, so that they are equal to what a store gives back.
        plain: dict[str, JsonValue] = msgspec.json.decode(msgspec.json.encode(kept))
        return plain

    def prompt(self, part: str, case: Case, **places: str) -> str:
        """The system prompt of a part of the work, in the language of the case, with its places filled."""
        words = opening(part, case, self.prompts.get(part))
        # All at once, so that what fills one place is not searched for another.
        return PLACE.sub(lambda found: places.get(found[1], found[0]), words)

    def loop(self, *, parallel: bool = True) -> ToolsAgent:
        """The tool-calling loop with the settings of this agent."""
        return ToolsAgent(
            self.model, name=self.name, temperature=self.temperature, max_tokens=self.max_tokens, parallel=parallel
        )

    async def ask(
        self,
        tools: Toolbox,
        purpose: Purpose,
        prompt: str,
        material: Mapping[str, object],
        schema: Mapping[str, JsonValue] | None = None,
    ) -> ModelReply:
        """Ask for one step around the work itself. What it is about goes as JSON, so that none of it reads as an order.

        Raises:
            ModelError: The model does not answer.
        """
        about = json.dumps(material, ensure_ascii=False, separators=(",", ":"))
        # Half of a surrogate pair, which a model that was cut may leave, is written as JSON writes it.
        about = about.encode("utf-8", "backslashreplace").decode("utf-8")
        return await tools.ask(
            self.model,
            ModelRequest(
                (Message("system", prompt), Message("user", about)),
                purpose=purpose,
                schema=schema,
                temperature=self.temperature,
                max_tokens=self.max_tokens,
            ),
        )


def tool_lines(tools: Iterable[ToolDefinition]) -> str:
    """The tools as text, one JSON object a line, for a model that is to know them but not to call them."""
    shown = ({"name": one.name, "description": one.description, "parameters": one.parameters or {}} for one in tools)
    return "\n".join(msgspec.json.encode(one).decode() for one in shown)


def read_object(text: str, kind: type[T]) -> T | str:
    """The first JSON object of a reply that has the wanted shape, whatever stands around it; else what is wrong."""
    problem = "it contains no JSON object"
    decoder = json.JSONDecoder()
    at = text.find("{")
    for _ in range(MAX_STARTS):
        if at < 0:
            break
        try:
            _, end = decoder.raw_decode(text, at)
            # Read once more, by the rules of files: without NaN, and not too deep.
            value = decode_json(text[at:end].encode("utf-8", "backslashreplace"))
        except BadJson as error:
            return str(error.problem.what)
        except (ValueError, RecursionError) as error:
            if problem.startswith("there is no"):
                problem = f"it is not valid JSON ({error})"
            end = at + 1
        else:
            try:
                return msgspec.convert(value, kind, strict=False)
            except msgspec.ValidationError as error:
                problem = str(error)
        at = text.find("{", end)
    return problem
