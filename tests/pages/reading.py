"""Pages as tests read them: with their data unpacked, and without style and scripts, which have tests of their own."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from typing import Any

BLOCK = re.compile(r'<script type="application/octet-stream">([^<]*)</script>')
CODE = re.compile(r'<style>.*?</style>|<script type="module">.*?</script>', re.DOTALL)
HASH = re.compile(r"'sha256-[^']*'")
VERSION = re.compile(r"(toolgauge )\d+\.\d+\.\d+[\w.]*")


def blocks(page: str) -> list[Any]:
    """The data in a page."""
    return [json.loads(gzip.decompress(b64decode(found))) for found in BLOCK.findall(page)]


def readable(page: str) -> str:
    """A page as text that can be compared: the data as JSON, no style, no scripts."""
    if "<!doctype html>" not in page:
        return page

    def unpack(found: re.Match[str]) -> str:
        data = json.loads(gzip.decompress(b64decode(found[1])))
        if isinstance(data, dict):
            del data["words"]
        return f"<data>{json.dumps(data, ensure_ascii=False, indent=1)}</data>"

    text = CODE.sub("<code>", HASH.sub("<hash>", page))
    return VERSION.sub(r"\1<version>", BLOCK.sub(unpack, text))
