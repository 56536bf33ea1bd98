"""Objects and exceptions of code that is not ours: in words, whatever their methods do, and copied before it is run.

A text is always made. What an object of somebody's own raises while it is printed ends nothing.
"""

from __future__ import annotations

from opcode import opmap
from types import TracebackType

from .json import JsonValue

__all__ = [
    "Interrupted",
    "Unprintable",
    "copied",
    "described",
    "is_closing",
    "is_interrupt",
    "printed",
    "quoted",
    "readable",
    "type_name",
]

RAISES = frozenset(opmap[name] for name in ("RAISE_VARARGS", "RERAISE"))
"""What the interpreter does where code raises something by itself."""


class Interrupted(KeyboardInterrupt):
    """Somebody at the keyboard wants the program to end at once. No code under test raises this."""

    from_outside = True


class Unprintable(Exception):  # noqa: N818 - a statement reads better than an error's name
    """An object has no text: making it raised something."""


def is_interrupt(error: BaseException) -> bool:
    """Whether somebody who sent a signal is behind an exception, and not the code that it came from.

    Python raises `KeyboardInterrupt` wherever it happens to be when the signal comes; code raises it by an instruction.
    Handlers of our own raise types that say `from_outside`.
    """
    if getattr(type(error), "from_outside", False):
        return True
    if not isinstance(error, KeyboardInterrupt):
        return False
    place = error.__traceback__
    return place is None or not _raises(place)


def is_closing(error: BaseException) -> bool:
    """Whether a coroutine is told to end because nobody will ever wait for it again, and not by code that says so."""
    return isinstance(error, GeneratorExit) and (error.__traceback__ is None or not _raises(error.__traceback__))


def _raises(place: TracebackType) -> bool:
    """Whether the innermost instruction is one that raises."""
    while place.tb_next is not None:
        place = place.tb_next
    code = place.tb_frame.f_code.co_code
    return place.tb_lasti < len(code) and code[place.tb_lasti] in RAISES


def type_name(value: object) -> str:
    """The name of the type of an object, whatever its metaclass would say."""
    found = type.__dict__["__qualname__"].__get__(type(value))
    return readable(str.__str__(found))


def readable(text: str) -> str:
    """The text with lone surrogates, which no file can hold, as escape sequences."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode()
    return str.__str__(text)


def printed(value: object) -> str:
    """The text of an object.

    Raises:
        Unprintable: It has none.
    """
    try:
        return readable(str.__str__(str(value)))
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise Unprintable(f"{type_name(value)} cannot be converted to text: that raised {type_name(error)}") from error


def described(error: BaseException) -> str:
    """The type and the text of an exception, or its type alone."""
    try:
        said = printed(error)
    except Unprintable as failure:
        return f"{type_name(error)} ({failure.__cause__ and type_name(failure.__cause__)} while converting it to text)"
    return f"{type_name(error)}: {said}" if said else type_name(error)


def quoted(value: object, most: int = 80) -> str:
    """An object as code would write it, no longer than so many characters."""
    try:
        text = readable(str.__str__(repr(value)))
    except BaseException as error:
        if is_interrupt(error):
            raise
        return f"<{type_name(value)}>"
    return text if len(text) <= most else f"{text[: most - 3]}..."


def copied(value: JsonValue) -> JsonValue:
    """A copy whose lists and objects are nobody else's: what code does to them changes nothing that is recorded."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [copied(item) for item in value]
    return value
