"""What a run is made of, and what has to be the same for resuming one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from msgspec.structs import replace

from toolgauge.core import Agent, Case, JsonValue, Limits, Suite, ToolDefinition, TrialKey

__all__ = [
    "DEFAULT_LIMITS",
    "PlannedTrial",
    "RunPlan",
    "describe_tools",
    "differences",
    "suite_differences",
    "with_overrides",
]

DEFAULT_LIMITS = Limits(turns=20, calls=50, seconds=120.0, tokens=200_000)
"""What stops an agent, where neither the run nor the case says."""

MAX_NAMES = 5

SHOWN = 60
"""How many characters of a value are shown where it differs."""


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


def describe_tools(definitions: tuple[ToolDefinition, ...], kinds: Mapping[str, str]) -> dict[str, JsonValue]:
    """For each tool what stands behind it and a hash of its definition, which tell when it has changed."""
    described: dict[str, JsonValue] = {}
    for tool in definitions:
        digest = sha256(msgspec.json.encode(tool, order="sorted")).hexdigest()[:12]
        described[tool.name] = f"{kinds.get(tool.name, 'tool')} {digest}"
    return described


def differences(before: Mapping[str, JsonValue], now: Mapping[str, JsonValue], path: str = "") -> Iterator[str]:
    """What is not the same in two settings, in words."""
    for key in dict.fromkeys((*before, *now)):
        here = f"{path}.{key}" if path else key
        if key not in now:
            yield f"{here}: was {_shown(before[key])}, is not there any more"
        elif key not in before:
            yield f"{here}: was not there, is {_shown(now[key])}"
        else:
            old, new = before[key], now[key]
            if isinstance(old, dict) and isinstance(new, dict):
                yield from differences(old, new, here)
            elif old != new:
                yield f"{here}: was {_shown(old)}, is {_shown(new)}"


def suite_differences(before: Suite, now: Suite) -> Iterator[str]:
    """What is not the same in two suites, in words."""
    old, new = ({case.id: msgspec.json.encode(case, enc_hook=str) for case in suite.cases} for suite in (before, now))
    changes = {
        "changed": [name for name in old if name in new and old[name] != new[name]],
        "added": [name for name in new if name not in old],
        "removed": [name for name in old if name not in new],
    }
    for what, names in changes.items():
        if names:
            more = ", ..." if len(names) > MAX_NAMES else ""
            yield f"suite: {len(names)} {'case' if len(names) == 1 else 'cases'} {what}: {_listed(names)}{more}"
    if before.settings != now.settings:
        yield "suite: its settings changed"
    if not any(changes.values()) and list(old) != list(new):
        yield "suite: its cases are in another order"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:MAX_NAMES])


def _shown(value: JsonValue) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
