"""Two runs side by side."""

from __future__ import annotations

from .library import Library
from .view import RunView


class TwoRuns:
    """Two runs as one."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def __contains__(self, run_id: str) -> bool:
        return False

    def view(self, run_id: str) -> RunView:
        """Both."""
        raise NotImplementedError

    def open(self, first: str, second: str) -> str:
        """Both."""
        raise NotImplementedError
