"""Scores answers that are lists, in any order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from toolgauge.core import Answer, JsonValue, Passage

from .answer_type import SWITCH_SCHEMA, TEXTS_SCHEMA, AnswerType, Scorer, Setting, Spec, check_switch, is_text
from .lists.blocks import WEIGHTS, ListBlock, best_blocks
from .lists.columns import ListEntry
from .lists.enumeration import array_items, sentence_items
from .lists.expected import ExpectedItems
from .page import Page, read_page
from .question import Question, stem
from .reading import REFUSAL, is_declined
from .yes_no.opposites import find_members, folded_words

__all__ = ["LIST"]

NOTHING = re.compile(
    r"\b(?:none|no\s(?:items?|results?|matches|matching)|nothing|empty|không\scó|không\stìm\sthấy|rỗng|trống)\b|\[\s*\]",
    re.IGNORECASE,
)
FURTHER = re.compile(r"\s*(?:ngoài\sra|bên\scạnh\sđó),?\scòn\s", re.IGNORECASE)
ALSO = re.compile(
    r"\s*(?P<name>[^\s,;:][^,;:\n]{0,60}?)(?:\s(?:is|are|was|were|has|have|had|did|does|đã|đều|thì))?\s(?:also|cũng)\s\S"
)
PRONOUN = re.compile(
    r"(?:it|they|he|she|this|that|these|those|there|we|i|you|nó|họ|chúng|đây|đó|ngoài\sra|bạn|tôi|mình|các|những|both|all)\b",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"\b(?:but|nhưng|không|chưa|not|n['’]t|lost|except|though|although|dù|tuy|song|isn['’]t|hasn['’]t|vẫn|will|sẽ|also\s(?:known|called|mention\w*)|cũng\s(?:là|được\s(?:gọi|nhắc))|nhắc|mention\w*|planned|only)\b|n['’]t\b",
    re.IGNORECASE,
)
APART = re.compile(
    r"\b(?:was|were|is|are|has|have|had|did|kept|remained|stayed|vẫn|được|đã|chưa|không|dự\skiến|bị|thì)\b",
    re.IGNORECASE,
)
"""What makes a sentence of its own of the words behind a semicolon."""
CODED = re.compile(r"[\w/-]+(?:\.[A-Za-z]{1,5})+|[A-Za-z]+(?:_[A-Za-z0-9]+)+")
ONLY = re.compile(r"\b(?:chỉ|only|just)\b", re.IGNORECASE)
EXCEPT = re.compile(
    r"\b(?:tất\scả|toàn\sbộ|đều|all|everyone|everybody|each)\b[^.;\n]{0,60}?\b(?:ngoại\strừ|trừ|except(?:\sfor)?|excluding|other\sthan)\b",
    re.IGNORECASE,
)
USUALLY = re.compile(r"\b(?:thông\sthường|thường|usually|typically|generally|often)\b", re.IGNORECASE)
FEW = (("hai", "two", "both"), ("ba", "three"), ("bốn", "four"), ("năm", "five"), ("sáu", "six"), ("bảy", "seven"))
FEW_NUMBERS = {word: number for number, words in enumerate(FEW, 2) for word in words}
COUNTED = re.compile(
    rf"\s*(?:[0-9]+|một|one|{'|'.join(FEW_NUMBERS)})\s[^\W\d_]+(?:\s[^\W\d_]+){{0,3}}\W*", re.IGNORECASE
)
"""What only says how many there are: `5 stocks`."""
MANY_ASKED = re.compile(
    rf"\b(?:which|what|the|top|những|các|kể\stên|name|list|liệt\skê|^)\s?(?P<many>[2-9]|1[0-9]|{'|'.join(FEW_NUMBERS)})\s(?!thứ|năm\b|tháng|ngày|giờ|years?|months?|days?|hours?)[^\W\d_]",
    re.IGNORECASE,
)
MARGIN = 0.3
"""Two blocks whose evidence differs by less are not told apart."""
MAX_BLOCKS = 12
MAX_LATER, LATER = 8, 600
"""How many sentences and characters behind a list may add to it."""
MOST_WORDS = 6
LONGEST_SHOWN = 120


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `list` reference: the same items, no more and no fewer."""
    value = spec["value"]
    names = [_text(item) for item in (value if isinstance(value, list) else [value])]
    words = frozenset(folded_words(setting.asked.text))
    expected = ExpectedItems(names, setting.locale, ignore_tones=bool(spec.get("ignore_tones")), asked=words)

    def score(output: str) -> Answer:
        page = read_page(output)
        if not names:
            said = NOTHING.search(page.text) is not None
            return Answer("right" if said else "wrong", [] if said else None, "expected no items")
        marker = page.marker
        if marker is not None and marker["soft"] is None and is_declined(page.text[marker.end() :]):
            return Answer("wrong", None, "no items in the answer")
        return _judge(page, best_blocks(page, setting.asked), expected, setting.asked)

    return score


def _text(item: JsonValue) -> str:
    if isinstance(item, bool):
        return str(item).lower()
    return str(int(item)) if isinstance(item, float) and item.is_integer() else str(item)


