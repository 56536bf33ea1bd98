"""The credentials that a run can come across: those of the environment, and those in the addresses it was given."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, unquote, urlsplit

from toolgauge.secrets import Secrets

__all__ = ["addresses_of", "known_secrets"]


def known_secrets(base_url: str | None, addresses: Iterable[str] = ()) -> Secrets:
    """What must not be stored or shown.

    Args:
        base_url: Where the model is asked.
        addresses: Of agents and servers of tools.
    """
    values: dict[str, str] = {}
    for number, address in enumerate(addresses, 1):
        for name, value in _parts(address):
            values[f"ADDRESS_{number}.{name}"] = value
    return Secrets.from_environment().including(values, url=base_url)


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
    given = (
        agents.values() if isinstance(agents, Mapping) else agents if isinstance(agents, (list, tuple)) else [agents]
    )
    return [one for one in (*given, *servers) if isinstance(one, str) and "://" in one]
