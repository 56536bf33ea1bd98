"""Wires together what it takes to run agents: suite, agents, models, tools, scoring and the store."""

from .credentials import addresses_of, known_secrets
from .entry import run, run_async, run_whole
from .loops import run_in_loop
from .options import Agents, Conducted, RunOptions

__all__ = [
    "Agents",
    "Conducted",
    "RunOptions",
    "addresses_of",
    "known_secrets",
    "run",
    "run_async",
    "run_in_loop",
    "run_whole",
]
