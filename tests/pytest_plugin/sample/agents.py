"""An agent that adds, and is always asked to add 1 and 2 by mistake."""

from __future__ import annotations

from toolgauge.core import Case, Toolbox


def add(a: int, b: int) -> int:
    """The sum of two numbers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b


async def adder(case: Case, tools: Toolbox) -> str:
    """Adds 1 and 2, whatever the question is."""
    result = await tools.call("add", {"a": 1, "b": 2})
    return f"{case.input} It is {result.value}."
