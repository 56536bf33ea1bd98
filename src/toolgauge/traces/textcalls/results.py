"""Results of calls that were written as text, in the message that answers them."""

from __future__ import annotations

import re
from typing import NamedTuple

from toolgauge.core import JsonValue

from ..values import structured
from .react import WrittenResult

__all__ = ["WrittenResults", "is_observed", "read_results"]

OPENED = re.compile(
    r"\s*(?:<(?P<tag>tool_responses?|tool_results?|function_results?|function_response|tool_output)>"
    r"|(?P<token><\|tool_response\|>|\[TOOL_RESULTS\]|<\|tool_output_begin\|>|<[|｜]tool▁output▁begin[|｜]>))"
)
CLOSING = {
    "<|tool_response|>": ("<|/tool_response|>",),
    "[TOOL_RESULTS]": ("[/TOOL_RESULTS]",),
    "<|tool_output_begin|>": ("<|tool_output_end|>",),
}
LABELLED = re.compile(
    r"\s*(?:observation(?:[ \t]\d{1,3})?|tool (?:output|result|response)|function response)\s*:\s*", re.IGNORECASE
)
OBSERVED = re.compile(r"\s*(?:<returncode>\s*(?P<code>-?\d{1,9})\s*</returncode>|OBSERVATION:|Observation:)")

OUTPUT = re.compile(r"\s*<output>\n?(.*)\Z", re.DOTALL)
HERMES = frozenset({"name", "content", "tool_call_id", "id"})


class WrittenResults(NamedTuple):
    """What a message that answers calls holds."""

    results: list[WrittenResult]
    rest: str | None
    """What else is said in it."""


def is_observed(words: str) -> bool:
    """Whether a message begins as that with which a shell answers an agent that writes commands."""
    return OBSERVED.match(words) is not None


def read_results(words: str) -> WrittenResults | None:
    """The results that a message begins with; None where it begins with something else."""
    observed = OBSERVED.match(words)
    if observed is not None and observed["code"] is not None:
        return WrittenResults([_of_shell(words[observed.end() :], int(observed["code"]))], None)
    labelled = LABELLED.match(words)
    if labelled is not None:
        return WrittenResults([WrittenResult(words[labelled.end() :].strip())], None)
    found: list[WrittenResult] = []
    position = 0
    while (opened := OPENED.match(words, position)) is not None:
        closing = CLOSING.get(opened["token"]) if opened["token"] else (f"</{opened['tag']}>",)
        ends = [(at, len(each)) for each in closing or () if (at := words.find(each, opened.end())) >= 0]
        end, length = min(ends, default=(len(words), 0))
        found.append(_of_tag(words[opened.end() : end].strip()))
        position = end + length
    if not found:
        return None
    return WrittenResults(found, words[position:].strip() or None)


def _of_tag(written: str) -> WrittenResult:
    value: JsonValue = structured(written)
    if isinstance(value, dict) and "content" in value and HERMES.issuperset(value):
        name = value.get("name")
        return WrittenResult(value["content"], name if isinstance(name, str) and name else None)
    return WrittenResult(value if value is not written else written)


def _of_shell(rest: str, code: int) -> WrittenResult:
    output = OUTPUT.match(rest)
    said = (output[1].rstrip().removesuffix("</output>") if output is not None else rest).strip()
    if code == 0:
        return WrittenResult(said)
    return WrittenResult(said, failed=True, error=f"the command ended with code {code}")
