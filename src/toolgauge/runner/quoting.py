"""What a model is asked about stands between marks that its writer cannot have known, and its reply is JSON alone."""

from __future__ import annotations

from hashlib import sha256

__all__ = ["mark_around", "unfenced"]


def mark_around(quoted: str, *others: str) -> str:
    """The line to put before and behind a text: it stands in none of them, and is the same when they are replayed."""
    mark = ""
    while not mark or any(mark in text for text in (quoted, *others)):
        about = "\n".join((mark, *others, quoted)).encode("utf-8", "backslashreplace")
        mark = f"=== {sha256(about).hexdigest()[:24]} ==="
    return mark


def unfenced(text: str) -> str:
    """The reply without the fence that some models put around JSON; anything else beside it is not as asked."""
    inner = text.strip()
    if inner.startswith("```") and inner.endswith("```"):
        inner = inner[3:-3].removeprefix("json")
    return inner
