"""Adding up signs, one trajectory at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

from toolgauge.core import Case, Companion, Example, FaultGroup, JsonValue, LabelShare, Scored, identity

from .signs import Key, Sign, group_of, signs

__all__ = ["MOST_EXAMPLES", "Found", "Gathering"]

MOST_EXAMPLES = 3
MOST_COMPANIONS = 3
MOST_VALUES = 1000
"""How many different values or messages are counted for one pattern."""

MOST_KEYS = 40
"""Of so many patterns in one trajectory it is counted which come together."""

LEAST_TOGETHER = 2
LEAST_LIFT = 1.05


class Found:
    """What is known of one pattern."""

    def __init__(self) -> None:
        self.occurrences = 0
        self.trajectories = 0
        self.failed = 0
        self.first = 0
        self.most = 0
        self.steps: Counter[int] = Counter()
        self.agents: Counter[str] = Counter()
        self.labels: Counter[str] = Counter()
        self.cases: dict[str, None] = {}
        self.toolless = 0
        """Trajectories of cases in which no tool may be called."""
        self._wants: Counter[Hashable] = Counter()
        self._values: dict[Hashable, JsonValue] = {}
        self._said: Counter[str] = Counter()
        self._failing: list[Example] = []
        self._passing: list[Example] = []

    def add(self, case: Case, label: str, scored: Scored, shown: Sequence[Sign], *, first: bool) -> None:
        """Add a trajectory with the signs of this pattern in it."""
        score = scored.score
        self.occurrences += len(shown)
        self.trajectories += 1
        self.failed += not score.passed
        self.first += first
        self.most = max(self.most, len(shown))
        self.steps[shown[0].step] += 1
        self.agents[score.agent] += 1
        self.labels[label] += 1
        self.cases[case.id] = None
        self.toolless += any(not plan.calls for plan in case.expect.plans)
        for sign in shown:
            self._count(sign)
        kept = self._passing if score.passed else self._failing
        # Examples are of different cases where there are several.
        if len(kept) < MOST_EXAMPLES and all(one.case != case.id for one in kept):
            sign = shown[0]
            kept.append(Example(case.id, score.agent, score.trial, sign.step, sign.want, sign.got))

    def _count(self, sign: Sign) -> None:
        if sign.want is not None:
            key = identity(sign.want)
            if key in self._values or len(self._values) < MOST_VALUES:
                self._values.setdefault(key, sign.want)
                self._wants[key] += 1
        said = sign.want if sign.key.kind == "schema_error" else sign.got
        if isinstance(said, str) and (said in self._said or len(self._said) < MOST_VALUES):
            self._said[said] += 1

    @property
    def examples(self) -> tuple[Example, ...]:
        """Some trajectories, those that did not pass first."""
        return tuple([*self._failing, *self._passing][:MOST_EXAMPLES])

    @property
    def wanted(self) -> tuple[JsonValue, ...]:
        """The values that were asked for most often."""
        return tuple(self._values[key] for key, _ in self._wants.most_common(MOST_EXAMPLES))

    @property
    def said(self) -> str:
        """The message, or the value that was given, that came most often."""
        return self._said.most_common(1)[0][0] if self._said else ""

    @property
    def step(self) -> int:
        """At which call it usually happens: the median, the lower of two."""
        rest = (self.trajectories + 1) // 2
        for step in sorted(self.steps):
            rest -= self.steps[step]
            if rest <= 0:
                return step
        return 1


class Gathering:
    """All patterns of a run, and what they have to do with each other."""

    def __init__(self, by: str | None) -> None:
        self.by = by
        self.found: dict[Key, Found] = {}
        self.trajectories = 0
        self.failed = 0
        self.not_run = 0
        self.labels: Counter[str] = Counter()
        self.groups: dict[FaultGroup, list[int]] = {}
        """By group: trajectories, those that did not pass, and those of these that first went wrong there."""
        self._together: Counter[tuple[Key, Key]] = Counter()

    def add(self, case: Case, scored: Scored) -> None:
        """Add one trajectory."""
        score = scored.score
        if score.state == "not_run":
            self.not_run += 1
            return
        label = case.labels.get(self.by, "") if self.by else ""
        self.trajectories += 1
        self.failed += not score.passed
        self.labels[label] += 1
        if not score.issues:
            return
        shown: dict[Key, list[Sign]] = {}
        for sign in signs(case, scored):
            shown.setdefault(sign.key, []).append(sign)
        first = next(iter(shown), None)
        for key, own in shown.items():
            self.found.setdefault(key, Found()).add(case, label, scored, own, first=key == first)
        self._add_groups(shown, first, failed=not score.passed)
        if len(shown) > 1:
            self._together.update(combinations(sorted(shown, key=_order)[:MOST_KEYS], 2))

    def _add_groups(self, shown: dict[Key, list[Sign]], first: Key | None, *, failed: bool) -> None:
        for group in {group_of(key) for key in shown}:
            counts = self.groups.setdefault(group, [0, 0, 0])
            counts[0] += 1
            counts[1] += failed
            counts[2] += failed and first is not None and group_of(first) == group

    def companions(self, key: Key) -> tuple[Companion, ...]:
        """What shows in the same trajectories as a pattern, more often than by chance."""
        close = []
        for pair, both in self._together.items():
            if key not in pair or both < LEAST_TOGETHER:
                continue
            other = pair[0] if pair[1] == key else pair[1]
            single = self.found[key].trajectories * self.found[other].trajectories
            lift = both * self.trajectories / single
            if lift >= LEAST_LIFT:
                close.append(Companion(*other, both, lift))
        return tuple(sorted(close, key=lambda one: (-one.lift, -one.count))[:MOST_COMPANIONS])

    def spread(self, found: Found) -> tuple[LabelShare, ...]:
        """How a pattern is spread over the values of the label."""
        if self.by is None:
            return ()
        shares = [LabelShare(value, found.labels[value], of) for value, of in self.labels.items()]
        return tuple(sorted(shares, key=lambda share: (-share.count / share.of, -share.count)))


def _order(key: Key) -> tuple[str, ...]:
    return tuple(part or "" for part in key)
