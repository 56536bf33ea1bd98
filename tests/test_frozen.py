"""What the commands print, compared with what they printed when it was frozen.

A change of the code that is not meant to change any output leaves every file of `frozen/saved` as it is. After a
wanted change, write them anew and read the difference before committing it:

    TOOLGAUGE_RENEW=1 python -m pytest tests/test_frozen.py

Only what differs from one time to the next is left out: ids of runs, when they were made, how long things took, the
version, and the machine; of pages the style and the scripts. Texts of more than a few pages are saved compressed;
`xz -dc` shows them.
"""

from __future__ import annotations

import lzma
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from difflib import unified_diff
from itertools import islice
from pathlib import Path

import pytest

from tests.frozen_commands import COMMANDS, PREPARE, Frozen
from tests.pages.reading import readable
from toolgauge import __version__
from toolgauge.cli import main

HERE = Path(__file__).parent
INPUTS = HERE / "frozen" / "inputs"
SAVED = HERE / "frozen" / "saved"
EXAMPLES = HERE.parent / "examples"

LONG = 8_000
"""Texts of more bytes are saved compressed."""

LARGE = 190
"""How often the trials of a small file are repeated in a large one."""

TRIAL = re.compile(r'("trial":)(\d)')

MADE = "2026-01-31T00:00:00+00:00"
"""When prepared run files are said to be made."""

CREATED = re.compile(r'("created":")[^"]+')
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:\+00:00|Z)?")
STARTED = datetime.now(UTC).replace(microsecond=0)
FENCE = re.compile(r"::stop-commands::(\S+)")
"""A word that nobody can guess, between which GitHub obeys no commands."""

RUN_ID = re.compile(r"\b20\d{6}-\d{4}-[0-9a-f]{6}\b")
VERSION = f'"toolgauge":"{__version__}"'
MEASURED = re.compile(r'("(?:latency_ms|started_ms|duration_ms)":)\d+(?:\.\d+)?(?:e-?\d+)?')
TOOK = re.compile(r"^(Note: took )[^,\n]+", re.MULTILINE)
MACHINE = re.compile(r'("(?:python|system|commit)":)(?:"[^"]*"|null)|^((?:python|system|commit) +)\S+', re.MULTILINE)

FINISHED = re.compile(r'(?:^\{"case":.*\n)+', re.MULTILINE)
"""Trajectories in the order in which they were finished, which is that of chance where several are run at a time."""


@contextmanager
def surroundings(folder: Path, fed: bytes) -> Iterator[None]:
    """A process as it is when somebody starts a command in a folder, with its output led into files beside it."""
    told = {name: value for name, value in os.environ.items() if not name.startswith(("TOOLGAUGE_", "GITHUB_", "LC_"))}
    before = dict(os.environ), Path.cwd(), sys.argv, sys.stdin, sys.stdout, sys.stderr, signal.getsignal(signal.SIGTERM)
    kept = [os.dup(number) for number in (0, 1, 2)]
    (folder.parent / "0").write_bytes(fed)
    files = [os.open(folder.parent / str(number), os.O_RDWR | os.O_CREAT) for number in (0, 1, 2)]
    try:
        for number, file in enumerate(files):
            if number:
                os.ftruncate(file, 0)
            os.dup2(file, number)
        os.environ.clear()
        os.environ.update({**told, "LC_ALL": "C.UTF-8", "COLUMNS": "80"})
        os.chdir(folder)
        with (
            open(0, encoding="utf-8", closefd=False) as sys.stdin,
            open(1, "w", encoding="utf-8", newline="", closefd=False) as sys.stdout,
            open(2, "w", encoding="utf-8", newline="", closefd=False) as sys.stderr,
        ):
            yield
    finally:
        for number, file in enumerate(kept):
            os.dup2(file, number)
        for file in (*files, *kept):
            os.close(file)
        os.environ.clear()
        os.environ.update(before[0])
        os.chdir(before[1])
        _, _, sys.argv, sys.stdin, sys.stdout, sys.stderr, handler = before
        signal.signal(signal.SIGTERM, handler)


def run(folder: Path, command: str) -> tuple[int, str, str]:
    """Run a command in a folder; return its exit code and what it printed."""
    words = shlex.split(command)
    fed = b""
    if words[0] == "<":
        fed = (folder / words[1]).read_bytes()
        words = words[2:]
    with surroundings(folder, fed):
        sys.argv = ["toolgauge", *words]
        with pytest.raises(SystemExit) as left:
            main()
    printed, noted = ((folder.parent / name).read_bytes().decode() for name in ("1", "2"))
    assert isinstance(left.value.code, int)
    return left.value.code, printed, noted


