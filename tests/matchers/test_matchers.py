"""What each matcher means, as properties, and all of them against the plainest statement of their meaning."""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.budgets import examples
from tests.oracle_matchers import MEANINGS, matches, may_be_absent
from tests.strategies import MATCHERS as SAMPLES
from toolgauge.core import Call, JsonValue
from toolgauge.matchers import MATCHERS, NOTHING_BEFORE, SuiteFault, compile_rule, readings

from .values import ANYTHING, CALLS, FEW, KEYS, RULES, SCALARS, canonical, fits

VIETNAMESE = st.text("aàáâãăạảấầẩẫậắằẳẵặeèéêẽẹếềểễệiìíoòóôõơọốồớờuùúưứừyđ nhctg", min_size=1, max_size=8)
DAYS = st.dates(date(1000, 1, 1), date(9998, 12, 31))
NUMBERS = st.integers(-(10**6), 10**6) | st.floats(-1e6, 1e6)


def test_every_matcher_has_samples_and_a_meaning() -> None:
    assert set(SAMPLES) == {*MEANINGS, "$date", "$range", "$from"} == set(MATCHERS) - {"$bfcl"}


# All of them


@given(RULES, FEW, CALLS)
@settings(deadline=None, max_examples=examples(1000))
def test_a_rule_means_what_the_oracle_says(rule: JsonValue, value: JsonValue, before: list[Call]) -> None:
    assert fits(rule, value, before=before) == matches(rule, value, before)


@given(RULES, ANYTHING, CALLS, st.sampled_from([None, "vi", "en"]))
@settings(deadline=None, max_examples=examples(500))
def test_a_rule_answers_for_any_value(rule: JsonValue, value: JsonValue, before: list[Call], locale: str) -> None:
    assert fits(rule, value, before=before, locale=locale) in (True, False)


@given(RULES, FEW | ANYTHING, CALLS)
@settings(deadline=None, max_examples=examples(300))
def test_not_is_the_opposite_for_values_that_are_there(rule: JsonValue, value: JsonValue, before: list[Call]) -> None:
    assert fits({"$not": rule}, value, before=before) != fits(rule, value, before=before)
    assert fits({"$not": {"$not": rule}}, value, before=before) == fits(rule, value, before=before)
    assert not compile_rule({"$not": rule}).absent_fits


@given(RULES)
@settings(deadline=None)
def test_only_absent_and_default_allow_leaving_a_value_out(rule: JsonValue) -> None:
    assert compile_rule(rule).absent_fits == may_be_absent(rule)
    assert compile_rule({"$default": rule}).absent_fits
    assert compile_rule({"$one_of": [rule, {"$absent": True}]}).absent_fits
    around: list[JsonValue] = [{"$items": rule}, {"$set": [rule]}, {"$partial": {"k": rule}}, [rule], {"k": rule}]
    for closed in around:
        assert not compile_rule(closed).absent_fits


@given(RULES)
@settings(deadline=None)
def test_a_rule_looks_back_where_from_stands_in_it(rule: JsonValue) -> None:
    assert compile_rule(rule).looks_back == ("'$from'" in repr(rule))


@given(RULES, FEW, CALLS)
@settings(deadline=None, max_examples=examples(300))
def test_a_rule_nests_in_lists_objects_and_other_rules(rule: JsonValue, value: JsonValue, before: list[Call]) -> None:
    alone = fits(rule, value, before=before)
    for outer, holder in (
        ([rule], [value]),
        ({"key": rule}, {"key": value}),
        ({"$partial": {"key": rule}}, {"key": value, "other": 1}),
        ({"$one_of": [{"$absent": True}, rule]}, value),
        ({"$default": rule}, value),
        ({"$items": rule}, [value, value]),
        ({"$set": [rule]}, [value]),
        ({"$contains": [rule]}, [value]),
    ):
        assert fits(outer, holder, before=before) == alone, outer


# Literals, any, one of, absent, default


@given(FEW, FEW)
@settings(deadline=None, max_examples=examples(300))
def test_a_literal_is_equality_without_mixing_up_types(want: JsonValue, value: JsonValue) -> None:
    assert fits(want, value) == (canonical(want) == canonical(value))


@given(ANYTHING)
def test_a_literal_fits_itself_and_any_value_fits_any(value: JsonValue) -> None:
    assert fits(value, value)
    assert fits({"$any": True}, value)
    assert not fits({"$absent": True}, value)


