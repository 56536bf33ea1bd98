"""The baseline that compares words: what it chooses, what it fills in, and that it is the same every time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from tests.agents.market import ASKED, definitions
from toolgauge.core import (
    JsonValue,
    Message,
    ModelReply,
    ModelRequest,
    Purpose,
    ToolDefinition,
    ToolRequest,
    Usage,
)
from toolgauge.models import open_model
from toolgauge.models.lexical import NAME, Lexical
from toolgauge.models.lexical_arguments import Known, fills
from toolgauge.models.lexical_choice import choose, content_words, ranked, terms


def ask(
    *messages: Message, tools: Sequence[ToolDefinition] = (), purpose: Purpose = "act", **rest: object
) -> ModelReply:
    request = ModelRequest(tuple(messages), tuple(tools), purpose, **rest)  # type: ignore[arg-type]  # the schema
    return asyncio.run(Lexical().ask(request))


def about(material: dict[str, JsonValue], system: str = "", **rest: object) -> dict[str, JsonValue]:
    """What it replies to a step around the work, read as JSON."""
    reply = ask(Message("system", system), Message("user", json.dumps(material)), **rest)  # type: ignore[arg-type]
    read: dict[str, JsonValue] = json.loads(reply.text)
    return read


def tool_lines() -> str:
    shown = [{"name": one.name, "description": one.description, "parameters": one.parameters} for one in definitions()]
    return "\n".join(json.dumps(one, ensure_ascii=False) for one in shown)


def schema(*names: str) -> dict[str, JsonValue]:
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": list(names)}


def test_it_is_opened_by_name_and_needs_no_key() -> None:
    assert open_model("local:lexical").name == NAME == "local:lexical"


@pytest.mark.parametrize(
    ("question", "tool"), [("price", "history_price"), ("code", "listing_symbol"), ("news", "search_web")]
)
def test_it_chooses_by_the_words_that_a_question_shares_with_a_tool(question: str, tool: str) -> None:
    reply = ask(Message("user", ASKED[question]), tools=definitions())
    assert [call.tool for call in reply.calls] == [tool]
    assert reply.usage == Usage(1)


def test_without_tones_it_chooses_the_same() -> None:
    bare = "Ma chung khoan cua cong ty Cuu Long la gi?"
    assert [tool.name for tool in choose(bare, definitions())] == ["listing_symbol"]


def test_one_word_in_common_is_no_reason_to_call_anything() -> None:
    reply = ask(Message("user", "Cảm ơn bạn nhiều!"), tools=definitions())
    assert reply.calls == ()
    assert "không phải mô hình ngôn ngữ" in reply.text


def test_it_says_in_every_answer_that_it_is_no_language_model() -> None:
    called = Message("assistant", calls=(ToolRequest("listing_symbol", {"query": "Cửu Long"}, "c"),))
    result = Message("tool", '[{"symbol": "CCC"}]', call_id="c", tool="listing_symbol")
    reply = ask(Message("user", ASKED["code"]), called, result, tools=definitions())
    assert reply.text == "Các công cụ cho biết: symbol: CCC (local:lexical, không phải mô hình ngôn ngữ)"
    english = ask(Message("user", "Hello there"), tools=definitions())
    assert english.text.endswith("(local:lexical, not a language model)")


def test_equal_requests_get_equal_replies() -> None:
    replies = {ask(Message("user", ASKED["price"]), tools=definitions()).calls[0].tool for _ in range(3)}
    assert replies == {"history_price"}
    assert ranked(ASKED["price"], definitions()) == ranked(ASKED["price"], definitions())


def test_a_clock_is_asked_first_where_a_date_counts_from_a_day_that_is_not_known() -> None:
    question = Message("user", ASKED["today"])
    first = ask(question, tools=definitions())
    assert [call.tool for call in first.calls] == ["time_now"]
    told = Message("tool", "2026-01-30T09:00:00+07:00", call_id="c", tool="time_now")
    second = ask(question, Message("assistant", calls=first.calls), told, tools=definitions())
    assert second.calls[0].args == {"symbol": "BBB", "start_date": "2026-01-29", "end_date": "2026-01-29"}
    known = Message("system", "Trả lời.\n\nHôm nay là ngày 2026-01-20.")
    assert ask(known, question, tools=definitions()).calls[0].args == {
        "symbol": "BBB",
        "start_date": "2026-01-19",
        "end_date": "2026-01-19",
    }


def test_what_is_missing_is_looked_up_by_the_tool_whose_words_are_nearest() -> None:
    question = Message("user", "Giá đóng cửa của công ty Cửu Long ngày 05/01/2026?")
    first = ask(question, tools=definitions())
    assert first.calls[0].tool == "listing_symbol"
    found = Message("tool", '[{"symbol": "CCC"}]', call_id="c", tool="listing_symbol")
    second = ask(question, Message("assistant", calls=first.calls), found, tools=definitions())
    assert (second.calls[0].tool, (second.calls[0].args or {})["symbol"]) == ("history_price", "CCC")


def test_a_tool_is_called_once_for_each_ticker() -> None:
    question = Message("user", "So sánh giá đóng cửa cổ phiếu AAA và BBB ngày 05/01/2026.")
    first = ask(question, tools=definitions()).calls
    result = Message("tool", "[]", call_id="c", tool="history_price")
    second = ask(question, Message("assistant", calls=first), result, tools=definitions()).calls
    assert [(call.args or {})["symbol"] for call in (*first, *second)] == ["AAA", "BBB"]


@pytest.mark.parametrize(
    ("name", "about_it", "question", "value"),
    [
        ("symbol", {}, "Giá FPT và VNM bằng VND?", "FPT"),
        ("symbols", {"type": "array", "items": {"type": "string"}}, "Giá FPT và VNM?", ["FPT", "VNM"]),
        ("day", {}, "Giá ngày 5/1/2026?", "2026-01-05"),
        ("from_date", {"description": "dạng DD/MM/YYYY"}, "từ 5/1/2026 đến 9/1/2026", "05/01/2026"),
        ("to_date", {"format": "date"}, "từ 5/1/2026 đến 9/1/2026", "2026-01-09"),
        ("end_date", {}, "tháng 12/2025", "2025-12-31"),
        ("days", {"type": "integer", "minimum": 1}, "Forecast for 3 days in Hue", 3),
        ("amount", {"type": "number"}, "Đổi 2,5 triệu đồng", 2_500_000.0),
        ("city", {}, "What is the weather in Da Nang today?", "Da Nang"),
        ("query", {}, "Tin về thép?", "Tin về thép?"),
        ("query", {"description": "Tên công ty"}, "Mã của công ty Hòa Phát là gì?", "Hòa Phát"),
        ("units", {"enum": ["celsius", "fahrenheit"]}, "Weather in fahrenheit", "fahrenheit"),
        ("interval", {"enum": ["1D", "1W"], "description": "1D theo ngày, 1W theo tuần"}, "Nến tuần của FPT", "1W"),
        ("interval", {"enum": ["1D", "1W"], "default": "1D"}, "Giá FPT", "1D"),
        ("verbose", {"type": "boolean", "default": False}, "Giá FPT", False),
    ],
)
def test_arguments_are_filled_by_type_and_pattern(
    name: str, about_it: dict[str, JsonValue], question: str, value: JsonValue
) -> None:
    parameters: dict[str, JsonValue] = {
        "type": "object",
        "properties": {name: {"type": "string", **about_it}},
        "required": [name],
    }
    args, missing = next(fills(ToolDefinition("t", "", parameters), Known(question, "", ())))
    assert (args, missing) == ({name: value}, [])


def test_optional_arguments_are_left_out_where_nothing_tells_them() -> None:
    properties: JsonValue = {
        "city": {"type": "string"},
        "units": {"enum": ["celsius", "fahrenheit"]},
        "days": {"type": "integer", "default": 1},
    }
    tool = ToolDefinition("t", "", {"type": "object", "properties": properties})
    assert next(fills(tool, Known("How warm is it?", "", ()))) == ({}, [])


def test_a_period_that_is_not_over_ends_today_and_one_that_is_to_come_stays() -> None:
    tool = definitions()[0]
    args, _ = next(fills(tool, Known("Giá FPT tháng này", "Hôm nay là ngày 2026-01-20.", ())))
    assert (args["start_date"], args["end_date"]) == ("2026-01-01", "2026-01-20")
    args, _ = next(fills(tool, Known("Giá FPT ngày 15/6/2026", "Hôm nay là ngày 2026-01-20.", ())))
    assert (args["start_date"], args["end_date"]) == ("2026-06-15", "2026-06-15")


def test_a_plan_names_the_result_of_one_step_in_another() -> None:
    wanted: dict[str, JsonValue] = {"question": "Giá đóng cửa của công ty Cửu Long ngày 05/01/2026?"}
    found = about(wanted, tool_lines(), purpose="plan", schema=schema("steps"))
    steps = found["steps"]
    assert isinstance(steps, list)
    assert [(one["id"], one["tool"], one["args"]) for one in steps if isinstance(one, dict)] == [
        ("#E1", "listing_symbol", {"query": "Cửu Long"}),
        ("#E2", "history_price", {"start_date": "2026-01-05", "end_date": "2026-01-05", "symbol": "#E1.symbol"}),
    ]


def test_an_attempt_that_left_out_a_fitting_tool_or_failed_is_not_good_enough() -> None:
    def verdict(*calls: dict[str, JsonValue]) -> dict[str, JsonValue]:
        material: dict[str, JsonValue] = {"question": ASKED["price"], "calls": list(calls), "answer": "22.000"}
        return about(material, tool_lines(), purpose="evaluate", schema=schema("satisfied", "reason"))

    assert verdict() == {"satisfied": False, "reason": "not called: history_price"}
    assert verdict({"tool": "history_price", "failed": True})["reason"] == "failed: history_price"
    assert verdict({"tool": "history_price", "failed": False, "result": "[]"})["satisfied"] is True


def test_a_reflection_names_tools_and_the_next_attempt_takes_them() -> None:
    material = json.dumps({"question": "Chào bạn?", "reason": "not called: search_web", "calls": []})
    lesson = ask(Message("system", tool_lines()), Message("user", material), purpose="reflect").text
    assert lesson == "Lần sau hãy gọi: search_web"
    reply = ask(Message("system", f"Bài học:\n- {lesson}"), Message("user", "Chào bạn?"), tools=definitions())
    assert [call.tool for call in reply.calls] == ["search_web"]


def test_work_is_routed_to_whoever_fits_and_has_not_reported() -> None:
    people = (
        '{"name": "finance", "description": "", "tools": ["history_price: Giá đóng cửa cổ phiếu theo ngày"]}\n'
        '{"name": "research", "description": "", "tools": ["search_web: Tìm kiếm tin tức mới"]}'
    )
    wanted = schema("next", "task")
    first = about({"question": ASKED["news"], "reports": []}, people, purpose="route", schema=wanted)
    assert first == {"next": "research", "task": ASKED["news"]}
    then = about({"question": ASKED["news"], "reports": [{"from": "research"}]}, people, purpose="route", schema=wanted)
    assert then == {"next": "finish", "task": ""}


def test_evidence_and_reports_are_what_it_answers_from() -> None:
    evidence: JsonValue = [
        {"id": "#E1", "tool": "a", "failed": False, "result": '{"columns": ["day", "close"], "rows": [["x", 5]]}'},
        {"id": "#E2", "tool": "b", "failed": True, "result": "broken"},
    ]
    solved = ask(Message("user", json.dumps({"question": "Giá?", "evidence": evidence})), purpose="solve").text
    assert "day: x, close: 5" in solved
    assert "broken" not in solved
    reports: JsonValue = [{"from": "finance", "report": "r", "results": [{"tool": "a", "result": "CCC"}]}]
    assert "CCC" in ask(Message("user", json.dumps({"question": "Mã?", "reports": reports})), purpose="solve").text


def test_as_a_judge_it_counts_words() -> None:
    wanted: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"score": {"type": "number"}, "reason": {"type": "string"}},
        "required": ["score", "reason"],
    }
    material: dict[str, JsonValue] = {"question": "?", "rubric": "names Hanoi and Hue", "answer": "Hanoi is warm"}
    found = about(material, purpose="judge", schema=wanted)
    assert found["score"] == 0.333
    assert "no language model" in str(found["reason"])


def test_the_schema_decides_what_a_reply_holds() -> None:
    wanted: dict[str, JsonValue] = {
        "type": "object",
        "properties": {"score": {"type": "number"}, "grade": {"enum": ["A", "B"]}, "more": {"type": "array"}},
        "required": ["score", "grade", "more"],
    }
    assert about({"rubric": "", "answer": ""}, purpose="judge", schema=wanted) == {
        "score": 0.0,
        "grade": "A",
        "more": [],
    }


def test_it_speaks_the_text_protocol_where_tools_are_only_listed() -> None:
    system = Message("system", f"Công cụ:\n{tool_lines()}")
    question = Message("user", ASKED["code"])
    first = ask(system, question).text
    assert first == 'Thought: listing_symbol\nAction: listing_symbol\nAction Input: {"query":"Cửu Long"}'
    seen = Message("user", 'Observation: [{"symbol": "CCC"}]')
    assert ask(system, question, Message("assistant", first), seen).text.startswith(
        "Final Answer: Các công cụ cho biết: "
    )


@pytest.mark.parametrize("text", ["", "{", '{"question": 5}', "[1]", "\x00", "{" * 5000])
@pytest.mark.parametrize("purpose", ["act", "plan", "solve", "evaluate", "reflect", "route", "judge"])
def test_it_replies_to_anything(text: str, purpose: Purpose) -> None:
    reply = ask(Message("system", text), Message("user", text), tools=definitions(), purpose=purpose)
    assert isinstance(reply, ModelReply)
    assert isinstance(ask(purpose=purpose), ModelReply)


def test_words_are_folded_and_small_ones_left_out() -> None:
    assert content_words("Giá của các Cổ phiếu getPrice prices") == ["gia", "co", "phieu", "price", "price"]
    assert terms(["a", "b", "c"]) == {"a", "b", "c", "a b", "b c"}
