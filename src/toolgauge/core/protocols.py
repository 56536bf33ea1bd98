"""What agents, models, tools and scorers have to be able to do.

Whatever fits can be used; nothing has to be derived from.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from .json import JsonValue
from .messages import ModelReply, ModelRequest, ToolResult
from .score import Outcome
from .suite import Case, ToolDefinition
from .trajectory import Trajectory

__all__ = ["Advance", "Agent", "CaseScorer", "Model", "Replied", "Tool", "Toolbox", "ignore_progress"]

Advance: TypeAlias = Callable[[int], None]
"""Is told how much more is done, for those who show progress; less than nothing where it has to be done again."""


def ignore_progress(_: int) -> None:
    """Show nothing."""


class Model(Protocol):
    """A chat model."""

    @property
    def name(self) -> str:
        """What it is known by, such as `anthropic:claude-haiku-4-5`."""

    async def ask(self, request: ModelRequest) -> ModelReply:
        """Its reply.

        Raises:
            ModelError: There is none, after all the tries that were worth making.
        """


class Tool(Protocol):
    """Something that an agent can call."""

    @property
    def definition(self) -> ToolDefinition:
        """Name, description and JSON schema of the arguments."""

    async def call(self, args: Mapping[str, JsonValue]) -> JsonValue:
        """The result. Whatever it raises is recorded as a failure of the call."""


class Toolbox(Protocol):
    """What an agent gets to work with on one case. Everything that is done through it is recorded."""

    @property
    def definitions(self) -> tuple[ToolDefinition, ...]:
        """The tools that can be called."""

    async def call(self, tool: str, args: Mapping[str, JsonValue] | None = None, *, id: str = "") -> ToolResult:  # noqa: A002
        """Call a tool. A failure is a result too: unknown tool, arguments that break the schema, time-out, error."""

    async def ask(self, model: Model, request: ModelRequest) -> ModelReply:
        """Ask a model, so that its turns and tokens count towards the limits of the case."""

    def tell(self, kind: str, **what: JsonValue) -> None:
        """Record something that is neither a call nor an answer: a plan, a hand-off, a reflection."""

    def begin_round(self, number: int) -> None:
        """Calls from here on belong to this attempt, counted from 1."""

    def only(self, names: Sequence[str]) -> Toolbox:
        """The same box with some of its tools, for an agent that gives parts of its work to others."""


Replied: TypeAlias = Trajectory | str | Sequence[object] | Mapping[str, object] | None
"""What an agent may return: a trajectory, its answer, or its messages in any layout that traces are read from."""


class Agent(Protocol):
    """What is evaluated. A plain function does as well, with `async` or without."""

    def __call__(self, case: Case, tools: Toolbox, /) -> Awaitable[Replied] | Replied:
        """Work on a case, of which it sees the question, not what is expected."""


class CaseScorer(Protocol):
    """A scorer of one's own: one more thing that is measured of every trajectory.

    It is asked when toolgauge has scored the trajectory, and changes nothing about that: its outcome is a metric of
    its own. The same case and trajectory always get the same outcome; a trajectory that was not run is not shown to it.
    """

    @property
    def name(self) -> str:
        """What its metric is called: letters, digits, `_` and `-`; no name of another metric."""

    @property
    def version(self) -> int:
        """Goes up when the same input can get another outcome: results of two versions are not compared."""

    def score(self, case: Case, trajectory: Trajectory, /) -> Outcome:
        """How well the trajectory did: `Measured` from 0 to 1, or `Unscored` where there is nothing to measure.

        Whatever else it returns, and whatever it raises, counts as not scored.
        """
