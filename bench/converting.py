"""What reading the records of other tools costs beside decoding them: OTLP lines and lines of chat messages.

`python -m bench.converting PIECE FILE` does one piece of the work, and prints its time, in a process of its own.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from toolgauge.cli.convert import command

from .measuring import Part, Ran, least_processor, run

__all__ = ["measure"]

ROUNDS = 3
OPEN_TRACES = 12
"""How many traces are mixed with each other."""

SPANS_A_LINE = 4
TOOLS = ("get_weather", "search_web", "lookup_order", "list_flights", "send_mail")
TEXT = "thời tiết hôm nay ở Hà Nội rất đẹp và không có mưa the order was shipped on Monday and will arrive soon"
WORDS = TEXT.split()


def measure(megabytes: int) -> Part:
    """Measure with files of this size."""
    rows = []
    with TemporaryDirectory(prefix="toolgauge-bench-") as name:
        for what, write in (("OTLP lines", otlp_lines), ("chat messages", message_lines)):
            path = Path(name) / "records.jsonl"
            write_file(path, write(random.Random(7)), megabytes)
            decoded: list[Ran] = []
            converted: list[Ran] = []
            for _ in range(ROUNDS if megabytes <= 200 else 1):
                decoded.append(_work("untyped", path))
                converted.append(_work("convert", path))
            share = least_processor(decoded) / least_processor(converted)
            speed = path.stat().st_size / 1e6 / least_processor(converted)
            memory = max(ran.memory for ran in converted) / 1e6
            rows.append((what, f"{speed:.0f} MB/s", f"{share:.0%}", "≥ 25 %", f"{memory:.0f} MB", "< 150 MB"))
    about = (
        f"Files of {megabytes} MB, read, converted and written again, one process; the share is that of the speed at "
        "which msgspec decodes the lines untyped, by processor time."
    )
    return Part("Converting", about, ("what", "speed", "share", "wanted", "memory", "wanted"), rows)


def _work(piece: str, path: Path) -> Ran:
    ran = run([sys.executable, "-m", "bench.converting", piece, str(path)])
    if ran.code:
        raise RuntimeError(ran.errors)
    return Ran(ran.code, ran.output, ran.errors, ran.seconds, ran.memory, float(ran.output))


def untyped(path: str) -> None:
    """Decode every line, and nothing else."""
    decode = msgspec.json.Decoder().decode
    with open(path, "rb") as stream:
        for line in stream:
            decode(line)


def convert(path: str) -> None:
    """Convert the file as the command does."""
    command.main([path, "-o", f"{path}.converted"], standalone_mode=False)
    os.unlink(f"{path}.converted")


def write_file(path: Path, lines: Iterator[object], megabytes: int) -> None:
    """Write lines until the file is large enough."""
    left = megabytes * 1_000_000
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as stream:
        for line in lines:
            data = encode(line) + b"\n"
            stream.write(data)
            left -= len(data)
            if left < 0:
                break


def otlp_lines(rng: random.Random) -> Iterator[object]:
    """Exports of a few spans each, from several traces at a time, children before their parents."""
    traces = [_trace(rng) for _ in range(OPEN_TRACES)]
    waiting: list[object] = []
    while True:
        index = rng.randrange(len(traces))
        try:
            waiting.append(next(traces[index]))
        except StopIteration:
            traces[index] = _trace(rng)
        if len(waiting) == SPANS_A_LINE:
            resource = {"attributes": _attributes({"service.name": "assistant", "telemetry.sdk.language": "python"})}
            scope = {"name": "assistant", "version": "1.0"}
            yield {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": waiting}]}]}
            waiting = []


def _trace(rng: random.Random) -> Iterator[object]:
    identity = f"{rng.getrandbits(128):032x}"
    root = f"{rng.getrandbits(64):016x}"
    conversation = f"{rng.getrandbits(64):x}"
    begin = now = 1_790_000_000_000_000_000 + rng.randrange(10**15)
    history: list[object] = [{"role": "user", "parts": [{"type": "text", "content": _words(rng, 20)}]}]

    def span(name: str, length: int, attributes: Mapping[str, object], parent: str | None = root) -> object:
        return {
            "traceId": identity,
            "spanId": root if parent is None else f"{rng.getrandbits(64):016x}",
            **({} if parent is None else {"parentSpanId": parent}),
            "name": name,
            "kind": 3,
            "startTimeUnixNano": str(begin if parent is None else now),
            "endTimeUnixNano": str(now + length),
            "attributes": _attributes({"gen_ai.conversation.id": conversation, **attributes}),
            "status": {},
        }

    for _ in range(rng.randrange(1, 5)):
        calls = [(f"call_{rng.getrandbits(60):x}", rng.choice(TOOLS)) for _ in range(rng.choice((1, 1, 2)))]
        asked = [
            {"type": "tool_call", "id": key, "name": tool, "arguments": {"query": _words(rng, 4), "limit": 10}}
            for key, tool in calls
        ]
        reply = {"role": "assistant", "parts": asked, "finish_reason": "tool_calls"}
        yield span("chat large", 10**9, _chat(rng, history, reply))
        now += 10**9
        answers = []
        for (key, tool), part in zip(calls, asked, strict=True):
            result = {"items": [{"title": _words(rng, 6), "text": _words(rng, 20)} for _ in range(3)]}
            attributes = {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": tool,
                "gen_ai.tool.call.id": key,
                "gen_ai.tool.type": "function",
                "gen_ai.tool.call.arguments": _text(part["arguments"]),
                "gen_ai.tool.call.result": _text(result),
            }
            yield span(f"execute_tool {tool}", 10**8, attributes)
            answers.append({"type": "tool_call_response", "id": key, "response": result})
        now += 10**8
        history += [reply, {"role": "tool", "parts": answers}]
    final = {"role": "assistant", "parts": [{"type": "text", "content": _words(rng, 40)}], "finish_reason": "stop"}
    yield span("chat large", 10**9, _chat(rng, history, final))
    now += 10**9
    attributes = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "assistant", "gen_ai.agent.id": "a1"}
    yield span("invoke_agent assistant", 0, attributes, None)


def _chat(rng: random.Random, history: list[object], reply: object) -> dict[str, object]:
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "large",
        "gen_ai.response.model": "large-2026-01-01",
        "gen_ai.response.id": f"resp_{rng.getrandbits(60):x}",
        "gen_ai.request.temperature": 0.2,
        "server.address": "models.example.com",
        "server.port": 443,
        "gen_ai.usage.input_tokens": rng.randrange(3000),
        "gen_ai.usage.output_tokens": rng.randrange(300),
        "gen_ai.input.messages": _text(history),
        "gen_ai.output.messages": _text([reply]),
    }


def _attributes(values: Mapping[str, object]) -> list[object]:
    kinds = {str: "stringValue", int: "intValue", float: "doubleValue"}
    return [
        {"key": key, "value": {kinds[type(value)]: str(value) if type(value) is int else value}}
        for key, value in values.items()
    ]


def message_lines(rng: random.Random) -> Iterator[object]:
    """One conversation a line, in OpenAI's layout."""
    number = 0
    while True:
        number += 1
        messages: list[object] = [
            {"role": "system", "content": _words(rng, 60)},
            {"role": "user", "content": _words(rng, 20)},
        ]
        for _ in range(rng.randrange(1, 5)):
            key, tool = f"call_{rng.getrandbits(60):x}", rng.choice(TOOLS)
            function = {"name": tool, "arguments": _text({"query": _words(rng, 4), "limit": 10})}
            calls = [{"id": key, "type": "function", "function": function}]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            result = {"items": [{"title": _words(rng, 6), "text": _words(rng, 20)} for _ in range(3)]}
            messages.append({"role": "tool", "tool_call_id": key, "content": _text(result)})
        messages.append({"role": "assistant", "content": _words(rng, 40)})
        yield {"id": f"case-{number}", "messages": messages}


def _words(rng: random.Random, count: int) -> str:
    return " ".join(rng.choices(WORDS, k=count))


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()


PIECES: dict[str, Callable[[str], None]] = {"untyped": untyped, "convert": convert}


def main() -> None:
    """Do the piece of work that the command line names; prints the seconds that the processor worked."""
    piece, path = sys.argv[1:]
    started = time.process_time()
    PIECES[piece](path)
    print(time.process_time() - started)


if __name__ == "__main__":
    main()
