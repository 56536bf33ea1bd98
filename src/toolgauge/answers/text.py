"""Scores answers by the texts that they have to hold."""

from __future__ import annotations

from toolgauge.core import Answer, JsonValue, nfc

from .answer_type import TEXTS_SCHEMA, WORDS_SCHEMA, AnswerType, Scorer, Setting, Spec, is_text
from .reading import clean

__all__ = ["TEXT"]


def _fold(text: str) -> str:
    """Normal form C, without case, with single spaces."""
    return " ".join(nfc(text).casefold().split())


def _prepare(spec: Spec, _: Setting) -> Scorer:
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
        return Answer("right", found, f"contains {', '.join(map(repr, wanted))}")

    return score


def _check(spec: Spec) -> list[str]:
    contains = spec.get("contains")
    if is_text(contains) or (isinstance(contains, list) and contains and all(map(is_text, contains))):
        return []
    return ["a text answer needs `contains`, a list of texts"]


TEXT = AnswerType(
    "text",
    _prepare,
    _check,
    {"contains": {"anyOf": [WORDS_SCHEMA, {**TEXTS_SCHEMA, "minItems": 1}]}},
    words_key="contains",
    called=("text", "keywords", "văn bản", "đoạn văn", "từ khóa"),
)
