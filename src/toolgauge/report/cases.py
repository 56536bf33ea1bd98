"""Single cases: a table of all of them, and what was expected beside what was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from toolgauge.catalogue import Lang, Words
from toolgauge.catalogue.speaking import translated
from toolgauge.core import (
    JUDGE,
    MEASURES,
    POINTER,
    STATES,
    Call,
    Case,
    Expect,
    ExpectedCall,
    JsonValue,
    Measured,
    Note,
    Outcome,
    Run,
    Score,
    Scored,
)

from .aligned import LineKind, aligned_lines, expected_calls
from .blocks import (
    Align,
    Block,
    Bullets,
    Column,
    Heading,
    Item,
    Line,
    Paragraph,
    SideBySide,
    SideLine,
    Table,
    Tone,
)
from .csv import cell_of, harmless
from .display import decimal, short, visible, width_of
from .evidence import answer_json, answer_words, choice_blocks, marked_answer
from .figures import agents_of
from .values import arguments, brief, issue_json, word_issue

__all__ = [
    "answer_line",
    "case_json",
    "case_rows",
    "case_table",
    "failures",
    "outcome",
    "several_trials",
    "single_case",
]

_MAX_ID = 24
_MAX_QUESTION = 150
_MAX_CALLS = 60
_MAX_ISSUES = 30


def outcome(score: Score) -> str:
    """The state of a planned trajectory: passed, perhaps with issues, failed, or how it ended early."""
    if score.passed:
        return "passed_with_issues" if score.issues else "passed"
    return "failed" if score.state == "completed" else score.state


def several_trials(notes: Sequence[Note]) -> bool:
    """Whether cases were tried more than once."""
    return any(note.kind == "several_trials" for note in notes)


def case_table(run: Run, words: Words) -> Iterator[Block]:
    """One line for each case, agent and trial, drawn as they come."""
    several = several_trials(run.summary.notes)
    yield Heading(words("section.cases"))
    lines = (_case_line(item.score, words, several=several) for item in run.scored)
    yield Table(_case_columns(run, words), lines, name="cases")


def _case_columns(run: Run, words: Words) -> tuple[Column, ...]:
    """Columns whose widths are known before the first case is read; the issues take what is left of 80 cells."""
    names = [visible(case.id[:_MAX_ID]) for case in run.header.suite.cases]
    agents = [visible(agent[:_MAX_ID]) for agent in agents_of(run.summary) or run.header.agents]
    states = [words(f"state.{state}") for state in ("passed", "failed", *STATES)]
    titles = [words(f"column.{name}") for name in ("case", "agent", "result", "score", "issues")]
    room = len(" #10")
    widths = [
        min(_MAX_ID, _widest(names, titles[0]) + room),
        min(16, _widest(agents, titles[1])),
        _widest(states, titles[2]),
        max(len("0.0000"), _widest([words("none")], titles[3])),
    ]
    widths.append(80 - sum(widths) - 2 * len(widths))
    aligns: tuple[Align, ...] = ("left", "left", "left", "right", "left")
    return tuple(
        Column(title, align, key=index < 2, width=width)
        for index, (title, align, width) in enumerate(zip(titles, aligns, widths, strict=True))
    )


def _widest(texts: Sequence[str], title: str) -> int:
    return max(map(width_of, (*texts, title)))


def _case_line(score: Score, words: Words, *, several: bool) -> Line:
    trial = f" #{score.trial}" if several or score.trial > 1 else ""
    state = "passed" if score.passed else outcome(score)
    kinds = ", ".join(dict.fromkeys(issue.kind for issue in score.issues))
    cells = (
        score.case + trial,
        score.agent,
        words(f"state.{state}"),
        decimal(score.score, words),
        kinds,
    )
    return Line(cells, _TONES.get(outcome(score), "bad"))


_TONES: dict[str, Tone] = {"passed": "plain", "passed_with_issues": "warn"}


def failures(run: Run, words: Words, *, issues: bool = False) -> Iterator[Block]:
    """Each case that did not pass: expected beside actual, and what is wrong.

    Args:
        run: The run.
        words: The language.
        issues: Whether to show cases that passed with issues, too.
    """
    cases = {case.id: case for case in run.header.suite.cases}
    several = several_trials(run.summary.notes)
    yield Heading(words("section.issues" if issues else "section.failures"), name="failures")
    found = False
    for item in run.scored:
        if item.score.passed and not (issues and item.score.issues):
            continue
        if not found:
            yield Paragraph(words("case.legend"), "dim")
            found = True
        yield from _trajectory(cases.get(item.score.case), item, words, several=several)
    if not found:
        yield Paragraph(words("case.none_with_issues" if issues else "case.none_failed"))


_VERDICT_TONES: dict[str, Tone] = {"passed": "good", "passed_with_issues": "warn"}


def single_case(run: Run, case: Case, words: Words) -> Iterator[Block]:
    """One case with all its trajectories."""
    yield Heading(short(case.id, 120), 1)
    yield Paragraph(words("case.question", text=short(case.input, 4000)))
    if case.labels:
        labels = ", ".join(
            f"{words.known(f'label.{name}', '').lower() or name}: {value}" for name, value in case.labels.items()
        )
        yield Paragraph(words("case.labels", labels=short(labels)))
    if case.expect.contains:
        texts = ", ".join(brief(text, words) for text in case.expect.contains)
        yield Paragraph(words("case.required", texts=short(texts)))
    found = False
    for item in run.scored:
        if item.score.case == case.id:
            if not found:
                yield Paragraph(words("case.legend"), "dim")
                found = True
            yield from _trajectory(case, item, words, several=True, whole=True)
    if not found:
        yield Paragraph(words("case.not_seen"))


def _trajectory(
    case: Case | None, item: Scored, words: Words, *, several: bool, whole: bool = False
) -> Iterator[Block]:
    """A trajectory: its verdict, the calls side by side, the issues and the answer."""
    score = item.score
    trial = score.trial if several or score.trial > 1 else None
    yield Heading(words("case.title", case=short(score.case, 120), agent=short(score.agent, 60), trial=trial), 3)
    yield Paragraph(_verdict(score, words), _VERDICT_TONES.get(outcome(score), "bad"))
    if case is not None:
        if not whole:
            yield Paragraph(words("case.question", text=short(case.input, _MAX_QUESTION)), "dim")
        if score.state != "not_run":
            yield _sides(case.expect, item, words)
    if score.issues:
        yield Bullets(_issues(score, words))
    if score.answer is not None:
        yield Paragraph(answer_line(case, score, words))
    for name, one in score.outcomes.items():
        yield Paragraph(_outcome(name, one, words))
    if score.state != "not_run":
        yield Paragraph(_output(item, words, 4000 if whole else _MAX_QUESTION))
        if score.answer is not None:
            yield from choice_blocks(score.answer, words, whole=whole)
    for event in item.trajectory.events:
        if event.get("kind") == JUDGE:
            yield Paragraph(_opinion(event, words), "dim")
        elif event.get("kind") == POINTER:
            yield Paragraph(_pointer(event, words), "dim")


def answer_line(case: Case | None, score: Score, words: Words) -> str:
    """What became of the typed answer, in a line; empty where the case states none."""
    if score.answer is None:
        return ""
    return answer_words(score.answer, None if case is None else case.expect.answer, words)


def _output(item: Scored, words: Words, limit: int) -> str:
    """The final answer, with what was taken for it marked."""
    output, answer = item.trajectory.output, item.score.answer
    if not output:
        return words("case.no_output")
    pointed = [event.get("passage") for event in item.trajectory.events if event.get("kind") == POINTER]
    passage = pointed[-1] if answer is not None and answer.pointed_by and pointed else None
    shown = passage if isinstance(passage, str) else ""
    return words("case.output", text=marked_answer(output, answer, limit, pointed=shown))


def _pointer(event: Mapping[str, JsonValue], words: Words) -> str:
    """What a model pointed to, or why it did not."""
    model, passage = short(str(event.get("model") or ""), 60), event.get("passage")
    if not isinstance(passage, str):
        reason = translated(str(event.get("error") or ""), words.lang)
        return words("case.no_pointer", model=model, reason=short(reason))
    return words("case.pointer", model=model, text=short(passage))


def _opinion(event: Mapping[str, JsonValue], words: Words) -> str:
    """What a judge said of the answer, or why it said nothing."""
    model, score = short(str(event.get("model") or ""), 60), event.get("score")
    if not isinstance(score, (int, float)):
        return words("case.no_judge", model=model, reason=short(str(event.get("error") or "")))
    reason = short(str(event.get("reason") or "")) or None
    return words("case.judge", model=model, score=decimal(float(score), words), reason=reason)


def _verdict(score: Score, words: Words) -> str:
    state = words(f"state.{outcome(score)}")
    if score.score is None:
        return words("case.verdict", state=state)
    verdict = words("case.verdict", state=state, score=decimal(score.score, words))
    names = ("call_precision", "call_recall", "param_accuracy", "content")
    measures = words("case.measures", **{name: decimal(getattr(score, name), words) for name in names})
    return f"{verdict}: {measures}"


def _issues(score: Score, words: Words) -> tuple[Item, ...]:
    """The issues in words, those that fail the case first."""
    issues = sorted(score.issues, key=lambda issue: not issue.failing)
    items = []
    for issue in issues[:_MAX_ISSUES]:
        text = word_issue(issue, words.lang)
        items.append(Item(words("case.failing", text=text), "bad") if issue.failing else Item(text, "warn"))
    if len(issues) > _MAX_ISSUES:
        items.append(Item(words("more", number=len(issues) - _MAX_ISSUES), "dim"))
    return tuple(items)


def _outcome(scorer: str, found: Outcome, words: Words) -> str:
    """What a scorer of another package says."""
    value, reason = _value(found), short(found.reason) or None
    if value is None:
        return words("case.unscored", scorer=short(scorer, 60), reason=reason)
    return words("case.outcome", scorer=short(scorer, 60), value=decimal(value, words), reason=reason)


def _sides(expect: Expect, item: Scored, words: Words) -> SideBySide:
    """Expected calls on the left, the calls that were made on the right, pairs on one line."""
    expected = expected_calls(expect, item.score.plan)
    calls = item.trajectory.calls
    lines = list(_lines(expected or (), item, expect, words))
    if not lines:
        left = "side.unsaid" if expected is None else "side.no_tool"
        lines = [SideLine(words(left), "", words("side.no_calls"), "dim")]
    elif not expected:
        left = words("side.unsaid" if expected is None else "side.no_tool")
        lines[0] = SideLine(left, lines[0].mark, lines[0].right, lines[0].tone)
    elif not calls:
        lines[0] = SideLine(lines[0].left, lines[0].mark, words("side.no_calls"), lines[0].tone)
    if len(lines) > _MAX_CALLS:
        rest = words("more", number=len(lines) - _MAX_CALLS)
        lines = [*lines[:_MAX_CALLS], SideLine(rest, "", rest, "dim")]
    return SideBySide(words("column.expected"), words("column.actual"), tuple(lines))


_MARKS: dict[LineKind, tuple[str, Tone]] = {
    "matched": ("=", "good"),
    "wrong_arg": ("~", "warn"),
    "failed": ("!", "bad"),
    "missing": ("-", "bad"),
    "optional": ("·", "dim"),
    "extra": ("+", "warn"),
    "duplicate": ("+", "warn"),
    "neutral": ("·", "dim"),
}
"""By what a line says its mark in texts of one column width, and its tone."""


def _lines(expected: Sequence[ExpectedCall], item: Scored, expect: Expect, words: Words) -> Iterator[SideLine]:
    """The aligned calls in words."""
    for line in aligned_lines(expect, item):
        left = "" if line.expected is None else _expected(expected[line.expected], words, line.times)
        right = "" if line.call is None else _actual(line.call, item.trajectory.calls, words)
        mark, tone = _MARKS[line.kind]
        yield SideLine(left, mark, right, tone)


def _expected(wanted: ExpectedCall, words: Words, times: int = 1) -> str:
    parts = [*arguments(wanted.args, words), *arguments(wanted.check, words, sign="?=")]
    if wanted.forbid_args:
        parts.append(words("side.without", names=short(", ".join(wanted.forbid_args), 80)))
    tool = short(wanted.tool, 60)
    shown = words("side.times", tool=tool, number=times) if times > 1 else tool
    note = f" [{words('side.optional')}]" if wanted.optional else ""
    return short(f"{shown}({', '.join(parts)}){note}")


def _actual(index: int, calls: Sequence[Call], words: Words) -> str:
    call = calls[index]
    shown = words("side.unknown_arguments") if call.args is None else ", ".join(arguments(call.args, words))
    failure = "" if call.error is None else f" → {short(call.error, 120)}"
    return f"#{index + 1} " + short(f"{short(call.tool, 60)}({shown})") + failure


def case_rows(scored: Iterable[Scored], scorers: Iterable[str] = ()) -> Iterator[list[str]]:
    """A row per case, agent and trial, below the titles; what scorers of other packages say comes last."""
    names = list(scorers)
    yield ["id", "agent", "trial", "state", "passed", *MEASURES, "answer", "issues", *map(harmless, names)]
    for item in scored:
        found = [item.score.outcomes.get(name) for name in names]
        yield [*_case_row(item.score), *(cell_of(_value(outcome)) for outcome in found)]


def _case_row(score: Score) -> list[str]:
    return [
        harmless(score.case),
        harmless(score.agent),
        str(score.trial),
        score.state,
        cell_of(score.passed),
        *(cell_of(getattr(score, name)) for name in MEASURES),
        "" if score.answer is None else score.answer.verdict or "",
        " ".join(issue.kind for issue in score.issues),
    ]


def _value(outcome: Outcome | None) -> float | None:
    return outcome.value if isinstance(outcome, Measured) else None


def case_json(score: Score, lang: Lang) -> dict[str, object]:
    """A trajectory with its score, as JSON has it."""
    answer = score.answer
    outcomes = {name: {"value": _value(one), "reason": one.reason} for name, one in score.outcomes.items()}
    return {
        "id": score.case,
        "agent": score.agent,
        "trial": score.trial,
        "state": score.state,
        "passed": score.passed,
        "score": score.score,
        "call_precision": score.call_precision,
        "call_recall": score.call_recall,
        "param_accuracy": score.param_accuracy,
        "content": score.content,
        "answer": None if answer is None else answer_json(answer),
        "alignment": [
            {"expected": pair.expected, "call": pair.call, "params": pair.params} for pair in score.alignment
        ],
        "issues": [issue_json(issue, lang) for issue in score.issues],
    } | ({"outcomes": outcomes} if outcomes else {})
