"""Objects of a real S3 server on loopback, moto's: retried where that helps, else an error, never half a result."""

from __future__ import annotations

import gzip
import io
import json
import socket
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, get_args
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

from tests.files.test_opening import LINES, RECORDS, SUITE
from tests.servers.faulty import Fault, FaultyServer, faulty_server
from toolgauge import api
from toolgauge.errors import InputError, NothingToDo
from toolgauge.files import InputFile, expand_path, remote

pytestmark = pytest.mark.deep

MOTO = Path(sys.prefix) / "servers" / "bin" / "moto_server"


@pytest.fixture(scope="module")
def moto() -> Iterator[int]:
    if not MOTO.exists():
        pytest.skip("moto's server is not installed; the dependency group servers has it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with subprocess.Popen(
        [MOTO, "-H", "127.0.0.1", "-p", str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            for _ in range(600):
                try:
                    with urlopen(Request(f"http://127.0.0.1:{port}/bucket", method="PUT"), timeout=60):
                        break
                except (URLError, ConnectionError):
                    time.sleep(0.1)
            yield port
        finally:
            server.terminate()


@pytest.fixture
def store(moto: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyServer]:
    with faulty_server(moto) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.address)
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        monkeypatch.setenv("AWS_REGION", "us-east-1")
        monkeypatch.setattr(remote, "FIRST_WAIT", 0.01)
        put("traces.jsonl", LINES)
        yield server


def put(key: str, data: bytes) -> None:
    import obstore

    place: Any = remote._Place("s3://bucket")
    obstore.put(place.store, key, data)


def passed(*traces: str, **options: Any) -> int:
    return api.score(SUITE, list(traces), **options).summary.counts.passed


def test_objects_prefixes_and_patterns_are_read(store: FaultyServer) -> None:
    assert passed("s3://bucket/traces.jsonl") == 4
    for agent in ("p", "q"):
        lines = "".join(json.dumps({**one, "agent": ""}) + "\n" for one in RECORDS if one["agent"] == agent)
        put(f"runs/{agent}/x.jsonl.gz", gzip.compress(lines.encode()))
    for named in ("s3://bucket/runs/", "s3://bucket/runs/*/*.gz"):
        run = api.score(SUITE, named, agent_from="path")
        assert ([row.agent for row in run.summary.rows], run.summary.counts.passed) == (["p", "q"], 4)
    with pytest.raises(NothingToDo, match="there are no objects of traces here"):
        passed("s3://bucket/nothing/")


def test_archives_are_read_as_those_here(store: FaultyServer) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for agent in ("p", "q"):
            lines = "".join(json.dumps({**one, "agent": ""}) + "\n" for one in RECORDS if one["agent"] == agent)
            archive.writestr(f"{agent}/x.jsonl", lines)
    put("kept/logs.zip", packed.getvalue())
    run = api.score(SUITE, "s3://bucket/kept/logs.zip", agent_from="path")
    assert ([row.agent for row in run.summary.rows], run.summary.counts.passed) == (["p", "q"], 4)
    assert passed("s3://bucket/kept/") == passed("s3://bucket/kept/*.zip") == 4
    assert passed("s3://bucket/kept/logs.zip/q/x.jsonl") == 2
    with pytest.raises(InputError, match="there is no such file in this archive"):
        passed("s3://bucket/kept/logs.zip/r/x.jsonl")
    with pytest.raises(InputError, match="there is no such object"):
        passed("s3://bucket/kept/nothing.zip/x.jsonl")


def test_patterns_mean_what_they_mean_here(store: FaultyServer) -> None:
    for key in ("day=1/a.jsonl", "day=1/b/c.jsonl", "day=2/a.jsonl", "day=2/a [1].jsonl"):
        put(f"by/{key}", LINES)

    def fitting(pattern: str) -> list[str]:
        return [file.path.removeprefix("s3://bucket/by/") for file in expand_path(f"s3://bucket/by/{pattern}")]

    assert fitting("*/*.jsonl") == ["day=1/a.jsonl", "day=2/a [1].jsonl", "day=2/a.jsonl"]
    assert fitting("**/*.jsonl") == sorted(fitting(""))
    assert fitting("day=[!2]/?.jsonl") == ["day=1/a.jsonl"]
    assert fitting("day=1/**") == ["day=1/a.jsonl", "day=1/b/c.jsonl"]
    assert fitting("day=2/a [1].jsonl") == ["day=2/a [1].jsonl"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("s3://bucket", "this names no object; name an object in it, or s3://bucket/ for all of them"),
        ("s3://nothing/x/", "there is no such bucket; check the address"),
        ("s3:///x", "this address names no bucket or server"),
        ("http://127.0.0.1:9/folder/", "a web server cannot be asked which files it has"),
        ("http://127.0.0.1:9/*.jsonl", "a web server cannot be asked which files it has"),
        ("http://me:secret@127.0.0.1:9/x", "http://127.0.0.1:9/x: an address with a password"),
        ("http://127.0.0.1:9/x?key=secret", "http://127.0.0.1:9/x: an address with a password, or with parameters"),
    ],
)
def test_an_address_that_means_no_object_is_explained(address: str, said: str, store: FaultyServer) -> None:
    with pytest.raises(InputError) as found:
        passed(address)
    assert said in str(found.value)
    assert "secret" not in str(found.value)


