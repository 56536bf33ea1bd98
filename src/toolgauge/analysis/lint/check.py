"""Looking a suite over for faults."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolgauge.core import SEVERITIES, Finding, Run, Suite

from .contradictions import contradictions
from .plans import alternatives
from .rules import ambiguous_dates, repeated_options, sources_too_late
from .runs import reviewed_gold, suspected_gold
from .tools import case_tools, invalid_schemas, schemas_of, unused_tools
from .whole_suite import duplicate_inputs, few_cases, look_alike_ids, missing_labels, unreviewed

__all__ = ["lint"]


def lint(suite: Suite, runs: Sequence[Run] = ()) -> tuple[Finding, ...]:
    """Find mistakes in a suite, before an agent is blamed for them.

    Args:
        suite: The suite.
        runs: Runs of agents on it, to find expectations that all strong agents contradict in the same way.

    Returns:
        What was found: errors, then warnings, then hints, each in the order of the suite.
    """
    return tuple(sorted(_findings(suite, runs), key=lambda finding: SEVERITIES.index(finding.severity)))


def _findings(suite: Suite, runs: Sequence[Run]) -> Iterator[Finding]:
    schemas = schemas_of(suite)
    yield from invalid_schemas(suite, schemas)
    for case in suite.cases:
        yield from case_tools(case, schemas)
        yield from contradictions(case)
        yield from sources_too_late(case)
        yield from alternatives(case)
        yield from repeated_options(case)
        yield from ambiguous_dates(case)
    yield from look_alike_ids(suite)
    yield from duplicate_inputs(suite)
    yield from unused_tools(suite)
    yield from few_cases(suite)
    yield from missing_labels(suite)
    yield from unreviewed(suite)
    yield from suspected_gold(suite, runs)
    yield from reviewed_gold(suite, runs)
