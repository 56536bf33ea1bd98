"""The five tools, under the names of the published comparison, over the data that is shipped.

They say what is wrong in the language of the benchmark, for it is the agent under test that has to read it.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from toolgauge.core import JsonValue, Tool, ToolDefinition
from toolgauge.tools import FunctionTool, ToolFailure

from .embeddings import Embedder
from .index import IndexedDocument
from .listing import EXCHANGES, company_of, find_companies, industries
from .prices import FIRST_DAY, NOW, TODAY, WEEKDAYS, Bar, daily_bars, quarter_hour_bars, weekly_bars
from .searching import Collection, library, web

__all__ = ["finance_tools"]

INTERVALS: dict[str, Callable[[str, date, date], list[Bar]]] = {
    "1D": daily_bars,
    "1W": weekly_bars,
    "15m": quarter_hour_bars,
}

LONGEST = {"1D": 370, "1W": 1100, "15m": 14}
"""The longest span of each interval in days, so that a result can be read at one go."""

ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

DISCLAIMER = "dữ liệu giả lập, không phải số liệu thật"


def finance_tools(definitions: Sequence[ToolDefinition], embedder: Embedder | None = None) -> tuple[Tool, ...]:
    """The tools behind the definitions of the suite.

    Args:
        definitions: Name, description and schema of each.
        embedder: Where vectors come from; default: what the environment names, else there are none.
    """
    chosen = embedder or Embedder.from_environment()

    async def retrival_vector_db(query: str) -> JsonValue:
        """Search the library, in a thread where a server has to be asked."""
        if chosen is None:
            return _search(library(), query)
        return await asyncio.to_thread(_search, library(chosen), query)

    functions: Mapping[str, Callable[..., Any]] = {
        "history_price": history_price,
        "listing_symbol": listing_symbol,
        "retrival_vector_db": retrival_vector_db,
        "search_web": search_web,
        "time_now": time_now,
    }
    return tuple(FunctionTool(functions[definition.name], definition, {}) for definition in definitions)


async def history_price(symbol: str, start_date: str, end_date: str, interval: str = "1D") -> JsonValue:
    """The made-up prices of a share.

    Raises:
        ToolFailure: There is no such symbol, day or interval, or no data for the days.
    """
    company = company_of(symbol)
    if company is None:
        raise ToolFailure(f"không tìm thấy mã {symbol!r} trong danh bạ; hãy tra lại bằng listing_symbol")
    if interval not in INTERVALS:
        raise ToolFailure(f"interval {interval!r} không hợp lệ; chỉ có {', '.join(INTERVALS)}")
    first, last = _day(start_date, "start_date"), _day(end_date, "end_date")
    if last < first:
        raise ToolFailure(f"end_date {end_date} đứng trước start_date {start_date}")
    if first > TODAY:
        raise ToolFailure(f"chưa có dữ liệu cho ngày {start_date}; dữ liệu mới nhất là ngày {TODAY.isoformat()}")
    if last < FIRST_DAY:
        raise ToolFailure(f"không có dữ liệu trước ngày {FIRST_DAY.isoformat()}")
    if last - first > timedelta(days=LONGEST[interval]):
        raise ToolFailure(f"khoảng thời gian quá dài: interval {interval} cho tối đa {LONGEST[interval]} ngày mỗi lần")
    rows: list[JsonValue] = [list(bar) for bar in INTERVALS[interval](company.symbol, first, last)]
    result: dict[str, JsonValue] = {
        "symbol": company.symbol,
        "interval": interval,
        "unit": "VND",
        "note": DISCLAIMER,
        "columns": list(Bar._fields),
        "rows": rows,
    }
    if not rows:
        result["message"] = "không có phiên giao dịch nào trong khoảng này (cuối tuần hoặc ngày nghỉ)"
    return result


def _day(text: str, name: str) -> date:
    try:
        if not ISO_DAY.fullmatch(text):
            raise ValueError("another form")
        return date.fromisoformat(text)
    except ValueError:
        raise ToolFailure(f"{name} {text!r} không phải là ngày hợp lệ; hãy viết YYYY-MM-DD, ví dụ 2026-01-15") from None


async def listing_symbol(
    query: str | None = None, exchange: str | None = None, industry: str | None = None
) -> JsonValue:
    """Companies of the listing.

    Raises:
        ToolFailure: Something is asked for that is empty, or an exchange that does not exist.
    """
    for name, value in (("query", query), ("industry", industry)):
        if value is not None and not value.strip():
            raise ToolFailure(f"{name} trống; hãy ghi mã, tên công ty hoặc ngành, hoặc bỏ tham số này")
    if exchange is not None and exchange.upper() not in EXCHANGES:
        raise ToolFailure(f"không có sàn {exchange!r}; các sàn là {', '.join(EXCHANGES)}")
    found = find_companies(query, exchange and exchange.upper(), industry)
    items: list[JsonValue] = [
        {"symbol": one.symbol, "name": one.name, "exchange": one.exchange, "industry": one.industry} for one in found
    ]
    result: dict[str, JsonValue] = {"count": len(items), "items": items}
    if not items:
        known = f"; các ngành là {', '.join(industries())}" if industry is not None else ""
        result["message"] = f"không tìm thấy công ty nào trong danh bạ{known}"
    return result


async def search_web(query: str) -> JsonValue:
    """News on the web, as the benchmark has it.

    Raises:
        ToolFailure: The query is empty.
    """
    return _search(web(), query)


def _search(collection: Collection, query: str) -> JsonValue:
    if not query.strip():
        raise ToolFailure("query trống; hãy ghi từ khóa cần tìm")
    results: list[JsonValue] = [_shown(document) for document in collection.find(query)]
    found: dict[str, JsonValue] = {"count": len(results), "note": DISCLAIMER, "results": results}
    if not results:
        found["message"] = "không tìm thấy tài liệu nào"
    return found


def _shown(document: IndexedDocument) -> JsonValue:
    shown: dict[str, JsonValue] = {"title": document.title, "text": document.text}
    return {**shown, "date": document.date} if document.date else shown


async def time_now() -> JsonValue:
    """The moment at which the benchmark's clock stands still."""
    return {
        "date": TODAY.isoformat(),
        "time": f"{NOW:%H:%M}",
        "weekday": WEEKDAYS[TODAY.weekday()],
        "timezone": "Asia/Ho_Chi_Minh",
    }
