"""What a watch has to say beside its alarms: each thing once, with where it happened first and how often."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["TOO_SLOW", "WRONG_TIME", "WatchNotes", "no_opinion"]

TOO_SLOW = "the judge is too slow: a conversation was not asked about"
WRONG_TIME = "a conversation has a time before 2015 or in the future; the time when it came counts instead"

MAX_NOTES = 100
"""How many different things are said; what comes beyond is only counted."""


class _Note(Struct):
    text: str
    times: int
    said: bool = False


class WatchNotes:
    """Notes of one watch, in the order in which they came up first."""

    def __init__(self) -> None:
        self._notes: dict[tuple[str, str], _Note] = {}

    def add(self, text: str, where: str = "", times: int = 1, *, source: str = "") -> None:
        """Note something.

        Args:
            text: What happened, in words that are the same whenever it happens.
            where: Where it did; the first place is named.
            times: How often.
            source: Of which file or system it is; each has a note of its own.
        """
        known = self._notes.get((source, text))
        if known is not None:
            known.times += times
        elif len(self._notes) < MAX_NOTES:
            self._notes[source, text] = _Note(f"{where}: {text}" if where else text, times)

    def fresh(self) -> list[str]:
        """What came up since this was asked last."""
        found = [note for note in list(self._notes.values()) if not note.said]
        for note in found:
            note.said = True
        return [note.text for note in found]

    def summary(self) -> list[str]:
        """What was not said yet, with how often it happened."""
        unsaid = [note for note in self._notes.values() if not note.said]
        return [note.text if note.times == 1 else f"{note.text} ({note.times} times)" for note in unsaid]


def no_opinion(why: object) -> str:
    """That a judge was asked in vain."""
    return f"the judge gave no opinion: {why}"
