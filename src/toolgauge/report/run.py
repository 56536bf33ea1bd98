"""A run, and a single case of it, as documents: the answer first, then the evidence, cases last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import ClassVar

import msgspec

from toolgauge.catalogue import Lang, Words, english_reason
from toolgauge.core import (
    REVIEW_VERDICTS,
    SCORING_VERSION,
    Case,
    Counts,
    Estimate,
    JsonValue,
    Note,
    Row,
    Run,
    RunHeader,
    Scored,
    Summary,
    nfc,
    suite_hash,
)
from toolgauge.errors import UsageError, did_you_mean
from toolgauge.metrics import METRICS, official_standings

from .blocks import Block, Bullets, Column, Heading, Item, Line, Paragraph, Table
from .cases import case_json, case_rows, case_table, failures, single_case
from .comparison_tables import trials_table
from .csv import UNLABELLED, cell_of, harmless
from .display import short, visible
from .figures import agents_of, figures, label_of, tool_tables, value_of_label
from .json import builtins, encode_json, list_json
from .leaderboard import is_leaderboard, leaderboard, standing_json
from .opening import opening
from .totals import totals_json

__all__ = [
    "CASE_SCHEMA",
    "REPORT_SCHEMA",
    "CaseDocument",
    "RunDocument",
    "counts_json",
    "row_json",
    "run_notes",
    "state_counts",
]

REPORT_SCHEMA = "toolgauge.report/1"
CASE_SCHEMA = "toolgauge.case/1"

STRICT_SINCE = 2
"""Before this version of the rules, what is `strict` today did not fail a case, whatever the suite says."""

_MAX_NAME = 60
_MAX_LISTED = 40
_ALWAYS = ("selected", "reviews", "reviewed")
"""Notes that even the shortest report has."""

_NOTE_VALUES = ("agent", "count", "of", "trials", "scorer", "reason", *REVIEW_VERDICTS)
_STATES = ("passed", "failed", "error", "timeout", "limit", "cancelled", "not_run")


@dataclass(frozen=True, slots=True)
class RunDocument:
    """The report of a run."""

    run: Run
    details: bool = False
    """Whether to add the single cases."""
    failures: bool = False
    """Whether to show expected beside actual, line by line, for each case that did not pass."""
    issues: bool = False
    """Whether to show the same for each case that passed with issues, too."""
    full: bool = True
    """Whether everything follows what it opens with: how figures are computed, all of them, and the ground truth."""
    zeros: bool = False
    """Whether rates of faults have columns even where they are 0 for all."""
    more: str = ""
    """How to see more of it: what a command takes, or another command."""
    places: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """By their ids the files and lines of cases, as far as they are known."""
    name: ClassVar[str] = "report"

    def title(self, words: Words) -> str:
        """The suite, and how much there is of it."""
        summary = self.run.summary
        return words(
            "title",
            suite=short(summary.suite.name, _MAX_NAME),
            cases=words.count("cases", summary.suite.cases),
            agents=words.count("agents", len(agents_of(summary) or self.run.header.agents)),
        )

    def blocks(self, words: Words) -> Iterator[Block]:
        """Three sentences and a table; then how figures are computed, all of them, and what they are held to."""
        run = self.run
        yield Heading(self.title(words), 1)
        yield from leaderboard(run, words)
        yield from opening(run, words)
        yield Paragraph(state_counts(run.summary.counts, words), "dim")
        if not self.full:
            yield from _caveats(run, words)
        if self.more:
            yield Paragraph(self.more, "dim")
        if self.full:
            yield from _method(run.header, words)
            yield from figures(run.summary, words, zeros=self.zeros)
            yield from tool_tables(run.summary, words)
            yield from _trials(run.summary, words)
            yield from _facts(run.summary, words)
            yield from _notes(run, words)
        if self.details:
            yield from case_table(run, words)
        if self.failures or self.issues:
            yield from failures(run, words, issues=self.issues)

    def complete(self) -> RunDocument:
        """All of it, for picking single tables, whether or not they say much."""
        return replace(self, full=True, zeros=True, more="")

    def json(self, words: Words) -> Iterator[str]:
        """All figures, and the cases that were asked for."""
        run = self.run
        summary = run.summary
        suite: dict[str, object] = {
            "name": summary.suite.name,
            "cases": summary.suite.cases,
            "tools": list(summary.suite.tools),
        }
        if run.header.suite_hash:
            suite["hash"] = suite_hash(run.header.suite)
        yield f'{{"schema":{encode_json(REPORT_SCHEMA)},\n"suite":{encode_json(suite)},\n'
        yield f'"scoring":{run.header.scoring},\n'
        yield f'"counts":{encode_json(counts_json(summary.counts))},\n'
        yield f'"passed_with_issues":{summary.counts.passed_with_issues},\n'
        yield f'"totals":{encode_json(totals_json(summary))},\n'
        if is_leaderboard(run):
            yield from list_json("leaderboard", map(standing_json, official_standings(summary)))
        yield from list_json("rows", map(row_json, summary.rows))
        yield from list_json("tools", map(msgspec.structs.asdict, summary.tools))
        yield from list_json("confusion", map(msgspec.structs.asdict, summary.confusion))
        yield from list_json("notes", ({"kind": note.kind, **note.values} for note in summary.notes))
        found: Iterable[Scored] = run.scored if self.details else ()
        yield from list_json("cases", (case_json(item.score, words.lang) for item in found), end="}\n")

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per agent and group, or per case, agent and trial where the single cases are asked for."""
        return case_rows(self.run.scored, self.run.header.scorers) if self.details else _rows(self.run.summary)


