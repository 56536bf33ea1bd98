"""Recording what models and tools answer, and answering from the record, so that a run can be repeated without them.

A cassette is a JSONL file: a header, then an exchange a line with what was asked and what came back. An exchange is
found again by all that could change the answer: the whole request, the model, the endpoint and its parameters, or the
tool with its schema, version and arguments. The same request asked again gets the answers in the order of the record.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice, zip_longest
from typing import IO, Literal, Self

import msgspec

from toolgauge.core import JsonValue, Model, ModelReply, ModelRequest, ToolDefinition
from toolgauge.errors import InputError, ModelError, OutputError, Problem, UsageError
from toolgauge.files import MEBIBYTE, BadJson, check_count, is_shallow
from toolgauge.secrets import Secrets

from .retrying import Statistics, shown

__all__ = [
    "CASSETTE_SCHEMA",
    "Cassette",
    "ExchangeKind",
    "Recorded",
    "describe_difference",
    "difference_size",
    "tool_request",
]

CASSETTE_SCHEMA = "toolgauge.cassette/1"

ExchangeKind = Literal["model", "tool"]

DEEPEST = 600
"""No exchange is nested as deep as this, and all up to half of it are read: Python reads what is not much deeper."""

LONGEST = 64 * MEBIBYTE
"""The longest exchange, in bytes. Nothing that was recorded comes near it."""

PIECE = 1 << 16

MAX_COMPARED = 2000
"""How many recorded requests are looked at to find the one that is nearest to a request that is not there."""


class Cassette:
    """A file of recorded exchanges, either being written or being played."""

    def __init__(self, path: str, secrets: Secrets | None = None) -> None:
        """Use `record` or `replay` instead."""
        self.path = path
        self.replays = False
        """Whether it answers from the record, so that nothing else has to be asked."""
        self._secrets = secrets or Secrets({})
        self._output = -1
        self._input: IO[bytes] | None = None
        self._places: dict[str, deque[int]] = {}
        self._times: dict[str, int] = {}

    @classmethod
    def record(cls, path: str | os.PathLike[str], *, secrets: Secrets | None = None, append: bool = False) -> Self:
        """Begin a record that only its owner can read, or continue one where a run is resumed.

        Raises:
            UsageError: The file already exists, and the run is not resumed.
            InputError: The run is resumed, and the file is not a cassette.
            OutputError: It cannot be written.
        """
        cassette = cls(os.fspath(path), secrets)
        try:
            if append and os.path.exists(cassette.path):
                with open(cassette.path, "rb") as stream:
                    _check(cassette.path, stream)
                    whole = _whole(stream)
                cassette._output = os.open(cassette.path, os.O_WRONLY | os.O_APPEND)
                os.ftruncate(cassette._output, whole)
            else:
                flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL
                cassette._output = os.open(cassette.path, flags, 0o600)
                cassette._write({"schema": CASSETTE_SCHEMA})
        except FileExistsError as error:
            raise UsageError(f"{cassette.path}: already exists; remove it, or record to another file") from error
        except OSError as error:
            raise OutputError(f"{cassette.path}: cannot be written: {error.strerror or error}") from error
        return cassette

    @classmethod
    def replay(cls, path: str | os.PathLike[str], *, secrets: Secrets | None = None) -> Self:
        """Answer from a record.

        Raises:
            InputError: It cannot be read, or is no cassette.
        """
        cassette = cls(os.fspath(path), secrets)
        cassette.replays = True
        try:
            stream = cassette._input = open(cassette.path, "rb")  # noqa: SIM115 - open until the cassette is closed
            _check(cassette.path, stream)
            for place, exchange in _exchanges(cassette.path, stream):
                cassette._places.setdefault(str(exchange["key"]), deque()).append(place)
        except OSError as error:
            cassette.close()
            raise InputError(cassette.path, Problem(f"cannot be read: {error.strerror or error}")) from error
        except InputError:
            cassette.close()
            raise
        return cassette

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        if self._output >= 0:
            os.close(self._output)
            self._output = -1
        if self._input is not None:
            self._input.close()
            self._input = None

    async def exchange(
        self, kind: ExchangeKind, request: Mapping[str, JsonValue], do: Callable[[], Awaitable[JsonValue]]
    ) -> JsonValue:
        """The answer to a request: from the record, or by doing what it asks for and recording that.

        What `do` raises is not recorded; answers that are failures have to be returned as values.

        Raises:
            ModelError: It is to come from the record, and is not there; kind "not recorded".
            OutputError: It could not be recorded.
        """
        asked = self._secrets.redact(_plain({"kind": kind, **request}))
        if self.replays:
            return self._find(kind, asked)
        answer = await do()
        self._write({"key": _key(asked), "asked": asked, "answer": self._secrets.redact(_plain(answer))})
        return answer

    def _find(self, kind: ExchangeKind, asked: JsonValue) -> JsonValue:
        key = _key(asked)
        places = self._places.get(key)
        if not places:
            raise ModelError(self._missing(kind, key, asked), kind="not recorded")
        self._times[key] = self._times.get(key, 0) + 1
        return self._read(places.popleft())["answer"]

    def _read(self, place: int) -> dict[str, JsonValue]:
        stream = self._playing()
        stream.seek(place)
        return _exchange(self.path, _line(self.path, stream, None), None)

    def _playing(self) -> IO[bytes]:
        if self._input is None:
            raise UsageError(f"{self.path}: the cassette was closed")
        return self._input

    def _missing(self, kind: ExchangeKind, key: str, asked: JsonValue) -> str:
        """What is not there, and how it differs from the nearest request that is."""
        whose = str(asked.get("model") or asked.get("tool")) if isinstance(asked, dict) else ""
        what = f"{self.path}: this request to {kind} {whose!r} was not recorded"
        if key in self._times:
            times = self._times[key]
            return f"{what} more than {times} times; record again, with as many cases and trials"
        nearest = self._nearest(kind, asked)
        if nearest is None:
            return f"{what}; it contains no request to any {kind}"
        return f"{what}; in the closest recorded request, {describe_difference(asked, nearest)}; record again"

    def _nearest(self, kind: ExchangeKind, asked: JsonValue) -> JsonValue:
        best: JsonValue = None
        fewest: float = float("inf")
        for number, (_, exchange) in enumerate(_exchanges(self.path, self._playing())):
            other = exchange["asked"]
            if number >= MAX_COMPARED:
                break
            if isinstance(other, dict) and other.get("kind") == kind:
                size = difference_size(asked, other)
                if size < fewest:
                    best, fewest = other, size
        return best

    def _write(self, line: Mapping[str, JsonValue]) -> None:
        """Append a line in one piece; a line that did not get there whole is taken back."""
        data = json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"
        if len(data) > LONGEST:
            raise OutputError(f"{self.path}: an exchange of more than {LONGEST // MEBIBYTE} MiB cannot be recorded")
        before = os.fstat(self._output).st_size
        try:
            written = os.write(self._output, data)
            while written < len(data):
                written += os.write(self._output, data[written:])
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._output, before)
            raise OutputError(f"{self.path}: cannot be written: {error.strerror or error}") from error


def tool_request(
    definition: ToolDefinition, args: Mapping[str, JsonValue], *, version: str = ""
) -> dict[str, JsonValue]:
    """What a tool call is found again by: the tool as it is defined, its version if it has one, and the arguments."""
    return {
        "tool": definition.name,
        "definition": msgspec.to_builtins(definition),
        "version": version,
        "args": dict(args),
    }


def _plain(value: object) -> JsonValue:
    """Only what JSON holds, in the types that reading it back gives."""
    plain: JsonValue = json.loads(json.dumps(msgspec.to_builtins(value, str_keys=True)))
    return plain


def _key(asked: JsonValue) -> str:
    """The SHA-256 of a request, which does not depend on the order of keys."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True, separators=(",", ":")).encode("ascii")).hexdigest()


