"""Whatever stands where a file is expected, every command that reads one says so in few lines, and comes to an end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import toolgauge

SUITE = {"name": "s", "tools": [{"name": "t"}], "cases": [{"id": "a", "input": "q", "expect": {"calls": []}}]}
MODEL = ("--model", "local:lexical", "--store", "s.db")

READERS = {
    "suite": ("score", "{}", "traces.jsonl"),
    "traces": ("score", "suite.json", "{}"),
    "traces with parts": ("score", "suite.json", "{}", "--parts", "parts"),
    "lint": ("lint", "{}"),
    "report": ("report", "{}"),
    "gate": ("gate", "{}"),
    "compare": ("compare", "x.run.jsonl", "{}"),
    "diagnose": ("diagnose", "{}"),
    "convert": ("convert", "{}"),
    "proposed": ("init", "--from-traces", "{}", "-o", "new.yaml"),
    "replay": ("run", "suite.json", *MODEL, "--replay", "{}"),
    "prices": ("run", "suite.json", *MODEL, "--prices", "{}"),
    "failed of": ("run", "suite.json", *MODEL, "--failed-of", "{}"),
    "part": ("merge", "{}"),
    "import": ("runs", "import", "{}", "--store", "s.db"),
    "reviews": ("runs", "review", "latest", "--from", "{}", "--store", "s.db"),
    "cases": ("cases", "add", "{}", "--failed", "--to", "new.yaml"),
    "answers": ("answers", "check", "{}"),
    "references": ("infoseek", "traces.jsonl", "{}"),
    "predictions": ("infoseek", "{}", "references.jsonl"),
    "store": ("runs", "list", "--store", "{}"),
    "store to write": ("score", "suite.json", "traces.jsonl", "--save", "x", "--store", "{}"),
    "salvage": ("runs", "salvage", "{}", "-o", "new.db"),
}
"""Every way in which a command is given a file to read."""

ODD = {
    "device without end": "/dev/zero",
    "link to itself": "loop",
    "empty folder": "folder",
    "empty file": "empty",
    "folder that is not there": "nowhere/file",
    "name that is no UTF-8": "a\udc80b",
    "NULs": "nuls",
    "half a gzip file": "half.gz",
    "zip without files": "empty.zip",
    "picture": "picture.png",
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something of everything."""
    place = tmp_path_factory.mktemp("odd")
    (place / "suite.json").write_text(json.dumps(SUITE), encoding="utf-8")
    (place / "traces.jsonl").write_text('{"case": "a", "calls": [{"tool": "t"}]}\n', encoding="utf-8")
    reference = {"data_id": "1", "answer_eval": ["a"], "data_split": "val_unseen_question", "question_type": "String"}
    (place / "references.jsonl").write_text(json.dumps(reference) + "\n", encoding="utf-8")
    done = toolgauge("score", "suite.json", "traces.jsonl", "--run-file", "x.run.jsonl", "--save", "--store", "s.db",
                     cwd=place)  # fmt: skip
    assert done.returncode == 0, done.stderr
    (place / "loop").symlink_to("loop")
    (place / "folder").mkdir()
    (place / "empty").touch()
    (place / "nuls").write_bytes(bytes(100_000))
    (place / "half.gz").write_bytes(b"\x1f\x8b\x08\x00\x00\x00\x00\x00")
    (place / "empty.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    (place / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 20)
    Path(os.fsdecode(os.fsencode(place) + b"/a\x80b")).write_text("no\n", encoding="utf-8")
    return place


@pytest.mark.parametrize("odd", ODD)
def test_whatever_is_no_file_of_the_kind_is_refused(made: Path, odd: str) -> None:
    for name, words in READERS.items():
        done = toolgauge(*(word.format(ODD[odd]) for word in words), cwd=made)
        assert done.returncode in (2, 3, 5), (name, done.returncode, done.stderr)
        assert done.stdout == "", name
        said = [line for line in done.stderr.splitlines() if not line.startswith("Note: ")]
        assert "".join(said).startswith("Error: "), (name, said)
        assert len(said) <= 11, (name, said)
        assert "internal error" not in done.stderr, (name, said)
        for left in ("new.yaml", "new.db"):
            assert not (made / left).exists(), name


@pytest.mark.parametrize("option", ["--agent", "--base-url", "--mcp"])
def test_what_cannot_be_an_address_is_refused_before_anything_is_asked(made: Path, option: str) -> None:
    model = ("--model", "openai:x") if option == "--base-url" else ("--model", "local:lexical")
    for address in ("http://[::1", "http://127.0.0.1:99999", "http://", "http://a b", "https://[", "http://x:-1/"):
        words = ("run", "suite.json", *model, option, address, "--store", "s.db")
        done = toolgauge(*words, cwd=made, OPENAI_API_KEY="k")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"Error: {address!r} is not the address of a server; write http://host:port/path\n"
    known = toolgauge("run", "suite.json", *model, option, "http://me:PASSWORD@[::1", cwd=made, OPENAI_API_KEY="k")
    assert known.returncode == 2
    assert "PASSWORD" not in known.stderr


@pytest.mark.parametrize("option", ["--limit-seconds", "--call-seconds", "--max-cost", "--temperature"])
def test_limits_are_finite_numbers(made: Path, option: str) -> None:
    for value in ("nan", "inf", "1e999"):
        done = toolgauge("run", "suite.json", *MODEL, option, value, cwd=made)
        assert (done.returncode, done.stdout) == (2, "")
        assert "is not a finite number" in done.stderr


def test_escape_sequences_in_the_time_of_a_run_reach_no_terminal(made: Path, tmp_path: Path) -> None:
    header, *lines = (made / "x.run.jsonl").read_text(encoding="utf-8").splitlines()
    spoiled = json.dumps({**json.loads(header), "created": "\x1b]0;x\x07\x1b[31m"})
    (tmp_path / "x.jsonl").write_text("\n".join([spoiled, *lines]) + "\n", encoding="utf-8")
    store = ("--store", str(tmp_path / "s.db"))
    for words in (
        ("runs", "import", "x.jsonl", *store),
        ("runs", "list", *store),
        ("runs", "show", "latest", *store),
        ("report", "x.jsonl"),
    ):
        done = toolgauge(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "\x1b" not in done.stdout + done.stderr, words
