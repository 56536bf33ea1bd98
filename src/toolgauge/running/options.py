"""What can be said of a run, and what comes of one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypedDict

from toolgauge.core import Limits, Model, Run
from toolgauge.errors import ToolgaugeError
from toolgauge.runner import Stop, Watcher

__all__ = ["Agents", "Conducted", "PathLike", "RunOptions", "tell"]

PathLike: TypeAlias = str | os.PathLike[str]

Agents: TypeAlias = object | Sequence[object] | Mapping[str, object]
"""One agent or several, by name or in a list: names that `--agent` takes, functions, agents of other libraries."""


class RunOptions(TypedDict, total=False):
    """What else can be said of a run; see `docs/running.md`."""

    base_url: str | None
    """Where the model is asked."""
    temperature: float | None
    """How much chance there is in the replies of the model, where an agent does not say."""
    max_tokens: int | None
    """The most tokens of one reply, where an agent does not say."""
    judge_model: str | Model | None
    """Who gives opinions; default: the model of the run."""
    limits: Limits | None
    """What stops an agent, in place of the defaults."""
    mcp: Sequence[str]
    """MCP servers whose tools agents get."""
    mock: bool
    """Whether tools of the suite that nobody brings become mocks."""
    isolate: bool
    """Whether functions that are given as tools are called in processes of their own."""
    call_seconds: float | None
    """How long a single call may take."""
    name: str
    """What the run is called in the store."""
    resume: str | None
    """A run of the store to go on with."""
    force: bool
    """Whether a new run begins where the one to go on with was another one."""
    record: PathLike | None
    """A new file for all exchanges with models and tools."""
    replay: PathLike | None
    """A file of recorded exchanges that answers in their place."""
    by: str | None
    """The label to break figures down by."""
    grounding: bool
    """Also look for arguments that came from nowhere."""
    grace_seconds: float
    """How long trials may go on after Ctrl-C."""
    suite_format: str | None
    allow_code: bool
    """Whether Python objects that the suite or an agent's name stands for may be imported."""
    watcher: Watcher | None
    """Is told how the run goes on."""
    tell: Callable[[str], None] | None
    """Takes what is worth a word."""


@dataclass(frozen=True, slots=True)
class Conducted:
    """A run, and how it ended."""

    run: Run
    id: str | None
    """What the store knows it by."""
    stop: Stop = ""
    error: ToolgaugeError | None = None
    """What broke it."""
    left: int = 0
    """How many trials are not kept, and would be run by going on with it."""


def tell(options: RunOptions, words: str) -> None:
    """Say something to whoever wants to hear it."""
    listener = options.get("tell")
    if listener is not None:
        listener(words)
