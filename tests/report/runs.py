"""Small runs for the tests of reports, built by hand: the figures need not follow from the trajectories."""

from __future__ import annotations

from toolgauge.core import (
    Answer,
    Call,
    Case,
    Confusion,
    Counts,
    Estimate,
    Expect,
    ExpectedCall,
    Issue,
    Note,
    Pair,
    Plan,
    Row,
    Run,
    RunHeader,
    Score,
    Scored,
    Suite,
    SuiteFacts,
    Summary,
    Times,
    ToolDefinition,
    ToolRow,
    Trajectory,
)


def rate(value: float, low: float, high: float, n: int) -> Estimate:
    return Estimate(value, low, high, n)


def metrics(accuracy: float, n: int) -> dict[str, Estimate]:
    return {
        "accuracy": rate(accuracy, accuracy / 2, min(1.0, accuracy * 1.7), n),
        "precision": rate(32 / 33, 0.9, 1.0, n),
        "recall": rate(8 / 17, 0.35, 0.6, n),
        "f1": rate(64 / 101, 0.5, 0.75, n),
        "tool_fail_rate": rate(1 / 54, 0.003, 0.1, n),
        "tool_fail_rate_published": rate(1 / 53, 0.003, 0.1, n),
        "pass_rate": rate(0.5, 0.38, 0.62, n),
        "pass_rate_scored": rate(0.5, 0.38, 0.62, n),
        "score": rate(0.7321, 0.7, 0.76, n),
        "call_precision": rate(0.9, 0.85, 0.95, n),
        "call_recall": rate(0.8, 0.7, 0.9, n),
        "param_accuracy": rate(0.75, 0.7, 0.8, n),
        "content": rate(1.0, 1.0, 1.0, n),
        "answer": Estimate(None, reason="no_answer_scored"),
        "redundant_rate": rate(0.0125, 0.0, 0.05, n),
        "unknown_tool_rate": Estimate(None, reason="the suite defines no tools"),
        "latency": Estimate(None, reason="not_recorded"),
        "calls": Estimate(1.4321, 1.2, 1.6, n, p50=1.0, p95=3.0),
        "tokens": Estimate(None, reason="not_recorded"),
    }


def comparison(agents: tuple[str, ...] = ("React", "ReWOO")) -> Run:
    """Two agents on easy and hard Vietnamese questions, as a comparison of recorded results gives them."""
    rows = []
    for index, agent in enumerate(agents):
        for group, n in (({"difficulty": "dễ"}, 37), ({"difficulty": "khó"}, 55), ({}, 92)):
            counts = Counts(n, 8, n - 8)
            rows.append(Row(agent, group, n, counts, metrics(8 / 37 + index / 10, n)))
    tools = ("history_price", "search_web", "time_now")
    summary = Summary(
        SuiteFacts("chứng khoán", 92, tools, {"history_price": 40, "search_web": 51}, {"dễ": 37, "khó": 55}),
        "difficulty",
        Counts(184, 60, 122, error=2),
        tuple(rows),
        tuple(
            ToolRow(agent, tool, expected=9, called=8, right=7, missed=2, superfluous=1, failed=index)
            for agent in agents
            for index, tool in enumerate(tools)
        ),
        (
            Confusion(agents[0], "history_price", "search_web", 4),
            Confusion(agents[-1], "time_now", "search_web", 1),
        ),
        (
            Note(
                "fail_rate_published",
                {
                    "agent": agents[0],
                    "group": "khó",
                    "failed": 3,
                    "with_calls": 55,
                    "published_failed": 1,
                    "published_with_calls": 53,
                },
            ),
            Note("unmatched", {"count": 3, "names": ["Giá vàng?", "VN-Index?"]}),
        ),
    )
    header = RunHeader(toolgauge="0.1.0", created="2026-01-31T00:00:00Z", agents=agents, suite=Suite("x", ()))
    return Run(header, summary, ())


WEATHER = Case(
    "T001",
    "What's the weather in Hanoi right now, and what will it be like tomorrow in the old quarter by the lake?",
    {"difficulty": "easy"},
    expect=Expect(
        calls=(
            ExpectedCall(
                "get_weather",
                {"city": "Hanoi"},
                {"units": {"$one_of": ["celsius", "fahrenheit"]}},
                ("days",),
            ),
            ExpectedCall("get_forecast", {"city": "Hanoi", "days": 1}),
            ExpectedCall("convert", optional=True),
        ),
        neutral=("time_now",),
        contains=("Hanoi",),
        answer={"type": "number", "value": 31, "tolerance": "10%"},
    ),
)
CLIMATE = Case("T002", "What is climate?", expect=Expect(calls=(), contains=("climate",)))
PLANS = Case(
    "T003",
    "Giá vàng hôm nay?",
    expect=Expect(any_of=(Plan(()), Plan((ExpectedCall("gold", times=Times(2, 3)),)))),
)


