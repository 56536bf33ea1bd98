"""Word lists, written as people read them."""

from __future__ import annotations

__all__ = ["words"]


def words(text: str) -> tuple[str, ...]:
    """The words of a text; a long list is easier to read without quotes and commas."""
    return tuple(text.split())
