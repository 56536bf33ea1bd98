"""Files that grow, folders, logs that are rotated: everything counts, and counts once, whatever happens in between."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from tests.traces.formats.span_builders import otlp
from tests.traces.formats.spans.test_otel import SPANS
from toolgauge.watch import Watch, WatchOptions, WatchSettings, WatchState
from toolgauge.watch.files import CHUNK, MAX_OPEN


def watch_of(folder: Path, *follow: Path, window: float = 0.0) -> Watch:
    settings = WatchSettings(state=str(folder / "state" / "watch.db"), window=window, live=False)
    return Watch(WatchOptions(settings=settings, follow=tuple(map(str, follow))))


def line(number: int) -> str:
    return json.dumps({"case": f"c{number}", "calls": [{"tool": "f", "args": {"a": number}}], "output": "x"}) + "\n"


def cases(folder: Path) -> list[str]:
    state = WatchState(str(folder / "state" / "watch.db"))
    rows = state.execute("SELECT body FROM conversations ORDER BY id")
    state.close()
    return [json.loads(body)["case"] for (body,) in rows]


def test_a_growing_file_is_followed_and_a_half_line_waits(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(line(1) + line(2)[:10])
    watch = watch_of(tmp_path, file)
    watch.poll(time.time())
    assert watch.watcher.save(time.time())
    assert cases(tmp_path) == ["c1"]
    with file.open("a") as more:
        more.write(line(2)[10:] + line(3))
    watch.poll(time.time())
    assert watch.watcher.save(time.time())
    assert cases(tmp_path) == ["c1", "c2", "c3"]


def test_after_a_restart_it_goes_on_where_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(line(1))
    watch_of(tmp_path, file).once()
    file.write_text(line(1) + line(2))
    watch_of(tmp_path, file).once()
    watch_of(tmp_path, file).once()
    assert cases(tmp_path) == ["c1", "c2"]


def test_what_was_read_and_not_written_down_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(line(1) + line(2))
    watch_of(tmp_path, file).poll(time.time())  # killed before it was saved
    assert cases(tmp_path) == []
    watch_of(tmp_path, file).once()
    assert cases(tmp_path) == ["c1", "c2"]


@pytest.mark.parametrize("restart", [False, True])
def test_a_log_that_is_rotated_is_read_to_its_end(tmp_path: Path, restart: bool) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(line(1))
    watch = watch_of(tmp_path, file)
    watch.poll(time.time())
    watch.watcher.save(time.time())
    with file.open("a") as more:
        more.write(line(2))
    os.rename(file, tmp_path / "a.jsonl.1")
    file.write_text(line(3))
    if restart:
        watch = watch_of(tmp_path, file)
    watch.poll(time.time(), rest=True)
    watch.watcher.save(time.time())
    assert cases(tmp_path) == ["c1", "c2", "c3"]


def test_a_rotated_log_of_a_folder_does_not_count_twice(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.log").write_text(line(1))
    watch_of(tmp_path, folder).once()
    os.rename(folder / "a.log", folder / "a.log.1")
    (folder / "a.log").write_text(line(2))
    (folder / "notes.md").write_text("nothing to read")
    watch_of(tmp_path, folder).once()
    assert cases(tmp_path) == ["c1", "c2"]


def test_a_file_that_is_cut_off_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(line(1) + line(2))
    watch = watch_of(tmp_path, file)
    watch.poll(time.time())
    file.write_text(line(3))
    watch.poll(time.time())
    watch.watcher.save(time.time())
    assert cases(tmp_path) == ["c1", "c2", "c3"]


def test_lines_of_spans_are_gathered_like_what_is_received(tmp_path: Path) -> None:
    file = tmp_path / "spans.jsonl"
    file.write_text("".join(json.dumps(otlp(each)) + "\n" for each in SPANS[:2]))
    watch = watch_of(tmp_path, file, window=3600.0)
    watch.poll(time.time())
    with file.open("a") as more:
        more.write("".join(json.dumps(otlp(each)) + "\n" for each in SPANS[2:]))
    watch_of(tmp_path, file, window=3600.0).once()  # the first was killed; the inbox has what it read
    assert cases(tmp_path) == ["T001"]
    state = WatchState(str(tmp_path / "state" / "watch.db"))
    (body,) = state.execute("SELECT body FROM conversations")[0]
    assert len(json.loads(body)["calls"]) == 2
    assert state.execute("SELECT count(*) FROM inbox") == [(0,)]
    state.close()


def test_conversations_spread_over_lines_count_when_the_file_is_silent(tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    asked = {"session_id": "s1", "role": "user", "content": "?"}
    file.write_text(json.dumps(asked) + "\n")
    watch = watch_of(tmp_path, file, window=60.0)
    watch.poll(time.time())
    with file.open("a") as more:
        more.write(json.dumps({"session_id": "s1", "role": "assistant", "content": "!"}) + "\n")
    watch.poll(time.time())
    watch.watcher.save(time.time())
    assert cases(tmp_path) == []
    watch.poll(time.time() + 120)
    watch.watcher.save(time.time())
    assert cases(tmp_path) == ["s1"]


def test_of_a_document_that_is_written_anew_only_what_is_new_counts(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    file.write_text("[" + line(1) + "]")
    watch_of(tmp_path, file).once()
    file.write_text("[" + line(1) + "," + line(2) + "]")
    watch_of(tmp_path, file).once()
    assert cases(tmp_path) == ["c1", "c2"]


def test_a_file_that_cannot_be_read_is_named_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"what": "is this"}')
    (tmp_path / "good.jsonl").write_text(line(1))
    watch = watch_of(tmp_path, tmp_path / "broken.json", tmp_path / "good.jsonl")
    watch.once()
    assert cases(tmp_path) == ["c1"]
    assert any("broken.json" in note for note in watch.notes)


HOSTILE = {
    "many keys": b"{" + b",".join(b'"k%d":1' % number for number in range(1_300_000)) + b"}",
    "many lists": b'{"a":[' + b"[]," * 4_000_000 + b"[]]}",
    "deep": b'{"a":' * 2_500_000,
    "deep and closed": b"[" * 5_000_000 + b"]" * 5_000_000,
    "longer than any": b'{"a":"' + b"x" * (CHUNK + MAX_OPEN) + b'"}',
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("once", [True, False])
def test_a_line_that_is_too_much_is_left_out_soon_and_those_behind_it_count(
    tmp_path: Path, name: str, once: bool
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(line(1).encode() + HOSTILE[name] + b"\n" + line(2).encode())
    watch = watch_of(tmp_path, file)
    if once:
        watch.once()
    else:
        watch.poll(time.time())
        assert watch.watcher.save(time.time())
    assert cases(tmp_path) == ["c1", "c2"]
