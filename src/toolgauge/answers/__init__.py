"""Typed answers: the value is found in what the agent said, and compared by the rules of its type."""

from .answer_type import AnswerType
from .table import ANSWER_KEYS, ANSWER_TYPES, COMMON_KEYS, check_spec, likely_types, prepare
from .written import read_day

__all__ = [
    "ANSWER_KEYS",
    "ANSWER_TYPES",
    "COMMON_KEYS",
    "AnswerType",
    "check_spec",
    "likely_types",
    "prepare",
    "read_day",
]
