"""Packages of `tests/plugins`, installed as an installer would do it, without one."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

__all__ = ["PLUGINS", "install", "python_path"]

PLUGINS = Path(__file__).parent / "plugins"


def install(name: str, target: Path) -> Path:
    """Put a package and what its pyproject.toml says of it where Python looks.

    Args:
        name: The folder, and the module in it.
        target: What is to be put on the path.
    """
    source = PLUGINS / name
    (target / f"{name}.py").write_bytes((source / f"{name}.py").read_bytes())
    project = tomllib.loads((source / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    described = target / f"{name}-{project['version']}.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8"
    )
    groups = (
        f"[{group}]\n" + "".join(f"{point} = {value}\n" for point, value in points.items())
        for group, points in project["entry-points"].items()
    )
    (described / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")
    return target


def python_path(target: Path) -> str:
    """The variable PYTHONPATH of a process that finds what is there, and what this one finds."""
    return os.pathsep.join(part for part in (str(target), os.environ.get("PYTHONPATH", "")) if part)
