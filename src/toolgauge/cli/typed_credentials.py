"""Credentials that somebody typed: messages repeat what was typed, and end in logs that others read."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["typed_credentials"]

MARK = "***"


def typed_credentials(arguments: Iterable[str]) -> dict[str, str]:
    """What is not to be shown of the arguments, with what is shown instead: passwords and keys in addresses.

    It is found by what the address looks like, for one that cannot be read is the one that is complained about.
    """
    found: dict[str, str] = {}
    for argument in arguments:
        _, separator, address = argument.partition("://")
        if separator:
            found.update(_of_login(address.rpartition("@")[0]))
            found.update(_of_query(address.partition("?")[2].partition("#")[0]))
    return found


def _of_login(login: str) -> Iterable[tuple[str, str]]:
    from toolgauge.secrets import SHORTEST_GIVEN

    user, _, password = login.partition(":")
    if not password or "/" in user:
        return
    yield f":{password}@", f":{MARK}@"
    if len(password) >= SHORTEST_GIVEN:
        yield password, MARK


def _of_query(query: str) -> Iterable[tuple[str, str]]:
    from toolgauge.secrets import CREDENTIAL_PARAMETER

    for parameter in query.split("&"):
        name, _, value = parameter.partition("=")
        if value and CREDENTIAL_PARAMETER.search(name):
            yield f"{name}={value}", f"{name}={MARK}"
