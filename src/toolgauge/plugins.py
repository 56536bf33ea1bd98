"""Finding parts that other packages bring, by name: entry points of the groups `toolgauge.<kind>`.

A part is imported when it is asked for, never before.
"""

from __future__ import annotations

from typing import Any

from toolgauge.errors import PluginError, did_you_mean

__all__ = ["find_plugins", "load_plugin"]


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
