"""Building the trajectories of a trace from its spans.

The replies of the models, in the order in which they began, are the turns. What a model was given last, or the history
that the span of an agent holds, adds the turns whose spans were lost, and the answers of tools. Spans of tools join the
calls of the replies, by id, else by name and order; those that join none are calls by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from toolgauge.core import JsonValue, State, Trajectory

from ...context import ReadContext
from ...trajectory_builder import TrajectoryBuilder
from ...values import structured
from ..fast.traces import build_fast
from .calls import RecordedCall, Turn, join_answers, join_tools
from .conventions import (
    AgentSays,
    agent_history,
    agent_says,
    cost,
    has_result,
    input_messages,
    is_workflow,
    may_hold_more,
    output_messages,
    tokens,
    was_cut_off,
)
from .messages import MessageResult, SpanMessage, question_of
from .span import Span
from .tree import arrange, case_and_meta, conversation_of, with_trace

__all__ = ["build_trajectories"]

AFTER_ALL = 10**12
HAND_IN = "final_answer"


def build_trajectories(spans: Collection[Span], context: ReadContext) -> Iterator[Trajectory]:
    """The trajectories of a trace: one, or one for each conversation or independent agent in it."""
    plain = build_fast(spans, context)
    if plain is not None:
        yield plain
        return
    by_id, groups = arrange(spans)
    if not groups:
        context.note_loss("a trace without a span of a model, a tool or an agent is left out")
    elif not any(span.parent is None for span in by_id.values()):
        context.note_loss("the root span of a trace is missing; the rest is read")
    for group in groups:
        trajectory = _TraceBuilder(group, by_id, context).build()
        if trajectory is not None:
            yield trajectory
    for span in by_id.values():
        # Spans that name each other as parents would never be freed.
        span.owner = span.scope = None


class _TraceBuilder:
    """One trajectory while it is put together."""

    def __init__(self, spans: list[Span], by_id: dict[str, Span], context: ReadContext) -> None:
        self._spans = spans
        self._by_id = by_id
        self._context = context
        self._models: list[Span] = []
        self._tops: list[Span] = []
        self._tools: list[Span] = []
        self._executed: set[JsonValue] = set()
        """The ids of the calls whose results are in spans of tools."""
        for span in spans:
            if span.kind == "tool":
                self._tools.append(span)
                if has_result(span):
                    self._executed.add(span.attributes["gen_ai.tool.call.id"])
            elif span.kind == "agent":
                if span.scope is None:
                    self._tops.append(span)
            elif span.owner is None or span.owner.kind != "model":
                self._models.append(span)
        self._says: dict[str, AgentSays] = {}
        self._given: dict[str, list[SpanMessage]] = {}
        """What models were given, by the ids of their spans, as far as it was looked at."""
        self._turns: list[Turn] = []
        self._replied: dict[str, list[Turn]] = {}
        """The replies of models, by the ids of the agents that asked them."""
        self._loose: list[MessageResult] = []
        """Answers in the histories for which calls are still to be found."""

    def build(self) -> Trajectory | None:
        """The trajectory; None where the spans hold neither messages nor calls."""
        question = self._read_turns()
        self._turns.sort(key=lambda turn: turn.order)
        join_tools(self._turns, self._tools, self._context)
        rest = join_answers(self._turns, self._loose, self._context) if self._loose else []
        self._look_for_answers()
        if any("final_result" in top.attributes for top in self._tops):
            self._leave_out_answers()
        self._leave_out_handed_in()
        builder = TrajectoryBuilder(self._context)
        builder.add_user_message(question)
        begin = self._begin()
        for turn in self._turns:
            builder.begin_turn()
            builder.add_agent_message(turn.words)
            for call in turn.calls:
                _add_call(builder, call, begin)
        for answer in rest:
            builder.add_result(answer.value, id=answer.id, tool=answer.tool, failed=answer.failed)
        self._add_rest(builder)
        if builder.empty:
            self._context.note_loss("a trace without messages and tool calls is left out")
            return None
        return self._finish(builder)

    def _read_turns(self) -> str | None:
        """Take in the replies of all models; returns the question."""
        scopes: dict[Span | None, list[Span]] = {top: [] for top in self._tops}
        for span in self._models:
            scopes.setdefault(span.scope, []).append(span)
        for span in self._spans:
            if span.kind == "agent":
                self._says[span.id] = agent_says(span, self._context)
                scopes.setdefault(span, [])
        for scope, models in scopes.items():
            turns = [turn for span in models if (turn := self._turn(span)) is not None]
            self._replied[scope.id if scope is not None else ""] = turns
        question = None
        for scope, models in scopes.items():
            asked = self._read_scope(scope, models)
            question = question or asked
        return question

    def _read_scope(self, scope: Span | None, models: list[Span]) -> str | None:
        """Take in the replies of the models that one agent asked; returns its question."""
        says = self._says.get(scope.id) if scope is not None else None
        question = next((found for span in models if (found := question_of(self._input(span)))), None)
        if says is not None and says.question and question and question.endswith(says.question):
            question = says.question  # without what the agent put before it
        own = scope.id if scope is not None else ""
        turns = self._replied[own]
        history: list[SpanMessage] = []
        if scope is not None and says is not None and says.history:
            if question is None or not turns[-1:] or not turns[-1].words or self._may_hold_more(scope, turns):
                whole = agent_history(scope, self._context)
                question = question or question_of(whole)
                history = _after(whole, question)
                turns += self._lost_turns(history, turns, AFTER_ALL, own)
                if whole and all(turn.words != whole[-1].words for turn in turns) and whole[-1].role == "assistant":
                    turns.append(Turn((AFTER_ALL, 0), whole[-1].words))
        elif models and self._may_hold_more(models[-1], turns):
            limit = models[-1].order
            history = _after(self._input(models[-1]), question)
            turns += self._lost_turns(history, [turn for turn in turns if turn.order[0] < limit], limit, own)
        for message in history:
            self._loose += message.answers
        self._turns += turns
        return question or (says.question if says is not None else None)

    def _may_hold_more(self, last: Span, turns: list[Turn]) -> bool:
        """Whether the messages on a span may hold more than the replies and the spans of tools do."""
        if last.id in self._given:
            return True
        known = 0
        for turn in turns:
            for call in turn.calls:
                known += 1
                if call.id not in self._executed:
                    return True
        return may_hold_more(last, known)

    def _input(self, span: Span) -> list[SpanMessage]:
        found = self._given.get(span.id)
        if found is None:
            found = self._given[span.id] = input_messages(span, self._context)
        return found

    def _turn(self, span: Span) -> Turn | None:
        """The reply that the span of a model holds; None where it failed."""
        turn = Turn((span.order, 0), None, span)
        for message in output_messages(span, self._context):
            if message.role != "assistant":
                continue
            turn.words = (
                f"{turn.words}\n{message.words}" if turn.words and message.words else message.words or turn.words
            )
            turn.calls += [RecordedCall(asked, asked.id) for asked in message.calls]
        return None if span.failed and not turn.words and not turn.calls else turn

    def _lost_turns(self, history: list[SpanMessage], turns: list[Turn], limit: int, own: str) -> list[Turn]:
        """The turns that are in the history and in no span, each before the next one that is known."""
        # What another agent did before it handed over is in the history as well.
        others = [turn for scope, replies in self._replied.items() if scope != own for turn in replies]
        elsewhere = {call.id for turn in others for call in turn.calls if call.id is not None}
        asking = [
            message
            for message in history
            if message.calls and message.role == "assistant" and message.calls[0].id not in elsewhere
        ]
        missing = len(asking) - sum(bool(turn.calls) for turn in turns)
        if missing <= 0:
            return []
        by_id = {call.asked.id: turn for turn in turns for call in turn.calls if call.asked.id is not None}
        by_name = [(call.asked.name, turn) for turn in turns for call in turn.calls if call.asked.id is None]
        silent = [turn for turn in turns if not turn.calls and not turn.words]
        found: list[Turn] = []
        anchor = limit
        for message in reversed(asking):
            known = next((by_id[call.id] for call in message.calls if call.id in by_id), None)
            if known is None:
                known = next((turn for name, turn in reversed(by_name) if name == message.calls[0].name), None)
                if known is not None:
                    by_name = [pair for pair in by_name if pair[1] is not known]
            if known is not None:
                anchor = known.order[0]
            elif missing > 0:
                missing -= 1
                turn = silent.pop() if silent else Turn((anchor, -1 - len(found)), None)
                turn.words = turn.words or message.words
                turn.calls += [RecordedCall(asked, asked.id) for asked in message.calls]
                if turn.span is None:
                    found.append(turn)
        if found and self._models:
            self._context.note_loss(
                "the span of a model's reply is missing; the reply is known from later messages", len(found)
            )
        return found

    def _look_for_answers(self) -> None:
        """Look for the answers of calls, where nothing held them, in what the models were given next."""
        for turn in self._turns:
            if turn.span is None or all(call.answered for call in turn.calls):
                continue
            scope, order = turn.span.scope, turn.span.order
            following = next((span for span in self._models if span.scope is scope and span.order > order), None)
            if following is not None and following.id not in self._given:
                answers = [answer for message in self._input(following) for answer in message.answers]
                join_answers([turn], answers, self._context)

    def _leave_out_answers(self) -> None:
        """Leave out the calls by which pydantic-ai lets a model hand in its answer; no tool is run for them."""
        for turn in self._turns:
            turn.calls = [call for call in turn.calls if call.span is not None or not _hands_in(call)]

    def _leave_out_handed_in(self) -> None:
        """Leave out the call by which agents of BeeAI and smolagents let a model hand in its answer."""
        last = next((turn for turn in reversed(self._turns) if turn.calls), None)
        if last is None or not any("openinference.span.kind" in span.attributes for span in self._spans):
            return
        handed = [call for call in last.calls if call.asked.name == HAND_IN]
        last.calls = [call for call in last.calls if call.asked.name != HAND_IN]
        given = structured(handed[-1].arguments()) if handed else None
        if isinstance(given, dict) and len(given) == 1 and isinstance(words := next(iter(given.values())), str):
            last.words = last.words or words

    def _begin(self) -> int | None:
        spans = self._tops or self._spans
        if len(spans) == 1:
            return spans[0].start
        return min((span.start for span in spans if span.start is not None), default=None)

    def _add_rest(self, builder: TrajectoryBuilder) -> None:
        """Add what is neither a turn nor a call: tokens, failures of models, hand-offs, the answer."""
        for span in self._models:
            read, written = tokens(span)
            builder.add_usage(read, written, cost_usd=cost(span))
            if span.failed:
                builder.add_event("model_error", error=span.error or "failed")
        for source, target in self._handoffs():
            builder.add_event("handoff", **{"from": source, "to": target})
        for top in self._tops:
            says = self._says[top.id]
            if not self._models and says.usage != (None, None):
                builder.add_usage(*says.usage, requests=0)
            builder.input = builder.input or says.question
            if says.answer is not None and top is self._tops[-1]:
                builder.output = says.answer

    def _handoffs(self) -> Iterator[tuple[str, str]]:
        """Which agent handed over to which: to one under it, or under a workflow to the next one."""
        before: dict[str, str] = {}
        owners = {span.owner.id for span in self._spans if span.owner is not None}
        for span in self._spans:
            if span.kind != "agent" or span.scope is None:
                continue
            if span.id not in owners and "output.value" not in span.attributes and _is_event(span):
                continue
            name, above = self._says[span.id].name or span.name, span.scope
            source = before.get(above.id) if is_workflow(above) else self._says[above.id].name or above.name
            before[above.id] = name
            if source is not None and source != name:
                yield source, name

    def _finish(self, builder: TrajectoryBuilder) -> Trajectory:
        case, meta = case_and_meta(self._spans, self._tops, self._by_id)
        last = self._tops[-1] if self._tops else self._models[-1] if self._models else None
        error = (last.error or "failed") if last is not None and last.failed else None
        return builder.build(
            case=case or conversation_of(self._spans),
            agent=self._agent(),
            state=self._state(last, error),
            error=error,
            latency_ms=self._latency(),
            meta=with_trace(meta, self._spans, self._begin(), (self._tops or self._spans)[0]),
        )

    def _agent(self) -> str:
        """What the agent is called: of a workflow the first that has its turn."""
        agents = [*self._tops, *(span for span in self._spans if span.kind == "agent")]
        for span in [*(span for span in agents if not is_workflow(span)), *self._tops]:
            if name := self._says[span.id].name:
                return name
        named = (span.value("gen_ai.agent.name") for span in self._spans)
        return next((name for name in named if isinstance(name, str)), "")

    def _state(self, last: Span | None, error: str | None) -> State:
        if error is not None and last is not None:
            kind = f"{last.attributes.get('error.type') or error}".lower()
            return "timeout" if "timeout" in kind else "cancelled" if "cancel" in kind else "error"
        return "limit" if self._models and was_cut_off(self._models[-1]) else "completed"

    def _latency(self) -> float | None:
        begin = self._begin()
        ends = [span.end for span in self._tops or self._spans if span.end is not None]
        return (max(ends) - begin) / 1e6 if ends and begin is not None and max(ends) >= begin else None


def _is_event(span: Span) -> bool:
    """Whether a span that has the kind of an agent is of something that happened to it, as BeeAI records it."""
    return "openinference.span.kind" in span.attributes and "agent.name" not in span.attributes


def _hands_in(call: RecordedCall) -> bool:
    return isinstance(call.asked.name, str) and call.asked.name.startswith("final_result")


def _add_call(builder: TrajectoryBuilder, call: RecordedCall, begin: int | None) -> None:
    span = call.span
    if span is None and call.answer is None:
        builder.add_call(call.asked.name, call.asked.arguments, id=call.id)
        return
    started = duration = None
    if span is not None and span.start is not None:
        started = (span.start - begin) / 1e6 if begin is not None else None
        duration = (span.end - span.start) / 1e6 if span.end is not None else None
    answer = call.answer
    if answer is None and call.arguments() is None and not (span is not None and span.failed):
        builder.note_loss("a call is recorded with neither its arguments nor its result")
    failed = answer.failed if answer is not None else None
    error = None
    if span is not None and span.failed:
        failed, error = True, span.error
    builder.add_answered_call(
        call.asked.name,
        call.arguments(),
        answer.value if answer is not None else None,
        id=call.id,
        failed=failed,
        error=error,
        started_ms=started,
        duration_ms=duration,
        span_id=span.id if span is not None else None,
    )


def _after(messages: list[SpanMessage], question: str | None) -> list[SpanMessage]:
    """The messages after the question. Without it they may be those of anything that was asked before."""
    if question is None:
        return messages
    for index in range(len(messages) - 1, -1, -1):
        if messages[index].role == "user" and messages[index].words == question:
            return messages[index + 1 :]
    return []
