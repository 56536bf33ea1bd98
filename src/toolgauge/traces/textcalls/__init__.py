"""Calls that models write as text: how they are told from other texts, and read."""

from __future__ import annotations

__all__ = ["ANY", "AUTO", "MARKED_STYLES", "OFF", "STYLES"]

AUTO, ANY, OFF = "auto", "any", "off"
"""What is beyond doubt; everything but commands; nothing."""

MARKED_STYLES = ("hermes", "llama", "mistral", "deepseek", "xml", "harmony")
"""Styles that have tags or special tokens for calls."""

STYLES = (*MARKED_STYLES, "json", "name", "python", "react", "bash")
"""The ways of writing calls, by the names that `--text-calls` takes."""
