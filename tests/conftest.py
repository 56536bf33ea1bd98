"""What every test leaves behind is cleared away before the next one."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator

import pytest

LEAVE_LOOPS_OPEN = ("pydantic_ai", "agents", "langgraph")
"""Libraries whose synchronous functions make an event loop and never close it."""


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
