"""Where the values of arguments come from: question, earlier results, or nowhere."""

from __future__ import annotations

from toolgauge.core import Call, Case, Expect, ExpectedCall, Scored, Suite, ToolDefinition, Trajectory
from toolgauge.metrics import summarise
from toolgauge.scoring import Scorer

PRICE = ToolDefinition(
    "price",
    parameters={
        "type": "object",
        "properties": {
            "symbol": {"type": "string"},
            "start": {"type": "string"},
            "interval": {"type": "string", "enum": ["1D", "1W"]},
            "adjusted": {"type": "boolean"},
            "limit": {"type": "integer", "default": 50},
        },
    },
)


def ungrounded(question: str, *calls: Call, now: str | None = None) -> list[tuple[int | None, str | None, object]]:
    case = Case("c", question, locale="vi", now=now, expect=Expect())
    suite = Suite("s", (case,), (PRICE,))
    score = Scorer(suite, grounding=True).score(Trajectory("c", "m", 1, calls=calls, output="?"))
    assert score.passed
    assert score.counts.ungrounded == len({issue.call for issue in score.issues if issue.kind == "ungrounded_arg"})
    return [(issue.call, issue.argument, issue.got) for issue in score.issues if issue.kind == "ungrounded_arg"]


def test_values_of_the_question_are_grounded_however_they_are_written() -> None:
    call = Call("price", {"symbol": "fpt", "start": "2025-03-03", "limit": 1500})
    assert ungrounded("Giá FPT từ ngày 3 tháng 3 năm 2025, lấy 1.500 dòng?", call) == []


def test_a_value_that_stands_nowhere_is_named() -> None:
    call = Call("price", {"symbol": "VNM", "start": "2024-01-01", "limit": 7})
    found = ungrounded("Giá FPT hôm nay?", call)
    assert found == [(0, "symbol", "VNM"), (0, "start", "2024-01-01"), (0, "limit", 7)]


def test_earlier_results_are_ground_and_later_ones_are_not() -> None:
    listing = Call("listing", {}, result={"company": "Hòa Phát", "symbols": ["HPG"], "shares": 5814})
    good = Call("price", {"symbol": "HPG", "limit": 5814})
    assert ungrounded("Giá của Hòa Phát?", listing, good) == []
    assert ungrounded("Giá của Hòa Phát?", good, listing) == [(0, "symbol", "HPG"), (0, "limit", 5814)]


def test_enumerations_defaults_and_booleans_need_no_ground() -> None:
    call = Call("price", {"symbol": "FPT", "interval": "1W", "limit": 50, "adjusted": True})
    assert ungrounded("Giá FPT?", call) == []


def test_tones_and_order_of_words_do_not_matter() -> None:
    assert ungrounded("Tin mới về ngân hàng Á Châu", Call("search", {"query": "ngan hang a chau tin moi"})) == []
    assert ungrounded("Tin về ngân hàng", Call("search", {"query": "tin bất động sản"})) == [
        (0, "query", "tin bất động sản")
    ]


def test_relative_dates_count_from_the_day_of_the_case() -> None:
    call = Call("price", {"symbol": "FPT", "start": "2026-01-30"})
    assert ungrounded("Giá FPT hôm qua?", call, now="2026-01-31") == []
    assert ungrounded("Giá FPT hôm qua?", call) == [(0, "start", "2026-01-30")]


def test_dates_in_words_and_numbers_of_the_locale_are_read_in_arguments_too() -> None:
    day = Call("price", {"symbol": "FPT", "start": "April 30, 2025"})
    assert ungrounded("Giá FPT ngày 30/4/2025?", day) == []
    assert ungrounded("Giá FPT ngày 29/4/2025?", day) == [(0, "start", "April 30, 2025")]
    rate = Call("rate", {}, result={"rate": 3.25})
    assert ungrounded("Lãi suất?", rate, Call("loan", {"rate": "3,25"}), Call("loan", {"rate": "3,25%"})) == []
    assert ungrounded("Lãi suất?", rate, Call("loan", {"rate": "3,5"})) == [(1, "rate", "3,5")]


def test_the_rate_counts_calls_and_is_not_there_unless_asked_for() -> None:
    case = Case("c", "Giá FPT?", expect=Expect(calls=(ExpectedCall("price"), ExpectedCall("price"))))
    suite = Suite("s", (case,))
    made = Trajectory("c", "m", 1, calls=(Call("price", {"symbol": "FPT"}), Call("price", {"symbol": "XYZ", "n": 9})))
    for grounding, rate in ((True, 0.5), (False, None)):
        scored = Scored(made, Scorer(suite, grounding=grounding).score(made))
        assert summarise(suite, [scored]).rows[-1].metrics["ungrounded_rate"].value == rate
