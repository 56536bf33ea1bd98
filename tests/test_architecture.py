"""The walk through the house is true: an actual command passes the stops that the page names, in their order."""

from __future__ import annotations

import re
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType

import pytest

import toolgauge
from toolgauge.cli import main

PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
PACKAGE = Path(toolgauge.__file__).parent
MAX_STOPS = 25
COMMANDS = {
    "score": ["score", "weather/suite.yaml", "weather/traces.jsonl"],
    "run": ["run", "weather", "--agent", "react", "--model", "local:lexical", "--store", "runs.db"],
}


def stops(command: str) -> list[str]:
    """The stops that the page names for a command, each as `file.py: function`."""
    section = PAGE.read_text(encoding="utf-8").partition(f"## The way through `{command}`")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)


class Walk:
    """Records the functions of the package in the order in which they are first called."""

    def __init__(self) -> None:
        self.called: dict[str, None] = {}
        self._places: dict[CodeType, str | None] = {}

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code not in self._places:
            file = Path(code.co_filename)
            inside = PACKAGE in file.parents
            self._places[code] = f"{file.relative_to(PACKAGE).as_posix()}: {code.co_qualname}" if inside else None
        if (place := self._places[code]) is not None:
            self.called.setdefault(place)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_passes_the_stops_of_the_page_in_their_order(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    named = stops(command)
    assert 10 <= len(named) <= MAX_STOPS
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["toolgauge", "init", "weather"])
    with pytest.raises(SystemExit):
        main()
    walk = Walk()
    monkeypatch.setattr(sys, "argv", ["toolgauge", *COMMANDS[command]])
    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        with pytest.raises(SystemExit) as ended:
            main()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert not ended.value.code, capfd.readouterr().err
    assert [stop for stop in named if stop not in walk.called] == []
    assert sorted(named, key=list(walk.called).index) == named


def test_every_place_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`((?:\w+/)*\w+\.(?:py|json)|\w+/)`", PAGE.read_text(encoding="utf-8")))
    assert len(named) > 10
    assert [name for name in sorted(named) if not (PACKAGE / name).exists()] == []
