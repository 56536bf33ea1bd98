"""Figures of large runs are kept from one viewer to the next, and shown of nothing but what they were made of."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from toolgauge import api
from toolgauge.core import Review, Trajectory
from toolgauge.store import open_store
from toolgauge.viewer import Library
from toolgauge.viewer.cache import MAX_KEPT, FigureCache, cache_folder

from .serving import header, kept, ready, suite, viewing


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for what is kept, and runs that are large from the fourth trajectory on."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for module in ("overview", "view", "history"):
        monkeypatch.setattr(f"toolgauge.viewer.{module}.LARGE", 3)
    return cache_folder()


def test_figures_are_made_once_and_are_the_same_the_next_time(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = kept(tmp_path / "runs.db")
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        first = viewer.get(f"/api/runs/{run}/run")
        cells = viewer.get(f"/api/runs/{run}/cases", set="tool//look/called")["filtered"]
    (file,) = cache.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(cache.stat().st_mode) == 0o700

    def refuse(*_: str) -> None:
        raise AssertionError("it was drawn again")

    monkeypatch.setattr("toolgauge.viewer.overview.draw_elsewhere", refuse)
    with viewing(tmp_path / "runs.db") as viewer:
        ready(viewer, run)
        assert viewer.get(f"/api/runs/{run}/run") == first
        assert viewer.get(f"/api/runs/{run}/cases", set="tool//look/called")["filtered"] == cells > 0
        while (found := viewer.get("/api/history", metric="f1"))["pending"]:
            pass
        drawn = found["points"][0]["figures"]["react"]["value"]
        assert drawn == next(row["metrics"]["f1"]["value"] for row in first["rows"] if row["agent"] == "react")


def test_what_figures_are_found_by_changes_with_everything_they_are_made_of(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run, same = kept(path), kept(path, name="again")
    other = kept(path, suite(7))
    model = kept(path, model="another")
    with Library(path) as library:
        keys = [library.cache.key(library.origin(one)) for one in (run, same, other, model)]
        assert keys[0] == keys[1]
        assert len(set(keys)) == 3
        library.origin(run).review([Review("d0", verdict="right", agent="react", trial=1, at="2026-01-01")])
        assert library.cache.key(library.origin(run)) not in keys
    with open_store(path) as store:
        of = suite()
        trajectories = [Trajectory(case.id, "react", 1, output="other") for case in of.cases]
        changed = store.keep(header(of), api.score(of, trajectories).scored)
    with Library(path) as library:
        assert library.cache.key(library.origin(changed)) not in keys


@pytest.mark.parametrize("text", [b"", b"{}", b"{}\n{}", b'{}\n{"a": 9}\n\x00', b"\xff\n\xff\n"])
def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path, text: bytes) -> None:
    cache = FigureCache(tmp_path)
    (tmp_path / "name").write_bytes(text)
    found = cache.get("name")
    assert found is None or found == ({}, {})
    assert cache.get("nothing") is None


def test_only_so_many_are_kept_and_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path) -> None:
    drawn = tmp_path / "drawn"
    drawn.write_bytes(b"{}\n{}\n")
    cache = FigureCache(tmp_path / "kept")
    for number in range(MAX_KEPT + 5):
        cache.put(f"{number:x}", drawn)
    assert len(list((tmp_path / "kept").iterdir())) == MAX_KEPT
    (tmp_path / "file").write_text("")
    FigureCache(tmp_path / "file" / "below").put("a", drawn)
