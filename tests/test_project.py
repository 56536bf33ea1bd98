"""What stands around the code agrees with it: lock files, workflows, the version that is to be cited."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from toolgauge.version import VERSION

ROOT = Path(__file__).parent.parent
LOCKS = ("run", "test", "deep")
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def lock(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")


def locked(name: str) -> dict[str, str]:
    """The packages of a lock file with their versions."""
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", lock(name), re.M))


def needed(packages: list[str]) -> tuple[set[str], set[str]]:
    """What packages need, directly or not: on this machine, and on any."""
    here: set[str] = set()
    anywhere: set[str] = set()
    waiting = [(Requirement(package), True) for package in packages]
    while waiting:
        requirement, applies = waiting.pop()
        name = canonicalize_name(requirement.name)
        applies = applies and (requirement.marker is None or requirement.marker.evaluate({"extra": ""}))
        if name in here or (name in anywhere and not applies):
            continue
        anywhere.add(name)
        if applies:
            here.add(name)
        try:
            further = requires(name) or []
        except PackageNotFoundError:
            assert not applies, f"{name} is not installed"
            continue
        waiting += [(Requirement(one), applies) for one in further if not re.search(r"\bextra\s*==", one)]
    return here, anywhere


def test_running_installs_what_the_core_needs_and_nothing_else() -> None:
    here, anywhere = needed(PROJECT["project"]["dependencies"])
    assert here <= set(locked("run")) <= anywhere
    assert len(here) < 15


def test_every_lock_file_has_the_same_versions() -> None:
    run, test, deep = map(locked, LOCKS)
    assert run.items() <= test.items() <= deep.items()


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_have_hashes_and_name_no_index(name: str) -> None:
    blocks = re.split(r"^(?=[a-z0-9])", lock(name), flags=re.M)[1:]
    assert {block.partition("==")[0] for block in blocks} == set(locked(name))
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in lock(name)
    assert "--index" not in lock(name)


@pytest.mark.parametrize("group", ["test", "deep"])
def test_what_is_asked_for_is_locked(group: str) -> None:
    asked = [one for one in PROJECT["dependency-groups"][group] if isinstance(one, str)]
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(locked(group)[canonicalize_name(requirement.name)])


def test_the_light_tests_need_nothing_large() -> None:
    assert not set(locked("test")) & {"numpy", "scipy", "pandas", "pydantic", "openai", "anthropic", "mcp", "langchain"}


def test_no_test_is_skipped_because_a_library_is_missing() -> None:
    """It is marked as deep, and fails where the library is not there."""
    skips = [path for path in (ROOT / "tests").rglob("*.py") if "pytest." + "importorskip" in path.read_text("utf-8")]
    assert skips == []


def commands(workflow: dict[str, Any]) -> list[str]:
    return [
        line for job in workflow["jobs"].values() for step in job["steps"] for line in step.get("run", "").split("\n")
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_can_be_read_and_call_what_is_there(path: Path) -> None:
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    assert workflow[True]  # the key `on`, as YAML 1.1 reads it
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 45
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert {line.split()[1] for line in commands(workflow) if line.startswith("make ")} <= targets


def test_ci_runs_every_check_on_every_version_of_python() -> None:
    local = set(re.findall(r"^make (\S+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.M))
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8"))
    made = {line.split()[1] for line in commands(workflow) if line.startswith("make ")}
    (check,) = re.findall(r"^check: ([a-z -]+?)  ##", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    harnesses = {"fuzz", "kill", "sanitize"}  # of which CI does less than a person who calls them
    assert local == set(check.split()) | harnesses == made - {"demo"}
    told = re.findall(r"Python :: (3\.\d+)", " ".join(PROJECT["project"]["classifiers"]))
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python-version"] == told
    assert PROJECT["tool"]["cibuildwheel"]["build"] == " ".join(f"cp{version.replace('.', '')}-*" for version in told)


def test_hooks_can_be_read() -> None:
    (own,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    assert own["repo"] == "local"
    assert [hook["id"] for hook in own["hooks"]] == ["ruff-check", "ruff-format", "import-layers"]


def test_the_version_to_cite_is_this_one() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == VERSION
    assert cited["title"] == PROJECT["project"]["name"]
    assert cited["license"] == PROJECT["project"]["license"]
    assert cited["cff-version"] == "1.2.0"
    assert cited["authors"]
