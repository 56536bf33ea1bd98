"""Which cases of a suite are wanted, as somebody says it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .constants import PathLike
from .json import JsonValue

__all__ = ["Selection"]


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which cases of a suite are wanted; by default all of them."""

    cases: str | Sequence[str] = ()
    """Ids of cases, or patterns of ids such as `weather_*`; a case that fits one of them is wanted."""
    labels: Mapping[str, str] | Sequence[str] = ()
    """Labels, as a mapping or as `key=value`, where the value may be a pattern. Of one key any value will do, and every
    key has to fit."""
    limit: int | None = None
    """Only so many, the first ones."""
    sample: int | None = None
    """Only so many, chosen by chance, in the order of the suite. The same seed always chooses the same ones, and most
    of them stay when cases are added to the suite."""
    seed: int = 0
    """What the sample depends on."""
    failed_of: PathLike | None = None
    """A run: only cases that did not pass there."""

    @property
    def patterns(self) -> list[str]:
        """The ids and patterns, one by one."""
        return [self.cases] if isinstance(self.cases, str) else list(self.cases)

    @property
    def pairs(self) -> list[str]:
        """The labels, each as `key=value`."""
        if isinstance(self.labels, Mapping):
            return [f"{key}={value}" for key, value in self.labels.items()]
        return [self.labels] if isinstance(self.labels, str) else list(self.labels)

    @property
    def described(self) -> dict[str, JsonValue]:
        """What was asked for, as it is recorded; nothing where everything was."""
        patterns: list[JsonValue] = [*self.patterns]
        labels: list[JsonValue] = [*self.pairs]
        found: dict[str, JsonValue] = {
            "cases": patterns or None,
            "labels": labels or None,
            "failed_of": None if self.failed_of is None else str(self.failed_of),
            "sample": self.sample,
            "seed": None if self.sample is None else self.seed,
            "limit": self.limit,
        }
        return {name: value for name, value in found.items() if value is not None}

    @property
    def options(self) -> str:
        """What was asked for, as options of the command line."""
        parts = [f"--case {pattern}" for pattern in self.patterns]
        parts += [f"--label {label}" for label in self.pairs]
        if self.failed_of is not None:
            parts.append(f"--failed-of {self.failed_of}")
        if self.sample is not None:
            parts.append(f"--sample {self.sample} --seed {self.seed}")
        if self.limit is not None:
            parts.append(f"--limit {self.limit}")
        return " ".join(parts)
