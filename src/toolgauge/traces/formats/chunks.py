"""Putting a chat reply together from the pieces in which it was streamed."""

from __future__ import annotations

from toolgauge.core import JsonValue

from ..values import Record, dicts, record_of

__all__ = ["Stream", "is_chunk"]


def is_chunk(value: JsonValue) -> bool:
    """Whether a record is a piece of a streamed chat reply."""
    return isinstance(value, dict) and value.get("object") == "chat.completion.chunk"


class _Choice:
    """One reply that grows."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self.calls: dict[JsonValue, Record] = {}
        self.pieces: dict[JsonValue, list[str]] = {}
        self.older: list[str] = []
        self.older_name: JsonValue = None
        self.finish: JsonValue = None

    def add(self, choice: Record) -> None:
        delta = record_of(choice.get("delta"))
        for key, pieces in self.texts.items():
            piece = delta.get(key)
            if isinstance(piece, str):
                pieces.append(piece)
        for call in dicts(delta.get("tool_calls")):
            self._add_call(call)
        older = record_of(delta.get("function_call"))
        self.older_name = older.get("name") or self.older_name
        if isinstance(piece := older.get("arguments"), str):
            self.older.append(piece)
        self.finish = choice.get("finish_reason") or self.finish

    def _add_call(self, call: Record) -> None:
        index = call.get("index")
        # Some servers leave out the index; then an id begins a call, and pieces without one go on with it.
        key = index if isinstance(index, int) else len(self.calls) - (0 if call.get("id") else 1)
        known = self.calls.setdefault(key, {"id": None, "name": None, "custom": False})
        function = record_of(call.get("function") or call.get("custom"))
        known["id"] = call.get("id") or known["id"]
        known["name"] = function.get("name") or known["name"]
        known["custom"] = known["custom"] or isinstance(call.get("custom"), dict)
        piece = function.get("arguments", function.get("input"))
        if isinstance(piece, str):
            self.pieces.setdefault(key, []).append(piece)
        elif isinstance(piece, dict):
            known["arguments"] = piece

    def message(self) -> Record:
        """The message that the pieces make."""
        message: Record = {"role": "assistant"}
        for key, pieces in self.texts.items():
            message[key] = "".join(pieces)
        calls: list[JsonValue] = []
        for index, known in self.calls.items():
            written = "".join(self.pieces.get(index, ()))
            if known["custom"]:
                calls.append({"id": known["id"], "custom": {"name": known["name"], "input": written}})
            else:
                arguments = known.get("arguments", written)
                calls.append({"id": known["id"], "function": {"name": known["name"], "arguments": arguments}})
        message["tool_calls"] = calls
        if self.older_name:
            message["function_call"] = {"name": self.older_name, "arguments": "".join(self.older)}
        return message


class Stream:
    """A streamed reply, as far as it came."""

    def __init__(self) -> None:
        self._choices: dict[JsonValue, _Choice] = {}
        self._last: Record = {}
        self._usage: JsonValue = None

    def add(self, chunk: Record) -> None:
        """Add the next piece."""
        self._last = chunk
        self._usage = chunk.get("usage") or self._usage
        for choice in dicts(chunk.get("choices")):
            index = choice.get("index")
            self._choices.setdefault(index if isinstance(index, int) else 0, _Choice()).add(choice)

    def response(self) -> Record:
        """The reply, as it would have come in one piece."""
        kept = {key: value for key, value in self._last.items() if key not in ("choices", "object", "usage")}
        choices: list[JsonValue] = [
            {"message": choice.message(), "finish_reason": choice.finish} for choice in self._choices.values()
        ]
        return {**kept, "choices": choices, "usage": self._usage}
