"""What the sanitizers see is seen: each of these libraries has one fault, and one has none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .building import ROOT, build, environment, has_sanitizers

pytestmark = pytest.mark.skipif(not has_sanitizers(), reason="the compiler has no sanitizers")

NO_TESTS_COLLECTED = 5

FAULTS = {
    "heap-use-after-free": "int *p = malloc(4); *p = n; free(p); return *p;",
    "heap-buffer-overflow": "char *p = malloc(4); memset(p, 1, 4 + (size_t)n); n = p[0]; free(p); return n;",
    "signed integer overflow": "return 2147483647 + n;",
    "LeakSanitizer": "void *volatile p = malloc((size_t)n * 100); p = 0; return p == 0;",
    "": "return n + 1;",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_the_process_and_is_named(tmp_path: Path, fault: str) -> None:
    (tmp_path / "fault.c").write_text(
        f"#include <stdlib.h>\n#include <string.h>\nint fault(int n) {{ {FAULTS[fault]} }}\n"
    )
    library = tmp_path / "fault.so"
    build(tmp_path, library)
    words = f"import ctypes; print(ctypes.CDLL({str(library)!r}).fault(1))"
    done = subprocess.run([sys.executable, "-c", words], env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (fault == ""), done.stderr
    assert fault in done.stderr


@pytest.mark.parametrize("built", [True, False])
def test_what_is_tested_is_what_was_built_with_them(built: bool) -> None:
    build()
    words = [sys.executable, "-m", "pytest", "-q", "-p", "tests.sanitizing.checking", "--collect-only", "-k", "no_such"]
    given = environment() if built else None
    done = subprocess.run(
        [*words, "tests/compiled/test_adding.py"], env=given, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ("not what was built with sanitizers" in done.stderr) != built, done.stderr
    assert (done.returncode == NO_TESTS_COLLECTED) == built
