"""What a person says of a case, or of what an agent did on it. It stands beside the run, never in a trajectory.

A verdict on one trial counts before one on all trials of an agent, and that before one on the whole case. `right` and
`wrong` say whether what was done is right, whatever the score says. `gold_is_wrong` says that the case expects
something wrong, so that no score of it means anything: it is about the case, wherever it was said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from .json import JsonValue
from .score import Score
from .summary import Note

__all__ = ["REVIEW_VERDICTS", "Review", "ReviewVerdict", "Reviews"]

ReviewVerdict: TypeAlias = Literal["right", "wrong", "gold_is_wrong"]
"""The stable names of what a person can say."""

REVIEW_VERDICTS: tuple[ReviewVerdict, ...] = get_args(ReviewVerdict)

MAX_NOTE = 10_000
MAX_NAME = 200

ReviewKey: TypeAlias = tuple[str, str | None, int | None]


class Review(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """What a person says. A later one of the same case, agent and trial takes the place of it."""

    case: Annotated[str, Meta(min_length=1)]
    verdict: ReviewVerdict | None
    """None: what was said before is withdrawn."""
    agent: str | None = None
    """None: it is about every agent."""
    trial: Annotated[int, Meta(ge=0)] | None = None
    """None: it is about every trial."""
    note: Annotated[str, Meta(max_length=MAX_NOTE)] = ""
    by: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    """Who said it."""
    at: Annotated[str, Meta(max_length=MAX_NAME)] = ""
    """When, as an ISO 8601 time."""

    @property
    def about(self) -> ReviewKey:
        """What it is about: case, agent and trial."""
        return self.case, self.agent, self.trial


class Reviews:
    """The reviews of a run, by what they are about."""

    def __init__(self, reviews: Iterable[Review] = ()) -> None:
        """Take reviews, later ones in place of earlier ones."""
        self._by_key: dict[ReviewKey, Review] = {}
        for review in reviews:
            self._by_key.pop(review.about, None)
            if review.verdict is not None:
                self._by_key[review.about] = review
        self.left_out = frozenset(one.case for one in self if one.verdict == "gold_is_wrong")
        """Cases that expect something wrong."""

    def __iter__(self) -> Iterator[Review]:
        return iter(self._by_key.values())

    def __len__(self) -> int:
        return len(self._by_key)

    def of(self, case: str, agent: str, trial: int) -> Review | None:
        """The narrowest review of a trajectory."""
        for key in ((case, agent, trial), (case, agent, None), (case, None, None)):
            if key in self._by_key:
                return self._by_key[key]
        return None

    def passed(self, score: Score) -> bool:
        """Whether it passed, where reviews count. What did not complete is not made right by anybody."""
        review = self.of(score.case, score.agent, score.trial)
        if review is None or review.verdict == "gold_is_wrong":
            return score.passed
        return review.verdict == "right" and score.state == "completed"

    def counts(self) -> Counter[str]:
        """How many there are of each verdict."""
        return Counter(str(one.verdict) for one in self)

    def note(self, *, counted: bool, disagreeing: int = 0) -> Note:
        """What a reader of figures should know about them.

        Args:
            counted: Whether the figures follow the reviews.
            disagreeing: Of how many trajectories the score says something else.
        """
        counts = self.counts()
        values: dict[str, JsonValue] = {verdict: counts[verdict] for verdict in REVIEW_VERDICTS}
        return Note("reviewed" if counted else "reviews", values | {"count": disagreeing})
