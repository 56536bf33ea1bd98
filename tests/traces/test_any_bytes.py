"""Whatever the bytes are, reading them ends in a value or in an error that knows its exit code."""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from toolgauge.errors import InputError, NothingToDo
from toolgauge.files import FORMATS
from toolgauge.suites import load_suite
from toolgauge.traces import ImportReport, ReadOptions, read_traces

PIECES = st.sampled_from(
    [
        *["id", "case", "cases", "input", "query", "tools", "calls", "tool", "expect", "name", "failed_tools", "trial"],
        *[
            ",",
            ":",
            ": ",
            "- ",
            "\n",
            "\r\n",
            "\t",
            " ",
            '"',
            "'",
            "{",
            "}",
            "[",
            "]",
            "&a ",
            "*a",
            "!x ",
            "<<",
            "|",
            "# ",
        ],
        *[
            "1",
            "1e999",
            "null",
            "true",
            "~",
            "\\ud800",
            "\\",
            "\0",
            "é",
            "e\u0301",
            "\ufeff",
            "\u2028",
            "$any",
            "---",
            "%",
        ],
    ]
)
TEXTS = st.lists(PIECES, max_size=30).map(lambda pieces: "".join(pieces).encode())
RECORDS = st.dictionaries(
    st.sampled_from(["id", "case", "input", "calls", "output", "expect", "cases", "schema"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["tool", "args", "calls"]), inner),
        max_leaves=5,
    ),
)
LINES = st.lists(RECORDS, max_size=3).map(lambda records: "\n".join(map(json.dumps, records)).encode())


def outcome(attempt: Callable[[], object]) -> str:
    """What is said of a file; anything but the two errors below is a fault of ours."""
    try:
        attempt()
    except (InputError, NothingToDo) as error:
        return str(error)
    return ""


@settings(max_examples=examples(300), deadline=None)
@given(st.binary(max_size=60) | TEXTS | LINES, st.sampled_from([None, *FORMATS]))
def test_any_bytes_end_in_a_value_or_an_error_with_a_place(data: bytes, input_format: str | None) -> None:
    report = ImportReport()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_bytes(data)
        for message in (
            outcome(lambda: load_suite(path, input_format=input_format)),
            outcome(lambda: list(read_traces(path, ReadOptions(input_format=input_format, report=report)))),
        ):
            assert not message or message.startswith(str(path))
            assert message.count("\n") <= 10
    assert isinstance(report.lines(), list)
