"""What agents may call: Python functions, mocks of definitions, MCP servers, and the box that they are called in."""

from .box import Box, BoxLimits, Called, Overdue, overdue_call, stray_threads
from .child_process import LARGEST_MESSAGE, ChildProcess, Isolation
from .functions import FunctionTool, from_function
from .isolated import IsolatedTool, from_function_in_process, importable_name
from .loading import annotated, isolated, load_tools, tools_of
from .mcp import McpServer
from .mocks import MockTool, ToolFailure, from_definition
from .plain import NOT_JSON, SpoiledArguments, plain, plain_arguments
from .processes import adopting, end_copy
from .serving import Serving

__all__ = [
    "LARGEST_MESSAGE",
    "NOT_JSON",
    "Box",
    "BoxLimits",
    "Called",
    "ChildProcess",
    "FunctionTool",
    "IsolatedTool",
    "Isolation",
    "McpServer",
    "MockTool",
    "Overdue",
    "Serving",
    "SpoiledArguments",
    "ToolFailure",
    "adopting",
    "annotated",
    "end_copy",
    "from_definition",
    "from_function",
    "from_function_in_process",
    "importable_name",
    "isolated",
    "load_tools",
    "overdue_call",
    "plain",
    "plain_arguments",
    "stray_threads",
    "tools_of",
]
