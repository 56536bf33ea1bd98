"""A page in one file: template, style and scripts, and the data as compressed blocks that the browser unpacks.

Nothing is loaded, and a policy forbids the rest: only the style and the script with these hashes are used, and no
request can be made. Cases are in blocks of some dozens, which are unpacked as they are needed; behind them are the
words that cases are found by, and last the run with the rows of the list, which is all that the first row waits for.
"""

from __future__ import annotations

import dataclasses
import gzip
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from toolgauge.catalogue import LANGUAGES, Lang, words_of
from toolgauge.core import Case, Headline, Run
from toolgauge.report.display import visible
from toolgauge.report.json import encode_json
from toolgauge.report.values import redact
from toolgauge.version import VERSION

from .bundle import hashed, script, style
from .data import PageData, page_words, suite_json
from .finding import WordIndex, searched_texts

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["environment", "one_case", "one_file", "plain_page"]

BLOCK = 1_200_000
"""About so many characters of cases are in one block, before they are compressed."""

_LEVEL = 9

_IN_ROW = frozenset(("id", "agent", "trial", "state", "passed", "score", "outcome"))
"""What the page of a trajectory has from its row in the list."""

_IN_RAW = frozenset(("case", "agent", "trial"))
"""What the record of a trajectory has from there."""


@cache
def environment() -> Environment:
    """The templates; what is put into them is text, unless it is marked as ours."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def one_file(data: PageData, lang: Lang, more: dict[str, object] | None = None) -> Iterator[str]:
    """The pages of a run in one file, piece by piece.

    Args:
        data: What they show.
        lang: The language they open in.
        more: What the page of the run has besides, such as what differs between two runs.
    """
    from markupsafe import Markup

    words = words_of(lang)
    page = data.page() | (more or {})
    sentences = page["sentences"]
    shown = sentences[lang] if isinstance(sentences, dict) else []
    code, look = script(), style()
    title = page["title"]
    blocks = ((part, start, Markup(text)) for part, start, text in _blocks(data, page))  # noqa: S704 - base64
    return (
        environment()
        .get_template("onefile.html")
        .generate(
            lang=lang,
            words=words,
            title=visible(title[lang] if isinstance(title, dict) else str(title)),
            sentences=[visible(sentence) for sentence in shown],
            style=Markup(look),  # noqa: S704 - ours
            script=Markup(code),  # noqa: S704 - ours
            style_hash=Markup(hashed(look)),  # noqa: S704 - base64
            script_hash=Markup(hashed(code)),  # noqa: S704 - base64
            blocks=blocks,
            version=VERSION,
        )
    )


def one_case(run: Run, case: Case, lang: Lang) -> Iterator[str]:
    """The page of one case in a file.

    Args:
        run: The run that it is of.
        case: The case.
        lang: The language it opens in.
    """
    header = replace(run.header, suite=replace(run.header.suite, cases=(case,)))
    items = [item for item in run.scored if item.score.case == case.id]
    data = PageData.of(dataclasses.replace(run, header=header, scored=items, headline=Headline()))
    title = case.id if run.header.about.get("name") is None else f"{case.id} · {run.header.about['name']}"
    # The figures of a run are those of all its cases, which are not here: they would lead nowhere.
    none: dict[str, object] = {
        "suite": suite_json(run),
        "rows": [],
        "tools": [],
        "confusion": [],
        "patterns": [],
        "sets": {},
    }
    empty: dict[str, dict[str, object]] = {other: {} for other in LANGUAGES}
    said = {other: [case.input] for other in LANGUAGES}
    return one_file(data, lang, {**none, "charts": empty, "sentences": said, "title": title, "only": case.id})


def _blocks(data: PageData, page: dict[str, object]) -> Iterator[tuple[str, int, str]]:
    """The blocks: what each is, the number of its first case, and its letters."""
    words = WordIndex()
    rows: list[Raw] = []
    gathered = _CaseBlock()
    for number, one in enumerate(data.pages()):
        row = cast(dict[str, object], one["row"])
        rows.append(Raw(encode_json(row).encode("utf-8", "replace")))
        words.add(number, searched_texts(row, one))
        gathered.add(one)
        if gathered.size >= BLOCK:
            yield "cases", gathered.start, gathered.packed()
            gathered = _CaseBlock(number + 1)
    if gathered.size:
        yield "cases", gathered.start, gathered.packed()
    yield "vocabulary", 0, _packed(words.vocabulary())
    yield "postings", 0, b64encode(gzip.compress(words.postings(), _LEVEL, mtime=0)).decode()
    sets = cast(dict[str, list[int]], page["sets"])
    head = {"words": page_words(), "run": page | {"sets": {}}, "long": words.long}
    lists = {"sets": {name: _gaps(numbers) for name, numbers in sets.items()}, "rows": rows}
    yield "run", 0, _packed(encode_json(head)[:-1] + "," + msgspec.json.encode(lists).decode("utf-8", "replace")[1:])


def _gaps(numbers: Iterable[int]) -> list[int]:
    """How far each number is from the one before, which is compressed better than the numbers."""
    found = list(numbers)
    return [number - before for before, number in pairwise([0, *found])]


class _CaseBlock:
    """Cases that are compressed together: all that was judged, then all records, so that like stands beside like."""

    def __init__(self, start: int = 0) -> None:
        self.start = start
        self.size = 0
        self._pages: list[str] = []
        self._raw: list[str] = []

    def add(self, page: dict[str, object]) -> None:
        """Add a case; what its row has is left out."""
        trajectories = cast(list[dict[str, object]], page["trajectories"])
        raw = [cast(dict[str, object], one["raw"]) for one in trajectories]
        judged = [{key: value for key, value in one.items() if key not in _IN_ROW | {"raw"}} for one in trajectories]
        self._pages.append(encode_json({"expect": page["expect"], "trajectories": judged}))
        self._raw.append(encode_json([{key: one[key] for key in one if key not in _IN_RAW} for one in raw]))
        self.size += len(self._pages[-1]) + len(self._raw[-1])

    def packed(self) -> str:
        """The block."""
        return _packed(f'{{"pages":[{",".join(self._pages)}],"raw":[{",".join(self._raw)}]}}')


def _packed(text: str) -> str:
    """Compressed, in letters that mean nothing in HTML; credentials of this machine are taken out."""
    return b64encode(gzip.compress(redact(text).encode("utf-8", "replace"), _LEVEL, mtime=0)).decode()


def plain_page(title: str, blocks: Iterable[str], lang: Lang) -> Iterator[str]:
    """A page without scripts.

    Args:
        title: What it is called.
        blocks: Its parts as HTML, escaped already.
        lang: The language it is in.
    """
    from markupsafe import Markup

    look = style()
    return (
        environment()
        .get_template("plain.html")
        .generate(
            lang=lang,
            words=words_of(lang),
            title=visible(title),
            style=Markup(look),  # noqa: S704 - ours
            style_hash=Markup(hashed(look)),  # noqa: S704 - base64
            blocks=(Markup(block) for block in blocks),  # noqa: S704 - escaped by who makes them
            version=VERSION,
        )
    )
