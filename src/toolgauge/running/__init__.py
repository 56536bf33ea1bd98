"""Wires together what it takes to run agents: suite, agents, models, tools, scoring and the store."""

from .entry import run, run_async, run_whole
from .loops import run_in_loop
from .options import Agents, Conducted, RunOptions

__all__ = ["Agents", "Conducted", "RunOptions", "run", "run_async", "run_in_loop", "run_whole"]
