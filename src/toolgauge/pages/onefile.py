"""A page in one file: template, style and scripts, and the data as compressed blocks that the browser unpacks.

Nothing is loaded, and a policy forbids the rest: only the style and the script with these hashes are used, and no
request can be made. The first block has the run and the rows of the list; the others the cases, some dozens each, so
that the first row is there before everything is unpacked.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING

from toolgauge.catalogue import Lang, words_of
from toolgauge.report.display import visible
from toolgauge.report.json import encode_json
from toolgauge.report.values import redact
from toolgauge.version import VERSION

from .bundle import hashed, script, style
from .data import PageData, page_words

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["environment", "one_file", "plain_page"]

BLOCK = 400_000
"""About so many characters of cases are in one block, before they are compressed."""

_LEVEL = 6


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
    blocks = (Markup(block) for block in _blocks(data, page))  # noqa: S704 - base64 of our own making
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


def _blocks(data: PageData, page: dict[str, object]) -> Iterator[str]:
    """The run with the rows of the list, then the cases."""
    packed: list[str] = []
    starts: list[int] = []
    gathered: list[str] = []
    size = 0
    for number, one in enumerate(data.pages()):
        written = encode_json({key: value for key, value in one.items() if key != "row"})  # it is among the rows
        if not gathered:
            starts.append(number)
        gathered.append(written)
        size += len(written)
        if size >= BLOCK:
            packed.append(_packed("[" + ",".join(gathered) + "]"))
            gathered, size = [], 0
    if gathered:
        packed.append(_packed("[" + ",".join(gathered) + "]"))
    head = {"words": page_words(), "run": page, "rows": list(data.rows()), "starts": starts}
    yield _packed(encode_json(head))
    yield from packed


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