class CaseDocument:
    """One case with what every agent did in every trial."""

    name: ClassVar[str] = "case"

    def __init__(self, run: Run, case_id: str) -> None:
        """Look a case up.

        Raises:
            UsageError: The suite has no such case.
        """
        self.run = run
        self.case = _find_case(run, case_id)

    def title(self, words: Words) -> str:  # noqa: ARG002 - a name is the same in every language
        """Its id."""
        return short(self.case.id, 120)

    def blocks(self, words: Words) -> Iterator[Block]:
        """The question, and then the trajectories."""
        return single_case(self.run, self.case, words)

    def json(self, words: Words) -> Iterator[str]:
        """The case as the suite has it, and the trajectories whole."""
        case = self.case
        stated = {"id": case.id, "input": case.input, "labels": case.labels, "expect": builtins(case.expect)}
        yield f'{{"schema":{encode_json(CASE_SCHEMA)},\n"suite":{encode_json(self.run.summary.suite.name)},\n'
        yield f'"case":{encode_json(stated)},\n'
        whole = (_whole_json(item, words.lang) for item in self._scored())
        yield from list_json("cases", whole, end="}\n")

    def rows(self, words: Words) -> Iterator[list[str]]:  # noqa: ARG002 - they are the same in every language
        """A row per agent and trial."""
        return case_rows(self._scored(), self.run.header.scorers)

    def _scored(self) -> Iterator[Scored]:
        return (item for item in self.run.scored if item.score.case == self.case.id)


def _find_case(run: Run, case_id: str) -> Case:
    wanted = nfc(case_id)
    for case in run.header.suite.cases:
        if nfc(case.id) == wanted:
            return case
    hint = did_you_mean(case_id, [case.id for case in run.header.suite.cases])
    raise UsageError(f"the suite has no case {case_id!r}" + (f"; {hint}" if hint else ""))


def _whole_json(item: Scored, lang: Lang) -> dict[str, object]:
    """A trajectory with its score and its calls."""
    trajectory = item.trajectory
    return case_json(item.score, lang) | {
        "calls": [builtins(call) for call in trajectory.calls],
        "output": trajectory.output,
        "error": trajectory.error,
        "latency_ms": trajectory.latency_ms,
    }


def state_counts(counts: Counts, words: Words) -> str:
    """The plan as a sum of states, with what passed with issues; besides passed and failed only states that occur."""
    numbers = {state: getattr(counts, state) for state in _STATES}
    parts = [
        f"{words.number(number)} {words(f'state.{state}')}"
        for state, number in numbers.items()
        if number or state in ("passed", "failed")
    ]
    if counts.passed_with_issues:
        parts[0] = words("counts.with_issues", passed=parts[0], number=counts.passed_with_issues)
    return words("counts", planned=counts.planned, parts=" + ".join(parts))


def counts_json(counts: Counts) -> dict[str, int]:
    """The plan and its states, which sum to it."""
    return {name: getattr(counts, name) for name in ("planned", *_STATES)}


