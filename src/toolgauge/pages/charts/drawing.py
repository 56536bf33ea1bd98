"""SVG by hand: shapes, texts and colours that every chart is put together from.

Colours are those of a light page, as attributes, so that a chart works as a file of its own; on a page the classes
beside them take their place, light or dark. Every agent has a colour, a shape and a dash, so that black and white
print stays readable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape
from math import floor, log10

from toolgauge.report.display import squeeze, visible

__all__ = [
    "COLOURS",
    "INK",
    "LETTER",
    "LINE",
    "PAPER",
    "QUIET",
    "SHAPES",
    "apart",
    "element",
    "group",
    "letters_of",
    "line",
    "link",
    "mark",
    "name_text",
    "nice_ticks",
    "rect",
    "text",
    "text_width",
    "whisker",
]

PAPER, INK, QUIET, LINE = "#ffffff", "#1b1f24", "#57606a", "#d8dee4"

LETTER = 0.62
"""How wide a letter is, of its size."""

_NARROW, _WIDE = 0.41, 0.98

COLOURS = ("#0072b2", "#b84f00", "#00805d", "#aa4499", "#8a6d00", "#44546a")
"""One for each agent, which the colour-blind can tell apart."""

DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")

SHAPES: tuple[Callable[[float, float, float], str], ...] = (
    lambda x, y, r: f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z",
    lambda x, y, r: f"M{x - r * 0.9:g} {y - r * 0.9:g}h{r * 1.8:g}v{r * 1.8:g}h{-r * 1.8:g}z",
    lambda x, y, r: f"M{x:g} {y - r * 1.15:g}l{r * 1.15:g} {r * 2:g}h{-r * 2.3:g}z",
    lambda x, y, r: (
        f"M{x:g} {y - r * 1.25:g}l{r * 1.25:g} {r * 1.25:g}l{-r * 1.25:g} {r * 1.25:g}l{-r * 1.25:g} {-r * 1.25:g}z"
    ),
    lambda x, y, r: f"M{x:g} {y + r * 1.15:g}l{r * 1.15:g} {-r * 2:g}h{-r * 2.3:g}z",
    lambda x, y, r: (
        f"M{x - r * 0.4:g} {y - r * 1.2:g}h{r * 0.8:g}v{r * 0.8:g}h{r * 0.8:g}v{r * 0.8:g}h{-r * 0.8:g}v{r * 0.8:g}"
        f"h{-r * 0.8:g}v{-r * 0.8:g}h{-r * 0.8:g}v{-r * 0.8:g}h{r * 0.8:g}z"
    ),
)
"""Circle, square, triangle, diamond, triangle upside down, cross: as paths around a point."""


def element(tag: str, content: str = "", **attributes: str | float | None) -> str:
    """An element; `_` in the name of an attribute is `-`, and a trailing one is left out."""
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value) if isinstance(value, str) else f"{value:g}"}"'
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def text(
    x: float, y: float, said: str, *, anchor: str = "start", size: float = 12, kind: str = "ink", turned: float = 0
) -> str:
    """A text, which may come from anywhere."""
    colour = {"ink": INK, "quiet": QUIET}.get(kind, INK)
    turn = f"rotate({turned:g} {x:g} {y:g})" if turned else None
    return element(
        "text",
        escape(visible(said)),
        x=round(x, 1),
        y=round(y, 1),
        text_anchor=None if anchor == "start" else anchor,
        font_size=size,
        fill=colour,
        class_=f"t-{kind}",
        transform=turn,
    )


def name_text(name: str, letters: int) -> str:
    """A name from data, cut in its middle to the room of so many letters: names of two runs differ at their ends."""
    shown = visible(name)
    kept = letters
    while (fitted := squeeze(shown, kept)) and _ems(fitted) > letters * LETTER and kept > 1:
        kept -= 1
    return fitted


def letters_of(names: Iterable[str], fewest: int, most: int) -> int:
    """For how many letters there has to be room, so that names can be told apart."""
    return min(max((fewest, *(len(visible(name)) for name in names))), most)


def text_width(said: str, size: float = 12) -> float:
    """About how wide a text is, in the widest of the usual fonts."""
    return _ems(said) * size


def _ems(said: str) -> float:
    return sum(_NARROW if sign in "fijlrtI.,:;'|!()[] " else _WIDE if sign in "mwMW@%" else LETTER for sign in said)


def line(x1: float, y1: float, x2: float, y2: float, *, kind: str = "grid", dash: str = "", width: float = 1) -> str:
    """A line of the frame."""
    colour = {"grid": LINE, "axis": QUIET}.get(kind, QUIET)
    return element(
        "line",
        x1=round(x1, 1),
        y1=round(y1, 1),
        x2=round(x2, 1),
        y2=round(y2, 1),
        stroke=colour,
        stroke_width=width,
        stroke_dasharray=dash or None,
        class_=f"l-{kind}",
    )


def rect(x: float, y: float, width: float, height: float, *, agent: int | None = None, opacity: float = 1) -> str:
    """A filled rectangle: of an agent, or of the colour of links."""
    colour = "#0b5cad" if agent is None else COLOURS[agent % len(COLOURS)]
    return element(
        "rect",
        x=round(x, 1),
        y=round(y, 1),
        width=round(max(width, 0), 1),
        height=round(max(height, 0), 1),
        fill=colour,
        fill_opacity=None if opacity == 1 else round(opacity, 3),
        class_="f-link" if agent is None else f"a{agent % len(COLOURS) + 1}",
    )


def mark(agent: int, x: float, y: float, radius: float = 5) -> str:
    """The shape of an agent around a point, with a rim of paper that parts it from lines below."""
    number = agent % len(COLOURS)
    path = SHAPES[number](round(x, 1), round(y, 1), radius)
    return element("path", d=path, fill=COLOURS[number], stroke=PAPER, stroke_width=1.5, class_=f"m a{number + 1}")


def whisker(agent: int, x1: float, y1: float, x2: float, y2: float) -> str:
    """The interval of an agent as a line."""
    number = agent % len(COLOURS)
    return element(
        "line",
        x1=round(x1, 1),
        y1=round(y1, 1),
        x2=round(x2, 1),
        y2=round(y2, 1),
        stroke=COLOURS[number],
        stroke_width=2,
        stroke_dasharray=DASHES[number] or None,
        class_=f"w a{number + 1}",
    )


def group(parts: Iterable[str], **attributes: str | float | None) -> str:
    """Several elements as one."""
    return element("g", "".join(parts), **attributes)


def link(filters: str, said: str, parts: Sequence[str]) -> str:
    """A mark that leads to its cases: the page makes an address of the filters; a file of its own has no links.

    Args:
        filters: The filters of the list of cases, as in an address.
        said: What it is, for those who point at it or cannot see it.
        parts: What is drawn.
    """
    shown = visible(said)
    return element("a", f"<title>{escape(shown)}</title>{''.join(parts)}", data_go=filters)


def nice_ticks(high: float, most: int = 5) -> list[float]:
    """Round numbers from 0 to at least a value."""
    if high <= 0:
        return [0.0, 1.0]
    raw = high / most
    power = 10.0 ** floor(log10(raw))
    step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= raw * (1 - 1e-9))
    count = int(high / step + 1 - 1e-9)
    return [index * step for index in range(max(count, 1) + 1)]


def apart(wanted: Sequence[float], lowest: float, gap: float = 15.0) -> list[float]:
    """Places for labels, as close to the wanted ones as they can be without touching each other.

    Args:
        wanted: Where they would be best, downwards.
        lowest: Where the last one may be.
        gap: How far apart they have to be.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    placed = [0.0] * len(wanted)
    last = -gap
    for index in order:
        last = placed[index] = max(wanted[index], last + gap)
    over = max(last - lowest, 0.0)
    return [place - over for place in placed]
