"""The trajectories of a run, case by case: those that are in memory already stay there, others go through a file.

A run file holds what agents did in the order in which it was done. Pages show it by case, and a run may be larger than
memory, so it is copied once into a temporary file, and each case is read back when its turn comes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from tempfile import TemporaryFile
from weakref import finalize

import msgspec
from msgspec.structs import replace

from toolgauge.core import Run, Scored, Trajectory
from toolgauge.store.encoding import RunLine, encode_scored

__all__ = ["gather_items", "light"]

Items = Mapping[str, Sequence[Scored]]
"""By the id of a case its trajectories, agents and trials in their order."""


def gather_items(run: Run, agents: Sequence[str]) -> Items:
    """The trajectories of a run by the ids of its cases.

    Args:
        run: The run.
        agents: The agents in their order; others come behind.
    """
    place = {agent: number for number, agent in enumerate(agents)}
    cases = [case.id for case in run.header.suite.cases]
    if not isinstance(run.scored, Sequence):
        return _Copied(cases, run.scored, place)
    items: dict[str, list[Scored]] = {case: [] for case in cases}
    for item in run.scored:
        items.setdefault(item.score.case, []).append(item)
    for found in items.values():
        found.sort(key=lambda one: (place.get(one.score.agent, len(place)), one.score.trial))
    return items


class _Copied(Mapping[str, Sequence[Scored]]):
    """Trajectories in a temporary file that has no name; it goes with this value."""

    def __init__(self, cases: Iterable[str], scored: Iterable[Scored], place: Mapping[str, int]) -> None:
        self._decode = msgspec.json.Decoder(RunLine).decode
        self._stream = TemporaryFile(prefix="toolgauge-")  # noqa: SIM115 - it is closed with this value
        finalize(self, self._stream.close)
        self._places: dict[str, list[tuple[int, int, int, int]]] = {case: [] for case in cases}
        at = 0
        for item in scored:
            line = encode_scored(item)
            score = item.score
            where = (place.get(score.agent, len(place)), score.trial, at, len(line))
            self._places.setdefault(score.case, []).append(where)
            at += self._stream.write(line)
        for found in self._places.values():
            found.sort()

    def __getitem__(self, case: str) -> list[Scored]:
        return [self._read(at, size) for _, _, at, size in self._places[case]]

    def _read(self, at: int, size: int) -> Scored:
        self._stream.seek(at)
        line = self._decode(self._stream.read(size))
        return Scored(line, line.score)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


_HEAVY: dict[str, object] = {"output": None, "events": (), "input": None, "meta": {}}


def light(item: Scored) -> Scored:
    """What distributions and lists of names are made of, without arguments, results and evidence."""
    own, score = item.trajectory, item.score
    calls = tuple(replace(call, args={}, result=None, error=None, id=None) for call in own.calls)
    # A line of a run file is a trajectory, too, and holds a score: what is made here has none of that.
    fields = {name: getattr(own, name) for name in Trajectory.__struct_fields__} | _HEAVY | {"calls": calls}
    answer = None if score.answer is None else type(score.answer)(score.answer.verdict)
    return Scored(Trajectory(**fields), replace(score, alignment=(), answer=answer))
