"""Scores answers that are lists, in any order."""

from __future__ import annotations

import re

from toolgauge.core import Answer, JsonValue, Passage

from .answer_type import SWITCH_SCHEMA, TEXTS_SCHEMA, AnswerType, Scorer, Setting, Spec, check_switch, is_text
from .blocks import Block, best_blocks
from .enumeration import array_items, sentence_items
from .expected import Expected
from .opposites import CAPITAL, folded_words
from .page import Page, read_page
from .reading import is_declined

__all__ = ["LIST"]

NOTHING = re.compile(
    r"\b(?:none|no\s(?:items?|results?|matches|matching)|nothing|empty|không\scó|không\stìm\sthấy|rỗng|trống)\b|\[\s*\]",
    re.IGNORECASE,
)
ADDS = re.compile(
    rf"(?:^|(?<=[.!?]\s)|(?<=\n))(?:(?:[Nn]goài\sra|[Bb]ên\scạnh\sđó),?\scòn\s[^.!?\n]{{3,120}}|[{CAPITAL}][^.!?\n,]{{1,60}}\s(?:also|cũng)\s[^.!?\n]{{3,120}})",
)
TAKEN_BACK = re.compile(
    r"\b(?:but|nhưng|không|chưa|not|n['’]t|lost|except|though|although|dù|tuy|song|isn['’]t|hasn['’]t|vẫn|will|sẽ|also\s(?:known|called)|cũng\s(?:là|được\sgọi))\b|n['’]t\b",
    re.IGNORECASE,
)
MARGIN = 0.3
"""Two blocks whose evidence differs by less are not told apart."""
MAX_BLOCKS = 12
LONGEST_SHOWN = 120


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `list` reference: the same items, no more and no fewer."""
    value = spec["value"]
    names = [_text(item) for item in (value if isinstance(value, list) else [value])]
    words = frozenset(folded_words(setting.asked.text))
    expected = Expected(names, setting.locale, ignore_tones=bool(spec.get("ignore_tones")), asked=words)

    def score(output: str) -> Answer:
        page = read_page(output)
        if not names:
            said = NOTHING.search(page.text) is not None
            return Answer("right" if said else "wrong", [] if said else None, "expected no items")
        marker = page.marker
        if marker is not None and marker["soft"] is None and is_declined(page.text[marker.end() :]):
            return Answer("wrong", None, "no items in the answer")
        return _judge(page, best_blocks(page, setting.asked), expected)

    return score


def _text(item: JsonValue) -> str:
    if isinstance(item, bool):
        return str(item).lower()
    return str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)


def _judge(page: Page, blocks: list[Block], expected: Expected) -> Answer:
    """The verdict on the block that answers best; ambiguous where another one that says something else is as good."""
    likely = [block for block in blocks[:MAX_BLOCKS] if block is blocks[0] or block.weight > 0]
    read = ((block, items) for block in likely if (items := _items(page, block, expected)))
    best, items = next(read, (None, []))
    if best is None:
        return expected.judge([page.text.strip()] if len(page.text) < 200 else [])
    answer = expected.judge(items)
    chosen = _passage(page, best, items)
    if answer.verdict == "right" and _adds(page, best):
        return Answer("ambiguous", answer.found, "a later sentence adds to the list", chosen)
    runner_up = None
    for block, others in read:
        if block.start < best.end and best.start < block.end:
            continue
        runner_up = runner_up or _passage(page, block, others)
        if block.weight <= best.weight - MARGIN:
            break
        if expected.judge(others).verdict != answer.verdict:
            return Answer(
                "ambiguous", answer.found, "two lists that may be meant", chosen, _passage(page, block, others)
            )
    if runner_up is None:
        return answer
    return Answer(answer.verdict, answer.found, answer.reason, chosen, runner_up)


def _passage(page: Page, block: Block, items: list[str]) -> Passage:
    found: list[JsonValue] = [*items[:20]]
    evidence = {name: round(weight, 2) for name, weight in block.evidence.items()}
    return Passage(page.text[block.start : block.end].strip()[:LONGEST_SHOWN], found, evidence)


def _items(page: Page, block: Block, expected: Expected) -> list[str]:
    """The items of a block."""
    text = page.text[block.start : block.end]
    if block.kind == "array":
        return array_items(text, expected)
    if block.entries:
        return [expected.recognise(entry) for entry in block.entries]
    bold = [page.text[first:last] for first, last in page.emphasised if block.start <= first and last <= block.end + 1]
    return sentence_items(text.strip(), expected, bold, labelled=block.kind == "labelled")


def _adds(page: Page, best: Block) -> bool:
    """Whether a sentence behind the list adds something to it: `X also fell`, `Ngoài ra còn có X`."""
    rest = ADDS.finditer(page.text, best.end, best.end + 600)
    return any(TAKEN_BACK.search(match.group()) is None for match in rest)


def _check(spec: Spec) -> list[str]:
    value = spec.get("value")
    problems = []
    if not isinstance(value, list) or not all(map(is_text, value)):
        problems.append("a list answer needs a value that is a list of texts or numbers")
    return problems + check_switch(spec, "ignore_tones")


LIST = AnswerType(
    "list",
    _prepare,
    _check,
    {"value": TEXTS_SCHEMA, "ignore_tones": SWITCH_SCHEMA},
    words_key="value",
    called=("list", "set", "danh sách", "liệt kê", "tập hợp"),
)
