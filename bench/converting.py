"""What reading the records of other tools costs beside decoding them: spans and messages, one record a line.

`python -m bench.converting PIECE FILE` does one piece of the work, and prints its time, in a process of its own.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from toolgauge.cli.convert import command

from .converting_data import anthropic_lines, english_lines, langchain_lines, message_lines, otlp_lines
from .measuring import Part, Ran, best, least_processor, run

__all__ = ["measure"]

ROUNDS = 3
WRITERS = {
    "OTLP lines": otlp_lines,
    "chat messages": message_lines,
    "chat messages, English, long": english_lines,
    "Anthropic messages": anthropic_lines,
    "LangChain messages": langchain_lines,
}
"""What is measured, and what writes such lines."""


def measure(megabytes: int) -> Part:
    """Measure with files of this size."""
    rows = []
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        for what, write in WRITERS.items():
            path = Path(name) / "records.jsonl"
            write_file(path, write(random.Random(7)), megabytes)
            decoded: list[Ran] = []
            alone: list[Ran] = []
            shared: list[Ran] = []
            for _ in range(ROUNDS if megabytes <= 200 else 1):
                decoded.append(_work("untyped", path))
                alone.append(_work("alone", path))
                shared.append(_work("shared", path))
            speed = path.stat().st_size / 1e6 / best(shared)
            by_one = least_processor(decoded) / least_processor(alone)
            by_all = best(decoded) / best(shared)
            memory = max(ran.memory for ran in shared) / 1e6
            rows.append(
                (what, f"{speed:.0f} MB/s", f"{by_all:.0%}", "≥ 25 %", f"{by_one:.0%}", f"{memory:.0f} MB", "< 150 MB")
            )
    about = (
        f"Files of {megabytes} MB, read, converted and written again; the share is that of the speed at which msgspec "
        "decodes the lines untyped: by the clock, with as many processes as the command takes by itself, and by "
        "processor time with one. Memory is that of the largest process."
    )
    return Part("Converting", about, ("what", "speed", "share", "wanted", "with one", "memory", "wanted"), rows)


def _work(piece: str, path: Path) -> Ran:
    ran = run([sys.executable, "-m", "bench.converting", piece, str(path)])
    if ran.code:
        raise RuntimeError(ran.errors)
    seconds, processor = map(float, ran.output.split())
    return Ran(ran.code, ran.output, ran.errors, seconds, ran.memory, processor)


def untyped(path: str) -> None:
    """Decode every line, and nothing else."""
    decode = msgspec.json.Decoder().decode
    with open(path, "rb") as stream:
        for line in stream:
            decode(line)


def alone(path: str) -> None:
    """Convert the file as the command does with one process."""
    shared(path, "--jobs", "1")


def shared(path: str, *options: str) -> None:
    """Convert the file as the command does."""
    command.main([path, "-o", f"{path}.converted", *options], standalone_mode=False)
    os.unlink(f"{path}.converted")


def write_file(path: Path, lines: Iterator[object], megabytes: int) -> None:
    """Write lines until the file is large enough."""
    left = megabytes * 1_000_000
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as stream:
        for line in lines:
            data = encode(line) + b"\n"
            stream.write(data)
            left -= len(data)
            if left < 0:
                break


PIECES: dict[str, Callable[[str], None]] = {"untyped": untyped, "alone": alone, "shared": shared}


def main() -> None:
    """Do the piece of work that the command line names; prints the seconds it took, and those of the processor."""
    piece, path = sys.argv[1:]
    started, worked = time.perf_counter(), time.process_time()
    PIECES[piece](path)
    print(time.perf_counter() - started, time.process_time() - worked)


if __name__ == "__main__":
    main()
