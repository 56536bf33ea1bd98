"""Records that real libraries wrote, talking to a server on the same machine.

| file | library |
| --- | --- |
| gemini.json | google-genai 2.34.0 |
| vercel.json | ai 4.3.19 (ui4, core4) and 5.0.277, from npm |
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

__all__ = ["recorded"]


def recorded(name: str) -> Any:
    """What a library wrote."""
    return msgspec.json.decode((Path(__file__).parent / f"{name}.json").read_bytes())
