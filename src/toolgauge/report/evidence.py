"""What was taken for the answer, and why: the words in the text of the answer, and the rules with their weights."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import fsum

import msgspec

from toolgauge.catalogue import Words
from toolgauge.catalogue.speaking import translated
from toolgauge.core import NOT_POINTED, Answer, JsonValue, Passage

from .blocks import Block, Bullets, Item
from .display import ELLIPSIS, short, signed
from .values import answer_reason, answer_value

__all__ = ["answer_json", "answer_words", "choice_blocks", "evidence_text", "marked_answer"]

OPENING, CLOSING = "»", "«"
"""What stands around the words that were taken for the answer."""

_MAX_WORDS = 120
_MOST_RULES = 6
"""How many rules are named where not everything is wanted, those with the greatest weight."""
_BEFORE = 3
"""Of a text that is cut, this part of the room, as one in so many, is for what stands before the marked words."""

_SIGNS = "*_`~|#>"
_MARKUP = rf"[\s{_SIGNS}]*"
"""What may stand between the words of an answer that was read without its markup."""


def answer_json(answer: Answer) -> dict[str, object]:
    """A typed answer as every JSON report has it: the verdict, what was found, and what else is known."""
    told: dict[str, object] = msgspec.to_builtins(answer)
    return {"verdict": answer.verdict, "found": answer.found} | told


def answer_words(answer: Answer, stated: Mapping[str, JsonValue] | None, words: Words) -> str:
    """What became of a typed answer, in a line.

    Args:
        answer: What became of it.
        stated: What was asked for, as the `answer` of a case.
        words: The language.
    """
    wanted: JsonValue = None if stated is None else dict(stated)
    found, expected = (None if one is None else short(answer_value(one, words)) for one in (answer.found, wanted))
    reason = answer.reason.removesuffix(NOT_POINTED).removesuffix("; ")
    note = None if reason == answer.reason else words("answer.not_pointed")
    compared = answer_reason(reason, words, amount=not isinstance(answer.found, str))
    if compared is not None:
        (found, expected), reason = map(short, compared), ""
    return words(
        "case.answer",
        verdict=words(f"answer.{answer.verdict or 'unscored'}"),
        found=found,
        want=expected,
        reason=short(words.known(f"reason: {reason}", translated(reason, words.lang))) or None,
        note=note,
        model=short(answer.pointed_by, 60) or None,
    )


def choice_blocks(answer: Answer, words: Words, *, whole: bool) -> Iterator[Block]:
    """The value that was taken for the answer and the next likely one, each with what speaks for and against it."""
    named = (("case.chosen", answer.chosen), ("case.runner_up", answer.runner_up))
    items = [
        Item(words(key, text=_quoted(one.words), why=evidence_text(one, words, most=None if whole else _MOST_RULES)))
        for key, one in named
        if one is not None
    ]
    if items:
        yield Bullets(tuple(items))


def evidence_text(passage: Passage, words: Words, *, most: int | None = None) -> str:
    """The weight of a value, and the rules that it is the sum of, the weightiest first."""
    rules = sorted(passage.evidence.items(), key=lambda rule: -abs(rule[1]))
    listed = [f"{words.known(f'rule.{name}', name)} {signed(weight, words, 1)}" for name, weight in rules[:most]]
    if len(listed) < len(rules):
        listed.append(ELLIPSIS)
    total = signed(fsum(passage.evidence.values()), words, 1)
    return words("answer.evidence", total=total, rules=", ".join(listed) or None)


def marked_answer(output: str, answer: Answer | None, width: int, *, pointed: str = "") -> str:
    """The text of an answer, harmless and cut to a width, in which the words that were taken for it are marked.

    Of a long text a part is shown that has them; where they cannot be found in it, it is the beginning.

    Args:
        output: The answer.
        answer: What became of it.
        width: How many cells there are for it.
        pointed: The passage that a model has pointed to, where only that was read.
    """
    chosen = None if answer is None else answer.chosen
    place = None if chosen is None else _find(output, chosen.words, last="marked" in chosen.evidence)
    if pointed and (begin := output.find(pointed)) >= 0:
        place = begin, begin + len(pointed)
    if place is None:
        return short(output, width)
    start, end = place
    begin = 0 if end + 2 <= width else max(0, start - width // _BEFORE)
    before = (ELLIPSIS if begin else "") + output[begin:start]
    return short(f"{before}{OPENING}{output[start:end]}{CLOSING}{output[end : end + 8 * width]}", width)


def _find(text: str, words: str, *, last: bool) -> tuple[int, int] | None:
    """Where words stand in a text, as a whole, whatever markup is between them."""
    # A part that is nothing but markup could be matched by what stands between parts, too, in very many ways.
    parts = [re.escape(part) for part in words.split() if part.strip(_SIGNS)]
    if not parts:
        return None
    pattern = re.compile(r"(?<![\w.,])" + _MARKUP.join(parts) + r"(?!\w)")
    found = [match.span() for match in pattern.finditer(text)]
    return None if not found else found[-1] if last else found[0]


def _quoted(text: str) -> str:
    return f"{OPENING}{short(text, _MAX_WORDS)}{CLOSING}"