def _trials(summary: Summary, words: Words) -> Iterator[Block]:
    """What several trials of the same case come to, where there are several."""
    found = [(row.agent, row.repeated) for row in summary.rows if not row.group and row.repeated]
    if found:
        yield Heading(words("compare.section.trials"))
        yield trials_table(found, words)


def _facts(summary: Summary, words: Words) -> Iterator[Block]:
    """How many questions there are, and which tools they expect."""
    suite = summary.suite
    yield Heading(words("section.facts"), name="facts")
    items = [Item(words("facts.cases", number=suite.cases))]
    if suite.groups:
        named = [(short(value_of_label(value, words), _MAX_NAME), number) for value, number in suite.groups.items()]
        groups = _listed([f"{value} ({words.number(number)})" for value, number in named], words)
        items.append(Item(words("facts.groups", label=visible(label_of(summary, words)).lower(), groups=groups)))
    if not suite.expected_tools:
        yield Bullets((*items, Item(words("facts.no_tools"))))
        return
    tools = suite.expected_tools
    yield Bullets((*items, Item(words("facts.tools", number=len(tools)))))
    columns = (Column(words("column.tool"), "left", key=True), Column(words("column.questions")))
    lines = tuple(Line((tool, words.number(number))) for tool, number in tools.items())
    yield Table(columns, lines, name="expected_tools")


def _method(header: RunHeader, words: Words) -> Iterator[Block]:
    """How each figure is computed, by the rules that the run was scored by."""
    settings = header.suite.settings
    weights = settings.weights
    rule = "score" if header.scoring < STRICT_SINCE else settings.passing
    yield Heading(words("section.method"), name="method")
    yield Bullets(
        (
            Item(words("method.sets")),
            Item(words("method.counts")),
            Item(words("method.accuracy")),
            Item(words("method.f1")),
            Item(words("method.tool_fail_rate")),
            Item(words("method.calls")),
            Item(
                words(
                    "method.score",
                    call_precision=words.number(f"{weights.call_precision:g}"),
                    call_recall=words.number(f"{weights.call_recall:g}"),
                    param_accuracy=words.number(f"{weights.param_accuracy:g}"),
                    content=words.number(f"{weights.content:g}"),
                )
            ),
            Item(
                words(
                    f"method.passed.{rule}" if settings.profile is None else "bfcl.passed",
                    threshold=words.number(f"{settings.threshold:g}"),
                    fail_on=", ".join(settings.fail_on) or None,
                    ignore=", ".join(settings.ignore) or None,
                )
            ),
            Item(words("method.measured")),
            Item(words("method.intervals")),
        )
    )


def _notes(run: Run, words: Words) -> Iterator[Block]:
    """What a reader should know about the figures."""
    items = run_notes(run, words)
    if items:
        yield Heading(words("section.notes"), name="notes")
        yield Bullets(tuple(map(Item, items)))


def run_notes(run: Run, words: Words) -> list[str]:
    """The same as sentences."""
    found = _all_notes(run)
    published = [note for note in found if note.kind == "fail_rate_published"]
    items = [*_older_rules(run, words), *_pointing(run, words)]
    if published:
        items.append(_published(published, words))
    items.extend(_note(note, words) for note in found if note.kind != "fail_rate_published")
    return items


def _caveats(run: Run, words: Words) -> Iterator[Block]:
    """What even the shortest report has to say: other rules, opinions, only some of the cases, or reviews."""
    yield from map(Paragraph, (*_older_rules(run, words), *_pointing(run, words)))
    yield from (Paragraph(_note(note, words)) for note in _all_notes(run) if note.kind in _ALWAYS)


def _all_notes(run: Run) -> list[Note]:
    found = list(run.summary.notes)
    return [*found, *(note for note in run.header.notes if note not in found)]


def _older_rules(run: Run, words: Words) -> Iterator[str]:
    if run.header.scoring != SCORING_VERSION:
        yield words("note.scoring", version=run.header.scoring, current=SCORING_VERSION)


def _pointing(run: Run, words: Words) -> Iterator[str]:
    """That typed answers may rest on the opinion of a model, where the run or a case asks for one."""
    model = run.header.about.get("answer_model")
    asked = (case.expect.answer for case in run.header.suite.cases)
    if model or any(answer is not None and "find" in answer for answer in asked):
        yield words("note.pointed", model=short(str(model), 60) if model else None)


