"""Drawing a document in a format: one switch for all of them, those of other packages too.

A document is what a command has to say. It is built of blocks once, and has forms of its own for programs: JSON and
CSV with unrounded figures. A format draws any document; it is an object with a `render` method, in the module that the
table below names, or brought by another package as an entry point of the group `toolgauge.reports`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from toolgauge.catalogue import DEFAULT, Lang, Words, words_of
from toolgauge.errors import PluginError, ToolgaugeError, UsageError, did_you_mean
from toolgauge.plugins import find_plugins, load_plugin

if TYPE_CHECKING:
    from rich.console import Console

    from .blocks import Block

__all__ = [
    "CASE_FORMATS",
    "CHART_FORMATS",
    "FORMATS",
    "Document",
    "Format",
    "RenderOptions",
    "brought_formats",
    "check_tables",
    "find_format",
    "render",
    "show",
]

_MODULES = {
    "text": ".text",
    "md": ".markdown",
    "json": ".json",
    "csv": ".csv",
    "latex": ".latex",
    "html": "toolgauge.pages.format",
    "svg": "toolgauge.pages.svg",
    "junit": ".junit",
    "github": ".github",
}
"""The formats that come with toolgauge, each with the module whose `FORMAT` it is. Pages are in a room above this one,
for they show what `analysis` finds, too; as of a format that another package brings, only the name is known here."""

CASE_FORMATS = ("junit", "github")
"""Those that draw cases with their verdicts: of a run, and of what the gate says of one."""

CHART_FORMATS = ("svg",)
"""Those that draw one chart of a run."""

FORMATS = tuple(name for name in _MODULES if name not in (*CASE_FORMATS, *CHART_FORMATS))
"""Those that every document can be drawn in."""


_DRAWN = ("text", "md", "latex", "html")
"""Those that draw tables, of which one can be picked."""


class Document(Protocol):
    """What is drawn. Everything it holds may come from data; formats make it harmless in their own way."""

    @property
    def name(self) -> str:
        """What kind of document it is, such as `comparison`."""

    def title(self, words: Words) -> str:
        """What it is called, in one line."""

    def blocks(self, words: Words) -> Iterator[Block]:
        """What people read, made as it is drawn."""

    def json(self, words: Words) -> Iterator[str]:
        """All of it as JSON, piece by piece."""

    def rows(self, words: Words) -> Iterator[Sequence[str]]:
        """Its figures as the rows of a CSV table, of which the first has the titles."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a document is wanted, whatever the format."""

    lang: Lang = DEFAULT
    tables: tuple[str, ...] = ()
    """The only tables, or metrics, that are wanted; a document that a format is given has no others."""
    chart: str = ""
    """The chart that is wanted, of a format that draws one."""

    @property
    def words(self) -> Words:
        """The texts of the language."""
        return words_of(self.lang)


class Format(Protocol):
    """A format of reports. One of another package is an object, or a class that makes one."""

    suffix: str
    """How the names of files in it end, such as `md`."""

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw a document, piece by piece.

        Raises:
            UsageError: Such a document cannot be drawn in this format.
        """


def render(
    document: Document,
    format: str | Format = "text",  # noqa: A002 - the name of the option
    *,
    lang: Lang = DEFAULT,
    tables: Sequence[str] = (),
    chart: str = "",
) -> Iterator[str]:
    """Draw a document as pieces of text; single cases are read while they are drawn.

    Args:
        document: What is to be drawn.
        format: A format, or the name of one: of `FORMATS`, `CASE_FORMATS`, `CHART_FORMATS`, or of another package.
        lang: The language.
        tables: Names of tables or metrics; given some, only these are drawn.
        chart: The name of the chart, of a format that draws one.

    Raises:
        UsageError: There is no such format, language or table, or the document has no such form.
    """
    options = RenderOptions(lang, tuple(tables), chart)
    if isinstance(format, str):
        check_tables(format, tables)
    drawer = find_format(format, document.name) if isinstance(format, str) else format
    return drawer.render(_picked(document, options), options)


def check_tables(format: str, tables: Sequence[str]) -> None:  # noqa: A002 - the name of the option
    """Make sure that a format has tables that can be picked.

    Raises:
        UsageError: It holds the whole document, or a run.
    """
    if tables and format not in _DRAWN and format in (*_MODULES, "run"):
        raise UsageError(f"no single table can be drawn as {format!r}; leave out --table, or use {', '.join(_DRAWN)}")


def show(document: Document, console: Console, *, lang: Lang = DEFAULT, tables: Sequence[str] = ()) -> None:
    """Print a document on a terminal, with colours and boxes."""
    from .terminal import draw_terminal

    options = RenderOptions(lang, tuple(tables))
    draw_terminal(_picked(document, options).blocks(options.words), console)


def brought_formats() -> list[str]:
    """The names of the formats that other packages bring."""
    return find_plugins("reports")


def find_format(name: str, document: str = "report") -> Format:
    """The format of a name.

    Args:
        name: Its name.
        document: What is to be drawn, for the message.

    Raises:
        UsageError: There is no such format.
        PluginError: The package that brings it is broken.
    """
    if name in _MODULES:
        built_in: Format = import_module(_MODULES[name], __package__).FORMAT
        return built_in
    if name not in brought_formats():
        hint = did_you_mean(name, [*_MODULES, *brought_formats()])
        raise UsageError(f"a {document} cannot be drawn as {name!r}" + (f"; {hint}" if hint else ""))
    found = load_plugin("reports", name)
    made = found() if isinstance(found, type) else found
    if not callable(getattr(made, "render", None)):
        raise PluginError(f"the report format {name!r} has no method render(document, options)")
    return _Brought(name, made)


class _Brought:
    """A format of another package, whose faults are named as its own."""

    def __init__(self, name: str, brought: Format) -> None:
        self._name = name
        self._brought = brought
        self.suffix = str(getattr(brought, "suffix", "") or name)

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        try:
            yield from self._brought.render(document, options)
        except (ToolgaugeError, OSError):
            raise
        except Exception as error:
            raise PluginError(f"the report format {self._name!r} failed: {type(error).__name__}: {error}") from error


def _picked(document: Document, options: RenderOptions) -> Document:
    return _Picked(document, options) if options.tables else document


class _Picked:
    """A document of which only some tables are drawn, each below its headings."""

    def __init__(self, document: Document, options: RenderOptions) -> None:
        from .blocks import pick

        self.name = document.name
        self.title = document.title
        self.json = document.json
        self.rows = document.rows
        complete = getattr(document, "complete", None)
        whole: Document = complete() if callable(complete) else document
        self._blocks = list(pick(whole.blocks(options.words), options.tables))

    def blocks(self, words: Words) -> Iterator[Block]:  # noqa: ARG002 - they are made already
        return iter(self._blocks)
