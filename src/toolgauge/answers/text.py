"""Scores answers by the texts that they have to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolgauge.core import Answer, JsonValue, nfc

from .reading import clean

__all__ = ["prepare_text"]


def _fold(text: str) -> str:
    """Normal form C, without case, with single spaces."""
    return " ".join(nfc(text).casefold().split())


def prepare_text(spec: Mapping[str, JsonValue]) -> Callable[[str], Answer]:
    """A function that scores answers against a `text` reference: all its texts have to be there."""
    contains = spec["contains"]
    wanted = [str(text) for text in (contains if isinstance(contains, list) else [contains])]
    folded = [_fold(text) for text in wanted]

    def score(output: str) -> Answer:
        text = _fold(output)
        if any(part not in text for part in folded):
            text = f"{text}\n{_fold(clean(output))}"  # `the **central** bank` holds `central bank`
        found: list[JsonValue] = [name for name, part in zip(wanted, folded, strict=True) if part in text]
        missing = [name for name, part in zip(wanted, folded, strict=True) if part not in text]
        if missing:
            return Answer("wrong", found, f"not in the answer: {', '.join(map(repr, missing))}")
        return Answer("right", found, f"holds {', '.join(map(repr, wanted))}")

    return score
