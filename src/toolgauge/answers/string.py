"""Scores answers that are names or other short strings."""

from __future__ import annotations

from toolgauge.core import Answer

from .answer_type import (
    SWITCH_SCHEMA,
    TEXTS_SCHEMA,
    WORDS_SCHEMA,
    AnswerType,
    Scorer,
    Setting,
    Spec,
    check_switch,
    is_text,
)
from .names.folded import FoldedWords, Needle, fold_words
from .names.reference import Folded, Reference
from .names.verdict import NameVerdict
from .page import Page, read_page
from .reading import MAX_CHARACTERS, clean
from .surroundings import Surroundings

__all__ = ["STRING", "FoldedWords", "Needle", "fold_words"]

LONGEST_SHOWN = 80
OVERLAP = 500
"""How many characters two pieces of a long answer share on either side, so that no name and its words are cut."""
EXCERPT = 6000
"""How much is read of either end of a long answer that names the reference only in its middle."""


def _prepare(spec: Spec, setting: Setting) -> Scorer:
    """A function that scores answers against a `string` reference."""
    aliases = spec.get("aliases") or []
    names = [str(spec["value"]), *(str(alias) for alias in (aliases if isinstance(aliases, list) else [aliases]))]
    plain = setting.locale == "en" and all(map(str.isascii, names))
    reference = Reference(names, setting.locale, setting.asked, ignore_tones=plain or bool(spec.get("ignore_tones")))

    def score(output: str) -> Answer:
        folded: Folded = {}
        page = _page(output, reference, folded)
        if page is None:
            return _missing(clean(output), reference)
        return _judge(page, reference, folded)

    return score


def _page(output: str, reference: Reference, folded: Folded) -> Page | None:
    """What is read of an answer; None where the reference is nowhere in it."""
    page = read_page(output)
    if reference.place_in(page.text, folded) is not None:
        return page
    if len(output) <= MAX_CHARACTERS:
        return None
    text = clean(output)
    for begin in range(0, len(text), MAX_CHARACTERS):
        first = max(0, begin - OVERLAP)
        place = reference.place_in(text[first : begin + MAX_CHARACTERS + OVERLAP], {})
        if place is not None:
            folded.clear()
            near = text[max(0, first + place - OVERLAP) : first + place + 2 * OVERLAP]
            return read_page(f"{text[:EXCERPT]}\n\n{near}\n\n{text[-EXCERPT:]}")
    return None


def _judge(page: Page, reference: Reference, folded: Folded) -> Answer:
    """The verdict on what stands behind the last marker, or else on the whole answer."""
    marker = page.marker
    if marker is None:
        return NameVerdict(page, reference, folded).decide() or _missing(page.text, reference)
    start, end = _first_sentence(page.text, marker.end())
    said = NameVerdict(_part(page, start, end), reference)
    found = said.decide()
    if found is not None:
        return found
    if marker["soft"] is not None:
        return NameVerdict(page, reference, folded).decide() or _missing(said.page.text, reference)
    if said.page.text.rstrip().endswith(":") and not said.others:
        rest = _part(page, end, len(page.text))
        return NameVerdict(rest, reference).decide() or _missing(rest.text, reference)
    return _missing(said.page.text, reference)


def _missing(text: str, reference: Reference) -> Answer:
    shown = text.strip() if len(text.strip()) <= LONGEST_SHOWN else None
    return Answer("wrong", shown or None, f"{reference.name!r} is not in the answer")


def _first_sentence(text: str, begin: int) -> tuple[int, int]:
    """Where what stands behind a marker begins, and where its sentence ends."""
    rest = text[begin : begin + 2000]
    start = begin + len(rest) - len(rest.lstrip(" \t\n:*>-"))
    return start, start + len(Surroundings(text[start : start + 2000]).sentence_behind(0))


def _part(page: Page, start: int, end: int) -> Page:
    spans = [(max(first, start) - start, min(last, end) - start) for first, last in page.emphasised]
    return Page(page.text[start:end], [(first, last) for first, last in spans if first < last])


def _check(spec: Spec) -> list[str]:
    problems = [] if is_text(spec.get("value")) else ["a string answer needs a value that is a text"]
    aliases = spec.get("aliases", [])
    if not isinstance(aliases, list) or not all(map(is_text, aliases)):
        problems.append("aliases is a list of texts")
    return problems + check_switch(spec, "ignore_tones")


STRING = AnswerType(
    "string",
    _prepare,
    _check,
    {"value": WORDS_SCHEMA, "aliases": TEXTS_SCHEMA, "ignore_tones": SWITCH_SCHEMA},
    called=("string", "name", "entity", "chuỗi", "chuỗi ký tự", "xâu", "tên", "tên riêng", "thực thể"),
)
