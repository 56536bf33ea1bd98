"""The tools of `vn-finance`: what they return, what they refuse, and that all of it is the same every time."""

from __future__ import annotations

import asyncio
import hashlib
import json
import unicodedata
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolgauge.benchmarks import load_benchmark
from toolgauge.benchmarks.vn_finance import writing
from toolgauge.benchmarks.vn_finance.index import Index, read_documents
from toolgauge.benchmarks.vn_finance.listing import companies, named_in
from toolgauge.benchmarks.vn_finance.prices import (
    TODAY,
    daily_bars,
    is_session,
    limit_of,
    quarter_hour_bars,
    sessions,
    weekly_bars,
)
from toolgauge.core import JsonValue
from toolgauge.tools import Box, ToolFailure

from .figures import call, listed, rows, symbols, texts

SOME = ["VCB", "SHS", "ACV", "NVL", "VIC"]


def refusal(tool: str, **args: JsonValue) -> str:
    tools = {one.definition.name: one for one in load_benchmark("vn-finance").tools}
    with pytest.raises(ToolFailure) as raised:
        asyncio.run(tools[tool].call(args))
    return str(raised.value)


def prices(**changes: str) -> dict[str, str]:
    return {"symbol": "FPT", "start_date": "2026-01-05", "end_date": "2026-01-09", "interval": "1D", **changes}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"symbol": "QZX"}, "không tìm thấy mã 'QZX'"),
        ({"start_date": "05/01/2026"}, "start_date '05/01/2026' không phải là ngày hợp lệ"),
        ({"end_date": "2026-02-30"}, "end_date '2026-02-30' không phải là ngày hợp lệ"),
        ({"start_date": "20260105"}, "không phải là ngày hợp lệ"),
        ({"interval": "1h"}, "interval '1h' không hợp lệ"),
        ({"end_date": "2026-01-02"}, "đứng trước start_date"),
        ({"start_date": "2026-03-02", "end_date": "2026-03-06"}, "chưa có dữ liệu"),
        ({"start_date": "2020-01-02", "end_date": "2020-01-10"}, "không có dữ liệu trước"),
        ({"start_date": "2024-01-02", "end_date": "2026-01-09"}, "quá dài"),
        ({"interval": "15m", "start_date": "2025-12-01"}, "quá dài"),
    ],
)
def test_what_cannot_be_looked_up_is_refused_with_a_reason(changes: dict[str, str], said: str) -> None:
    assert said in refusal("history_price", **prices(**changes))


def test_empty_queries_and_unknown_exchanges_are_refused() -> None:
    assert "query trống" in refusal("search_web", query="  ")
    assert "query trống" in refusal("retrival_vector_db", query="")
    assert "query trống" in refusal("listing_symbol", query=" ")
    assert "không có sàn 'NYSE'" in refusal("listing_symbol", exchange="NYSE")


def test_the_box_refuses_an_interval_that_the_schema_does_not_have() -> None:
    box = Box(load_benchmark("vn-finance").tools)
    made = asyncio.run(box.call("history_price", prices(interval="1M")))
    assert made.result.error is not None
    assert "schema" in made.result.error


def test_prices_are_the_same_on_every_machine() -> None:
    bars = [bar for symbol in SOME for bar in daily_bars(symbol, date(2024, 1, 2), TODAY)]
    bars += quarter_hour_bars("FPT", TODAY, TODAY)
    digest = hashlib.sha256(json.dumps(bars).encode()).hexdigest()
    assert digest[:16] == "1367728317e43370"


@pytest.mark.parametrize("symbol", SOME)
def test_prices_keep_to_the_limits_and_the_order_of_a_session(symbol: str) -> None:
    limit = limit_of(companies()[symbol].exchange)
    bars = daily_bars(symbol, date(2024, 1, 2), TODAY)
    assert len(bars) == len(sessions())
    for before, bar in pairwise(bars):
        assert bar.low <= min(bar.open, bar.close) <= max(bar.open, bar.close) <= bar.high
        assert before.close * (100 - limit) <= bar.low * 100
        assert bar.high * 100 <= before.close * (100 + limit)
        assert bar.volume > 0
        assert bar.volume % 100 == 0


@pytest.mark.parametrize("symbol", SOME)
def test_quarter_hours_and_weeks_agree_with_the_days(symbol: str) -> None:
    first = TODAY - timedelta(days=60)
    days = daily_bars(symbol, first, TODAY)
    for day in days:
        when = date.fromisoformat(day.time)
        parts = quarter_hour_bars(symbol, when, when)
        assert (parts[0].open, parts[-1].close) == (day.open, day.close)
        assert (max(part.high for part in parts), min(part.low for part in parts)) == (day.high, day.low)
        assert sum(part.volume for part in parts) == day.volume
        assert all(one.close == other.open for one, other in pairwise(parts))
    weeks = weekly_bars(symbol, first, TODAY)
    assert sum(week.volume for week in weeks) == sum(day.volume for day in days)
    assert weeks[-1].close == days[-1].close


