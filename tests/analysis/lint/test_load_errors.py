"""Everything wrong with a file at once: combinations of syntax, types, rules and typing errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgauge.analysis.lint import lint
from toolgauge.errors import InputError
from toolgauge.suites import load_suite


def refusal(path: Path, text: str) -> list[str]:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_suite(path)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]


def test_f4_and_f6_several_faults_of_yaml_itself_are_listed_together(tmp_path: Path) -> None:
    text = "name: !!python/name:os.system x\ncases:\n  - {id: a, id: b}\n  - <<: {id: c}\n"
    lines = refusal(tmp_path / "s", text)
    assert [line.split(":")[0] for line in lines] == ["1", "3", "4"]
    assert "the tag '!!python/name:os.system' is not allowed" in lines[0]
    assert "duplicate key 'id'" in lines[1]
    assert "merge keys are not allowed" in lines[2]


def test_f4_a_tab_is_named_with_its_line(tmp_path: Path) -> None:
    (line,) = refusal(tmp_path / "s", "cases:\n\t- id: a\n")
    assert line.startswith("2:1: a tab where YAML needs spaces")


def test_f4_words_that_yaml_takes_for_something_else_stay_texts(tmp_path: Path) -> None:
    (tmp_path / "s").write_text(
        "cases: [{id: no, input: 1e3, labels: {a: yes, b: 007, c: 2025-01-31}, expect: {contains: [null_, on]}}]",
        encoding="utf-8",
    )
    (case,) = load_suite(tmp_path / "s").cases
    assert (case.id, case.input, case.labels) == ("no", "1e3", {"a": "yes", "b": "007", "c": "2025-01-31"})
    assert case.expect.contains == ("null_", "on")


def test_f6_types_rules_matchers_and_ids_are_listed_together_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = (
        "nmae: x\n"
        "cases:\n"
        "  - {id: a, locale: fr, expect: {extra: penalize}}\n"
        "  - {id: b, expect: {calls: [{tool: t, args: {x: {$rang: [1, 2]}, y: {$approx: {value: 1, rle: 2}}}}]}}\n"
        "  - {id: c, budget: {calls: -1, latency: 3}, limits: {turns: 0}}\n"
        "  - {id: a, now: tomorrow}\n"
    )
    lines = refusal(tmp_path / "s", text)
    expected = [
        ("1:1", "'nmae' is not a known key, at nmae; did you mean 'name'?"),
        ("3:21", "expected one of en, vi, found 'fr', at cases[0].locale"),
        ("3:41", "found 'penalize', at cases[0].expect.extra; did you mean 'penalise'?"),
        ("4:51", "'$rang' is not a matcher, at cases[1].expect.calls[0].args.x.$rang; did you mean '$range'?"),
        ("4:91", "'rle' is not a key of '$approx'"),
        ("5:29", "expected 0 or more, found -1, at cases[2].budget.calls"),
        ("5:33", "'latency' is not a known key, at cases[2].budget.latency; did you mean 'latency_ms'?"),
        ("5:62", "expected 1 or more, found 0, at cases[2].limits.turns"),
        ("6:10", "the id 'a' is already used by cases[0], at cases[3].id"),
        ("6:18", "'tomorrow' is not a day, at cases[3].now"),
    ]
    assert [line.split(": ")[0] for line in lines] == [place for place, _ in expected]
    for line, (_, what) in zip(lines, expected, strict=True):
        assert what in line


def test_f6_more_than_ten_are_cut_off_and_that_is_said(tmp_path: Path) -> None:
    lines = refusal(tmp_path / "s", "cases:\n" + "  - {idd: a}\n" * 8)
    assert len(lines) == 11
    assert lines[-1].endswith("and more; these are the first 10")


def test_f8_unknown_tools_and_broken_schemas_are_all_found_by_lint(tmp_path: Path) -> None:
    (tmp_path / "s").write_text(
        "tools:\n"
        "  - {name: get_weather, input_schema: {type: object, properties: {city: {type: strng}}}}\n"
        "  - {name: other, input_schema: {type: 3}}\n"
        "cases:\n"
        "  - {id: a, expect: {calls: [{tool: get_wether}]}}\n"
        "  - {id: b, expect: {any_of: [{calls: [{tool: other}]}, {calls: [{tool: nothing_like_it}]}]}}\n",
        encoding="utf-8",
    )
    found = [
        (one.kind, one.case) for one in lint(load_suite(tmp_path / "s", check_schemas=False)) if one.severity == "error"
    ]
    assert found == [("invalid_schema", None), ("invalid_schema", None), ("unknown_tool", "a"), ("unknown_tool", "b")]