def _check(path: str, stream: IO[bytes]) -> None:
    """Refuse what is no cassette."""
    try:
        line = stream.readline(PIECE)
        header = json.loads(line) if is_shallow(line) else None
    except ValueError:
        header = None
    if not isinstance(header, dict) or header.get("schema") != CASSETTE_SCHEMA:
        hint = "a cassette is written by --record"
        raise InputError(path, Problem(f"this is not a cassette of the kind {CASSETTE_SCHEMA}", 1, hint=hint))


def _whole(stream: IO[bytes]) -> int:
    """The number of bytes of all lines that are whole; the last may have been cut when the recorder died."""
    begin = whole = stream.seek(0)
    for piece in iter(partial(stream.read, PIECE), b""):
        whole = begin + cut if (cut := piece.rfind(b"\n") + 1) else whole
        begin += len(piece)
    return whole


def _line(path: str, stream: IO[bytes], number: int | None) -> bytes:
    """The next line, with its end."""
    line = stream.readline(LONGEST + 1)
    if len(line) > LONGEST:
        what = f"this line is longer than {LONGEST // MEBIBYTE} MiB"
        raise InputError(path, Problem(what, number, hint="record again"))
    return line


def _exchanges(path: str, stream: IO[bytes]) -> Iterator[tuple[int, dict[str, JsonValue]]]:
    """Every exchange and where it begins. A last line that was cut when the recorder died is left out."""
    stream.seek(0)
    place = len(stream.readline(PIECE))
    number = 1
    while True:
        stream.seek(place)
        number += 1
        line = _line(path, stream, number)
        if not line.endswith(b"\n"):
            return
        yield place, _exchange(path, line, number)
        place += len(line)


