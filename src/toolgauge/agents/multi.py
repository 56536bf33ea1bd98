"""Several agents: a supervisor hands work to specialists, each with its own tools, and a synthesiser answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from toolgauge.core import Case, JsonValue, Message, Toolbox, ToolDefinition
from toolgauge.errors import UsageError

from .asking import MAX_READ, ModelAgent, read_object
from .loop import AgentFailure, call_key
from .prompting import Language, language_of, phrase

__all__ = ["MultiAgent", "Specialist"]

FINISH = "finish"
"""What a supervisor says when the reports are enough."""

MAX_NAME = 80
"""How many characters of a name that nobody has are shown."""

MAX_USELESS = 2
"""After so many decisions in a row that cannot be used, the answer is made from what there is."""

RESEARCH = re.compile(r"search|news|web|retriev|retrival|vector|document|article|wiki|tin tức|tìm kiếm|bài viết", re.I)
"""What the name or description of a tool says that finds things to read."""

CLOCK = re.compile(r"time|clock|today|date|now", re.I)
"""What the name of a tool says that tells the day; every specialist needs one."""


class Specialist(Struct, frozen=True):
    """One of those who do the work."""

    name: str
    description: str
    """What the supervisor knows of it."""
    tools: tuple[str, ...]
    """The tools that it sees."""


class _Decision(Struct):
    next: str
    task: str | None = None


@dataclass(frozen=True, slots=True)
class MultiAgent(ModelAgent):
    """A supervisor, specialists for research and for figures, and a synthesiser, all asking the same model."""

    name: str = field(default="multi", kw_only=True)
    specialists: tuple[Specialist, ...] = field(default=(), kw_only=True)
    """Who there is; empty: one for research and one for figures, with the tools that fit by name and description."""
    handoffs: int = field(default=3, kw_only=True)
    """How often work is handed to a specialist at most."""
    turns: int = field(default=5, kw_only=True)
    """How often a specialist asks the model at most. With three hand-offs all fits into twenty turns."""
    parallel: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        ModelAgent.__post_init__(self)
        names = [one.name for one in self.specialists]
        if len({*names, FINISH}) <= len(names):
            raise UsageError(f"specialists need names of their own, other than {FINISH!r}: {', '.join(names)}")

    async def __call__(self, case: Case, tools: Toolbox) -> str:
        """Work on a case.

        Raises:
            AgentFailure: The synthesiser gives no answer.
            ModelError: The model does not answer.
        """
        team = self.specialists or _team(tools.definitions, language_of(case))
        reports: list[JsonValue] = []
        made: set[str] = set()
        while len(reports) < self.handoffs:
            decision = await self._route(case, tools, team, reports)
            if decision is None or decision.next == FINISH:
                break
            chosen = next(one for one in team if one.name == decision.next)
            task = (decision.task or "").strip()[:MAX_READ] or case.input
            tools.tell("handoff", number=len(reports) + 1, to=chosen.name, task=task)
            reports.append(await self._work(case, tools, chosen, task, made))
        else:
            tools.tell("handoffs_used_up", most=self.handoffs)
        return await self._solve(case, tools, reports)

    async def _route(
        self, case: Case, tools: Toolbox, team: Sequence[Specialist], reports: Sequence[JsonValue]
    ) -> _Decision | None:
        """Who is next; None: the supervisor does not say so that it can be understood."""
        listed = "\n".join(msgspec.json.encode(_introduced(one, tools.definitions)).decode() for one in team)
        prompt = self.prompt("multi-route", case, specialists=listed, left=str(self.handoffs - len(reports)))
        names = [*(one.name for one in team), FINISH]
        material: dict[str, JsonValue] = {"question": case.input, "reports": list(reports)}
        for _ in range(MAX_USELESS):
            reply = await self.ask(tools, "route", prompt, material, _schema(names))
            read = read_object(reply.text, _Decision)
            if isinstance(read, str):
                problem = f"the decision cannot be read: {read}"
            elif read.next not in names:
                problem = f"there is no {read.next[:MAX_NAME]!r}; it is one of: {', '.join(names)}"
            else:
                tools.tell("route", next=read.next, task=(read.task or "")[:MAX_READ])
                return read
            tools.tell("route", next=None, problem=problem)
            material = {**material, "problem": problem}
        return None

    async def _work(
        self, case: Case, tools: Toolbox, who: Specialist, task: str, made: set[str]
    ) -> dict[str, JsonValue]:
        """Let a specialist do a task with its tools; what comes back is its report, or why there is none."""
        messages = [
            Message("system", self.prompt("multi-work", case, name=who.name, description=who.description)),
            Message("user", task),
        ]
        failed = False
        try:
            loop = self.loop(parallel=self.parallel)
            report = await loop.work(messages, tools.only(who.tools), language_of(case), turns=self.turns)
        except AgentFailure as error:
            report, failed = str(error), True
        calls = [call_key(one) for said in messages for one in said.calls]
        repeated = len(calls) - len(set(calls) - made)
        made.update(calls)
        tools.tell("report", of=who.name, calls=len(calls), repeated=repeated, failed=failed)
        return {
            "from": who.name,
            "task": task,
            "failed": failed,
            "report": report[:MAX_READ],
            "results": list(_results(messages)),
        }

    async def _solve(self, case: Case, tools: Toolbox, reports: Sequence[JsonValue]) -> str:
        material: dict[str, JsonValue] = {"question": case.input, "reports": list(reports)}
        reply = await self.ask(tools, "solve", self.prompt("multi-solve", case), material)
        if not reply.text.strip():
            raise AgentFailure("the synthesiser gave no answer")
        return reply.text


def _introduced(who: Specialist, tools: Sequence[ToolDefinition]) -> dict[str, JsonValue]:
    """What the supervisor knows of a specialist: what it is for, and what its tools do."""
    own: list[JsonValue] = [f"{tool.name}: {tool.description}" for tool in tools if tool.name in who.tools]
    return {"name": who.name, "description": who.description, "tools": own}


def _schema(names: Sequence[str]) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": {"next": {"type": "string", "enum": list(names)}, "task": {"type": "string"}},
        "required": ["next", "task"],
        "additionalProperties": False,
    }


def _results(messages: Sequence[Message]) -> Iterator[JsonValue]:
    """What the tools said, so that whoever reads the report need not rely on its words."""
    for message in messages:
        if message.role == "tool":
            yield {"tool": message.tool, "failed": message.failed, "result": message.text[:MAX_READ]}


def _team(tools: Sequence[ToolDefinition], language: Language) -> tuple[Specialist, ...]:
    """The specialists that these tools make: whoever would have none is left out."""
    research, finance, both = [], [], []
    for tool in tools:
        required = (tool.parameters or {}).get("required")
        if not required and CLOCK.search(tool.name):
            both.append(tool.name)
        elif RESEARCH.search(f"{tool.name} {tool.description}"):
            research.append(tool.name)
        else:
            finance.append(tool.name)
    if not research and not finance:
        finance, both = both, []
    own = {"research": research, "finance": finance}
    return tuple(
        Specialist(name, phrase(language, f"specialist.{name}"), (*names, *both))
        for name, names in own.items()
        if names
    ) or (Specialist("finance", phrase(language, "specialist.finance"), ()),)
