"""The table of expectations: rows written and computed by hand, as data in `table/`.

A row has a name, what is expected (`expect`, and `locale`, `budget` and `settings`, as in a suite), what the agent did,
and what has to come out of it. `tools` and `settings` of a file hold for all its rows. `passed` is by the strict rule,
`by_score` by the rule of the score, where that is another. Short forms:

    calls       `tool`, or `{tool: {argument: value}, result: ..., error: ...}`; arguments of null were not recorded
    alignment   `[expected, call, params]`
    issues      `kind tool.argument @call`, as much of it as is telling
    measures    `[call_precision, call_recall, param_accuracy, score]`, the score to four decimals
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml
from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import (
    ISSUE_KINDS,
    Call,
    Issue,
    JsonValue,
    PassRule,
    Score,
    State,
    Suite,
    Trajectory,
)
from toolgauge.files import InputFile, convert, read_yaml_document
from toolgauge.matchers import MATCHERS
from toolgauge.scoring import Scorer
from toolgauge.suites import load_suite

TABLE = Path(__file__).parent / "table"
FILES = sorted(path.stem for path in TABLE.glob("*.yaml"))

NOT_IN_THE_TABLE = {"ungrounded_arg", "wrong_answer"}
"""Issues that need grounding or a typed answer."""

OF_A_PROFILE = {"$bfcl"}
"""Matchers that no person writes, with tests of their own."""

Number: TypeAlias = int | float | str
"""A number, or a fraction such as `2/3`."""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One row; what is part of the suite is read a second time, by the reader of suites."""

    name: str
    calls: tuple[str | dict[str, JsonValue], ...]
    alignment: tuple[tuple[int, int, Number], ...]
    issues: tuple[str, ...]
    measures: tuple[Number | None, Number | None, Number | None, float | None]
    passed: bool
    expect: JsonValue = None
    locale: JsonValue = None
    budget: JsonValue = None
    settings: JsonValue = None
    by_score: bool | None = None
    output: str | None = None
    state: State = "completed"
    error: str | None = None
    latency_ms: float | None = None
    plan: int = 0
    content: Number | None = None


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """One file."""

    rows: tuple[Row, ...]
    tools: JsonValue = None
    settings: JsonValue = None


@cache
def rows_of(name: str) -> tuple[Row, ...]:
    """The rows of a file, by the reader that also reads suites: words stay words."""
    with InputFile(TABLE / f"{name}.yaml") as source:
        table = convert(read_yaml_document(source, Table).value, Table)
    assert isinstance(table, Table), table
    return table.rows


def suite_text(name: str) -> str:
    """The text of a suite with the cases of a file: their expectations exactly as they are written there."""
    text = (TABLE / f"{name}.yaml").read_text("utf-8")
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    lines: list[str] = []

    def copy(node: yaml.MappingNode, keys: Sequence[str], indent: str) -> None:
        for key, value in node.value:
            if key.value in keys:
                written = text[value.start_mark.index : value.end_mark.index].rstrip()
                lines.append(f"{indent}{key.value}:\n{' ' * value.start_mark.column}{written}")

    assert isinstance(root, yaml.MappingNode)
    copy(root, ("tools", "settings"), "")
    lines.append("cases:")
    rows = next(value for key, value in root.value if key.value == "rows")
    for index, row in enumerate(rows.value):
        lines.append(f"- id: row {index}")
        copy(row, ("expect", "locale", "budget", "settings"), "  ")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module", params=FILES)
def suite(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Suite]:
    """A file of the table as a suite."""
    name: str = request.param
    path = tmp_path_factory.mktemp("table") / f"{name}.yaml"
    path.write_text(suite_text(name), "utf-8")
    return name, load_suite(path)


def call_of(written: str | dict[str, JsonValue]) -> Call:
    """A call in its short form."""
    if isinstance(written, str):
        return Call(written)
    tool, args = next(iter(written.items()))
    assert args is None or isinstance(args, dict)
    error = written.get("error")
    return Call(tool, args, result=written.get("result"), error=None if error is None else str(error))


def trajectory_of(row: Row, case: str) -> Trajectory:
    """What the agent of a row did."""
    calls = tuple(map(call_of, row.calls))
    return Trajectory(case, "agent", 1, row.state, calls, row.output, row.error, row.latency_ms)


