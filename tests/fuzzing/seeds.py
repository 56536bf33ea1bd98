"""What is spoiled: real suites, recorded traces of every format, and files that commands have written."""

from __future__ import annotations

import json
import pkgutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tests.cli.running import toolgauge
from tests.runner.weather import write_suite
from tests.traces import formats
from tests.traces.formats import recorded

__all__ = ["Seeds", "seeds"]

ROOT = Path(__file__).parents[2]
INPUTS = ROOT / "tests" / "frozen" / "inputs"
WEATHER = ROOT / "examples" / "weather"
PAPER = ROOT / "examples" / "walks" / "paper"

LARGEST = 12_000
"""Seeds are small, so that many can be tried; of larger traces only the first lines are taken."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """Files by the names they have in the folder of a job; of each kind there are several."""

    suites: dict[str, bytes]
    traces: dict[str, bytes]
    run_file: bytes
    store: bytes
    cassette: bytes
    reviews: bytes
    parts: tuple[bytes, ...]
    folder_of_parts: dict[str, bytes]
    infoseek: dict[str, bytes]
    large: dict[str, bytes] = field(default_factory=dict)
    """What needs a library that may be missing."""


@cache
def seeds() -> Seeds:
    """Everything that is spoiled; made once, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tg-seeds-") as name:
        return _made(Path(name))


def _made(folder: Path) -> Seeds:
    for source in (WEATHER / "suite.yaml", WEATHER / "traces.jsonl"):
        (folder / source.name).write_bytes(source.read_bytes())
    write_suite(folder, 3)
    scored = ("score", "suite.yaml", "traces.jsonl")
    _do(folder, *scored, "--format", "run", "-o", "seed.run.jsonl")
    for agents in ("first", "second"):
        _do(folder, *scored, "--save", agents, "--store", "runs.db")
    case = json.loads((folder / "traces.jsonl").read_bytes().splitlines()[0])["case"]
    _do(folder, "runs", "review", "latest", case, "wrong", "--note", "no", "--store", "runs.db")
    _do(folder, "runs", "export", "latest", "--store", "runs.db", "-o", "reviewed.run.jsonl")
    _do(
        folder,
        "run",
        "suite.json",
        "--model",
        "local:lexical",
        "--record",
        "seed.cassette.jsonl",
        "--store",
        "other.db",
    )
    for part in ("1", "2"):
        _do(folder, *scored, "--shard", f"{part}/2", "-o", f"{part}.part")
    _do(folder, *scored, "--jobs", "2", "--parts", "parts")
    return Seeds(
        suites=dict(_suites()),
        traces=dict(_traces()),
        run_file=(folder / "seed.run.jsonl").read_bytes(),
        store=(folder / "runs.db").read_bytes(),
        cassette=(folder / "seed.cassette.jsonl").read_bytes(),
        reviews=next(folder.glob("reviewed*.reviews.jsonl")).read_bytes(),
        parts=tuple((folder / f"{part}.part").read_bytes() for part in ("1", "2")),
        folder_of_parts={path.name: path.read_bytes() for path in (folder / "parts").iterdir()},
        infoseek={path.name: path.read_bytes() for path in (INPUTS / "infoseek").iterdir()},
        large=dict(_large(folder)),
    )


def _do(folder: Path, *arguments: str) -> None:
    done = toolgauge(*arguments, cwd=folder)
    assert done.returncode in (0, 3), (arguments, done.stderr)


def _suites() -> Iterator[tuple[str, bytes]]:
    for path in (*INPUTS.rglob("*.yaml"), *INPUTS.rglob("*.json"), *INPUTS.rglob("*.csv"), WEATHER / "suite.yaml"):
        data = path.read_bytes()
        if 20 < len(data) <= LARGEST:
            yield f"{path.parent.name}-{path.name}", data
    yield "promptfoo.yaml", PROMPTFOO
    yield "truth.csv", (PAPER / "truth.csv").read_bytes()
    yield "rules.json", _few_cases(INPUTS / "rules" / "plain.json")


PROMPTFOO = b"""prompts: ["{{question}}"]
tests:
  - vars: {question: How warm is it?}
    assert:
      - {type: is-valid-openai-tools-call}
      - {type: contains, value: "31"}
"""


def _few_cases(path: Path) -> bytes:
    """A few cases of a suite, each of which is about another rule."""
    suite = json.loads(path.read_bytes())
    return json.dumps({**suite, "cases": suite["cases"][:: max(1, len(suite["cases"]) // 15)]}).encode()


def _traces() -> Iterator[tuple[str, bytes]]:
    for path in sorted((*(INPUTS / "foreign").iterdir(), WEATHER / "traces.jsonl", PAPER / "react.csv")):
        yield path.name, _first_lines(path.read_bytes())
    for path in sorted(Path(recorded.__path__[0]).glob("*.json")):
        for name, value in json.loads(path.read_bytes()).items():
            yield f"{path.stem}-{name}.json", _as_file(value)
    for found in pkgutil.walk_packages(formats.__path__, f"{formats.__name__}."):
        if found.name.rpartition(".")[2].startswith("test_"):
            for number, sample in enumerate(getattr(import_module(found.name), "SAMPLES", ())):
                yield f"{found.name.rpartition('test_')[2]}-{number}.json", _as_file(sample)


def _as_file(value: object) -> bytes:
    if isinstance(value, str):
        return value.encode()
    lines = value if isinstance(value, list) else [value]
    return b"\n".join(json.dumps(line).encode() for line in lines)[: 4 * LARGEST]


def _first_lines(data: bytes) -> bytes:
    kept = b""
    for line in data.splitlines(keepends=True):
        if kept and len(kept) + len(line) > LARGEST:
            break
        kept += line
    return kept


def _large(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Files in formats that need a library of the extras."""
    if find_spec("pyarrow") is not None:
        _do(folder, "convert", "traces.jsonl", "--to", "parquet", "-o", "traces.parquet")
        yield "traces.parquet", (folder / "traces.parquet").read_bytes()