def test_the_password_of_an_endpoint_is_not_shown(store: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://me:hidden@127.0.0.1:9")
    monkeypatch.setitem(remote.RETRIES, "max_retries", 0)
    with pytest.raises(InputError, match=r"it could not be fetched after several tries: .*//\*\*\*@127") as found:
        passed("s3://bucket/traces.jsonl")
    assert "hidden" not in str(found.value)


def test_parts_of_an_object_that_was_replaced_are_made_again(store: FaultyServer, tmp_path: Path) -> None:
    put("changing.jsonl.gz", gzip.compress(LINES))
    assert [passed("s3://bucket/changing.jsonl.gz", parts=tmp_path, keep="none") for _ in range(2)] == [4, 4]
    put("changing.jsonl.gz", gzip.compress(LINES.replace(b'{"c": "a"}', b'{"c": "z"}')))
    assert passed("s3://bucket/changing.jsonl.gz", parts=tmp_path, keep="none") == 0


def test_a_web_server_that_knows_no_ranges_is_read_from_beginning_to_end(tmp_path: Path) -> None:
    (tmp_path / "a b.jsonl.gz").write_bytes(gzip.compress(LINES))
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            assert passed(f"http://127.0.0.1:{server.server_port}/a%20b.jsonl.gz") == 4
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("fault", ["slow", "failing", "throttled", "truncated"])
def test_what_passes_is_waited_for(fault: Fault, store: FaultyServer) -> None:
    store.faults.extend([fault, fault])
    assert passed("s3://bucket/traces.jsonl") == 4
    assert len(store.asked) >= (1 if fault == "slow" else 3)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("failing", "it could not be fetched after several tries"),
        ("truncated", "it could not be fetched after several tries"),
        ("vanished", "there is no such object; check the address"),
        ("forbidden", "the store refuses access to it; check the credentials"),
        ("replaced", "the object was replaced while it was read"),
    ],
)
def test_what_does_not_pass_is_said(
    fault: Fault, said: str, store: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert fault in get_args(Fault)
    monkeypatch.setitem(remote.RETRIES, "max_retries", 1)
    store.always = fault
    with pytest.raises(InputError, match=f"s3://bucket/traces.jsonl: {said}"):
        passed("s3://bucket/traces.jsonl")


def test_large_objects_come_in_ranges_several_at_once(store: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "RANGE", 64 * 1024)
    data = b"".join(b"%d %s\n" % (number, b"x" * (number % 700)) for number in range(4000))
    put("large", data)
    store.faults.extend(["fine", "truncated", "throttled", "fine", "truncated"])
    with InputFile("s3://bucket/large") as source:
        assert b"".join(source.blocks()) == data
        assert source.size() == len(data)
    begins = {asked.partition("-")[0] for asked in store.asked}
    assert begins >= {f"bytes={begin}" for begin in range(0, len(data), 64 * 1024)}


def test_an_object_that_vanishes_in_the_middle_leaves_nothing(
    store: FaultyServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "RANGE", 64 * 1024)
    put("large.jsonl", LINES * 600)
    store.faults.extend(["fine"] * 2)
    store.always = "vanished"
    with pytest.raises(InputError, match="there is no such object"):
        passed("s3://bucket/large.jsonl")


def test_a_store_that_cannot_be_reached_is_said(store: FaultyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free.getsockname()[1]}")
    monkeypatch.setitem(remote.RETRIES, "max_retries", 1)
    with pytest.raises(InputError, match="it could not be fetched after several tries"):
        passed("s3://bucket/traces.jsonl")


def test_native_lines_elsewhere_are_divided_like_those_here(store: FaultyServer, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(LINES * 100)
    put("x.jsonl", LINES * 100)
    with api.Spool() as one, api.Spool() as two:
        here = api.score(SUITE, tmp_path / "x.jsonl", sink=one)
        there = api.score(SUITE, ["s3://bucket/x.jsonl", "s3://bucket/traces.jsonl"], sink=two, jobs=2)
        assert there.summary.counts.planned == here.summary.counts.planned + len(RECORDS)
