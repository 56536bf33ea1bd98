"""Commands for a shell that an agent writes as text, as SWE-agent and mini-swe-agent do."""

from __future__ import annotations

import re

from .values import WrittenCall

__all__ = ["COMMAND_TOOL", "holds_command", "read_commands"]

COMMAND_TOOL = "bash"
"""What the tool is called that runs commands."""

BLOCK = re.compile(r"^```(?:bash|sh|shell|mswea_bash_command)?[ \t]*\n(.*?)^```[ \t]*$", re.DOTALL | re.MULTILINE)
TAGGED = re.compile(r"<command>(.*?)</command>", re.DOTALL)
MAX_BLOCKS = 20


def holds_command(text: str) -> bool:
    """Whether a text may hold a command."""
    return "```" in text or "<command>" in text


def read_commands(text: str) -> list[WrittenCall]:
    """The commands of a text; agents of this kind give one at a time, and a text with several is no step of theirs."""
    found = [] if text.count("```") > MAX_BLOCKS else [match[1] for match in BLOCK.finditer(text)]
    if not found and text.count("<command>") == 1:
        found = [match[1] for match in TAGGED.finditer(text)]
    commands = [command.strip("\n") for command in found if command.strip()]
    return [WrittenCall(COMMAND_TOOL, {"command": commands[0]})] if len(commands) == 1 else []
