"""What is printed while tests run, in English and Vietnamese."""

from __future__ import annotations

import sys

from toolgauge.report import Lang, visible

__all__ = ["say", "words_of"]

_WORDS: dict[Lang, dict[str, str]] = {
    "en": {
        "begin": "{suite}: {total} tests",
        "begin.one": "{suite}: 1 test",
        "pass": "PASS",
        "fail": "FAIL",
        "test": "  {verdict}  {test}  score {score:.3f}  {latency:.0f} ms",
        "passed": "{passed} of {total} passed ({pass_rate}%)",
        "averages": (
            "  on average: precision {avg_precision:.3f}, recall {avg_recall:.3f}, "
            "parameters {avg_param_accuracy:.3f}, latency {avg_latency_ms} ms"
        ),
        "nothing": "No test failed, so there is nothing to analyse.",
    },
    "vi": {
        "begin": "{suite}: {total} bài kiểm tra",
        "begin.one": "{suite}: 1 bài kiểm tra",
        "pass": "ĐẠT      ",
        "fail": "KHÔNG ĐẠT",
        "test": "  {verdict}  {test}  điểm {score:.3f}  {latency:.0f} ms",
        "passed": "Đạt {passed}/{total} ({pass_rate}%)",
        "averages": (
            "  trung bình: precision {avg_precision:.3f}, recall {avg_recall:.3f}, "
            "độ khớp tham số {avg_param_accuracy:.3f}, độ trễ {avg_latency_ms} ms"
        ),
        "nothing": "Không có bài kiểm tra nào không đạt nên không có gì để phân tích.",
    },
}


def words_of(lang: Lang) -> dict[str, str]:
    """The lines of a language, with places to fill."""
    return _WORDS[lang]


def say(*lines: str) -> None:
    """Print lines, with what comes from data made harmless, whatever the terminal can write."""
    encoding = sys.stdout.encoding or "utf-8"
    text = "".join(f"{visible(line)}\n" for line in lines)
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()
