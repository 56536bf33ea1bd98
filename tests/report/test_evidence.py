"""What was taken for the answer is marked in it, with the rules that spoke for it, in both languages."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import toolgauge
import toolgauge.answers
from toolgauge.api import check_answers
from toolgauge.catalogue import LANGUAGES, words_of
from toolgauge.core import Answer, Case, Expect, JsonValue, Passage, Run, Suite, Trajectory
from toolgauge.report import CaseDocument, RunDocument, render
from toolgauge.report.evidence import choice_blocks, evidence_text, marked_answer

OUTPUT = "ACME opened at **$40** and closed at **$42.50**. Its target is $50."


def run(*events: dict[str, JsonValue], output: str = OUTPUT, **more: JsonValue) -> Run:
    expect = Expect(answer={"type": "number", "value": 41, **more})
    case = Case("price", "What was the closing price of ACME?", locale="en", expect=expect)
    return toolgauge.score(Suite("s", (case,)), [Trajectory("price", "x", 1, output=output, events=events)])


def shown(found: Run, lang: str = "en", form: str = "text") -> str:
    return "".join(render(CaseDocument(found, "price"), form, lang=lang))


UNWEIGHTED = {"repeated", "rows that fit the question"}
"""Evidence whose weight is in no table."""


def rules() -> set[str]:
    """The names of all rules, wherever in `answers` their weights stand."""
    modules = [import_module(one.name) for one in walk_packages(toolgauge.answers.__path__, "toolgauge.answers.")]
    return {name for module in modules for name in getattr(module, "WEIGHTS", {})} | UNWEIGHTED


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_rule_has_its_words_and_there_are_no_others(lang: str) -> None:
    catalogue = words_of(lang).catalogue
    assert {key.removeprefix("rule.") for key in catalogue if key.startswith("rule.")} == rules()


def test_no_other_evidence_is_met_in_our_own_items() -> None:
    found = check_answers(Path(__file__).parent.parent / "answers" / "development.jsonl")
    passages = [passage for one in found.answers for passage in (one.answer.chosen, one.answer.runner_up)]
    assert {name for passage in passages if passage is not None for name in passage.evidence} <= rules()


def test_a_rule_without_words_is_shown_by_its_name() -> None:
    passage = Passage("42", 42, {"first": 1.0, "brand new": -2.25})
    assert evidence_text(passage, words_of("en")) == "weight -1.2: brand new -2.2, said first +1.0"
    assert evidence_text(passage, words_of("vi"), most=1) == "trọng số -1,2: brand new -2,2, …"


def test_the_chosen_words_are_marked_where_they_stand() -> None:
    answer = Answer("wrong", 5, chosen=Passage("5 tỷ đồng", 5))
    assert marked_answer("15 tỷ đồng, 5 **tỷ** đồng.", answer, 99) == "15 tỷ đồng, »5 **tỷ** đồng«."
    assert marked_answer("1,5 tỷ đồng", answer, 99) == "1,5 tỷ đồng"
    twice = "5 tỷ đồng? 5 tỷ đồng."
    assert marked_answer(twice, answer, 99) == "»5 tỷ đồng«? 5 tỷ đồng."
    behind = Answer("wrong", 5, chosen=Passage("5 tỷ đồng", 5, {"marked": 9.0}))
    assert marked_answer(twice, behind, 99) == "5 tỷ đồng? »5 tỷ đồng«."
    assert marked_answer(twice, None, 99) == marked_answer(twice, Answer("wrong"), 99) == twice
    assert marked_answer("a\x1b5", Answer(chosen=Passage("")), 9) == "a\\x1b5"


def test_signs_of_markup_in_the_chosen_words_cost_no_time() -> None:
    answer = Answer("wrong", chosen=Passage("a " + "> " * 50 + "b"))
    assert marked_answer("a" + ">" * 100_000, answer, 20).startswith("a>>>")


def test_of_a_long_answer_the_part_is_shown_that_was_chosen() -> None:
    long = "word " * 500 + "It is 42 now. " + "more " * 500
    text = marked_answer(long, Answer("right", 42, chosen=Passage("42", 42)), 60)
    assert text.startswith("…")
    assert "It is »42« now." in text
    assert len(text) <= 60


def test_a_case_shows_the_words_the_runner_up_and_why() -> None:
    found = run()
    (scored,) = found.scored
    assert scored.score.answer is not None
    chosen, second = scored.score.answer.chosen, scored.score.answer.runner_up
    assert chosen is not None
    assert second is not None
    for lang, first, next_one, rule in (
        ("en", "Read as the answer", "Runner-up", "said first"),
        ("vi", "Được coi là câu trả lời", "Khả năng tiếp theo", "được nêu trước"),
    ):
        text = " ".join(shown(found, lang).split())
        assert f"»{chosen.words}«" in text
        assert f"{first}: »{chosen.words}« (" in text
        assert f"{next_one}: »{second.words}« (" in text
        assert rule in text
        failures = "".join(render(RunDocument(found, failures=True), "text", lang=lang))
        assert f"{first}: »{chosen.words}«" in " ".join(failures.split())
    for form in ("md", "latex"):
        assert "»" in shown(found, form=form)


def test_json_has_what_was_chosen_beside_verdict_and_found() -> None:
    (case,) = json.loads("".join(render(RunDocument(run(), details=True), "json")))["cases"]
    assert list(case["answer"])[:2] == ["verdict", "found"]
    assert set(case["answer"]["chosen"]) == set(case["answer"]["runner_up"]) == {"words", "found", "evidence"}
    (plain,) = json.loads("".join(render(RunDocument(run(output="41"), details=True), "json")))["cases"]
    assert set(plain["answer"]) == {"verdict", "found", "reason"}


def test_what_rests_on_a_pointer_is_labelled_as_an_opinion() -> None:
    event: dict[str, JsonValue] = {"kind": "answer_pointer", "model": "m:p", "passage": "closed at **$42.50**"}
    found = run(event, find="model")
    text = " ".join(shown(found).split())
    assert "pointed to by m:p" in text
    assert "»closed at **$42.50**«" in text
    assert "Pointed to by m:p, which is an opinion: closed at" in text
    assert "do m:p chỉ ra" in " ".join(shown(found, "vi").split())
    whole = " ".join("".join(render(RunDocument(found), "text")).split())
    assert "Which one it is, is an opinion" in whole
    (case,) = json.loads("".join(render(RunDocument(found, details=True), "json")))["cases"]
    assert case["answer"]["pointed_by"] == "m:p"


def test_that_nobody_pointed_is_said() -> None:
    failed: dict[str, JsonValue] = {"kind": "answer_pointer", "model": "m:p", "error": "HTTP 500"}
    for lang, note, why in (
        ("en", "; no model has pointed to it", "m:p pointed to nothing: HTTP 500"),
        ("vi", "; chưa có mô hình nào chỉ ra", "m:p không chỉ ra đoạn nào: HTTP 500"),
    ):
        text = " ".join(shown(run(failed, find="model"), lang).split())
        assert note in text
        assert why in text
        assert note not in " ".join(shown(run(), lang).split())


def test_an_answer_without_a_choice_has_no_more_to_say() -> None:
    assert list(choice_blocks(Answer("right", 1), words_of("en"), whole=True)) == []
