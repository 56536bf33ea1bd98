"""Metrics: one table of what is measured, and one accumulator of what it is computed from."""

from __future__ import annotations

from .accumulate import CaseColumns, CaseSums, by_agent, in_batches, sum_by_agent
from .contributions import PARTS, Part, contributions
from .leaderboard import LEADERBOARD_AVERAGES, Average, Standing, official_standings
from .repetition import PassAtK, read_pass_at_k, repeated
from .scorers import check_scorer_names, metrics_with
from .summary import Tally, chosen_agents, chosen_label, default_label, estimate, summarise
from .table import METRICS, SECTIONS, Metric, Section, Shown, compared_metrics, find_metric, needed_sums, parts_of
from .totals import PartialTotals

__all__ = [
    "LEADERBOARD_AVERAGES",
    "METRICS",
    "PARTS",
    "SECTIONS",
    "Average",
    "CaseColumns",
    "CaseSums",
    "Metric",
    "Part",
    "PartialTotals",
    "PassAtK",
    "Section",
    "Shown",
    "Standing",
    "Tally",
    "by_agent",
    "check_scorer_names",
    "chosen_agents",
    "chosen_label",
    "compared_metrics",
    "contributions",
    "default_label",
    "estimate",
    "find_metric",
    "in_batches",
    "metrics_with",
    "needed_sums",
    "official_standings",
    "parts_of",
    "read_pass_at_k",
    "repeated",
    "sum_by_agent",
    "summarise",
]
