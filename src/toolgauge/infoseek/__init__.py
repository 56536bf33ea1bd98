"""Scoring answers as the published InfoSeek evaluator does, from files or from Python.

Names and results are those of the published evaluator. Where that one would crash on an item, the item is named and
counted as wrong. For answers that people write in sentences, cases have answer types of their own (`expect.answer`).
"""

from .evaluation import (
    evaluate_entity,
    evaluate_infoseek,
    evaluate_infoseek_full,
    evaluate_quantity,
    evaluate_time,
    evaluation,
    get_results,
    harmonic_mean,
)
from .kinds import ItemFault, QuestionType, Unscorable
from .numbers import (
    clean_str_range,
    find_all,
    find_numbers,
    fix_space,
    in_range,
    metric_numerical_range,
    process_numerical_answer,
    range_intersection_over_union,
    safe_division,
)
from .references import load_jsonl, prepare_qid2example
from .rendering import FORMATS, Format, notes, render
from .scoring import Result, SplitResult, compare, evaluate, score
from .text import exact_match_score, metric_max_over_ground_truths
from .uncertainty import FinalDifference, PairedCounts, PairedScores

__all__ = [
    "FORMATS",
    "FinalDifference",
    "Format",
    "ItemFault",
    "PairedCounts",
    "PairedScores",
    "QuestionType",
    "Result",
    "SplitResult",
    "Unscorable",
    "clean_str_range",
    "compare",
    "evaluate",
    "evaluate_entity",
    "evaluate_infoseek",
    "evaluate_infoseek_full",
    "evaluate_quantity",
    "evaluate_time",
    "evaluation",
    "exact_match_score",
    "find_all",
    "find_numbers",
    "fix_space",
    "get_results",
    "harmonic_mean",
    "in_range",
    "load_jsonl",
    "metric_max_over_ground_truths",
    "metric_numerical_range",
    "notes",
    "prepare_qid2example",
    "process_numerical_answer",
    "range_intersection_over_union",
    "render",
    "safe_division",
    "score",
]
