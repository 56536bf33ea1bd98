"""Reviews are kept beside runs: in the store, and in a file beside a run file. They never touch a trajectory."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from toolgauge import api
from toolgauge.core import Review, Reviews, Run
from toolgauge.errors import InputError, OutputError, UsageError
from toolgauge.store import RunFile, encode_reviews, import_run, open_store, reviews_path, salvage_store

from .saving import header, scored

FEW = 6
"""Of which every other passes, beginning with the first."""


def kept(path: str | Path) -> str:
    with open_store(path) as store:
        return store.keep(header(), scored(FEW), name="reviewed")


def run_file(path: Path, address: str | None = None) -> Path:
    address = address or str(path / "runs.db")
    kept(address)
    with open_store(address) as store:
        stored = store.open_run(store.find("latest").id)
        (path / "today.run.jsonl").write_bytes(b"".join(stored.export()))
    return path / "today.run.jsonl"


REVIEWS = [
    Review("c000", "wrong", "m", 1, "the station says 31"),
    Review("c001", "right", "m"),
    Review("c002", "gold_is_wrong", note="Huế, not Hà Nội"),
]


def passed(run: Run) -> dict[str, bool]:
    return {one.score.case: one.score.passed for one in run.scored}


@pytest.mark.parametrize("kind", ["store", "file"])
def test_reviews_are_kept_replaced_and_withdrawn(tmp_path: Path, store_address: str, kind: str) -> None:
    file = run_file(tmp_path, store_address)
    reference, store = (str(file), None) if kind == "file" else ("latest", store_address)
    before = [one.trajectory for one in api.load_run(reference, store=store).scored]
    api.review_run(reference, REVIEWS, store=store)
    api.review_run(reference, [Review("c001", None, "m"), Review("c000", "right", "m", 1)], store=store)
    run = api.load_run(reference, store=store)
    assert [(one.case, one.verdict) for one in run.reviews] == [("c002", "gold_is_wrong"), ("c000", "right")]
    assert [one.trajectory for one in run.scored] == before


@pytest.mark.parametrize("kind", ["store", "file"])
def test_figures_follow_reviews_only_where_that_is_asked_for(tmp_path: Path, store_address: str, kind: str) -> None:
    file = run_file(tmp_path, store_address)
    reference, store = (str(file), None) if kind == "file" else ("latest", store_address)
    plain = api.load_run(reference, store=store)
    api.review_run(reference, REVIEWS, store=store)
    told = api.load_run(reference, store=store)
    assert told.summary.rows == plain.summary.rows
    assert [note.values for note in told.summary.notes if note.kind == "reviews"] == [
        {"right": 1, "wrong": 1, "gold_is_wrong": 1, "count": 2}
    ]
    counted = api.load_run(reference, store=store, with_reviews=True)
    assert [passed(run)[case] for run in (plain, counted) for case in ("c000", "c001")] == [True, False, False, True]
    assert "c002" not in passed(counted)
    assert counted.summary.suite.cases == plain.summary.suite.cases - 1
    assert counted.summary.counts.passed == plain.summary.counts.passed - 1
    assert "reviewed" in {note.kind for note in counted.summary.notes}


def test_the_narrowest_review_counts_and_nobody_makes_an_error_right() -> None:
    reviews = Reviews([Review("a", "wrong"), Review("a", "right", "m"), Review("a", "wrong", "m", 2)])
    score = next(scored(1)).score
    told = {
        (agent, trial): reviews.passed(replace(score, case="a", agent=agent, trial=trial, passed=False))
        for agent in "mn"
        for trial in (1, 2)
    }
    assert told == {("m", 1): True, ("m", 2): False, ("n", 1): False, ("n", 2): False}
    assert not reviews.passed(replace(score, case="a", agent="m", trial=1, state="error", passed=False))


def test_compare_leaves_out_what_any_run_leaves_out(store_address: str) -> None:
    store = store_address
    first, second = kept(store_address), kept(store_address)
    api.review_run(first, [Review("c002", "gold_is_wrong"), Review("c000", "wrong")], store=store)
    plain = api.compare(first, second, store=store)
    counted = api.compare(first, second, store=store, with_reviews=True)
    assert (plain.cases, counted.cases) == (FEW, FEW - 1)
    (contrast,) = [one for one in counted.pairings[0].contrasts if one.metric == "pass_rate" and not one.group]
    assert (contrast.only_first, contrast.only_second) == (0, 1)
    loaded = [api.load_run(run, store=store) for run in (first, second)]
    again = api.compare(*loaded, with_reviews=True)
    assert [one.contrasts for one in again.pairings] == [one.contrasts for one in counted.pairings]


def test_a_gate_may_count_them(store_address: str) -> None:
    store = store_address
    run = kept(store_address)
    failing = [case for case, good in passed(api.load_run(run, store=store)).items() if not good]
    api.review_run(run, [Review(case, "right") for case in failing], store=store)
    assert api.gate(api.load_run(run, store=store)).ruling == "failed"
    verdict = api.gate(api.load_run(run, store=store, with_reviews=True), baseline=api.load_run(run, store=store))
    assert verdict.counts.passed == FEW


def test_lint_names_what_a_reviewer_says_of_a_case_that_has_not_changed(store_address: str) -> None:
    store = store_address
    run = kept(store_address)
    api.review_run(run, REVIEWS, store=store)
    loaded = api.load_run(run, store=store)
    found = [one for one in api.lint(loaded.header.suite, [loaded]) if one.kind == "reviewed_gold"]
    assert [(one.case, one.severity, one.values) for one in found] == [
        ("c002", "warning", {"count": 1, "reason": "Huế, not Hà Nội"})
    ]


@pytest.mark.parametrize(
    ("review", "words"),
    [
        (Review("c0x", "right"), "no case 'c0x'"),
        (Review("c000", "right", "x"), "no agent 'x'"),
        (Review("c000", "right", None, 1), "names its agent"),
    ],
)
def test_a_review_of_what_is_not_there_is_refused(
    tmp_path: Path, store_address: str, review: Review, words: str
) -> None:
    file = run_file(tmp_path, store_address)
    with pytest.raises(UsageError, match=words):
        api.review_run(file, [review])
    assert not Path(reviews_path(str(file))).exists()
    with pytest.raises(UsageError, match=words):
        api.review_run("latest", [review], store=store_address)
    assert len(api.load_run("latest", store=store_address).reviews) == 0


def test_reviews_of_another_run_stop_only_those_who_count_them(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    api.review_run(file, REVIEWS)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("2026-01-31T10", "2026-02-01T10"), encoding="utf-8")
    assert len(api.load_run(file).reviews) == 0
    for use in (lambda: api.load_run(file, with_reviews=True), lambda: api.review_run(file, REVIEWS)):
        with pytest.raises(InputError, match="reviews of another run"):
            use()


@pytest.mark.parametrize(
    "line", [b'{"case":"c000","verdict":"perhaps"}\n', b'{"case":"c000","verdict":"right","x":1}\n', b"{\n"]
)
def test_what_is_no_review_is_named_with_its_line(tmp_path: Path, line: bytes) -> None:
    file = run_file(tmp_path)
    beside = Path(reviews_path(str(file)))
    beside.write_bytes(b"".join(encode_reviews(RunFile(file).header, REVIEWS)) + line)
    with pytest.raises(InputError, match=r"today\.run\.reviews\.jsonl:5"):
        api.load_run(file, with_reviews=True)


def test_reviews_are_not_written_through_a_link(tmp_path: Path) -> None:
    file = run_file(tmp_path)
    other = tmp_path / "other.jsonl"
    other.write_bytes(b"".join(encode_reviews(RunFile(file).header, ())))
    Path(reviews_path(str(file))).symlink_to(other)
    with pytest.raises(OutputError):
        api.review_run(file, REVIEWS)
    assert other.read_bytes().count(b"\n") == 1


def test_reviews_go_with_a_run_out_of_the_store_and_into_another(tmp_path: Path, new_store: Callable[[], str]) -> None:
    first, second = new_store(), new_store()
    run = kept(first)
    api.review_run(run, REVIEWS, store=first)
    with open_store(first) as store:
        stored = store.open_run(run)
        file = tmp_path / "out.run.jsonl"
        file.write_bytes(b"".join(stored.export()))
        Path(reviews_path(str(file))).write_bytes(b"".join(encode_reviews(stored.header, stored.reviews())))
    with open_store(second) as store:
        assert list(store.open_run(import_run(store, file)).reviews()) == REVIEWS


def test_a_deleted_run_takes_its_reviews_along(store_address: str) -> None:
    run, other = kept(store_address), kept(store_address)
    for reviewed in (run, other):
        api.review_run(reviewed, REVIEWS, store=store_address)
    with open_store(store_address) as store:
        store.delete(run)
        assert list(store.open_run(other).reviews()) == REVIEWS
    assert rows_of_reviews(store_address) == len(REVIEWS)


def rows_of_reviews(address: str) -> int:
    """How many there are in a store, of whatever runs."""
    if address.startswith("postgresql://"):
        import psycopg

        with psycopg.connect(address) as server:
            return len(server.execute("SELECT 1 FROM reviews").fetchall())
    with closing(sqlite3.connect(address)) as file:
        return len(file.execute("SELECT 1 FROM reviews").fetchall())


def test_a_salvaged_run_keeps_its_reviews(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = kept(path)
    api.review_run(run, REVIEWS, store=path)
    salvage_store(path, tmp_path / "new.db")
    with open_store(tmp_path / "new.db") as store:
        assert list(store.open_run(run).reviews()) == REVIEWS


def test_a_store_from_before_there_were_reviews_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    run = kept(path)
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE reviews")
    connection.execute("PRAGMA user_version = 3")
    connection.commit()
    connection.close()
    api.review_run(run, REVIEWS, store=path)
    assert len(api.load_run(run, store=path).reviews) == len(REVIEWS)
    assert (tmp_path / "runs.db.version-3").exists()


def test_reviews_that_were_downloaded_from_a_report_are_taken(store_address: str, tmp_path: Path) -> None:
    path = store_address
    run = kept(path)
    created = api.load_run(run, store=path).header.created
    lines = [
        {"schema": "toolgauge.reviews/1", "created": created, "suite_hash": ""},
        {"case": "c001", "agent": "m", "trial": 1, "verdict": "right", "note": "", "at": "2026-01-31T10:00:00.000Z"},
    ]
    (tmp_path / "report.reviews.jsonl").write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    assert api.take_reviews(run, tmp_path / "report.reviews.jsonl", store=path) == 1
    assert [one.case for one in api.load_run(run, store=path).reviews] == ["c001"]
