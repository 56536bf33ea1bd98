"""A case as its page shows it, with limits: what was cut says how long it was."""

from __future__ import annotations

from typing import Any

from toolgauge.pages.cases import case_page
from toolgauge.report.json import encode_json

from .view import RunView

__all__ = ["case_data"]

MAX_PAGE = 12 * 1024 * 1024
"""Above so many characters, results of calls are left out of the page."""

SHORT = 500
"""What is then left of each."""


def case_data(view: RunView, case_id: str) -> str | None:
    """The page of a case as JSON; None: there is no such case."""
    found = view.case(case_id)
    if found is None:
        return None
    page: dict[str, Any] = case_page(*found)
    written = encode_json(page)
    if len(written) <= MAX_PAGE:
        return written
    for trajectory in page["trajectories"]:
        _shorten(trajectory)
    return encode_json(page)


def _shorten(trajectory: dict[str, Any]) -> None:
    for index, call in enumerate(trajectory["raw"].get("calls", ())):
        result = call.get("result")
        text = result if isinstance(result, str) else encode_json(result)
        if len(text) > SHORT:
            call["result"] = text[:SHORT]
            trajectory["cut"].setdefault(str(index), len(text))
