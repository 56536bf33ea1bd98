"""The typed answer of a trajectory: read in all that was said, or in the passage that a model has pointed to.

What a model points to is stored on the trajectory; none is asked here, and what it says is used only where it stands
in the answer letter by letter. The value is read, and compared, by the rules in either case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from toolgauge.core import NOT_POINTED, POINTER, Answer, Case, Trajectory

__all__ = ["Pointed", "answer_scorer", "pointed_passage"]


class Pointed(NamedTuple):
    """A passage of an answer that a model says is the one that answers the question."""

    passage: str
    model: str


def pointed_passage(trajectory: Trajectory) -> Pointed | None:
    """What a model has pointed to, if one has, and if it is there; the last word counts."""
    said = next((event for event in reversed(trajectory.events) if event.get("kind") == POINTER), None)
    passage = None if said is None else said.get("passage")
    if said is None or not isinstance(passage, str) or not passage.strip() or passage not in (trajectory.output or ""):
        return None
    return Pointed(passage, str(said.get("model") or "?"))


def answer_scorer(case: Case) -> Callable[[Trajectory], Answer] | None:
    """A function that judges the final answer of a trajectory; None: the case states none."""
    spec = case.expect.answer
    if spec is None:
        return None
    from toolgauge.answers import prepare  # many patterns, for the cases that need them

    judge = prepare(spec, locale=case.locale, now=case.now, question=case.input)
    by_model = "find" in spec

    def score(trajectory: Trajectory) -> Answer:
        pointed = pointed_passage(trajectory)
        if pointed is not None:
            return replace(judge(pointed.passage), pointed_by=pointed.model)
        answer = judge(trajectory.output)
        if not by_model or not trajectory.output:
            return answer
        return replace(answer, reason=f"{answer.reason}; {NOT_POINTED}" if answer.reason else NOT_POINTED)

    return score
