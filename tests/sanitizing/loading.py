"""A plugin of pytest that puts the compiled part with sanitizers in the place of the one that is installed."""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location

from .building import LIBRARY

NAME = "toolgauge.compiled._compiled"


class _Finder:
    """Finds one module, before anybody else is asked."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(NAME, LIBRARY) if name == NAME else None


sys.meta_path.insert(0, _Finder())


def pytest_configure() -> None:
    """Make sure that what is tested is what was meant.

    Raises:
        RuntimeError: It is another one, or was built from other sources.
    """
    import toolgauge.compiled

    loaded = sys.modules[NAME].__file__
    if loaded != str(LIBRARY) or not toolgauge.compiled.AVAILABLE:
        raise RuntimeError(f"the compiled part is {loaded}, and not what was built with sanitizers")
