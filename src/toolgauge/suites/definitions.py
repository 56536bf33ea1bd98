"""Tool definitions in the spellings that people have at hand: Anthropic, OpenAI, MCP, or plain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct, field

from toolgauge.core import Annotations, CannedResult, CodeTool, JsonValue, Suite, ToolDefinition, nfc
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, Path, shorten
from toolgauge.matchers import check_rule, schema_fault

__all__ = ["WrittenTool", "check_tools", "code_tool", "tool_definition", "undefined_tools"]

MAX_NAMED = 5
"""How many tools are named that nobody defines."""

Schema: TypeAlias = dict[str, JsonValue]


class WrittenAnnotations(Struct, frozen=True, gc=False):
    """What a definition says of what the tool does, as MCP names it or as Python does; other keys are dropped."""

    read_only: bool | None = field(default=None, name="readOnlyHint")
    """False: the tool changes things."""
    destructive: bool | None = field(default=None, name="destructiveHint")
    """True: what it changes cannot be taken back."""
    read_only_hint: bool | None = None
    """The same as `readOnlyHint`."""
    destructive_hint: bool | None = None
    """The same as `destructiveHint`."""


class Function(Struct, frozen=True, gc=False):
    """What OpenAI's chat spelling keeps one level down."""

    name: str | None = None
    """What the tool is called."""
    description: str | None = None
    """What it does, for the model."""
    parameters: Schema | None = None
    """JSON schema of its arguments."""
    annotations: WrittenAnnotations | None = None
    """Whether it changes things."""


class WrittenTool(Struct, frozen=True, gc=False):
    """A tool as written in a file. Keys beyond these, such as a title, are accepted and dropped."""

    name: str | None = None
    """What the tool is called."""
    description: str | None = None
    """What it does, for the model."""
    function: Function | None = None
    """The definition, as OpenAI's chat API spells it."""
    parameters: Schema | None = None
    """JSON schema of its arguments."""
    input_schema: Schema | None = None
    """The same, as Anthropic spells it."""
    mcp_schema: Schema | None = field(default=None, name="inputSchema")
    """The same, as MCP spells it."""
    annotations: WrittenAnnotations | None = None
    """Whether it changes things: `{readOnlyHint: false}`, or `{destructiveHint: true}`."""
    results: tuple[CannedResult, ...] = ()
    """What the mocked tool returns when an agent is run; the first match counts."""
    python: str | None = None
    """Where the code of the tool is, as `module:object`; its definition comes from there."""
    isolate: Literal["process"] | None = None
    """`process`: the code runs in a process of its own, which may hang and crash as it likes."""


def undefined_tools(suite: Suite) -> Iterator[str]:
    """A sentence for each tool that cases expect but the suite does not define, if it defines others.

    Such an expectation can hardly be met: mostly the name is misspelt.
    """
    defined = [tool.name for tool in suite.tools]
    if not defined:
        return
    missing: dict[str, str] = {}
    for case in suite.cases:
        for plan in case.expect.plans:
            for call in plan.calls:
                if call.tool not in defined:
                    missing.setdefault(call.tool, case.id)
    for tool, case_id in list(missing.items())[:MAX_NAMED]:
        near = did_you_mean(tool, defined)
        hint = f"; {near}" if near.startswith("did you mean") else ""
        yield f"the suite expects calls of {tool!r}, first in case {case_id!r}, but does not define this tool{hint}"
    if len(missing) > MAX_NAMED:
        yield f"{len(missing) - MAX_NAMED} more tools are expected and not defined; toolgauge lint names them"


def code_tool(tool: WrittenTool | str) -> CodeTool | None:
    """The code that stands for a tool, or for several; None: its definition is written out."""
    if isinstance(tool, str):
        return CodeTool(tool)
    return None if tool.python is None else CodeTool(tool.python, tool.isolate, _annotations(tool.annotations))


def tool_definition(tool: WrittenTool) -> ToolDefinition:
    """The same in the one spelling that the rest of the program knows."""
    if tool.function is not None:
        named = tool.function
        said = _annotations(tool.annotations, named.annotations)
        return ToolDefinition(named.name or "", named.description or "", named.parameters, tool.results, said)
    schemas = (tool.parameters, tool.input_schema, tool.mcp_schema)
    schema = next((schema for schema in schemas if schema is not None), None)
    said = _annotations(tool.annotations)
    return ToolDefinition(tool.name or "", tool.description or "", schema, tool.results, said)


def _annotations(*written: WrittenAnnotations | None) -> Annotations | None:
    """What is said of what a tool does, in whichever place and spelling; None: nothing."""
    found = [one for one in written if one is not None]
    read_only = [said for one in found for said in (one.read_only, one.read_only_hint) if said is not None]
    destructive = [said for one in found for said in (one.destructive, one.destructive_hint) if said is not None]
    if not read_only and not destructive:
        return None
    return Annotations(all(read_only) if read_only else None, any(destructive) if destructive else None)


def check_tools(
    tools: Sequence[WrittenTool | str], path: Path, *, schemas: bool = True, objects: bool = False
) -> Iterator[Fault]:
    """Everything wrong with tools whose types are right.

    Args:
        tools: The tools as written.
        path: Where they stand.
        schemas: Whether a schema that is none is wrong here.
        objects: Whether the names of Python objects may stand among them.
    """
    names: set[str] = set()
    for index, tool in enumerate(tools):
        here = (*path, index)
        if (code := code_tool(tool)) is not None:
            if not objects:
                what = f"{shorten(code.python)} names a Python object, and this command loads no code"
                yield Fault(here, what, "write the definition out: name, description, parameters")
            elif isinstance(tool, WrittenTool) and (tool.name or tool.function is not None):
                yield Fault(here, "both a name and Python code are given", "the definition comes from the code")
            continue
        if isinstance(tool, str):
            raise AssertionError("a text stands for code")
        if tool.isolate is not None:
            hint = "it is for tools in Python: {python: module:function, isolate: process}"
            yield Fault((*here, "isolate"), "there is no code that could be isolated", hint)
        name = nfc(tool_definition(tool).name.strip())
        place = (*here, "function", "name") if tool.function is not None else (*here, "name")
        if not name:
            yield Fault(place, "the tool has no name")
        elif name in names:
            yield Fault(place, f"there is already a tool called {shorten(name)}")
        names.add(name)
        yield from _check_results(tool.results, (*here, "results"))
        if schemas:
            yield from _check_schemas(tool, here)


def _check_results(results: Sequence[CannedResult], path: Path) -> Iterator[Fault]:
    for index, canned in enumerate(results):
        if canned.error is not None and canned.result is not None:
            yield Fault((*path, index), "both 'result' and 'error' are given", "a call works or fails; leave one out")
        for name, rule in canned.when.items():
            yield from check_rule(rule, (*path, index, "when", name))


def _check_schemas(tool: WrittenTool, path: Path) -> Iterator[Fault]:
    written = [("parameters", tool.parameters), ("input_schema", tool.input_schema), ("inputSchema", tool.mcp_schema)]
    places = [((*path, key), schema) for key, schema in written]
    if tool.function is not None:
        places.append(((*path, "function", "parameters"), tool.function.parameters))
    for place, schema in places:
        if schema is not None and (reason := schema_fault(schema)):
            yield Fault(place, f"not a JSON schema: {reason}")
