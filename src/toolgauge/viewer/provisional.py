"""What the page of a run shows before its figures are made: the cases, which can be looked through at once."""

from __future__ import annotations

from toolgauge.catalogue import LANGUAGES, words_of
from toolgauge.pages.data import MAX_COLOURS
from toolgauge.store import RunInfo

from .index import SEPARATOR, CaseIndex

__all__ = ["provisional_page"]


def provisional_page(run_id: str, info: RunInfo, index: CaseIndex | None) -> dict[str, object]:
    """The page of a run without figures.

    Args:
        run_id: What it is asked for by.
        info: What a list says of it.
        index: What was read of it; None: nothing yet.
    """
    names = list(info.agents) if index is None else list(index.agents)
    key = "page.reading_cases" if index is None else "page.reading"
    titles = {lang: words_of(lang)(key) for lang in LANGUAGES}
    return {
        "id": run_id,
        "name": info.name or run_id,
        "version": 0,
        "title": info.suite,
        "created": info.created,
        "model": info.about.get("model"),
        "suite": {
            "name": info.suite,
            "cases": 0 if index is None else index.total,
            "tools": [],
            "hash": info.suite_hash,
        },
        "scoring": None,
        "by": None,
        "trials": 1,
        "agents": [{"name": name, "colour": place % MAX_COLOURS + 1} for place, name in enumerate(names)],
        "sentences": {lang: [title] for lang, title in titles.items()},
        "counts": {"planned": info.planned, "passed": info.passed},
        "passed_with_issues": 0,
        "totals": {},
        "totals_line": "",
        "counts_line": "",
        "notes": {lang: [] for lang in LANGUAGES},
        "rows": [],
        "metrics": [],
        "charts": {lang: {} for lang in LANGUAGES},
        "tools": [],
        "confusion": [],
        "patterns": [],
        "sets": {},
        "labels": {} if index is None else _labels(index),
        "issues": [] if index is None else _names(index, "kinds"),
        "called": [] if index is None else _names(index, "tools"),
    }


def _labels(index: CaseIndex) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    with index.reading() as connection:
        query = "SELECT key, value, MIN(n) FROM cases, json_each(labels) GROUP BY key, value ORDER BY 3"
        for key, value, _ in connection.execute(query):
            found.setdefault(key, []).append(value)
    return found


def _names(index: CaseIndex, column: str) -> list[str]:
    with index.reading() as connection:
        rows = connection.execute(f"SELECT DISTINCT {column} FROM results").fetchall()  # noqa: S608 - names of ours
    return sorted({name for (names,) in rows for name in names.split(SEPARATOR) if name})
