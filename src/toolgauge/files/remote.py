"""Objects elsewhere, by their addresses: ranges of them are fetched several at once, and again where that fails.

Credentials, endpoints and regions are those that the environment names, as for every other tool of that store. An
object is read as the one that it was when it was opened: where it is replaced in between, nothing of it is used.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from time import sleep
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from toolgauge.errors import InputError, Problem

from .opening import OpenedInput, is_web, missing_package
from .streams import open_produced

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["list_objects", "object_state", "open_object"]

RANGE = 4 * 1024 * 1024
"""Bytes of one request."""

AT_ONCE = 4
"""Requests that are made at once for what is read from beginning to end."""

LOOKED_AT = 512 * 1024
"""Up to here it may be that somebody only wants to know what an object is."""

TRIES = 4
FIRST_WAIT = 0.2
"""How often a range is asked for that comes back short or not at all, and seconds before the second time; the library
itself asks again where a server is busy."""

RETRIES = {
    "max_retries": 5,
    "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=3), "base": 2},
    "retry_timeout": timedelta(seconds=30),
}
CLIENT = {"timeout": "60s", "connect_timeout": "5s"}

FINAL = ("NotFoundError", "PermissionDeniedError", "UnauthenticatedError", "PreconditionError", "InvalidPathError")
"""Answers that a second request would get again."""

METADATA_SERVICE = "169.254.169.254"
"""Who is asked for credentials, within a cloud, where the environment has none."""

CREDENTIALS = {
    "s3": "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS",
    **dict.fromkeys(("az", "azure", "abfs", "abfss"), "AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY"),
}
"""Which variables of the environment hold them, by the beginning of an address."""

GOOGLE_EMULATOR = "STORAGE_EMULATOR_HOST"
"""Names a server that stands in for Google's, to which no credentials are sent, as for Google's own libraries."""

ENDPOINTS = (
    *("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"),
    *("AZURE_STORAGE_ENDPOINT", "AZURE_ENDPOINT", "GOOGLE_BASE_URL", GOOGLE_EMULATOR),
)
"""Where the environment may say which server is meant; one without TLS is asked where it says so."""


def open_object(address: str) -> OpenedInput:
    """Open the object at an address.

    Raises:
        InputError: There is none, or it cannot be had.
    """
    place = _Place(address)
    if not place.key:
        hint = f"name an object in it, or {place.root}/ for all of them"
        raise InputError(address, Problem("this names no object", hint=hint))
    meta = place.asked(lambda: place.library.head(place.store, place.key))
    if place.in_ranges(meta["size"]):
        return OpenedInput(
            io.BufferedReader(_Ranges(place, meta["size"], meta.get("e_tag")), 256 * 1024), divisible=True
        )
    return OpenedInput(open_produced(lambda: place.whole(meta["size"])))


def object_state(address: str) -> str:
    """What changes when an object is replaced.

    Raises:
        InputError: There is none, or it cannot be reached.
    """
    place = _Place(address)
    meta = place.asked(lambda: place.library.head(place.store, place.key))
    return f"{meta['size']} {meta.get('e_tag') or meta.get('last_modified')}"


def list_objects(address: str) -> list[str]:
    """The addresses of all objects below one, or of those that a pattern fits, in order.

    In a pattern `*` stands for anything within a folder, and `**` for any folders, as in paths here.

    Raises:
        InputError: They cannot be listed.
    """
    fixed = address
    while any(sign in fixed for sign in "*?["):
        fixed = fixed.rpartition("/")[0]
    if is_web(address):
        hint = "name its files one by one"
        raise InputError(address, Problem("a web server cannot be asked which files it has", hint=hint))
    place = _Place(fixed.rstrip("/"))
    prefix = place.key or None
    listed = place.asked(lambda: [meta["path"] for page in place.library.list(place.store, prefix) for meta in page])
    found = [f"{place.root}/{path}" for path in listed]
    if fixed == address:
        return sorted(name for name in found if name.startswith(f"{address.rstrip('/')}/"))
    fits = re.compile(_expression(address)).fullmatch
    return sorted(name for name in found if name == address or fits(name))


def _expression(pattern: str) -> str:
    """A pattern as a regular expression."""
    *folders, name = pattern.split("/")
    above = "".join("(?:[^/]+/)*" if part == "**" else f"{_within(part)}/" for part in folders)
    return above + (".*" if name == "**" else _within(name))


def _within(part: str) -> str:
    """What a part of a pattern between two slashes stands for."""
    found = ""
    for sign in re.findall(r"\[.[^\]]*\]|.", part, re.DOTALL):
        if len(sign) > 1:
            found += (
                "["
                + ("^" if sign[1] == "!" else "")
                + re.escape(sign[1:-1].removeprefix("!")).replace(r"\-", "-")
                + "]"
            )
        else:
            found += {"*": "[^/]*", "?": "[^/]"}.get(sign) or re.escape(sign)
    return found


class _Place:
    """An address, taken apart, with the store that it is in."""

    def __init__(self, address: str) -> None:
        self.address = address
        try:
            import obstore
            from obstore.store import from_url
        except ImportError as error:
            raise missing_package(address, "this is the address of an object elsewhere", "remote") from error
        self.library: Any = obstore
        parts = urlsplit(address)
        path = parts.path.lstrip("/")
        if not parts.netloc:
            raise InputError(address, Problem("this address names no bucket or server", hint="check the address"))
        if is_web(address) and (parts.query or "@" in parts.netloc):
            # Neither is to be shown or kept, as names of inputs are.
            what = "an address with a password, or with parameters after ?, is not read"
            hint = "fetch it another way, such as curl ADDRESS | toolgauge score suite.yaml -"
            shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
            raise InputError(shown, Problem(what, hint=hint))
        self.root = f"{parts.scheme}://{parts.netloc}"
        self.key = unquote(path) if is_web(address) else path
        plain = parts.scheme == "http" or any(os.environ.get(name, "").startswith("http://") for name in ENDPOINTS)
        client = {**CLIENT, "allow_http": True} if plain else CLIENT
        emulator = os.environ.get(GOOGLE_EMULATOR) if parts.scheme == "gs" else None
        config: Any = {"base_url": emulator, "skip_signature": True} if emulator else {}
        try:
            self.store = from_url(self.root, client_options=client, retry_config=RETRIES, **config)
        except Exception as error:
            # Each kind of store has errors of its own for what it is not told.
            raise InputError(address, Problem(_short(error), hint="check the address and the environment")) from error

    def asked(self, request: Any) -> Any:
        """What a request comes back with.

        Raises:
            InputError: It fails for good.
        """
        for tried in range(1, TRIES + 1):
            try:
                return request()
            except (self.library.exceptions.BaseError, OSError) as error:
                if tried == TRIES or type(error).__name__ in FINAL:
                    raise InputError(self.address, _explained(error, self.address)) from error
            sleep(FIRST_WAIT * 2 ** (tried - 1))
        raise AssertionError("the last try either returns or raises")

    def in_ranges(self, size: int) -> bool:
        """Whether the server gives parts of an object; a plain web server may not."""
        if not self.root.startswith("http") or not size:
            return True
        try:
            self.library.get_range(self.store, self.key, start=0, end=1)
        except self.library.exceptions.BaseError as error:
            # A server that knows no ranges is known by the error alone, and one that fails will fail again below.
            return type(error).__name__ != "NotSupportedError" and "ange" not in str(error)
        return True

    def range(self, begin: int, end: int, tag: str | None) -> bytes:
        """The bytes from one place to another.

        Raises:
            InputError: They cannot be had, or are those of another object than before.
        """
        return bytes(self.asked(lambda: self._range(begin, end, tag)))

    def _range(self, begin: int, end: int, tag: str | None) -> Any:
        found = self.library.get(self.store, self.key, options={"range": (begin, end)})
        if tag is not None and found.meta.get("e_tag") not in (None, tag):
            what = "the object was replaced while it was read"
            raise InputError(self.address, Problem(what, hint="run it again once nothing is writing to it"))
        data = found.bytes()
        if len(data) != end - begin:
            raise ConnectionError(f"{end - begin:,} bytes were requested, but {len(data):,} arrived")
        return data

    def whole(self, size: int) -> Iterator[bytes]:
        """All bytes, from the first to the last."""
        found = self.asked(lambda: self.library.get(self.store, self.key))
        count = 0
        try:
            for block in found.stream():
                count += len(block)
                yield bytes(block)
        except (self.library.exceptions.BaseError, OSError) as error:
            # What was given cannot be asked for again from here.
            raise InputError(self.address, _explained(error, self.address)) from error
        if size and count != size:
            raise InputError(self.address, Problem(f"it is cut off: {count:,} of {size:,} bytes arrived"))


class _Ranges(io.RawIOBase):
    """An object, of which ranges are fetched ahead of who reads it from beginning to end."""

    def __init__(self, place: _Place, size: int, tag: str | None) -> None:
        self._place = place
        self._size = size
        self._tag = tag
        self._at = 0
        self._held: dict[int, Future[bytes]] = {}
        """By their number the ranges that are there or on their way."""
        self._last = -1
        self._requests: ThreadPoolExecutor | None = None

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = max(0, start + offset)
        return self._at

    def readinto(self, buffer: Buffer, /) -> int:
        if self._at >= self._size:
            return 0
        number, begin = divmod(self._at, RANGE)
        data = self._fetched(number, begin)
        with memoryview(buffer).cast("B") as room:
            count = min(len(room), len(data) - begin)
            room[:count] = data[begin : begin + count]
        self._at += count
        return count

    def _fetched(self, number: int, begin: int) -> bytes:
        """A range; the next ones are asked for as soon as somebody reads on, and does not only look at a place."""
        reads_on = number in (self._last, self._last + 1) and (number > 0 or begin >= LOOKED_AT)
        ahead = AT_ONCE if reads_on else 1
        self._last = number
        last = (self._size - 1) // RANGE
        wanted = range(number, min(number + ahead, last + 1))
        for place in [place for place in self._held if place not in range(number - 1, number + AT_ONCE)]:
            self._held.pop(place).cancel()
        for place in wanted:
            if place not in self._held:
                self._held[place] = self._submitted(place)
        return self._held[number].result()

    def _submitted(self, number: int) -> Future[bytes]:
        if self._requests is None:
            self._requests = ThreadPoolExecutor(AT_ONCE, "toolgauge-fetch")
        begin = number * RANGE
        return self._requests.submit(self._place.range, begin, min(begin + RANGE, self._size), self._tag)

    def close(self) -> None:
        """Ask for nothing more."""
        if self._requests is not None:
            self._requests.shutdown(wait=False, cancel_futures=True)
        super().close()


def _explained(error: Exception, address: str) -> Problem:
    kind = type(error).__name__
    scheme = address.partition("://")[0].lower()
    if kind in ("NotFoundError", "FileNotFoundError"):
        hint = (
            "check the address"
            if is_web(address)
            else "check the address; to read all objects below it, end it with a slash"
        )
        return Problem("there is no such object", hint=hint)
    if kind in ("PermissionDeniedError", "UnauthenticatedError"):
        hint = "check the credentials in the environment, and whether they may read it"
        return Problem("the store refuses access to it", hint=hint)
    if kind == "PreconditionError":
        return Problem("the object was replaced while it was read", hint="run it again once nothing is writing to it")
    if "NoSuchBucket" in str(error):
        return Problem("there is no such bucket", hint="check the address")
    if METADATA_SERVICE in str(error):
        what = "there are no credentials for it in the environment"
        return Problem(what, hint=f"set those of the store, such as {CREDENTIALS.get(scheme, CREDENTIALS['s3'])}")
    hint = "check the address, the endpoint and the network; none of it was used"
    return Problem(f"it could not be fetched after several tries: {_short(error)}", hint=hint)


def _short(error: Exception) -> str:
    """The first line of what a library says, without passwords and what it adds for those who debug it."""
    return re.sub(r"//[^/\s@]*@", "//***@", str(error).partition("\n")[0]).strip()[:300]
