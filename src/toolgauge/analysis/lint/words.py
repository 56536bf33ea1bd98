"""Findings in words, in English and Vietnamese."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, TypeAlias

from toolgauge.core import Finding, FindingKind, JsonValue

__all__ = ["CONTRADICTED", "ENGLISH", "NEAR", "VIETNAMESE", "Lang", "word_finding"]

Lang: TypeAlias = Literal["en", "vi"]

_MOST = 100
"""How many characters of a value are shown."""

ENGLISH: dict[FindingKind, str] = {
    "unknown_tool": "there is no tool {tool}",
    "similar_tool": "there is no tool {tool}",
    "unused_tool": "no case expects the tool {tool}",
    "invalid_schema": "the schema of the tool {tool} is not a JSON schema: {reason}",
    "unknown_arg": "the tool {tool} has no argument {argument}",
    "impossible_value": "{value} can never be a valid {argument} of {tool}, which allows {allowed}",
    "required_arg_forbidden": "{tool} cannot be called without {argument}, which must not be there",
    "arg_expected_and_forbidden": "the argument {argument} of {tool} is forbidden, and stands in '{key}' too",
    "check_on_fixed_arg": "the check of {argument} adds nothing: 'args' says already what it has to be",
    "check_contradicts_arg": "the check of {argument} refuses {value}, which 'args' asks for",
    "repeated_option": "the option {value} of {argument} is there already",
    "ambiguous_date": "{text} can be {meanings}, and the case has no locale",
    "expected_and_forbidden": "the tool {tool} is expected and forbidden",
    "expected_and_neutral": "the tool {tool} is expected and neutral: calls beyond the expected ones cost nothing",
    "neutral_and_forbidden": "the tool {tool} is neutral and forbidden: calling it fails the case",
    "extra_allows_all": "no call is expected, but 'extra: allow' accepts every call",
    "too_many_required": "{needed} calls are required, {allowed} are allowed",
    "order_contradiction": "{tool} comes after {id}, which the strict order puts behind it",
    "no_earlier_source": "{argument} of {tool} has to come from a result of {sources}, "
    "which no expected call gives before",
    "never_welcome": "{tool} is expected no time at all, which says nothing",
    "empty_text": "every answer holds an empty text",
    "repeated_text": "whatever holds {other} holds {text} too, which counts twice",
    "same_plan": "this plan is the same as any_of[{other}]",
    "unreachable_plan": "this plan never counts: any_of[{other}] always scores at least as well",
    "look_alike_ids": "the id {id} looks like {other}",
    "duplicate_input": "the case {other} asks the same question",
    "few_cases": "label {label}: fewer than {few} cases in {groups}; "
    "with n = {n}, a rate of 50 % could be anything from {low} to {high} %",
    "missing_label": "{count} without the label {label}, which the others have: {cases}",
    "unreviewed": "{count} of {total} cases proposed from traces and not yet reviewed: {cases}",
    "suspected_gold": "{agents}: all of these strong agents {contradiction}; perhaps the expectation is wrong",
}

VIETNAMESE: dict[FindingKind, str] = {
    "unknown_tool": "không có công cụ {tool}",
    "similar_tool": "không có công cụ {tool}",
    "unused_tool": "không câu hỏi nào kỳ vọng công cụ {tool}",
    "invalid_schema": "schema của công cụ {tool} không phải JSON schema: {reason}",
    "unknown_arg": "công cụ {tool} không có tham số {argument}",
    "impossible_value": "{value} không bao giờ hợp lệ cho {argument} của {tool}; schema chỉ cho phép {allowed}",
    "required_arg_forbidden": "không thể gọi {tool} nếu thiếu {argument}, nhưng tham số này lại bị cấm",
    "arg_expected_and_forbidden": "tham số {argument} của {tool} bị cấm nhưng cũng có trong '{key}'",
    "check_on_fixed_arg": "'check' của {argument} là thừa: 'args' đã quy định giá trị",
    "check_contradicts_arg": "'check' của {argument} không chấp nhận {value} mà 'args' yêu cầu",
    "repeated_option": "lựa chọn {value} của {argument} đã có rồi",
    "ambiguous_date": "{text} có thể là {meanings}, mà câu hỏi không có locale",
    "expected_and_forbidden": "công cụ {tool} vừa được kỳ vọng vừa bị cấm",
    "expected_and_neutral": "công cụ {tool} vừa được kỳ vọng vừa trung tính: gọi thêm không bị trừ điểm",
    "neutral_and_forbidden": "công cụ {tool} vừa trung tính vừa bị cấm: hễ gọi là không đạt",
    "extra_allows_all": "không kỳ vọng lời gọi nào, nhưng 'extra: allow' lại chấp nhận mọi lời gọi",
    "too_many_required": "cần {needed} lời gọi nhưng chỉ được phép {allowed}",
    "order_contradiction": "{tool} phải sau {id}, nhưng thứ tự strict lại xếp {id} sau nó",
    "no_earlier_source": "{argument} của {tool} phải lấy từ kết quả của {sources}, "
    "nhưng không lời gọi kỳ vọng nào trước đó cho kết quả ấy",
    "never_welcome": "{tool} được kỳ vọng không lần nào, nên không có tác dụng",
    "empty_text": "câu trả lời nào cũng chứa chuỗi rỗng",
    "repeated_text": "câu trả lời chứa {other} thì cũng chứa {text}, nên bị tính hai lần",
    "same_plan": "phương án này giống hệt any_of[{other}]",
    "unreachable_plan": "phương án này không bao giờ được tính: any_of[{other}] luôn đạt điểm ít nhất bằng nó",
    "look_alike_ids": "id {id} trông giống {other}",
    "duplicate_input": "câu {other} có cùng câu hỏi",
    "few_cases": "nhãn {label}: chưa đến {few} câu ở {groups}; "
    "với n = {n}, tỉ lệ 50 % có thể nằm ở bất cứ đâu từ {low} đến {high} %",
    "missing_label": "{count} câu không có nhãn {label} mà các câu khác có: {cases}",
    "unreviewed": "{count} trong {total} câu được đề xuất từ dữ liệu ghi lại và chưa có người xem lại: {cases}",
    "suspected_gold": "{agents}: tất cả các agent mạnh này đều {contradiction}; có thể đáp án kỳ vọng sai",
}

CONTRADICTED: dict[Lang, dict[str, str]] = {
    "en": {
        "missing_call": "leave out {tool}",
        "unexpected_call": "call {tool}, which is not expected",
        "forbidden_tool": "call {tool}, which is forbidden",
        "wrong_order": "call {tool} before {want}",
        "missing_arg": "call {tool} without {argument}",
        "wrong_arg": "call {tool} with {argument} = {got} instead of {want}",
        "forbidden_arg": "call {tool} with {argument} = {got}, which is forbidden",
        "invalid_arg": "call {tool} with {argument} = {got}, against the check {want}",
        "missing_content": "answer without {want}",
        "wrong_answer": "answer {got} instead of {want}",
    },
    "vi": {
        "missing_call": "không gọi {tool}",
        "unexpected_call": "gọi {tool} dù không được kỳ vọng",
        "forbidden_tool": "gọi {tool} dù bị cấm",
        "wrong_order": "gọi {tool} trước {want}",
        "missing_arg": "gọi {tool} mà thiếu {argument}",
        "wrong_arg": "gọi {tool} với {argument} = {got} thay vì {want}",
        "forbidden_arg": "gọi {tool} với {argument} = {got} dù bị cấm",
        "invalid_arg": "gọi {tool} với {argument} = {got}, trái với check {want}",
        "missing_content": "trả lời mà không có {want}",
        "wrong_answer": "trả lời {got} thay vì {want}",
    },
}
"""What strong agents did instead of what was expected, by the kind of the issue."""

NEAR: dict[Lang, str] = {"en": "; did you mean {near}?", "vi": "; có phải ý bạn là {near}?"}

_NAMES = ("reason", "key", "tool", "argument", "label", "text", "id", "other", "near")
"""Values that are names or messages, and shown without quotation marks where they are plain words."""


def word_finding(finding: Finding, lang: Lang) -> str:
    """A finding as one sentence without a final stop; it may hold control characters that the suite holds."""
    catalogue = VIETNAMESE if lang == "vi" else ENGLISH
    values = {name: _shown(name, value) for name, value in finding.values.items()}
    if finding.kind == "suspected_gold":
        template = CONTRADICTED[lang][str(finding.values["issue"])]
        values["contradiction"] = template.format_map(values)
    near = NEAR[lang].format_map(values) if finding.values.get("near") is not None else ""
    return catalogue[finding.kind].format_map(values) + near


def _shown(name: str, value: JsonValue) -> str:
    if isinstance(value, str) and name in _NAMES:
        return _cut(value if name in ("reason", "key") or _plain(value) else f"'{value}'")
    if name in ("low", "high") and isinstance(value, (int, float)):
        return f"{100 * value:.0f}"
    if name in ("agents", "cases", "meanings", "sources") and isinstance(value, list):
        return _cut(", ".join(map(str, value)), 3 * _MOST)
    if name == "groups" and isinstance(value, Mapping):
        return ", ".join(f"{group} ({count})" for group, count in value.items())
    return _cut(_json(value))


def _plain(word: str) -> bool:
    return word.replace("-", "_").replace(".", "_").replace("/", "_").replace("_", "a").isalnum()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=lambda part: getattr(part, "__name__", type(part).__name__))


def _cut(text: str, most: int = _MOST) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
