"""Refusing what nobody has any business to ask: requests under another name, and those that another site has made."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, Response

__all__ = ["SAFE", "refuse", "refuse_stranger"]

SAFE = ("GET", "HEAD")
"""Methods that change nothing."""

_OURS = ("same-origin", "none")
"""What browsers say of requests that our own pages, or nobody's, have made."""


def refuse_stranger(headers: Headers, method: str, hosts: frozenset[str]) -> Response | None:
    """The answer to a request under a name that is not ours, or of another site; None: it may be made.

    Args:
        headers: Those of the request.
        method: GET, POST, ...
        hosts: The values of Host that are answered.
    """
    named = headers.getlist("host")
    if len(named) != 1 or named[0].lower() not in hosts:
        return refuse(400, "this server is not known by that name")
    if "upgrade" in headers:
        return refuse(403, "there are no such connections here")
    origin = headers.get("origin")
    if origin is not None and origin.lower() != f"http://{named[0].lower()}":
        return refuse(403, "another site may not ask")
    if headers.get("sec-fetch-site", "none") not in _OURS and not _follows_link(headers, method):
        return refuse(403, "another site may not ask")
    return None


def _follows_link(headers: Headers, method: str) -> bool:
    """Whether somebody comes to a page by a link of another site: that changes nothing, and the other sees nothing."""
    return (
        method in SAFE and headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    )


def refuse(status: int, why: str) -> Response:
    """The answer to a request that may not be made."""
    return JSONResponse({"error": why}, status_code=status)
