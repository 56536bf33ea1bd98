"""Keeping credentials out of everything that is stored, shown or logged.

What counts as a credential is known by where it comes from: environment variables that are named like one, headers
that carry one, the user part and the key parameters of a URL. Their values are then replaced wherever they turn up.
"""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import Case, Expect, JsonValue, Plan, Trajectory

__all__ = ["Secrets", "hidden_in_messages", "masked_url", "typed_credentials"]

SHORTEST = 8
"""Shorter values are likely to be words that occur by chance."""

SHORTEST_GIVEN = 4
"""What somebody says is a credential may be shorter than what only looks like one."""

CREDENTIAL_NAME = re.compile(
    r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|COOKIES?|JWT|AUTH|AUTHORIZATION|BEARER)($|_)"
    r"|(^|_)(PASSWORD|JWT|COOKIE|AUTH(?=_|$))|_(PAT|PWD|PASS)$|^PAT$",
    re.I,
)
PLACE_NAME = re.compile(r"_(FILE|PATH|DIR|DIRECTORY|URL|URI|HOST|PORT|NAME|SOCK)$", re.I)
"""Variables that say where a credential is kept, not what it is."""

CREDENTIAL_HEADER = re.compile(r"authorization|cookie|key|token|secret|password", re.I)
CREDENTIAL_PARAMETER = re.compile(r"key|token|secret|password|signature|^sig$|^code$", re.I)
AUTHORIZATION_SCHEME = re.compile(r"(?:bearer|basic|token|apikey)\s+", re.I)

NUMERIC = re.compile(rb"[-+.0-9eE]+")
JSON_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)

KEPT: dict[type[Struct], frozenset[str]] = {
    Case: frozenset({"id", "labels", "locale"}),
    Expect: frozenset({"order", "extra"}),
    Plan: frozenset({"order"}),
    Trajectory: frozenset({"case", "agent", "state"}),
}
"""Names that others find a thing by, and words of a closed list: a mark in their place would break what refers to them.
A password may be an everyday word, and such a word the id of a case."""

PORT_AND_PATH = re.compile(r"\d{1,5}/")
MARK = "***"
"""Stands where somebody typed a credential."""

Value = TypeVar("Value", str, bytes, JsonValue)
S = TypeVar("S", bound=Struct)


class Secrets:
    """Known credentials by name, and how to take them out of a text or a JSON value."""

    def __init__(self, values: Mapping[str, str], *, shortest: int = SHORTEST) -> None:
        self._values = {name: value for name, value in values.items() if len(value) >= shortest}
        marks: dict[str, str] = {}
        for name, value in self._values.items():
            for form in _forms(value):
                marks.setdefault(form, f"[redacted {name}]")
        # The longest first: a value that is part of another must not leave the rest of that one behind.
        self._marks = sorted(marks.items(), key=lambda pair: -len(pair[0]))
        self._byte_marks = [(form.encode("utf-8", "surrogatepass"), mark.encode()) for form, mark in self._marks]

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Secrets:
        """The credentials that environment variables hold, by default those of this process."""
        variables = os.environ if environment is None else environment
        values: dict[str, str] = {}
        for name, value in variables.items():
            if CREDENTIAL_NAME.search(name) and not PLACE_NAME.search(name):
                values[_mark_name(name)] = value
            values.update(_of_url(value, _mark_name(name)))
        return cls(values)

    def including(
        self,
        values: Mapping[str, str] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        url: str | None = None,
    ) -> Secrets:
        """These and more: by name, and what headers and a URL carry."""
        more = {_mark_name(name): value for name, value in (values or {}).items()}
        for name, value in (headers or {}).items():
            if CREDENTIAL_HEADER.search(name):
                more[_mark_name(name)] = AUTHORIZATION_SCHEME.sub("", value, count=1).strip()
        if url:
            more.update(_of_url(url, "URL"))
        long = {name: value for name, value in more.items() if len(value) >= SHORTEST}
        return Secrets({**self._values, **long}, shortest=SHORTEST_GIVEN)

    def including_given(self, headers: Mapping[str, str]) -> Secrets:
        """These and the values of headers that somebody gave to be sent and not to be seen.

        Short ones count only where the name of the header says what they are.
        """
        values = {name: AUTHORIZATION_SCHEME.sub("", value, count=1).strip() for name, value in headers.items()}
        least = {name: SHORTEST_GIVEN if CREDENTIAL_HEADER.search(name) else SHORTEST for name in values}
        more = {_mark_name(name): value for name, value in values.items() if len(value) >= least[name]}
        return Secrets({**self._values, **more}, shortest=SHORTEST_GIVEN)

    def joined(self, others: Secrets) -> Secrets:
        """These and others."""
        return Secrets({**others._values, **self._values}, shortest=SHORTEST_GIVEN)

    def __len__(self) -> int:
        return len(self._values)

    def redact(self, value: Value) -> Value:
        """The same value with a mark in the place of every credential; the same object where there is none.

        Bytes are taken for JSON in UTF-8, and stay that. In objects, keys are looked at too. Numbers are left as they
        are: a credential of digits only is found where it is text.
        """
        if not self._marks:
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, bytes):
            return self._bytes(value)
        return self._json(value)

    def redact_struct(self, value: S) -> S:
        """A value of ours likewise, with everything that it is made of; what it is known by stays as it is."""
        kept = KEPT.get(type(value), frozenset())
        changes = {}
        for name in value.__struct_fields__:
            old = getattr(value, name)
            if name not in kept and (new := self._part(old)) is not old:
                changes[name] = new
        return replace(value, **changes) if changes else value

    def _part(self, value: Any) -> Any:
        if isinstance(value, Struct):
            return self.redact_struct(value)
        if isinstance(value, tuple):
            parts = tuple(map(self._part, value))
            return value if all(new is old for new, old in zip(parts, value, strict=True)) else parts
        # What is no JSON is Python code, which stays as it is.
        return self._json(value)

    def _text(self, text: str) -> str:
        for form, mark in self._marks:
            if form in text:
                text = text.replace(form, mark)
        return text

    def _bytes(self, data: bytes) -> bytes:
        for form, mark in self._byte_marks:
            if form not in data:
                continue
            if NUMERIC.fullmatch(form):
                # A mark in the place of a number would leave something that is no JSON.
                data = _inside_strings(data, form, mark)
            else:
                data = data.replace(form, mark)
        return data

    def _json(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, (list, tuple)):
            items = [self._json(item) for item in value]
            return value if all(new is old for new, old in zip(items, value, strict=True)) else items
        if isinstance(value, dict):
            fields = {self._text(key): self._json(item) for key, item in value.items()}
            unchanged = all(
                key is old_key and item is old_item
                for (key, item), (old_key, old_item) in zip(fields.items(), value.items(), strict=False)
            )
            return value if unchanged and len(fields) == len(value) else fields
        return value


