"""The process behind an isolated tool: imports one function, and calls it for every line it is given."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

import msgspec

from toolgauge.core import JsonValue, Unprintable, described, type_name

from .functions import FunctionTool, from_function
from .results import as_json
from .threads import Ended

__all__ = ["main"]


PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> None:
    """Serve calls until the input ends."""
    # What the tool reads and prints must not get between requests and replies.
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    settings = msgspec.json.decode(requests.readline())
    _stay_with(settings["parent"])
    sys.path[:] = settings["path"]
    if settings["memory"]:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (settings["memory"], settings["memory"]))
    module, _, qualified = settings["target"].partition(":")
    found: object = import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    tool = from_function(cast(Callable[..., object], found))
    with asyncio.Runner() as runner:
        for line in requests:
            asked = msgspec.json.decode(line)
            reply = msgspec.json.encode(runner.run(_reply(tool, asked["args"])))
            replies.write(f"{settings['word']} {asked['number']} ".encode() + reply + b"\n")
            replies.flush()


def _stay_with(parent: int) -> None:
    """End when the process ends that asks, even if it is killed, and keep whatever the tool starts among one's own."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes
    import signal

    library = ctypes.CDLL(None)
    library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    library.prctl(PR_SET_CHILD_SUBREAPER, 1)
    if os.getppid() != parent:
        sys.exit(0)  # it is gone already


async def _reply(tool: FunctionTool, args: dict[str, JsonValue]) -> dict[str, JsonValue]:
    try:
        value = await tool.call(args)
    except Ended as error:
        return {"error": str(error)}
    except BaseException as error:  # noqa: BLE001 - whatever the tool raises is its reply
        return {"error": described(error)}
    try:
        return {"result": as_json(value)}
    except BaseException as error:  # noqa: BLE001 - and whatever its result does
        why = str(error) if isinstance(error, Unprintable) else described(error)
        kind = type_name(value)
        return {"error": f"the result of {tool.definition.name!r}, of type {kind}, cannot be read: {why}"}


if __name__ == "__main__":
    main()