def number(written: Number | None) -> float | None:
    """A number of the table."""
    return None if written is None else float(Fraction(str(written)))


def words_of(issue: Issue) -> set[str]:
    """An issue as the table writes it, in every detail."""
    about = [f"{issue.tool}.{issue.argument}" if issue.argument else issue.tool, issue.tool]
    place = [] if issue.call is None else [f"@{issue.call}"]
    return {issue.kind, *place, *(word for word in about if word)}


def unlike(written: Sequence[str], found: Sequence[Issue]) -> list[str]:
    """What differs between the issues of the table and those found; the most telling ones choose first."""
    left = [words_of(issue) for issue in found]
    differences = []
    for text in sorted(written, key=lambda text: -len(text.split())):
        match = next((words for words in left if set(text.split()) <= words), None)
        if match is None:
            differences.append(f"not found: {text}")
        else:
            left.remove(match)
    return differences + [f"not in the table: {' '.join(sorted(words))}" for words in left]


def differences(row: Row, got: Score, passed: bool) -> Iterator[str]:
    """Everything in which a score is not what the row says."""
    yield from unlike(row.issues, got.issues)
    pairs = sorted((pair.expected, pair.call, round(pair.params, 9)) for pair in got.alignment)
    wanted = sorted((expected, call, round(number(params) or 0.0, 9)) for expected, call, params in row.alignment)
    if pairs != wanted:
        yield f"alignment {pairs}, not {wanted}"
    names = ("call_precision", "call_recall", "param_accuracy", "score")
    for name, written in zip(names, row.measures, strict=True):
        value = getattr(got, name)
        if value != (None if written is None else pytest.approx(number(written), abs=5e-5)):
            yield f"{name} {value}, not {written}"
    if row.content is not None and got.content != pytest.approx(number(row.content)):
        yield f"content {got.content}, not {row.content}"
    if (got.passed, got.plan) != (passed, row.plan):
        yield f"passed and plan {got.passed, got.plan}, not {passed, row.plan}"


@pytest.mark.parametrize("rule", ["strict", "score"])
def test_every_row_comes_out_as_computed_by_hand(suite: tuple[str, Suite], rule: PassRule) -> None:
    name, written = suite
    scorer = Scorer(replace(written, settings=replace(written.settings, passing=rule)))
    rows = list(rows_of(name))
    passed = [row.by_score if rule == "score" and row.by_score is not None else row.passed for row in rows]
    trajectories = [trajectory_of(row, case.id) for case, row in zip(written.cases, rows, strict=True)]
    for scores in ([scorer.score(trajectory) for trajectory in trajectories], scorer.score_all(trajectories)):
        wrong = [
            f"{name}: {row.name}: {difference}"
            for row, got, verdict in zip(rows, scores, passed, strict=True)
            for difference in differences(row, got, verdict)
        ]
        assert not wrong, "\n".join(wrong)


def test_the_table_is_large_and_every_row_has_a_name_of_its_own() -> None:
    names = [row.name for file in FILES for row in rows_of(file)]
    assert len(names) >= 300
    assert len(names) == len(set(names))


def test_the_table_has_every_matcher_and_every_issue() -> None:
    text = "".join((TABLE / f"{name}.yaml").read_text("utf-8") for name in FILES)
    assert set(re.findall(r"\$\w+", text)) == set(MATCHERS) - OF_A_PROFILE
    kinds = {issue.split()[0] for name in FILES for row in rows_of(name) for issue in row.issues}
    assert kinds == set(ISSUE_KINDS) - NOT_IN_THE_TABLE


def test_a_score_of_the_table_follows_from_its_parts() -> None:
    for name in FILES:
        for row in rows_of(name):
            precision, recall, params, score = map(number, row.measures)
            plain = name != "settings" and row.content is None and not any("missing_content" in i for i in row.issues)
            if plain and precision is not None and recall is not None and params is not None and row.alignment:
                assert score == pytest.approx(0.3 * (precision + recall + params) + 0.1, abs=5e-5), row.name


def test_the_tools_and_settings_of_a_file_hold_for_its_rows(tmp_path: Path) -> None:
    for name in ("schema_errors", "settings"):
        (tmp_path / name).write_text(suite_text(name), "utf-8")
    assert [tool.name for tool in load_suite(tmp_path / "schema_errors").tools] == ["weather", "ping"]
    assert load_suite(tmp_path / "settings").settings.threshold == 0.9
