"""The words of comparisons: the same keys and places in both languages, a name for every metric."""

from __future__ import annotations

import re

from toolgauge.report.english_comparing import CATALOGUE as ENGLISH
from toolgauge.report.vietnamese_comparing import CATALOGUE as VIETNAMESE
from toolgauge.stats import METRICS


def test_both_languages_have_the_same_keys_and_places() -> None:
    assert list(ENGLISH) == list(VIETNAMESE)
    for key, text in ENGLISH.items():
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", VIETNAMESE[key])), key


def test_every_metric_has_a_name() -> None:
    assert [metric.name for metric in METRICS if f"compare.metric.{metric.name}" not in ENGLISH] == []
