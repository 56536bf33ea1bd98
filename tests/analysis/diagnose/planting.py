"""A suite, an agent that does everything right, and faults to plant into what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from toolgauge.api import score
from toolgauge.core import (
    AdviceKind,
    Budget,
    Call,
    Case,
    Expect,
    ExpectedCall,
    FaultGroup,
    IssueKind,
    JsonValue,
    Run,
    State,
    Suite,
    ToolDefinition,
    Trajectory,
)

__all__ = ["CITIES", "PLANTS", "SUITE", "Plant", "plant", "run_with"]

CITIES = ("Hà Nội", "Huế", "Đà Nẵng", "Cần Thơ", "Đà Lạt", "Vinh")
SYMBOLS = ("VNM", "FPT", "HPG", "VCB", "MWG", "SSI")
SMALL_TALK = ("Xin chào!", "Bạn khỏe chứ?", "Cảm ơn nhiều.", "Bạn tên gì?", "Tạm biệt nhé.", "Kể chuyện vui đi.")


def _schema(required: list[JsonValue], **properties: dict[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


TEXT: dict[str, JsonValue] = {"type": "string"}
TOOLS = (
    ToolDefinition("get_weather", "Thời tiết hiện tại.", _schema(["city"], city=TEXT, units=TEXT, days=TEXT)),
    ToolDefinition("get_forecast", "", _schema(["city"], city=TEXT, days={"type": "integer"})),
    ToolDefinition("get_price", "Giá cổ phiếu.", _schema(["symbol"], symbol={**TEXT, "description": "Mã cổ phiếu."})),
    ToolDefinition("get_news", "Bài báo.", _schema(["symbol"], symbol=TEXT)),
    ToolDefinition("search_web", "Tìm trên mạng.", _schema(["query"], query=TEXT)),
    ToolDefinition("delete_city", "Xóa một thành phố.", _schema(["city"], city=TEXT)),
)


def _cases() -> Iterable[Case]:
    for number, city in enumerate(CITIES):
        wanted = ExpectedCall("get_weather", {"city": city}, {"units": {"$one_of": ["c", "f"]}}, ("days",))
        expect = Expect((wanted,), forbid=("delete_city",), contains=(city,))
        labels = {"difficulty": "dễ" if number % 2 else "khó"}
        yield Case(f"weather_{number}", f"Thời tiết ở {city} hôm nay thế nào?", labels, expect=expect)
        wanted = ExpectedCall("get_forecast", {"city": city, "days": 3})
        yield Case(f"forecast_{number}", f"Dự báo mưa ba ngày tới ở {city}?", labels, expect=Expect((wanted,)))
    for number, symbol in enumerate(SYMBOLS):
        labels = {"difficulty": "khó"}
        price = ExpectedCall("get_price", {"symbol": symbol}, id="price")
        answer: dict[str, JsonValue] = {"type": "number", "value": 70 + number}
        expect = Expect((price,), answer=answer)
        budget = Budget(calls=2, latency_ms=5000)
        yield Case(f"price_{number}", f"Giá cổ phiếu {symbol} là bao nhiêu?", labels, expect=expect, budget=budget)
        news = ExpectedCall("get_news", {"symbol": symbol}, after=("price",))
        expect = Expect((price, news))
        yield Case(f"news_{number}", f"Giá và tin tức mới nhất về {symbol}?", labels, expect=expect)
        yield Case(f"talk_{number}", SMALL_TALK[number], {"difficulty": "dễ"}, expect=Expect(()))


SUITE = Suite("mẫu", tuple(_cases()), TOOLS)


def _right(case: Case) -> Trajectory:
    """What an agent does that gets everything right."""
    calls = tuple(Call(wanted.tool, dict(wanted.args), result="ok") for wanted in case.expect.calls or ())
    stated = case.expect.answer
    said = str(stated["value"]) if stated is not None else ""
    output = " ".join([*case.expect.contains, said])
    return Trajectory(case.id, "agent", 1, calls=calls, output=output, latency_ms=900.0)


Change = Callable[[Trajectory], Trajectory]


def _calls(change: Callable[[tuple[Call, ...]], tuple[Call, ...]]) -> Change:
    return lambda trajectory: replace(trajectory, calls=change(trajectory.calls))


def _with(**more: JsonValue) -> Change:
    """The arguments of the last call with these in addition, or in place of others."""
    return _calls(lambda calls: (*calls[:-1], replace(calls[-1], args={**(calls[-1].args or {}), **more})))


def _without(name: str) -> Change:
    def change(calls: tuple[Call, ...]) -> tuple[Call, ...]:
        kept = {key: value for key, value in (calls[-1].args or {}).items() if key != name}
        return (*calls[:-1], replace(calls[-1], args=kept))

    return _calls(change)


def _instead(tool: str, **args: JsonValue) -> Change:
    return _calls(lambda calls: (*calls[:-1], Call(tool, args, result="ok")))


def _also(*more: Call) -> Change:
    return _calls(lambda calls: (*calls, *more))


def _ending(state: State, error: str) -> Change:
    return lambda trajectory: replace(trajectory, state=state, error=error, output=None)


SEARCH = Call("search_web", {"query": "thêm"}, result="ok")


@dataclass(frozen=True)
class Plant:
    """A fault, where it is planted, and the pattern that it should be found as."""

    topic: str
    """The cases it is planted in: those whose ids begin so."""
    change: Change
    group: FaultGroup
    kind: IssueKind
    advice: AdviceKind
    tool: str | None = None
    argument: str | None = None
    other: str | None = None
    state: State | None = None
    shows: tuple[str, ...] = ()
    """What the recommendation says in every language, besides the tool and the argument."""


PLANTS: dict[str, Plant] = {
    "wrong value": Plant(
        "weather", _with(city="Hanoi"), "parameters", "wrong_arg", "describe_argument", "get_weather", "city"
    ),
    "value not allowed": Plant(
        "weather", _with(units="kelvin"), "parameters", "invalid_arg", "describe_argument", "get_weather", "units"
    ),
    "argument left out": Plant(
        "forecast",
        _without("days"),
        "parameters",
        "missing_arg",
        "require_argument",
        "get_forecast",
        "days",
        shows=("3",),
    ),
    "required argument left out": Plant(
        "price", _without("symbol"), "parameters", "missing_arg", "describe_argument", "get_price", "symbol"
    ),
    "argument forbidden": Plant(
        "weather", _with(days="1"), "parameters", "forbidden_arg", "leave_out_argument", "get_weather", "days"
    ),
    "schema broken": Plant(
        "price", _with(exchange="HOSE"), "parameters", "schema_error", "fix_schema", "get_price", "exchange"
    ),
    "tool confused": Plant(
        "price",
        _instead("search_web", query="giá"),
        "wrong_tool",
        "missing_call",
        "tell_apart",
        "get_price",
        other="search_web",
        shows=("giá cổ phiếu",),
    ),
    "tool invented": Plant(
        "price",
        _instead("fetch_price", symbol="VNM"),
        "wrong_tool",
        "unknown_tool",
        "rename_tool",
        "fetch_price",
        other="get_price",
    ),
    "tool forbidden": Plant(
        "weather",
        _also(Call("delete_city", {"city": "Huế"}, result="ok")),
        "wrong_tool",
        "forbidden_tool",
        "fence_tool",
        "delete_city",
    ),
    "order": Plant(
        "news",
        _calls(lambda calls: calls[::-1]),
        "wrong_tool",
        "wrong_order",
        "state_order",
        "get_news",
        other="get_price",
    ),
    "tool not called": Plant(
        "news",
        _calls(lambda calls: calls[:1]),
        "missing_tool",
        "missing_call",
        "add_triggers",
        "get_news",
        shows=("tin tức",),
    ),
    "call without need": Plant(
        "forecast", _also(SEARCH, SEARCH, SEARCH), "over_calling", "unexpected_call", "stop_calling", "search_web"
    ),
    "tool in small talk": Plant(
        "talk", _also(SEARCH), "over_calling", "unexpected_call", "answer_without", "search_web"
    ),
    "loop": Plant(
        "forecast",
        _calls(lambda calls: calls * 5),
        "over_calling",
        "duplicate_call",
        "break_loop",
        "get_forecast",
    ),
    "budget": Plant(
        "price", _calls(lambda calls: calls * 4), "over_calling", "too_many_calls", "set_budget", "get_price"
    ),
    "tool fails once": Plant(
        "forecast",
        _calls(lambda calls: (replace(calls[0], result=None, error="503 quá tải"), *calls)),
        "faults",
        "tool_error",
        "retry_tool",
        "get_forecast",
        shows=("503 quá tải",),
    ),
    "tool fails for good": Plant(
        "forecast",
        _calls(lambda calls: tuple(replace(call, result=None, error="hết hạn khóa") for call in calls * 2)),
        "faults",
        "unrecovered_error",
        "recover_tool",
        "get_forecast",
        shows=("hết hạn khóa",),
    ),
    "agent breaks down": Plant(
        "price",
        _ending("error", "KeyError: x"),
        "faults",
        "agent_error",
        "mend_agent",
        state="error",
        shows=("KeyError",),
    ),
    "agent runs out of time": Plant(
        "talk", _ending("timeout", "60 s"), "faults", "agent_error", "raise_limits", state="timeout"
    ),
    "too slow": Plant(
        "price",
        lambda trajectory: replace(
            trajectory, latency_ms=9000.0, calls=(replace(trajectory.calls[0], duration_ms=8000.0),)
        ),
        "faults",
        "over_latency",
        "speed_up",
        "get_price",
    ),
    "keyword missing": Plant(
        "weather", lambda one: replace(one, output="Trời đẹp."), "answers", "missing_content", "state_content"
    ),
    "answer wrong": Plant(
        "price", lambda one: replace(one, output="Giá là 12."), "answers", "wrong_answer", "mend_answer"
    ),
}
"""Faults of every kind by a name."""


def plant(trajectories: Mapping[str, Trajectory], fault: Plant, numbers: Iterable[int]) -> dict[str, Trajectory]:
    """The trajectories with a fault planted into these cases of its topic."""
    chosen = {f"{fault.topic}_{number}" for number in numbers}
    return {case: fault.change(one) if case in chosen else one for case, one in trajectories.items()}


def run_with(*faults: tuple[Plant, Iterable[int]]) -> Run:
    """A run with faults planted into what an agent did that is right in everything else."""
    trajectories = {case.id: _right(case) for case in SUITE.cases}
    for fault, numbers in faults:
        trajectories = plant(trajectories, fault, numbers)
    return score(SUITE, list(trajectories.values()))
