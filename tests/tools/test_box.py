"""Calling tools: what is refused, what fails, what is cut, and what is left behind."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.tools import samples
from toolgauge.core import CannedResult, JsonValue, ToolDefinition
from toolgauge.errors import UsageError
from toolgauge.tools import Box, BoxLimits, Called, Isolation, from_definition, from_function, from_function_in_process

SHORT = BoxLimits(seconds=0.2)


def call(box: Box, name: str, args: Mapping[str, JsonValue] | None = None) -> Called:
    async def once() -> Called:
        called = await box.call(name, {} if args is None else args)
        await box.close()
        return called

    return asyncio.run(once())


def test_a_call_gives_its_result_as_value_and_as_text() -> None:
    called = call(Box([from_function(samples.get_weather)]), "get_weather", {"city": "Huế"})
    assert called.result.error is None
    assert called.result.value == {"city": "Huế", "unit": "celsius", "days": 1}
    assert called.result.text == '{"city":"Huế","unit":"celsius","days":1}'
    assert called.duration_ms >= 0


@pytest.mark.parametrize("name", ["", "get_wether", "<b>x</b>\n", "\ud800", "a" * 100_000])
def test_an_unknown_tool_is_a_failure_that_can_be_shown(name: str) -> None:
    called = call(Box([from_function(samples.get_weather)]), name, {"city": "Huế"})
    assert called.result.error is not None
    assert called.result.error.startswith("there is no tool '")
    assert "\n" not in called.result.error
    assert called.result.error.isascii()
    assert len(called.result.error) < 2_000
    assert ("did you mean 'get_weather'?" in called.result.error) is (name == "get_wether")


def test_arguments_that_break_the_schema_are_refused_before_the_call() -> None:
    called = call(Box([from_function(samples.add)]), "add", {"a": "1", "c": 2})
    assert called.result.error is not None
    for words in ("do not fit the tool's schema", '"b" is a required property', "a: ", "integer"):
        assert words in called.result.error
    assert called.result.text == f"Error: {called.result.error}"


def test_arguments_that_are_no_object_are_refused() -> None:
    async def once() -> Called:
        return await Box([from_function(samples.add)]).call("add", None)

    assert asyncio.run(once()).result.error == "the arguments are not a JSON object"


def test_an_exception_is_a_failure_with_its_trace() -> None:
    called = call(Box([from_function(samples.fail)]), "fail", {"words": "no such city"})
    assert called.result.error == "ValueError: no such city"
    assert "samples.py" in called.trace


@pytest.mark.parametrize(("function", "words"), [(samples.leave, "SystemExit: 3"), (samples.interrupt, "KeyboardInt")])
def test_a_tool_that_tries_to_end_the_program_ends_only_its_call(function: object, words: str) -> None:
    assert callable(function)
    called = call(Box([from_function(function, name="tool")]), "tool")
    assert words in (called.result.error or "")


def test_an_async_tool_that_tries_to_end_the_program_ends_only_its_call() -> None:
    async def leave() -> None:
        raise SystemExit(4)

    assert "SystemExit: 4" in (call(Box([from_function(leave)]), "leave").result.error or "")


def test_a_hanging_async_tool_is_stopped() -> None:
    async def hang() -> None:
        await asyncio.sleep(3600)

    assert call(Box([from_function(hang)], limits=SHORT), "hang").result.error == "no result after 0.2 s"


def test_a_tool_that_will_not_stop_is_left_behind_and_told() -> None:
    async def stubborn() -> None:
        while True:
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                if os.environ.get("TOOLGAUGE_TEST_END"):
                    raise

    async def once() -> tuple[Called, list[str]]:
        box = Box([from_function(stubborn)], limits=SHORT)
        called = await box.call("stubborn", {})
        warnings = await box.close()
        os.environ["TOOLGAUGE_TEST_END"] = "1"
        return called, warnings

    try:
        called, warnings = asyncio.run(once())
    finally:
        os.environ.pop("TOOLGAUGE_TEST_END", None)
    assert called.result.error == "no result after 0.2 s"
    assert warnings == ["tool 'stubborn': 1 call did not stop when told to, and was abandoned"]


def test_a_blocking_tool_holds_nobody_up_and_its_thread_is_told() -> None:
    async def both() -> tuple[Called, list[Called], list[str]]:
        box = Box([from_function(samples.sleep, timeout_seconds=0.2), from_function(samples.add)])
        slow = asyncio.create_task(box.call("sleep", {"seconds": 3}))
        others = [await box.call("add", {"a": number, "b": 1}) for number in range(20)]
        assert not slow.done()
        return await slow, others, await box.close()

    slow, others, warnings = asyncio.run(both())
    assert slow.result.error == "no result after 0.2 s"
    assert [other.result.value for other in others] == list(range(1, 21))
    assert warnings[0].startswith("tool 'sleep': 1 call did not stop")


def test_many_blocking_tools_run_at_once() -> None:
    async def many() -> list[Called]:
        box = Box([from_function(samples.sleep)], limits=BoxLimits(seconds=20))
        calls = [box.call("sleep", {"seconds": 0.2}) for _ in range(100)]
        return await asyncio.wait_for(asyncio.gather(*calls), 15)

    assert all(called.result.value == "awake" for called in asyncio.run(many()))


def test_a_large_result_is_kept_in_part_with_its_size() -> None:
    def large() -> str:
        return "x" * 50_000_000

    called = call(Box([from_function(large)]), "large")
    assert called.size == 50_000_000
    assert len(str(called.result.value)) == 1_000_000
    assert called.result.text.startswith("x" * 20_000 + "\n[cut here; the whole result has 50,000,000 bytes]")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({1: "a"}, {"1": "a"}),
        ({"a", "b"}, None),
        (samples.Place("Huế"), {"city": "Huế", "country": "VN"}),
        (object(), None),
        ("\ud800", "\\ud800"),
        (float("nan"), None),
        (10**400, None),
        (b"ab", "YWI="),
    ],
)
def test_any_result_becomes_json(value: object, expected: JsonValue) -> None:
    def tool() -> object:
        return value

    called = call(Box([from_function(tool)]), "tool")
    assert called.result.error is None
    if expected is not None:
        assert called.result.value == expected
    called.result.text.encode()


def test_a_mock_repeats_its_arguments_or_answers_what_the_suite_says() -> None:
    definition = ToolDefinition("get_weather", "", {"type": "object", "properties": {"city": {"type": "string"}}})
    assert call(Box([from_definition(definition)]), "get_weather", {"city": "Huế"}).result.value == {"city": "Huế"}
    canned = [
        CannedResult({"city": "Huế"}, {"c": 31}),
        CannedResult({"city": {"$one_of": ["Đà Lạt", "Sapa"]}}, None, "too cold"),
        CannedResult({"city": {"$absent": True}}, "where?"),
    ]
    box = Box([from_definition(definition, canned)])
    assert call(box, "get_weather", {"city": "Huế"}).result.value == {"c": 31}
    assert call(box, "get_weather", {"city": "Sapa"}).result.error == "too cold"
    assert call(box, "get_weather", {}).result.value == "where?"
    assert call(box, "get_weather", {"city": "Rome"}).result.error == "no result is known for these arguments"


def test_two_tools_of_one_name_and_a_schema_that_is_none_are_refused() -> None:
    with pytest.raises(UsageError, match="two tools called 'add'"):
        Box([from_function(samples.add), from_function(samples.add)])
    with pytest.raises(UsageError, match="parameters of tool 'x' are not a JSON schema"):
        Box([from_definition(ToolDefinition("x", "", {"type": "nothing"}))])


def test_an_isolated_tool_works_and_may_print() -> None:
    async def twice() -> list[Called]:
        box = Box([from_function_in_process(samples.chatter), from_function_in_process(samples.get_weather)])
        called = [await box.call("chatter", {"text": "xin chào"}), await box.call("chatter", {"text": "again"})]
        called.append(await box.call("get_weather", {"city": "Huế", "unit": "celsius"}))
        assert await box.close() == []
        return called

    first, second, third = asyncio.run(twice())
    assert (first.result.value, second.result.value) == ("xin chào", "again")
    assert third.result.value == {"city": "Huế", "unit": "celsius", "days": 1}


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (samples.crash, "killed by SIGSEGV"),
        (samples.leave, "SystemExit: 3"),
        (samples.eat_memory, "MemoryError"),
    ],
)
def test_an_isolated_tool_may_crash(function: object, words: str) -> None:
    assert callable(function)

    async def then_another() -> tuple[Called, Called]:
        bad = from_function_in_process(function, name="bad", isolation=Isolation(700_000_000))
        box = Box([bad, from_function(samples.add)])
        called = await box.call("bad", {}), await box.call("add", {"a": 1, "b": 2})
        assert await box.close() == []
        return called

    bad, good = asyncio.run(then_another())
    assert words in (bad.result.error or "")
    assert good.result.value == 3


def test_an_isolated_tool_that_hangs_is_killed() -> None:
    async def once() -> tuple[Called, list[str]]:
        box = Box([from_function_in_process(samples.sleep, timeout_seconds=1.5)])
        return await box.call("sleep", {"seconds": 60}), await box.close()

    called, warnings = asyncio.run(once())
    assert called.result.error == "no result after 1.5 s"
    assert warnings == []


def test_what_an_isolated_tool_started_is_killed_with_it(tmp_path: Path) -> None:
    note = tmp_path / "child.txt"

    async def once() -> None:
        box = Box([from_function_in_process(samples.hang_with_child, timeout_seconds=60)])
        call = asyncio.create_task(box.call("hang_with_child", {"note": str(note)}))
        while not (note.exists() and note.read_text(encoding="ascii")):
            await asyncio.sleep(0.02)
        call.cancel()
        await asyncio.wait((call,))
        await box.close()

    asyncio.run(once())
    assert ended(int(note.read_text(encoding="ascii")))


def test_only_what_can_be_imported_can_be_isolated() -> None:
    with pytest.raises(UsageError, match="cannot be imported by another process"):
        from_function_in_process(lambda: 1)


def test_processes_that_a_tool_left_behind_are_ended_and_told() -> None:
    async def once() -> tuple[Called, list[str]]:
        box = Box([from_function(samples.leave_child)])
        return await box.call("leave_child", {}), await box.close()

    called, warnings = asyncio.run(once())
    pid = called.result.value
    assert [words.partition(":")[0] for words in warnings] == ["tools left 1 process behind, which was terminated"]
    assert f"({pid})" in warnings[0]
    assert isinstance(pid, int)
    os.waitpid(pid, 0)


def test_processes_that_such_processes_started_are_ended_too() -> None:
    async def once() -> tuple[Called, list[str]]:
        box = Box([from_function(samples.leave_family)])
        return await box.call("leave_family", {}), await box.close()

    called, warnings = asyncio.run(once())
    family = called.result.value
    assert isinstance(family, list)
    assert len(family) == 2
    assert [words.partition(":")[0] for words in warnings] == ["tools left 1 process behind, which was terminated"]
    assert all(ended(pid) for pid in family if isinstance(pid, int))
    os.waitpid(int(str(family[0])), 0)


def ended(pid: int) -> bool:
    """Whether a process has ended, or does so soon; somebody may still have to ask for how."""
    for _ in range(500):
        try:
            if Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def test_a_call_that_is_cancelled_is_cancelled() -> None:
    async def once() -> bool:
        async def hang() -> None:
            await asyncio.sleep(3600)

        box = Box([from_function(hang)])
        task = asyncio.create_task(box.call("hang", {}))
        await asyncio.sleep(0.05)
        task.cancel()
        try:
            await task
        except asyncio.CancelledError:
            return True
        return False

    assert asyncio.run(once())
