"""Fast ways of reading lines in usual layouts, several times faster than the full readers.

They take what they can prove to be read exactly as the full reader would read it, and leave the rest to that.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Protocol, runtime_checkable

from toolgauge.core import Trajectory

__all__ = ["FastReader"]


@runtime_checkable
class FastReader(Protocol):
    """A reader that knows a fast way for lines in a usual layout, which it decodes itself."""

    title: ClassVar[str]
    """What a person calls these records, as for any reader."""
    independent: bool
    """Whether every record so far stood for itself. As long as that is so, others may read the rest the fast way."""

    def read_line(self, line: bytes) -> Iterable[Trajectory] | None:
        """The trajectories that a line completes; None where it has to be read in full, or may be of another source."""
