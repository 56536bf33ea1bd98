"""The parts of an answer that may list what is asked: bullets, lines, a table's column, a labelled line, a sentence.

Which of them answers the question is decided here, by the question alone; the reference is not known in this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from toolgauge.locale import fold_word

from ..page import Page
from ..question import Question, stem
from ..reading import OFFER, REFUSAL
from ..yes_no.opposites import find_members, folded_words
from .columns import ListEntry, column_entries, fitting_entries, wants_contrary

__all__ = ["WEIGHTS", "ListBlock", "ListEntry", "best_blocks"]

FLAGS = re.IGNORECASE
ARRAY = re.compile(r"\[[^\[\]]{1,20000}\]")
SIGN = "✅❌✔✗☑☒🥇🥈🥉▪►▶→⚠❔🔹🔸•●○◦"
BULLET = re.compile(
    rf"([ \t]*)(?:(?:[-•+–*▪►●○◦]|\(?[0-9]{{1,3}}[.)]|[a-zA-Z][.)])[ \t]+|(?=[{SIGN}🇦-🇿]))"
    r"(?:\[(?P<box>[ xX✓])\]\s*)?(?P<text>\S.*)$"
)
NAMED = re.compile(r"()(?P<box>(?!))?(?P<text>\S.*)$")
LABELLED = re.compile(r"[\s✅❌✔✗☑☒🔹🔸•*-]*([^\s:|.!?][^:|.!?\n]{0,70}?)\s?:\s+(\S.*)$")
SEPARATED = re.compile(r",\s|;\s|\s(?:và|and|&|or|hoặc|cùng)\s|、", FLAGS)
NEGATIVE = re.compile(
    r"\b(?:không|chưa|chẳng|not|no|n['’]t|isn['’]t|aren['’]t|doesn['’]t|don['’]t|didn['’]t|wasn['’]t|excluded?|excluding|except|without|ngừng|dừng|neither|never|withdrew|từ\snhiệm|no\slonger)\b",
    FLAGS,
)
APPENDED = re.compile(r"\S{2}.*(?:[,;(–—-]\s?|\b(?:but|nhưng|chứ)\s)$", FLAGS | re.DOTALL)
"""What stands before a denial that is added to a list: `FPT and VNM, not HPG`."""
OTHERS = re.compile(
    r"^\W*(?:lưu\sý|note|ngoài\sra|còn\s|riêng|trước\sđ|the\s(?:other|rest|remaining)|others?\b|other\s|every\s|all\sother|các\s\w+\skhác|ba\s\w+\scòn|previously|earlier|trong\sđó|tham\skhảo"
    r"|đứng\sthứ|ở\schiều|by\scontrast|meanwhile|on\sthe\sother|tổng|total|nguồn|source|sorry|xin\slỗi|they\salso|nếu|if\s)|\b(?:còn\slại|the\srest)\b",
    FLAGS,
)
CONCLUDES = re.compile(
    r"^\W*(?:so|therefore|thus|hence|in\s(?:short|summary|conclusion|total)|overall|to\ssum|vậy|vì\svậy|do\sđó|như\svậy|tóm\slại|kết\sluận|nên|→|=>|concretely|cụ\sthể)\b"
    r"|\b(?:concretely|tóm\slại|in\sshort)\b",
    FLAGS,
)
CORRECTS = re.compile(
    r"\b(?:correction|actually|đính\schính|thực\sra|sửa\slại|corrected|let\sme\scorrect|the\scorrect|on\ssecond\sthought|nói\slại|danh\ssách\sđúng)\b",
    FLAGS,
)
ASIDE_ASKED = re.compile(r"\((?:[^()]*\b(?:không|trừ|not|except|excluding|ngoại)\b[^()]*)\)", FLAGS)
WEIGHTS = {
    "answer marker": 6.0,
    "list": 2.0,
    "table": 2.0,
    "array": 2.5,
    "lines": 1.6,
    "labelled": 1.5,
    "sentence": 0.3,
    "enumerates": 0.6,
    "emphasised": 0.8,
    "concludes": 2.2,
    "corrects": 3.0,
    "words of the question": 0.5,
    "denies": -2.5,
    "speaks of others": -2.0,
    "contrary of the question": -3.0,
    "label": 1.4,
    "another heading fits better": -1.2,
    "first": 0.6,
    "opens with it": 0.6,
    "picks from a list": 2.0,
    "as many as asked": 1.0,
}
"""What speaks for a block's being the answer; words of the question count each, up to four."""
COMMON = frozenset(
    map(fold_word, ("bị", "được", "đã", "đang", "có", "ra", "vào", "list", "name", "kể", "tên", "gồm", "liệt", "kê"))
)
"""Words that tell no heading from another."""
ALL = re.compile(
    r"\W*(?:all|both|every|each|none|cả\s(?:hai|ba|bốn|năm|[0-9]+)|tất\scả|toàn\sbộ|mọi)\b|[^.;]{1,60}\bđều\b", FLAGS
)
"""What says something of a whole list, and picks nothing from it."""
MAX_SENTENCES = 400
MAX_PICKED, MAX_HEADS = 20, 100


