"""What is killed while it does what. Each scenario kills some times, and makes sure afterwards that all is well."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.runner.weather import write_suite
from tests.store.sqlite.test_store import FEW, version_one
from toolgauge import api
from toolgauge.store import open_store

from . import judging
from .processes import NOTHING_MORE, begin, check_no_process_is_left, command, finish, kill_after, run
from .stores import Kept, check_folder, kept_in

__all__ = ["SCENARIOS"]

Scenario = Callable[[Path, random.Random], int]
"""Gets an empty folder and dice, and says how many kills there were."""

SAMPLES = "tests.runner.sample_agents"
STORE = ("--store", "runs.db")
CASES = 30
AT_ONCE = 4
ROUNDS = 4


def _running(when: tuple[float, float], *more: str, agent: str = "writes_files") -> Scenario:
    """A run that is killed at moments within a part of what it takes, and resumed after each kill."""

    def scenario(folder: Path, dice: random.Random) -> int:
        write_suite(folder, CASES)
        words = (
            "run",
            "suite.json",
            "--agent",
            f"{SAMPLES}:{agent}",
            "--allow-code",
            *STORE,
            "--concurrency",
            str(AT_ONCE),
        )
        environment = {"TURN_SECONDS": "0.02"}
        takes = _takes(folder, command(*words, *more), environment=environment)
        kills = 0
        before: Kept = {}
        for _ in range(ROUNDS):
            begun = ["--resume", "latest"] if before else []
            pid = begin(folder, command(*words, *more, *begun), environment=environment)
            kills += kill_after(pid, dice.uniform(*when) * takes)
            check_no_process_is_left()
            now = kept_in(folder / "runs.db")
            assert all(now[key] >= kept for key, kept in before.items()), "something that was finished is lost"
            before = now
        resumed = ("--resume", "latest") if before else ()
        run(folder, command(*words, *more, *resumed), environment=environment)
        after = kept_in(folder / "runs.db")
        assert [len(keys) for keys in after.values()] == [CASES]
        assert all(after[key] >= kept for key, kept in before.items())
        done = api.load_run("latest", store=folder / "runs.db")
        assert done.summary.counts.passed == done.summary.counts.planned == CASES
        if agent == "writes_files":
            executed = Counter((folder / "executed.txt").read_text().split())
            assert len(executed) == CASES
            assert sum(executed.values()) <= CASES + kills * AT_ONCE, "more was done again than was going on"
        check_folder(folder)
        return kills

    return scenario


def _takes(folder: Path, call: Callable[[], object], *, environment: Mapping[str, str] = NOTHING_MORE) -> float:
    """How long something takes that is not killed, in a copy of the folder."""
    copy = folder.parent / "unbroken"
    shutil.copytree(folder, copy)
    try:
        return run(copy, call, environment=environment)
    finally:
        shutil.rmtree(copy)


def _storing(words: tuple[str, ...]) -> Scenario:
    """A command that adds a whole run to a store, which is there afterwards or is not."""

    def scenario(folder: Path, dice: random.Random) -> int:
        _scored(folder)
        run(folder, command("runs", "import", "a.run.jsonl", "--name", "first", *STORE))
        takes = _takes(folder, command(*words))
        kills, runs = 0, 1
        for _ in range(ROUNDS):
            before = kept_in(folder / "runs.db")
            kills += kill_after(begin(folder, command(*words)), dice.uniform(0, 1.1) * takes)
            check_no_process_is_left()
            now = kept_in(folder / "runs.db")
            assert all(now[key] == kept for key, kept in before.items())
            assert len(now) - len(before) in (0, 1)
            assert {len(keys) for keys in now.values()} == {CASES}
            runs = len(now)
        run(folder, command(*words))
        assert [len(keys) for keys in kept_in(folder / "runs.db").values()] == [CASES] * (runs + 1)
        check_folder(folder)
        return kills

    return scenario


def _scored(folder: Path) -> None:
    """A suite, traces, and the run that they make, in files."""
    write_suite(folder, CASES)
    call = {"tool": "get_weather", "args": {"city": "Hanoi"}, "result": {"celsius": 31}}
    lines = [json.dumps({"case": f"c{n}", "agent": "a", "calls": [call], "output": "31"}) for n in range(CASES)]
    (folder / "traces.jsonl").write_text("\n".join(lines) + "\n")
    run(folder, command("score", "suite.json", "traces.jsonl", "--format", "run", "-o", "a.run.jsonl"))


def _writing(words: tuple[str, ...]) -> Scenario:
    """A command that writes a file in the place of another: afterwards there is the old or the new one, as a whole."""

    def scenario(folder: Path, dice: random.Random) -> int:
        _scored(folder)
        run(folder, command("runs", "import", "a.run.jsonl", *STORE))
        target = folder / words[-1]
        takes = run(folder, command(*words))
        new = target.read_bytes()
        kills = 0
        for number in range(ROUNDS):
            old = b"" if number % 2 else b"what was there before"
            target.write_bytes(old) if old else target.unlink()
            kills += kill_after(begin(folder, command(*words)), dice.uniform(0, 1.1) * takes)
            found = target.read_bytes() if target.exists() else b""
            assert found in (old, new), "half a file was written"
            assert [len(keys) for keys in kept_in(folder / "runs.db").values()] == [CASES]
            target.touch()
        check_no_process_is_left()
        run(folder, command(*words))
        assert target.read_bytes() == new
        check_folder(folder)
        return kills

    return scenario


def _migration(folder: Path, dice: random.Random) -> int:
    """A store of the first version, which is brought up to date by whoever writes to it."""
    kills = 0
    path = folder / "runs.db"
    version_one(path)
    old = path.read_bytes()
    _scored(folder)
    words = ("score", "suite.json", "traces.jsonl", "--save", "second", *STORE)
    takes = _takes(folder, command(*words))
    for _ in range(ROUNDS):
        for found in folder.glob("runs.db*"):
            found.unlink()
        path.write_bytes(old)
        kills += kill_after(begin(folder, command(*words)), dice.uniform(0, 1.1) * takes)
        run(folder, command("runs", "list", *STORE))
        assert FEW in {len(keys) for keys in kept_in(path).values()}
        run(folder, command(*words))
        assert {len(keys) for keys in kept_in(path).values()} == {FEW, CASES}
        assert len(kept_in(path)) in (2, 3)
        check_folder(folder)
    return kills


def _judge(folder: Path, dice: random.Random) -> int:
    """A model is asked about answers; whoever has answered is not asked again for it."""
    takes = _takes(folder, judging.judged(None))
    kills, resume = 0, None
    for _ in range(ROUNDS):
        kills += kill_after(begin(folder, judging.judged(resume)), dice.uniform(0, 1.0) * takes)
        before = kept_in(folder / "runs.db")
        resume = "latest" if before else None
    run(folder, judging.judged(resume))
    judging.check(folder, kills)
    assert [len(keys) for keys in kept_in(folder / "runs.db").values()] == [judging.CASES]
    check_folder(folder)
    return kills


def _several_writers(folder: Path, dice: random.Random) -> int:
    """Four runs at once in one store, of which some are killed; the others do not notice, and those are resumed."""
    write_suite(folder, CASES)
    words = ("run", "suite.json", "--agent", f"{SAMPLES}:scripted", "--allow-code", *STORE)
    environment = {"TURN_SECONDS": "0.01"}
    takes = _takes(folder, command(*words), environment=environment) * 2
    pids = {
        name: begin(folder, command(*words, "--name", name), environment=environment) for name in ("a", "b", "c", "d")
    }
    victims = dice.sample([*pids], 3)
    moments = sorted(dice.uniform(0, takes) for _ in victims)
    kills, passed = 0, 0.0
    for name, moment in zip(victims, moments, strict=True):
        kills += kill_after(pids.pop(name), moment - passed)
        passed = moment
    assert [finish(pid) for pid in pids.values()] == [0]
    check_no_process_is_left()
    kept_in(folder / "runs.db")
    with open_store(folder / "runs.db") as store:
        begun = {info.name for info in store.runs()}
    for name in victims:
        resume = ("--resume", name) if name in begun else ("--name", name)
        run(folder, command(*words, *resume), environment=environment)
    assert [len(keys) for keys in kept_in(folder / "runs.db").values()] == [CASES] * 4
    check_folder(folder)
    return kills


def _parts(folder: Path, dice: random.Random) -> int:
    """Parts that workers write: those that are there are not made again, and what comes out is the same."""
    _scored(folder)
    words = (
        "score",
        "suite.json",
        "traces.jsonl",
        "--jobs",
        "2",
        "--parts",
        "parts",
        "--format",
        "run",
        "-o",
        "b.run.jsonl",
    )
    takes = run(folder, command(*words))
    whole = _without_moment(folder / "b.run.jsonl")
    shutil.rmtree(folder / "parts")
    kills = 0
    for _ in range(ROUNDS):
        kills += kill_after(begin(folder, command(*words)), dice.uniform(0, 1.1) * takes)
        check_no_process_is_left()
    run(folder, command(*words))
    assert _without_moment(folder / "b.run.jsonl") == whole
    check_folder(folder)
    return kills


def _without_moment(path: Path) -> list[object]:
    """What a run file says, but for when it was made."""
    header, *lines = path.read_bytes().splitlines()
    return [{**json.loads(header), "created": ""}, *lines]


def _following(folder: Path, dice: random.Random) -> int:
    """A watch over a file: each conversation in it counts once."""
    import sqlite3

    _scored(folder)
    words = ("watch", "--follow", "traces.jsonl", "--once", "--state", "watch.db", *STORE)
    takes = _takes(folder, command(*words))
    kills = 0
    for _ in range(ROUNDS):
        kills += kill_after(begin(folder, command(*words)), dice.uniform(0, 1.1) * takes)
    check_no_process_is_left()
    run(folder, command(*words), codes=(0, 1))
    connection = sqlite3.connect(folder / "watch.db")
    bodies = [json.loads(body)["case"] for (body,) in connection.execute("SELECT body FROM conversations")]
    connection.close()
    assert Counter(bodies) == Counter({f"c{number}": 1 for number in range(CASES)})
    check_folder(folder)
    return kills


SCENARIOS: dict[str, Scenario] = {
    "start": _running((0.0, 0.3)),
    "middle": _running((0.2, 0.6)),
    "end": _running((0.7, 1.05)),
    "isolated_tools": _running((0.1, 0.9), "--tools", f"{SAMPLES}:get_weather", "--isolate", agent="answers"),
    "judge": _judge,
    "import": _storing(("runs", "import", "a.run.jsonl", *STORE)),
    "save": _storing(("score", "suite.json", "traces.jsonl", "--save", "more", *STORE)),
    "export": _writing(("runs", "export", "latest", *STORE, "-o", "out.run.jsonl")),
    "report": _writing(("report", "latest", *STORE, "--format", "html", "-o", "out.html")),
    "migration": _migration,
    "several_writers": _several_writers,
    "parts": _parts,
    "watch": _following,
}
"""By what is going on when the kill comes."""
