"""Options as keywords and as values say the same, and a name that is none is refused with the nearest one."""

from __future__ import annotations

from dataclasses import fields
from inspect import signature
from pathlib import Path

import pytest

import toolgauge
from tests.builders import case, expected
from tests.runner.weather import solver, suite
from toolgauge import api
from toolgauge.core import Suite, Trajectory
from toolgauge.errors import UsageError

SUITE = Suite("s", (case([expected("a", {})], id="c1", labels={"kind": "x"}), case([expected("a", {})], id="c2")))
MADE = [Trajectory("c1", "m"), Trajectory("c2", "m")]


def test_keywords_take_the_place_of_options() -> None:
    options = api.ScoreOptions(by="kind", keep="none")
    by_value = toolgauge.score(SUITE, MADE, options=options)
    by_keyword = toolgauge.score(SUITE, MADE, by="kind", keep="none")
    assert by_value.summary == by_keyword.summary
    assert list(by_value.scored) == list(by_keyword.scored) == []
    assert len(list(toolgauge.score(SUITE, MADE, options=options, keep="all").scored)) == 2


def test_an_option_that_scoring_does_not_have_is_refused() -> None:
    with pytest.raises(UsageError, match=r"scoring has no option 'groundin'; did you mean 'grounding'\?"):
        toolgauge.score(SUITE, MADE, groundin=True)


def test_an_option_that_converting_does_not_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"converting has no option 'formats'"):
        list(api.convert(tmp_path / "traces.jsonl", formats="x"))


def test_an_option_that_a_run_does_not_have_is_refused_before_anything_is_asked() -> None:
    model = solver()
    with pytest.raises(UsageError, match=r"a run has no option 'trails'; did you mean 'trials'\?"):
        toolgauge.run(suite(1), "tools", model=model, store=False, trails=2)
    assert model.requests == []


@pytest.mark.parametrize(
    ("function", "options"),
    [(api.score, api.ScoreOptions), (api.convert, api.ConvertOptions), (api.run, api.RunOptions)],
)
def test_no_option_is_also_a_parameter_of_its_own(function: object, options: type) -> None:
    own = set(signature(function).parameters)  # type: ignore[arg-type]  # a function
    assert not own & {field.name for field in fields(options)} - {"suite"}


def test_every_name_of_the_api_is_there() -> None:
    assert api.__all__ == sorted(api.__all__, key=lambda name: (not name.isupper(), name.islower(), name))
    for name in api.__all__:
        assert getattr(api, name) is not None
    with pytest.raises(AttributeError, match=r"module 'toolgauge\.api' has no attribute 'scores'"):
        _ = api.scores
