"""The rows of a report: the one of all cases is like no other, whatever the labels are called."""

from __future__ import annotations

import pytest

from toolgauge import api
from toolgauge.catalogue import Lang
from toolgauge.core import Case, Expect, Suite, Trajectory
from toolgauge.report import RunDocument, render


@pytest.mark.parametrize(("lang", "whole", "none"), [("en", "all", "(none)"), ("vi", "tất cả", "(không có)")])
def test_labels_called_all_and_none_do_not_look_like_the_rows_of_these(lang: Lang, whole: str, none: str) -> None:
    cases = [Case(value or "-", labels={"k": value} if value else {}, expect=Expect(())) for value in (whole, none, "")]
    run = api.score(Suite("s", tuple(cases)), [Trajectory(case.id, "m", calls=()) for case in cases], by="k")
    lines = "".join(render(RunDocument(run), "md", lang=lang)).splitlines()
    table = lines[next(i for i, line in enumerate(lines) if line.startswith("| Agent | k")) + 2 :][:4]
    shown = [line.split(" | ")[1].replace("\\", "") for line in table]
    assert shown == [f'"{whole}"', f'"{none}"', none, whole]
    assert any(f"{none} (1)" in line for line in lines)


def test_the_line_of_cases_without_the_label_is_told_from_that_of_all_cases_in_csv() -> None:
    suite = Suite("s", (Case("a", labels={"k": "x"}), Case("b")))
    run = api.score(suite, [Trajectory("a", "m", calls=()), Trajectory("b", "m", calls=())], by="k")
    lines = "".join(render(RunDocument(run), "csv")).splitlines()[1:]
    assert [line.split(",")[1] for line in lines] == ["x", "(none)", ""]
