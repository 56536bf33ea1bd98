"""Grids of tools: how much of what was expected each agent got right, and what was called in place of what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from toolgauge.catalogue import Words
from toolgauge.core import Summary, ToolRow
from toolgauge.pages.sets import filters, set_name
from toolgauge.report.figures import agents_of

from .chart import Chart, ChartTable, Drawing
from .drawing import LETTER, letters_of, link, mark, name_text, rect, text

__all__ = ["confusion_chart", "tools_chart"]

MAX_TOOLS = 24
MAX_CONFUSED = 12
_CELL, _ROW = 76.0, 26.0
_SHORT, _LONG, _ROOM = 12, 22, 480.0
"""For how many letters of a tool there is room, and how wide all cells are that are wider than usual for long names."""
_STRONGEST = 0.5
"""How dark the darkest cell is: ink has to stay readable on it."""


def tools_chart(summary: Summary) -> Chart | None:
    """Tools by agents: how many of the expected calls were right; None where no tool was expected."""
    agents = agents_of(summary)
    cells = {(row.tool, row.agent): row for row in summary.tools if row.expected}
    order = Counter({tool: 0 for tool, _ in cells})
    for (tool, _), row in cells.items():
        order[tool] += row.expected
    tools = [tool for tool, _ in order.most_common(MAX_TOOLS)]
    if not tools:
        return None
    return Chart(
        "tools",
        lambda words: words("page.chart.tools"),
        lambda words: words("page.chart.tools.note"),
        lambda words: _draw_tools(tools, agents, cells, words),
        lambda words: _table_tools(tools, agents, cells, words),
    )


_Cells = dict[tuple[str, str], ToolRow]


def _names(tools: Sequence[str]) -> tuple[int, float]:
    """For how many letters of the names of tools there is room, and where the cells beside them begin."""
    letters = letters_of(tools, _SHORT, _LONG)
    return letters, 12 * LETTER * letters + 6


def _draw_tools(tools: Sequence[str], agents: Sequence[str], cells: _Cells, words: Words) -> Drawing:
    parts = []
    wanted = 22 + 11 * LETTER * letters_of(agents, 8, 18)
    cell = max(_CELL, min(wanted, _ROOM / len(agents)))
    letters, left = _names(tools)
    for column, agent in enumerate(agents):
        x = left + column * cell
        shown = name_text(agent, int((cell - 21) / (11 * LETTER)))
        parts += [mark(column, x + 8, 12, 4.5), text(x + 17, 16, shown, size=11)]
    for number, tool in enumerate(tools):
        y = 26 + number * _ROW
        parts.append(text(0, y + 16, name_text(tool, letters)))
        for column, agent in enumerate(agents):
            row = cells.get((tool, agent))
            if row is None:
                continue
            x, share = left + column * cell, row.right / row.expected
            said = words(
                "page.chart.tools.mark",
                agent=agent,
                tool=tool,
                right=row.right,
                expected=row.expected,
                missed=row.missed,
            )
            drawn = [
                rect(x, y, cell - 3, _ROW - 3, opacity=0.04 + _STRONGEST * share),
                text(
                    x + (cell - 3) / 2,
                    y + 16,
                    f"{words.number(row.right)}/{words.number(row.expected)}",
                    anchor="middle",
                ),
            ]
            parts.append(link(filters(("set", set_name("tool", agent, tool, "expected"))), said, drawn))
    return Drawing(left + len(agents) * cell, 30 + len(tools) * _ROW, parts)


def _table_tools(tools: Sequence[str], agents: Sequence[str], cells: _Cells, words: Words) -> ChartTable:
    names = ("expected", "called", "right", "wrong_args", "missed", "superfluous", "failed")
    columns = [words("column.tool"), words("column.agent"), *(words(f"column.{name}") for name in names)]
    rows = [
        [tool, agent, *(words.number(getattr(row, name)) for name in names)]
        for tool in tools
        for agent in agents
        if (row := cells.get((tool, agent))) is not None
    ]
    return ChartTable(columns, rows)


def confusion_chart(summary: Summary) -> Chart | None:
    """What was called where something else was expected, of all agents together; None where nothing was."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in summary.confusion:
        counts[one.expected, one.called] += one.count
    if not counts:
        return None
    by_expected, by_called = Counter[str](), Counter[str]()
    for (expected, called), count in counts.items():
        by_expected[expected] += count
        by_called[called] += count
    lines = [tool for tool, _ in by_expected.most_common(MAX_CONFUSED)]
    columns = [tool for tool, _ in by_called.most_common(MAX_CONFUSED)]
    return Chart(
        "confusion",
        lambda words: words("page.chart.confusion"),
        lambda words: words("page.chart.confusion.note"),
        lambda words: _draw_confusion(lines, columns, counts, words),
        lambda words: ChartTable(
            [words("column.expected_tool"), words("column.called_tool"), words("column.count")],
            [[expected, called, words.number(count)] for (expected, called), count in counts.most_common()],
        ),
    )


def _draw_confusion(
    lines: Sequence[str], columns: Sequence[str], counts: Counter[tuple[str, str]], words: Words
) -> Drawing:
    names = [name_text(tool, 18) for tool in columns]
    letters, left = _names(lines)
    cell, top = 52.0, 34.0 + 4.3 * max(map(len, names))
    most = max(counts.values())
    parts = [
        text(0, top - 8, words("column.expected_tool"), kind="quiet", size=11),
        text(left, 12, words("column.called_tool"), kind="quiet", size=11),
    ]
    for column, name in enumerate(names):
        parts.append(text(left + column * cell + 22, top - 8, name, size=11, turned=-38))
    for number, expected in enumerate(lines):
        y = top + number * _ROW
        parts.append(text(0, y + 16, name_text(expected, letters)))
        for column, called in enumerate(columns):
            count = counts.get((expected, called), 0)
            if not count:
                continue
            x = left + column * cell
            said = words("page.chart.confusion.mark", expected=expected, called=called, count=count)
            drawn = [
                rect(x, y, cell - 3, _ROW - 3, agent=1, opacity=0.06 + _STRONGEST * count / most),
                text(x + (cell - 3) / 2, y + 16, words.number(count), anchor="middle"),
            ]
            parts.append(link(filters(("set", set_name("confused", "", expected, called))), said, drawn))
    return Drawing(left + len(columns) * cell + 76, top + 4 + len(lines) * _ROW, parts)
