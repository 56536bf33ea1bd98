"""What happened to a connection, in words that a person can do something about."""

from __future__ import annotations

import errno
import os
import re
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

__all__ = [
    "REDIRECT_HINT",
    "ConnectionFault",
    "address_of",
    "describe_fault",
    "describe_redirect",
    "shown_address",
    "without_credentials",
]

ADDRESS_VARIABLES = {
    "azure": ("AZURE_OPENAI_ENDPOINT",),
    "cohere": ("CO_BASE_URL",),
    "gateway": ("PYDANTIC_AI_GATEWAY_BASE_URL", "PAIG_BASE_URL"),
    "github_copilot": ("GITHUB_COPILOT_BASE_URL", "COPILOT_API_URL"),
    "google": ("GOOGLE_GEMINI_BASE_URL",),
    "heroku": ("HEROKU_INFERENCE_URL",),
    "openai_chat": ("OPENAI_BASE_URL",),
    "openai_responses": ("OPENAI_BASE_URL",),
}
"""By provider the variables of the environment that say where it is asked; of all others it is `PROVIDER_BASE_URL`."""

NEVER_MADE = ("ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol")
"""What HTTP clients call it when there was no connection at all."""

MAX_DEPTH = 20

WORDS = {
    errno.ECONNREFUSED: "connection refused",
    errno.ECONNRESET: "connection reset",
    errno.EPIPE: "connection reset",
    errno.EHOSTUNREACH: "no route to the host",
    errno.ENETUNREACH: "the network is unreachable",
    errno.ETIMEDOUT: "the connection timed out",
    errno.EADDRNOTAVAIL: "the address cannot be used from here",
}


REDIRECTS = {300, 301, 302, 303, 305, 307, 308}
"""Statuses by which a server says that what is wanted is somewhere else."""

REDIRECT_HINT = "redirects are not followed, so that no key leaks: check the address"

LONGEST_PLACE = 200


def address_of(name: str, base_url: str | None = None) -> str | None:
    """Where a model is asked, by what was given or by the environment; None: where its provider is at home."""
    provider = name.partition(":")[0].partition("/")[0].replace("-", "_").lower()
    variables = ADDRESS_VARIABLES.get(provider, (f"{provider.upper()}_BASE_URL",))
    return base_url or next((found for one in variables if (found := os.environ.get(one))), None)


@dataclass(frozen=True, slots=True)
class ConnectionFault:
    """Why there was no reply, or not all of it."""

    reason: str
    """What happened, such as `connection refused`; empty: nobody says."""
    never_made: bool
    """Whether there was no connection at all."""
    address: str = ""
    """Where one was wanted, without credentials, path and query; empty: not known."""


def describe_fault(error: BaseException) -> ConnectionFault:
    """What the exceptions behind an error say about the connection."""
    chain = list(_behind(error))
    never_made = any(type(one).__name__ in NEVER_MADE for one in chain)
    urls = (getattr(getattr(one, "_request", None), "url", None) for one in chain)
    address = next((shown_address(str(url)) for url in urls if url is not None), "")
    reasons = (words for one in reversed(chain) if (words := _reason(one)))
    named = next(reasons, "") or next((str(one) for one in reversed(chain) if str(one)), type(chain[-1]).__name__)
    if any(type(one).__name__ == "ConnectTimeout" for one in chain):
        named = WORDS[errno.ETIMEDOUT]
    return ConnectionFault(named, never_made, address)


def describe_redirect(status: int, location: str | None, asked: str) -> str:
    """The status of a redirect and the place that it points to; empty: it is none.

    Of another server only its address is shown, of the same one the path: that is what has to be corrected.

    Args:
        status: The status of the reply.
        location: What it says under `Location`, a whole URL or a path on the same server.
        asked: The URL that was asked.
    """
    if status not in REDIRECTS:
        return ""
    if not location:
        return f"HTTP {status} without an address"
    try:
        place = urljoin(asked, location)
        same = shown_address(place) == shown_address(asked)
        place = without_credentials(place) if same else shown_address(place)
    except ValueError:
        place = ""
    if not re.match(r"https?://[^/]", place):
        return f"HTTP {status} to an address that cannot be read"
    place = place if len(place) <= LONGEST_PLACE else place[:LONGEST_PLACE] + "…"
    shown = "".join(sign if sign.isprintable() else "?" for sign in place)
    return f"HTTP {status} to {shown}"


def without_credentials(url: str) -> str:
    """The URL without name, password and query."""
    return _rid_of_credentials(url, path=True)


def shown_address(url: str) -> str:
    """The part of a URL that says which server it is; no path, query, name or password."""
    return _rid_of_credentials(url, path=False)


def _rid_of_credentials(url: str, *, path: bool) -> str:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return ""
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}" + (f":{port}" if port is not None else "") + (parts.path if path else "")


def _behind(error: BaseException) -> Iterator[BaseException]:
    """The error and what caused it, from the outermost to the innermost.

    Of errors that were handled while it was raised only those count that are about connections: whatever the program
    was busy with before is there, too.
    """
    left: BaseException | None = error
    for _ in range(MAX_DEPTH):
        if left is None:
            return
        yield left
        if isinstance(left, BaseExceptionGroup):
            left = left.exceptions[0]
        elif left.__cause__ is not None:
            left = left.__cause__
        else:
            left = left.__context__ if _concerns_connections(left.__context__) else None


def _concerns_connections(error: BaseException | None) -> bool:
    return isinstance(error, (OSError, BaseExceptionGroup)) or type(error).__module__.split(".")[0] in (
        "anyio",
        "httpcore",
        "httpcore2",
        "httpx",
        "httpx2",
    )


def _reason(error: BaseException) -> str:
    if isinstance(error, socket.gaierror):
        return f"there is no such host ({error.strerror or error})"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"TLS: the certificate is not accepted ({getattr(error, 'verify_message', '') or error})"
    if isinstance(error, ssl.SSLError):
        return f"TLS: {(getattr(error, 'reason', None) or str(error)).replace('_', ' ').lower()}"
    if isinstance(error, OSError) and error.errno is not None:
        return WORDS.get(error.errno, "")
    return ""
