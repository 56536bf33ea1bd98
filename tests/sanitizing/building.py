"""Builds the compiled part with sanitizers, in a folder of its own: what is installed stays as it is."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from pathlib import Path

from toolgauge.compiled.fingerprint import fingerprint

__all__ = ["LIBRARY", "ROOT", "build", "environment", "has_sanitizers"]

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src/toolgauge/compiled"
LIBRARY = ROOT / "build/sanitize" / f"_compiled{sysconfig.get_config_var('EXT_SUFFIX')}"

FLAGS = (
    *("-O1", "-g", "-fno-omit-frame-pointer", "-Wall", "-Wextra", "-shared", "-fPIC"),
    *("-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
)
"""Whatever is found ends the process, and says which functions led there."""


def has_sanitizers() -> bool:
    """Whether the compiler is there, with the library of its sanitizers."""
    return shutil.which(_compiler()) is not None and _runtime().is_absolute()


def environment() -> dict[str, str]:
    """What a process needs to load what was built here, and so do all that it starts.

    Python was built without sanitizers, so their library has to be loaded before it; and it gets its memory piece by
    piece, so that each object has an end that is watched.
    """
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).with_name("startup")), str(ROOT / "src")]),
        "TOOLGAUGE_SANITIZED": str(LIBRARY),
        "LD_PRELOAD": str(_runtime()),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1",
        "LSAN_OPTIONS": f"suppressions={Path(__file__).with_name('suppressions.txt')}:print_suppressions=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    }


def _compiler() -> str:
    """The compiler that extensions are built with here."""
    return shlex.split(sysconfig.get_config_var("CC") or "cc")[0]


def _runtime() -> Path:
    """The library of the sanitizers; a bare name where there is none."""
    words = [_compiler(), "-print-file-name=libasan.so"]
    return Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip())


def build(sources: Path = SOURCES, library: Path = LIBRARY) -> None:
    """Build it anew.

    Raises:
        FileNotFoundError: The compiler, or the library of its sanitizers, is not there.
    """
    if not has_sanitizers():
        raise FileNotFoundError(f"{_compiler()} with the library libasan is needed; on Debian: apt install gcc")
    library.parent.mkdir(parents=True, exist_ok=True)
    include = f"-I{sysconfig.get_paths()['include']}"
    known = f"-DFINGERPRINT={fingerprint(sources)}"
    files = [str(path) for path in sorted(sources.glob("*.c"))]
    subprocess.run([_compiler(), *FLAGS, include, known, *files, "-o", str(library)], check=True)