def test_nothing_is_traded_on_weekends_and_holidays() -> None:
    for closed in ("2025-01-29", "2025-04-07", "2025-09-02", "2026-01-01", "2026-01-03"):
        assert not is_session(date.fromisoformat(closed))
    empty = call("history_price", prices(start_date="2026-01-01", end_date="2026-01-04"))
    assert empty["rows"] == []
    assert "không có phiên giao dịch" in empty["message"]


def test_an_end_in_the_future_gives_what_there_is_until_today() -> None:
    assert rows("FPT", "2026-01-28", "2026-02-28")[-1].time == TODAY.isoformat()


def test_whatever_is_made_up_says_so() -> None:
    assert "giả lập" in call("history_price", prices())["note"]
    assert "giả lập" in call("search_web", {"query": "cổ tức"})["note"]
    assert "giả lập" in call("retrival_vector_db", {"query": "cổ tức"})["note"]
    assert "synthetic" in load_benchmark("vn-finance").suite.name


def test_the_listing_is_found_by_symbol_name_exchange_and_industry() -> None:
    assert len(symbols()) == len(companies()) >= 60
    for query in ("HPG", "hpg", "Hòa Phát", "Hoà Phát", "hoa phat", "mã cổ phiếu của Tập đoàn Hòa Phát"):
        assert symbols(query=query) == ["HPG"], query
    assert set(symbols(exchange="HNX", industry="chứng khoán")) == {"SHS", "MBS"}
    assert symbols(query="Trà Sen Vàng") == []
    assert symbols(query="Gemadept được xếp vào ngành nào trong danh bạ?")[0] == "GMD"
    assert symbols(query="mã VCB và mã HPG")[:2] == ["VCB", "HPG"]
    assert all(item["industry"] == "Ngân hàng" for item in listed(query="ngân hàng")[:3])
    assert set(symbols(query="ngành hàng không")) == {"VJC", "HVN", "ACV"}


@pytest.mark.parametrize("symbol", companies())
def test_every_company_is_found_by_each_of_its_names(symbol: str) -> None:
    company = companies()[symbol]
    for name in (symbol, company.name, *company.known_as):
        assert symbols(query=name)[0] == symbol, name


def test_a_search_does_not_depend_on_marks_or_their_encoding() -> None:
    for query in ("đường quảng ngãi", "duong quang ngai", unicodedata.normalize("NFD", "Đường Quảng Ngãi")):
        assert "QNS" in f"{texts('search_web', query)[0]}", query
    without_marks = [one["title"] for one in texts("retrival_vector_db", "giao dich ky quy la gi")]
    assert "Giao dịch ký quỹ" in without_marks[:2]


@pytest.mark.parametrize("title", [document.title for document in read_documents("library.jsonl")])
def test_every_explanation_is_found_by_its_title(title: str) -> None:
    assert title in [one["title"] for one in texts("retrival_vector_db", title)][:2]


def test_companies_are_recognised_by_symbol_or_by_the_longest_name() -> None:
    for text, named in {
        "FPT Retail mở nhà thuốc": {"FRT"},
        "cổ phiếu FPT và fpt telecom": {"FPT", "FOX"},
        "Hoa Sen hay Thep Nam Kim?": {"HSG", "NKG"},
        "tra giúp mình mã TRA": {"TRA"},
        "thị trường hôm nay": set(),
    }.items():
        assert named_in(text) == named, text


@pytest.mark.parametrize(
    ("query", "day"),
    [
        ("REE chốt danh sách nhận cổ tức ngày nào", "7/1/2026"),
        ("ngày đăng ký cuối cùng nhận cổ tức của Cơ Điện Lạnh", "7/1/2026"),
        ("BMP cổ tức tiền mặt ngày đăng ký cuối cùng", "19/11/2025"),
        ("Nhựa Bình Minh chốt danh sách cổ đông nhận cổ tức", "19/11/2025"),
    ],
)
def test_news_about_the_company_of_a_query_are_not_crowded_out(query: str, day: str) -> None:
    assert any(day in one["text"] for one in texts("search_web", query)[:2])


def test_this_year_is_on_the_web_and_not_in_the_archive() -> None:
    query = "Giá cước container tăng trở lại trước Tết"
    assert texts("search_web", query)[0]["title"] == query
    assert query not in [one["title"] for one in texts("retrival_vector_db", query)]


@given(st.text(max_size=40))
def test_no_query_breaks_the_index(query: str) -> None:
    index = Index(read_documents("library.jsonl")[:5])
    assert len(index.find(query, 3)) <= 3
    index.close()


def test_the_shipped_news_are_what_the_templates_make() -> None:
    shipped = Path(writing.__file__).with_name(writing.NEWS_FILE).read_text(encoding="utf-8")
    assert [json.loads(line) for line in shipped.splitlines()] == writing.write_news()
    assert len(shipped.splitlines()) + len(read_documents("library.jsonl")) >= 300
    assert "{" not in "".join(item.title + item.text for item in read_documents(writing.NEWS_FILE))


def test_the_clock_stands_still() -> None:
    assert call("time_now", {}) == {
        "date": "2026-01-30",
        "time": "15:30",
        "weekday": "thứ Sáu",
        "timezone": "Asia/Ho_Chi_Minh",
    }
