"""Vectors of texts from any server that speaks OpenAI's embeddings protocol, for those who have one."""

from __future__ import annotations

import http.client
import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

import msgspec

from toolgauge.errors import UsageError
from toolgauge.tools import ToolFailure

__all__ = ["Embedder", "likeness"]

URL_VARIABLE = "TOOLGAUGE_EMBEDDINGS_URL"
MODEL_VARIABLE = "TOOLGAUGE_EMBEDDINGS_MODEL"
KEY_VARIABLE = "TOOLGAUGE_EMBEDDINGS_API_KEY"

BATCH = 64
"""How many texts go into one request."""

SECONDS = 20.0
LARGEST = 64 * 2**20


class Vector(msgspec.Struct, frozen=True):
    """One vector of a reply."""

    index: int
    """Of which text."""
    embedding: list[float]


class Reply(msgspec.Struct, frozen=True):
    """What the server sends; whatever else it sends is of no use here."""

    data: list[Vector]


@dataclass(frozen=True, slots=True)
class Embedder:
    """Where vectors come from."""

    url: str
    """The address before `/embeddings`, such as `http://127.0.0.1:8080/v1`."""
    model: str = "default"
    key: str | None = None

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"{self.url!r} is not an address for embeddings; write http://host:port/v1")

    @classmethod
    def from_environment(cls) -> Self | None:
        """What the environment names, or nothing."""
        url = os.environ.get(URL_VARIABLE)
        if not url:
            return None
        return cls(url, os.environ.get(MODEL_VARIABLE) or "default", os.environ.get(KEY_VARIABLE))

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector of length 1 for each text.

        Raises:
            ToolFailure: The server does not answer, or not with vectors.
        """
        found: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            found += self._ask(list(texts[start : start + BATCH]))
        return found

    def _ask(self, texts: list[str]) -> list[list[float]]:
        parts = urlsplit(self.url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        body = json.dumps({"model": self.model, "input": texts})
        try:
            connection.request("POST", f"{parts.path.rstrip('/')}/embeddings", body, headers)
            response = connection.getresponse()
            reply = response.read(LARGEST)
        except (OSError, http.client.HTTPException) as error:
            raise ToolFailure(f"the embeddings server at {parts.netloc} does not answer: {error}") from error
        finally:
            connection.close()
        if response.status != http.client.OK:
            raise ToolFailure(f"the embeddings server at {parts.netloc} answered with status {response.status}")
        return _vectors(reply, len(texts), parts.netloc)


def _vectors(reply: bytes, count: int, server: str) -> list[list[float]]:
    try:
        vectors = msgspec.json.decode(reply, type=Reply).data
        if len(vectors) != count:
            raise ValueError(f"{count} vectors were asked for, {len(vectors)} came")
        return [_of_length_one(vector.embedding) for vector in sorted(vectors, key=lambda vector: vector.index)]
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
        raise ToolFailure(f"the embeddings server at {server} did not send vectors: {error}") from error


def _of_length_one(vector: list[float]) -> list[float]:
    length = math.hypot(*vector)
    if not length or not math.isfinite(length):
        raise ValueError("a vector has no direction")
    return [number / length for number in vector]


def likeness(one: Sequence[float], other: Sequence[float]) -> float:
    """How alike two vectors of length 1 are, from -1 to 1."""
    return math.fsum(a * b for a, b in zip(one, other, strict=True))
