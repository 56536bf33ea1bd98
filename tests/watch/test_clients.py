"""Real instrumented clients, each exporting OTLP to the port of a watch."""

from __future__ import annotations

import asyncio
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.servers import Asked, OpenAIServer
from toolgauge.core import ModelReply, ToolRequest, Usage

from .running import Running, started

pytestmark = pytest.mark.deep

QUESTION = "How warm is it in Hanoi?"


def exporting(watch: Running) -> Any:
    """A provider of tracers that exports in batches, as people set it up."""
    sdk = import_module("opentelemetry.sdk.trace")
    export = import_module("opentelemetry.sdk.trace.export")
    resources = import_module("opentelemetry.sdk.resources")
    exporter = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    compression = import_module("opentelemetry.exporter.otlp.proto.http").Compression
    provider = sdk.TracerProvider(resource=resources.Resource.create({"service.name": "desk", "service.version": "7"}))
    sender = exporter.OTLPSpanExporter(endpoint=f"{watch.url}/v1/traces", compression=compression.Gzip)
    provider.add_span_processor(export.BatchSpanProcessor(sender))
    return provider


def test_pydantic_ai(tmp_path: Path) -> None:
    library = import_module("pydantic_ai")
    messages = import_module("pydantic_ai.messages")
    functions = import_module("pydantic_ai.models.function")

    def reply(said: list[Any], info: Any) -> Any:
        turn = sum(isinstance(message, messages.ModelResponse) for message in said)
        calls = [("get_weather", {"city": "Hanoi"}, "c1"), ("ask_oracle", {}, "c2")]
        if turn < 2:
            return messages.ModelResponse([messages.ToolCallPart(*calls[turn])])
        return messages.ModelResponse([messages.TextPart("31 degrees.")])

    def get_weather(city: str) -> dict[str, int]:
        return {"celsius": 31}

    def ask_oracle() -> str:
        raise library.ModelRetry("silent today")

    with started(tmp_path) as watch:
        provider = exporting(watch)
        desk = library.Agent(functions.FunctionModel(reply), name="desk")
        desk.instrument = library.InstrumentationSettings(tracer_provider=provider)
        desk.tool_plain(get_weather)
        desk.tool_plain(ask_oracle)
        desk.run_sync(QUESTION)
        provider.shutdown()
        (found,) = watch.conversations(1)
    assert [(call.tool, call.args, call.result) for call in found.calls] == [
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31}),
        ("ask_oracle", {}, None),
    ]
    assert found.calls[1].error is not None
    assert "silent today" in found.calls[1].error
    assert (found.input, found.output, found.agent) == (QUESTION, "31 degrees.", "desk")
    check_identity(found)


def test_langchain_through_openinference(tmp_path: Path) -> None:
    instrumentation = import_module("openinference.instrumentation.langchain")
    context = import_module("openinference.instrumentation")
    agents = import_module("langchain.agents")
    fakes = import_module("langchain_core.language_models.fake_chat_models")
    from langchain_core.messages import AIMessage
    from langchain_core.tools import tool

    class Scripted(fakes.FakeMessagesListChatModel):  # type: ignore[misc, name-defined]  # loaded above
        def bind_tools(self, tools: object, **more: object) -> object:
            return self

    def get_weather(city: str) -> dict[str, int]:
        """Tell the weather."""
        return {"celsius": 31}

    call = {"name": "get_weather", "args": {"city": "Hanoi"}, "id": "c1"}
    replies = [AIMessage("", tool_calls=[call]), AIMessage("31 degrees.")]
    with started(tmp_path) as watch:
        provider = exporting(watch)
        instrumentor = instrumentation.LangChainInstrumentor()
        instrumentor.instrument(tracer_provider=provider)
        try:
            agent = agents.create_agent(Scripted(responses=replies), [tool(get_weather)], name="desk")
            with context.using_session("s1"):
                agent.invoke({"messages": [{"role": "user", "content": QUESTION}]})
        finally:
            instrumentor.uninstrument()
        provider.shutdown()
        (found,) = watch.conversations(1)
    assert [(call.tool, call.args, call.result) for call in found.calls] == [
        ("get_weather", {"city": "Hanoi"}, {"celsius": 31})
    ]
    assert (found.input, found.output, found.meta["session_id"]) == (QUESTION, "31 degrees.", "s1")
    check_identity(found)


def test_openai_agents_sdk_through_openinference(tmp_path: Path) -> None:
    agents = import_module("agents")
    openai = import_module("openai")
    instrumentation = import_module("openinference.instrumentation.openai_agents")
    context = import_module("openinference.instrumentation")

    @agents.function_tool  # type: ignore[untyped-decorator]
    def get_weather(city: str) -> str:
        return '{"celsius": 31}'

    @agents.function_tool  # type: ignore[untyped-decorator]
    def ask_oracle() -> str:
        raise ValueError("silent today")

    def reply(asked: Asked) -> ModelReply:
        if not asked.results:
            return ModelReply(calls=(ToolRequest("get_weather", {"city": "Hanoi"}), ToolRequest("ask_oracle", {})))
        return ModelReply(text="31 degrees.", usage=Usage(input_tokens=20, output_tokens=4))

    with OpenAIServer(reply) as server, started(tmp_path) as watch:
        provider = exporting(watch)
        instrumentor = instrumentation.OpenAIAgentsInstrumentor()
        instrumentor.instrument(tracer_provider=provider)

        async def run() -> None:
            async with openai.AsyncOpenAI(api_key="none", base_url=server.base_url, max_retries=0) as client:
                model = agents.OpenAIChatCompletionsModel("large", client)
                desk = agents.Agent(name="desk", model=model, tools=[get_weather, ask_oracle])
                with context.using_session("s1"):
                    await agents.Runner.run(desk, QUESTION)

        try:
            asyncio.run(run())
        finally:
            instrumentor.uninstrument()
        provider.shutdown()
        (found,) = watch.conversations(1)
    assert [(call.tool, call.args) for call in found.calls] == [("get_weather", {"city": "Hanoi"}), ("ask_oracle", {})]
    assert (found.calls[0].result, found.calls[0].error) == ({"celsius": 31}, None)
    assert found.calls[1].error is not None
    assert (found.input, found.output, found.agent) == (QUESTION, "31 degrees.", "desk")
    assert found.events == (), "the run around it hands nothing over"
    assert found.usage is not None
    assert (found.usage.requests, found.meta["session_id"]) == (2, "s1")
    check_identity(found)


def check_identity(found: Any) -> None:
    """Ids and times are those of the spans, and the resource is known."""
    assert len(found.meta["trace_id"]) == 32
    assert all(len(call.span_id) == 16 for call in found.calls)
    assert all(call.started_ms is not None and call.duration_ms is not None for call in found.calls)
    assert (found.meta["service.name"], found.meta["service.version"]) == ("desk", "7")
