"""What values say of themselves in a notebook. How that looks is known above; here only where to ask is."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["as_frame", "as_html"]


def as_html(value: object) -> str:
    """A run, a comparison or a verdict as HTML without scripts."""
    made: str = import_module("toolgauge.pages.notebook").html_of(value)
    return made


def as_frame(value: object, form: str) -> Any:
    """The trajectories of a run as `dicts`, or as a frame of `pandas` or `polars`."""
    return import_module("toolgauge.pages.notebook").frame_of(value, form)
