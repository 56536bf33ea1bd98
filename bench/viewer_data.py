"""A store to look at: many runs, one of very many cases, and one with a case that is far too large."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from toolgauge import api
from toolgauge.core import Call, Case, Expect, ExpectedCall, RunHeader, Suite, Trajectory, Usage
from toolgauge.store import open_store

__all__ = ["LARGE", "MANY_CALLS", "make_store"]

WORDS = [
    "giá",
    "đóng",
    "cửa",
    "của",
    "cổ",
    "phiếu",
    "FPT",
    "và",
    "VNM",
    "tuần",
    "qua",
    "so",
    "sánh",
    "với",
    "tháng",
    "trước",
    "thời",
    "tiết",
    "Hà",
    "Nội",
    "Đà",
    "Nẵng",
    "Huế",
    "nhiệt",
    "độ",
    "độ",
    "ẩm",
    "dự",
    "báo",
    "ngày",
    "mai",
    "bao",
    "nhiêu",
    "hôm",
    "nay",
    "thị",
    "trường",
    "tăng",
    "giảm",
    "phần",
    "trăm",
    "khối",
    "lượng",
    "giao",
    "dịch",
]
TOOLS = ("history_price", "search_web", "get_weather", "company_news")
MANY_CALLS = 50_000
LARGE = 50_000_000


def _text(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words))


def _suite(name: str, cases: int, chance: random.Random) -> Suite:
    return Suite(
        name,
        tuple(
            Case(
                f"d{number}",
                _text(chance, 18),
                labels={"difficulty": chance.choice(("dễ", "vừa", "khó"))},
                expect=Expect((ExpectedCall(chance.choice(TOOLS), {"symbol": "FPT"}),)),
            )
            for number in range(cases)
        ),
    )


def _trajectories(suite: Suite, chance: random.Random) -> Iterator[Trajectory]:
    for case in suite.cases:
        calls = tuple(
            Call(
                chance.choice(TOOLS),
                {"symbol": chance.choice(("FPT", "VNM")), "q": _text(chance, 5)},
                result={"text": _text(chance, 40), "rows": [{"close": chance.random()} for _ in range(5)]},
                duration_ms=chance.random() * 300,
            )
            for _ in range(2)
        )
        usage = Usage(2, chance.randint(200, 900), chance.randint(20, 90), chance.random() / 100)
        latency = chance.random() * 3000
        yield Trajectory(case.id, "react", 1, calls=calls, output=_text(chance, 60), latency_ms=latency, usage=usage)


def _header(suite: Suite, day: int) -> RunHeader:
    created = f"2026-{1 + day // 28 % 12:02d}-{1 + day % 28:02d}T{day // 336 % 24:02d}:00:00+00:00"
    return RunHeader(toolgauge="0", created=created, agents=("react",), suite=suite, about={"model": f"m{day // 100}"})


def make_store(path: Path, *, runs: int, cases: int) -> None:
    """Make it: `run-N` have 20 cases each, `large` very many, `odd` one with many calls and one with a large result."""
    chance = random.Random(1)
    small = _suite("small", 20, chance)
    with open_store(path) as store:
        for day in range(runs):
            made = api.score(small, _trajectories(small, chance))
            store.keep(_header(small, day), made.scored, name=f"run-{day}")
        many = Trajectory(
            "d0",
            "react",
            1,
            calls=tuple(Call(TOOLS[n % 4], {"n": n}, result=_text(chance, 8)) for n in range(MANY_CALLS)),
            output="done",
        )
        large = Trajectory("d1", "react", 1, calls=(Call(TOOLS[0], {"symbol": "FPT"}, result="x" * LARGE),), output="x")
        store.keep(_header(small, runs), api.score(small, [many, large]).scored, name="odd")
        suite = _suite("large", cases, chance)
        with api.Spool() as spool:
            made = api.score(suite, _trajectories(suite, chance), sink=spool)
            store.keep(_header(suite, runs + 1), made.scored, name="large")