@given(st.text(), st.sampled_from(["NFC", "NFD"]), st.sampled_from(["NFC", "NFD"]))
def test_the_normal_form_of_a_text_does_not_matter(text: str, one: str, other: str) -> None:
    written, found = (unicodedata.normalize(form, text) for form in (one, other))  # type: ignore[arg-type]  # names of forms
    for rule in (written, {"$one_of": ["?", written]}, {"$set": [written]}):
        assert fits(rule, [found] if isinstance(rule, dict) and "$set" in rule else found)
    assume(not written.startswith("$"))
    assert fits({written: 1}, {found: 1})
    assert fits({"$partial": {written: written}}, {found: found, found + "x": 1})


TYPES = [
    (75, 75.0, True),
    (75, "75", False),
    ("75", 75, False),
    (1, True, False),
    (0, False, False),
    (None, 0, False),
    (None, "", False),
    (None, False, False),
    ("", None, False),
    ([], {}, False),
    ([1], [True], False),
    ({"a": 0}, {"a": False}, False),
]


@pytest.mark.parametrize(("want", "value", "equal"), TYPES)
def test_types_are_not_mixed_up_in_any_matcher_that_compares(want: JsonValue, value: JsonValue, equal: bool) -> None:
    result = [Call("t", result={"deep": [want]})]
    assert fits(want, value) is equal
    assert fits({"$one_of": ["other", want]}, value) is equal
    assert fits({"$default": want}, value) is equal
    assert fits({"$not": want}, value) is not equal
    assert fits({"$set": [want]}, [value]) is equal
    assert fits({"$items": want}, [value]) is equal
    assert fits({"$contains": [want]}, [value]) is equal
    assert fits({"$partial": {"k": want}}, {"k": value}) is equal
    if value not in ([], {}, [True]) and want != "75":
        assert fits({"$from": "t"}, value, before=result) is equal


@pytest.mark.parametrize("value", [True, False, "1", None, [1], {"value": 1}])
def test_only_a_number_is_near_another_or_in_a_range(value: JsonValue) -> None:
    assert not fits({"$approx": {"value": 1, "abs": 100}}, value)
    assert not fits({"$range": [-100, 100]}, value)


@given(st.lists(SCALARS, min_size=1, max_size=4), SCALARS)
def test_one_of_is_any_of_its_options(options: list[JsonValue], value: JsonValue) -> None:
    wanted = {canonical(option) for option in options}
    assert fits({"$one_of": options}, value) == (canonical(value) in wanted)
    assert all(fits({"$one_of": options}, option) for option in options)


# Texts


@given(st.sampled_from(["^a+b*$", "[0-9]{2}", "a|b1", "^$", "b.1", "(ab)+", "[^a]"]), st.text("ab1", max_size=6))
def test_a_pattern_is_searched_for(pattern: str, text: str) -> None:
    assert fits({"$regex": pattern}, text) == bool(re.search(pattern, text))


def test_a_pattern_takes_linear_time() -> None:
    many = "a" * 10_000_000
    assert fits({"$regex": "^(a+)+$"}, many)
    assert not fits({"$regex": "^(a+)+$"}, many + "b")


@given(VIETNAMESE, VIETNAMESE, VIETNAMESE)
def test_a_text_contains_its_parts_whatever_their_case_and_normal_form(before: str, part: str, after: str) -> None:
    text = unicodedata.normalize("NFD", (before + part + after).upper())
    assert fits({"$contains": part}, text)
    assert fits({"$contains": [after, part, before]}, text)
    assert not fits({"$contains": [part, "x"]}, text)
    assert not fits({"$contains": part + "x"}, text)


@given(st.lists(FEW, max_size=4), st.lists(FEW, min_size=1, max_size=3))
@settings(deadline=None)
def test_a_list_contains_items(items: list[JsonValue], wanted: list[JsonValue]) -> None:
    there = set(map(canonical, items))
    assert fits({"$contains": wanted}, items) == all(canonical(item) in there for item in wanted)


# Numbers and dates


