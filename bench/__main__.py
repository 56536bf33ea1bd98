"""Measures everything side by side in one run, and prints what came out.

`python -m bench [PART ...]`; with `--write` the tables go to `docs/performance.md` as well.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.util import find_spec

from . import comparing, converting, hostile, pages, peers, running, scoring, startup, transport, viewer
from .measuring import ROOT, Part, run

SIZE = 200_000
PAGE = ROOT / "docs" / "performance.md"

OPENING = """\
# Performance

Written by `make bench ARGS=--write`; `make bench` measures again and prints. Ratios travel better than times: both
sides of each were measured in turn, on the same machine, in the same run.
"""


def infoseek() -> Part | None:
    """The benchmark of answer scoring, which prints its own figures; None where it is not there."""
    if find_spec("bench.infoseek") is None:
        return None
    ran = run([sys.executable, "-m", "bench.infoseek"])
    lines = [line for line in (*ran.output.splitlines(), *ran.errors.splitlines()[-1:]) if line.strip()]
    return Part("InfoSeek", "As `python -m bench.infoseek` prints it.", ("figures",), [(line,) for line in lines])


def main() -> None:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help="how many trajectories are scored")
    parser.add_argument("--megabytes", type=int, default=100, help="how large the files are that are converted")
    parser.add_argument("--write", action="store_true", help="write docs/performance.md, which needs all parts")
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        help="scoring, startup, running, transport, hostile, peers, infoseek, comparing, converting, pages,"
        " viewer; default: all",
    )
    options = parser.parse_args()
    makers: dict[str, Callable[[], Part | None]] = {
        "startup": startup.measure,
        "running": running.measure,
        "transport": transport.measure,
        "scoring": lambda: scoring.measure(options.size),
        "peers": peers.measure,
        "infoseek": infoseek,
        "hostile": hostile.measure,
        "comparing": comparing.measure,
        "pages": pages.measure,
        "converting": lambda: converting.measure(options.megabytes),
        "viewer": viewer.measure,
    }
    unknown = [name for name in options.parts if name not in makers]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; parts are {', '.join(makers)}")
    if options.write and options.parts:
        parser.error("--write writes the whole page, so it takes no parts")
    found = []
    for name in options.parts or makers:
        part = makers[name]()
        if part is not None:
            print(as_text(part), flush=True)
            found.append(part)
    if options.write:
        PAGE.write_text(as_page(found), encoding="utf-8")
        print(f"wrote {PAGE.relative_to(ROOT)}")


def as_text(part: Part) -> str:
    """A part for a terminal."""
    rows = [part.header, *part.rows]
    widths = [max(len(row[column]) for row in rows) for column in range(len(part.header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([part.title, part.about, "", *(f"  {line}" for line in lines), *part.notes, ""])


def as_page(parts: list[Part]) -> str:
    """All parts as Markdown."""
    machine = (
        f"{platform.python_implementation()} {platform.python_version()}, {platform.system()}, {os.cpu_count()} cores"
    )
    sections = [OPENING, f"Measured on {datetime.now(UTC).date()} with {machine}.\n"]
    for part in parts:
        rows = [part.header, tuple("---" for _ in part.header), *part.rows]
        table = "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
        notes = "".join(f"\n{note}\n" for note in part.notes)
        sections.append(f"## {part.title}\n\n{part.about}\n\n{table}\n{notes}")
    return "\n".join(sections)


if __name__ == "__main__":
    main()
