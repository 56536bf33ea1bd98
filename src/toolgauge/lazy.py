"""Names of a package that are imported when they are first used, so that each command loads only what it needs."""

from __future__ import annotations

TYPE_CHECKING = False  # what type checkers take for true; importing it from typing costs more than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["lazy_exports"]


def lazy_exports(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package.

    Args:
        package: Its name.
        homes: By module the names that it is the home of, with blanks between them; `.module` is one of the package.
    """
    found = {name: module for module, names in homes.items() for name in names.split()}

    def getattr_of_package(name: str) -> object:
        if name not in found:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(found[name], package), name)

    return getattr_of_package
