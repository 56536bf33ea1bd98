"""What can be said of a run, who is told how it goes, and what comes of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from toolgauge.core import Limits, Model, PathLike, RequestLimits, Run, Score, Selection, Trajectory
from toolgauge.errors import ToolgaugeError, UsageError
from toolgauge.secrets import Secrets

__all__ = ["Agents", "RunOptions", "RunOutcome", "Stop", "Watcher"]

Agents: TypeAlias = object | Sequence[object] | Mapping[str, object]
"""One agent or several, by name or in a list: names that `--agent` takes, functions, agents of other libraries."""

Stop: TypeAlias = Literal["", "interrupted", "terminated", "broken", "budget"]
"""Why a run ended before its plan: somebody wanted it to, no further trial could succeed or be kept, or it has spent
what it may spend."""


class Watcher(Protocol):
    """Is notified of how a run proceeds."""

    def begin(self, planned: int, before: int) -> None:
        """The run starts with this many planned trials, of which some were finished before."""

    def finished(self, trajectory: Trajectory, score: Score) -> None:
        """A trial is finished and kept."""

    def retried(self) -> None:
        """A request to a model is retried."""

    def stopping(self, words: str) -> None:
        """The run is about to stop."""

    def stuck(self, why: str) -> None:
        """Code under test blocks everything and catches whatever would stop it. Only the end of the process helps.

        Args:
            why: Why everything was to end anyway; empty: it was only the time of a case.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions(Selection):
    """The settings of a run, and which cases of the suite it includes; see `docs/running.md`."""

    model: str | Model | None = None
    """Who agents ask: a name such as `anthropic:claude-haiku-4-5`, or an object that can be asked."""
    agent_headers: Mapping[str, str] | Sequence[str] = ()
    """What agents at addresses are asked with, as a mapping or as `Name: value`. Variables of the environment are
    filled in (`Bearer $TOKEN`); the values are nowhere stored or shown."""
    agent_field: str | None = None
    """Where in the reply of an agent at an address the answer is, such as `data.answer`."""
    agent_conversation: str | None = None
    """Under which name such agents are sent the id of a conversation, and reply with theirs; default: no id is sent."""
    tools: object = None
    """Functions or tools that agents get; default: mocks of the tools that the suite defines."""
    trials: int = 1
    """How often each agent works on each case."""
    concurrency: int = 8
    """How many trials are in progress at a time."""
    jobs: Literal["ray"] | None = None
    """`ray`: the workers of a Ray cluster run the trials, and this process keeps them; default: this process does all.
    """
    ray_address: str | None = None
    """The Ray cluster; default: that of RAY_ADDRESS, or else one that is started here."""
    store: PathLike | Literal[False] | None = None
    """Where the run is kept; default: `.toolgauge/runs.db`. False: only in memory."""
    base_url: str | None = None
    """Where the model is asked."""
    temperature: float | None = None
    """How much chance there is in the replies of the model, where an agent does not say."""
    max_tokens: int | None = None
    """The most tokens of one reply, where an agent does not say."""
    prices: PathLike | Mapping[str, object] | None = None
    """Prices of one's own, by model, in dollars a million tokens: a YAML or JSON file, or an object."""
    max_cost: float | None = None
    """The dollars at which nothing more is begun; what is in progress then is finished."""
    requests_per_minute: float | None = None
    """The most requests to one provider in a minute, by all processes that work on runs of a team store."""
    tokens_per_minute: float | None = None
    """The most tokens to and from one provider in a minute, likewise."""
    concurrent_requests: int | None = None
    """The most requests to one provider at a time, likewise."""
    judge_model: str | Model | None = None
    """Who gives opinions; default: the model of the run."""
    no_judge: bool = False
    """Whether nobody is asked for opinions, also where cases have a rubric or say `find: model`."""
    answer_model: str | Model | None = None
    """Who points to the passage that answers the question, in every case with a typed answer; default: nobody, or the
    model of the run where a case says `find: model`."""
    limits: Limits | None = None
    """What stops an agent, in place of the defaults."""
    mcp: Sequence[str] = ()
    """MCP servers whose tools agents get."""
    mock: bool = False
    """Whether tools of the suite that nobody brings become mocks."""
    isolate: bool = False
    """Whether functions that are given as tools are called in processes of their own."""
    isolate_agent: bool = False
    """Whether agents that are Python objects work in processes of their own, one for each trial in progress."""
    tool_memory: int | None = None
    """How many MiB of memory such a process may take; default: what the system allows."""
    tool_env: Sequence[str] = ()
    """Variables of the environment that such a process sees besides plain ones such as PATH and HOME."""
    call_seconds: float | None = None
    """How long a single call may take."""
    name: str = ""
    """What the run is called in the store."""
    resume: str | None = None
    """A run of the store to resume."""
    retry_errors: bool = False
    """Whether trials of the run to resume that ended in an error or a timeout are run again."""
    force: bool = False
    """Whether a new run begins where the one to resume has other settings."""
    record: PathLike | None = None
    """A new file for all exchanges with models and tools."""
    replay: PathLike | None = None
    """A file of recorded exchanges that answers in their place."""
    by: str | None = None
    """The label to break figures down by."""
    grounding: bool = False
    """Also look for arguments that came from nowhere."""
    scorers: Sequence[object] = ()
    """Scorers of one's own: objects, names of installed ones, or `module:object`; see `docs/scorers.md`."""
    grace_seconds: float = 5.0
    """How long trials may take to finish after Ctrl-C."""
    suite_format: str | None = None
    """How the suite is written, where its content does not tell."""
    allow_code: bool = False
    """Whether Python objects that the suite or an agent's name stands for may be imported."""
    watcher: Watcher | None = None
    """Is notified of how the run proceeds."""
    tell: Callable[[str], None] | None = None
    """Takes what is worth a word."""

    @property
    def request_limits(self) -> RequestLimits:
        """What a provider takes.

        Raises:
            UsageError: That is no number above 0.
        """
        limits = RequestLimits(self.requests_per_minute, self.tokens_per_minute, self.concurrent_requests)
        if any(limit is not None and not 0 < limit < float("inf") for limit in limits):
            raise UsageError("limits of requests and tokens are numbers above 0")
        return limits

    def say(self, words: str) -> None:
        """Say something to whoever listens."""
        if self.tell is not None:
            self.tell(words)


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """A run, and how it ended."""

    run: Run
    id: str | None
    """What the store knows it by."""
    secrets: Secrets
    """The credentials that it came across, which must not be shown."""
    stop: Stop = ""
    error: ToolgaugeError | None = None
    """What broke it."""
    left: int = 0
    """How many trials are not kept, and would be run by resuming it."""
    failure: str = ""
    """Why every single trial ended in error, in a line; empty: at least one did not."""

    def result(self) -> Run:
        """The run, if it finished.

        Raises:
            ToolgaugeError: What broke it.
            KeyboardInterrupt: The run was interrupted.
        """
        if self.error is not None:
            raise self.error
        if self.stop and self.stop != "budget":
            raise KeyboardInterrupt
        return self.run
