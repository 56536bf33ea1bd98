"""What reports open with: three sentences and one table, by the statistics of `compare` and by `diagnose`."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from toolgauge import api
from toolgauge.catalogue import Lang, words_of
from toolgauge.core import Call, Case, Expect, ExpectedCall, Run, Suite, Trajectory
from toolgauge.report import ComparisonDocument, RunDocument, render
from toolgauge.report.diagnosis import pattern_name


def run_of(passed: Mapping[str, int], cases: int = 24, run: int | None = None) -> Run:
    """A run in which each agent calls the right tool on its first cases, another one on the rest; some were not run."""
    listed = tuple(Case(f"c{number}", expect=Expect((ExpectedCall("right"),))) for number in range(cases))
    made = [
        Trajectory(case.id, agent, calls=(Call("right" if number < good else "wrong"),))
        for agent, good in passed.items()
        for number, case in enumerate(listed)
        if run is None or number < run
    ]
    return api.with_headline(api.score(Suite("s", listed), made))


def opened(run: Run, lang: Lang = "en") -> list[str]:
    """The three sentences."""
    shown = "".join(render(RunDocument(run, full=False), "md", lang=lang))
    parts = [part for part in shown.split("\n\n")[1:] if not part.startswith("|")]
    return parts[:3]


def head(run: Run, lang: Lang = "en") -> list[list[str]]:
    """The cells of the table."""
    shown = "".join(render(RunDocument(run, full=False), "md", lang=lang))
    return [
        re.split(r" ?\| ?", line)[1:-1] for line in shown.splitlines() if line.startswith("|") and "---" not in line
    ]


def test_one_agent_has_its_pass_rate_with_an_interval() -> None:
    first, second, third = opened(run_of({"a": 6}))
    assert first == "a passed 6 of 24 (25%, 95% CI 12–45%)."
    assert second == "Fix first: right is not called: wrong is called in its place (18 of 18 that did not pass)."
    assert third == "All 24 planned trajectories were run and measured."


def test_of_two_agents_it_says_who_is_better_by_how_much_and_whether_it_is_noise() -> None:
    first = opened(run_of({"slow": 8, "quick": 20}))[0]
    assert first.startswith("quick is better than slow: it passed 20 of 24, slow 8, which is 50 points more")
    assert first.endswith("p &lt; 0.001.")
    first = opened(run_of({"a": 10, "b": 12}))[0]
    assert first.startswith("b passed 12 of 24 and a 10: a difference of 8.3 points")
    assert "which is within noise, p = 0.500" in first


@pytest.mark.parametrize("passed", [{"a": 8, "b": 20}, {"a": 10, "b": 12}, {"a": 2, "b": 20, "c": 19, "d": 3}])
def test_the_verdicts_are_those_of_compare(passed: dict[str, int]) -> None:
    run = run_of(passed)
    best = max(passed, key=lambda agent: passed[agent])
    compared = {(one.first, one.second): one.contrasts[0] for one in api.compare(run, metrics=["pass_rate"]).pairings}
    titles, *lines = head(run)
    place = titles.index("Verdict (p)")
    for line in lines:
        agent = line[0]
        if agent == best:
            assert line[place] == "passed most"
            continue
        one = compared.get((agent, best)) or compared[best, agent]
        p = one.adjusted_p or 0.0
        word = "unclear" if one.verdict == "no_evidence" else "worse"
        assert line[place] == f"{word} ({'&lt;0.01' if p < 0.01 else f'{p:.2f}'})"


def test_of_four_agents_those_that_are_told_apart_are_named_with_the_corrected_p() -> None:
    first = opened(run_of({"a": 2, "b": 20, "c": 19, "d": 3}))[0]
    assert first == (
        "b passed the most, 20 of 24 (83%): better than a and d, p &lt; 0.001 corrected for all pairs; "
        "against c it may be noise."
    )
    assert opened(run_of({"a": 5, "b": 5, "c": 5}))[0] == "The 3 agents passed equally often: 5 of 24 (21%)."
    tied = opened(run_of({"a": 5, "b": 6, "c": 6}))[0]
    assert tied.startswith("b and c passed the most, 6 of 24 (25%), but against a that may be noise")


def test_what_to_mend_first_is_what_diagnose_puts_first() -> None:
    run = run_of({"a": 7, "b": 9})
    leading = api.diagnose(run).patterns[0]
    assert pattern_name(leading, words_of("en")) in opened(run)[1]
    assert opened(run_of({"a": 24}))[1] == "Nothing that was run failed."


def test_what_was_not_run_is_said_and_counted_beside_what_was_planned() -> None:
    run = run_of({"a": 4}, cases=12, run=4)
    assert opened(run)[2] == "Not everything was measured: 8 of 12 planned were not run."
    (_, line) = head(run)
    assert line[1] == "4/12"
    assert "100%" not in line[2]


def test_what_was_cancelled_is_not_among_what_did_not_pass() -> None:
    cases = tuple(Case(name, expect=Expect((ExpectedCall("right"),))) for name in "abc")
    told = [Trajectory("a", "m"), Trajectory("b", "m", state="cancelled"), Trajectory("c", "m", state="not_run")]
    first, mend, unmeasured = opened(api.score(Suite("s", cases), told, headline=True))
    assert first.startswith("m passed 0 of 3")
    assert mend == "Fix first: right is not called (1 of 1 that did not pass)."
    assert unmeasured == "Not everything was measured: 2 of 3 planned were not run."


def test_a_run_that_holds_no_trajectories_says_who_can_tell_what_fails() -> None:
    cases = (Case("a", expect=Expect((ExpectedCall("right"),))),)
    run = api.score(Suite("s", cases), [Trajectory("a", "m", calls=())], keep="none", headline=True)
    assert opened(run)[1] == "1 did not pass; toolgauge diagnose says what to fix first."


def test_columns_without_figures_are_left_out_and_the_reason_is_a_sentence() -> None:
    run = api.with_headline(api.score(Suite("s", (Case("a"),)), [Trajectory("a", "m", calls=())]))
    titles, _ = head(run)
    assert titles == ["Agent", "n", "Passed (95% CI)"]
    assert "Accuracy, F1 are not known, because no case says anything about tools" in opened(run)[2]


def test_in_vietnamese_numbers_have_a_comma_and_nothing_is_left_in_english() -> None:
    run = run_of({"chậm": 10, "nhanh": 12})
    first, second, third = opened(run, "vi")
    assert first.startswith("nhanh đạt 12/24 lượt, chậm đạt 10: chênh 8,3 điểm phần trăm (KTC 95%: từ ")
    assert first.endswith("có thể chỉ là ngẫu nhiên, p = 0,500.")
    assert second.startswith("Cần sửa trước tiên: không gọi right mà gọi nhầm wrong (26/26 lượt không đạt)")
    assert third == "Cả 48 lượt trong kế hoạch đều đã chạy và đã đo."
    assert [line[3] for line in head(run, "vi")] == ["Kết luận (p)", "chưa rõ (0,50)", "đạt nhiều nhất"]


@pytest.mark.parametrize("lang", ["en", "vi"])
@pytest.mark.parametrize("agents", [1, 2, 4])
def test_the_verdict_stands_in_the_first_table_within_80_columns(lang: Lang, agents: int) -> None:
    names = ["react-agent-v2", "multi-agent-v3", "rewoo", "reflexion-long-name"][:agents]
    run = run_of({name: 5 + 6 * index for index, name in enumerate(names)}, run=20)
    text = "".join(render(RunDocument(run, full=False), "text", lang=lang))
    assert max(map(len, text.splitlines())) <= 80
    tables = [part for part in text.split("\n\n") if part.lstrip().count("Agent ") == 1]
    assert len(tables) == 1
    if agents > 1:
        assert words_of(lang)("head.verdict.best") in tables[0]
        assert len(re.findall(r"\(<?\d[.,]\d\d\)", tables[0])) == agents - 1


@pytest.mark.parametrize("form", ["text", "md", "latex"])
@pytest.mark.parametrize("lang", ["en", "vi"])
def test_every_format_opens_alike_and_full_adds_the_rest_in_the_order_method_figures_ground_truth(
    form: str, lang: Lang
) -> None:
    run, words = run_of({"a": 7, "b": 9}), words_of(lang)
    short = "".join(render(RunDocument(run, full=False), form, lang=lang))
    full = "".join(render(RunDocument(run), form, lang=lang))
    titles = [words(f"section.{name}") for name in ("method", "choice", "verdicts", "tools", "facts")]
    places = [full.index(title) for title in titles]
    assert places == sorted(places)
    assert not any(title in short for title in titles)
    mended = words("kind.missing_call", tool="right", other="wrong")
    assert mended.split(":")[0] in " ".join(short.split())


@pytest.mark.parametrize("lang", ["en", "vi"])
def test_the_method_names_its_symbols_and_what_each_figure_means(lang: Lang) -> None:
    text = " ".join("".join(render(RunDocument(run_of({"a": 7})), "text", lang=lang)).split())
    for sign in ("T_exp", "T_act", "TP = |T_exp ∩ T_act|", "FP = |T_act − T_exp|", "FN = |T_exp − T_act|"):
        assert sign in text
    for formula in ("Precision", "TP / (TP + FP)", "TP / (TP + FN)", "2TP / (2TP + FP + FN)"):
        assert formula in text


def test_a_section_is_picked_by_its_name_as_a_table_is() -> None:
    document = RunDocument(run_of({"a": 7}))
    method = "".join(render(document, "md", tables=["method"]))
    assert method.startswith("## How the figures are computed")
    assert "## Ground truth" not in method
    both = "".join(render(document, "md", tables=["facts", "expected_tools", "f1"]))
    assert re.findall(r"^## (.*)$", both, re.M) == ["Choice of tools", "Ground truth"]
    assert "T\\_exp" in "".join(render(document, "latex", tables=["method"]))


def test_where_nothing_was_run_nobody_leads() -> None:
    cases = (Case("a", expect=Expect((ExpectedCall("right"),))),)
    made = [Trajectory("a", agent, 1, "not_run") for agent in ("m", "n")]
    run = api.with_headline(api.score(Suite("s", cases), made))
    first, second, third = opened(run)
    assert first == "Nothing was run: 2 planned for 2 agents."
    assert second == "Nothing was run."
    assert "2 of 2 planned were not run" in third
    assert head(run)[0] == ["Agent", "n", "Passed (95% CI)"]


def test_rates_of_faults_that_are_0_everywhere_are_a_line_and_can_still_be_picked() -> None:
    run = run_of({"a": 7})
    assert "| 0.0000 (0.00%) |" in "".join(render(RunDocument(run, full=False), "md", tables=["tool_fail_rate"]))
    text = "".join(render(RunDocument(run), "md"))
    assert "0 everywhere: " in text
    assert "| 0.0000 (0.00%) |" not in text


def test_the_latex_of_a_vietnamese_report_has_commas_that_formulas_can_hold() -> None:
    run = run_of({"a": 7, "b": 9})
    text = "".join(render(RunDocument(run), "latex", lang="vi"))
    assert "0{,}2917" in text
    assert not re.search(r"\d,\d", text)
    assert not re.search(r"0\.\d", text.split("\\begin", 1)[1])
    assert "{,}" not in "".join(render(RunDocument(run), "latex"))


@pytest.mark.parametrize("form", ["json", "csv", "junit"])
def test_files_for_programs_have_the_numbers_that_programs_read(form: str) -> None:
    run = run_of({"a": 7, "b": 9})
    vietnamese = "".join(render(RunDocument(run, details=True), form, lang="vi"))
    english = "".join(render(RunDocument(run, details=True), form, lang="en"))
    numbers = r"\d+\.\d+"
    assert re.findall(numbers, vietnamese) == re.findall(numbers, english)


def matrix(passed: Mapping[str, int], lang: Lang = "en", **options: object) -> str:
    comparison = api.compare(run_of(passed), **options)  # type: ignore[arg-type]  # as the test says
    return "".join(render(ComparisonDocument(comparison, full=False), "text", lang=lang))


def test_a_comparison_of_four_is_a_matrix_of_who_beats_whom() -> None:
    text = matrix({"a": 2, "b": 20, "c": 19, "d": 3})
    assert max(map(len, text.splitlines())) <= 80
    lines = {line.split()[0]: line for line in text.splitlines() if re.match(r"[abcd] ", line) and "(" in line}
    assert re.split(r"\s{2,}", lines["b"]) == ["b", "better (<0.001)", "0.833", "unclear (1.000)", "better (<0.001)"]
    assert re.split(r"\s{2,}", lines["a"]) == ["a", "0.083", "worse (<0.001)", "worse (<0.001)", "unclear (1.000)"]
    assert "McNemar" not in text
    assert "tốt hơn (<0,001)" in matrix({"a": 2, "b": 20, "c": 19}, "vi")


def test_a_comparison_with_one_of_them_has_one_column() -> None:
    text = matrix({"a": 2, "b": 20, "c": 19}, against="a")
    assert re.search(r"^b +better \(<0\.001\)$", text, re.M)
    assert re.search(r"^Agent +a$", text, re.M)


def test_a_comparison_of_an_interrupted_run_says_how_many_were_not_run() -> None:
    run = run_of({"a": 2, "b": 4}, cases=12, run=4)
    comparison = api.compare(run)
    assert [(one.planned, one.measured) for one in comparison.contenders] == [(12, 4), (12, 4)]
    (pairing,) = comparison.pairings
    assert (pairing.contrasts[0].n, pairing.contrasts[0].measured) == (12, 4)
    for full in (True, False):
        text = "".join(render(ComparisonDocument(comparison, full=full), "text"))
        assert "a: 4 of 12 measured; what was not run counts as not passed" in text
        (line,) = re.findall(r"^pass rate .*$", text.split("(B)")[1].split("Tests")[0], re.M)
        assert line.split()[-1] == "4/12"


def test_the_first_sentence_says_which_decides_where_interval_and_test_disagree() -> None:
    torn = api.with_headline(run_of({"a": 11, "b": 7}, cases=12))
    assert torn.headline is not None
    (contrast,) = (one for one in torn.headline.pairings[0].contrasts if not one.group)
    text = " ".join("".join(render(RunDocument(torn), "text")).split())
    assert contrast.seems_to_contradict
    assert "within noise, p = 0.125. The interval and the test are two methods that may differ by a little" in text
    assert "two methods" not in "".join(render(RunDocument(api.with_headline(run_of({"a": 2, "b": 20}))), "text"))


def test_an_interval_and_a_verdict_that_seem_to_contradict_each_other_say_which_is_which() -> None:
    comparison = api.compare(run_of({"a": 10, "b": 16, "c": 17, "d": 18}))
    torn = [one for pairing in comparison.pairings for one in pairing.contrasts if one.seems_to_contradict]
    assert torn
    assert all((one.adjusted_p or 0) > 0.05 for one in torn)
    text = " ".join("".join(render(ComparisonDocument(comparison), "text")).split())
    assert "The interval is that of one pair by itself; p, which decides, is corrected for all 6 pairs" in text
    told = api.compare(run_of({"a": 2, "b": 20}))
    assert not any(one.seems_to_contradict for pairing in told.pairings for one in pairing.contrasts)
    text = "".join(render(ComparisonDocument(told), "text"))
    assert "two methods" not in text
