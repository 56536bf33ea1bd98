"""A reader that another package brings: diaries, in which an agent writes down one entry a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from toolgauge.core import JsonValue, Trajectory
from toolgauge.traces.context import Reading
from toolgauge.traces.trajectory_builder import Conversation
from toolgauge.traces.values import dicts, record_of, text

__all__ = ["ClumsyReader", "DiaryReader"]


class DiaryReader:
    """One trajectory a page."""

    title: ClassVar[str] = "diaries"

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @staticmethod
    def recognises(value: JsonValue) -> bool:
        """A page has a title and entries."""
        return isinstance(value, dict) and "dear_diary" in value

    def read(self, value: JsonValue) -> Iterator[Trajectory]:
        """The trajectory of a page."""
        page = record_of(value)
        conversation = Conversation(self._reading)
        for entry in dicts(page.get("entries")):
            conversation.call(entry.get("used"), entry.get("with"))
            conversation.result(entry.get("got"))
        conversation.say(text(page.get("moral")))
        yield conversation.finish(case=text(page.get("dear_diary")) or "")

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
