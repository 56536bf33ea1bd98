"""Scores judged answers and long outputs with the toolgauge that is imported, in a process of its own.

`python bench/answers_work.py FILE...` prints the seconds of processor time an answer, by what was scored.
"""

from __future__ import annotations

import gc
import inspect
import json
import sys
import time
from pathlib import Path
from typing import Any

from toolgauge.answers import prepare

TYPES = ("number", "time", "string", "list", "boolean")
LONG = {
    "100 kB of prose": "Đây là một câu dài không có con số nào cả trong đó. ",
    "100 kB of amounts": "Doanh thu 12 tỷ đồng, 13 tỷ đồng. ",
    "100 kB of figures": "1 2 3 4 5 ",
    "100 kB of a table": "| FPT | 12 | 13 |\n",
    "100 kB of labels": "a: 1\n",
}
QUESTION = "Doanh thu năm 2025 của FPT là bao nhiêu tỷ đồng?"


def work(paths: list[Path]) -> None:
    """Score everything with the toolgauge that is imported, and print the seconds an answer."""
    gc.disable()  # as it is while traces are scored
    asks = "question" in inspect.signature(prepare).parameters
    taken: dict[str, float] = {}
    items = [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]
    for kind in TYPES:
        wanted = [item for item in items if item["answer"].get("type") == kind and "units" not in item["answer"]]
        scorers = []
        for item in wanted:
            more = {"question": item["question"]} if asks else {}
            scorers.append(prepare(item["answer"], locale=item["locale"], now=item.get("now"), **more))
        gc.collect()
        started = time.process_time()
        for scorer, item in zip(scorers, wanted, strict=True):
            scorer(item["output"])
        taken[kind] = (time.process_time() - started) / len(wanted)
    spec: dict[str, Any] = {"type": "number", "value": 12, "unit": "tỷ đồng"}
    scorer = prepare(spec, locale="vi", **({"question": QUESTION} if asks else {}))
    for what, piece in LONG.items():
        output = piece * (100_000 // len(piece))
        started = time.process_time()
        scorer(output)
        taken[what] = time.process_time() - started
    print(json.dumps(taken))


if __name__ == "__main__":
    work([Path(name) for name in sys.argv[1:]])
