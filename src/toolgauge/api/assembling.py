"""Putting together what came of pieces, in the order of the input, so that it is what one process comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from toolgauge.core import UNSAID, Advance, Scored, SeenTrials
from toolgauge.errors import UsageError
from toolgauge.parallel import Executor
from toolgauge.pipeline import ScoringOptions, ScoringPipeline
from toolgauge.store import Spool
from toolgauge.store.encoding import RunLine, encode_scored
from toolgauge.traces import ImportReport, Join

from .pieces import PieceResult, ScorePieces, claims_of
from .sharing import ScoredFiles, SourceChunk

__all__ = ["Assembly", "score_pieces"]

_decode = msgspec.json.Decoder(RunLine).decode


def score_pieces(
    pieces: Sequence[SourceChunk], work: ScorePieces, executor: Executor
) -> Iterator[tuple[SourceChunk, PieceResult, bytes | memoryview]]:
    """What comes of pieces, in their order, with the lines that are kept.

    Raises:
        ToolgaugeError: Something is wrong with one, or no worker can do it.
    """
    with executor.open(work) as session:
        for piece, result in session.results(pieces):
            # Whoever lost a worker does what it had in hand; nothing else is lost with it.
            done = work.process(piece) if result is None else result
            if done.answer is None:
                work.explain(piece)
                raise AssertionError("what is wrong is always said")
            yield piece, done.answer, done.data


class Assembly:
    """What several pieces come to."""

    def __init__(self, scoring: ScoringOptions, spool: Spool, advance: Advance) -> None:
        """Begin with nothing; lines that are kept go to the spool."""
        self.found = ScoredFiles(Join(scoring.suite, ImportReport()), ScoringPipeline(scoring, spool), ImportReport())
        self._keeps = scoring.keep != "none"
        self._spool = spool
        self._advance = advance
        self._trials = SeenTrials()
        self._agents: dict[str, None] = {}
        self._recorded: dict[tuple[str, str], dict[str, None]] = {}
        self._renumbered = 0

    def add(self, piece: SourceChunk, result: PieceResult, lines: Iterable[bytes | memoryview]) -> None:
        """Add the next piece.

        Raises:
            UsageError: A name was given to several agents of one file.
            OutputError: There is no room for the lines.
        """
        self._check_names(piece, result)
        self.found.report.merge(result.report)
        self.found.join.note_seen(result.seen)
        self.found.pipeline.merge(result.totals, result.kept)
        self._agents.update(dict.fromkeys(result.agents))
        changed = self._settle(result) if self._keeps else {}
        for block in lines:
            self._spool.append_lines(_renumbered(bytes(block), changed) if changed else block)
        self._advance(result.report.read)

    def finish(self) -> ScoredFiles:
        """Everything that was added."""
        if self._keeps:
            self.found.report.renumbered = self._renumbered
        self.found.pipeline.put_in_order(self._agents)
        return self.found

    def _check_names(self, piece: SourceChunk, result: PieceResult) -> None:
        if piece.agent is None:
            return
        names = self._recorded.setdefault((piece.path, piece.agent), {})
        names.update(dict.fromkeys(result.recorded))
        if len(names) > 1:
            first, second, *_ = names
            raise UsageError(
                f"the name {piece.agent!r} is given to a file with trajectories of several agents, "
                f"{first!r} and {second!r}; leave out the name, or --agent-from path"
            )

    def _settle(self, result: PieceResult) -> dict[tuple[str, str, int], int]:
        """The trials that trajectories get that have another one in the piece by itself."""
        changed: dict[tuple[str, str, int], int] = {}
        alone = SeenTrials()
        for agent, case, wanted in claims_of(result.claims) if result.claims is not None else ():
            before, after = _taken(alone, agent, case, wanted), _taken(self._trials, agent, case, wanted)
            self._renumbered += wanted != UNSAID and after != wanted
            if before != after:
                changed[agent, case, before] = after
        return changed


def _taken(seen: SeenTrials, agent: str, case: str, wanted: int) -> int:
    """The trial that a trajectory gets: the one it names if that is free, else the lowest that is."""
    if wanted != UNSAID and seen.add(agent, case, wanted):
        return wanted
    return seen.add_lowest_free(agent, case)


def _renumbered(block: bytes, changed: dict[tuple[str, str, int], int]) -> bytes:
    """Whole lines of a run file with other trials."""
    return b"".join(map(_line_with(changed), block.splitlines(keepends=True)))


def _line_with(changed: dict[tuple[str, str, int], int]) -> Callable[[bytes], bytes]:
    def rewrite(data: bytes) -> bytes:
        line = _decode(data)
        trial = changed.get((line.agent, line.case, line.trial))
        if trial is None:
            return data
        score = msgspec.structs.replace(line.score, trial=trial)
        return encode_scored(Scored(msgspec.structs.replace(line, trial=trial, score=score), score))

    return rewrite
