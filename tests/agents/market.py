"""A small market: tools over a few made-up figures, and questions about them, for tests of agents and of models."""

from __future__ import annotations

from toolgauge.core import Case, Expect, ExpectedCall, Suite, Tool, ToolDefinition
from toolgauge.tools import from_function

__all__ = ["ASKED", "CASES", "suite", "tools"]

COMPANIES = {"AAA": "Công ty Nhựa An Bình", "BBB": "Ngân hàng Bến Tre", "CCC": "Tập đoàn Cửu Long"}

ASKED: dict[str, str] = {
    "price": "Giá đóng cửa cổ phiếu AAA từ ngày 05/01/2026 đến ngày 09/01/2026 là bao nhiêu?",
    "code": "Mã chứng khoán của công ty Cửu Long là gì?",
    "news": "Có tin tức gì mới về Bến Tre không?",
    "today": "Giá đóng cửa cổ phiếu BBB hôm qua là bao nhiêu?",
}


def history_price(symbol: str, start_date: str, end_date: str) -> list[dict[str, object]]:
    """Lịch sử giá cổ phiếu: giá mở cửa, giá đóng cửa và khối lượng theo ngày.

    Args:
        symbol: Mã cổ phiếu, ví dụ AAA.
        start_date: Ngày bắt đầu, dạng YYYY-MM-DD.
        end_date: Ngày kết thúc, dạng YYYY-MM-DD.
    """
    if symbol not in COMPANIES:
        raise ValueError(f"không có mã {symbol}")
    return [{"date": start_date, "close": 21_500}, {"date": end_date, "close": 22_000}]


def listing_symbol(query: str) -> list[dict[str, str]]:
    """Danh sách mã chứng khoán và tên công ty niêm yết.

    Args:
        query: Tên công ty hoặc mã chứng khoán cần tra.
    """
    return [{"symbol": symbol, "company": name} for symbol, name in COMPANIES.items() if name.split()[-1] in query]


def search_web(query: str) -> list[str]:
    """Tìm kiếm tin tức mới trên web.

    Args:
        query: Điều cần tìm.
    """
    return [f"Tin mới: {query}"]


def time_now() -> str:
    """Ngày giờ hiện tại."""
    return "2026-01-30T09:00:00+07:00"


def tools() -> list[Tool]:
    """The tools, in the order in which agents see them."""
    return [from_function(one) for one in (history_price, listing_symbol, search_web, time_now)]


def definitions() -> tuple[ToolDefinition, ...]:
    """What agents know of the tools."""
    return tuple(tool.definition for tool in tools())


def _expect(*names: str) -> Expect:
    return Expect(calls=tuple(ExpectedCall(name) for name in names))


CASES = (
    Case("price", ASKED["price"], {"difficulty": "dễ"}, "vi", expect=_expect("history_price")),
    Case("code", ASKED["code"], {"difficulty": "dễ"}, "vi", expect=_expect("listing_symbol")),
    Case("news", ASKED["news"], {"difficulty": "khó"}, "vi", expect=_expect("search_web")),
    Case("today", ASKED["today"], {"difficulty": "khó"}, "vi", expect=_expect("time_now", "history_price")),
)


def suite() -> Suite:
    """The questions with the tools that they need."""
    return Suite("market", CASES, definitions())
