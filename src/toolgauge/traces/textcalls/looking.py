"""Which texts may be calls, and what is read of them when, as somebody wants it.

What is beyond doubt is read. A text that may be a call, but may as well be an answer, is not, unless its style is asked
for; it is counted, so that nobody takes the silence for an agent that called nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from toolgauge.errors import UsageError, did_you_mean

from . import ANY, AUTO, OFF, STYLES
from .commands import holds_command

if TYPE_CHECKING:
    from .reading import Doubt, WrittenText

__all__ = ["KEYS", "UNDER_NAME", "TextCalls"]

FIRST = frozenset("[{`\"'\\")
ACTING = frozenset("Aa*_#>")
"""What a line with an action may begin with."""

LAST = frozenset(")];`\"'>")
KEYS = ('"name"', "'name'", '"tool_calls"', '"tool_name"', '"action"', '"tool"', '"function"')
ACTION = re.compile(r"(?:^|\n)[ \t>*_#]*[Aa][Cc][Tt][Ii][Oo][Nn][ \t*_\d]*:")

UNDER_NAME = re.compile(r"\s*(?:```(?:json)?\s*)?\{\s*\"[^\W\d][\w.\-]{0,99}\"\s*:\s*\{")
"""How an object begins in which the arguments of a call stand under its name."""


class TextCalls:
    """Reads calls that are written in texts, as somebody wants it."""

    __slots__ = ("_any", "_known", "_runs", "_styles", "everywhere", "off")

    def __init__(self, wanted: str | None = None, known: Callable[[str], bool] | None = None) -> None:
        """Make ready.

        Args:
            wanted: `auto` (the default), `any`, `off`, or names of styles with commas between them.
            known: Whether a name is that of a tool that the suite knows.

        Raises:
            UsageError: There is no such style.
        """
        names = [name.strip() for name in (wanted or AUTO).split(",") if name.strip()]
        for name in names:
            if name not in STYLES and (name not in (AUTO, ANY, OFF) or len(names) > 1):
                known_names = (AUTO, *STYLES, ANY, OFF)
                hint = did_you_mean(name, known_names) or f"known: {', '.join(known_names)}"
                raise UsageError(f"--text-calls {wanted}: {name!r} is not a way of writing calls; {hint}")
        self.off = names == [OFF]
        self._any = names == [ANY]
        self._styles = tuple(name for name in names if name in STYLES)
        self._known = known
        self._runs = "bash" in self._styles
        self.everywhere = self._any or bool(self._styles)
        """Whether answers of native trajectories are read as well, and not messages alone."""

    def may_hold(self, words: str) -> bool:
        """Whether a text may be a call, or look like one; quick, for most texts are not."""
        if self.off:
            return False
        # Single letters are found many times faster than words, and few texts get beyond them.
        if "<" in words:
            return True
        first = words[0]
        if (first in FIRST or (first <= " " and words.lstrip()[:1] in FIRST)) and _may_be_whole(words):
            return True
        if "{" in words and _may_hold_object(words):
            return True
        if "=" in words and (("(" in words and words[-1] in LAST) or "to=functions." in words):
            return True
        if ":" in words and _may_hold_action(words):
            return True
        if self._runs and ("\n" in words or first in ACTING) and holds_command(words):
            return True
        return words.endswith("})") or "Function" in words or "✿" in words

    def read(self, words: str) -> WrittenText | None:
        """The calls that a text is; None where it is something else, or may be."""
        from .reading import after_thinking, read_first  # with every style, which few files need

        text = "" if self.off else after_thinking(words)
        if not text:
            return None
        if self._styles:
            return read_first(text, self._styles, sure=False, known=_any_name)
        found = read_first(text, STYLES, sure=True, known=self._known)
        return read_first(text, STYLES[:-1], sure=False, known=self._known) if found is None and self._any else found

    def doubt(self, words: str) -> Doubt | None:
        """Why a text that was not read as a call looks like one; None where it does not."""
        from .reading import after_thinking, find_doubt

        text = "" if self.off else after_thinking(words)
        return find_doubt(text, self._known) if text else None


def _any_name(name: str) -> bool:  # noqa: ARG001 - whoever asks for a style says that the names are those of tools
    return True


def _may_hold_object(words: str) -> bool:
    """Whether a text with a brace may hold a call as an object."""
    return "\n{" in words or "[TOOL_CALLS]" in words or any(key in words for key in KEYS)


def _may_hold_action(words: str) -> bool:
    """Whether a text with a colon may name an action or a tool before one."""
    if "Tool" in words or "Action:" in words:
        return True
    return "ction" in words and ("\n" in words or words[0] in ACTING) and ACTION.search(words) is not None


def _may_be_whole(words: str) -> bool:
    """Whether a text that begins with a bracket or a quotation mark may be nothing but calls."""
    if words.startswith('["'):
        return True
    if "{" in words and (any(key in words for key in KEYS) or words.lstrip("`json \n\t\r").startswith("[{")):
        return True
    if words.rstrip("` \n\t\r").endswith("}") and UNDER_NAME.match(words) is not None:
        return True
    return "(" in words and words.rstrip()[-1] in LAST
