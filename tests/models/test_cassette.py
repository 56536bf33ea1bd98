"""Recording exchanges and answering from the record."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from toolgauge.core import JsonValue, Message, ModelReply, ModelRequest, ToolDefinition, ToolRequest, Usage
from toolgauge.errors import InputError, ModelError, OutputError, UsageError
from toolgauge.files import MEBIBYTE
from toolgauge.models import Cassette, Recorded, open_model, tool_request
from toolgauge.secrets import Secrets
from toolgauge.testing import ScriptedModel

WEATHER = ToolDefinition("get_weather", "The weather.", {"type": "object", "properties": {"city": {"type": "string"}}})
VALUE = "sk-very-secret-0123456789"


def request(text: str = "Thời tiết Hà Nội?", *tools: ToolDefinition, temperature: float | None = None) -> ModelRequest:
    return ModelRequest((Message("user", text),), tools, temperature=temperature)


def record(path: Path, model: ScriptedModel, *requests: ModelRequest, endpoint: str = "e") -> list[ModelReply]:
    async def go() -> list[ModelReply]:
        with Cassette.record(path) as cassette:
            recorded = Recorded(model.name, cassette, model, endpoint=endpoint)
            return [await recorded.ask(asked) for asked in requests]

    return asyncio.run(go())


def replay(path: Path, *requests: ModelRequest, name: str = "scripted", endpoint: str = "e") -> list[ModelReply]:
    async def go() -> list[ModelReply]:
        with Cassette.replay(path) as cassette:
            recorded = Recorded(name, cassette, endpoint=endpoint)
            return [await recorded.ask(asked) for asked in requests]

    return asyncio.run(go())


def never() -> Awaitable[JsonValue]:
    raise AssertionError("a replay does nothing")


def returning(value: JsonValue) -> Callable[[], Awaitable[JsonValue]]:
    async def do() -> JsonValue:
        return value

    return do


def test_replies_come_back_as_they_were(tmp_path: Path) -> None:
    replies = [
        ModelReply("a", (ToolRequest("t", {"x": [1, 2.5, None, {"y": "ấ"}]}, "c1"),), Usage(1, 10, 5, 0.25)),
        ModelReply(calls=(ToolRequest("t", None, "c2", "{broken"),), cut=True),
    ]
    path = tmp_path / "tape.jsonl"
    asked = [request("one"), request("two", WEATHER)]
    assert record(path, ScriptedModel(replies), *asked) == replies
    assert replay(path, *reversed(asked)) == list(reversed(replies))


def test_the_same_request_gets_its_replies_in_order_and_no_more(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    record(path, ScriptedModel(["first", "second"]), request(), request())
    assert [reply.text for reply in replay(path, request(), request())] == ["first", "second"]
    with pytest.raises(ModelError, match="more than 2 times") as raised:
        replay(path, request(), request(), request())
    assert raised.value.kind == "not recorded"


def test_the_order_of_keys_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    turned = ToolDefinition("get_weather", "The weather.", dict(reversed(list((WEATHER.parameters or {}).items()))))
    record(path, ScriptedModel(["ok"]), request("q", WEATHER))
    assert replay(path, request("q", turned))[0].text == "ok"


@pytest.mark.parametrize(
    ("asked", "name", "endpoint", "difference"),
    [
        (request("other", WEATHER), "scripted", "e", 'request.messages[0].text is "other", but was recorded as "q"'),
        (request("q"), "scripted", "e", "request.tools is missing, but was recorded as"),
        (
            request("q", WEATHER, temperature=1.0),
            "scripted",
            "e",
            "request.temperature is 1.0, but was recorded as missing",
        ),
        (request("q", ToolDefinition("get_weather")), "scripted", "e", "request.tools[0].description is missing"),
        (request("q", WEATHER), "another", "e", 'model is "another", but was recorded as "scripted"'),
        (request("q", WEATHER), "scripted", "http://b", 'endpoint is "http://b", but was recorded as "e"'),
    ],
)
def test_whatever_could_change_the_reply_is_not_found(
    tmp_path: Path, asked: ModelRequest, name: str, endpoint: str, difference: str
) -> None:
    path = tmp_path / "tape.jsonl"
    record(path, ScriptedModel(["ok", "far"]), request("q", WEATHER), request("x" * 50, temperature=0.3))
    with pytest.raises(ModelError) as raised:
        replay(path, asked, name=name, endpoint=endpoint)
    assert raised.value.kind == "not recorded"
    assert str(path) in str(raised.value)
    assert f"this request to model {name!r} was not recorded; in the closest recorded request, {difference}" in str(
        raised.value
    )


def test_a_record_without_any_request_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    record(path, ScriptedModel([]))
    with pytest.raises(ModelError, match="contains no request to any model"):
        replay(path, request())


def test_failures_are_recorded_unless_they_stop_everything(tmp_path: Path) -> None:
    async def go(path: Path, error: ModelError) -> None:
        with Cassette.record(path) as cassette, pytest.raises(ModelError) as raised:
            await Recorded("m", cassette, ScriptedModel([error])).ask(request())
        assert str(raised.value) == str(error)

    asyncio.run(go(tmp_path / "a", ModelError("m: timeout", kind="timeout")))
    asyncio.run(go(tmp_path / "b", ModelError("m: HTTP 401", kind="unauthorised", status=401, fatal=True)))
    with pytest.raises(ModelError, match="m: timeout") as raised:
        replay(tmp_path / "a", request(), name="m", endpoint="")
    assert raised.value.kind == "timeout"
    assert len((tmp_path / "b").read_text().splitlines()) == 1


def test_tool_calls_are_recorded_by_schema_version_and_arguments(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"

    async def go() -> None:
        with Cassette.record(path) as cassette:
            asked = tool_request(WEATHER, {"city": "Huế"}, version="1")
            await cassette.exchange("tool", asked, returning({"value": 31}))
        with Cassette.replay(path) as cassette:
            for other in (
                tool_request(WEATHER, {"city": "Hue"}, version="1"),
                tool_request(WEATHER, {"city": "Huế"}, version="2"),
                tool_request(ToolDefinition("get_weather"), {"city": "Huế"}, version="1"),
            ):
                with pytest.raises(ModelError, match="request to tool 'get_weather' was not recorded"):
                    await cassette.exchange("tool", other, never)
            assert await cassette.exchange("tool", asked, never) == {"value": 31}

    asyncio.run(go())


def test_many_tasks_record_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"

    async def go() -> None:
        with Cassette.record(path) as cassette:
            asked: list[dict[str, JsonValue]] = [{"tool": "t", "args": {"n": n}} for n in range(200)]
            await asyncio.gather(*(cassette.exchange("tool", one, returning("v" * 5000)) for one in asked))

    asyncio.run(go())
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 201


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    before = os.umask(0)
    try:
        record(path, ScriptedModel([]))
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text("mine")
    with pytest.raises(UsageError, match="already exists"):
        Cassette.record(path)
    with pytest.raises(InputError, match="not a cassette"):
        Cassette.record(path, append=True)
    assert path.read_text() == "mine"


def test_a_resumed_record_goes_on_after_a_cut_line(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    record(path, ScriptedModel(["one"]), request("1"))
    with path.open("a") as stream:
        stream.write('{"key":"cut off')
    assert replay(path, request("1"))[0].text == "one"

    async def go() -> None:
        with Cassette.record(path, append=True) as cassette:
            await Recorded("scripted", cassette, ScriptedModel(["two"]), endpoint="e").ask(request("2"))

    asyncio.run(go())
    assert [reply.text for reply in replay(path, request("1"), request("2"))] == ["one", "two"]


@pytest.mark.parametrize(
    "content", [b"", b"{}\n", b"\xff\n", b'{"schema":"toolgauge.cassette/9"}\n', b"[1]\n", b"[" * 5000]
)
def test_what_is_no_cassette_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a cassette of the kind"):
        Cassette.replay(path)


@pytest.mark.parametrize(
    "line", ['{"key":"k"}', "[" * 990 + "]" * 990, '{"key":"k","asked":' + '{"a":' * 5000 + "1" + "}" * 5001]
)
def test_a_bad_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_text(f'{{"schema":"toolgauge.cassette/1"}}\n{line}\n')
    with pytest.raises(InputError, match=r"tape\.jsonl:2: this line is not an exchange"):
        Cassette.replay(path)


HEADER = b'{"schema":"toolgauge.cassette/1"}\n'


def test_a_line_without_end_is_read_no_further_than_the_longest_exchange(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(HEADER)
    os.truncate(path, 1_000_000_000)
    with measured() as peak, pytest.raises(InputError, match=r"tape\.jsonl:2: this line is longer than 64 MiB"):
        Cassette.replay(path)
    assert peak() < 150_000_000
    with measured() as peak, Cassette.record(path, append=True):
        assert path.stat().st_size == len(HEADER)
    assert peak() < 10_000_000


def test_an_exchange_of_many_small_values_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(HEADER + b'{"key":"k","asked":1,"answer":[' + b"[]," * 5_000_000 + b"[]]}\n")
    with measured() as peak, pytest.raises(InputError, match=r":2: more than 1,000,000 lists, objects and keys"):
        Cassette.replay(path)
    assert peak() < 100_000_000


def test_what_could_not_be_read_again_is_not_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.models.cassette.LONGEST", MEBIBYTE)
    path = tmp_path / "tape.jsonl"
    with pytest.raises(OutputError, match=r"an exchange of more than 1 MiB cannot be recorded"):
        record(path, ScriptedModel(["x" * MEBIBYTE]), request())
    assert path.read_bytes() == HEADER


def test_a_record_that_changes_while_it_is_replayed_is_no_fault_of_toolgauge(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    record(path, ScriptedModel(["one"]), request())
    with Cassette.replay(path) as cassette:
        path.write_bytes(b"{" * path.stat().st_size)
        with pytest.raises(InputError, match=r"tape\.jsonl: this line is not an exchange"):
            asyncio.run(Recorded("scripted", cassette, endpoint="e").ask(request()))


@contextmanager
def measured() -> Iterator[Callable[[], int]]:
    """Says how many bytes Python had at one time."""
    tracemalloc.start()
    peaks: list[int] = []
    try:
        yield lambda: peaks[0]
    finally:
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.jsonl"):
        Cassette.replay(tmp_path / "gone.jsonl")
    with pytest.raises(OutputError, match="cannot be written"):
        Cassette.record(tmp_path / "no" / "tape.jsonl")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
def test_a_full_disk_is_told() -> None:
    cassette = Cassette("/dev/full")
    cassette._output = os.open("/dev/full", os.O_WRONLY)
    with cassette, pytest.raises(OutputError, match="/dev/full: cannot be written: No space left"):
        asyncio.run(cassette.exchange("tool", {"tool": "t"}, returning(1)))


def test_credentials_are_not_recorded_and_do_not_hinder_the_replay(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    secrets = Secrets({"MY_KEY": VALUE})
    asked = request(f"use {VALUE}")

    async def go(cassette: Cassette, model: ScriptedModel | None, text: str) -> str:
        with cassette:
            return (await Recorded("m", cassette, model).ask(request(text))).text

    said = asyncio.run(
        go(Cassette.record(path, secrets=secrets), ScriptedModel([f"got {VALUE}"]), asked.messages[0].text)
    )
    assert said == f"got {VALUE}"
    assert VALUE not in path.read_text()
    # The same with the credential at hand, and where only its mark has come back from earlier replies.
    for text in (f"use {VALUE}", "use [redacted MY_KEY]"):
        assert asyncio.run(go(Cassette.replay(path, secrets=secrets), None, text)) == "got [redacted MY_KEY]"


def test_a_replay_needs_neither_key_nor_package(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    record(path, ScriptedModel(["31 °C"], name="anthropic:claude-haiku-4-5"), request("q"), endpoint="anthropic")
    program = f"""
import asyncio, sys
sys.modules["pydantic_ai"] = sys.modules["httpx2"] = None
from toolgauge.core import Message, ModelRequest
from toolgauge.files import MEBIBYTE
from toolgauge.models import Cassette, open_model
model = open_model("anthropic:claude-haiku-4-5", cassette=Cassette.replay({str(path)!r}))
print(ascii(asyncio.run(model.ask(ModelRequest((Message("user", "q"),)))).text))
"""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC", "OPENAI"))}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout.strip(), done.returncode) == (ascii("31 °C"), 0), done.stderr


def test_the_endpoint_is_part_of_what_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "tape.jsonl"
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    record(path, ScriptedModel(["ok"], name="openai:m"), request("q"), endpoint="http://one.test/v1")

    async def ask(base_url: str | None) -> str:
        with Cassette.replay(path) as cassette:
            model = open_model("openai:m", base_url=base_url, cassette=cassette)
            return (await model.ask(request("q"))).text

    assert asyncio.run(ask("http://one.test/v1")) == "ok"
    for other in ("http://two.test/v1", None):
        with pytest.raises(ModelError, match="endpoint is"):
            asyncio.run(ask(other))
