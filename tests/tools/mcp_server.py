"""A small MCP server of our own, started by tests: over standard input and output, or over HTTP with a port."""

from __future__ import annotations

import os
import sys

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("weather")


def get_weather(city: str) -> dict[str, object]:
    """The weather of a city."""
    return {"city": city, "celsius": 31}


def echo(text: str) -> str:
    """Say it again."""
    sys.stderr.write("noise on standard error\n")
    return text


def fail(why: str) -> str:
    """Fail."""
    raise ToolError(why)


def die() -> str:
    """End at once."""
    sys.stderr.write("out of memory\n")
    sys.stderr.flush()
    os._exit(7)


for tool in (get_weather, echo, fail, die):
    server.add_tool(tool)

if __name__ == "__main__":
    if sys.argv[1:] == ["noisy"]:
        sys.stderr.write("noise on standard error\n" * 100_000)
        server.run("stdio")
    elif len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
