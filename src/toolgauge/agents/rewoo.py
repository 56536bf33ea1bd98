"""ReWOO: the whole plan first, then all calls, then the answer: three stages, and two requests however many calls."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from toolgauge.core import Case, JsonValue, Toolbox, ToolResult

from .asking import MAX_READ, ModelAgent, tool_lines
from .evidence import PlanStep, filled, read_plan, waves
from .loop import AgentFailure
from .plan_schema import plan_schema

__all__ = ["RewooAgent"]

MAX_PLANS = 2
"""A plan that cannot be used is made anew once."""

MAX_SHOWN = 2_000
"""How many characters of a plan that cannot be read are kept."""


@dataclass(frozen=True, slots=True)
class RewooAgent(ModelAgent):
    """Plans without looking at results: a planner, workers that make the calls, and a solver."""

    name: str = field(default="rewoo", kw_only=True)
    steps: int = field(default=12, kw_only=True)
    """The most steps of a plan."""
    parallel: bool = field(default=True, kw_only=True)
    """Whether steps that do not need each other are taken at the same time."""

    async def __call__(self, case: Case, tools: Toolbox) -> str:
        """Work on a case.

        Raises:
            AgentFailure: There is no plan that can be used, or no answer.
            ModelError: The model does not answer.
        """
        plan = await self._plan(case, tools)
        taken = await self._work(plan, tools)
        return await self._solve(case, tools, plan, taken)

    async def _plan(self, case: Case, tools: Toolbox) -> list[PlanStep]:
        prompt = self.prompt("rewoo-plan", case, tools=tool_lines(tools.definitions), steps=str(self.steps))
        material: dict[str, JsonValue] = {"question": case.input}
        schema = plan_schema(tools.definitions)
        problem = ""
        for number in range(1, MAX_PLANS + 1):
            reply = await self.ask(tools, "plan", prompt, material, schema)
            steps, problem = read_plan(reply.text, tools.definitions, self.steps)
            told: dict[str, JsonValue] = {"number": number, "steps": msgspec.to_builtins(steps[: self.steps])}
            if not problem:
                tools.tell("plan", **told, usable=True)
                return steps
            tools.tell("plan", **told, usable=False, problem=problem, written=reply.text[:MAX_SHOWN])
            material = {"question": case.input, "rejected_plan": reply.text[:MAX_SHOWN], "problem": problem}
        raise AgentFailure(f"no plan could be used, of {MAX_PLANS}: {problem}")

    async def _work(self, plan: Sequence[PlanStep], tools: Toolbox) -> dict[str, ToolResult]:
        """Take the steps; one whose evidence is missing is left out, and so are those that need it."""
        evidence: dict[str, ToolResult] = {}

        async def take(step: PlanStep) -> ToolResult:
            args, missing = filled(step, evidence, tools.definitions)
            if missing:
                tools.tell("step_skipped", step=step.id, tool=step.tool, missing=list(missing))
                return ToolResult(error=f"not called, because there is no {', '.join(missing)}")
            return await tools.call(step.tool, args, id=step.id)

        for wave in waves(plan):
            if self.parallel:
                results = await asyncio.gather(*map(take, wave))
            else:
                results = [await take(step) for step in wave]
            evidence.update(zip((step.id for step in wave), results, strict=True))
        return evidence

    async def _solve(self, case: Case, tools: Toolbox, plan: Sequence[PlanStep], taken: dict[str, ToolResult]) -> str:
        evidence: list[JsonValue] = [
            {
                "id": step.id,
                "tool": step.tool,
                "args": step.args,
                "failed": taken[step.id].error is not None,
                "result": (taken[step.id].text or taken[step.id].error or "")[:MAX_READ],
            }
            for step in plan
        ]
        material: dict[str, JsonValue] = {"question": case.input, "evidence": evidence}
        reply = await self.ask(tools, "solve", self.prompt("rewoo-solve", case), material)
        if not reply.text.strip():
            raise AgentFailure("the model gave no answer from the evidence")
        return reply.text
