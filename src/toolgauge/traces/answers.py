"""Answers of trajectories that name no calls, in which calls may be written as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from msgspec.structs import replace

from toolgauge.core import Trajectory

from .context import ReadContext

__all__ = ["AnswerReader"]

CALLS_OF = attrgetter("calls")


class AnswerReader:
    """Looks at the answers of trajectories in a format of our own, whose calls should stand beside them.

    Calls in answers are read where somebody asked for it, else they are counted, for they may be missing.
    """

    def __init__(self, context: ReadContext, *, numbered: bool = True) -> None:
        """Make ready for a file; where lines are not `numbered`, places in it are not known."""
        self._context = context
        self._numbered = numbered
        self.numbers: Sequence[int] = ()
        """The lines in which the next trajectories stand."""

    def __call__(self, trajectories: list[Trajectory]) -> list[Trajectory]:
        """The trajectories, with the calls that were asked for."""
        if all(map(CALLS_OF, trajectories)) or self._context.text_calls.off:
            return trajectories
        may_hold = self._context.text_calls.may_hold
        looked_at = [
            index
            for index, trajectory in enumerate(trajectories)
            if not trajectory.calls and trajectory.output and may_hold(trajectory.output)
        ]
        if not looked_at:
            return trajectories
        found = list(trajectories)
        for index in looked_at:
            self._context.number = self.numbers[index] if self._numbered and self.numbers else 0
            found[index] = self._read(found[index], found[index].output or "")
        return found

    def each(self, trajectories: Iterable[Trajectory]) -> Iterator[Trajectory]:
        """The same one by one, by their number in the file."""
        self._context.unit = "record"
        for number, trajectory in enumerate(trajectories, 1):
            self.numbers = (number,)
            yield from self([trajectory])

    def _read(self, trajectory: Trajectory, output: str) -> Trajectory:
        texts = self._context.text_calls
        if not texts.everywhere:
            self._context.note_doubt(texts.doubt(output), output)
            return trajectory
        from .trajectory_builder import TrajectoryBuilder  # what a file that names its calls does without

        builder = TrajectoryBuilder(self._context)
        builder.add_agent_message(output)
        read = builder.build(answered=False)
        return replace(trajectory, calls=read.calls, output=read.output) if read.calls else trajectory
