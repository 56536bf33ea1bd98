"""Pages of real runs for the tests: recorded agents of the shipped suites, several trials, two runs, hostile texts."""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import toolgauge
from toolgauge.catalogue import Lang
from toolgauge.core import Call, Case, Expect, ExpectedCall, Run, Suite, ToolDefinition, Trajectory
from toolgauge.pages import TwoRunsDocument
from toolgauge.report import Document, RunDocument, render

INPUTS = Path(__file__).parents[1] / "frozen" / "inputs"

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "<img src=x onerror=alert(3)>",
    "<svg onload=alert(4)><image href='https://example.com/a.png'/></svg>",
    "javascript:alert(5)",
    "![x](https://example.com/leak.png)",
    "a\u2028b\u2029c",
    "\u202eright to left\u202c",
    "{{constructor.constructor('alert(6)')()}} ${alert(7)} {0.__class__} %(x)s",
    "=cmd|' /C calc'!A0",
    "__proto__",
    "\x1b]0;title\x07",
)
"""Texts that would do something where they are taken for more than text."""

LONG = "w" * 10_000


@dataclass(frozen=True, slots=True)
class MadePages:
    """Pages, and the runs that they show."""

    finance: Path
    finance_run: Run
    trials: Path
    trials_run: Run
    two: Path
    hostile: Path
    hostile_run: Run


def make_pages(folder: Path) -> MadePages:
    """Write pages into a folder."""
    traces = folder / "vn-finance.jsonl"
    traces.write_bytes(lzma.decompress((INPUTS / "shipped" / "vn-finance.jsonl.xz").read_bytes()))
    finance = toolgauge.score("vn-finance", traces)
    suite = INPUTS / "trials" / "suite.json"
    before, after = (toolgauge.score(suite, INPUTS / "trials" / f"{name}.jsonl") for name in ("before", "after"))
    hostile = hostile_run()
    two = TwoRunsDocument(toolgauge.compare(before, after), before, after)
    return MadePages(
        written(folder / "finance.html", RunDocument(finance)),
        finance,
        written(folder / "trials.html", RunDocument(after)),
        after,
        written(folder / "two.html", two),
        written(folder / "hostile.html", RunDocument(hostile)),
        hostile,
    )


def written(path: Path, document: Document, lang: Lang = "en") -> Path:
    """A document as a page in a file."""
    path.write_text("".join(render(document, "html", lang=lang)), encoding="utf-8")
    return path


def hostile_run(texts: Iterable[str] = (*HOSTILE, LONG)) -> Run:
    """A run in which every text that can come from outside is hostile."""
    names = list(texts)
    cases = [
        Case(
            text[:2000] + f" {number}",
            text,
            {"difficulty": text[:500], text[:100]: text[:100]},
            expect=Expect(
                calls=(ExpectedCall(text[:300], {text[:300]: text, "n": {"$one_of": [text, 1]}}),),
                contains=(text,),
                answer={"type": "string", "value": text},
            ),
        )
        for number, text in enumerate(names)
    ]
    suite = Suite(names[0], tuple(cases), (ToolDefinition(names[0], names[1]),))
    trajectories = [
        Trajectory(
            case.id,
            agent,
            1,
            calls=(
                Call(text[:300], {text[:300]: text, "n": text}, result={text[:300]: [text]}),
                Call(names[(number + 1) % len(names)][:300], {"x": text}, error=text),
            ),
            output=text + " " + text if agent == names[0] else None,
            error=None if agent == names[0] else text,
            events=(
                {"kind": text[:300], "text": text},
                {"kind": "plan", "steps": [{"tool": text, "args": {text: text}}]},
            ),
            latency_ms=float(number),
        )
        for agent in (names[0], names[7])
        for number, (case, text) in enumerate(zip(cases, names, strict=True))
    ]
    return toolgauge.score(suite, trajectories)
