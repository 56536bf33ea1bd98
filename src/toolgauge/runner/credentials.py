"""The credentials that a run can come across: those of the environment, and those in the addresses it was given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, unquote, urlsplit

from toolgauge.errors import UsageError
from toolgauge.secrets import Secrets

__all__ = ["addresses_of", "headers_of", "known_secrets"]


def known_secrets(
    base_url: str | None, addresses: Iterable[str] = (), headers: Mapping[str, str] | None = None
) -> Secrets:
    """What must not be stored or shown.

    Args:
        base_url: Where the model is asked.
        addresses: Of agents and servers of tools.
        headers: What agents are asked with.
    """
    values: dict[str, str] = {}
    for number, address in enumerate(addresses, 1):
        for name, value in _parts(address):
            values[f"ADDRESS_{number}.{name}"] = value
    known = Secrets.from_environment().including(values, headers=headers, url=base_url)
    return known.including_given({name: value for name, value in (headers or {}).items() if not _is_harmless(name)})


def check_addresses(addresses: Iterable[str]) -> None:
    """Refuse what cannot be the address of a server, before anything is asked.

    Raises:
        UsageError: One has no host, a port that there is none of, or characters that no address has.
    """
    for address in addresses:
        if not address.lower().startswith(("http://", "https://")):
            continue
        try:
            parts = urlsplit(address)
            good = bool(parts.hostname) and parts.port != 0 and address.isprintable() and " " not in address
        except ValueError:
            good = False
        if not good:
            known = address.rpartition("@")[2].partition("?")[0]
            raise UsageError(f"{known!r} is not the address of a server; write http://host:port/path")


def _is_harmless(header: str) -> bool:
    """Whether the values of a header are words that everybody knows."""
    return header.lower().startswith(("accept", "content-")) or header.lower() == "user-agent"


def _parts(address: str) -> Iterator[tuple[str, str]]:
    """The parts of an address that let somebody in: password, user where there is none, values of the query."""
    try:
        parts = urlsplit(address)
        if parts.password or parts.username:
            yield "login", unquote(parts.password or parts.username or "")
        yield from parse_qsl(parts.query)
    except ValueError:
        return  # no address, though it looks like one


def addresses_of(agents: object, servers: Iterable[str]) -> list[str]:
    """The addresses among agents and servers, which may be names, commands or objects as well."""
    given = (one if isinstance(one, str) else getattr(one, "url", None) for one in (*_each(agents), *servers))
    return [one for one in given if isinstance(one, str) and "://" in one]


def headers_of(agents: object) -> dict[str, str]:
    """The headers that agents among these objects send."""
    found: dict[str, str] = {}
    for one in _each(agents):
        headers = getattr(one, "headers", None)
        if isinstance(headers, Mapping):
            found.update({str(name): str(value) for name, value in headers.items()})
    return found


def _each(agents: object) -> Iterable[object]:
    if isinstance(agents, Mapping):
        return agents.values()
    return agents if isinstance(agents, (list, tuple)) else [agents]
