"""A reader that another package brings: diaries, in which an agent writes down one entry a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces import ReadContext, TrajectoryBuilder
from toolgauge.traces.values import dicts, record_of, text

__all__ = ["ClumsyReader", "DiaryReader"]


class DiaryReader:
    """One trajectory a page."""

    title: ClassVar[str] = "diaries"

    def __init__(self, context: ReadContext) -> None:
        self._context = context

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A page has a title and entries."""
        return isinstance(value, dict) and "dear_diary" in value

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectory of a page."""
        page = record_of(value)
        builder = TrajectoryBuilder(self._context)
        for entry in dicts(page.get("entries")):
            builder.add_call(entry.get("used"), entry.get("with"))
            builder.add_result(entry.get("got"))
        builder.add_agent_message(text(page.get("moral")))
        yield builder.build(case=text(page.get("dear_diary")) or "")

    def finish(self) -> Iterator[Trajectory]:
        """Nothing waits."""
        return iter(())


class ClumsyReader(DiaryReader):
    """One that fails."""

    title: ClassVar[str] = "clumsy diaries"

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A page that asks for trouble."""
        return isinstance(value, dict) and "dear_trouble" in value

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """Fails on every page."""
        raise KeyError("entries")
