"""Objects of Google and Azure, from a server on loopback that answers what the library sends to each of them."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from tests.files.test_opening import LINES, RECORDS, SUITE
from tests.servers.object_storage import ObjectStorage, object_storage
from toolgauge import api
from toolgauge.errors import InputError
from toolgauge.files import InputFile, remote

pytestmark = pytest.mark.deep

Scheme = Literal["s3", "gs", "az"]


@pytest.fixture(params=["s3", "gs", "az"])
def store(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ObjectStorage]:
    scheme: Scheme = request.param
    for name in [name for name in os.environ if name.startswith(("AWS_", "AZURE_", "GOOGLE_"))]:
        monkeypatch.delenv(name)
    wants = {"s3": "AWS4-HMAC-SHA256", "gs": "", "az": "SharedKey account:"}[scheme]
    with object_storage(tmp_path, scheme, page=2, wants=wants) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(remote, "FIRST_WAIT", 0.01)
        yield server


def put(store: ObjectStorage, key: str, data: bytes) -> str:
    """An object, by its address."""
    path = store.folder / "bucket" / key
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return f"{store.kind}://bucket/{key}"


def test_an_object_is_read_wherever_it_is_in_its_bucket(store: ObjectStorage) -> None:
    for key in ("traces.jsonl", "runs/today.jsonl", "runs/a/b/ngày hai.jsonl"):
        assert api.score(SUITE, put(store, key, LINES)).summary.counts.passed == 4


def test_prefixes_and_patterns_are_listed_page_by_page(store: ObjectStorage) -> None:
    for agent in ("p", "q"):
        for number, one in enumerate(one for one in RECORDS if one["agent"] == agent):
            line = json.dumps({**one, "agent": ""}).encode()
            put(store, f"runs/{agent}/{number}.jsonl.gz", gzip.compress(line))
    put(store, "runs-of-others/x.jsonl", LINES)
    for named in (f"{store.kind}://bucket/runs/", f"{store.kind}://bucket/runs/*/*.gz"):
        run = api.score(SUITE, named, agent_from="path")
        assert ([row.agent for row in run.summary.rows], run.summary.counts.passed) == (["p", "q"], 4)
    lists = [asked for asked in store.asked if asked.rstrip("/").endswith("/bucket")]
    assert len(lists) > 2


def test_ranges_are_fetched_ahead_and_put_together(store: ObjectStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "RANGE", 64 * 1024)
    data = b"".join(b"%d %s\n" % (number, b"x" * (number % 700)) for number in range(4000))
    with InputFile(put(store, "large", data)) as source:
        assert b"".join(source.blocks()) == data
    begins = [asked.partition("bytes=")[2].partition("-")[0] for asked in store.asked if "bytes=" in asked]
    assert sorted(map(int, begins)) == list(range(0, len(data), 64 * 1024))


def test_who_looks_at_the_beginning_has_nothing_fetched_ahead(store: ObjectStorage) -> None:
    address = put(store, "large", b"x" * 100 + b"\n" + b"y" * 3 * remote.RANGE)
    with InputFile(address) as source:
        assert source.opening.startswith(b"xxx")
    assert len([asked for asked in store.asked if "bytes=" in asked]) == 1


def test_what_is_not_there_or_not_allowed_is_said(store: ObjectStorage) -> None:
    with pytest.raises(InputError, match="there is no such object; check the address"):
        api.score(SUITE, f"{store.kind}://bucket/nothing.jsonl")
    address = put(store, "traces.jsonl", LINES)
    store.wants = "somebody else"
    with pytest.raises(InputError, match="the store refuses access to it"):
        api.score(SUITE, address)