def _published(found: Sequence[Note], words: Words) -> str:
    """One note for all agents and groups, so that the reason is given once."""
    parts = [
        words(
            "note.fail_rate_published.part",
            agent=_text(note.values.get("agent")),
            group=_text(note.values.get("group")),
            **{
                name: _text(note.values.get(name))
                for name in ("failed", "with_calls", "published_failed", "published_with_calls")
            },
        )
        for note in found
    ]
    return words("note.fail_rate_published", parts="; ".join(parts))


def _note(note: Note, words: Words) -> str:
    values: dict[str, str | None] = {name: _text(note.values.get(name)) for name in _NOTE_VALUES}
    names = note.values.get("cases" if note.kind in ("not_run", "cancelled") else "names")
    if isinstance(names, list) and names:
        count = note.values.get("count")
        partial = isinstance(count, int) and count > len(names)
        values["names"] = ", ".join([*(_text(name) or "" for name in names), *(["…"] if partial else [])])
    else:
        values["names"] = None
    return words(f"note.{note.kind}", **values)


def _text(value: JsonValue) -> str | None:
    """A value of a note as text; nothing where there is none."""
    return None if value is None or value == "" else short(str(value), _MAX_NAME)


def _listed(parts: list[str], words: Words) -> str:
    if len(parts) > _MAX_LISTED:
        parts = [*parts[:_MAX_LISTED], words("more", number=len(parts) - _MAX_LISTED)]
    return ", ".join(parts)


def _rows(summary: Summary) -> Iterator[list[str]]:
    """A row per agent and group. That of an agent as a whole has no label."""
    listed = [*(metric.name for metric in METRICS), *(name for row in summary.rows for name in row.metrics)]
    metrics = list(dict.fromkeys(listed))
    spread = {metric.name for metric in METRICS if metric.percentiles}
    # What is both counted and a metric is told apart.
    titles = ["n", *(f"{name}_count" if name in metrics else name for name in Counts.__struct_fields__)]
    for name in metrics:
        titles.extend((name, f"{name}_low", f"{name}_high"))
        if name in spread:
            titles.extend((f"{name}_p50", f"{name}_p95"))
    by = summary.by
    label = [] if by is None else [f"label {by}" if by == "agent" or by in titles else by]
    yield list(map(harmless, ["agent", *label, *titles]))
    for row in summary.rows:
        cells = [harmless(row.agent)]
        if by is not None:
            cells.append(harmless(", ".join(value or UNLABELLED for value in row.group.values())))
        cells.extend((str(row.n), *(str(getattr(row.counts, name)) for name in Counts.__struct_fields__)))
        for name in metrics:
            cells.extend(_estimate_cells(row.metrics.get(name, Estimate(None)), spread=name in spread))
        yield cells


def _estimate_cells(estimate: Estimate, *, spread: bool) -> Iterator[str]:
    there = estimate.value is not None and isfinite(estimate.value)
    names = ("value", "low", "high", "p50", "p95") if spread else ("value", "low", "high")
    for name in names:
        yield cell_of(getattr(estimate, name)) if there else ""


def row_json(row: Row) -> dict[str, object]:
    """The figures of an agent on a group of cases, as JSON has them."""
    figures: dict[str, object] = {
        "agent": row.agent,
        "group": row.group,
        "n": row.n,
        "planned": row.counts.planned,
        "counts": counts_json(row.counts),
        "passed_with_issues": row.counts.passed_with_issues,
        "metrics": {name: _estimate_json(estimate) for name, estimate in row.metrics.items()},
    }
    if row.repeated:
        figures["repeated"] = [
            {"k": one.k, "pass_any": _estimate_json(one.pass_any), "pass_all": _estimate_json(one.pass_all)}
            for one in row.repeated
        ]
    return figures


def _estimate_json(estimate: Estimate) -> dict[str, object]:
    if estimate.value is None or not isfinite(estimate.value):
        return {"value": None, "reason": english_reason(estimate.reason), "n": estimate.n}
    figure: dict[str, object] = {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
    }
    for name in ("p50", "p95"):
        if getattr(estimate, name) is not None:
            figure[name] = getattr(estimate, name)
    return figure
