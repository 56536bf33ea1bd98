"""Which usage of a reply can be true, in the layout of any provider, and what is put in the place of another."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from toolgauge.models.prices import with_unknown_usage

CHAT: dict[str, Any] = {"id": "1", "choices": [{"message": {"content": "fine"}}]}
MESSAGES: dict[str, Any] = {"id": "1", "type": "message", "content": [{"type": "text", "text": "fine"}]}
RESPONSES: dict[str, Any] = {"id": "1", "object": "response", "output": [{"type": "message"}]}
BEDROCK: dict[str, Any] = {"output": {"message": {"content": [{"text": "fine"}]}}, "stopReason": "end_turn"}
GEMINI: dict[str, Any] = {"candidates": [{"content": {"parts": [{"text": "fine"}]}}]}

USABLE = [
    (CHAT, "usage", {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}),
    (CHAT, "usage", {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}),
    (
        CHAT,
        "usage",
        {
            "prompt_tokens": 3,
            "completion_tokens": 2,
            "total_tokens": 5,
            "prompt_tokens_details": None,
            "completion_tokens_details": {"reasoning_tokens": 1, "audio_tokens": None},
            "queue_time": 0.013,
            "cost": 0.5,
            "cost_details": {"upstream_inference_cost": 0.25},
            "tokens_per_second": 31.5,
        },
    ),
    (MESSAGES, "usage", {"input_tokens": 3, "output_tokens": 2}),
    (
        MESSAGES,
        "usage",
        {
            "input_tokens": 3,
            "output_tokens": 2,
            "cache_read_input_tokens": None,
            "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 4},
            "server_tool_use": {"web_search_requests": 1},
            "service_tier": "standard",
        },
    ),
    (RESPONSES, "usage", {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5, "input_tokens_details": {}}),
    (BEDROCK, "usage", {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5}),
    (GEMINI, "usageMetadata", {"promptTokenCount": 3, "totalTokenCount": 3}),
    (
        GEMINI,
        "usageMetadata",
        {
            "promptTokenCount": 3,
            "candidatesTokenCount": 2,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 3}],
            "trafficType": "ON_DEMAND",
        },
    ),
]

NO_COUNT: list[Any] = [3.5, 3.0, "3", "x", -1, 10**30, True, [], {}]


def unknown(body: object) -> Any:
    changed = with_unknown_usage(json.dumps(body).encode())
    assert changed is not None
    return json.loads(changed)


@pytest.mark.parametrize(("reply", "place", "usage"), USABLE)
def test_a_usage_that_can_be_true_is_left_alone(reply: dict[str, Any], place: str, usage: object) -> None:
    assert with_unknown_usage(json.dumps({**reply, place: usage}).encode()) is None


@pytest.mark.parametrize(("reply", "place", "usage"), USABLE)
@pytest.mark.parametrize("wrong", NO_COUNT)
def test_one_count_that_cannot_be_true_is_enough(
    reply: dict[str, Any], place: str, usage: dict[str, Any], wrong: object
) -> None:
    for name in (name for name, value in usage.items() if type(value) is int):
        changed = unknown({**reply, place: {**usage, name: wrong}})
        assert set(changed.pop(place).values()) == {0}
        assert changed == reply


@pytest.mark.parametrize(("reply", "place", "usage"), USABLE)
@pytest.mark.parametrize("wrong", [{}, None, [], "many", 7, 1.5, True])
def test_what_is_no_usage_is_replaced(reply: dict[str, Any], place: str, usage: object, wrong: object) -> None:
    changed = unknown({**reply, place: wrong})
    assert set(changed.pop(place).values()) == {0}
    assert changed == reply
    assert unknown(reply)[place] == unknown({**reply, place: wrong})[place]


@pytest.mark.parametrize(
    ("reply", "place", "usage", "inner"),
    [
        (CHAT, "usage", USABLE[0][2], {"prompt_tokens_details": []}),
        (CHAT, "usage", USABLE[0][2], {"prompt_tokens_details": {"cached_tokens": 1.5}}),
        (MESSAGES, "usage", USABLE[3][2], {"cache_creation": {}}),
        (MESSAGES, "usage", USABLE[3][2], {"server_tool_use": {"web_search_requests": -1}}),
        (MESSAGES, "usage", USABLE[3][2], {"iterations": [{"input_tokens": 1}]}),
        (MESSAGES, "usage", USABLE[3][2], {"iterations": 3}),
        (GEMINI, "usageMetadata", USABLE[7][2], {"promptTokensDetails": [{"tokenCount": 0.5}]}),
        (GEMINI, "usageMetadata", USABLE[7][2], {"promptTokensDetails": {}}),
    ],
)
def test_counts_inside_are_looked_at_too(
    reply: dict[str, Any], place: str, usage: dict[str, Any], inner: dict[str, Any]
) -> None:
    assert set(unknown({**reply, place: {**usage, **inner}})[place].values()) == {0}


def test_everything_else_stays_byte_for_byte() -> None:
    choices = b'[ {"message":{"content":"\\u00e0 \xc3\xa0"}, "n": 1.0e2, "big": 1' + b"0" * 40 + b"} ]"
    changed = with_unknown_usage(b'{ "choices" : ' + choices + b', "usage" : {"prompt_tokens": 1e400} }')
    assert changed is not None
    members = msgspec.json.decode(changed, type=dict[str, msgspec.Raw])
    assert bytes(members["choices"]) == choices


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"null",
        b"[1]",
        b"{}",
        b"<html>",
        b"\xff",
        b'{"error": {"message": "upstream"}}',
        b'{"choices": [{"mess',
        b'{"choices": [], "usage": {"prompt_tokens": NaN}}',
        b'{"choices": "none", "usage": {}}',
        b'{"a":' * 100_000,
        b'{"choices":' + b"[" * 100_000,
    ],
)
def test_what_is_no_reply_is_left_alone(body: bytes) -> None:
    assert with_unknown_usage(body) is None
