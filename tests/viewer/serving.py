"""A viewer on loopback in a thread, asked by plain HTTP: nothing of what it is sent is made nicer on the way."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlencode

import msgspec

from toolgauge.core import Call, Case, Expect, ExpectedCall, RunHeader, Scored, Suite, Trajectory, Usage
from toolgauge.store import open_store
from toolgauge.viewer import Library, Place, listen, make_server

__all__ = ["Answer", "Viewer", "header", "kept", "ready", "scored", "suite", "viewing"]

QUESTIONS = ("Thời tiết Hà Nội hôm nay?", "Giá cổ phiếu FPT?", "So sánh Đà Nẵng và Huế", "Plain question")


def suite(cases: int = 8, **more: Any) -> Suite:
    return Suite(
        "weather",
        tuple(
            Case(
                f"d{number}",
                QUESTIONS[number % len(QUESTIONS)],
                labels={"difficulty": ("dễ", "khó")[number % 2]},
                expect=Expect((ExpectedCall("look", {"city": "Hue"}),)),
            )
            for number in range(cases)
        ),
        **more,
    )


def scored(of: Suite, agents: Sequence[str] = ("react", "rewoo"), trials: int = 1) -> list[Scored]:
    """Every other case passes; the second agent calls another tool on every third."""
    from toolgauge import api

    trajectories = [
        Trajectory(
            case.id,
            agent,
            trial,
            calls=(
                Call(
                    "search" if place and number % 3 == 0 else "look",
                    {"city": "Hue" if number % 2 == 0 else "Vinh"},
                    result={"text": f"Nhiệt độ {number} độ"},
                    duration_ms=10.0 * number,
                ),
            ),
            output=f"Trả lời {number}",
            latency_ms=100.0 * number,
            usage=Usage(1, 10 * number, 5, 0.001 * number),
        )
        for place, agent in enumerate(agents)
        for number, case in enumerate(of.cases)
        for trial in range(1, trials + 1)
    ]
    return list(api.score(of, trajectories).scored)


def header(of: Suite, agents: Sequence[str] = ("react", "rewoo"), **about: Any) -> RunHeader:
    created = about.pop("created", "2026-01-31T10:00:00+00:00")
    return RunHeader(toolgauge="0", created=created, agents=tuple(agents), suite=of, about=about)


def kept(path: Path, of: Suite | None = None, *, name: str = "first", **about: Any) -> str:
    """A run in a store: its id."""
    of = of or suite()
    with open_store(path) as store:
        return store.keep(header(of, **about), scored(of), name=name)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Viewer:
    place: Place
    library: Library

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.place.port}"

    def ask(
        self, path: str, method: str = "GET", *, headers: Mapping[str, str | None] | None = None, body: bytes = b""
    ) -> Answer:
        """Send exactly this; a header of None is left out."""
        sent: dict[str, str | None] = {"Host": self.host, **(headers or {})}
        connection = http.client.HTTPConnection("127.0.0.1", self.place.port, timeout=30)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        if method == "POST":
            sent.setdefault("Content-Length", str(len(body)))
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body or None)
        reply = connection.getresponse()
        answer = Answer(reply.status, {key.lower(): value for key, value in reply.getheaders()}, reply.read())
        connection.close()
        return answer

    def get(self, path: str, **params: Any) -> Any:
        query = urlencode(params, doseq=True)
        answer = self.ask(path + (f"?{query}" if query else ""))
        assert answer.status == 200, answer.body
        return answer.json

    def post(self, path: str, value: object) -> Answer:
        return self.ask(path, "POST", headers={"X-Toolgauge-Token": self.place.token}, body=msgspec.json.encode(value))


@contextmanager
def viewing(
    store: Path | str | None = None,
    files: Sequence[Path] = (),
    *,
    host: str = "127.0.0.1",
    names: Sequence[str] = (),
    cases_file: Path | None = None,
) -> Iterator[Viewer]:
    with Library(store, list(map(str, files))) as library:
        place = listen(host, 0)
        server = make_server(library, place, names=names, cases_file=None if cases_file is None else str(cases_file))
        thread = Thread(target=server.run, kwargs={"sockets": [place.socket]}, daemon=True)
        thread.start()
        try:
            deadline = time.monotonic() + 30
            while not server.started and time.monotonic() < deadline:
                time.sleep(0.01)
            yield Viewer(place, library)
        finally:
            server.should_exit = True
            thread.join(30)
            place.socket.close()


def ready(viewer: Viewer, run: str, *, finished: int | None = None) -> dict[str, Any]:
    """Wait until a run was read and its figures are made: how far it is."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        progress: dict[str, Any] = viewer.get(f"/api/runs/{run}/progress")
        assert not progress["failed"], progress["failed"]
        if progress["ready"] and progress["read"] >= (progress["finished"] if finished is None else finished):
            return progress
        time.sleep(0.05)
    raise AssertionError("the run was not read in time")
