"""Whether the compiled part is there, as it is wherever toolgauge was installed with a compiler at hand."""

from __future__ import annotations

import pytest

from toolgauge.compiled import AVAILABLE

__all__ = ["needs_compiled_part"]

needs_compiled_part = pytest.mark.skipif(not AVAILABLE, reason="toolgauge was installed without a compiler")
