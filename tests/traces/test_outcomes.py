"""Which results are messages about a failure, and what is kept as the reason."""

from __future__ import annotations

import pytest

from toolgauge.core import JsonValue
from toolgauge.errors import UsageError
from toolgauge.traces.outcomes import Outcomes
from toolgauge.traces.values import structured

FAILURES: list[tuple[JsonValue, str]] = [
    ("Error: no such city", "Error: no such city"),
    ("Error - timed out", "Error - timed out"),
    ("Error", "Error"),
    ("ERROR.", "ERROR."),
    ("Lỗi: không tìm thấy thành phố", "Lỗi: không tìm thấy thành phố"),
    ("Đã xảy ra lỗi: hết thời gian", "Đã xảy ra lỗi: hết thời gian"),
    ("Failed to call tool: get_weather", "Failed to call tool: get_weather"),
    ("Error: 404", "Error: 404"),
    ("ValueError: no such city", "ValueError: no such city"),
    ("{'error': 'boom'}", "{'error': 'boom'}"),
    ('{"error": "boom"}', "boom"),
    ('{"error": "no such city", "city": "Hue"}', "no such city"),
    ('{"error": true, "message": "boom"}', "boom"),
    ('{"errors": [{"message": "boom"}]}', "boom"),
    ('{"errors": ["boom"], "data": null}', "boom"),
    ('{"error": "boom", "code": 7, "path": "/a", "timestamp": 1, "status": 500}', "boom"),
    ('{"error": {"code": 7, "message": "boom"}}', "boom"),
    ('{"status_code": 500}', '{"status_code":500}'),
    ('{"type": "error", "message": "boom"}', "boom"),
    ('{"status": "failed", "detail": "boom"}', "boom"),
    ({"isError": True, "content": "boom"}, "boom"),
]

NO_FAILURES: list[JsonValue] = [
    "Error: none",
    "error: 0",
    "Error: 0.5%",
    "Errors: no errors",
    "lỗi: không có",
    "Lỗi: không có.",
    "Exceptional service",
    "Error-correcting codes are fine",
    "Failed to deliver are 3 parcels",
    '{"error": "0.5%", "value": 3}',
    '{"error": "", "value": 3}',
    '{"error": {"code": 0, "message": "OK"}}',
    '{"error": "none"}',
    '{"error": null, "c": 31}',
    '{"error": true, "celsius": 31}',
    '{"error": "a little", "mean": 1, "median": 2, "mode": 3}',
    '{"errors": []}',
    '{"errors": ["one field is odd"], "data": {"celsius": 31}}',
    '{"status_code": 200}',
    '{"type": "weather"}',
    "31",
    "",
    None,
    [{"error": "boom"}],
]


@pytest.mark.parametrize(("recorded", "reason"), FAILURES)
def test_a_message_about_a_failure_is_its_reason(recorded: JsonValue, reason: str) -> None:
    assert Outcomes().reason(structured(recorded), recorded=recorded) == reason


@pytest.mark.parametrize("recorded", NO_FAILURES)
def test_what_speaks_of_errors_without_being_one_is_a_result(recorded: JsonValue) -> None:
    assert Outcomes().reason(structured(recorded), recorded=recorded) is None


def test_what_the_recorder_says_counts_more_than_the_words() -> None:
    assert Outcomes().reason("Error: boom", failed=False) is None
    assert Outcomes().reason("fine", failed=True) == "fine"
    assert Outcomes().reason("fine", error="boom") == "boom"


def test_a_pattern_of_ones_own_sees_the_text_as_it_was_recorded() -> None:
    outcomes = Outcomes([r'"code": "KAPUT"'])
    recorded = '{"code": "KAPUT"}'
    assert outcomes.reason(structured(recorded), recorded=recorded) == '{"code":"KAPUT"}'
    assert outcomes.reason({"code": "fine"}, recorded='{"code": "fine"}') is None
    assert Outcomes(["KAPUT"]).reason({"code": "KAPUT"}) is not None
    assert Outcomes(["none"]).reason("Error: none") == "Error: none"
    assert Outcomes(["KAPUT"]).reason("Error: boom") is None
    assert Outcomes([]).reason("Error: boom") is None


def test_a_pattern_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="is not a regular expression"):
        Outcomes(["("])
