"""The process behind an isolated tool: imports one function, and calls it for every line it is given."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib import import_module
from typing import cast

from toolgauge.core import JsonValue, Unprintable, described, type_name

from .functions import FunctionTool, from_function
from .results import as_json
from .serving import Serving
from .threads import Ended

__all__ = ["main"]


def main() -> None:
    """Serve calls until the input ends."""
    serving = Serving()
    module, _, qualified = serving.target.partition(":")
    found: object = import_module(module)
    for part in qualified.split("."):
        found = getattr(found, part)
    tool = from_function(cast(Callable[..., object], found))
    with asyncio.Runner() as runner:
        for asked in serving.requests():
            reply = runner.run(_reply(tool, cast(dict[str, JsonValue], asked["args"])))
            serving.reply({"number": asked["number"], **reply})


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
