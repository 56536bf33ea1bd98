"""One input with the command that gets it, as a value that can be written to a file and read again."""

from __future__ import annotations

import base64
import json
import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

__all__ = ["Job", "Kind", "read_job"]

Kind = Literal["command", "http_agent", "model", "viewer", "otlp"]


@dataclass(frozen=True, slots=True)
class Job:
    """What is run, and on what."""

    kind: Kind = "command"
    """A command; a run whose agent or model replies with these bytes; requests to the viewer or to the receiver."""
    arguments: tuple[str, ...] = ()
    files: dict[str, bytes] = field(default_factory=dict)
    """By their names in the folder in which the command runs."""
    sent: tuple[bytes, ...] = ()
    """Replies of an agent or a model, or bodies or targets of requests."""
    interrupt: bool = False
    """Whether the command is one that does not end by itself, and is interrupted."""

    @property
    def inputs(self) -> int:
        """How many inputs these are."""
        return len(self.sent) if self.kind in ("viewer", "otlp") else 1

    @property
    def command(self) -> str:
        """What a person would type, in a folder that has the files."""
        return shlex.join(["toolgauge", *self.arguments])

    def with_file(self, name: str, data: bytes) -> Job:
        """The same with another file of this name."""
        return replace(self, files={**self.files, name: data})

    def lay_out(self, folder: Path) -> None:
        """Write the files into a folder."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def write(self, path: Path) -> None:
        """Write it to a file."""
        value = {
            "kind": self.kind,
            "arguments": list(self.arguments),
            "files": {name: _to_json(data) for name, data in self.files.items()},
            "sent": [_to_json(data) for data in self.sent],
            "interrupt": self.interrupt,
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def read_job(path: Path) -> Job:
    """The job that was written to a file."""
    value = json.loads(path.read_text(encoding="utf-8"))
    return Job(
        kind=value["kind"],
        arguments=tuple(value["arguments"]),
        files={name: _from_json(data) for name, data in value["files"].items()},
        sent=tuple(map(_from_json, value["sent"])),
        interrupt=value["interrupt"],
    )


def _to_json(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _from_json(value: str | dict[str, str]) -> bytes:
    return value.encode() if isinstance(value, str) else base64.b64decode(value["base64"])
