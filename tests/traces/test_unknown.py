"""What is said of a file that no reader knows: what was seen, which format is nearest, what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolgauge.errors import InputError
from toolgauge.traces import read_traces


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"mesages": [], "x": 1}', ["the keys 'mesages', 'x'", "did you mean 'messages'?"]),
        ('{"messages": [{"role": "narrator"}]}', ["nearest to openai-chat, but the role 'narrator' is not known"]),
        ('{"messages": [{"text": "x"}]}', ["nearest to openai-chat, but a message has no 'role'"]),
        ('{"messages": []}', ["nearest to openai-chat, but 'messages' is empty"]),
        ('{"messages": 3}', ["nearest to openai-chat, but 'messages' is not a list"]),
        ('{"messages": ["x"]}', ["but a message is 'x', not an object"]),
        ('{"query": "x", "answers": []}', ["nearest to xlam, which also has 'tools'"]),
        ('{"traceId": "x", "name": "y"}', ["nearest to otel, which also has 'spanId', 'attributes'"]),
        ('{"a": 1}\n{"b": 2}', ["the key 'a'", "the first line is '{\"a\": 1}'", ":1: "]),
        ('[{"a": 1}]', ["the key 'a'", "the first line is '[{\"a\": 1}]'"]),
        ('{"a": "' + "x" * 200 + '"}', ["xxx...'"]),
        ('{"a\\u001b[31m": 1}\n{}', ["'a\\x1b[31m'"]),
        ('{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1}', ["'8', ..."]),
        ("{}\n{}", ["the first one is empty"]),
    ],
)
def test_it_says_what_was_seen(written: str, said: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(written, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        list(read_traces(tmp_path / "a.jsonl"))
    words = str(caught.value)
    assert "no record of this file is of a known format: the first one " in words
    assert words.endswith("--input-format NAME says which one it is; docs/connect.md lists those that are read")
    assert [part for part in said if part not in words] == []
    assert len(words.splitlines()) == 1
