"""YAML: words stay words, what is dangerous is refused with its place."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from toolgauge.errors import InputError
from toolgauge.files import InputFile, LocatedDocument, read_yaml_document


class Thing(Struct):
    name: str = ""
    words: list[str] = []
    labels: dict[str, str] = {}
    free: Any = None
    count: int | None = None
    maybe: str | None = None


def read(path: Path, text: str) -> LocatedDocument:
    path.write_text(text, encoding="utf-8")
    with InputFile(path) as source:
        return read_yaml_document(source, Thing)


def refusal(path: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read(path, text)
    return [line.removeprefix(f"{path}:") for line in str(caught.value).splitlines()]


def test_f4_where_the_type_says_string_a_word_stays_as_written(tmp_path: Path) -> None:
    text = "name: 001\nwords: [75, 1e3, no, true, 2026-01-31]\nlabels: {level: 3, on: yes}\nmaybe: null\n"
    assert read(tmp_path / "a", text).value == {
        "name": "001",
        "words": ["75", "1e3", "no", "true", "2026-01-31"],
        "labels": {"level": "3", "on": "yes"},
        "maybe": None,
    }


def test_f4_elsewhere_only_json_literals_are_more_than_text(tmp_path: Path) -> None:
    text = "free: [1, -2, 1.5, 1e3, true, False, null, ~, no, on, 0912, 0x1f, 1_000, 12:30, 2026-01-31, '1', \"true\"]"
    numbers = [1, -2, 1.5, 1000.0, True, False, None, None]
    words = ["no", "on", "0912", "0x1f", "1_000", "12:30", "2026-01-31", "1", "true"]
    assert read(tmp_path / "a", text).value == {"free": [*numbers, *words]}


def test_f4_a_tab_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", "free:\n\t- b\n") == ["2:1: a tab where YAML needs spaces; indent with spaces"]


def test_f4_repeated_keys_tags_and_merge_keys_are_listed_together(tmp_path: Path) -> None:
    text = "name: a\nname: b\nfree: !!python/object/apply:os.system [x]\nlabels: {<<: {a: b}}\nmaybe: !secret x\n"
    assert refusal(tmp_path / "a", text) == [
        "2:1: duplicate key 'name'; the first is in line 1; keep one of them",
        "3:7: the tag '!!python/object/apply:os.system' is not allowed; leave it out",
        "4:10: merge keys are not allowed; write the keys out",
        "5:8: the tag '!secret' is not allowed; leave it out",
    ]


def test_aliases_work(tmp_path: Path) -> None:
    text = "words: &w [a, b]\nfree: [*w, *w]\n"
    assert read(tmp_path / "a", text).value == {"words": ["a", "b"], "free": [["a", "b"], ["a", "b"]]}


def test_alias_bombs_circles_and_unknown_anchors_are_refused(tmp_path: Path) -> None:
    rows = ["free:", " - &a0 [x, x, x, x, x, x, x, x, x]"]
    rows += [f" - &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert "aliases would add more than 200,000 values" in refusal(tmp_path / "a", "\n".join(rows))[0]
    assert refusal(tmp_path / "a", "free: &a [*a]") == ["1:11: the alias 'a' would contain itself"]
    assert refusal(tmp_path / "a", "free: *b") == ["1:7: there is no anchor called 'b' above"]


def test_deep_nesting_is_refused_and_never_crashes(tmp_path: Path) -> None:
    for text in ("[" * 50_000, "{a: " * 50_000, "- " * 50_000):
        assert refusal(tmp_path / "a", text)[0].endswith("nested more than 100 deep")


def test_syntax_errors_have_a_place_and_plain_words(tmp_path: Path) -> None:
    assert refusal(tmp_path / "a", "name: a: b\n")[0].startswith("1:8: a second ':' in one line")
    assert refusal(tmp_path / "a", "name: 'a\n\nfree: 1\n")[0].startswith("4:1: not valid YAML: ")
    assert refusal(tmp_path / "a", "name: ế\x07b\n") == ["1:8: the control character U+0007 is not allowed in YAML"]
    assert refusal(tmp_path / "a", "a\n---\nb\n") == ["2:1: a second document begins here; keep one document in a file"]
    assert refusal(tmp_path / "a", "free: 1e999\n") == ["1:7: the number '1e999' is too large"]
    assert refusal(tmp_path / "a", "? [a]\n: b\n") == ["1:3: a key has to be a word, not a list or an object"]


def test_a_path_leads_to_its_place(tmp_path: Path) -> None:
    document = read(tmp_path / "a", "name: x\nfree:\n  - {a: 1, b: [2, 3]}\n")
    assert document.locate(("free", 0, "b", 1), False) == (3, 19)
    assert document.locate(("free", 0, "b"), True) == (3, 12)
    assert document.locate(("free", 0, "missing"), False) == (3, 5)


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    assert read(tmp_path / "a", "# only a comment\n").value is None
