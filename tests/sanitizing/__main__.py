"""`python -m tests.sanitizing`: the tests of the compiled part, with what the sanitizers of the compiler see."""

from __future__ import annotations

import argparse
import subprocess
import sys

from .building import ROOT, build, environment

TESTS = ("tests/compiled", "tests/scoring/test_fast.py", "tests/metrics/test_exact.py")
"""Those that go through it most; any others can be named."""


def main() -> int:
    """Build it, and run tests; the exit code is that of pytest, or of what a sanitizer has ended."""
    parser = argparse.ArgumentParser(prog="python -m tests.sanitizing", description=__doc__)
    parser.add_argument("tests", nargs="*", default=TESTS, help=f"tests to run; default: {' '.join(TESTS)}")
    options, more = parser.parse_known_args()
    build()
    # One process: what a sanitizer says is seen at once, and ends everything.
    words = [sys.executable, "-m", "pytest", "-q", "-p", "tests.sanitizing.checking", *options.tests, *more]
    return subprocess.run(words, env=environment(), cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
