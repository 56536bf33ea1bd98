"""Writes the made-up news items that are shipped, from hand-written templates and figures that the symbol decides.

    python -m toolgauge.benchmarks.vn_finance.writing

Every item is labelled synthetic where a tool returns it. No item accuses anybody of anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias

from toolgauge.core import JsonValue

from .listing import Company, companies
from .prices import Numbers, sessions

__all__ = ["NEWS_FILE", "write_news"]

NEWS_FILE = "news.jsonl"

Templates: TypeAlias = Mapping[str, Any]

THIRD_QUARTER = (date(2025, 10, 20), date(2025, 10, 31))
FOURTH_QUARTER = (date(2026, 1, 19), date(2026, 1, 29))
RECORDS = (date(2025, 11, 3), date(2026, 1, 23))
"""From when to when lists of shareholders are closed for a dividend."""
EVENTS = (date(2025, 8, 1), date(2026, 1, 29))

NOTICE = 10
"""How many sessions before the record date a dividend is in the news."""


def write_news() -> list[dict[str, JsonValue]]:
    """All news items, oldest first."""
    templates = _templates()
    written = [item for company in companies().values() for item in _of_company(company, templates)]
    written += [{"date": day, "title": title, "text": text} for day, title, text in templates["market"]]
    written.sort(key=lambda item: (str(item["date"]), str(item["title"])))
    return [{"id": f"n{number:03}", "kind": "news", **item} for number, item in enumerate(written, 1)]


def _templates() -> Templates:
    import yaml

    loaded: Templates = yaml.safe_load(Path(__file__).with_name("templates.yaml").read_text(encoding="utf-8"))
    return loaded


def _of_company(company: Company, templates: Templates) -> Iterator[dict[str, JsonValue]]:
    numbers = Numbers(f"vn-finance news 1 {company.symbol}")
    results = templates["bank_results" if company.industry == "Ngân hàng" else "results"]
    events = templates["events_of"].get(company.symbol) or templates["events"][company.industry]
    yield _filled(
        numbers.choose(results), company, _day(numbers, THIRD_QUARTER), _figures(numbers, company, "quý III/2025")
    )
    yield _filled(
        numbers.choose(results), company, _day(numbers, FOURTH_QUARTER), _figures(numbers, company, "quý IV/2025")
    )
    yield _filled(numbers.choose(events), company, _day(numbers, EVENTS), _sizes(numbers))
    if company.industry != "Ngân hàng" and numbers.below(3):
        record = _day(numbers, RECORDS)
        known = sessions()[sessions().index(record) - NOTICE]
        yield _filled(numbers.choose(templates["dividends"]), company, known, _dividend(numbers, record))


def _filled(
    template: Mapping[str, str], company: Company, day: date, words: Mapping[str, object]
) -> dict[str, JsonValue]:
    names = {"short": company.short, "symbol": company.symbol, **words}
    text = template["text"].format_map(names)
    return {"date": day.isoformat(), "title": template["title"].format_map(names), "text": text}


def _day(numbers: Numbers, span: Sequence[date]) -> date:
    return numbers.choose([day for day in sessions() if span[0] <= day <= span[1]])


def _figures(numbers: Numbers, company: Company, quarter: str) -> dict[str, object]:
    return {
        "quarter": quarter,
        "revenue": _grouped(company.revenue * numbers.between(88, 114) // 100),
        "profit": _grouped(company.profit * numbers.between(82, 121) // 100),
        "trend": numbers.choose(["tăng", "tăng", "giảm"]),
        "percent": f"{numbers.between(2, 19)},{numbers.below(10)}",
    }


def _sizes(numbers: Numbers) -> dict[str, object]:
    """Numbers for whatever an event counts."""
    return {
        "amount": _grouped(numbers.between(8, 60) * 50),
        "count": numbers.between(12, 95) * 5,
        "small": numbers.between(3, 16),
    }


def _dividend(numbers: Numbers, record: date) -> dict[str, object]:
    rate = numbers.between(1, 5) * 5
    return {"rate": rate, "cash": _grouped(rate * 100), "record": f"{record.day}/{record.month}/{record.year}"}


def _grouped(number: int) -> str:
    """A number with a point between thousands, as Vietnamese writes it."""
    return f"{number:,}".replace(",", ".")


def _save() -> None:
    lines = "".join(json.dumps(item, ensure_ascii=False) + "\n" for item in write_news())
    Path(__file__).with_name(NEWS_FILE).write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    _save()