@given(NUMBERS, st.floats(0.001, 0.5), st.floats(0.001, 100), st.floats(-3, 3))
def test_a_number_is_near_within_the_wider_margin(value: float, rel: float, wide: float, steps: float) -> None:
    assume(abs(abs(steps) - 1) > 1e-6)
    for rule, margin in (
        ({"value": value, "abs": wide}, wide),
        ({"value": value, "rel": rel}, rel * abs(value)),
        ({"value": value, "rel": rel, "abs": wide}, max(rel * abs(value), wide)),
    ):
        assume(margin > 1e-6)
        assert fits({"$approx": rule}, value + steps * margin) == (abs(steps) < 1)
    assert fits({"$approx": value}, value)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_a_range_has_both_its_bounds(one: float, other: float, value: float) -> None:
    low, high = min(one, other), max(one, other)
    inside = low <= value <= high
    assert fits({"$range": [low, high]}, value) == fits({"$range": {"min": low, "max": high}}, value) == inside
    assert fits({"$range": [low, None]}, value) == fits({"$range": {"min": low}}, value) == (value >= low)
    assert fits({"$range": {"max": high}}, value) == (value <= high)
    assert fits({"$range": [low, high]}, low)
    assert fits({"$range": [low, high]}, high)


@given(DAYS, st.integers(0, 800), st.integers(-1000, 1000), st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%Y%m%d"]))
def test_a_range_of_days_has_both_its_bounds(first: date, length: int, step: int, form: str) -> None:
    assume(date(1010, 1, 1) < first < date(9990, 1, 1))
    last, day = first + timedelta(length), first + timedelta(step)
    assert fits({"$range": [first.isoformat(), last.isoformat()]}, day.strftime(form)) == (first <= day <= last)
    month = f"{last:%Y-%m}"
    until = (day.year, day.month) <= (last.year, last.month)
    assert fits({"$range": [None, month]}, day.strftime(form)) == until


@given(DAYS, DAYS, st.sampled_from(["%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%Y-%m-%dT%H:%M:%SZ"]))
def test_a_date_fits_as_far_as_it_is_precise(want: date, day: date, form: str) -> None:
    text = day.strftime(form)
    assert fits({"$date": want.isoformat()}, text) == (day == want)
    assert fits({"$date": day.isoformat()}, text)
    year = {"$date": {"value": want.isoformat(), "precision": "year"}}
    month = {"$date": {"value": want.isoformat(), "precision": "month"}}
    assert fits(year, text) == fits({"$date": f"{want:%Y}"}, text) == (day.year == want.year)
    assert fits(month, text) == fits({"$date": f"{want:%Y-%m}"}, text) == (day.replace(day=1) == want.replace(day=1))
    assert fits(year, day.year) == (day.year == want.year)
    assert not fits(month, day.year)


@given(DAYS, st.sampled_from("/-."))
def test_a_date_with_its_year_last_is_read_by_the_locale(day: date, between: str) -> None:
    text = f"{day.day:02}{between}{day.month:02}{between}{day.year:04}"
    rule = {"$date": day.isoformat()}
    ambiguous = day.day <= 12 and day.day != day.month
    assert fits(rule, text, locale="vi")
    assert fits(rule, text) == (not ambiguous)
    assert fits(rule, text, locale="en") == (not ambiguous)
    assert len(readings(text, None)) == (2 if ambiguous else 1)
    turned = f"{day.month}{between}{day.day}{between}{day.year:04}"
    assert fits(rule, turned, locale="en")


@given(st.text() | st.from_regex(r"\A[0-9]{1,4}[-/.][0-9]{1,2}([-/.][0-9]{1,4})?\Z"))
def test_any_text_is_read_as_days_that_the_calendar_has(text: str) -> None:
    for locale in (None, "vi", "en"):
        for year, month, day in readings(text, locale):
            assert date(year, month or 1, day or 1).year == year


# Lists and objects


@given(st.lists(FEW, max_size=4), st.lists(FEW, max_size=4), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_a_set_is_equal_in_any_order_and_number(want: list[JsonValue], value: list[JsonValue], random: object) -> None:
    assert fits({"$set": want}, value) == (set(map(canonical, want)) == set(map(canonical, value)))
    shuffled = [*want, *want[:2]]
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # a generator
    assert fits({"$set": want}, shuffled)
    assert not fits({"$set": want}, [*want, "one more"])


@given(RULES, st.lists(FEW, max_size=4))
@settings(deadline=None)
def test_items_all_fit_one_rule(rule: JsonValue, values: list[JsonValue]) -> None:
    assert fits({"$items": rule}, values) == all(fits(rule, value) for value in values)
    assert not fits({"$items": rule}, {"0": 1})


@given(st.dictionaries(KEYS, SCALARS, max_size=4), st.dictionaries(KEYS, SCALARS, max_size=4))
def test_part_of_an_object_is_enough_for_partial_alone(want: dict[str, JsonValue], more: dict[str, JsonValue]) -> None:
    whole = {**more, **want}
    assert fits({"$partial": want}, whole)
    assert fits(want, whole) == (len({unicodedata.normalize("NFC", key) for key in whole}) == len(compose(want)))
    for key in want:
        assert not fits({"$partial": {**want, key: {"$not": want[key]}}}, whole)
        assert not fits({"$partial": want}, {name: whole[name] for name in whole if not same_key(name, key)})


def compose(value: dict[str, JsonValue]) -> set[str]:
    return {unicodedata.normalize("NFC", key) for key in value}


def same_key(one: str, other: str) -> bool:
    return unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


@given(SCALARS, ANYTHING)
def test_a_schema_decides(constant: JsonValue, value: JsonValue) -> None:
    kinds = {
        "string": isinstance(value, str),
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "number": isinstance(value, (int, float)) and not isinstance(value, bool),
    }
    for kind, right in kinds.items():
        assert fits({"$schema": {"type": kind}}, value) == right
        assert fits({"$schema": {"not": {"type": kind}}}, value) != right
    assert fits({"$schema": {}}, value)
    assert fits({"$schema": {"enum": [constant]}}, constant)


# Values from earlier results

FOUND = "zq-17"


@given(ANYTHING, st.lists(st.sampled_from(["list", "object", "sentence"]), max_size=4))
def test_a_value_is_found_however_deep_it_stands_in_a_result(other: JsonValue, wrapping: list[str]) -> None:
    result: JsonValue = f"({FOUND.upper()})," if "sentence" in wrapping else FOUND
    for step in wrapping:
        result = [other, result] if step == "list" else {"other": other, "inner": result}
    found = Call("search", result=result)
    rule: JsonValue = {"$from": ["find", "search"]}
    assert fits(rule, FOUND, before=[Call("find"), found, Call("open")])
    assert fits(rule, [FOUND, FOUND], before=[found])
    assert not fits(rule, FOUND + "0", before=[found])
    assert not fits(rule, FOUND, before=[Call("other", result=result)])
    assert not fits(rule, FOUND, before=[Call("search", result=result, error="boom")])
    assert not compile_rule(rule).fits(FOUND, NOTHING_BEFORE)


@given(ANYTHING)
def test_a_whole_result_came_from_itself(value: JsonValue) -> None:
    assume("[]" not in repr(value) and "None" not in repr(value))
    assert fits({"$from": "t"}, value, before=[Call("t", result=value)])
    assert fits({"$from": "t"}, value, before=[Call("t", result=[0, {"k": value}])])


@pytest.mark.parametrize(
    ("value", "result", "found"),
    [
        ("17", "A-17", True),
        ("17", "A-170", False),
        ("7", "17", False),
        (17, "costs 17 dong", True),
        (17, "costs 170 dong", False),
        ("Huế", "o\u031b\u0309 HUE\u0302\u0301.", True),
        ("", "anything", False),
        (" ", "any thing", False),
        (True, "true", False),
        ([], [], False),
        (["a", "b"], {"x": "a", "y": ["b"]}, True),
        (["a", "c"], {"x": "a", "y": ["b"]}, False),
        ({"id": 1}, [{"id": 1.0}], True),
        ("key", {"key": 1}, False),
    ],
)
def test_a_value_is_found_as_a_whole_word_or_value(value: JsonValue, result: JsonValue, found: bool) -> None:
    assert fits({"$from": "t"}, value, before=[Call("t", result=result)]) is found


# Callables


def test_a_callable_is_asked_and_one_that_breaks_is_a_fault_of_the_suite() -> None:
    rule = compile_rule(lambda value: value > 3)  # type: ignore[operator]  # breaks on texts, which is the point
    assert rule.fits(4, NOTHING_BEFORE)
    assert not rule.fits(3, NOTHING_BEFORE)
    with pytest.raises(SuiteFault, match="TypeError"):
        rule.fits("4", NOTHING_BEFORE)
