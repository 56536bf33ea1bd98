"""Who may ask, and how: checked before a request reaches anything else.

- The Host has to be one that the viewer is known by, exactly: a name of somebody else's that leads here (DNS rebinding)
  is refused.
- A request that another site made is refused by its Origin, and by what browsers say of it; only following a link to a
  page is allowed.
- Reading needs no more on this machine. Bound to other addresses it needs the token, which the printed address brings
  once and a cookie keeps.
- Writing needs POST, and the token in a header, which a page of another site cannot know, and may not send.
- Everything that is answered forbids what it does not need: scripts and styles but ours, frames, forms, other servers.
"""

from __future__ import annotations

import secrets
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolgauge.web import SAFE, refuse, refuse_stranger

__all__ = ["COOKIE", "MAX_BODY", "TOKEN_HEADER", "Guard"]

TOKEN_HEADER = "x-toolgauge-token"  # noqa: S105 - the name of a header
COOKIE = "toolgauge_token"

MAX_BODY = 64 * 1024
"""So many bytes may be sent."""

MAX_QUERY = 8 * 1024

_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str], token: str, needs_token: bool) -> None:
        """Take its place.

        Args:
            app: What is guarded.
            hosts: The values of Host that are answered.
            token: What writing needs.
            needs_token: Whether reading needs it, too.
        """
        self._app = app
        self._hosts = hosts
        self._token = token
        self._needs_token = needs_token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        nonce = secrets.token_urlsafe(16)
        scope["state"] = {**scope.get("state", {}), "nonce": nonce, "token": self._token}
        refusal = self._refusal(scope)
        answered = _with_headers(send, nonce)
        if refusal is not None:
            await refusal(scope, receive, answered)
            return
        await self._app(scope, _limited(receive), answered)

    def _refusal(self, scope: Scope) -> Response | None:
        """The answer to a request that may not be made; None: it may."""
        headers, method = Headers(scope=scope), scope["method"]
        stranger = refuse_stranger(headers, method, self._hosts)
        if stranger is not None:
            return stranger
        if method not in (*SAFE, "POST"):
            return refuse(405, "only GET and POST are answered")
        if len(scope["query_string"]) > MAX_QUERY:
            return refuse(414, "the address is too long")
        if method == "POST":
            return self._refused_to_write(headers)
        return self._refused_to_read(scope, headers) if self._needs_token else None

    def _refused_to_write(self, headers: Headers) -> Response | None:
        if not self._is_token(headers.get(TOKEN_HEADER, "")):
            return refuse(403, "writing needs the token of this viewer")
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length[:9]) > MAX_BODY:
            return refuse(413, "too much is sent at once")
        return None

    def _refused_to_read(self, scope: Scope, headers: Headers) -> Response | None:
        if self._is_token(_cookie(headers)) or self._is_token(headers.get(TOKEN_HEADER, "")):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if any(name == "token" and self._is_token(value) for name, value in query):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            # The path begins with one slash only: with two it would be the address of another server.
            path = "/" + scope["path"].lstrip("/")
            response = RedirectResponse(path + (f"?{rest}" if rest else ""), status_code=303)
            response.set_cookie(COOKIE, self._token, httponly=True, samesite="strict")
            return response
        return refuse(403, "open the address that toolgauge view has printed; it brings the token")

    def _is_token(self, given: str) -> bool:
        return compare_digest(given.encode(), self._token.encode())


def _cookie(headers: Headers) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _limited(receive: Receive) -> Receive:
    """The body of a request, up to its limit, whatever its length was said to be."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        return {"type": "http.disconnect"} if taken > MAX_BODY else message

    return limited


def _with_headers(send: Send, nonce: str) -> Send:
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )

    async def answered(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["content-security-policy"] = policy
            headers.setdefault("cache-control", "no-store")
            for name, value in _HEADERS.items():
                headers[name] = value
        await send(message)

    return answered
