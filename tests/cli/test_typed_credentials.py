"""What somebody types is repeated in messages, but never a password or a key in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import toolgauge
from tests.runner.weather import write_suite
from tests.store.sqlite.test_store import fill
from toolgauge.secrets import typed_credentials

HIDDEN = "s3cr3t-value"
HELD = "hunter2-held-value"


@pytest.mark.parametrize(
    "arguments",
    [
        ("runs", "list", "--store", f"postgresql://me:{HIDDEN}@127.0.0.1:9/runs"),
        ("runs", "list", "--store", f"postgresql://me:{HIDDEN}@127.0.0.1:port/runs"),
        ("runs", "list", "--store", f"postgres://me:{HIDDEN}@[::1/runs"),
        ("runs", "list", "--store", f"postgresql://me@127.0.0.1:9/runs?password={HIDDEN}"),
        ("runs", "list", "--store", f"mysql://me:{HIDDEN}@127.0.0.1/runs"),
        ("runs", "copy", "latest", "--to", f"postgresql://me:{HIDDEN}@127.0.0.1:9/runs", "--store", "runs.db"),
        ("run", "suite.json", "--agent", f"a=http://me:{HIDDEN}@127.0.0.1:99999/"),
        ("run", "suite.json", "--agent", f"http://me:{HIDDEN}@[::1"),
        ("run", "suite.json", "--agent", f"a=http://127.0.0.1:9/?token={HIDDEN}"),
        ("score", "suite.json", f"https://me:{HIDDEN}@127.0.0.1:9/traces.jsonl"),
        ("score", "suite.json", f"nothing://me:{HIDDEN}@127.0.0.1:9/traces.jsonl"),
        ("report", f"https://127.0.0.1:9/run.jsonl?api_key={HIDDEN}&x=1"),
        ("no-such-command", f"http://me:{HIDDEN}@127.0.0.1/"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]) + " " + arguments[-1].partition(":")[0],
)
def test_no_message_repeats_a_credential_that_was_typed(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    write_suite(tmp_path, 1)
    fill(tmp_path / "runs.db", 1)
    said = toolgauge(*arguments, cwd=tmp_path)
    assert said.returncode not in (0, 70), said.stderr
    assert said.stderr
    assert HIDDEN not in said.stdout + said.stderr


def test_only_credentials_are_hidden() -> None:
    assert typed_credentials(["score", "s3://bucket/a@b.jsonl", "http://host:80/x@y", "a=b", "x:y@z"]) == {}
    assert typed_credentials(["http://me:ab@host/?page=2&token=xyz"]) == {":ab@": ":***@", "token=xyz": "token=***"}
    assert typed_credentials(["postgresql://me:p@ss@host/db"]) == {":p@ss@": ":***@", "p@ss": "***"}


@pytest.mark.parametrize("target", ["runs.db", "./runs.db", "link.db", "hard.db", "folder/../runs.db"])
def test_a_run_is_not_copied_into_its_own_store(tmp_path: Path, target: str) -> None:
    store = tmp_path / "runs.db"
    fill(store, 1)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.db").symlink_to(store)
    (tmp_path / "hard.db").hardlink_to(store)
    before = store.read_bytes()
    said = toolgauge("runs", "copy", "latest", "--store", "runs.db", "--to", target, cwd=tmp_path)
    assert said.returncode == 2
    assert "is the store that the run is in; name another one after --to" in said.stderr
    assert store.read_bytes() == before
    assert not [path.name for path in tmp_path.iterdir() if path.name.endswith(("-wal", "-shm"))]


QUOTING = (
    ("runs", "show", HELD, "--store", "runs.db"),
    ("runs", "show", f"a-{HELD}-b", "--store", "runs.db"),
    ("convert", "held.jsonl"),
    ("score", "suite.json", "held.jsonl"),
    ("lint", "held.yaml"),
    ("report", f"{HELD}.jsonl"),
    (HELD,),
)


NAMES = ("OPENAI_API_KEY", "GITHUB_PAT", "DB_PWD", "MY_JWT", "SESSION_COOKIE", "PROXY_AUTH", "PGPASSWORD", "A_URL")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [*((words, "OPENAI_API_KEY") for words in QUOTING), *((QUOTING[0], name) for name in NAMES[1:])],
    ids=range(len(QUOTING) + len(NAMES) - 1),
)
def test_no_message_quotes_a_credential_of_the_environment(
    tmp_path: Path, arguments: tuple[str, ...], name: str
) -> None:
    write_suite(tmp_path, 1)
    fill(tmp_path / "runs.db", 1)
    (tmp_path / "held.jsonl").write_text(f'{{"x": "{HELD}"}}\n', encoding="utf-8")
    (tmp_path / "held.yaml").write_text(f"name: s\ncases:\n- id: a\n  {HELD}: 1\n", encoding="utf-8")
    value = f"https://me:{HELD}@example.org/" if name == "A_URL" else HELD
    said = toolgauge(*arguments, cwd=tmp_path, **{name: value})
    assert said.returncode not in (0, 70), said.stderr
    assert HELD not in said.stdout + said.stderr
    assert "[redacted " in said.stderr
