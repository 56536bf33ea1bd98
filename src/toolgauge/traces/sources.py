"""Which files traces are read from, and what agents are called that name themselves nowhere."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeAlias, cast

from toolgauge.core import PathLike, Suite, Trajectory, nfc
from toolgauge.errors import NothingToDo, UsageError
from toolgauge.files import STANDARD_INPUT, expand_path, is_address, unpacked_name

__all__ = ["Source", "Traces", "fallback_names", "find_sources"]


class Source(NamedTuple):
    """A file of traces, and the agent they are of where the file does not say."""

    path: PathLike
    agent: str | None = None


Traces: TypeAlias = PathLike | Mapping[str, PathLike] | Iterable[PathLike | Source] | Iterable[Trajectory]
"""A file, files by agent name, several files, or trajectories."""


def find_sources(
    suite: Suite | PathLike, traces: Traces, *, agent_from: str = "file"
) -> tuple[list[Source], Iterable[Trajectory]]:
    """The files that traces are read from, or else the trajectories themselves.

    Args:
        suite: The suite that they are meant for.
        traces: What somebody named: files, folders, patterns, addresses; or trajectories.
        agent_from: `path`: agents are called by the folder of their files, or by the file where that is in none.

    Raises:
        UsageError: A file is there twice, or standard input is.
        NothingToDo: A folder or a pattern has no file of traces.
    """
    listed, trajectories = _listed(traces)
    sources = [found for source in listed for found in _expanded(source, by_path=agent_from == "path")]
    standard = [source for source in sources if os.fspath(source.path) == STANDARD_INPUT]
    if standard and not isinstance(suite, Suite) and os.fspath(suite) == STANDARD_INPUT:
        raise UsageError("standard input can be the suite or the traces, not both")
    seen: set[tuple[str, str | None]] = set()
    for source in sources:
        path = os.fspath(source.path)
        key = (path if is_address(path) else os.path.realpath(path), source.agent)
        if key in seen:
            raise UsageError(f"{os.fspath(source.path)} is given twice; leave one out, or name their agents: NAME=FILE")
        seen.add(key)
    return sources, trajectories


def _expanded(source: Source, *, by_path: bool) -> list[Source]:
    named = expand_path(os.fspath(source.path))
    if [file.path for file in named] == [os.fspath(source.path)] and not by_path:
        return [Source(source.path, source.agent and nfc(source.agent))]
    return [Source(file.path, nfc(source.agent or (file.agent if by_path else "")) or None) for file in named]


def fallback_names(sources: Sequence[Source]) -> list[str]:
    """Names for the agents of files that name none: by the file, and as much of its path as tells it from others."""
    given = {source.agent for source in sources}
    ends = [_path_ends(source.path) for source in sources]
    taken = Counter(end for source, own in zip(sources, ends, strict=True) if source.agent is None for end in own)
    return [next((end for end in own if taken[end] == 1 and end not in given), own[-1]) for own in ends]


def _path_ends(path: PathLike) -> list[str]:
    """Longer and longer ends of a path, the ending of the file left out but for the last, which is all of it."""
    if os.fspath(path) == STANDARD_INPUT:
        return ["stdin"]
    bare = unpacked_name(os.fspath(path))
    whole = Path(nfc(bare.partition(":")[2] if is_address(bare) else os.path.realpath(bare)))
    parts = (*whole.parts[1:-1], whole.stem)
    return ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)] + [str(whole)]


def _listed(traces: Traces) -> tuple[list[Source], Iterable[Trajectory]]:
    if isinstance(traces, (str, os.PathLike)):
        return [Source(traces)], ()
    if isinstance(traces, Mapping):
        return [Source(path, agent) for agent, path in traces.items()], ()
    items = iter(traces)
    first = next(items, None)
    if first is None:
        raise NothingToDo("there are no traces to score")
    if isinstance(first, Trajectory):
        return [], cast(Iterable[Trajectory], chain([first], items))
    return [item if isinstance(item, Source) else Source(item) for item in chain([first], items)], ()  # type: ignore[arg-type]  # no trajectory among them
