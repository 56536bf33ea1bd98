"""The style and the scripts of pages, as they stand in a page of one file."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files

__all__ = ["ENTRY", "hashed", "modules", "script", "static_text", "style"]

ENTRY = "onefile.js"

_IMPORT = re.compile(r'^import (?:\{[^}]*\} from )?"\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:\{\};\n)?", re.MULTILINE)


@cache
def static_text(name: str) -> str:
    """A file of the folder `static`."""
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def style() -> str:
    """The style of every page."""
    return "\n" + static_text("style.css")


@cache
def modules(entry: str = ENTRY) -> tuple[str, ...]:
    """The names of the modules that an entry needs, each behind those that it imports."""
    found: dict[str, None] = {}
    begun: set[str] = set()

    def visit(name: str) -> None:
        if name in begun:
            return
        begun.add(name)
        for needed in _IMPORT.findall(static_text(name)):
            visit(needed)
        found[name] = None

    visit(entry)
    return tuple(found)


@cache
def script(entry: str = ENTRY) -> str:
    """All modules as one: what they export and import by name is simply there."""
    parts = [_EXPORT.sub("", _IMPORT.sub("", static_text(name))).strip() for name in modules(entry)]
    return "\n" + "\n\n".join(parts) + "\n"


def hashed(text: str) -> str:
    """How a policy names a script or a style that may be used."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
