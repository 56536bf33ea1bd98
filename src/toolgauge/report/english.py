"""The words of reports in English. `vietnamese.py` has the same keys and places.

Titles of columns may be broken between words; where they may not, the space is a fixed one.
"""

from __future__ import annotations

__all__ = ["CATALOGUE"]

CATALOGUE: dict[str, str] = {
    # The opening
    "title": "{suite}: {cases}, {agents}",
    "cases.one": "{number} case",
    "cases.many": "{number} cases",
    "agents.one": "{number} agent",
    "agents.many": "{number} agents",
    "counts": "{planned} planned = {parts}",
    "state.passed": "passed",
    "state.failed": "failed",
    "state.completed": "completed",
    "state.error": "error",
    "state.timeout": "timeout",
    "state.limit": "limit",
    "state.cancelled": "cancelled",
    "state.not_run": "not run",
    "none": "n/a",
    "all": "all",
    "unlabelled": "(none)",
    "label.difficulty": "difficulty",
    "more": "and {number} more",
    # Sections
    "section.choice": "Choice of tools",
    "section.verdicts": "Passed cases",
    "section.parts": "Score and its parts",
    "section.faults": "Failing and wasted calls",
    "section.amounts": "Time and cost",
    "section.tools": "Tool by tool",
    "section.confusion": "Tools called in place of others",
    "section.facts": "Ground truth",
    "section.method": "How the figures are computed",
    "section.notes": "Notes",
    "section.cases": "Cases",
    "section.failures": "Cases that did not pass",
    # Columns
    "column.agent": "Agent",
    "column.n": "n",
    "column.accuracy": "Accuracy",
    "column.interval": "95%\u00a0CI",
    "column.precision": "Precision",
    "column.recall": "Recall",
    "column.f1": "F1",
    "column.pass_rate": "Pass\u00a0rate, of\u00a0planned",
    "column.pass_rate_scored": "Of\u00a0completed",
    "column.score": "Score",
    "column.call_precision": "Call precision",
    "column.call_recall": "Call recall",
    "column.param_accuracy": "Parameter accuracy",
    "column.content": "Content",
    "column.answer": "Answer",
    "column.ambiguous_rate": "Ambiguous answers",
    "column.judge": "Judge (opinion)",
    "column.tool_fail_rate": "Tool fail rate",
    "column.tool_fail_rate_published": "As published",
    "column.redundant_rate": "Repeated calls",
    "column.unknown_tool_rate": "Unknown tools",
    "column.schema_error_rate": "Schema errors",
    "column.ungrounded_rate": "Ungrounded",
    "column.quantity": "Quantity",
    "column.mean": "mean",
    "column.p50": "p50",
    "column.p95": "p95",
    "column.tool": "Tool",
    "column.expected": "Expected",
    "column.called": "Called",
    "column.right": "Right",
    "column.missed": "Missed",
    "column.superfluous": "Superfluous",
    "column.failed": "Failed",
    "column.expected_tool": "Expected tool",
    "column.called_tool": "Called tool",
    "column.count": "Times",
    "column.questions": "Questions",
    "column.case": "Case",
    "column.result": "Result",
    "column.issues": "Issues",
    "column.actual": "Actual",
    "column.mark": "Mark",
    "quantity.latency": "Latency, ms",
    "quantity.calls": "Calls",
    "quantity.planned_calls": "Calls planned ahead",
    "quantity.rounds": "Rounds",
    "quantity.handoffs": "Hand-offs",
    "quantity.requests": "Requests to the model",
    "quantity.tokens": "Tokens",
    "quantity.cost": "Cost, USD",
    "missing": "n/a: {reasons}",
    "reason: no case says anything about tools": "no case says anything about tools",
    "reason: no calls were made": "no calls were made",
    "reason: nothing was measured": "nothing was measured",
    "reason: no tool was called with success": "no tool was called with success",
    "reason: no tool was expected": "no tool was expected",
    "reason: no call was successful": "no call was successful",
    "reason: nothing was planned": "nothing was planned",
    "reason: nothing completed": "nothing completed",
    "reason: no typed answer was scored": "no typed answer was scored",
    "reason: no typed answer was read": "no typed answer was read",
    "reason: the suite defines no tools, or no calls were made": "the suite defines no tools, or no calls were made",
    "reason: the suite defines no tools": "the suite defines no tools",
    "reason: not recorded": "not recorded",
    "reason: this version does not score typed answers": "this version does not score typed answers",
    "reason: not scored": "not scored",
    "reason: no judge was asked": "no judge was asked",
    "reason: nothing was planned ahead": "nothing was planned ahead",
    "reason: there were no rounds": "there were no rounds",
    "reason: nothing was handed over": "nothing was handed over",
    # Ground truth
    "facts.cases": "Questions: {number}",
    "facts.groups": "By {label}: {groups}",
    "facts.tools": "Tools that questions expect: {number}",
    "facts.no_tools": "No question expects a tool.",
    # Method
    "method.sets": (
        "Of each question, E is the set of expected tools and A the set of tools called with success. Summed over "
        "questions: TP = |E∩A|, FP = |A−E|, FN = |E−A|."
    ),
    "method.accuracy": "Accuracy: questions with A = E / questions that say anything about tools.",
    "method.f1": "Precision = TP / (TP + FP). Recall = TP / (TP + FN). F1 = 2TP / (2TP + FP + FN).",
    "method.tool_fail_rate": (
        "Tool fail rate: questions with a failed call / questions with any call. As published: questions with a "
        "failed and a successful call / questions with a successful call."
    ),
    "method.calls": (
        "Call precision: calls that answer an expectation / calls. Call recall: required expectations answered / "
        "required expectations. Parameter accuracy: how well the arguments of expected calls fit. All three are "
        "means over questions."
    ),
    "method.score": (
        "Score: {call_precision} × call precision + {call_recall} × call recall + {param_accuracy} × parameter "
        "accuracy + {content} × content (share of required texts found in the answer)."
    ),
    "method.passed": (
        "Passed: completed, score ≥ {threshold}, and no issue that fails the case. The pass rate divides by all "
        "planned cases."
    ),
    "method.intervals": (
        "Intervals are 95% confidence intervals: Wilson's for rates, the delta method for the others. n/a means "
        "that there is nothing to compute a figure from."
    ),
    # Notes
    "note.fail_rate_published": "The published formula leaves out questions in which every call failed: {parts}.",
    "note.fail_rate_published.part": (
        "{agent}[, {group}]: {failed} of {with_calls} here, {published_failed} of {published_with_calls} by the "
        "published formula"
    ),
    "note.not_run": "{agent}: cases not run: {count}[ ({names})].",
    "note.unmatched": "Recorded trajectories that belong to no case, left out: {count}[ ({names})].",
    "note.several_trials": "Up to {trials} trials of a case. Every trial counts; intervals are clustered by case.",
    "note.answers_not_scored": "Answers that can be read in two ways, and were not scored: {count}.",
    "note.judge": (
        "Judge: the mean of what a language model thinks of {count} answers by the rubrics of their cases. It is an "
        "opinion, and no part of score or verdict."
    ),
    # Single cases
    "case.title": "{case} · {agent}[ · trial {trial}]",
    "case.verdict": "{state}[, score {score}]",
    "case.measures": (
        "call precision {call_precision}, call recall {call_recall}, parameters {param_accuracy}, content {content}"
    ),
    "case.question": "Question: {text}",
    "case.labels": "Labels: {labels}",
    "case.required": "The answer must contain: {texts}",
    "case.output": "Final answer: {text}",
    "case.no_output": "No final answer.",
    "case.judge": "Opinion of {model}: {score}[, {reason}]",
    "case.no_judge": "No opinion of {model}: {reason}",
    "case.answer": "Typed answer: {verdict}[, found {found}][, expected {want}][ ({reason})]",
    "case.failing": "✗ {text}",
    "case.not_seen": "There is no trajectory for this case.",
    "case.none_failed": "Every case passed.",
    "case.legend": (
        "Marks: = fits, ~ some arguments do not fit, - not called, + not asked for, ! the call failed, · costs "
        "nothing (optional or neutral); ✗ an issue that fails the case."
    ),
    "answer.right": "right",
    "answer.wrong": "wrong",
    "answer.ambiguous": "ambiguous",
    "answer.unscored": "not scored",
    "side.unsaid": "(nothing said about tools)",
    "side.no_tool": "(no tool may be called)",
    "side.no_calls": "(no calls)",
    "side.unknown_arguments": "arguments not recorded",
    "side.without": "without {names}",
    "side.optional": "optional",
    "side.times": "{tool} ×{number}",
    # Values that are not literal
    "value.any": "any value",
    "value.some": "some value",
    "value.one_of": "one of {options}",
    "value.default": "{value}, or left out",
    "value.contains": "something that contains {value}",
    "value.range": "a value from {low} to {high}",
    "value.at_least": "a value from {low} on",
    "value.at_most": "a value up to {high}",
    "value.date": "the date {value}",
    "value.set": "{value} in any order",
    "value.items": "a list of which every item is {value}",
    "value.partial": "an object with at least {value}",
    "value.schema": "a value that fits the schema {value}",
    "precision.year": "only the year counts",
    "precision.month": "only year and month count",
    "precision.day": "to the day",
    "value.regex": "a text that matches {value}",
    "value.approx": "about {value}",
    "value.not": "not {value}",
    "value.absent": "no such argument",
    "value.from": "a value from an earlier result of {value}",
    "value.bfcl": "a value that BFCL accepts for {value}",
    # Issues
    "issue.missing_call": "{tool}[({want})] was expected but not called",
    "issue.unexpected_call": "[#{call} ]{tool} was not asked for",
    "issue.duplicate_call": "[#{call} ]{tool} repeats an identical call[, #{got}]",
    "issue.forbidden_tool": "[#{call} ]{tool} must not be called",
    "issue.unknown_tool": "[#{call} ]{tool} is not a defined tool",
    "issue.wrong_order": "[#{call} ]{tool} was called too early[: {want} has to come first]",
    "issue.missing_arg": "{tool}: argument {argument} is missing[, expected {want}]",
    "issue.wrong_arg": "{tool}: argument {argument} is {got}, expected {want}",
    "issue.forbidden_arg": "{tool}: argument {argument} must not be given[, but is {got}]",
    "issue.invalid_arg": "{tool}: argument {argument} is {got}[, allowed is {want}]",
    "issue.schema_error": "[#{call} ]{tool}: [argument {argument} ]breaks the schema[: {want}]",
    "issue.ungrounded_arg": "{tool}: argument {argument}[ is {got}, which] came from nowhere",
    "issue.tool_error": "[#{call} ]{tool} failed[: {got}]",
    "issue.unrecovered_error": "[#{call} ]{tool} failed and was not called again with success[: {got}]",
    "issue.too_many_calls": "{got} calls were made[, the budget is {want}]",
    "issue.over_latency": "It took {got} ms[, the budget is {want} ms]",
    "issue.missing_content": "The answer does not contain {want}",
    "issue.wrong_answer": "The answer is wrong[: found {got}][, expected {want}]",
    "issue.agent_error": "The agent did not finish[ ({want})][: {got}]",
}
