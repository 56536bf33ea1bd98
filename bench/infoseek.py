"""How much faster InfoSeek scoring is than a plain implementation of its description, with the same verdicts.

Run it with `python -m bench.infoseek [COUNT]`. Times are processor time, the best of several runs, of ours and the
plain one in turn.
"""

from __future__ import annotations

import json
import random
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from toolgauge import infoseek

from . import infoseek_plain as plain

T = TypeVar("T")

ROUNDS = 3
WANTED_SCORING, WANTED_FILES = 2.5, 2.0

WORDS = [
    *("the", "river", "of", "a", "northern", "town", "in", "an", "old", "castle", "Saint-Denis", "Hồ", "Tây"),
    *("museum", "(1890)", "national", "park", "lake", "order"),
]


def make_items(count: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Predictions and references, a third of each question type, about half of them right."""
    dice = random.Random(20240131)
    predictions, references = [], []
    for number in range(count):
        question_type = ("Time", "Numerical", "String")[number % 3]
        answer_eval, prediction = _ITEMS[question_type](dice)
        data_id = f"infoseek_val_{number:08d}"
        split = dice.choice(["val_unseen_question", "val_unseen_entity"])
        predictions.append({"data_id": data_id, "prediction": prediction})
        references.append(
            {
                "data_id": data_id,
                "image_id": f"oven_{number:08d}",
                "question": "What is the answer to this question about the picture?",
                "answer": [prediction],
                "answer_eval": answer_eval,
                "data_split": split,
                "question_type": question_type,
            }
        )
    return predictions, references


def _time(dice: random.Random) -> tuple[Any, str]:
    year = dice.randint(1200, 2024)
    answers = [str(year), f"{year} AD", f"in {year}"]
    return answers, dice.choice([str(year), str(year + 1), f"In {year}.", f"{dice.randint(1, 28)} May {year}"])


def _numerical(dice: random.Random) -> tuple[Any, str]:
    value = round(dice.uniform(1, 100_000), dice.choice([0, 1, 2]))
    answer = [{"wikidata": value, "range": [value * 0.9, value * 1.1]}]
    far = value * dice.uniform(0.5, 1.5)
    return answer, dice.choice(
        [f"{value:,.1f}", f"{far:.0f}", f"{value * 0.95:.1f}-{value * 1.3:.1f}", f"about {far:,.2f} km", f"{value} m"]
    )


def _string(dice: random.Random) -> tuple[Any, str]:
    answers = [" ".join(dice.choices(WORDS, k=dice.randint(1, 4))) for _ in range(dice.randint(1, 4))]
    chosen = dice.choice(answers)
    return answers, dice.choice([chosen, f"The {chosen.upper()}.", " ".join(dice.choices(WORDS, k=3))])


_ITEMS: dict[str, Callable[[random.Random], tuple[Any, str]]] = {
    "Time": _time,
    "Numerical": _numerical,
    "String": _string,
}


def timed(function: Callable[[], T]) -> tuple[float, T]:
    started = time.process_time()
    result = function()
    return time.process_time() - started, result


def compare(name: str, ours: Callable[[], object], theirs: Callable[[], object], wanted: float) -> bool:
    """Run both in turn, assert that they agree, and print how they did."""
    mine, others = [], []
    for _ in range(ROUNDS):
        seconds, result = timed(ours)
        mine.append(seconds)
        seconds, expected = timed(theirs)
        others.append(seconds)
        assert result == expected, f"{name}: the verdicts differ"
    ratio = min(others) / min(mine)
    print(f"{name:<16} ours {min(mine):6.2f} s   plain {min(others):6.2f} s   {ratio:5.1f} x   (wanted {wanted} x)")
    return ratio >= wanted


def peak_memory(folder: Path, count: int) -> float:
    """The most memory, in MB, that scoring as many predictions of few references takes: that of the references."""
    (folder / "few.jsonl").write_text(
        json.dumps({"data_id": "q", "answer_eval": ["x"], "data_split": "unseen_entity", "question_type": "String"})
    )
    with open(folder / "many.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps({"data_id": f"none {number}", "prediction": "x"}) + "\n" for number in range(count))
    tracemalloc.start()
    infoseek.score(folder / "many.jsonl", folder / "few.jsonl")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300_000
    predictions, references = make_items(count)
    examples = infoseek.prepare_qid2example(references)
    print(f"{count:,} predictions")
    good = compare(
        "scoring alone",
        lambda: infoseek.evaluation(predictions, examples),
        lambda: plain.verdicts(predictions, examples),
        WANTED_SCORING,
    )
    # In another order than the references most of the time goes into memory that is not in the cache, for both.
    shuffled = random.Random(1).sample(predictions, count)
    good &= compare(
        "same, shuffled",
        lambda: infoseek.evaluation(shuffled, examples),
        lambda: plain.verdicts(shuffled, examples),
        WANTED_SCORING,
    )
    with TemporaryDirectory() as name:
        folder = Path(name)
        paths = str(folder / "predictions.jsonl"), str(folder / "references.jsonl")
        for path, records in zip(paths, (predictions, references), strict=True):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(record) + "\n" for record in records)
        good &= compare(
            "from files",
            lambda: infoseek.score(*paths).as_dict(),
            lambda: plain.scores_of_files(*paths),
            WANTED_FILES,
        )
        small, large = peak_memory(folder, count // 10), peak_memory(folder, count)
        print(f"memory           {small:.1f} MB for {count // 10:,} predictions, {large:.1f} MB for {count:,}")
        good &= large < small * 1.5 + 1
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
