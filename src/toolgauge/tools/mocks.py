"""Tools without code: they answer with what a suite says, or with the arguments they were given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolgauge.core import CannedResult, JsonValue, ToolDefinition
from toolgauge.matchers import NOTHING_BEFORE, Rule, compile_rule

__all__ = ["MockTool", "ToolFailure", "from_definition"]


class ToolFailure(Exception):  # noqa: N818 - what a tool says, not a fault of the program
    """A tool says that it could not do what it was asked."""


@dataclass(frozen=True, slots=True)
class MockTool:
    """Answers from a list: the first entry whose conditions fit the arguments. Without a list it repeats them."""

    definition: ToolDefinition
    answers: Sequence[tuple[Mapping[str, Rule], CannedResult]] = ()

    async def call(self, args: Mapping[str, JsonValue]) -> JsonValue:
        """The canned result.

        Raises:
            ToolFailure: The suite says that this call fails, or says nothing of such arguments.
        """
        if not self.answers:
            return dict(args)
        for conditions, canned in self.answers:
            if all(_fits(rule, name, args) for name, rule in conditions.items()):
                if canned.error is not None:
                    raise ToolFailure(canned.error)
                return canned.result
        raise ToolFailure("no result is known for these arguments")


def _fits(rule: Rule, name: str, args: Mapping[str, JsonValue]) -> bool:
    return rule.fits(args[name], NOTHING_BEFORE) if name in args else rule.absent_fits


def from_definition(definition: ToolDefinition, results: Sequence[CannedResult] | None = None) -> MockTool:
    """A mock of a tool of which only the definition is there.

    Args:
        definition: What the tool is called and takes.
        results: What it answers; default: the results of the definition, and where there are none, its arguments.
    """
    canned = definition.results if results is None else results
    answers = [({name: compile_rule(rule, None) for name, rule in one.when.items()}, one) for one in canned]
    return MockTool(definition, answers)
