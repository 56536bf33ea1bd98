"""The answer set: what people would say of each answer."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import msgspec
import pytest

from toolgauge.answers import check_spec, prepare
from toolgauge.core import JsonValue
from toolgauge.locale import Locale


class Item(msgspec.Struct, forbid_unknown_fields=True):
    """One answer, and what it is worth."""

    question: str
    output: str
    answer: dict[str, JsonValue]
    locale: Locale | None
    verdict: str
    why: str
    now: str | None = None


LINES = Path(__file__).with_name("items.jsonl").read_bytes().splitlines()
ITEMS = [msgspec.json.decode(line, type=Item) for line in LINES]


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: f"{item.answer['type']}: {item.why}")
def test_the_verdict_is_what_a_careful_reader_says(item: Item) -> None:
    answer = prepare(item.answer, locale=item.locale, now=item.now)(item.output)
    assert answer.verdict == item.verdict, answer.reason


def test_the_set_is_large_and_covers_every_type_and_verdict() -> None:
    kinds = Counter((item.answer["type"], item.verdict) for item in ITEMS)
    assert len(ITEMS) >= 300
    for kind in ("number", "time", "string", "list", "boolean", "text"):
        assert kinds[kind, "right"] >= 3
        assert kinds[kind, "wrong"] >= 3
    assert kinds["number", "ambiguous"] >= 3
    assert kinds["time", "ambiguous"] >= 3
    assert all(not check_spec(item.answer) for item in ITEMS)


def test_now_may_be_a_date() -> None:
    assert (
        prepare({"type": "time", "value": "2026-01-30"}, locale="vi", now=date(2026, 1, 31))("hôm qua").verdict
        == "right"
    )
