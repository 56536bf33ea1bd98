"""Which tests are for which run; and what every test leaves behind is cleared away before the next one."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from .browser import browser
from .budgets import DEEP, LIGHT

__all__ = ["browser"]

settings.register_profile(DEEP, deadline=None)
settings.register_profile(LIGHT, deadline=None, max_examples=20)
settings.load_profile(LIGHT)

DEEP_MODULE = re.compile(r"^pytestmark = (\[\s*)?pytest\.mark\.deep\b", re.M)

LEAVE_LOOPS_OPEN = ("pydantic_ai", "agents", "langgraph")
"""Libraries whose synchronous functions make an event loop and never close it."""


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background so, and every command that is interrupted here would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A module that is deep as a whole may import what is not there: without the deep tests it is not even imported."""
    if "not deep" in config.option.markexpr and collection_path.suffix == ".py":
        return True if DEEP_MODULE.search(collection_path.read_text(encoding="utf-8")) else None
    return None


@pytest.fixture(autouse=True)
def _close_event_loops() -> Iterator[None]:
    yield
    if not any(name in sys.modules for name in LEAVE_LOOPS_OPEN):
        return
    try:
        loop = asyncio.get_event_loop_policy().get_event_loop()
    except RuntimeError:
        return  # none was left
    if not loop.is_running():
        loop.close()
        asyncio.set_event_loop(None)
