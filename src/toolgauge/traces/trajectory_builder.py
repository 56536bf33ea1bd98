"""Putting a trajectory together from messages, items or events: which result is of which call, and what was said."""

from __future__ import annotations

from collections import deque

from toolgauge.core import JsonValue, State, Trajectory
from toolgauge.files import repeats_key

from .context import ReadContext
from .made_calls import MadeCall, key_of
from .parallel_calls import PARALLEL, WrappedCalls, inner_calls
from .spoken_calls import SpokenCalls
from .textcalls.reading import WrittenText
from .textcalls.results import read_results
from .textcalls.values import WrittenCall
from .usage_sums import UsageSums
from .values import Record, decoded_object, structured, trial_of

__all__ = ["ReadContext", "TrajectoryBuilder"]


class TrajectoryBuilder:
    """Builds the trajectory of one agent on one case, from what happened, in its order."""

    def __init__(self, context: ReadContext, *, reads_words: bool = True) -> None:
        """Begin; where `reads_words` is False, calls in words are read only if somebody asked for their style."""
        self._context = context
        self._spoken = SpokenCalls(context, reads_words=reads_words)
        self._calls: list[MadeCall] = []
        self._open: dict[str, deque[MadeCall]] = {}
        """Calls without a result, by their id."""
        self._early: dict[str, MadeCall] = {}
        """What is known of calls of which the result came first, by their id."""
        self._wrapped = WrappedCalls()
        self._turn = 0
        self._in_turn = False
        self._events: list[Record] = []
        self._usage = UsageSums()
        self._output: str | None = None
        self._asked = False
        """Whether the turn has calls that were not written in words."""
        self.input: str | None = None
        """The first thing that the user said."""

    @property
    def output(self) -> str | None:
        """The answer: what the agent said last, unless it called something together with it or after it."""
        if self._spoken.unread is not None:
            self._settle()
        return self._output

    @output.setter
    def output(self, words: str | None) -> None:
        if self._spoken.unread is not None:
            self._settle()
        if words is None or words != self._spoken.read:
            self._output = words
            if words and not self._calls:
                self._spoken.say(words)

    @property
    def context(self) -> ReadContext:
        """What the readers of the file share."""
        return self._context

    @property
    def empty(self) -> bool:
        """Whether nothing was said and nothing done."""
        return not self._calls and self.input is None and self.output is None

    @property
    def calls(self) -> int:
        """How many calls were made so far."""
        if self._spoken.unread is not None:
            self._settle()
        return len(self._calls)

    def note_loss(self, what: str, times: int = 1) -> None:
        """Report that something of what was recorded could not be used, in words that fit any record."""
        self._context.note_loss(what, times)

    def add_user_message(self, words: str | None) -> None:
        """Add what the user says, which may be the result of a call that was written in words."""
        if self._spoken.unread is not None:
            self._settle()
        if words:
            words = self._take_results(words)
        self._in_turn = False
        if self.input is None and words:
            self.input = words

    def begin_turn(self) -> None:
        """The model answers: with words, with calls, or with both. Calls of one turn were asked for at once."""
        if self._spoken.unread is not None:
            self._settle()
        self._turn += 1
        self._in_turn = True
        self._asked = False

    def continue_turn(self) -> None:
        """What comes next belongs to the answer that was begun last."""
        self._in_turn = self._turn > 0

    def add_agent_message(self, words: str | None) -> None:
        """Add what the agent says; the last thing it says is its answer."""
        if not self._in_turn:
            self.begin_turn()
        if words:
            self._output = words
            self._spoken.say(words)

    def add_call(
        self,
        tool: JsonValue,
        arguments: JsonValue,
        *,
        id: JsonValue = None,  # noqa: A002 - the word that a trajectory uses
        turn: int | None = None,
        round: int | None = None,  # noqa: A002 - the word that a trajectory uses
        started_ms: float | None = None,
        duration_ms: float | None = None,
        span_id: str | None = None,
    ) -> None:
        """Add a call of a tool.

        Args:
            tool: The name as it was recorded.
            arguments: An object, the JSON text of one, or None where they were not recorded.
            id: What the result will refer to.
            turn: The turn it belongs to, where that is known; default: the one that was begun last.
            round: The attempt it belongs to.
            started_ms: When it began.
            duration_ms: How long it took, negative ones left out.
            span_id: The span in which the tool was run.
        """
        if turn is None:
            if not self._in_turn:
                self.begin_turn()
            turn = self._turn
        written = tool if isinstance(tool, str) else ""
        key = key_of(id)
        if written in PARALLEL and (inner := inner_calls(written, arguments)):
            self._output = self._spoken.unread = None
            self._asked = True
            made_inside = [self._made(name, given, None, turn, round, None) for name, given in inner]
            self._wrapped.add(key, made_inside, self._calls)
            return
        made = self._made(written, arguments, key, turn, round, started_ms)
        made.span_id = span_id
        if self._wrapped and (known := self._wrapped.known_as(made, self._calls)) is not None:
            if key is not None:
                self._open.setdefault(key, deque()).append(known)
            return
        if duration_ms is not None and duration_ms >= 0:
            made.duration_ms = duration_ms
        self._output = self._spoken.unread = None
        self._asked = True
        if key is None or self._is_new(made, key):
            self._calls.append(made)

    def _made(
        self,
        written: str,
        arguments: JsonValue,
        key: str | None,
        turn: int,
        attempt: int | None,
        started_ms: float | None,
    ) -> MadeCall:
        name = self._context.names(written)
        original = None if name == written else written
        return MadeCall(name, original, self._arguments(arguments), key, turn, attempt, started_ms, None)

    def _is_new(self, made: MadeCall, key: str) -> bool:
        """Whether a call with an id was not added before; if so, it waits for its result."""
        waiting = self._open.get(key)
        if waiting is None:
            waiting = self._open[key] = deque()
        elif any(other.tool == made.tool and other.args == made.args for other in waiting):
            self._context.note_loss("a call was recorded twice with the same id; the second one is left out")
            return False
        if not self._early or not self._answered_early(made, key):
            waiting.append(made)
        return True

    def _answered_early(self, made: MadeCall, key: str) -> bool:
        early = self._early.pop(key, None)
        if early is None:
            return False
        made.answered, made.result, made.error = True, early.result, early.error
        made.duration_ms = made.duration_ms if early.duration_ms is None else early.duration_ms
        self._calls = [call for call in self._calls if call is not early]
        return True

    def _arguments(self, arguments: JsonValue) -> Record | None:
        if arguments is None or isinstance(arguments, dict):
            return arguments
        if isinstance(arguments, str):
            if not arguments or arguments.isspace():
                return {}
            decoded = decoded_object(arguments)
            if decoded is not None:
                if repeats_key(arguments, decoded):
                    self._context.note_loss("the arguments of a call have a duplicate key; the last value counts")
                return decoded
        self._context.note_loss("the arguments of a call are not a JSON object; the call is kept without them")
        self.add_event("invalid_arguments", call=len(self._calls), arguments=arguments)
        return {}

    def add_result(
        self,
        value: JsonValue,
        *,
        id: JsonValue = None,  # noqa: A002 - the word that a trajectory uses
        tool: JsonValue = None,
        failed: bool | None = None,
        error: str | None = None,
        duration_ms: float | None = None,
        same_turn: bool = False,
        started_ms: float | None = None,
        span_id: str | None = None,
    ) -> None:
        """Add what a tool answered. The call is found by the id, else it is the first one without an answer.

        Args:
            value: What the tool returned; a text that holds a JSON object or list is taken as that.
            id: What the call was known by.
            tool: The name of the tool, where the result repeats it.
            failed: Whether the recorder calls it a failure; None: it does not say.
            error: Why it failed, in the recorder's words.
            duration_ms: How long the call took.
            same_turn: The provider ran the tool itself, so the model continues the reply that it had begun.
            started_ms: When the tool was run, where only the record of its answer says so.
            span_id: The span in which it was.
        """
        if self._spoken.unread is not None:
            self._settle()
        key = key_of(id)
        if key is not None and key in self._wrapped.by_key:
            self._in_turn = self._in_turn and same_turn
            for wrapped, each in self._wrapped.results(key, value):
                self._set_result(wrapped, each, failed, error)
            return
        if self._spoken.made and isinstance(value, str) and (read := read_results(value)) is not None:
            for result in read.results:
                told = failed if result.failed is None else result.failed
                self._add_result(result.value, id, tool or result.tool, told, error or result.error)
            return
        self._in_turn = self._in_turn and same_turn
        made = self._add_result(value, id, tool, failed, error)
        if made is not None:
            made.note_run(started_ms, duration_ms, span_id)

    def _add_result(
        self,
        value: JsonValue,
        identity: JsonValue,
        tool: JsonValue,
        failed: bool | None,
        error: str | None,
    ) -> MadeCall | None:
        key = key_of(identity)
        waiting = self._open.get(key) if key is not None else None
        made = waiting.popleft() if waiting else self._unnamed(structured(value), key, tool)
        if made is not None:
            self._set_result(made, value, failed, error)
        return made

    def _unnamed(self, value: JsonValue, key: str | None, tool: JsonValue) -> MadeCall | None:
        """The call of a result whose id names none that waits; None where the result is of no use."""
        name = self._context.names(tool) if isinstance(tool, str) and tool else None
        made = self._waiting(key, name)
        if made is None and key in self._open:
            self._context.note_loss("a second result of the same call is left out")
            return None
        return made or self._orphan(value, name, key)

    def _set_result(self, made: MadeCall, value: JsonValue, failed: bool | None, error: str | None) -> None:
        made.answered = True
        made.result, made.error = self._context.resolve_result(value, failed, error)

    def add_answered_call(
        self,
        tool: JsonValue,
        arguments: JsonValue,
        value: JsonValue,
        *,
        id: str | None = None,  # noqa: A002 - the word that a trajectory uses
        failed: bool | None = None,
        error: str | None = None,
        started_ms: float | None = None,
        duration_ms: float | None = None,
        span_id: str | None = None,
    ) -> None:
        """Add a call with its answer, for readers that know which answer belongs to which call."""
        if isinstance(tool, str) and tool in PARALLEL:
            self.add_call(tool, arguments, id=id)
            self.add_result(value, id=id, failed=failed, error=error, duration_ms=duration_ms, same_turn=True)
            return
        if not self._in_turn:
            self.begin_turn()
        written = tool if isinstance(tool, str) else ""
        name = self._context.names(written)
        original = None if name == written else written
        made = self._spoken.waiting_for(name)
        if made is None:
            made = MadeCall(name, original, self._arguments(arguments), id, self._turn, None, None, None)
            self._calls.append(made)
        # Otherwise the words in which the model asked for it were read already.
        made.note_run(started_ms, duration_ms, span_id)
        self._set_result(made, value, failed, error)
        self._output = self._spoken.unread = None
        self._asked = True

    def _waiting(self, key: str | None, tool: str | None) -> MadeCall | None:
        if key in self._open and all(call.answered for call in self._calls if call.id == key):
            return None
        for call in self._calls:
            # An id that belongs to no call is of no use, but one call may still wait for this answer.
            if not call.answered and (tool is None or call.tool == tool) and (key is None or call.id is None):
                return call
        return None

    def _orphan(self, value: JsonValue, tool: str | None, key: str | None) -> MadeCall:
        made = MadeCall(tool or "", None, None, None, self._turn or None, None, None, None)
        if tool is not None:
            self._calls.append(made)
        if key is not None and key not in self._early:
            self._early[key] = made
        else:
            self._give_up(tool, value)
        return made

    def _give_up(self, tool: str | None, value: JsonValue) -> None:
        """Report that the call of a result cannot be found."""
        if tool:
            self._context.note_loss("a tool result belongs to no recorded call; the call is added without arguments")
        else:
            self._context.note_loss("a tool result belongs to no call and names no tool; it is left out")
            self.add_event("orphan_result", result=value)

    def awaits_result(self, *, id: JsonValue = None, tool: JsonValue = None) -> bool:  # noqa: A002 - as for `result`
        """Whether a call is waiting that a result with this id, or of this tool, would answer."""
        if self._spoken.unread is not None:
            self._settle()
        key = key_of(id)
        if key is not None and (key in self._open or key in self._wrapped.by_key):
            return any(not made.answered for made in (*self._open.get(key, ()), *self._wrapped.by_key.get(key, ())))
        known = key is not None
        name = self._context.names(tool) if isinstance(tool, str) and tool else None
        return any(
            not made.answered and (name is None or made.tool == name) and (not known or made.id is None)
            for made in self._calls
        )

    def expect_commands(self) -> None:
        """Take every block of code that the agent writes for a command, which a shell is to run."""
        self._spoken.expect_commands()

    def _settle(self) -> None:
        """Read the calls that are written in what the agent said last, if it asked for none otherwise."""
        if self._asked:
            self._spoken.unread = None
            return
        found = self._spoken.settle()
        if found is not None:
            self._add_written(found)

    def _add_written(self, found: WrittenText) -> None:
        answer = found.answer if found.steps or found.answer else self._output
        for step in found.steps:
            if isinstance(step, WrittenCall):
                count = len(self._calls)
                self.add_call(step.name, step.arguments, id=step.id)
                self._spoken.made += self._calls[count:]
            else:
                self._in_turn = False
                self._add_result(step.value, None, step.tool, step.failed, step.error)
        self._output = answer

    def _take_results(self, words: str) -> str | None:
        """Take the results of calls that were written in words out of the message that answers them."""
        command = None if self._asked else self._spoken.command_before(words)
        if command is not None:
            self._add_written(command)
        read = self._spoken.results_in(words)
        if read is None:
            return words
        for result in read.results:
            self._in_turn = False
            self._add_result(result.value, None, result.tool, result.failed, result.error)
        return read.rest

    def add_event(self, kind: str, **what: JsonValue) -> None:
        """Add something that is neither a call nor an answer: a plan, a hand-off, a retry."""
        self._events.append({"kind": kind, **what})

    def add_usage(
        self,
        input_tokens: JsonValue = None,
        output_tokens: JsonValue = None,
        *,
        cost_usd: float | None = None,
        requests: int = 1,
    ) -> None:
        """Add what a request to the model cost."""
        self._usage.add(input_tokens, output_tokens, cost_usd, requests)

    def build(
        self,
        *,
        case: str = "",
        agent: str = "",
        trial: int | None = None,
        state: State = "completed",
        error: str | None = None,
        latency_ms: float | None = None,
        meta: Record | None = None,
        answered: bool = True,
    ) -> Trajectory:
        """The trajectory; where `answered` is False, its source never records what tools answer, so nothing is lost."""
        output = self.output
        for early in self._early.values():
            self._give_up(early.tool, early.result if early.error is None else early.error)
        unanswered = sum(not made.answered for made in self._calls)
        if unanswered and answered:
            self._context.note_loss("a call has no recorded result", unanswered)
        fields: Record = {}
        trial = trial_of(meta) if trial is None else trial
        if trial is not None and trial >= 0:
            fields["trial"] = trial
        if latency_ms is not None and 0 <= latency_ms <= 10**15:
            fields["latency_ms"] = latency_ms
        return Trajectory(
            case=case,
            agent=agent,
            state=state,
            calls=tuple(made.finished() for made in self._calls),
            output=output,
            error=error,
            usage=self._usage.usage(),
            events=tuple(self._events),
            input=self.input,
            meta=meta or {},
            **fields,  # type: ignore[arg-type]  # checked above
        )
