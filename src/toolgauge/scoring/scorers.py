"""Scorers of one's own: opened by name or taken as they are, and asked what they say of each trajectory.

A scorer that fails is a fact about a trajectory, which then is not scored; it neither ends a run nor moves a mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from inspect import iscoroutinefunction
from math import nan
from numbers import Real

from msgspec.structs import replace

from toolgauge.core import (
    ROUNDING_SLACK,
    SCORER_FAILED,
    Call,
    Case,
    CaseScorer,
    Measured,
    Outcome,
    OutOfTime,
    Score,
    Trajectory,
    Unscored,
    copied,
    described,
    is_interrupt,
    printed,
    quoted,
    time_limit,
)
from toolgauge.errors import PluginError, UsageError, did_you_mean
from toolgauge.plugins import find_plugins, load_object, load_plugin

__all__ = ["add_outcomes", "ask", "open_scorer"]

MAX_REASON = 500
"""How many characters of a reason are kept."""


SCORER_SECONDS = 300.0
"""How long a scorer may take for one trajectory."""


def open_scorer(given: object, *, allow_code: bool = False) -> CaseScorer:
    """A scorer that is named or given.

    Args:
        given: The name of an installed one, `module:object`, a scorer, or a class or function that makes one.
        allow_code: Whether `module:object` may be imported.

    Raises:
        UsageError: There is none of that name, it is no scorer, or code that was not allowed.
        PluginError: It cannot be imported, or made.
    """
    what = f"the scorer {given!r}" if isinstance(given, str) else "this scorer"
    found = given
    if isinstance(given, str):
        found = load_object(given, allow_code=allow_code) if ":" in given else _installed(given)
    if isinstance(found, type) or not hasattr(found, "score"):
        if not callable(found):
            raise UsageError(f"{what} is {quoted(found)}, which has no method score")
        try:
            found = found()
        except Exception as error:
            raise PluginError(f"{what} cannot be made without arguments: {described(error)}") from error
    return _checked(found, what)


def _installed(name: str) -> object:
    """A scorer that an installed package brings, as it says so.

    Raises:
        UsageError: None does.
    """
    known = find_plugins("scorers")
    if name not in known:
        hint = did_you_mean(name, known)
        if not hint.endswith("?"):
            hint = f"{hint}; or write module:object".removeprefix("; or ")
        raise UsageError(f"there is no scorer {name!r}; {hint}")
    return load_plugin("scorers", name)


def _checked(found: object, what: str) -> CaseScorer:
    """The object, if it can be asked.

    Raises:
        UsageError: It cannot.
    """
    score, version = getattr(found, "score", None), getattr(found, "version", None)
    if not callable(score):
        raise UsageError(f"{what} is {quoted(found)}, which has no method score")
    if iscoroutinefunction(score):
        raise UsageError(f"{what} is asynchronous; scoring is not: write def score(self, case, trajectory)")
    if not isinstance(getattr(found, "name", None), str):
        raise UsageError(f"{what} has no name; add name: str")
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise UsageError(f"{what} has no version; add version: int, which goes up when its results change")
    return found  # type: ignore[return-value]  # it has all that a scorer has


def add_outcomes(
    scorers: Sequence[CaseScorer],
    cases: Mapping[str, Case],
    trajectories: Iterable[Trajectory],
    scores: Iterable[Score],
) -> list[Score]:
    """The scores with what each scorer says; those of trajectories that were not run stay as they are."""
    found = []
    for trajectory, score in zip(trajectories, scores, strict=True):
        if score.score is not None:
            case = cases[trajectory.case]
            score = replace(score, by_scorer={scorer.name: ask(scorer, case, trajectory) for scorer in scorers})
        found.append(score)
    return found


def ask(scorer: CaseScorer, case: Case, trajectory: Trajectory) -> Outcome:
    """What a scorer says of a trajectory; not scored, with what went wrong, where that is no outcome."""
    try:
        with time_limit(SCORER_SECONDS):
            said: object = scorer.score(deepcopy(case), _own(trajectory))
        if isinstance(said, Unscored):
            return Unscored(_text(said.reason))
        if isinstance(said, Measured):
            # Nothing checks what a struct is made of in Python.
            given: object = said.value
            value = float(given) if isinstance(given, Real) else nan
            if 0 <= value <= 1 + ROUNDING_SLACK:
                return Measured(min(1.0, value), _text(said.reason))
            return Unscored(f"{SCORER_FAILED}measured {quoted(given)}, which is not a number from 0 to 1")
        return Unscored(f"{SCORER_FAILED}returned {quoted(said)}, which is neither Measured nor Unscored")
    except OutOfTime:
        return Unscored(f"{SCORER_FAILED}took over {SCORER_SECONDS:g} s")
    except BaseException as error:
        if is_interrupt(error):
            raise
        return Unscored(_text(f"{SCORER_FAILED}{described(error)}"))


def _own(trajectory: Trajectory) -> Trajectory:
    """A trajectory that a scorer may do with as it likes: what is recorded is another."""
    calls = tuple([_own_call(call) for call in trajectory.calls])
    events = tuple([{key: copied(item) for key, item in event.items()} for event in trajectory.events])
    return replace(trajectory, calls=calls, events=events, meta=copied(trajectory.meta))


def _own_call(call: Call) -> Call:
    return replace(call, args=copied(call.args), result=copied(call.result))


def _text(value: object) -> str:
    """A reason that every file can hold."""
    text = printed(value)
    return text if len(text) <= MAX_REASON else f"{text[: MAX_REASON - 3]}..."
