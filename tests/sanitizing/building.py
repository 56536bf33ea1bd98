"""Builds the compiled part with sanitizers, in a folder of its own: what is installed stays as it is."""

from __future__ import annotations

import shlex
import subprocess
import sysconfig
from pathlib import Path

from toolgauge.compiled.fingerprint import fingerprint

__all__ = ["LIBRARY", "SOURCES", "build", "compiler", "runtime"]

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src/toolgauge/compiled"
LIBRARY = ROOT / "build/sanitize" / f"_compiled{sysconfig.get_config_var('EXT_SUFFIX')}"

FLAGS = (
    *("-O1", "-g", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-shared", "-fPIC"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
"""Whatever is found ends the process, and says which functions led there."""


def compiler() -> list[str]:
    """The compiler that extensions are built with here, as words."""
    return shlex.split(sysconfig.get_config_var("CC") or "cc")[:1]


def runtime() -> Path:
    """The library that has to be loaded before Python is, since Python itself was built without sanitizers."""
    words = [*compiler(), "-print-file-name=libasan.so"]
    found = Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip())
    if not found.is_absolute():
        raise FileNotFoundError(f"{compiler()[0]} has no AddressSanitizer; install GCC with libasan")
    return found.resolve()


def build(sources: Path = SOURCES, library: Path = LIBRARY) -> None:
    """Build it anew."""
    library.parent.mkdir(parents=True, exist_ok=True)
    include = f"-I{sysconfig.get_paths()['include']}"
    known = f"-DFINGERPRINT={fingerprint(sources)}"
    files = [str(path) for path in sorted(sources.glob("*.c"))]
    subprocess.run([*compiler(), *FLAGS, include, known, *files, "-o", str(library)], check=True)
