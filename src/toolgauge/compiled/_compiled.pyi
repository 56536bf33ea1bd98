from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from toolgauge.core import Call, Issue, JsonValue, Score, Trajectory

_Rule: TypeAlias = tuple[str, JsonValue]
_Slot: TypeAlias = tuple[str, int, Issue, bool, tuple[_Rule, ...]]

VERSION: int

class PlainCase:
    def __new__(
        cls,
        slots: tuple[_Slot, ...],
        weights: tuple[float, float, float, float],
        least: float,
        accepts: Callable[[Call], bool] | None = None,
        judge: Callable[[Sequence[Call], list[Issue]], tuple[int, int]] | None = None,
        /,
    ) -> PlainCase: ...

def score_plain(
    cases: dict[str, PlainCase], trajectories: list[Trajectory], /
) -> tuple[list[Score | None], list[int]]: ...

class PlainSums:
    def put_back(self) -> None: ...

class Adder:
    def __new__(cls, sums: type, spread: type, agent: type, at_once: int, unit: int, /) -> Adder: ...
    def place(self, sums: object, calls: object, latency: object, /) -> PlainSums: ...
    def add(
        self, agents: dict[str, Any], trajectories: list[Trajectory], scores: list[Score], start: int, /
    ) -> int: ...
