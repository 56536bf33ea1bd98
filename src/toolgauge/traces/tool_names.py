"""One name for a tool that recorders write in several ways: `functions.x`, `mcp__server__x`, `a.b` and `a_b`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from toolgauge.core import Suite, nfc

__all__ = ["ToolNames", "known_tools"]

UNNAMED = "unnamed"
"""What the tool of a call is named if it has no name."""

NAMESPACES = ("functions.", "functions:", "default_api.", "tools.", "default_api:")
"""What some models and providers write before the name of any tool."""

PROTOCOL = "mcp__"
SEPARATORS = str.maketrans(".-/: ", "_____")


class ToolNames:
    """Finds the name that a suite uses for a tool, or else the plain one."""

    def __init__(self, known: Collection[str] = (), *, exact: bool = False) -> None:
        """Names that are known, of tools that are defined or expected, are never changed, and preferred.

        Args:
            known: Those names.
            exact: Whether every other name stays what it is, too.
        """
        self._exact = exact
        self._known = frozenset(known)
        self._folded: dict[str, str] = {}
        for name in sorted(self._known):
            folded = _fold(name)
            # Where two known tools differ by their separators alone, either spelling stays what it is.
            self._folded[folded] = "" if folded in self._folded else name
        self._found: dict[str, str] = {}

    def __call__(self, recorded: str) -> str:
        """The name of the tool that was recorded in this way."""
        if self._exact:
            return recorded or UNNAMED
        name = self._found.get(recorded)
        if name is None:
            name = self._find(nfc(recorded.strip()) or UNNAMED)
            if len(self._found) < 10_000:  # a recorder with a new name in every line must not fill the memory
                self._found[recorded] = name
        return name

    def is_known(self, recorded: str) -> bool:
        """Whether a name as it was recorded is that of a known tool."""
        return self(recorded) in self._known

    def _find(self, recorded: str) -> str:
        if recorded in self._known:
            return recorded
        shorter = list(_shorter(recorded))
        for name in shorter:
            if name in self._known:
                return name
        for name in (recorded, *shorter):
            known = self._folded.get(_fold(name))
            if known:
                return known
        if recorded.startswith(PROTOCOL) and shorter:
            # The name of a server may hold the separator, too; only a known name tells where the tool's begins.
            _, *rest = shorter[-1].split("__")
            for start in range(len(rest)):
                name = "__".join(rest[start:])
                known = name if name in self._known else self._folded.get(_fold(name))
                if known:
                    return known
        return shorter[-1] if shorter else recorded


def known_tools(suite: Suite) -> frozenset[str]:
    """Every tool that a suite names: those that it defines, expects, allows and forbids."""
    names = {tool.name for tool in suite.tools}
    for case in suite.cases:
        names.update(call.tool for plan in case.expect.plans for call in plan.calls)
        names.update(case.expect.neutral, case.expect.forbid)
    return frozenset(names)


def _shorter(name: str) -> Iterator[str]:
    """The name without what was put before it, from the most to the least of it left."""
    for namespace in NAMESPACES:
        if name.startswith(namespace) and len(name) > len(namespace):
            name = name.removeprefix(namespace)
            yield name
    if name.startswith(PROTOCOL):
        server, separator, tool = name.removeprefix(PROTOCOL).partition("__")
        if server and separator and tool:
            yield tool


def _fold(name: str) -> str:
    return name.translate(SEPARATORS).lower()
