"""The calls that a request seems to want, in order, each with the arguments that are known and those that are not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from toolgauge.core import JsonValue, ToolDefinition

from .lexical_arguments import Known, fills
from .lexical_choice import choose, ranked

__all__ = ["Wanted", "wanted_calls"]


class Wanted(NamedTuple):
    """A call that seems to be wanted."""

    tool: ToolDefinition
    args: dict[str, JsonValue]
    missing: tuple[str, ...] = ()
    """Required arguments that nothing tells yet."""
    provider: str | None = None
    """The tool whose result may tell them."""


def wanted_calls(tools: Sequence[ToolDefinition], known: Known, named: Sequence[str] = ()) -> list[Wanted]:
    """The calls that a question seems to want.

    Args:
        tools: What there is.
        known: What arguments are made from.
        named: Tools that somebody asks for by name.
    """
    chosen = choose(known.subject, tools, wanted=named, needs_today=known.needs_today)
    calls: list[Wanted] = []
    for tool in chosen:
        for args, missing in fills(tool, known):
            provider = _provider(tool, missing, tools, known) if missing else None
            if provider is not None:
                calls.append(provider)
            calls.append(Wanted(tool, args, tuple(missing), provider.tool.name if provider else None))
    distinct = [one for number, one in enumerate(calls) if one[:2] not in [other[:2] for other in calls[:number]]]
    # What can be called at once comes first, so that the others may use it.
    return sorted(distinct, key=lambda one: bool(one.missing))


def _provider(
    tool: ToolDefinition, missing: Sequence[str], tools: Sequence[ToolDefinition], known: Known
) -> Wanted | None:
    """The call that is most likely to tell what is missing, by the words that describe it."""
    about = " ".join(_about(tool.parameters, missing))
    others = [other for other in tools if other.name != tool.name]
    for other, likeness in ranked(about, others):
        if likeness <= 0:
            return None
        args, lacking = next(fills(other, known))
        if not lacking:
            return Wanted(other, args)
    return None


def _about(parameters: Mapping[str, JsonValue] | None, names: Sequence[str]) -> Iterator[str]:
    properties = (parameters or {}).get("properties")
    for name in names:
        about = properties.get(name) if isinstance(properties, dict) else None
        yield name.replace("_", " ")
        yield str(about.get("description") or "") if isinstance(about, dict) else ""
