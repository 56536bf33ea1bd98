"""Eval sets of Google's Agent Development Kit, and the two older forms of them.

A conversation becomes one case: its first user message is the input, and the tool uses of all its turns are expected,
in any order. In the oldest form, a plain list of queries, each query is a case. A final response or reference is there
to be compared by a metric or a judge, and so has no counterpart here.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.core import Case, Expect, ExpectedCall, JsonValue, nfc
from toolgauge.files import Path

from .imported import ImportedSuite, call_of, pick

__all__ = ["read", "recognises"]

SEVERAL_TURNS = "in ADK conversations with several turns the first message is the input, and all calls are expected"


def recognises(value: JsonValue) -> bool:
    """Whether a document is an eval set."""
    if isinstance(value, dict):
        return isinstance(pick(value, "eval_cases"), list) and "cases" not in value
    return isinstance(value, list) and any(_is_query(item) or _is_session(item) for item in value)


def _is_query(value: JsonValue) -> bool:
    return isinstance(value, dict) and "query" in value and "expected_tool_use" in value


def _is_session(value: JsonValue) -> bool:
    data = value.get("data") if isinstance(value, dict) else None
    return isinstance(data, list) and any(map(_is_query, data))


def read(value: JsonValue, imported: ImportedSuite) -> None:
    """Import all cases of an eval set."""
    if isinstance(value, dict):
        name = value.get("name") or pick(value, "eval_set_id")
        imported.name = name if isinstance(name, str) else ""
        key = "eval_cases" if "eval_cases" in value else "evalCases"
        for index, case in enumerate(_items(value[key])):
            _read_case(case, (key, index), imported)
        return
    for index, item in enumerate(_items(value)):
        if _is_session(item):
            _read_session(item, (index,), imported)
        elif isinstance(item, dict) and _is_query(item):
            _read_queries("", [item], (index,), imported)
        else:
            imported.leave_out("an ADK entry without a query")


def _read_case(case: JsonValue, path: Path, imported: ImportedSuite) -> None:
    turns = _items(pick(case, "conversation"))
    if not turns:
        imported.leave_out("an ADK case without a conversation, such as a scenario for a simulated user,")
        return
    for key in ("rubrics", "final_session_state"):
        if pick(case, key):
            imported.leave_out(f"ADK key {key!r}")
    if pick(pick(case, "session_input"), "state"):
        imported.leave_out("ADK session state")
    if len(turns) > 1:
        imported.note(SEVERAL_TURNS)
    calls: list[ExpectedCall] = []
    said = False
    for index, turn in enumerate(turns):
        if _text(pick(turn, "final_response")):
            imported.leave_out("ADK's 'final_response'")
        data = pick(turn, "intermediate_data")
        said = said or isinstance(data, dict)
        calls += _calls(_tool_uses(data), (*path, "conversation", index), imported)
    name = pick(case, "eval_id")
    text = next((found for turn in turns if (found := _text(pick(turn, "user_content")))), "")
    expect = Expect(tuple(calls) if said else None)
    imported.add(Case(name if isinstance(name, str) else "", text, expect=expect), path)


def _tool_uses(data: JsonValue) -> Iterator[JsonValue]:
    """The tool uses of a turn, listed as such or standing in events."""
    yield from _items(pick(data, "tool_uses"))
    for event in _items(pick(data, "invocation_events")):
        for part in _items(pick(pick(event, "content"), "parts")):
            if call := pick(part, "function_call"):
                yield call


def _read_session(session: JsonValue, path: Path, imported: ImportedSuite) -> None:
    queries = [query for query in _items(pick(session, "data")) if isinstance(query, dict)]
    if pick(pick(session, "initial_session"), "state"):
        imported.leave_out("ADK session state")
    if len(queries) > 1:
        imported.note(SEVERAL_TURNS)
    name = pick(session, "name")
    _read_queries(name if isinstance(name, str) else "", queries, path, imported)


def _read_queries(name: str, queries: list[dict[str, JsonValue]], path: Path, imported: ImportedSuite) -> None:
    calls: list[ExpectedCall] = []
    for query in queries:
        if query.get("reference"):
            imported.leave_out("ADK's 'reference'")
        calls += _calls(iter(_items(query.get("expected_tool_use"))), path, imported)
    text = queries[0].get("query")
    case = Case(name, nfc(text.strip()) if isinstance(text, str) else "", expect=Expect(tuple(calls)))
    imported.add(case, path)


def _calls(uses: Iterator[JsonValue], path: Path, imported: ImportedSuite) -> Iterator[ExpectedCall]:
    for use in uses:
        call = call_of(use)
        if call is None:
            imported.refuse(path, "a tool use without a name")
        else:
            yield call


def _text(content: JsonValue) -> str:
    """The text of a message, whose parts may also be images and calls."""
    parts = [pick(part, "text") for part in _items(pick(content, "parts"))]
    return nfc("\n".join(part for part in parts if isinstance(part, str)).strip())


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []
