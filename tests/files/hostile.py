"""Inputs made to exhaust time or memory, and what `toolgauge score` is to say to each of them.

The tests look at messages and memory; the benchmark takes the times of the same inputs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["HOSTILE", "MOST_MEMORY", "Ended", "Hostile", "run_measured"]

MOST_MEMORY = 100_000_000
"""Bytes that the whole process may need."""

GIGABYTE = 1_000_000_000

SUITE = "cases:\n  - {id: a, expect: {calls: [{tool: t}]}}\n"
LINE = '{"case": "a", "calls": [{"tool": "t"}]}\n'


@dataclass(frozen=True, slots=True)
class Hostile:
    """One hostile input."""

    name: str
    write: Callable[[Path, Path], None]
    """Writes it, where the suite and where the traces are to be."""
    refusal: str = ""
    """What the error says after the path; nothing: the input is answered."""


def traces_of(content: str, sparse: int = 0) -> Callable[[Path, Path], None]:
    """Traces with this content, and this many NULs after it which take no room on the disk."""

    def write(suite: Path, traces: Path) -> None:
        fill(suite, SUITE)
        fill(traces, content, sparse)

    return write


def suite_of(content: str, sparse: int = 0) -> Callable[[Path, Path], None]:
    """A suite with this content, and NULs after it."""

    def write(suite: Path, traces: Path) -> None:
        fill(suite, content, sparse)
        fill(traces, LINE)

    return write


def fill(path: Path, content: str, sparse: int = 0) -> None:
    """Write a file that may end with NULs."""
    path.write_text(content)
    with open(path, "r+b") as stream:
        stream.truncate(stream.seek(0, 2) + sparse)


def alias_bomb() -> str:
    """Nine aliases of nine aliases, twelve times over."""
    rows = ["x:", " - &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f" - &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    return "\n".join(rows)


def text_bomb() -> str:
    """One long text, named a hundred thousand times."""
    first = f"  - {{id: a, input: &text {'x' * 1_000_000}}}\n"
    return "cases:\n" + first + "".join(f"  - {{id: a{number}, input: *text}}\n" for number in range(10_000))


def matched(wanted: object, schema: object = None) -> Callable[[Path, Path], None]:
    """A call with an argument that drives a backtracking engine mad, and a rule for it."""
    tool = {"name": "t", "input_schema": {"type": "object", "properties": {"x": schema or {}}}}
    case = {"id": "a", "expect": {"calls": [{"tool": "t", "args": {"x": wanted}}]}}
    call = {"tool": "t", "args": {"x": "a" * 50_000 + "!"}}

    def write(suite: Path, traces: Path) -> None:
        suite.write_text(json.dumps({"tools": [tool], "cases": [case]}))
        traces.write_text(json.dumps({"case": "a", "calls": [call]}))

    return write


def result_of(text: str) -> str:
    """A line with a long result, and enough brackets that its depth is looked at."""
    call = {"tool": "t", "result": {"text": text, "list": [[]] * 300}}
    return json.dumps({"case": "a", "calls": [call]}) + "\n"


def lines_of(count: int, key: str) -> str:
    """Cases with a key that there is not."""
    return "".join(f'{{"id": "a{number}", "{key}": 1}}\n' for number in range(count))


def objects_of(count: int, key: str) -> str:
    """The same as one document."""
    return f'{{"cases": [{lines_of(count, key).strip().replace(chr(10), ",")}]}}'


def many(what: str, count: int) -> str:
    """A trajectory that holds something very often."""
    return '{"case": "a", "output": [' + what * count


DEEP = 100_000
DEEP_JSON = ":1:{}: lists and objects are nested more than 200 deep"
DEEP_YAML = ":1:{}: lists and objects are nested more than 100 deep"
LONG_LINE = ":{}: this line is longer than {} MiB; write each record on its own line"
LARGE = ":{}: the file is larger than {} MiB, of which this is the last line; write it as JSONL"

HOSTILE = (
    Hostile("alias bomb", suite_of(alias_bomb()), ":7:14: aliases would add more than 200,000 values"),
    Hostile("alias bomb of text", suite_of(text_bomb()), ":7:21: aliases would add more than 4,194,304 characters"),
    Hostile("deep JSON, closed", suite_of("[" * DEEP + "]" * DEEP), DEEP_JSON.format(201)),
    Hostile("deep JSON, open", traces_of('[{"a":' * DEEP), DEEP_JSON.format(601)),
    Hostile("deep JSONL", traces_of('{"case": "a", "output": ' + "[" * DEEP + "\n{}\n"), DEEP_JSON.format(224)),
    Hostile("deep YAML, flow", suite_of("- " + "[" * DEEP), DEEP_YAML.format(102)),
    Hostile("deep YAML, objects", suite_of("a: " + "{a: " * DEEP), DEEP_YAML.format(400)),
    Hostile("deep YAML, block", suite_of("- " * DEEP), DEEP_YAML.format(201)),
    Hostile("1 GB line of traces", traces_of(LINE + LINE, GIGABYTE), LONG_LINE.format(3, 32)),
    Hostile("1 GB line of a suite", suite_of('{"id": "a"}\n{"id": "b"', GIGABYTE), LONG_LINE.format(2, 48)),
    Hostile("1 GB first line", traces_of('{"case": "', GIGABYTE), LONG_LINE.format(1, 48)),
    Hostile("1 GB of YAML", suite_of(SUITE + "# ", GIGABYTE), LARGE.format(3, 16)),
    Hostile("1 GB of JSON", suite_of("[\n", GIGABYTE), LARGE.format(2, 48)),
    Hostile("1 GB line of CSV", traces_of("query,tools\na,", GIGABYTE), LONG_LINE.format(2, 8)),
    Hostile(
        "CSV field without end",
        traces_of('query,tools\na,b\na,"' + "no end, not here either\n" * 2_000_000),
        ":3, column 'tools': a field of more than 100,000 lines; look for a quote that is not closed",
    ),
    Hostile(
        "CSV field of long lines",
        traces_of('query,tools\na,b\na,"' + f"{'no end ' * 1000}\n" * 2_000),
        ":3, column 'tools': a field of more than 8,388,608 characters; look for a quote that is not closed",
    ),
    Hostile("string without end", traces_of(LINE + "[]" * 201 + '"' + '\\"' * 1_000_000), ":2:3: not valid JSON"),
    Hostile(
        "a key a million times",
        suite_of('{"cases": [{"id": "a"' + ', "id": "a"' * 500_000 + "}]}"),
        ":1:24: duplicate key 'id'",
    ),
    Hostile("60 MB of [", traces_of("[" * 60_000_000), "48 MiB"),
    Hostile(
        "40 MB of [ in a line", traces_of('{"a":' + "[" * 40_000_000 + "\n{}\n"), "more than 1,000,000 lists, objects"
    ),
    Hostile("a line of empty lists", traces_of(many("[],", 10_000_000) + "1]}\n"), "more than"),
    Hostile("a line of empty objects", traces_of(many("{},", 10_000_000) + "1]}\n"), "more than"),
    Hostile("a line of numbers", traces_of(many("1,", 15_000_000) + "1]}\n"), "more than"),
    Hostile("a document of empty lists", suite_of("[" + "[],\n" * 10_000_000 + "1]"), "more than"),
    Hostile(
        "a line of different keys",
        traces_of('{"case": "a", "output": {' + ",".join(f'"{n}":1' for n in range(300_000)) + "}}\n"),
        "more than 200,000 different keys",
    ),
    Hostile("CSV of many columns", traces_of("query,tools" + ",x" * 1_000_000 + "\na,b\n"), "more than 10,000 columns"),
    Hostile("YAML of many nodes", suite_of("cases:\n" + "- [a, b, c]\n" * 200_000), "more than"),
    Hostile("a misspelt key in each line", suite_of(lines_of(100_000, "expekt")), "'expekt' is not a known"),
    Hostile("a misspelt key in each case", suite_of(objects_of(100_000, "expekt")), "'expekt' is not a"),
    Hostile("^(a+)+$ as a matcher", matched({"$regex": "^(a+)+$"})),
    Hostile("^(a+)+$ in a tool schema", matched({"$any": True}, {"type": "string", "pattern": "^(a+)+$"})),
    Hostile("pattern that grows", matched({"$regex": "((a{1000}){1000}){1000}"}), "is too large a regular expression"),
    Hostile("result of 10 MB", traces_of(result_of("a" * 10_000_000))),
    Hostile("result of 10 MB in short lines", traces_of(result_of("a line\tof text\n" * 650_000))),
)


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended."""

    code: int
    errors: str
    memory: int
    """The most bytes that it had at one time."""
    seconds: float


# A process is charged with the memory of the one that starts it, so that has to be a small one.
MEASURE = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
ended = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, encoding="utf-8")
seconds = time.perf_counter() - started
memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps([ended.returncode, ended.stderr, memory, seconds]))
"""


def run_measured(arguments: Sequence[str], *, stdin: int | None = None) -> Ended:
    """Run `toolgauge` with these arguments, and say how it ended and what it needed."""
    command = [sys.executable, "-m", "toolgauge", *arguments]
    launcher = [sys.executable, "-S", "-E", "-c", MEASURE, *command]
    measured = subprocess.run(
        launcher, stdin=stdin, stdout=subprocess.PIPE, check=True, text=True, encoding="utf-8", timeout=120
    )
    return Ended(*json.loads(measured.stdout))
