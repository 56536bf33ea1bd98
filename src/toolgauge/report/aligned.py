"""Expected calls beside the calls that were made, line by line, as facts that every drawing of a case starts from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from toolgauge.core import Call, Expect, ExpectedCall, Scored, Times

__all__ = ["AlignedLine", "LineKind", "aligned_lines", "expected_calls"]

LineKind = Literal["matched", "wrong_arg", "failed", "missing", "optional", "extra", "duplicate", "neutral"]
"""What a line says: a call fits, does not quite, or failed; an expected call is missing, or may be; a call was not
asked for, repeats an earlier one, or costs nothing."""

_FITS = 1 - 1e-9


class AlignedLine(NamedTuple):
    """What stands on the left and on the right of a line."""

    kind: LineKind
    expected: int | None = None
    """Index of the expected call, in the plan that counted."""
    call: int | None = None
    """Index of the call."""
    times: int = 1
    """How many such calls are missing."""
    early: bool = False
    """Whether the call came before what has to come first."""


def expected_calls(expect: Expect, plan: int) -> tuple[ExpectedCall, ...] | None:
    """The calls of the plan that counted; None: nothing is said about tools."""
    if expect.any_of:
        return expect.any_of[plan if plan < len(expect.any_of) else 0].calls
    return expect.calls


def aligned_lines(expect: Expect, item: Scored) -> Iterator[AlignedLine]:
    """Expected calls in their order; a call that answers none stands before the first pair that came after it."""
    calls, score = item.trajectory.calls, item.score
    pairs = sorted(score.alignment, key=lambda pair: (pair.expected, pair.call))
    extra = sorted(set(range(len(calls))) - {pair.call for pair in pairs})
    early = {issue.call for issue in score.issues if issue.kind == "wrong_order"}
    repeated = {issue.call for issue in score.issues if issue.kind == "duplicate_call"}
    by_expected: dict[int, list[tuple[int, float]]] = {}
    for pair in pairs:
        if pair.call < len(calls):
            by_expected.setdefault(pair.expected, []).append((pair.call, pair.params))
    place = 0
    for index, wanted in enumerate(expected_calls(expect, score.plan) or ()):
        own = by_expected.get(index, [])
        for call, params in own:
            while place < len(extra) and extra[place] < call:
                yield _extra(extra[place], calls, expect, item, repeated)
                place += 1
            yield AlignedLine(_pair_kind(calls[call], params), index, call, early=call in early)
        missing = _least(wanted) - len(own)
        if missing > 0 and not wanted.optional:
            yield AlignedLine("missing", index, times=missing)
        elif not own:
            yield AlignedLine("optional", index)
    for call in extra[place:]:
        yield _extra(call, calls, expect, item, repeated)


def _pair_kind(call: Call, params: float) -> LineKind:
    if call.error is not None:
        return "failed"
    return "matched" if params >= _FITS else "wrong_arg"


def _extra(index: int, calls: Sequence[Call], expect: Expect, item: Scored, repeated: set[int | None]) -> AlignedLine:
    """A call that answers no expectation."""
    call = calls[index]
    if call.error is not None:
        return AlignedLine("failed", call=index)
    free = not item.score.says_tools or expect.extra == "allow" or call.tool in expect.neutral
    if free:
        return AlignedLine("neutral", call=index)
    return AlignedLine("duplicate" if index in repeated else "extra", call=index)


def _least(wanted: ExpectedCall) -> int:
    """How often the call has to be made."""
    if isinstance(wanted.times, Times):
        return wanted.times.min
    return 1 if wanted.times is None else wanted.times
