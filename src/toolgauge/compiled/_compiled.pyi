from collections.abc import Callable, Sequence, Set
from typing import TypeAlias

from toolgauge.core import Call, Issue, IssueKind, JsonValue, Score, Trajectory

_Rule: TypeAlias = tuple[str, JsonValue]
_Slot: TypeAlias = tuple[str, int, Issue, bool, tuple[_Rule, ...]]

FINGERPRINT: int

class PlainCase:
    def __new__(
        cls,
        slots: tuple[_Slot, ...],
        weights: tuple[float, float, float, float],
        passing_score: float,
        failing: tuple[Set[IssueKind], Set[IssueKind], Set[str]],
        accepts: Callable[[Call], bool] | None = None,
        judge: Callable[[Sequence[Call], list[Issue]], tuple[int, int]] | None = None,
        /,
    ) -> PlainCase: ...

def score_plain(
    cases: dict[str, PlainCase], trajectories: list[Trajectory], /
) -> tuple[list[Score | None], list[int]]: ...

class PlainTotals:
    def __new__(cls, places: dict[str, int], groups: list[int], unit_bits: int, /) -> PlainTotals: ...
    @property
    def held(self) -> int: ...
    def add(self, trajectories: list[Trajectory], scores: list[Score], /) -> list[int]: ...
    def take(
        self,
    ) -> tuple[
        list[int],
        dict[str, list[int]],
        list[tuple[int, dict[int, int], bytes]],
        dict[str, int],
        dict[str, int],
        dict[tuple[str, str], int],
        dict[str, int],
    ]: ...