def _exchange(path: str, line: bytes, number: int | None) -> dict[str, JsonValue]:
    """The exchange of a line; the file may have changed since it was there."""
    try:
        check_count(line)
        exchange: dict[str, JsonValue] = json.loads(line if is_shallow(line, DEEPEST) else b"")
        complete = {"key", "asked", "answer"} <= exchange.keys()
    except BadJson as error:
        raise InputError(path, replace(error.problem, line=number, hint="record again")) from None
    except (ValueError, AttributeError):
        complete = False
    if not complete:
        raise InputError(path, Problem("this line is not an exchange", number, hint="record again"))
    return exchange


MAX_COUNTED = 50
MAX_NAMED = 3
MAX_LETTERS = 60


class _Missing:
    """The place of something that is not there."""


MISSING = _Missing()

Difference = tuple[str, JsonValue | _Missing, JsonValue | _Missing]


def difference_size(left: JsonValue, right: JsonValue) -> float:
    """How far two values are apart: the number of places where they differ, up to a limit."""
    return sum(1 for _ in islice(_differences(left, right, ""), MAX_COUNTED))


def describe_difference(asked: JsonValue, recorded: JsonValue) -> str:
    """The first places at which a request differs from one that was recorded."""
    named = list(islice(_differences(asked, recorded, ""), MAX_NAMED + 1))
    texts = [
        f"{path or 'all of it'} is {_word(left)}, but was recorded as {_word(right)}" for path, left, right in named
    ]
    return " and ".join(texts[:MAX_NAMED]) + (" and more" if len(texts) > MAX_NAMED else "")


def _word(value: JsonValue | _Missing) -> str:
    if isinstance(value, _Missing):
        return "missing"
    text = json.dumps(value, ensure_ascii=False)
    return shown(text if len(text) <= MAX_LETTERS else text[:MAX_LETTERS] + "…")


def _differences(left: JsonValue | _Missing, right: JsonValue | _Missing, path: str) -> Iterator[Difference]:
    if isinstance(left, dict) and isinstance(right, dict):
        for key in [*left, *(key for key in right if key not in left)]:
            inner = f"{path}.{key}" if path else key
            yield from _differences(left.get(key, MISSING), right.get(key, MISSING), inner)
    elif isinstance(left, list) and isinstance(right, list):
        for index, (item, other) in enumerate(zip_longest(left, right, fillvalue=MISSING)):
            yield from _differences(item, other, f"{path}[{index}]")
    elif left is not right and (type(left) is not type(right) or left != right):
        yield path, left, right


class Recorded:
    """A model behind a cassette. Where the cassette answers, there need be no model."""

    def __init__(self, name: str, cassette: Cassette, model: Model | None = None, *, endpoint: str = "") -> None:
        self.name = name
        self.model = model
        """What is asked while it is recorded."""
        self._cassette = cassette
        self._endpoint = endpoint

    @property
    def statistics(self) -> Statistics:
        """What the model needed besides good replies; nothing, where the replies come from the record."""
        found = getattr(self.model, "statistics", None)
        return found if isinstance(found, Statistics) else Statistics()

    async def close(self) -> None:
        """Let go of connections; the cassette stays open, since others may use it."""
        close = getattr(self.model, "close", None)
        if close is not None:
            await close()

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The reply, from the record or recorded.

        Raises:
            ModelError: There is none, or none was recorded.
        """
        asked: dict[str, JsonValue] = {
            "model": self.name,
            "endpoint": self._endpoint,
            "request": msgspec.to_builtins(request),
        }
        return _read(await self._cassette.exchange("model", asked, lambda: self._ask(request)))

    async def _ask(self, request: ModelRequest) -> JsonValue:
        """What is recorded: a reply, or why there is none."""
        if self.model is None:
            raise UsageError(f"{self._cassette.path}: nothing to record, because there is no model {self.name!r}")
        try:
            reply = await self.model.ask(request)
        except ModelError as error:
            if error.fatal:
                raise  # nothing that a replay should meet again
            return {"error": {"message": str(error), "kind": error.kind, "status": error.status}}
        answer: JsonValue = {"reply": msgspec.to_builtins(reply)}
        return answer


def _read(answer: JsonValue) -> ModelReply:
    if isinstance(answer, dict) and isinstance(error := answer.get("error"), dict):
        status = error.get("status")
        message, kind = str(error.get("message")), str(error.get("kind"))
        raise ModelError(message, kind=kind, status=status if isinstance(status, int) else None)
    reply = answer.get("reply") if isinstance(answer, dict) else None
    try:
        return msgspec.convert(reply, ModelReply)
    except msgspec.ValidationError as error:
        raise ModelError(f"the recorded reply cannot be read: {error}", kind="invalid response") from error
