"""One name for a tool that recorders write in several ways."""

import pytest

from toolgauge.traces.tool_names import ToolNames

KNOWN = ("get_weather", "a.b", "my__tool")


@pytest.mark.parametrize(
    ("recorded", "name"),
    [
        ("get_weather", "get_weather"),
        ("functions.get_weather", "get_weather"),
        ("mcp__srv__get_weather", "get_weather"),
        ("mcp__my__srv__get_weather", "get_weather"),
        ("mcp__my__srv__get-weather", "get_weather"),
        ("mcp__srv__my__tool", "my__tool"),
        ("mcp__a__srv__my__tool", "my__tool"),
        ("mcp__srv__other__tool", "other__tool"),
        ("a_b", "a.b"),
        ("get__weather", "get__weather"),
        ("", "unnamed"),
    ],
)
def test_the_name_that_the_suite_knows_is_found(recorded: str, name: str) -> None:
    assert ToolNames(KNOWN)(recorded) == name
