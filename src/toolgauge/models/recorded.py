"""A model whose exchanges are recorded on a cassette, or come from it."""

from __future__ import annotations

import msgspec

from toolgauge.core import JsonValue, Model, ModelReply, ModelRequest
from toolgauge.errors import ModelError, UsageError

from .cassette import Cassette
from .retrying import Statistics

__all__ = ["Recorded"]


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
