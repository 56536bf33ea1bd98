"""How often `--profile bfcl --strict-names --strict-decoding` and the leaderboard's own handlers and checker agree.

    python -m bench.bfcl_strict --python ENVIRONMENT/bin/python --earlier-python EARLIER/bin/python --outputs 60000

ENVIRONMENT has `bfcl-eval`; EARLIER, which may be left out, has version 2025.6.8 of it, with handlers that were taken
out since. Outputs are made from the questions that come with the package, right ones and ones with faults put in; each
is written as the models of a handler write it, or disturbed: in fences, with prefixes, with words around, cut off. The
official decoder and checker judge it, and so does toolgauge, from the same record. Where the checker raises an
exception, there is no official verdict.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from bench.bfcl_agreement import CATEGORIES, VARIABLE, ask_official, data_folder, read_lines
from bench.bfcl_oracle import CLASSES, EARLIER_CLASSES
from bench.bfcl_outputs import Outputs
from bench.bfcl_styles import write
from toolgauge.core import Suite
from toolgauge.scoring import Scorer
from toolgauge.suites import Names, load_bfcl_suite
from toolgauge.traces import BFCL_HANDLERS, ReadContext, ReadOptions, known_tools
from toolgauge.traces.formats.bfcl import BfclReader

EARLIER = "TOOLGAUGE_BFCL_EARLIER_PYTHON"
"""Names the Python of an environment that has an earlier `bfcl-eval`."""


@dataclass(frozen=True, slots=True)
class Made:
    """An output, and all that is needed to judge it."""

    question: dict[str, Any]
    truth: list[Any]
    result: Any
    handler: str
    change: str

    @property
    def category(self) -> str:
        return str(self.question["id"]).rpartition("_")[0]

    def line(self) -> str:
        """The line that the official side reads."""
        asked = {"function": self.question["function"], "truth": self.truth, "category": self.category}
        return json.dumps({**asked, "result": self.result, "handler": self.handler}) + "\n"


@dataclass(frozen=True, slots=True)
class Judged:
    """An output with both verdicts; a text is the exception that the official checker raised."""

    made: Made
    ours: bool
    official: bool | str


class Questions:
    """The questions of one category, with what is needed to judge outputs."""

    def __init__(self, path: Path, answers: Path | None) -> None:
        self.path, self.answers = path, answers
        self.lines = read_lines(path)
        truths = {line["id"]: line["ground_truth"] for line in read_lines(answers)} if answers else {}
        self.truths = {line["id"]: truths.get(line["id"], line.get("ground_truth") or []) for line in self.lines}

    def make(self, handler: str, outputs: int, random: Random) -> Iterator[Made]:
        """Outputs for questions at random, in the way of a handler."""
        for _ in range(outputs):
            question = random.choice(self.lines)
            truth = self.truths[question["id"]]
            output, _ = Outputs(question, truth, random).make(random.choices([0, 1, 2], [60, 30, 10])[0])
            if BFCL_HANDLERS[handler].underscores != (random.random() < 0.03):
                output = [{name.replace(".", "_"): args for name, args in call.items()} for call in output]
            result, change = write(handler, output, random)
            yield Made(question, truth, result, handler, change)

    @cache  # noqa: B019 - lives as long as the measurement
    def suite(self, names: Names) -> tuple[Suite, Scorer]:
        suite = load_bfcl_suite(self.path, answers=self.answers, names=names)
        return suite, Scorer(suite)

    def verdict(self, made: Made) -> bool:
        """What toolgauge says, from the record as a result file has it."""
        suite, scorer = self.suite("underscores" if BFCL_HANDLERS[made.handler].underscores else "dots")
        options = ReadOptions(
            known_tools=known_tools(suite), exact_names=True, strict_decoding=True, handler=made.handler
        )
        (trajectory,) = BfclReader(ReadContext(options)).read({"id": made.question["id"], "result": made.result})
        return scorer.score(trajectory).passed


def questions_of(folder: Path) -> list[Questions]:
    """All categories that are scored."""
    found = []
    for category in CATEGORIES:
        path = next(folder.glob(f"BFCL_v?_{category}.json"))
        answers = folder / "possible_answer" / path.name
        found.append(Questions(path, answers if answers.exists() else None))
    return found


def measure(pythons: Mapping[str, Sequence[str]], outputs: int, seed: int) -> list[Judged]:
    """Both verdicts on so many outputs, as many for each handler.

    Args:
        pythons: By the Python of an environment the handlers that it has.
        outputs: How many outputs all handlers get together.
        seed: What makes them the same again.
    """
    categories = questions_of(data_folder(next(iter(pythons))))
    handlers = [(python, handler) for python, known in pythons.items() for handler in known]
    weights = [max(len(questions.lines), 100) for questions in categories]
    results: list[Judged] = []
    for python, handler in handlers:
        random = Random(f"{seed} {handler}")
        asked = [
            (questions, made)
            for questions in random.choices(categories, weights, k=outputs // len(handlers) + 1)
            for made in questions.make(handler, 1, random)
        ]
        verdicts = ask_official(python, (made.line() for _, made in asked))
        for (questions, made), official in zip(asked, verdicts, strict=True):
            results.append(Judged(made, questions.verdict(made), official))
    return results


def report(results: Sequence[Judged]) -> int:
    """Print how far both agree by handler, by category and by what was done; the number of differences."""
    decided = [item for item in results if isinstance(item.official, bool)]
    raised = Counter(f"{item.official}, ours {item.ours}" for item in results if isinstance(item.official, str))
    print(f"outputs          {len(results):>7}")
    print(f"official verdict {len(decided):>7}, of which passed {sum(item.official is True for item in decided)}")
    print(f"exception        {sum(raised.values()):>7} {dict(raised) if raised else ''}")
    keys: dict[str, Callable[[Judged], str]] = {
        "handler": lambda item: item.made.handler,
        "category": lambda item: item.made.category,
        "what was done": lambda item: item.made.change,
    }
    for title, key in keys.items():
        print(f"\n{title:<28}{'outputs':>8}{'passed':>8}{'equal':>8}")
        for name in dict.fromkeys(map(key, decided)):
            mine = [item for item in decided if key(item) == name]
            passed, equal = (
                sum(item.official is True for item in mine),
                sum(item.ours == item.official for item in mine),
            )
            print(f"{name:<28}{len(mine):>8}{passed:>8}{equal:>8}")
    differing = [item for item in decided if item.ours != item.official]
    print(f"\nequal {len(decided) - len(differing)} of {len(decided)} = {1 - len(differing) / len(decided):.4%}")
    for item in differing[:40]:
        print(f"  {item.made.handler}, {item.made.category}, {item.made.change}: ours {item.ours}")
        print(f"      {json.dumps(item.made.result)[:300]}")
    return len(differing)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=os.environ.get(VARIABLE), help=f"default: what {VARIABLE} says")
    parser.add_argument("--earlier-python", default=os.environ.get(EARLIER), help=f"default: what {EARLIER} says")
    parser.add_argument("--outputs", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.python:
        print(f"name the Python of an environment that has bfcl-eval, with --python or {VARIABLE}", file=sys.stderr)
        return 2
    pythons = {options.python: tuple(CLASSES)}
    if options.earlier_python:
        pythons[options.earlier_python] = tuple(EARLIER_CLASSES)
    return 1 if report(measure(pythons, options.outputs, options.seed)) else 0


if __name__ == "__main__":
    sys.exit(main())
