"""What a person should know about an import: how much was read, and what was left out on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolgauge.core import Call, Trajectory
from toolgauge.errors import did_you_mean

__all__ = ["ImportReport"]

MAX_NAMES = 5
"""How many unmatched trajectories are named."""

ALL_LOOKED_AT = 1_000
"""The first lines that are all checked for unknown keys; of those after them only some are."""

SNIPPET = 60
"""How many characters of a text are shown."""

MAX_KINDS = 100
"""How many different notes are kept; a file with a new key in every line must not fill the memory."""

TRAJECTORY_KEYS = Trajectory.__struct_fields__
CALL_KEYS = Call.__struct_fields__


@dataclass(slots=True)
class ImportReport:
    """Fills while traces are read and joined; several files may share one."""

    read: int = 0
    """Trajectories read."""
    unmatched: int = 0
    """Trajectories that belong to no case of the suite."""
    unmatched_names: list[str] = field(default_factory=list)
    """The cases, or inputs, that the first of these name."""
    renumbered: int = 0
    """Trajectories whose trial was taken by an earlier one."""
    unknown_keys: dict[tuple[str, str], int] = field(default_factory=dict)
    """Keys that were ignored: what held them, the key, and in how many trajectories."""
    notes: dict[str, int] = field(default_factory=dict)
    """Anything else, and how often."""
    remarks: list[str] = field(default_factory=list)
    """What is to be said of a file as a whole, or of the suite."""
    formats: dict[str, list[int]] = field(default_factory=dict)
    """Of formats other than our own how many trajectories and calls were read, by what a person calls the format."""
    lost: dict[str, int] = field(default_factory=dict)
    """What could not be used of foreign records, and how often."""
    lost_at: dict[str, str] = field(default_factory=dict)
    """Where each of these happened first."""
    written: dict[str, int] = field(default_factory=dict)
    """How many calls were read that are written as text, by the style in which they are written."""
    doubts: dict[tuple[str, bool], int] = field(default_factory=dict)
    """Texts that look like calls and were not read as such: the style, whether asking for it would read them, and how
    many there are."""
    doubts_at: dict[tuple[str, bool], tuple[str, str]] = field(default_factory=dict)
    """Where the first of each stands, and how it begins."""

    def remark(self, text: str) -> None:
        """Add a note about a whole file, or about the suite."""
        if text not in self.remarks and len(self.remarks) < MAX_KINDS:
            self.remarks.append(text)

    def note(self, text: str, times: int = 1) -> None:
        """Count something worth a note."""
        if text in self.notes or len(self.notes) < MAX_KINDS:
            self.notes[text] = self.notes.get(text, 0) + times

    def note_loss(self, what: str, where: str, times: int = 1) -> None:
        """Count something of a foreign record that could not be used."""
        if what in self.lost or len(self.lost) < MAX_KINDS:
            self.lost[what] = self.lost.get(what, 0) + times
            self.lost_at.setdefault(what, where)

    def count_written(self, style: str, calls: int) -> None:
        """Count calls that were read from a text."""
        self.written[style] = self.written.get(style, 0) + calls

    def note_doubt(self, style: str, words: str, where: str, *, readable: bool, times: int = 1) -> None:
        """Count a text that looks like a call and was not read as one.

        Args:
            style: The style in which it seems to be written.
            words: The text.
            where: The file and the place in it.
            readable: Whether asking for the style would read it.
            times: How often it was seen.
        """
        key = (style, readable)
        self.doubts[key] = self.doubts.get(key, 0) + times
        self.doubts_at.setdefault(key, (where, words if len(words) <= SNIPPET else f"{words[:SNIPPET]}..."))

    def count_format(self, title: str, calls: int, trajectories: int = 1) -> None:
        """Count a trajectory, or several, that was read from another format than our own."""
        known = self.formats.get(title)
        if known is None:
            known = self.formats[title] = [0, 0]
        known[0] += trajectories
        known[1] += calls

    def note_unknown_key(self, holder: str, key: str, times: int = 1) -> None:
        """Count a key that is ignored, of a trajectory or of a call."""
        known = (holder, key)
        if known in self.unknown_keys or len(self.unknown_keys) < MAX_KINDS:
            self.unknown_keys[known] = self.unknown_keys.get(known, 0) + times

    def note_unmatched(self, name: str) -> None:
        """Count a trajectory that belongs to no case."""
        self.unmatched += 1
        if len(self.unmatched_names) < MAX_NAMES and name not in self.unmatched_names:
            self.unmatched_names.append(name)

    def merge(self, other: ImportReport) -> None:
        """Add what another report has recorded of later lines."""
        self.read += other.read
        self.unmatched += other.unmatched
        new = [name for name in other.unmatched_names if name not in self.unmatched_names]
        self.unmatched_names += new[: MAX_NAMES - len(self.unmatched_names)]
        self.renumbered += other.renumbered
        for key, count in other.unknown_keys.items():
            self.note_unknown_key(*key, count)
        for text, count in other.notes.items():
            self.note(text, count)
        for text in other.remarks:
            self.remark(text)
        for title, (trajectories, calls) in other.formats.items():
            known = self.formats.setdefault(title, [0, 0])
            known[0] += trajectories
            known[1] += calls
        for what, count in other.lost.items():
            self.note_loss(what, other.lost_at[what], count)
        for style, calls in other.written.items():
            self.count_written(style, calls)
        for (style, readable), count in other.doubts.items():
            where, words = other.doubts_at[style, readable]
            self.note_doubt(style, words, where, readable=readable, times=count)

    def lines(self) -> list[str]:
        """The report in plain English, a line for each thing; nothing where all went well."""
        lines = [*self.remarks]
        looked_at = " of those looked at" if self.read > ALL_LOOKED_AT else ""
        lines += [_unknown_key(holder, key, count) + looked_at for (holder, key), count in self.unknown_keys.items()]
        lines += [_read_as(title, *counts) for title, counts in self.formats.items()]
        lines += [_written(style, calls) for style, calls in self.written.items()]
        lines += [
            _doubt(style, readable, count, *self.doubts_at[style, readable])
            for (style, readable), count in self.doubts.items()
        ]
        lines += [f"{what} ({_first(count, self.lost_at[what])})" for what, count in self.lost.items()]
        lines += [f"{text} ({_times(count)})" for text, count in self.notes.items()]
        if self.renumbered:
            repeat = (
                "trajectory repeats an earlier trial" if self.renumbered == 1 else "trajectories repeat earlier trials"
            )
            lines.append(f"{self.renumbered} {repeat}, and got the next free number")
        if self.unmatched:
            belong = "trajectory belongs" if self.unmatched == 1 else "trajectories belong"
            names = ", ".join(repr(name) for name in self.unmatched_names)
            more = ", ..." if self.unmatched > len(self.unmatched_names) else ""
            lines.append(f"{self.unmatched} {belong} to no case of the suite: {names}{more}")
        return lines


def _unknown_key(holder: str, key: str, count: int) -> str:
    hint = did_you_mean(key, CALL_KEYS if holder == "call" else TRAJECTORY_KEYS)
    hint = f" ({hint})" if hint.startswith("did you mean") else ""
    where = "1 line" if count == 1 else f"{count} lines"
    return f"{key}: not a key of a {holder}{hint}, ignored in {where}"


def _read_as(title: str, trajectories: int, calls: int) -> str:
    what = "1 trajectory" if trajectories == 1 else f"{trajectories:,} trajectories"
    return f"read {what} with {'1 call' if calls == 1 else f'{calls:,} calls'} as {title}"


def _written(style: str, calls: int) -> str:
    are = "1 call is" if calls == 1 else f"{calls:,} calls are"
    return f"{are} written as text ({style}); --text-calls off would leave {'it' if calls == 1 else 'them'} unread"


def _doubt(style: str, readable: bool, count: int, where: str, words: str) -> str:
    it, look, is_ = ("it", "text looks", "is") if count == 1 else ("them", "texts look", "are")
    first = f"{'' if count == 1 else 'first '}{where}{': ' if where else ''}{words!r}"
    if readable:
        what = f"like a call and {is_} not read as one" if count == 1 else f"like calls and {is_} not read as such"
        return f"{count:,} {look} {what} ({first}); --text-calls {style} reads {it}"
    return f"{count:,} {look} like a call ({style}) that cannot be read ({first})"


def _first(count: int, where: str) -> str:
    return where if count == 1 else f"{_times(count)}, first {where}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
