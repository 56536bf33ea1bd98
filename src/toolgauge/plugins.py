"""Finding parts that other packages bring, by name: entry points of the groups `toolgauge.<kind>`.

A part is imported when it is asked for, never before.
"""

from __future__ import annotations

from typing import Any

from toolgauge.errors import PluginError, UsageError, did_you_mean

__all__ = ["check_object_name", "find_plugins", "load_object", "load_plugin"]


def find_plugins(kind: str) -> list[str]:
    """The names of the parts of a kind, such as `traces`, that installed packages bring."""
    from importlib.metadata import entry_points

    return sorted(entry_points(group=f"toolgauge.{kind}").names)


def load_plugin(kind: str, name: str) -> Any:
    """Import a part.

    Raises:
        PluginError: There is none of that name, or it cannot be imported.
    """
    from importlib.metadata import entry_points

    found = entry_points(group=f"toolgauge.{kind}")
    if name not in found.names:
        raise PluginError(f"no part of kind {kind!r} is called {name!r}; {did_you_mean(name, sorted(found.names))}")
    entry = found[name]
    try:
        return entry.load()
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise PluginError(f"{entry.value}, which {kind!r} {name!r} stands for, cannot be imported: {what}") from error


def check_object_name(name: str, *, allow_code: bool) -> tuple[str, str]:
    """The module and the object in it that a name stands for, without importing anything.

    Raises:
        UsageError: It was not allowed, or the name is not of that form.
    """
    module, separator, path = name.partition(":")
    if not separator or not module or not path:
        raise UsageError(f"{name!r} does not name a Python object; write module:object")
    if not allow_code:
        raise UsageError(f"{name!r} is Python code, which is run only with --allow-code")
    return module, path


def load_object(name: str, *, allow_code: bool) -> Any:
    """Import a Python object that somebody names as `module:object`.

    Args:
        name: The module and what is in it, with dots where it lies deeper.
        allow_code: Whether the person at the keyboard said that code may be run.

    Raises:
        UsageError: It was not allowed, or the name is not of that form.
        PluginError: It cannot be imported.
    """
    module, path = check_object_name(name, allow_code=allow_code)
    import sys
    from importlib import import_module

    if "" not in sys.path:
        # Modules in the current directory are found, as with python -m.
        sys.path.insert(0, "")
    try:
        found: Any = import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except Exception as error:
        raise PluginError(f"{name!r} cannot be imported: {type(error).__name__}: {error}") from error
    return found
