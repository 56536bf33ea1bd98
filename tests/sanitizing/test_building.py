"""What the sanitizers see is seen: each of these libraries has one fault, and one has none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from .building import build, environment, has_sanitizers

pytestmark = pytest.mark.skipif(not has_sanitizers(), reason="the compiler has no sanitizers")

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


@pytest.mark.parametrize("before", ["", "import toolgauge.compiled; "])
def test_what_is_tested_is_what_was_built_with_them(before: str) -> None:
    build()
    words = f"{before}import tests.sanitizing.loading as plugin; plugin.pytest_configure()"
    done = subprocess.run([sys.executable, "-c", words], env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (before == ""), done.stderr
    assert ("not what was built with sanitizers" in done.stderr) == (before != "")
