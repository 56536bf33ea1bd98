"""The ways into toolgauge, each with jobs that are made by chance: which seed, how it is spoiled, who reads it."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from random import Random

from .jobs import Job
from .mutation import spoil, spoil_bytes, spoil_json, spoil_rows, spoil_text, spoil_value
from .options import option_job
from .programs import ADDRESS
from .seeds import seeds
from .stores import spoil_store

__all__ = ["SURFACES", "Surface", "make_job"]

REQUESTS, BODIES = 25, 10
"""So many are sent to one viewer, and to one receiver, which take a moment to start."""

STORE = ("--store", "runs.db")
FORMATS = ("text", "md", "json", "csv", "latex", "html", "junit", "github", "run")


@dataclass(frozen=True, slots=True)
class Surface:
    """A way in."""

    make: Callable[[Random], Job]
    weight: int
    """How many inputs it gets, in relation to others."""
    needs: tuple[str, ...] = ()
    """Libraries that have to be there; they are imported before anything is forked."""
    inputs: int = 1
    """How many inputs a job has."""

    @property
    def available(self) -> bool:
        """Whether everything it needs is there."""
        return all(_is_there(name) for name in self.needs)


def _is_there(library: str) -> bool:
    """Whether a library is installed; its package may be missing as a whole."""
    package, _, _ = library.partition(".")
    return find_spec(package) is not None and find_spec(library) is not None


def make_job(surface: str, seed: int, number: int) -> Job:
    """The job with this number, which is always the same."""
    return SURFACES[surface].make(Random(f"{seed}/{surface}/{number}"))


def _kind(name: str) -> str:
    return {"csv": "csv", "yaml": "text"}.get(name.rpartition(".")[2], "json")


def _suites(dice: Random) -> Job:
    name, data = dice.choice([*seeds().suites.items()])
    if name.endswith(".yaml") and dice.random() < 0.5:
        data, kind = _yaml_as_json(data), "json"
    else:
        kind = _kind(name)
    if kind == "json" and dice.random() < 0.3:
        data = _cases_as_lines(data)
    files = {"suite": spoil(kind, data, dice), "traces.jsonl": seeds().traces["traces.jsonl"]}
    commands = (("lint", "suite"), ("lint", "suite", "--format", "md"), ("score", "suite", "traces.jsonl"))
    more = (("score", "suite", "traces.jsonl", "--failures", "--grounding", "--format", dice.choice(FORMATS)),)
    run = (("run", "suite", "--model", "local:lexical", *STORE, "--limit-seconds", "5"),)
    return Job(arguments=dice.choice((*commands, *commands, *more, *more, *run)), files=files)


def _yaml_as_json(data: bytes) -> bytes:
    import yaml

    try:
        return json.dumps(yaml.safe_load(data), default=str).encode()
    except (yaml.YAMLError, ValueError):
        return data


def _cases_as_lines(data: bytes) -> bytes:
    try:
        return b"\n".join(json.dumps(case).encode() for case in json.loads(data)["cases"])
    except (ValueError, KeyError, TypeError):
        return data


def _traces(dice: Random) -> Job:
    name, data = dice.choice([*seeds().traces.items()])
    if dice.random() < 0.1:
        data += b"\n" + dice.choice([*seeds().traces.values()])
    files = {"traces": spoil(_kind(name), data, dice), "suite.yaml": seeds().suites["weather-suite.yaml"]}
    commands = (
        ("convert", "traces"),
        ("convert", "traces", "--text-calls", "any", "--suite", "suite.yaml"),
        ("score", "suite.yaml", "traces", "--join", dice.choice(("auto", "id", "input", "run.ticket"))),
        ("score", "suite.yaml", "traces", "--details", "--failures", "--format", dice.choice(FORMATS)),
        ("init", "--from-traces", "traces", "-o", "proposed.yaml"),
        ("watch", "--follow", "traces", "--once", "--state", "watch.db"),
    )
    return Job(arguments=dice.choice((*commands[:4], *commands)), files=files)


def _run_files(dice: Random) -> Job:
    files = {"a.run.jsonl": spoil("json", seeds().run_file, dice), "b.run.jsonl": seeds().run_file}
    commands = (
        ("report", "a.run.jsonl", "--details", "--failures", "--format", dice.choice(FORMATS)),
        ("compare", "a.run.jsonl", "b.run.jsonl", "--format", dice.choice(FORMATS[:6])),
        ("gate", "a.run.jsonl", "--baseline", "b.run.jsonl", "--max-drop", "0.1", "--junit", "j.xml"),
        ("diagnose", "a.run.jsonl"),
        ("runs", "import", "a.run.jsonl", *STORE),
        ("lint", "suite.yaml", "--runs", "a.run.jsonl"),
        ("export", "a.run.jsonl", "--to", "otel", "--endpoint", "http://127.0.0.1:9", *STORE),
        ("cases", "add", "a.run.jsonl", "now_hanoi", "--to", "new.yaml"),
    )
    return Job(arguments=dice.choice(commands), files={**files, "suite.yaml": seeds().suites["weather-suite.yaml"]})


def _stores(dice: Random) -> Job:
    spoiled = spoil_store(seeds().store, dice)
    commands = (
        ("runs", "list", *STORE),
        ("runs", "show", "latest", *STORE),
        ("report", "latest", "--failures", "--with-reviews", "--format", dice.choice(FORMATS), *STORE),
        ("gate", "second", "--baseline", "first", "--max-drop", "0.1", *STORE),
        ("runs", "export", "latest", "-o", "out.run.jsonl", *STORE),
        ("runs", "salvage", "runs.db", "-o", "new.db"),
        ("runs", "copy", "latest", "--to", "other.db", *STORE),
        ("runs", "delete", "latest", "--yes", *STORE),
        ("score", "suite.yaml", "traces.jsonl", "--save", "third", *STORE),
    )
    plain = {"suite.yaml": seeds().suites["weather-suite.yaml"], "traces.jsonl": seeds().traces["traces.jsonl"]}
    return Job(arguments=dice.choice(commands), files={"runs.db": spoiled, **plain})


def _cassettes(dice: Random) -> Job:
    files = {"suite.json": WEATHER, "tape.jsonl": spoil("json", seeds().cassette, dice)}
    words = ("run", "suite.json", "--model", "local:lexical", "--replay", "tape.jsonl", "--limit-seconds", "5", *STORE)
    return Job(arguments=words, files=files)


def _reviews(dice: Random) -> Job:
    data = spoil("json", seeds().reviews, dice)
    if dice.random() < 0.5:
        words: tuple[str, ...] = ("report", "a.run.jsonl", "--with-reviews", "--format", dice.choice(FORMATS))
        return Job(arguments=words, files={"a.run.jsonl": seeds().run_file, "a.reviews.jsonl": data})
    words = ("runs", "review", "latest", "--from", "given.reviews.jsonl", *STORE)
    return Job(arguments=words, files={"runs.db": seeds().store, "given.reviews.jsonl": data})


def _parts(dice: Random) -> Job:
    if dice.random() < 0.6:
        first, second = seeds().parts
        files = {"1.part": spoil(dice.choice(("json", "bytes", "text")), first, dice), "2.part": second}
        return Job(arguments=("merge", "1.part", "2.part", "--format", dice.choice(FORMATS)), files=files)
    files = {f"parts/{name}": data for name, data in seeds().folder_of_parts.items()}
    chosen = dice.choice([*files])
    files[chosen] = spoil("json", files[chosen], dice)
    plain = {"suite.yaml": seeds().suites["weather-suite.yaml"], "traces.jsonl": seeds().traces["traces.jsonl"]}
    return Job(
        arguments=("score", "suite.yaml", "traces.jsonl", "--jobs", "2", "--parts", "parts"), files={**plain, **files}
    )


def _infoseek(dice: Random) -> Job:
    names = ("predictions.jsonl", "references.jsonl")
    files = {name: seeds().infoseek[name] for name in names}
    chosen = dice.choice(names)
    files[chosen] = spoil("json", dice.choice((files[chosen], *seeds().infoseek.values())), dice)
    words = ("infoseek", *names, "--format", dice.choice(FORMATS[:6]))
    return Job(arguments=(*words, *dice.choice(((), ("--fix-space",), ("--strict",), ("--intervals",)))), files=files)


def _packed(dice: Random) -> Job:
    inner = dice.choice([*seeds().traces.values()])
    if dice.random() < 0.5:
        inner = spoil_json(inner, dice)
    way = dice.choice((gzip.compress, bz2.compress, lzma.compress, _zipped, _twice_zipped))
    data = way(inner * dice.choice((1, 1, 1, 20)))
    if dice.random() < 0.7:
        data = spoil_bytes(data, dice)
    commands = (("convert", "traces"), ("score", "suite.yaml", "traces"), ("report", "traces"))
    return Job(
        arguments=dice.choice(commands), files={"traces": data, "suite.yaml": seeds().suites["weather-suite.yaml"]}
    )


def _zipped(data: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", data[:200])
        archive.writestr("samples/1_epoch_1.json", data)
        archive.writestr("a.jsonl", data)
    return written.getvalue()


def _twice_zipped(data: bytes) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", data)
    return gzip.compress(written.getvalue())


def _parquet(dice: Random) -> Job:
    data = seeds().large["traces.parquet"]
    data = spoil_bytes(data, dice) if dice.random() < 0.6 else _table(dice)
    commands = (("convert", "traces"), ("score", "suite.yaml", "traces"))
    return Job(
        arguments=dice.choice(commands), files={"traces": data, "suite.yaml": seeds().suites["weather-suite.yaml"]}
    )


def _table(dice: Random) -> bytes:
    """A Parquet file whose columns hold texts that were spoiled."""
    import pyarrow as pa
    from pyarrow import parquet

    records = [json.loads(line) for line in seeds().traces["traces.jsonl"].splitlines()]
    spoiled = [spoil_value(record, dice) for record in records]
    rows = [row if isinstance(row, dict) else {"case": "x"} for row in spoiled]
    names = list(dict.fromkeys(str(name) for row in rows for name in row))[:20]
    columns = {name.encode("utf-8", "replace").decode(): [_cell(row.get(name)) for row in rows] for name in names}
    written = io.BytesIO()
    parquet.write_table(pa.table(columns), written)
    return written.getvalue()


def _cell(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value and value.encode("utf-8", "replace").decode()
    return json.dumps(value, default=str)


def _workbooks(dice: Random) -> Job:
    import csv

    import openpyxl

    rows = [*csv.reader(io.StringIO(seeds().suites["truth.csv"].decode()))]
    book = openpyxl.Workbook()
    for row in spoil_rows(rows, dice):
        book.active.append([_writable(cell) for cell in row])
    written = io.BytesIO()
    book.save(written)
    data = written.getvalue()
    if dice.random() < 0.5:
        data = _with_member_spoiled(data, dice) if dice.random() < 0.7 else spoil_bytes(data, dice)
    files = {"suite.xlsx": data, "react.csv": seeds().traces["react.csv"]}
    return Job(arguments=dice.choice((("lint", "suite.xlsx"), ("score", "suite.xlsx", "react.csv"))), files=files)


def _writable(cell: object) -> object:
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if isinstance(cell, str):
        return ILLEGAL_CHARACTERS_RE.sub("", cell.encode("utf-8", "replace").decode())[:30_000]
    return cell if cell is None or abs(cell) < 10**15 else str(cell)  # type: ignore[arg-type]  # else a number


def _with_member_spoiled(data: bytes, dice: Random) -> bytes:
    """An archive, with a member of it spoiled as text."""
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as target:
        chosen = dice.choice(source.namelist())
        for name in source.namelist():
            held = source.read(name)
            target.writestr(name, spoil_text(held, dice) if name == chosen else held)
    return written.getvalue()


WEATHER = json.dumps(
    {
        "name": "weather",
        "tools": [
            {
                "name": "get_weather",
                "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
                "results": [{"result": {"celsius": 31}}],
            }
        ],
        "cases": [
            {"id": f"c{number}", "input": "Weather in Hanoi?", "expect": {"calls": [{"tool": "get_weather"}]}}
            for number in range(2)
        ],
    }
).encode()

REPLIES = (
    b'{"output": "31", "calls": [{"tool": "get_weather", "args": {"city": "Hanoi"}, "result": {"celsius": 31}}]}',
    b'{"answer": "It is 31 degrees."}',
    b'{"messages": [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": [{"id": "1",'
    b' "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Hanoi\\"}"}}]},'
    b' {"role": "tool", "tool_call_id": "1", "content": "31"}, {"role": "assistant", "content": "31"}]}',
    b'text/event-stream\n\ndata: {"type": "text", "text": "31"}\n\ndata: [DONE]\n\n',
    b'{"data": {"answer": "31"}, "usage": {"input_tokens": 3, "output_tokens": 4, "cost_usd": 0.1}}',
)


def _http_agent(dice: Random) -> Job:
    replies = [spoil(dice.choice(("json", "json", "bytes")), dice.choice(REPLIES), dice) for _ in range(2)]
    if dice.random() < 0.3:
        replies.append(spoil_json(dice.choice([*seeds().traces.values()]), dice))
    words = ("run", "suite.json", "--agent", ADDRESS, "--limit-seconds", "5", *STORE)
    more = dice.choice(((), (), ("--agent-field", "data.answer"), ("--agent-conversation", "session")))
    shown = dice.choice(((), ("--format", dice.choice(FORMATS))))
    return Job("http_agent", (*words, *more, *shown), {"suite.json": WEATHER}, tuple(replies))


ARGUMENTS = (
    '{"city": "Hanoi"}',
    '{"city": 1}',
    "[",
    "null",
    '{"city": "a", "city": "b"}',
    "[" * 700,
    '{"a":' * 990 + "1" + "}" * 990,
)


def _model(dice: Random) -> Job:
    """Replies of chat completions: a call, whose arguments may be anything, and an answer."""
    arguments = (
        dice.choice(ARGUMENTS)
        if dice.random() < 0.5
        else spoil_json(b'{"city": "Hanoi"}', dice).decode("utf-8", "replace")
    )
    wish = {"id": "1", "type": "function", "function": {"name": "get_weather", "arguments": arguments}}
    messages = (
        {"role": "assistant", "content": None, "tool_calls": [wish] * dice.choice((1, 1, 1, 2, 40))},
        {"role": "assistant", "content": dice.choice(("31", "", '{"score": 1.0}', "\x1b[2J", "a" * 1000))},
    )
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    sent = []
    for message in messages:
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {
            "id": "r",
            "object": "chat.completion",
            "created": 1,
            "model": "m",
            "choices": [choice],
            "usage": usage,
        }
        data = json.dumps(reply).encode()
        sent.append(spoil_json(data, dice) if dice.random() < 0.6 else data)
    words = ("run", "suite.json", "--agent", "a=tests.fuzzing.programs:asks_model", "--allow-code", *STORE)
    return Job("model", (*words, "--limit-seconds", "5"), {"suite.json": WEATHER}, tuple(sent))


TARGETS = (
    *("/", "/static/view.js", "/api/words", "/api/runs", "/api/history", "/run", "/watch", "/api/watch"),
    *(
        "/api/runs/{run}/run",
        "/api/runs/{run}/progress",
        "/api/runs/{run}/cases",
        "/api/runs/{run}/case?case=now_hanoi",
    ),
    *("/api/runs/{run}/neighbours?case=now_hanoi", "/api/runs/{run}/reviews", "/api/runs/{run}/export.csv"),
    *("/api/runs/{run}/export.jsonl", "/api/runs/{run}/events", "/api/runs/{run}/make-case"),
)
PARAMETERS = (
    *("q", "agent", "outcome", "answer", "tool", "issue", "label", "set", "review", "sort", "offset", "limit", "case"),
    *("score", "latency", "calls", "tokens", "cost", "score_min", "score.min", "lang", "suite", "name", "id", "metric"),
)
VALUES = (
    *(
        "",
        "1",
        "-1",
        "99999999999999999999",
        "nan",
        "inf",
        "1e999",
        "a:b",
        ":",
        "%00",
        "%ff",
        "%ed%a0%80",
        "../x",
        "a" * 3000,
    ),
    *(
        "score",
        "-score",
        "latest",
        "passed",
        "0..1",
        "..",
        "1..0",
        "*",
        "%25",
        "é",
        "'",
        "%22",
        "now_hanoi",
        "difficulty:easy",
    ),
)


def _viewer(dice: Random) -> Job:
    return Job("viewer", (), {"runs.db": seeds().store}, tuple(_target(dice) for _ in range(REQUESTS)))


def _target(dice: Random) -> bytes:
    target = dice.choice(TARGETS).replace("{run}", dice.choice(("1", "2", "1", "first", "x", "%2e%2e")))
    for _ in range(dice.randint(0, 3)):
        mark = "&" if "?" in target else "?"
        target += f"{mark}{dice.choice(PARAMETERS)}={dice.choice(VALUES)}"
    words = target.encode("latin-1", "replace")
    if dice.random() < 0.2:
        words = b"/" + spoil_bytes(words, dice).translate(None, b"\r\n \t\0")[1:8000]
    if dice.random() < 0.8:
        return b"GET " + words
    body = spoil_json(b'[{"case": "now_hanoi", "agent": "react", "trial": 1, "verdict": "right", "note": "x"}]', dice)
    return b"POST " + words + b"\n" + body[:200_000]


def _otlp(dice: Random) -> Job:
    from tests.watch.running import batch, trace

    sent = []
    for number in range(BODIES):
        spans = trace(
            number + 1, dice.randint(0, 3), error=dice.choice(("", "timeout")), session=dice.choice(("", "s"))
        )
        if dice.random() < 0.4:
            body, kind = spoil_json(_json_spans(batch(spans)), dice), "application/json"
        else:
            body, kind = (
                spoil_bytes(batch(spans), dice) if dice.random() < 0.9 else batch(spans),
                "application/x-protobuf",
            )
        packed = dice.random() < 0.2
        headers = f"Content-Type: {kind}" + ("; Content-Encoding: gzip" if packed else "")
        path = dice.choice(("/v1/traces", "/v1/traces", "/v1/logs"))
        sent.append(f"{path}\n{headers}\n".encode() + (gzip.compress(body) if packed else body))
    return Job("otlp", (), {}, tuple(sent))


def _json_spans(body: bytes) -> bytes:
    from google.protobuf.json_format import MessageToJson
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    written: str = MessageToJson(ExportTraceServiceRequest.FromString(body), indent=None)
    return written.encode()


SURFACES = {
    "suites": Surface(_suites, 18),
    "traces": Surface(_traces, 28),
    "run_files": Surface(_run_files, 8),
    "stores": Surface(_stores, 10),
    "cassettes": Surface(_cassettes, 3),
    "reviews": Surface(_reviews, 2),
    "parts": Surface(_parts, 2),
    "infoseek": Surface(_infoseek, 5),
    "packed": Surface(_packed, 4),
    "options": Surface(option_job, 8),
    "http_agent": Surface(_http_agent, 5),
    "viewer": Surface(_viewer, 4, ("starlette", "uvicorn"), REQUESTS),
    "otlp": Surface(
        _otlp, 4, ("starlette", "uvicorn", "opentelemetry.proto.collector.trace.v1.trace_service_pb2"), BODIES
    ),
    "model": Surface(_model, 2, ("pydantic_ai.models.openai",)),
    "parquet": Surface(_parquet, 2, ("pyarrow.parquet",)),
    "workbooks": Surface(_workbooks, 1, ("openpyxl",)),
}
