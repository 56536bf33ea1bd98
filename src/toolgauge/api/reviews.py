"""What people say of runs: kept beside them, and read with them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence

from toolgauge.core import PathLike, Review, Reviews, RunHeader, Scored
from toolgauge.errors import InputError, UsageError, did_you_mean
from toolgauge.store import RunFile, StoredRun, append_reviews, find_run, open_store, read_reviews_file

__all__ = ["Disagreeing", "check_reviews", "review_run", "reviews_of", "take_reviews"]


class Disagreeing:
    """Scored trajectories, of which those are counted that a person judges otherwise than the score."""

    def __init__(self, scored: Iterable[Scored], reviews: Reviews) -> None:
        self.count = 0
        self._scored = scored
        self._reviews = reviews

    def __iter__(self) -> Iterator[Scored]:
        passed = self._reviews.passed
        for one in self._scored:
            self.count += passed(one.score) != one.score.passed
            yield one


def reviews_of(stored: RunFile | StoredRun, *, needed: bool) -> Reviews:
    """The reviews of a run. What is wrong with them stops only those who need them.

    Raises:
        InputError: They are needed, and cannot be read or are of another run.
    """
    try:
        return stored.reviews()
    except InputError:
        if needed:
            raise
        return Reviews()


def review_run(reference: PathLike, reviews: Sequence[Review], *, store: PathLike | None = None) -> None:
    """Save human reviews of a run: in the store, or in a file beside a run file.

    Args:
        reference: A run file, or a run of the store, as for `load_run`.
        reviews: What they say.
        store: Where runs are kept; default: `.toolgauge/runs.db`.

    Raises:
        UsageError: The run has no such case or agent.
        InputError: Beside the run file are reviews of another run.
    """
    stored = find_run(reference, store)
    check_reviews(stored.header, reviews)
    if isinstance(stored, RunFile):
        append_reviews(stored.path, stored.header, reviews)
        return
    with open_store(store, create=False) as opened:
        opened.review(stored.info.id, reviews)


def take_reviews(reference: PathLike, path: PathLike, *, store: PathLike | None = None) -> int:
    """Import the reviews in a file, such as one downloaded from a report, into their run.

    Returns:
        How many there are.

    Raises:
        InputError: The file is none of reviews, or of those of another run.
    """
    found = read_reviews_file(os.fspath(path), find_run(reference, store).header)
    review_run(reference, list(found), store=store)
    return len(found)


def check_reviews(header: RunHeader, reviews: Iterable[Review]) -> None:
    """Check that a run has the cases and agents that reviews name.

    Raises:
        UsageError: It has no such case or agent.
    """
    cases, agents = {case.id for case in header.suite.cases}, header.agents
    for review in reviews:
        if review.case not in cases:
            hint = did_you_mean(review.case, list(cases))
            raise UsageError(f"the suite has no case {review.case!r}" + (f"; {hint}" if hint else ""))
        if review.agent is not None and agents and review.agent not in agents:
            hint = did_you_mean(review.agent, agents)
            raise UsageError(f"this run has no agent {review.agent!r}" + (f"; {hint}" if hint else ""))
        if review.trial is not None and review.agent is None:
            raise UsageError("a review of one trial names its agent, too")
