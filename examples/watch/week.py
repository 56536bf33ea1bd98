"""A week of an agent that answers questions about shares, with three changes that nobody announced.

    python examples/watch/week.py week.jsonl

Every line is a conversation, as an agent in production would record it. The same numbers come out every time.

- On Thursday at 09:20 `search_web` begins to time out: it failed in 2 % of its calls, and fails in 12 %.
- On Friday at 14:00 every answer takes half as long again.
- On Saturday at 08:00 a new prompt makes the agent search the web for prices instead of calling `history_price`.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

MONDAY = datetime(2026, 11, 9, tzinfo=UTC)
THURSDAY = MONDAY + timedelta(days=3, hours=9, minutes=20)
FRIDAY = MONDAY + timedelta(days=4, hours=14)
SATURDAY = MONDAY + timedelta(days=5, hours=8)

SESSIONS_A_DAY = 240
SYMBOLS = ("FPT", "VNM", "HPG", "VCB", "MWG")
SHARES = {"history_price": 0.5, "search_web": 0.3, "company_profile": 0.2}


def main(path: str) -> None:
    """Write the week to a file."""
    random = Random(20261109)
    lines: list[str] = []
    for day in range(7):
        for _ in range(SESSIONS_A_DAY):
            moment = MONDAY + timedelta(days=day, hours=min(max(random.gauss(13, 4), 0.0), 23.0))
            session = f"s{len(lines):05d}"
            for _ in range(random.choice((1, 1, 2, 3))):
                lines.append(json.dumps(conversation(random, moment, session, len(lines)), ensure_ascii=False))
                moment += timedelta(minutes=random.uniform(0.5, 4))
    lines.sort(key=lambda line: json.loads(line)["meta"]["started_at"])
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def conversation(random: Random, moment: datetime, session: str, number: int) -> dict[str, object]:
    """One conversation: a question, some calls, an answer."""
    symbol = random.choice(SYMBOLS)
    calls = [call(random, moment, symbol, turn) for turn in range(1, random.choice((1, 2, 2, 3)) + 1)]
    slower = 1.5 if moment >= FRIDAY else 1.0
    latency = slower * random.lognormvariate(7.3, 0.5)
    return {
        "case": "",
        "agent": "desk",
        "input": f"What did {symbol} close at last week?",
        "calls": calls,
        "output": f"{symbol} closed at {random.randint(20, 150)}.",
        "latency_ms": round(latency, 1),
        "usage": {"requests": len(calls) + 1, "input_tokens": random.randint(600, 900), "output_tokens": 80},
        "meta": {
            "trace_id": f"{number:032x}",
            "session_id": session,
            "started_at": round(moment.timestamp() * 1000),
        },
    }


def call(random: Random, moment: datetime, symbol: str, turn: int) -> dict[str, object]:
    """One call of a tool, which may fail."""
    tool = random.choices(list(SHARES), list(SHARES.values()))[0]
    if tool == "history_price" and moment >= SATURDAY:
        tool = "search_web"
    fails = 0.12 if tool == "search_web" and moment >= THURSDAY else 0.02
    found: dict[str, object] = {"tool": tool, "args": {"symbol": symbol}, "turn": turn}
    if random.random() < fails:
        found["error"] = "TimeoutError: no answer after 10 s"
    else:
        found["result"] = {"symbol": symbol, "close": random.randint(20, 150)}
    found["duration_ms"] = round(random.lognormvariate(5.5, 0.6), 1)
    return found


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "week.jsonl")
