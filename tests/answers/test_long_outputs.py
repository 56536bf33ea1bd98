"""Long outputs take no more than in proportion to their length: twice the text, about twice the calls of functions."""

from __future__ import annotations

import cProfile
import pstats
from collections.abc import Callable
from typing import Any

import pytest

from toolgauge.answers import prepare

PIECES = {
    "prose": "Đây là một câu dài không có con số nào cả trong đó. ",
    "amounts": "Doanh thu 12 tỷ đồng, 13 tỷ đồng. ",
    "figures": "1 2 3 4 5 ",
    "table": "| FPT | 12 | 13 |\n",
    "labels": "a: 1\n",
    "names": "Hà Nội, Huế, FPT và Nguyễn Văn An. ",
    "bullets": "- **FPT**: 12 tỷ đồng (2025)\n",
}
ASKED: dict[str, tuple[dict[str, Any], str]] = {
    "number": ({"type": "number", "value": 12, "unit": "tỷ đồng"}, "Doanh thu năm 2025 của FPT là bao nhiêu tỷ đồng?"),
    "time": ({"type": "time", "value": "2025-03-01"}, "FPT họp ngày nào?"),
    "string": ({"type": "string", "value": "FPT"}, "Công ty nào có doanh thu cao nhất?"),
    "list": ({"type": "list", "value": ["FPT", "VNM"]}, "Những công ty nào có lãi?"),
    "boolean": ({"type": "boolean", "value": True}, "FPT có lãi không?"),
}
SHORT, TIMES = 60_000, 3
SLACK = 1.3


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("kind", ASKED)
def test_the_work_grows_no_faster_than_the_output(kind: str, piece: str) -> None:
    spec, question = ASKED[kind]
    scorer = prepare(spec, locale="vi", question=question)
    text = PIECES[piece]
    short, long = (_calls(scorer, text * (length // len(text))) for length in (SHORT, TIMES * SHORT))
    assert long <= SLACK * TIMES * short


def _calls(scorer: Callable[[str], object], output: str) -> int:
    """How many calls of functions a verdict takes; what was looked up once is known by then."""
    scorer(output)
    profile = cProfile.Profile()
    profile.runcall(scorer, output)
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]