def masked_url(url: str) -> str:
    """The URL as people may see it: a mark in the place of user and password, and without its query.

    Whoever forgets to escape a character of a password does not lay it open: where it cannot be told what is what,
    only the scheme is left.
    """
    scheme, separator, rest = url.partition("://")
    if not separator:
        return url
    login, at, place = rest.rpartition("@")
    if "?" in login or "#" in login:
        return f"{scheme}://***"
    place = place.partition("?")[0].partition("#")[0]
    return f"{scheme}://***@{place}" if at else f"{scheme}://{place}"


def _inside_strings(data: bytes, form: bytes, mark: bytes) -> bytes:
    return JSON_STRING.sub(lambda match: match[0].replace(form, mark), data)


def _mark_name(name: str) -> str:
    """A name that can stand in a mark, whatever holds the mark: JSON, XML or a line of a log."""
    return re.sub(r"[^A-Za-z0-9_.-]", "_", name)


def _of_url(url: str, name: str) -> dict[str, str]:
    """The password of a URL, and the parameters that look like keys."""
    if "://" not in url:
        return {}
    try:
        parts = urlsplit(url.strip())
        found = {f"{name}.password": unquote(parts.password)} if parts.password else {}
        if parts.username and not parts.password:
            found[f"{name}.user"] = unquote(parts.username)  # a token that is given as the user
        for key, value in parse_qsl(parts.query):
            if CREDENTIAL_PARAMETER.search(key):
                found[_mark_name(f"{name}.{key}")] = value
    except ValueError:
        return {}  # no URL, though it looks like one
    return found


def _forms(value: str) -> Iterator[str]:
    """A value as it is, and as it looks inside JSON, URLs and base64."""
    yield value
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    raw = value.encode("utf-8", "surrogatepass")
    yield quote(raw, safe="")
    yield quote(raw)
    yield quote_plus(raw)
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for before in range(3):
            yield from _base64_core(encode(b"\0" * before + raw).decode("ascii"), before)


def _base64_core(encoded: str, before: int) -> Iterator[str]:
    """The characters of a base64 text that do not depend on what stands before and after the value."""
    padding = len(encoded) - len(encoded.rstrip("="))
    first = (0, 2, 3)[before]
    last = len(encoded) - padding - (1 if padding else 0)
    core = encoded[first:last]
    if len(core) >= SHORTEST:
        yield core
    if before == 0:
        yield encoded.rstrip("=")


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


def hidden_in_messages(arguments: Iterable[str], environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """What no message of a command with these arguments shows, with what is shown instead.

    That is what was typed, and what the environment holds: a message may quote a file in which it stands.
    """
    return {**typed_credentials(arguments), **dict(Secrets.from_environment(environment)._marks)}


def _of_login(login: str) -> Iterable[tuple[str, str]]:
    user, _, password = login.partition(":")
    if not password or "/" in user or PORT_AND_PATH.match(password):
        return
    yield f":{password}@", f":{MARK}@"
    if len(password) >= SHORTEST_GIVEN:
        yield password, MARK


def _of_query(query: str) -> Iterable[tuple[str, str]]:
    for parameter in query.split("&"):
        name, _, value = parameter.partition("=")
        if value and CREDENTIAL_PARAMETER.search(name):
            yield f"{name}={value}", f"{name}={MARK}"
