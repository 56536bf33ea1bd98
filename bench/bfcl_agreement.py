"""How often `--profile bfcl` and the official checker of the leaderboard agree, and where they do not.

    python -m bench.bfcl_agreement --python ENVIRONMENT/bin/python --outputs 40000

ENVIRONMENT has `bfcl-eval`, which brings the questions and answers of the leaderboard with it. From each question,
outputs are made that are right or nearly so; both sides judge each, and the differences are printed by class, with an
example. Outputs on which the official checker raises an exception are counted apart: it has no verdict there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench.bfcl_outputs import Output, Outputs
from toolgauge.core import Call, Score, Trajectory
from toolgauge.scoring import Scorer
from toolgauge.suites import load_bfcl_suite

VARIABLE = "TOOLGAUGE_BFCL_PYTHON"
"""Names the Python of an environment that has `bfcl-eval`."""

CATEGORIES = (
    "simple_python",
    "multiple",
    "parallel",
    "parallel_multiple",
    "irrelevance",
    "live_simple",
    "live_multiple",
    "live_parallel",
    "live_parallel_multiple",
    "live_irrelevance",
    "live_relevance",
)

LEAST = 200
"""How many outputs even the smallest category gets."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An output, and all that is needed to judge it."""

    question: dict[str, Any]
    truth: list[Any]
    output: Output
    faults: tuple[str, ...]
    spelling: str

    @property
    def category(self) -> str:
        return str(self.question["id"]).rpartition("_")[0]

    def line(self) -> str:
        """The line that the official checker reads."""
        asked = {
            "function": self.question["function"],
            "output": self.output,
            "truth": self.truth,
            "category": self.category,
            "spelling": self.spelling,
        }
        return json.dumps(asked) + "\n"

    def trajectory(self) -> Trajectory:
        """The trace that toolgauge scores."""
        calls = (Call(name, args) for call in self.output for name, args in call.items())
        return Trajectory(self.question["id"], "model", 1, calls=tuple(calls))


@dataclass(frozen=True, slots=True)
class Judged:
    """An output with both verdicts; a text is the exception that the official checker raised."""

    asked: Asked
    score: Score
    official: bool | str

    @property
    def ours(self) -> bool:
        return self.score.passed


def ask_official(python: str, lines: Iterable[str]) -> list[bool | str]:
    """The verdicts of the official checker, which runs in its own environment."""
    oracle = Path(__file__).with_name("bfcl_oracle.py")
    done = subprocess.run(
        [python, str(oracle)], input="".join(lines), capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def data_folder(python: str) -> Path:
    """Where the environment keeps the questions of the leaderboard."""
    oracle = Path(__file__).with_name("bfcl_oracle.py")
    done = subprocess.run([python, str(oracle), "--data"], capture_output=True, text=True, check=True)
    return Path(done.stdout.strip())


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def judge(questions: Path, answers: Path | None, python: str, outputs: int, random: Random) -> Iterator[Judged]:
    """Make outputs for the questions of a file, and have each judged by both sides."""
    truths = {line["id"]: line["ground_truth"] for line in read_lines(answers)} if answers else {}
    lines = read_lines(questions)
    scorer = Scorer(load_bfcl_suite(questions, answers=answers))
    asked = []
    for number in range(outputs):
        question = lines[number % len(lines)]
        truth = truths.get(question["id"], question.get("ground_truth") or [])
        made, faults = Outputs(question, truth, random).make(random.choices([0, 1, 2, 3], [15, 55, 22, 8])[0])
        asked.append(spelled(Asked(question, truth, made, faults, random.choice(["dots", "underscores"])), random))
    verdicts = ask_official(python, (item.line() for item in asked))
    for item, official in zip(asked, verdicts, strict=True):
        yield Judged(item, scorer.score(item.trajectory()), official)


def spelled(asked: Asked, random: Random) -> Asked:
    """The same with names as the model had to write them, and now and then the other way."""
    other = random.random() < 0.02 and any("." in name for call in asked.output for name in call)
    underscores = (asked.spelling == "underscores") != other
    output = [
        {name.replace(".", "_") if underscores else name: args for name, args in call.items()} for call in asked.output
    ]
    faults = (*asked.faults, "spells_names_otherwise") if other else asked.faults
    return Asked(asked.question, asked.truth, output, faults, asked.spelling)


def classify(judged: Judged) -> str:
    """Why the two sides differ, as far as it can be told."""
    if "spells_names_otherwise" in judged.asked.faults and judged.ours:
        return "spelling: a name with a dot is written the way that is not that of the model"
    return f"unexplained: ours {judged.ours}, official {judged.official}"


def report(results: Sequence[Judged]) -> int:
    """Print figures and classes; the number of differences that nothing explains."""
    decided = [item for item in results if isinstance(item.official, bool)]
    raised = Counter(f"{item.official}, ours {item.ours}" for item in results if isinstance(item.official, str))
    differing = [item for item in decided if item.ours != item.official]
    print(f"outputs            {len(results):>7}")
    print(f"official verdict   {len(decided):>7}, of which passed {sum(item.official is True for item in decided)}")
    print(f"equal              {len(decided) - len(differing):>7} = {1 - len(differing) / len(decided):.4%}")
    for category in dict.fromkeys(item.asked.category for item in decided):
        mine = [item for item in decided if item.asked.category == category]
        equal = sum(item.ours == item.official for item in mine)
        print(f"  {category:<24}{len(mine):>6}  {equal / len(mine):.4%}")
    print(f"official exception {sum(raised.values()):>7} {dict(raised) if raised else ''}")
    classes: dict[str, list[Judged]] = {}
    for item in differing:
        classes.setdefault(classify(item), []).append(item)
    for name, items in sorted(classes.items(), key=lambda entry: -len(entry[1])):
        first = items[0].asked
        print(f"\n{len(items):>5} x {name}")
        print(f"        {first.question['id']}, faults {', '.join(first.faults) or 'none'}")
        print(f"        output {json.dumps(first.output)[:300]}")
        print(f"        truth  {json.dumps(first.truth)[:300]}")
    return sum(len(items) for name, items in classes.items() if name.startswith("unexplained"))


def measure(python: str, outputs: int, seed: int) -> list[Judged]:
    """Both verdicts on outputs for all categories, in proportion to their questions.

    Whether there is a call at all is easily agreed on, so that those categories get one output a question.
    """
    folder = data_folder(python)
    files = [next(folder.glob(f"BFCL_v?_{category}.json")) for category in CATEGORIES]
    sizes = {path: len(read_lines(path)) for path in files}
    compared = sum(size for path, size in sizes.items() if "relevance" not in path.stem)
    results: list[Judged] = []
    for path, size in sizes.items():
        answers = folder / "possible_answer" / path.name
        share = max(LEAST, size if "relevance" in path.stem else outputs * size // compared)
        results += judge(path, answers if answers.exists() else None, python, share, Random(f"{seed} {path.name}"))
    return results


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=os.environ.get(VARIABLE), help=f"default: what {VARIABLE} says")
    parser.add_argument("--outputs", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not options.python:
        print(f"name the Python of an environment that has bfcl-eval, with --python or {VARIABLE}", file=sys.stderr)
        return 2
    return 1 if report(measure(options.python, options.outputs, options.seed)) else 0


if __name__ == "__main__":
    sys.exit(main())
