"""What an agent did: its calls, its answer, its cost."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from .json import JsonValue

__all__ = ["LARGEST_AMOUNT", "STATES", "UNSAID", "Call", "State", "Trajectory", "Usage"]

State = Literal["completed", "error", "timeout", "limit", "cancelled", "not_run"]
"""How a trajectory ended."""

STATES: tuple[State, ...] = get_args(State)

LARGEST_AMOUNT = 10**15
"""More milliseconds, tokens or dollars than this are a mistake, and would spoil every mean they enter."""

Duration = Annotated[float, Meta(ge=0, le=LARGEST_AMOUNT)]
Amount = Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)]

UNSAID = -1
"""The trial of a trajectory that does not say which repetition it is."""


class Call(Struct, frozen=True, gc=False, omit_defaults=True):
    """One tool call."""

    tool: str
    args: dict[str, JsonValue] | None = {}
    """None: the arguments were not recorded."""
    id: str | None = None
    turn: int | None = None
    round: int | None = None
    """The attempt it belongs to, if an agent makes several."""
    result: JsonValue = None
    error: str | None = None
    """Why the call failed; None: it did not."""
    started_ms: float | None = None
    duration_ms: Duration | None = None
    original: str | None = None
    """The recorded name of the tool, if it was written differently."""
    span_id: str | None = None
    """The span in which the tool was run, in the trace that the metadata of the trajectory name."""


class Usage(Struct, frozen=True, gc=False, omit_defaults=True):
    """What a trajectory cost. None is unknown, never 0."""

    requests: Amount | None = None
    input_tokens: Amount | None = None
    output_tokens: Amount | None = None
    cost_usd: Duration | None = None
    cached_tokens: Amount | None = None
    """Those of the tokens in that the provider had read before, which it charges less for."""
    waited_ms: Duration | None = None
    """How long requests waited to be sent, or retried. This is not part of the latency."""

    @property
    def tokens(self) -> int | None:
        """Tokens in and out together, if both are known."""
        if self.input_tokens is None or self.output_tokens is None:
            return None
        return self.input_tokens + self.output_tokens


class Trajectory(Struct, frozen=True, gc=False, omit_defaults=True):
    """What one agent did on one case in one trial."""

    case: str = ""
    """Id of the case; empty if only the input says which case it was."""
    agent: str = ""
    trial: Annotated[int, Meta(ge=0)] = UNSAID
    """Which repetition; recorders count from 0 or from 1."""
    state: State = "completed"
    calls: tuple[Call, ...] = ()
    output: str | None = None
    """The final answer."""
    error: str | None = None
    """Why the agent ended early; a trajectory with an error did not complete. An empty text is not an error."""
    latency_ms: Duration | None = None
    usage: Usage | None = None
    events: tuple[dict[str, JsonValue], ...] = ()
    """What is not a call: plans, rounds, hand-offs, opinions of a judge, retries."""
    input: str | None = None
    """The question as the agent got it; joins a trajectory to its case if there is no id."""
    meta: dict[str, JsonValue] = {}
    """Whatever else the recorder wants to keep."""

    def __post_init__(self) -> None:
        if self.error is None:
            return
        if not self.error:
            force_setattr(self, "error", None)
        elif self.state == "completed":
            force_setattr(self, "state", "error")
