"""Pages as tests read them: with their data unpacked, and without style and scripts, which have tests of their own."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from itertools import accumulate
from typing import Any

BLOCK = re.compile(r'<script type="application/octet-stream" data-part="(\w+)" data-start="(\d+)">([^<]*)</script>')
CODE = re.compile(r'<style>.*?</style>|<script type="module">.*?</script>', re.DOTALL)
HASH = re.compile(r"'sha256-[^']*'")
VERSION = re.compile(r"(toolgauge )\d+\.\d+\.\d+[\w.]*")


def blocks(page: str) -> list[Any]:
    """The data in a page: the run with the rows of the list, then its cases in lists."""
    found = [(part, int(start), gzip.decompress(b64decode(text))) for part, start, text in BLOCK.findall(page)]
    (head,) = [json.loads(text) for part, _, text in found if part == "run"]
    for name, gaps in head.pop("sets").items():
        head["run"]["sets"][name] = list(accumulate(gaps))
    cases = [_cases(json.loads(text), head["rows"][start:]) for part, start, text in found if part == "cases"]
    return [head, *cases]


def _cases(block: Any, rows: list[Any]) -> list[Any]:
    """The cases of a block, each trajectory with what its row in the list has of it."""
    for page, row, records in zip(block["pages"], rows, block["raw"], strict=False):
        for place, (one, record) in enumerate(zip(page["trajectories"], records, strict=True)):
            result = row["results"][place]
            known = {name: result[name] for name in ("agent", "trial", "state", "passed", "score", "outcome")}
            raw = {"case": row["id"], "agent": known["agent"], "trial": known["trial"]} | record
            page["trajectories"][place] = {"id": row["id"], **known, **one, "raw": raw}
    return list(block["pages"])


def words_of_page(page: str) -> tuple[list[str], bytes, list[int]]:
    """The words that cases are found by, which of them have each, and the cases that have to be looked into."""
    found = {part: gzip.decompress(b64decode(text)) for part, _, text in BLOCK.findall(page)}
    return found["vocabulary"].decode().split("\n"), found["postings"], json.loads(found["run"])["long"]


def readable(page: str) -> str:
    """A page as text that can be compared: the data as JSON, no style, no scripts."""
    if "<!doctype html>" not in page:
        return page
    text = CODE.sub("<code>", HASH.sub("<hash>", page))
    if BLOCK.search(text):
        head, *cases = blocks(page)
        del head["words"], head["long"]
        data = "\n".join(f"<data>{json.dumps(one, ensure_ascii=False, indent=1)}</data>" for one in (head, *cases))
        text = re.sub(r"(?:<data/>\n)+", lambda _: data + "\n", BLOCK.sub("<data/>", text))
    return VERSION.sub(r"\1<version>", text)
