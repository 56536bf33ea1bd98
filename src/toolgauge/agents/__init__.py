"""What can be evaluated: the agents that toolgauge brings, Python functions, HTTP endpoints, objects of libraries."""

from .calling import BlockingToolbox, call_agent
from .endpoint import HttpAgent, read_headers
from .loop import AgentFailure, ToolsAgent
from .multi import MultiAgent, Specialist
from .opening import AGENTS, agent_of, is_address, name_of, open_agent
from .react import ReactAgent
from .reflexion import ReflexionAgent
from .rewoo import RewooAgent

__all__ = [
    "AGENTS",
    "AgentFailure",
    "BlockingToolbox",
    "HttpAgent",
    "MultiAgent",
    "ReactAgent",
    "ReflexionAgent",
    "RewooAgent",
    "Specialist",
    "ToolsAgent",
    "agent_of",
    "call_agent",
    "is_address",
    "name_of",
    "open_agent",
    "read_headers",
]
