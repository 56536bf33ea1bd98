"""Code that is not ours: its objects and exceptions in words, values copied before it is run, tasks it cannot see.

A text is always made. What an object of somebody's own raises while it is printed ends nothing.
"""

from __future__ import annotations

from collections.abc import Coroutine
from functools import partial
from opcode import opmap
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import ref

from .json import JsonValue

if TYPE_CHECKING:
    import asyncio
    from contextvars import Context

__all__ = [
    "Insistence",
    "Interrupted",
    "Unprintable",
    "copied",
    "cut",
    "described",
    "is_closing",
    "is_interrupt",
    "own_task",
    "printed",
    "quoted",
    "readable",
    "traced",
    "type_name",
    "unfinished_tasks",
]

T = TypeVar("T")
E = TypeVar("E", bound=BaseException)

RAISES = frozenset(opmap[name] for name in ("RAISE_VARARGS", "RERAISE"))
"""What the interpreter does where code raises something by itself."""


FRAMES = -8
"""How many of the innermost places of a traceback are kept."""

MAX_WORDS, MAX_TRACE = 4_000, 20_000
"""How many characters are kept of what an exception says, and of its traceback."""


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
    return f"{type_name(error)}: {cut(said)}" if said else type_name(error)


def cut(words: str) -> str:
    """What an exception says, no longer than anybody reads."""
    return words if len(words) <= MAX_WORDS else f"{words[:MAX_WORDS]} ..."


def traced(error: BaseException) -> str:
    """The traceback of an exception: its innermost places, and the end of what it says."""
    import traceback

    try:
        lines = "".join(traceback.format_exception(error, limit=FRAMES))
    except Exception:  # noqa: BLE001 - an exception of somebody's own, which cannot even be looked at
        lines = "".join([*traceback.format_tb(error.__traceback__, limit=FRAMES), described(error)])
    return readable(lines if len(lines) <= MAX_TRACE else f"... {lines[-MAX_TRACE:]}")


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


class Insistence:
    """Sends a signal once nobody holds an exception any more: code has caught it, and goes on.

    The handler of that signal raises it again, outside of whatever has caught it. No code in Python runs in between: it
    would receive the signal itself.
    """

    def __init__(self, number: int) -> None:
        """Of the signal of that number, which Python handles."""
        import ctypes

        send = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.py_object)
        # The reference that it is called with is more than it takes, and does no harm.
        self._send = partial(send(("PyErr_SetInterruptEx", ctypes.pythonapi)), number)
        self._watched: ref[BaseException] | None = None

    def on(self, error: E) -> E:
        """Watch an exception that is about to be raised. No variable may hold it, since a traceback holds those."""
        self._watched = ref(error, self._send)
        return error

    def end(self) -> None:
        """Send nothing any more."""
        self._watched = None


_own_tasks: set[asyncio.Task[Any]] = set()
"""Tasks that work for us and are not done. Something has to hold a reference."""


def own_task(
    work: Coroutine[Any, Any, T],
    *,
    loop: asyncio.AbstractEventLoop | None = None,
    context: Context | None = None,
) -> asyncio.Task[T]:
    """A task that code under test has no part in: no task factory makes it, and `asyncio.all_tasks()` does not list it.

    Agents and the libraries that they use cancel all tasks that they can see, to clear up after themselves.

    Args:
        work: What it does.
        loop: The event loop; default: the running one.
        context: The context variables that it has; default: a copy of the current ones.
    """
    import asyncio

    task = asyncio.Task(work, loop=loop or asyncio.get_running_loop(), context=context)
    asyncio._unregister_task(task)  # documented in "Extending asyncio"
    _own_tasks.add(task)
    task.add_done_callback(_own_tasks.discard)
    return task


def unfinished_tasks(loop: asyncio.AbstractEventLoop) -> set[asyncio.Task[Any]]:
    """All tasks of an event loop that are not done, those included that code under test does not see."""
    import asyncio

    return {*asyncio.all_tasks(loop), *(task for task in list(_own_tasks) if task.get_loop() is loop)}
