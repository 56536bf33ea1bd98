"""What a run is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from toolgauge.core import (
    Agent,
    Case,
    CaseSettings,
    Expect,
    JsonValue,
    Limits,
    Settings,
    Suite,
    ToolDefinition,
    TrialKey,
)

__all__ = [
    "DEFAULT_LIMITS",
    "PlannedTrial",
    "RunPlan",
    "describe_tools",
    "with_overrides",
    "without_answer",
]

DEFAULT_LIMITS = Limits(turns=20, calls=50, seconds=120.0, tokens=200_000)
"""What stops an agent, where neither the run nor the case says."""


@dataclass(frozen=True, slots=True)
class PlannedTrial:
    """One agent on one case in one trial."""

    agent: str
    case: Case
    trial: int

    @property
    def key(self) -> TrialKey:
        """What it is known by in a store."""
        return self.agent, self.case.id, self.trial


@dataclass(frozen=True, slots=True)
class RunPlan:
    """Every agent on every case, so many times."""

    suite: Suite
    agents: Mapping[str, Agent]
    trials: int
    limits: Limits

    def __len__(self) -> int:
        return len(self.suite.cases) * len(self.agents) * self.trials

    def __iter__(self) -> Iterator[PlannedTrial]:
        """All of it, first every agent once on every case: a run that is stopped early compares like with like."""
        for trial in range(1, self.trials + 1):
            for case in self.suite.cases:
                for agent in self.agents:
                    yield PlannedTrial(agent, case, trial)


def with_overrides(limits: Limits, own: Limits | None) -> Limits:
    """The limits, with those that a run or a case gives itself in place of the defaults."""
    if own is None:
        return limits
    given = {name: value for name in own.__struct_fields__ if (value := getattr(own, name)) is not None}
    return replace(limits, **given)


_NOTHING_SAID = Expect()


def without_answer(case: Case, settings: Settings) -> Case:
    """The case without anything that would give the answer away; it says how answers end, where its suite does."""
    own = case.settings
    if settings.for_case(case).answer_line:
        own = replace(own or CaseSettings(), answer_line=True)
    # Its labels are its own: what an agent does to them is not what figures are broken down by.
    return replace(case, labels=dict(case.labels), expect=_NOTHING_SAID, budget=None, judge=None, settings=own)


def describe_tools(definitions: tuple[ToolDefinition, ...], kinds: Mapping[str, str]) -> dict[str, JsonValue]:
    """For each tool what stands behind it and a hash of its definition, which tell when it has changed."""
    described: dict[str, JsonValue] = {}
    for tool in definitions:
        digest = sha256(msgspec.json.encode(tool, order="sorted")).hexdigest()[:12]
        described[tool.name] = f"{kinds.get(tool.name, 'tool')} {digest}"
    return described
