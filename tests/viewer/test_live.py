"""A run that is being written is followed, and one that is removed is said to be: C2 and C4."""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import msgspec

from toolgauge.store import open_store

from .serving import Viewer, header, kept, ready, scored, suite, viewing


def events(viewer: Viewer, run: str) -> Iterator[tuple[str, dict[str, object]]]:
    """What a page is told, until the viewer has nothing more to say."""
    connection = http.client.HTTPConnection("127.0.0.1", viewer.place.port, timeout=30)
    connection.request("GET", f"/api/runs/{run}/events", headers={"Host": viewer.host})
    reply = connection.getresponse()
    assert reply.status == 200
    assert reply.headers["content-type"].startswith("text/event-stream")
    name = ""
    for line in reply:
        key, _, value = line.decode().strip().partition(": ")
        if key == "event":
            name = value
        elif key == "data":
            yield name, msgspec.json.decode(value)
    connection.close()


def test_a_run_in_progress_is_followed_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    of = suite(6)
    with open_store(path) as store, viewing(path) as viewer:
        writer = store.begin(header(of, trials=1), 12, name="live")
        made = scored(of)
        writer.save(made[0])

        def write() -> None:
            for one in made[1:]:
                time.sleep(0.25)
                writer.save(one)
            writer.finish("finished")

        thread = Thread(target=write)
        thread.start()
        told = list(events(viewer, writer.id))
        thread.join()
        finished = [int(str(data["finished"])) for _, data in told]
        assert finished == sorted(finished)
        assert len(set(finished)) > 2
        assert told[0][1]["live"] is True
        assert told[-1][0] == "done"
        assert (told[-1][1]["finished"], told[-1][1]["live"], told[-1][1]["read"]) == (12, False, 12)
        assert viewer.get(f"/api/runs/{writer.id}/run")["counts"]["planned"] == 12
        assert viewer.get(f"/api/runs/{writer.id}/cases")["filtered"] == 6


def test_what_is_finished_while_nobody_follows_is_seen_when_somebody_looks(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    of = suite(4)
    with open_store(path) as store, viewing(path) as viewer:
        writer = store.begin(header(of, trials=1), 8)
        made = scored(of)
        for one in made[:2]:
            writer.save(one)
        ready(viewer, writer.id, finished=2)
        page = viewer.get(f"/api/runs/{writer.id}/cases", agent="react")
        assert [len(row["results"]) for row in page["rows"]] == [1, 1]
        for one in made[2:]:
            writer.save(one)
        ready(viewer, writer.id, finished=8)
        assert viewer.get(f"/api/runs/{writer.id}/cases", agent="rewoo")["filtered"] == 4
        writer.finish("finished")


def test_a_case_that_was_run_again_is_shown_once(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    of = suite(2)
    with open_store(path) as store, viewing(path) as viewer:
        writer = store.begin(header(of, ["react"], trials=1), 2)
        made = scored(of, ["react"])
        writer.save(made[0])
        ready(viewer, writer.id, finished=1)
        writer.save(made[0])
        writer.save(made[1])
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not viewer.get(f"/api/runs/{writer.id}/cases", q="tra loi 1")["filtered"]:
            viewer.get(f"/api/runs/{writer.id}/progress")
            time.sleep(0.1)
        rows = viewer.get(f"/api/runs/{writer.id}/cases")["rows"]
        assert [len(row["results"]) for row in rows] == [1, 1]
        writer.finish("finished")


def test_a_run_that_is_removed_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = kept(path)
    with viewing(path) as viewer:
        ready(viewer, run)
        with open_store(path) as store:
            store.delete(run)
        assert [name for name, _ in events_or_none(viewer, run)] == []
        answer = viewer.ask(f"/api/runs/{run}/cases")
        assert answer.status == 404
        assert "there is no such run" in answer.json["error"]


def test_a_page_that_follows_a_run_is_told_that_it_was_removed(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    of = suite(2)
    with open_store(path) as store, viewing(path) as viewer:
        writer = store.begin(header(of, trials=1), 4)
        writer.save(scored(of)[0])
        told: list[str] = []
        thread = Thread(target=lambda: told.extend(name for name, _ in events(viewer, writer.id)))
        thread.start()
        time.sleep(1.5)
        writer.finish("interrupted")
        store.delete(writer.id)
        thread.join(20)
        assert told[-1] in ("removed", "done")


def events_or_none(viewer: Viewer, run: str) -> list[tuple[str, dict[str, object]]]:
    return [] if viewer.ask(f"/api/runs/{run}/events").status == 404 else list(events(viewer, run))


def test_who_is_better_is_not_said_before_all_is_run(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    of = suite(6)
    made = scored(of)
    with open_store(path) as store, viewing(path) as viewer:
        writer = store.begin(header(of, trials=1), 12, name="live")
        for one in made[:4]:
            writer.save(one)
        ready(viewer, writer.id)
        sentences = viewer.get(f"/api/runs/{writer.id}/run")["sentences"]
        assert sentences["en"] == [
            "The run is not finished: 4 of 12 are done. Until all are, pass rates count what has not run as not "
            "passed, and no agent is called better."
        ]
        assert "4/12" in sentences["vi"][0]
        for one in made[4:]:
            writer.save(one)
        writer.finish("finished")
        ready(viewer, writer.id, finished=12)
        assert "not finished" not in viewer.get(f"/api/runs/{writer.id}/run")["sentences"]["en"][0]