@dataclass
class ListBlock:
    """A part of an answer that may be the list."""

    kind: str
    start: int
    end: int
    heading: str = ""
    entries: list[ListEntry] = field(default_factory=list)
    """The items of a list or a column; empty for a sentence, whose items are found with the reference at hand."""
    evidence: dict[str, float] = field(default_factory=dict)
    heads: list[str] = field(default_factory=list)
    """The items of a list or a column with those that do not fit the question."""

    @property
    def weight(self) -> float:
        """All evidence together."""
        return sum(self.evidence.values())


class _Reader:
    """Finds the blocks of an answer."""

    def __init__(self, page: Page, asked: Question) -> None:
        self.page = page
        self.asked = asked
        words = folded_words(ASIDE_ASKED.sub(" ", asked.text))
        known = (frozenset(asked.words) | asked.entities) - COMMON
        self.stems = frozenset(stem(word) for word in words) & known
        self.rows = {member.row: member.side for member in reversed(find_members(words))}
        self.negated = wants_contrary(asked)

    def blocks(self) -> list[ListBlock]:
        """All blocks, in order."""
        taken: list[tuple[int, int]] = []
        found = [*self._arrays(), *self._tables(), *self._lists(taken)]
        inside = sorted([*taken, *((block.start, block.end) for block in found)])
        found += self._sentences(inside)
        found.sort(key=lambda block: (block.start, -block.end))
        self._weigh(found)
        self._compare_headings(found)
        return found

    def _arrays(self) -> Iterator[ListBlock]:
        for match in ARRAY.finditer(self.page.text):
            inner = match.group()[1:-1]
            if '"' in inner or "'" in inner or re.search(r",\s?\S", inner):
                yield ListBlock("array", match.start(), match.end())

    def _tables(self) -> Iterator[ListBlock]:
        tables: dict[int, list[int]] = {}
        for index, cell in enumerate(self.page.cells):
            tables.setdefault(cell.table, []).append(index)
        for indexes in tables.values():
            cells = [self.page.cells[index] for index in indexes]
            entries, heads = column_entries(self.page, cells, self.asked)
            if entries:
                line = self.page.line_at(cells[0].start)
                block = ListBlock(
                    "table", cells[0].start, cells[-1].end, self.page.headings[line], entries, heads=heads
                )
                if len(entries) < len(heads):
                    block.evidence["rows that fit the question"] = 0.6
                yield block

    def _lists(self, taken: list[tuple[int, int]]) -> Iterator[ListBlock]:
        """Bullets, and rows of short lines; labelled lines are blocks of their own."""
        page = self.page
        run: list[tuple[int, int, re.Match[str]]] = []
        plain: list[tuple[int, int]] = []
        for start, end in (*page.lines, (len(page.text), len(page.text))):
            line = page.text[start:end]
            if not line.strip() and end < len(page.text):
                if plain:
                    yield from self._plain(plain, taken)
                    plain = []
                continue
            bullet = BULLET.match(line) if "|" not in line else None
            if bullet is None and self._is_named(start, line):
                bullet = NAMED.match(line)
            if bullet:
                yield from self._plain(plain, taken)
                plain = []
                run.append((start, end, bullet))
                continue
            if run and line[:1].isspace() and line.strip():
                continue
            yield from self._bullets(run, taken)
            run = []
            if line.strip() and "|" not in line and not line.rstrip().endswith(":") and len(line) <= 120:
                plain.append((start, end))
            else:
                yield from self._plain(plain, taken)
                plain = []
        yield from self._plain(plain, taken)

    def _is_named(self, start: int, line: str) -> bool:
        """Whether a line begins with an emphasised name and goes on with a dash: an item without a bullet."""
        span = next((span for span in self.page.emphasised if span[0] == start), None)
        return span is not None and re.match(r"\s?(?:[–—-]\s|\()", line[span[1] - start :]) is not None

    def _bullets(
        self, run: Sequence[tuple[int, int, re.Match[str]]], taken: list[tuple[int, int]]
    ) -> Iterator[ListBlock]:
        if not run:
            return
        indent = len(run[0][2][1])
        if len(run) == 1 and re.match(r"\s*[a-zA-Z][.)]", self.page.text[run[0][0] : run[0][1]]):
            return
        tops = [one for one in run if len(one[2][1]) <= indent + 1]
        taken.append((run[0][0], run[-1][1]))
        heading = self.page.headings[self.page.line_at(run[0][0])]
        labels = [LABELLED.match(match["text"]) for _, _, match in tops]
        if len(tops) > 1 and any(label and SEPARATED.search(label[2]) and self._answers(label[1]) for label in labels):
            for _, end, match in tops:
                yield from self._labelled(end, match["text"])
            return
        if len(tops) > 1 and len(run) > len(tops) and all(one[2]["text"].rstrip().endswith(":") for one in tops):
            yield from self._groups(run, indent)
            return
        entries = [self._entry(start + match.start("text"), end, match["box"]) for start, end, match in tops]
        fitting = fitting_entries(entries, self.asked)
        heads = [entry.head() for entry in entries]
        block = ListBlock("list", run[0][0], run[-1][1], heading, fitting, heads=heads)
        if len(fitting) < len(entries):
            block.evidence["rows that fit the question"] = 0.6
        yield block

    def _groups(self, run: Sequence[tuple[int, int, re.Match[str]]], indent: int) -> Iterator[ListBlock]:
        """Bullets below bullets that are headings."""
        group: list[tuple[int, int, re.Match[str]]] = []
        title = ""
        for one in (*run, None):
            if one is None or len(one[2][1]) <= indent + 1:
                if group:
                    entries = [
                        self._entry(start + match.start("text"), end, match["box"]) for start, end, match in group
                    ]
                    yield ListBlock("list", group[0][0], group[-1][1], title, entries)
                group, title = [], one[2]["text"] if one else ""
            else:
                group.append(one)

    def _plain(self, lines: Sequence[tuple[int, int]], taken: list[tuple[int, int]]) -> Iterator[ListBlock]:
        """Lines without bullets: `Squat: 120 kg`, a bold name and a remark, `Label: A, B`."""
        page = self.page
        labels = [LABELLED.match(page.text[start:end]) for start, end in lines]
        answering = any(label and self._answers(label[1]) for label in labels)
        for (start, end), label in zip(lines, labels, strict=True):
            if label and (answering or SEPARATED.search(label[2])):
                for block in self._labelled(end, page.text[start:end]):
                    taken.append((start, block.end))
                    yield block
        texts = [page.text[start:end].strip() for start, end in lines]
        short = [
            text
            for text in texts
            if len(text) <= 70 and text[-1] not in ".!?:" and not SEPARATED.search(text.partition("(")[0])
        ]
        if len(lines) < 2 or len(short) < len(lines):
            return
        heading = page.headings[page.line_at(lines[0][0])]
        before_it = page.text[: lines[0][0]].rstrip()
        if not heading and before_it:
            heading = before_it.rpartition("\n")[2]
        taken.append((lines[0][0], lines[-1][1]))
        entries = [self._entry(start, end, None) for start, end in lines]
        yield ListBlock("lines", lines[0][0], lines[-1][1], heading, entries)

    def _labelled(self, end: int, text: str) -> Iterator[ListBlock]:
        """What stands behind the label of a line, as far as its sentence goes."""
        match = LABELLED.match(text)
        if match is None or len(match[1].split()) > 14:
            return
        place = end - len(text) + match.start(2)
        _, stop = self.page.sentences[self.page.sentence_at(place)]
        yield ListBlock("labelled", place, min(end, max(stop, place + 1)), match[1])

    def _answers(self, label: str) -> bool:
        """Whether a label has words of the question, or the contrary."""
        rows = {member.row for member in find_members(folded_words(label))}
        return bool(self._shares(label)) or not rows.isdisjoint(self.rows)

    def _entry(self, start: int, end: int, box: str | None) -> ListEntry:
        text = self.page.text[start:end]
        bold = tuple(
            self.page.text[first:last] for first, last in self.page.emphasised if start <= first and last <= end + 1
        )
        return ListEntry(text, bold[:4], None if box is None else box.strip() != "")

    def _shares(self, text: str) -> int:
        return len({stem(word) for word in folded_words(text)} & self.stems)

    def _sentences(self, inside: Sequence[tuple[int, int]]) -> Iterator[ListBlock]:
        page = self.page
        spans = page.sentences
        if len(spans) > MAX_SENTENCES:
            spans = spans[: MAX_SENTENCES // 2] + spans[-MAX_SENTENCES // 2 :]
        index = 0
        for start, end in spans:
            while index < len(inside) and inside[index][1] <= start:
                index += 1
            text = page.text[start:end]
            if any(low <= start and end <= high + 2 for low, high in inside[index : index + 3]):
                continue
            if text.rstrip().endswith(("?", ":")) or "|" in text or OFFER.search(text) or REFUSAL.search(text):
                continue
            yield ListBlock("sentence", start, end, page.headings[page.line_at(start)] if len(text) < 200 else "")

    def _weigh(self, blocks: list[ListBlock]) -> None:
        marker = self.page.marker
        marked = next((block for block in blocks if marker is not None and block.end > marker.end()), None)
        for order, block in enumerate(blocks):
            evidence = block.evidence
            evidence[block.kind] = WEIGHTS[block.kind]
            text = self.page.text[block.start : block.end]
            said = block.heading if block.kind in ("list", "table", "lines", "labelled") else text[:400]
            shared = self._shares(said)
            if block.kind == "sentence" and block.heading:
                shared = max(shared, self._shares(block.heading))
            if shared:
                evidence["words of the question"] = WEIGHTS["words of the question"] * min(shared, 4)
            if block is marked:
                evidence["answer marker"] = WEIGHTS["answer marker"]
            if order == 0:
                evidence["first"] = WEIGHTS["first"]
            if self._is_contrary(said):
                evidence["contrary of the question"] = WEIGHTS["contrary of the question"]
            if OTHERS.search(said[:60]):
                evidence["speaks of others"] = WEIGHTS["speaks of others"]
            if CORRECTS.search(said[:80]):
                evidence["corrects"] = WEIGHTS["corrects"]
            if block.kind == "labelled":
                self._weigh_label(block, text, shared)
            if block.kind == "sentence":
                self._weigh_sentence(block, text)
                if order == 0 and _opens_with_it(text, evidence):
                    evidence["opens with it"] = WEIGHTS["opens with it"]
            elif NEGATIVE.search(said) and not self.negated:
                evidence["denies"] = WEIGHTS["denies"]

    def _compare_headings(self, blocks: Sequence[ListBlock]) -> None:
        """Of several headings or labels the one with most words of the question counts."""
        titled = [
            (self._shares(block.heading), block) for block in blocks if block.kind != "sentence" and block.heading
        ]
        most = max((shared for shared, _ in titled), default=0)
        for shared, block in titled:
            if shared < most:
                block.evidence["another heading fits better"] = WEIGHTS["another heading fits better"]

    def _weigh_label(self, block: ListBlock, text: str, shared: int) -> None:
        if SEPARATED.search(text):
            block.evidence["enumerates"] = WEIGHTS["enumerates"]
        if shared:
            block.evidence["label"] = WEIGHTS["label"]
        if CONCLUDES.search(block.heading):
            block.evidence["concludes"] = WEIGHTS["concludes"]

    def _weigh_sentence(self, block: ListBlock, text: str) -> None:
        evidence = block.evidence
        if SEPARATED.search(text):
            evidence["enumerates"] = WEIGHTS["enumerates"]
        if any(
            block.start <= first < block.end and not self.page.text[first:last].strip()[:1].isdigit()
            for first, last in self.page.emphasised
        ):
            evidence["emphasised"] = WEIGHTS["emphasised"]
        if CONCLUDES.search(text[:80]):
            evidence["concludes"] = WEIGHTS["concludes"]
        negative = NEGATIVE.search(text)
        if negative and not self.negated and not APPENDED.search(text[: negative.start()]):
            evidence["denies"] = WEIGHTS["denies"]

    def _is_contrary(self, text: str) -> bool:
        """Whether words say the contrary of the question's, and none the same."""
        sides = [
            (member.side == self.rows[member.row])
            for member in find_members(folded_words(text[:200]))
            if member.row in self.rows
        ]
        return bool(sides) and not any(sides) and not self.negated


def _opens_with_it(text: str, evidence: dict[str, float]) -> bool:
    """Whether an answer begins with a sentence that lists, and not with a title or with what leads up to a list."""
    if "enumerates" not in evidence or "denies" in evidence or not text.rstrip().endswith((".", "!", ")")):
        return False
    return ":" not in text or "emphasised" in evidence


def _pick(blocks: list[ListBlock], page: Page) -> None:
    """A later sentence that names some of a list's items, and no others, picks from it."""
    lists = [block for block in blocks if block.kind in ("table", "list") and len(block.heads) > 1][:MAX_PICKED]
    picking = [
        block
        for block in blocks
        if block.kind in ("sentence", "labelled")
        and {"concludes", "words of the question"} & block.evidence.keys()
        and not {"denies", "speaks of others", "contrary of the question"} & block.evidence.keys()
    ]
    for block in picking[-MAX_PICKED:] if lists else ():
        if ALL.match(page.text, block.start, block.end):
            continue
        text = f" {' '.join(folded_words(page.text[block.start : block.end]))} "
        for other in lists:
            if other.start > block.start:
                continue
            heads = [" ".join(folded_words(head)) for head in other.heads[:MAX_HEADS]]
            named = sum(f" {head} " in text for head in heads if head)
            narrowed = len(other.entries) < len(other.heads)
            if (1 < named < len(heads)) or (narrowed and named):
                block.evidence["picks from a list"] = WEIGHTS["picks from a list"]
                block.evidence.pop("another heading fits better", None)


def best_blocks(page: Page, asked: Question) -> list[ListBlock]:
    """The blocks of an answer, the one that answers the question best first."""
    blocks = _Reader(page, asked).blocks()
    _pick(blocks, page)
    return sorted(blocks, key=lambda block: -block.weight)