def write_large(folder: Path) -> None:
    """Write traces of many trials, large enough to be shared out among processes."""
    text = (folder / "after.jsonl").read_text(encoding="utf-8")
    repeated = (TRIAL.sub(rf"\g<1>{number}\g<2>", text) for number in range(1, LARGE + 1))
    (folder / "large.jsonl").write_text("".join(repeated), encoding="utf-8", newline="")


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all that commands read."""
    folder = tmp_path_factory.mktemp("prepared") / "work"
    shutil.copytree(INPUTS, folder)
    for packed in folder.glob("shipped/*.xz"):
        packed.with_suffix("").write_bytes(lzma.decompress(packed.read_bytes()))
        packed.unlink()
    shutil.copytree(EXAMPLES / "demo", folder / "demo", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    shutil.copytree(EXAMPLES / "weather", folder / "city", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    write_large(folder / "trials")
    for step in PREPARE:
        code, printed, noted = run(folder, step.command)
        assert (code, printed) == (step.code, ""), noted
    for made in folder.glob("*.run.jsonl"):
        text = made.read_text(encoding="utf-8")
        made.write_text(CREATED.sub(rf"\g<1>{MADE}", text, count=1), encoding="utf-8", newline="")
    return folder


def is_now(moment: str) -> bool:
    """Whether a moment is one of this test."""
    read = datetime.fromisoformat(moment)
    return STARTED <= (read if read.tzinfo else read.replace(tzinfo=UTC)) <= datetime.now(UTC)


def masked(text: str, *, live: bool) -> str:
    """A text without what differs from one time to the next."""
    text = readable(text)
    text = MOMENT.sub(lambda found: "<time>" if is_now(found[0]) else found[0], text)
    for word in FENCE.findall(text):
        text = text.replace(word, "<fence>")
    text = text.replace(VERSION, '"toolgauge":"<version>"')
    ids = {name: number for number, name in enumerate(dict.fromkeys(RUN_ID.findall(text)), 1)}
    text = RUN_ID.sub(lambda found: f"<run {ids[found[0]]}>", text)
    if live:
        text = TOOK.sub(r"\1<duration>", MEASURED.sub(r"\1<ms>", text))
        text = MACHINE.sub(lambda found: f"{found[1] or found[2]}<machine>", text)
        text = FINISHED.sub(lambda found: "".join(sorted(found[0].splitlines(keepends=True))), text)
    return text


def states(folder: Path) -> dict[Path, tuple[int, int, int]]:
    """The files of a folder that people read, with what tells whether they were written since."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and ".db" not in path.name)
    return {path: ((state := path.stat()).st_ino, state.st_size, state.st_mtime_ns) for path in found}


def part(title: str, text: str) -> str:
    """A part of a saved text; where its last line does not end, that is said."""
    if not text:
        return ""
    return f"--- {title}\n{text}" if text.endswith("\n") else f"--- {title}, without a last line break\n{text}\n"


def transcript(frozen: Frozen, prepared: Path, place: Path) -> str:
    """All that the commands print and write."""
    folder = place / "work"
    unread = () if any("large.jsonl" in command for command in frozen.commands) else ("large.jsonl",)
    shutil.copytree(prepared, folder, ignore=shutil.ignore_patterns(*unread))
    before, parts = states(folder), []
    for command in frozen.commands:
        code, printed, noted = run(folder, command)
        parts += [f"$ toolgauge {command}\n", f"exit code {code}\n", part("stdout", printed), part("stderr", noted)]
        after = states(folder)
        for path, state in after.items():
            if before.get(path) != state:
                parts.append(part(f"file {path.relative_to(folder)}", path.read_bytes().decode()))
        parts += [f"--- file {path.relative_to(folder)} is gone\n" for path in before if path not in after]
        before = after
    text = "".join(parts)
    assert str(place) not in text
    return masked(text, live=frozen.live)


def saved(name: str) -> str | None:
    """The text that is saved under a name."""
    plain, packed = SAVED / f"{name}.txt", SAVED / f"{name}.txt.xz"
    if plain.exists():
        return plain.read_bytes().decode()
    return lzma.decompress(packed.read_bytes()).decode() if packed.exists() else None


def renew(name: str, text: str) -> None:
    """Save a text."""
    if text == saved(name):
        return
    SAVED.mkdir(exist_ok=True)
    plain, packed, data = SAVED / f"{name}.txt", SAVED / f"{name}.txt.xz", text.encode()
    plain.unlink(missing_ok=True)
    packed.unlink(missing_ok=True)
    if len(data) > LONG:
        packed.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))
    else:
        plain.write_bytes(data)


@pytest.mark.parametrize("frozen", COMMANDS, ids=lambda frozen: frozen.name)
def test_the_output_is_as_frozen(frozen: Frozen, prepared: Path, tmp_path: Path) -> None:
    text = transcript(frozen, prepared, tmp_path)
    if os.environ.get("TOOLGAUGE_RENEW"):
        renew(frozen.name, text)
    expected = saved(frozen.name)
    assert expected is not None, f"nothing is saved for {frozen.name}"
    if text != expected:
        lines = unified_diff(expected.splitlines(), text.splitlines(), "frozen", "now", lineterm="", n=1)
        pytest.fail("\n".join(line[:400] for line in islice(lines, 80)), pytrace=False)


def test_nothing_is_saved_that_no_command_prints() -> None:
    names = [frozen.name for frozen in COMMANDS]
    assert len(set(names)) == len(names)
    found = sorted(path.name.removesuffix(".xz").removesuffix(".txt") for path in SAVED.iterdir())
    assert found == sorted(names)
