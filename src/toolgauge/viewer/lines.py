"""Trajectories as pages show them: of a result of fifty megabytes nobody sees more than the beginning."""

from __future__ import annotations

from contextlib import suppress

import msgspec
from msgspec import Raw

from toolgauge.core import Call, JsonValue, Score, Scored, Trajectory

__all__ = ["MAX_OUTPUT", "MAX_RESULT_BYTES", "read_line"]

MAX_RESULT_BYTES = 256 * 1024
"""Results of more bytes are shown as the text that they begin with."""

MAX_OUTPUT = 1024 * 1024
"""So many characters of an answer are shown."""


class _LargeCall(Call, frozen=True, gc=False):
    """A call whose result is not decoded."""

    result: Raw = Raw(b"null")  # type: ignore[assignment]  # not yet a value


class _LargeLine(Trajectory, frozen=True, gc=False, kw_only=True):
    score: Score
    calls: tuple[_LargeCall, ...] = ()


_decode = msgspec.json.Decoder(_LargeLine).decode


def read_line(data: bytes | None, case: str, agent: str, trial: int) -> Scored:
    """A trajectory with its score, with whatever is large cut.

    Args:
        data: The line of a run file; None: it was not run.
        case: Of which case it is.
        agent: Of which agent.
        trial: Of which trial.
    """
    if data is None:
        return Scored(Trajectory(case, agent, trial, "not_run"), Score(case, agent, trial, "not_run"))
    line = _decode(data)
    fields = {name: getattr(line, name) for name in Trajectory.__struct_fields__}
    output = line.output
    if output is not None and len(output) > MAX_OUTPUT:
        fields["output"] = output[:MAX_OUTPUT]
    return Scored(Trajectory(**{**fields, "calls": tuple(map(_call, line.calls))}), line.score)


def _call(call: _LargeCall) -> Call:
    fields = {name: getattr(call, name) for name in Call.__struct_fields__}
    return Call(**{**fields, "result": _result(call.result)})


def _result(raw: Raw) -> JsonValue:
    view = memoryview(raw)
    if len(view) <= MAX_RESULT_BYTES:
        value: JsonValue = msgspec.json.decode(raw)
        return value
    text = bytes(view[:MAX_RESULT_BYTES]).decode("utf-8", "ignore")
    if text.startswith('"'):
        # An escape may have been cut in two.
        for end in range(len(text), len(text) - 12, -1):
            with suppress(msgspec.DecodeError):
                return msgspec.json.decode(f'{text[:end]}"', type=str)
    return text
