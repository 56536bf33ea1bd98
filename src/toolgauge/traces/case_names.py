"""What identifies the case of a trajectory, where somebody chooses: its id, its question, or a key of its metadata."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from toolgauge.core import JsonValue, Suite, Trajectory, nfc

from .import_report import ImportReport
from .join import BARE_ID, Join

__all__ = ["AUTO", "CaseFinder", "Naming", "by_text", "kept_key"]

AUTO, BY_ID, BY_INPUT = "auto", "id", "input"
"""By the id, or else by the question; by the one alone; by the other alone. Any other word is a key of the metadata."""

HOLDERS = ("meta.", "metadata.")

Labels: TypeAlias = dict[str, str | None]


def kept_key(how: str) -> str | None:
    """The key of records that readers keep because it may identify the case; None where no key does."""
    if how == AUTO:
        return BARE_ID
    return None if how in (BY_ID, BY_INPUT) else _key(how)


def by_text(how: str) -> bool:
    """Whether the text of the question may identify the case."""
    return how in (AUTO, BY_INPUT)


class Naming:
    """Makes trajectories name their case by what was chosen, before they are joined to the cases of a suite."""

    def __init__(self, suite: Suite, how: str, report: ImportReport) -> None:
        self._how = how
        self._report = report
        self._key = _key(how)
        self._ids = {case.id for case in suite.cases}
        self._labels: Labels = {}
        """Values of the label with the name of the key, each with the case that has it; None: several have."""
        name = nfc(self._key)
        for case in suite.cases:
            if (value := case.labels.get(name)) is not None:
                self._labels[_normal(value)] = None if _normal(value) in self._labels else case.id

    def __call__(self, trajectories: Iterable[Trajectory]) -> Iterable[Trajectory]:
        """The trajectories, as a join finds their cases by id or by question."""
        if self._how in (AUTO, BY_ID):
            return trajectories
        return self._by_input(trajectories) if self._how == BY_INPUT else self._by_key(trajectories)

    def _by_input(self, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
        for trajectory in trajectories:
            yield replace(trajectory, case="", input=trajectory.input or trajectory.case)

    def _by_key(self, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
        for trajectory in trajectories:
            value = _value(trajectory.meta, self._key)
            if value is None:
                self._report.note(f"a trajectory has no {self._key!r} in its metadata, which should identify its case")
            yield replace(trajectory, case="" if value is None else self._case(_normal(value)))

    def _case(self, value: str) -> str:
        """The case with this id or label; a value that is of none is named among those without a case."""
        if value in self._ids or value not in self._labels:
            return value
        case = self._labels[value]
        if case is None:
            self._report.note(
                f"several cases have the label {self._key!r} that a trajectory names, so it is matched to none"
            )
        return value if case is None else case


class CaseFinder:
    """Fills in the ids of cases, and nothing else."""

    def __init__(self, suite: Suite, how: str, report: ImportReport) -> None:
        self._report = report
        self._named = Naming(suite, how, report)
        self._join = Join(suite, report, by_text=by_text(how))

    def __call__(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory with the id of its case, or as it is where it belongs to none."""
        before = self._report.renumbered
        for joined in self._join(self._named([trajectory]), agent=None, fallback="agent"):
            # Trials stay as they were recorded, so those that repeat one are not worth a word.
            self._report.renumbered = before
            if joined.case != trajectory.case:
                return replace(trajectory, case=joined.case)
        return trajectory


def _key(how: str) -> str:
    for holder in HOLDERS:
        how = how.removeprefix(holder)
    return how


def _value(meta: Mapping[str, JsonValue], key: str) -> str | None:
    """The value of a key, or of a path of keys with dots between them."""
    found: JsonValue = meta.get(key)
    if found is None:
        found = dict(meta)
        for part in key.split("."):
            found = found.get(part) if isinstance(found, dict) else None
    if isinstance(found, bool) or not isinstance(found, (str, int)):
        return None
    return str(found) or None


def _normal(text: str) -> str:
    return nfc(text.strip())
