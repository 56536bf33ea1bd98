"""One peer on the cases of the benchmark, run by the Python of an environment that holds the peer.

`python bench/peer_run.py PEER FILE` prints the seconds per trajectory as JSON, together with how many trajectories the
peer finds right. Values in the form that a peer wants are made before the clock starts, so that only its verdicts are
timed. Nothing here imports toolgauge but its own entry, and no peer reaches the network.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, NoReturn

Calls = list[dict[str, Any]]
Judge = Callable[[], int]
"""Judges every trajectory once, and says how many are right."""

PASSES = 3


def toolgauge(data: dict[str, Any]) -> Judge:
    """Everything on: alignment, arguments, issues."""
    core = import_module("toolgauge.core")
    msgspec = import_module("msgspec")
    suite = msgspec.convert(data["suite"], core.Suite)
    trajectories = [msgspec.convert(trajectory, core.Trajectory) for trajectory in data["trajectories"]]
    score_all = import_module("toolgauge.scoring").Scorer(suite).score_all
    return lambda: sum(score.passed for score in score_all(trajectories))


def agentevals(data: dict[str, Any]) -> Judge:
    """Unordered match of tool calls with exact arguments."""
    match = import_module("agentevals.trajectory.match")
    evaluate = match.create_trajectory_match_evaluator(trajectory_match_mode="unordered")

    def messages(calls: Calls) -> list[dict[str, Any]]:
        functions = [{"name": call["tool"], "arguments": json.dumps(call["args"])} for call in calls]
        tool_calls = [{"type": "function", "id": "", "function": function} for function in functions]
        return [{"role": "user", "content": "?"}, {"role": "assistant", "content": "", "tool_calls": tool_calls}]

    pairs = [(messages(made), messages(wanted)) for wanted, made in wanted_and_made(data)]
    return lambda: sum(bool(evaluate(outputs=made, reference_outputs=wanted)["score"]) for made, wanted in pairs)


def deepeval(data: dict[str, Any]) -> Judge:
    """ToolCorrectnessMetric with input parameters, without a model's opinion."""
    metrics, test_case = import_module("deepeval.metrics"), import_module("deepeval.test_case")
    parameters = [test_case.ToolCallParams.INPUT_PARAMETERS]
    metric = metrics.ToolCorrectnessMetric(evaluation_params=parameters, async_mode=False, threshold=1.0)

    def tools(calls: Calls) -> list[Any]:
        return [test_case.ToolCall(name=call["tool"], input_parameters=call["args"]) for call in calls]

    cases = [
        test_case.LLMTestCase(input="?", actual_output="", tools_called=tools(made), expected_tools=tools(wanted))
        for wanted, made in wanted_and_made(data)
    ]
    return lambda: sum(metric.measure(case, _show_indicator=False) == 1 for case in cases)


def ragas(data: dict[str, Any]) -> Judge:
    """ToolCallF1 over names and arguments."""
    metric = import_module("ragas.metrics").ToolCallF1()
    sample_class = import_module("ragas.dataset_schema").MultiTurnSample
    messages = import_module("ragas.messages")

    def tools(calls: Calls) -> list[Any]:
        return [messages.ToolCall(name=call["tool"], args=call["args"]) for call in calls]

    samples = [
        sample_class(
            user_input=[messages.HumanMessage(content="?"), messages.AIMessage(content="", tool_calls=tools(made))],
            reference_tool_calls=tools(wanted),
        )
        for wanted, made in wanted_and_made(data)
    ]

    async def judge() -> int:
        return sum([await metric.multi_turn_ascore(sample) == 1 for sample in samples])

    return lambda: asyncio.run(judge())


def bfcl(data: dict[str, Any]) -> Judge:
    """The leaderboard's checker of parallel calls."""
    # The table of all models brings their clients along, and the checker needs it for names with a dot alone.
    models = ModuleType("bfcl_eval.constants.model_config")
    models.MODEL_CONFIG_MAPPING = {}  # type: ignore[attr-defined]  # the one name that is looked for
    sys.modules[models.__name__] = models
    checker = import_module("bfcl_eval.eval_checker.ast_eval.ast_checker").ast_checker
    python = import_module("bfcl_eval.constants.enums").Language.PYTHON
    types = {"number": "float", "object": "dict"}

    def function(tool: dict[str, Any]) -> dict[str, Any]:
        listed = tool["parameters"]["properties"].items()
        properties = {name: {**kind, "type": types.get(kind["type"], kind["type"])} for name, kind in listed}
        return {"name": tool["name"], "parameters": {"type": "dict", "properties": properties, "required": []}}

    functions = [function(tool) for tool in data["suite"]["tools"]]
    cases = [
        (
            [{call["tool"]: call["args"]} for call in made],
            [{call["tool"]: {name: [value] for name, value in call["args"].items()}} for call in wanted],
        )
        for wanted, made in wanted_and_made(data)
    ]
    return lambda: sum(checker(functions, made, wanted, python, "parallel", "any")["valid"] for made, wanted in cases)


def wanted_and_made(data: dict[str, Any]) -> list[tuple[Calls, Calls]]:
    """The expected calls of each trajectory, and its calls."""
    wanted = {case["id"]: case["expect"]["calls"] for case in data["suite"]["cases"]}
    return [(wanted[trajectory["case"]], trajectory.get("calls", [])) for trajectory in data["trajectories"]]


PEERS: dict[str, Callable[[dict[str, Any]], Judge]] = {
    "toolgauge": toolgauge,
    "agentevals": agentevals,
    "deepeval": deepeval,
    "ragas": ragas,
    "bfcl": bfcl,
}


def _refuse(*_: object) -> NoReturn:
    raise OSError("the benchmark runs without a network")


def main() -> None:
    """Run one peer."""
    socket.socket.connect = _refuse  # type: ignore[method-assign]  # for this process alone
    socket.getaddrinfo = _refuse  # type: ignore[assignment]  # never returns
    with open(sys.argv[2], encoding="utf-8") as stream:
        data = json.load(stream)
    judge = PEERS[sys.argv[1]](data)
    times = []
    for _ in range(PASSES):
        started = time.perf_counter()
        right = judge()
        times.append(time.perf_counter() - started)
    count = len(data["trajectories"])
    print(json.dumps({"seconds": min(times) / count, "right": right / count}))


if __name__ == "__main__":
    main()
