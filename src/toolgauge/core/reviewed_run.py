"""A run as its reviews have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from msgspec.structs import replace

from .review import Reviews
from .run import RunHeader, Scored

__all__ = ["ReviewedRun"]


@dataclass(frozen=True, slots=True)
class ReviewedRun:
    """A run whose verdicts are those of its reviews, and without the cases whose expectations are wrong."""

    header: RunHeader
    scored: Iterable[Scored]
    reviews: Reviews
    left_out: frozenset[str]

    @classmethod
    def of(
        cls, header: RunHeader, scored: Iterable[Scored], reviews: Reviews, left_out: Iterable[str] = ()
    ) -> ReviewedRun:
        """A run with its reviews, and with the cases that reviews of other runs leave out."""
        without = reviews.left_out.union(left_out)
        if without:
            kept = tuple(case for case in header.suite.cases if case.id not in without)
            # It is another suite now, and known by what it holds.
            header = replace(header, suite=replace(header.suite, cases=kept), suite_hash="", trajectories=None)
        return cls(header, scored, reviews, without)

    def __iter__(self) -> Iterator[Scored]:
        for one in self.scored:
            score = one.score
            if score.case in self.left_out:
                continue
            passed = self.reviews.passed(score)
            yield one if passed == score.passed else Scored(one.trajectory, replace(score, passed=passed))