def _judge(page: Page, blocks: list[ListBlock], expected: ExpectedItems, asked: Question) -> Answer:
    """The verdict on the block that answers best; ambiguous where another one that says something else is as good."""
    likely = [block for block in blocks[:MAX_BLOCKS] if block is blocks[0] or block.weight > 0]
    read: Iterator[tuple[ListBlock, list[str]]] = (
        (block, items) for block in likely if (items := _items(page, block, expected))
    )
    many = _many(asked)
    if many:
        read = _by_number(read, many)
    best, items = next(read, (None, []))
    if best is None:
        return expected.judge([page.text.strip()] if len(page.text) < 200 else [])
    if page.around.first(REFUSAL) and USUALLY.search(page.text, best.start, best.end):
        return Answer("wrong", None, "no items in the answer")
    items = _without_exceptions(page, best, items)
    answer = expected.judge(items)
    chosen = _passage(page, best, items)
    added, unsure = _added(page, best, asked)
    if added:
        items += [expected.recognise(ListEntry(name)) for name in added]
        answer = expected.judge(items)
    if answer.verdict == "right" and unsure:
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


def _by_number(read: Iterable[tuple[ListBlock, list[str]]], many: int) -> Iterator[tuple[ListBlock, list[str]]]:
    """The blocks with their items, the best first, where as many items as asked speak for one."""
    counted = list(read)
    for block, items in counted:
        if len(items) == many:
            block.evidence["as many as asked"] = WEIGHTS["as many as asked"]
    yield from sorted(counted, key=lambda one: -one[0].weight)


def _many(asked: Question) -> int:
    """How many items the question asks for: `Hai mã nào`, `Which three banks`; 0 where it does not say."""
    match = MANY_ASKED.search(asked.text)
    if match is None:
        return 0
    said = match["many"].lower()
    return int(said) if said.isdigit() else FEW_NUMBERS[said]


def _without_exceptions(page: Page, best: ListBlock, items: list[str]) -> list[str]:
    """The items without those that a later sentence takes out: `all of them, except X`."""
    match = EXCEPT.search(page.text, best.end, best.end + LATER)
    if match is None:
        return items
    _, end = page.sentences[page.sentence_at(match.start())]
    rest = f" {' '.join(folded_words(page.text[match.end() : end]))} "
    return [item for item in items if f" {' '.join(folded_words(item))} " not in rest]


def _passage(page: Page, block: ListBlock, items: list[str]) -> Passage:
    found: list[JsonValue] = [*items[:20]]
    evidence = {name: round(weight, 2) for name, weight in block.evidence.items()}
    return Passage(page.text[block.start : block.end].strip()[:LONGEST_SHOWN], found, evidence)


def _items(page: Page, block: ListBlock, expected: ExpectedItems) -> list[str]:
    """The items of a block."""
    text = page.text[block.start : block.end]
    if block.kind == "array":
        return array_items(text, expected)
    if block.entries:
        return [item for entry in block.entries for item in expected.recognise_all(entry)]
    bold = [page.text[first:last] for first, last in page.emphasised if block.start <= first and last <= block.end + 1]
    said, _, rest = text.partition(";")
    if rest and (APART.search(rest) or ONLY.search(said)) and not PRONOUN.match(said.strip()):
        text = said if expected.mentions(said) else text
    items = sentence_items(text.strip(), expected, bold, labelled=block.kind == "labelled")
    if len(items) == 1 < len(expected.names) and COUNTED.fullmatch(items[0]) and expected.match(items[0]) is None:
        return []  # `The portfolio has 5 stocks.`
    return [*items, *_codes(items, bold, expected)]


def _codes(items: list[str], bold: list[str], expected: ExpectedItems) -> list[str]:
    """Further names in code of a sentence whose items are all written so: `a.md`, `b.md`, plus … `c.toml`."""
    if len(items) < 2 or not all(item in bold and CODED.fullmatch(item) for item in items):
        return []
    return [span for span in bold if span not in items and CODED.fullmatch(span) and expected.match(span) is None]


def _added(page: Page, best: ListBlock, asked: Question) -> tuple[list[str], bool]:
    """What a sentence behind the list adds to it: `X also fell`; and whether one adds something that is not clear."""
    added: list[str] = []
    unsure = False
    words = set(asked.words)
    rows = {member.row: member.side for member in find_members(folded_words(asked.text))}
    first = page.sentence_at(best.end)
    for start, end in page.sentences[first : first + MAX_LATER]:
        sentence = page.text[start:end]
        if start < best.end or start > best.end + LATER or TAKEN_BACK.search(sentence):
            continue
        match = ALSO.match(sentence)
        if match is None or not _is_name(page, start + match.start("name"), match["name"]):
            unsure = (
                unsure or FURTHER.match(sentence) is not None or (match is not None and sentence.lstrip()[0].isupper())
            )
            continue
        behind = folded_words(sentence[match.end("name") :])
        same = any(rows.get(member.row) == member.side for member in find_members(behind))
        if same or words.intersection(map(stem, behind)):
            added.append(match["name"])
        else:
            unsure = True
    return added, unsure


def _is_name(page: Page, place: int, name: str) -> bool:
    """Whether the words before `also` are a name, and no pronoun."""
    if PRONOUN.match(name) or len(name.split()) > MOST_WORDS:
        return False
    return name[0].isupper() or name[0].isdigit() or page.emphasis_at(place, place + len(name)) is not None


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
