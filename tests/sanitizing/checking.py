"""A plugin of pytest that makes sure that the compiled part is the one that was built with sanitizers."""

from __future__ import annotations

import toolgauge.compiled
from toolgauge.compiled import _compiled

from .building import LIBRARY


def pytest_configure() -> None:
    """Look at what was loaded.

    Raises:
        RuntimeError: It is another one, or was built from other sources.
    """
    if _compiled.__file__ != str(LIBRARY) or not toolgauge.compiled.AVAILABLE:
        raise RuntimeError(f"the compiled part is {_compiled.__file__}, and not what was built with sanitizers")
