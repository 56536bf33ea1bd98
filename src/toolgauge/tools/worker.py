"""The process behind an isolated tool: imports one function, and calls it for every line it is given."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

import msgspec

from toolgauge.core import JsonValue

from .functions import FunctionTool, from_function
from .results import as_json

__all__ = ["main"]


def main() -> None:
    """Serve calls until the input ends."""
    settings = msgspec.json.decode(sys.argv[1])
    sys.path[:] = settings["path"]
    if settings["memory"]:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (settings["memory"], settings["memory"]))
    # What the tool prints must not get between the replies.
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    module, _, qualified = settings["target"].partition(":")
    found: object = import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    tool = from_function(cast(Callable[..., object], found))
    with asyncio.Runner() as runner:
        for line in sys.stdin.buffer:
            replies.write(msgspec.json.encode(runner.run(_reply(tool, line))) + b"\n")
            replies.flush()


async def _reply(tool: FunctionTool, line: bytes) -> dict[str, JsonValue]:
    try:
        return {"result": as_json(await tool.call(msgspec.json.decode(line)))}
    except BaseException as error:  # noqa: BLE001 - whatever the tool raises is its reply
        return {"error": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
