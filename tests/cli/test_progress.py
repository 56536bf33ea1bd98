"""Progress on a terminal, in the language that is spoken."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from toolgauge.catalogue.speaking import speak
from toolgauge.cli import progress
from toolgauge.cli.progress import ProgressLine, RunBar


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        return True


@contextmanager
def terminal(lang: str) -> Iterator[Terminal]:
    """Standard error is a terminal, on which nobody waits, in a language."""
    shown = Terminal()
    speak(lang)
    try:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(sys, "stderr", shown)
            patched.setattr(progress, "PATIENCE", 0.0)
            yield shown
    finally:
        speak(None)


@pytest.mark.parametrize(
    ("lang", "done", "words"),
    [
        ("en", "scored", "600 trajectories scored, "),
        ("vi", "scored", "đã chấm 600 lượt chạy, "),
        ("vi", "converted", "đã chuyển 600 lượt chạy, "),
    ],
)
def test_the_line_counts_in_words(lang: str, done: str, words: str) -> None:
    with terminal(lang) as shown, ProgressLine("converted" if done == "converted" else "scored") as line:
        line.advance(600)
    assert words in shown.getvalue()


@pytest.mark.parametrize(("lang", "words"), [("en", "0 of 0 passed, 1 retry"), ("vi", "đạt 0/0, thử lại 1 lần")])
def test_the_bar_of_a_run_says_what_passed_and_what_was_tried_again(lang: str, words: str) -> None:
    with terminal(lang) as shown, RunBar() as bar:
        bar.begin(4, 0)
        bar.retried()
        assert bar._words() == words
    assert shown.getvalue()


def test_the_reason_of_stopping_is_told() -> None:
    with terminal("vi") as shown, RunBar() as bar:
        bar.stopping("stopping: 2 in flight may take 5 s; Ctrl-C again stops at once")
    told = "Lưu ý: đang dừng: 2 câu đang chạy có thể mất 5 giây; bấm Ctrl-C lần nữa để dừng ngay"
    assert told in shown.getvalue()