def weather_scored() -> tuple[Scored, ...]:
    """A case with every kind of line, a passed one, one that never ran and one that ended early."""
    return (
        Scored(
            Trajectory(
                "T001",
                "react",
                1,
                calls=(
                    Call("time_now"),
                    Call("get_weather", {"city": "Hue", "units": "kelvin", "days": 3}),
                    Call("get_weather", {"city": "Hue"}, error="HTTP 500: upstream, again"),
                    Call("search_web", None),
                ),
                output="Hue: 40 °C.",
            ),
            Score(
                "T001",
                "react",
                1,
                "completed",
                score=0.425,
                call_precision=0.5,
                call_recall=0.5,
                param_accuracy=0.25,
                content=0.0,
                answer=Answer("wrong", 40),
                says_tools=True,
                alignment=(Pair(0, 1, 0.25),),
                issues=(
                    Issue("wrong_arg", "get_weather", "city", 1, 0, "Hanoi", "Hue"),
                    Issue(
                        "invalid_arg",
                        "get_weather",
                        "units",
                        1,
                        0,
                        {"$one_of": ["celsius", "fahrenheit"]},
                        "kelvin",
                    ),
                    Issue("forbidden_arg", "get_weather", "days", 1, 0, None, 3),
                    Issue("tool_error", "get_weather", call=2, got="HTTP 500: upstream, again"),
                    Issue("missing_call", "get_forecast", expected=1, failing=True),
                    Issue("missing_content", want="Hanoi"),
                    Issue("wrong_answer", want={"type": "number", "value": 31}, got=40, failing=True),
                ),
            ),
        ),
        Scored(
            Trajectory("T002", "react", 1, output="climate is …"),
            Score("T002", "react", 1, "completed", True, 1.0, 1.0, 1.0, 1.0, 1.0, says_tools=True),
        ),
        Scored(
            Trajectory("T003", "react", 1, "timeout", calls=(Call("gold", {"loại": "SJC"}),)),
            Score(
                "T003",
                "react",
                1,
                "timeout",
                False,
                0.55,
                1.0,
                0.5,
                0.5,
                1.0,
                plan=1,
                says_tools=True,
                alignment=(Pair(0, 0, 1.0),),
                issues=(
                    Issue("missing_call", "gold", expected=0, failing=True),
                    Issue("agent_error", want="timeout", got="no answer after 60 s", failing=True),
                ),
            ),
        ),
        Scored(Trajectory("T002", "plan", 1, "not_run"), Score("T002", "plan", 1, "not_run")),
    )


def weather() -> Run:
    """A small suite with single cases, no label, and figures that are missing or differ."""
    cases = (WEATHER, CLIMATE, PLANS)
    react = Row(
        "react",
        {},
        3,
        Counts(3, 1, 1, timeout=1),
        {
            "accuracy": rate(1 / 3, 0.06, 0.79, 3),
            "precision": rate(0.5, 0.1, 0.9, 3),
            "recall": rate(1.0, 0.4, 1.0, 3),
            "f1": rate(2 / 3, 0.3, 0.9, 3),
            "tool_fail_rate": rate(0.5, 0.1, 0.9, 2),
            "tool_fail_rate_published": rate(0.5, 0.1, 0.9, 2),
            "pass_rate": rate(1 / 3, 0.06, 0.79, 3),
            "pass_rate_scored": rate(0.5, 0.1, 0.9, 2),
            "score": rate(0.6583, 0.3, 0.9, 3),
            "call_precision": rate(5 / 6, 0.5, 1.0, 3),
            "call_recall": rate(2 / 3, 0.3, 1.0, 3),
            "param_accuracy": rate(0.58, 0.2, 0.9, 3),
            "content": rate(2 / 3, 0.3, 1.0, 3),
            "answer": rate(0.0, 0.0, 0.79, 1),
            "schema_error_rate": rate(0.2, 0.0, 0.6, 3),
            "latency": Estimate(640.125, 500.0, 800.0, 3, p50=610.0, p95=1204.0),
            "cost": Estimate(0.00123, 0.001, 0.002, 2, p50=0.001, p95=0.002),
        },
    )
    plan = Row(
        "plan",
        {},
        1,
        Counts(1, not_run=1),
        {
            "accuracy": Estimate(None, reason="no_tools_stated"),
            "precision": Estimate(None, reason="no_tool_succeeded"),
            "pass_rate": rate(0.0, 0.0, 0.79, 1),
            "pass_rate_scored": Estimate(None, reason="nothing_completed"),
            "score": Estimate(None, reason="nothing_measured"),
        },
    )
    summary = Summary(
        SuiteFacts("weather", 3, ("get_weather", "gold"), {"get_weather": 1, "gold": 1}),
        None,
        Counts(4, 1, 1, timeout=1, not_run=1),
        (react, plan),
        notes=(
            Note("not_run", {"agent": "plan", "count": 1, "cases": ["T002"]}),
            Note("several_trials", {"trials": 2}),
            Note("answers_not_scored", {"count": 2}),
        ),
    )
    header = RunHeader(
        toolgauge="0.1.0",
        created="2026-01-31T00:00:00Z",
        agents=("react", "plan"),
        suite=Suite("weather", cases, (ToolDefinition("get_weather"),)),
    )
    return Run(header, summary, weather_scored())
