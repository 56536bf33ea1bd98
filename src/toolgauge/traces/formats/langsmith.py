"""Runs that LangSmith exports, one a line or nested in each other, gathered by their trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from toolgauge.core import JsonValue, State, Trajectory

from ..context import ReadContext
from ..identity import identity_in, with_identity
from ..open_conversations import TraceGroups
from ..trajectory_builder import TrajectoryBuilder
from ..values import Record, at, case_of, dicts, items_of, milliseconds, record_of, structured, text
from .langchain import add_messages
from .messages import answer_in, calls_of, messages_in, question_in, speaker
from .steps import Step, add_steps, beginning_of, span_of

__all__ = ["LangSmithReader"]

KINDS: dict[str, Literal["model", "tool", "other"]] = {"llm": "model", "chat_model": "model", "tool": "tool"}
AGENTS = ("agent", "agent_name", "lc_agent_name")
DEEPEST = 50


class LangSmithReader:
    """One conversation a trace."""

    title: ClassVar[str] = "LangSmith runs"

    def __init__(self, context: ReadContext) -> None:
        self._context = context
        self._traces = TraceGroups(context)

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A run has a type of its own, and a trace, a parent, or inputs."""
        if not isinstance(value, dict):
            return False
        if not isinstance(value.get("run_type"), str):
            return bool(_ingested(value)) or _is_update(value)
        return "trace_id" in value or "parent_run_id" in value or "inputs" in value

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The traces that had to make room for the run."""
        run = record_of(value)
        batch = _ingested(run)
        if not run:
            self._context.note_loss("a record without a run is left out")
        size = self._context.size // max(len(batch), 1)
        for each in batch or [run] if run else []:
            yield from self._add(each, size)

    def _add(self, run: Record, size: int) -> Iterator[Trajectory]:
        name = text(run.get("trace_id")) or text(run.get("parent_run_id")) or text(run.get("id"))
        if name is None:
            yield from self._give([run])
            return
        for group in self._traces.add(name, run, size):
            yield from self._give(group)

    def finish(self) -> Iterator[Trajectory]:
        """The traces that are left."""
        for group in self._traces.rest():
            yield from self._give(group)

    def _give(self, records: list[Record]) -> Iterator[Trajectory]:
        runs = _in_order(self._distinct(_flat(records)))
        found = _root(runs)
        if found is None:
            self._context.note_loss("a trace has no root run; the rest is kept")
        root = found or runs[0]
        builder = TrajectoryBuilder(self._context)
        if root.get("run_type") != "tool":
            builder.add_user_message(question_in(root.get("inputs")))
        steps = [_step(run) for run in runs]
        agent, state = _add_work(builder, root, steps)
        if found is not None and root.get("run_type") != "tool":
            builder.output = answer_in(root.get("outputs")) or builder.output
        error = text(root.get("error"))
        if builder.empty and error is None:
            self._context.note_loss("a conversation without messages is left out")
            return
        metadata = record_of(at(root, "extra", "metadata")) or record_of(root.get("metadata"))
        tags = [tag for tag in items_of(root.get("tags")) if isinstance(tag, str)]
        yield builder.build(
            case=case_of(metadata, {"example_id": root.get("reference_example_id")}, root),
            agent=next((name for key in AGENTS if (name := text(metadata.get(key)))), agent),
            state=state,
            error=error,
            latency_ms=_step(root).duration if root.get("end_time") else span_of(steps),
            meta=with_identity(
                identity_in(metadata, {**metadata, "tags": [*tags]} if tags else metadata),
                trace=text(root.get("trace_id")) or text(root.get("id")),
                started=beginning_of(steps),
            ),
        )

    def _distinct(self, runs: list[Record]) -> list[Record]:
        """The runs without those that are there already; of a run that was written twice the finished one counts."""
        found: dict[object, Record] = {}
        for position, run in enumerate(runs):
            key = text(run.get("id")) or position
            if key in found and _only_began(run) != _only_began(found[key]):
                # What was sent when a run ended adds to what was sent when it began, whichever came first.
                known = {name: each for name, each in found[key].items() if each is not None}
                later = {name: each for name, each in run.items() if each is not None}
                found[key] = {**known, **later} if _only_began(found[key]) else {**later, **known}
                continue
            if key in found:
                self._context.note_loss("a run was recorded twice; the more complete one is kept")
                if run.get("end_time") is None and run.get("outputs") is None:
                    continue
            found[key] = run
        return list(found.values())


BEGUN, ENDED = "post", "patch"
BESIDES = ("attachment", "feedback")


def _ingested(value: Record) -> list[Record]:
    """The runs of a body that is sent to LangSmith: those that began and those that ended, or parts by their names.

    Parts are named `post.ID` and `patch.ID`, and what a run was given and gave may be parts of their own,
    `post.ID.inputs`.
    """
    if any(isinstance(value.get(key), list) for key in (BEGUN, ENDED)):
        runs = [*dicts(value.get(BEGUN)), *dicts(value.get(ENDED))]
        return [run for run in runs if isinstance(run.get("run_type"), str) or _is_update(run)]
    parts: dict[str, Record] = {}
    for key, held in value.items():
        kind, _, rest = key.partition(".")
        name, _, field = rest.partition(".")
        if kind in BESIDES and name:
            continue
        if kind not in (BEGUN, ENDED) or not name:
            return []
        run = parts.setdefault(f"{kind}.{name}", {"id": name})
        run.update({field: structured(held)} if field else record_of(structured(held)))
    return list(parts.values())


def _only_began(run: Record) -> bool:
    """Whether a record does not tell how a run ended."""
    return not _is_update(run) and not any(run.get(name) for name in ("end_time", "outputs", "error"))


def _is_update(run: Record) -> bool:
    """Whether a record only adds to a run: it has the ids of one, and not its type."""
    if "run_type" in run or not isinstance(run.get("trace_id"), str) or not isinstance(run.get("id"), str):
        return False
    return "dotted_order" in run and ("outputs" in run or "end_time" in run or "error" in run)


def _flat(runs: list[Record], depth: int = DEEPEST) -> list[Record]:
    """The runs, and those that are nested in them."""
    found: list[Record] = []
    for run in runs:
        found.append(run)
        if depth and run.get("child_runs"):
            found += _flat(list(dicts(run["child_runs"])), depth - 1)
    return found


def _in_order(runs: list[Record]) -> list[Record]:
    def when(run: Record) -> tuple[float, str]:
        start = milliseconds(run.get("start_time"))
        return (float("inf") if start is None else start, text(run.get("dotted_order")) or "")

    return sorted(runs, key=when)


def _root(runs: list[Record]) -> Record | None:
    known = {run_id for run in runs if (run_id := text(run.get("id")))}
    for run in runs:
        parent = text(run.get("parent_run_id"))
        if parent is None or (run.get("id") == run.get("trace_id") and parent not in known):
            return run
    return None


def _add_work(builder: TrajectoryBuilder, root: Record, steps: list[Step]) -> tuple[str, State]:
    """Add what the models and tools did, or else what the messages of the root say."""
    if not any(step.kind == "model" for step in steps):
        messages = messages_in(root.get("outputs"))
        if any(calls_of(message) or speaker(message) == "tool" for message in messages):
            took = {step.id: step.duration for step in steps if step.id and step.duration is not None}
            return add_messages(builder, messages, took)
    add_steps(builder, steps)
    return "", "completed"


def _step(run: Record) -> Step:
    kind = KINDS.get(str(run.get("run_type")), "other")
    outputs = run.get("outputs")
    error = text(run.get("error"))
    step = Step(
        kind,
        text(run.get("name")) or "",
        run.get("inputs"),
        outputs,
        start=milliseconds(run.get("start_time")),
        end=milliseconds(run.get("end_time")),
        failed=error is not None,
        error=error,
        span=text(run.get("id")),
    )
    if kind == "model":
        step.tokens, step.cost = _tokens(run), _number(run.get("total_cost"))
    elif kind == "tool":
        step.output = outputs.get("output", outputs) if isinstance(outputs, dict) else outputs
        step.output = None if step.output == {} else step.output
        step.id = text(at(run, "extra", "tool_call_id"))
    return step


def _tokens(run: Record) -> tuple[JsonValue, JsonValue] | None:
    """The tokens that a run says itself; else they are looked for in the message."""
    if run.get("prompt_tokens") or run.get("completion_tokens"):
        return run.get("prompt_tokens"), run.get("completion_tokens")
    for usage in (
        at(run, "outputs", "usage_metadata"),
        at(run, "outputs", "llm_output", "token_usage"),
        at(run, "outputs", "usage"),
    ):
        if isinstance(usage, dict):
            return (
                usage.get("input_tokens", usage.get("prompt_tokens")),
                usage.get("output_tokens", usage.get("completion_tokens")),
            )
    return None


def _number(value: JsonValue) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    known = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if known and 0 < value <= 10**15 else None  # type: ignore[operator,arg-type]  # a number
