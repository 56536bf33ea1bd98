"""What toolgauge should compute for one trajectory, by brute force and straight from the definitions.

Nothing here is shared with the code under test but the values of `toolgauge.core` and what it means for two of them
to be the same; `oracle_matchers.py` says what matchers mean. Sums are fractions, so that ties are ties and no rounding
hides or makes a difference.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from toolgauge.core import Call, Case, ExpectedCall, Settings, Times, ToolDefinition, Trajectory, same

from .oracle_matchers import matches, may_be_absent

ONE, ZERO, HALF = Fraction(1), Fraction(0), Fraction(1, 2)

Pairs: TypeAlias = tuple[tuple[int, int], ...]
"""Which expectation (its index in the plan) is answered by which call, by call."""

Objective: TypeAlias = tuple[int, Fraction, int, int, int]
"""What an alignment is judged by, the greater the better: pairs, argument scores, required slots, calls that worked,
and inversions counted downwards."""

IssueKey: TypeAlias = tuple[str, str | None, str | None, int | None]
"""What an issue is known by: kind, tool, argument, call."""

ALWAYS_FAILING = {"missing_call", "forbidden_tool", "wrong_order", "wrong_answer", "agent_error"}
STRICTLY_FAILING = {"missing_arg", "wrong_arg", "forbidden_arg", "invalid_arg", "missing_content"}


@dataclass(frozen=True)
class Slot:
    """One call that an expectation has room for."""

    expectation: int
    wanted: ExpectedCall
    required: bool


@dataclass(frozen=True)
class Steps:
    """A plan: the calls it wants, and whether in the order in which it lists them."""

    wanted: tuple[ExpectedCall, ...]
    strict: bool


@dataclass(frozen=True)
class Judgement:
    """The verdict on one trajectory."""

    passed: bool
    says_tools: bool
    score: Fraction
    call_precision: Fraction
    call_recall: Fraction
    param_accuracy: Fraction
    content: Fraction
    tools_expected: frozenset[str]
    tools_called: frozenset[str]
    redundant_calls: int
    unknown_tools: int | None
    issues: Counter[IssueKey]
    failing: frozenset[IssueKey]
    """The issues that fail this case."""


# Matching arguments


def faults(wanted: ExpectedCall, call: Call, before: Sequence[Call] = ()) -> list[tuple[str, str, Fraction]]:
    """Every check of a pair that is not met: the kind of issue, the argument, and what the check is still worth."""
    given = call.args or {}
    found = []
    for name, rule in wanted.args.items():
        if name not in given:
            if not may_be_absent(rule):
                found.append(("missing_arg", name, ZERO))
        elif not matches(rule, given[name], before):
            found.append(("wrong_arg", name, HALF))
    for name, rule in wanted.check.items():
        if name in given and not matches(rule, given[name], before):
            found.append(("invalid_arg", name, ZERO))
    named = wanted.args.keys() | wanted.check.keys()
    for name in given:
        if name in wanted.forbid_args or ("*" in wanted.forbid_args and name not in named):
            found.append(("forbidden_arg", name, ZERO))
    return found


def argument_score(wanted: ExpectedCall, call: Call, before: Sequence[Call] = ()) -> Fraction:
    """Mean of the checks of a pair; passing rules of `check` and absent forbidden arguments are no checks."""
    unmet = faults(wanted, call, before)
    met = len(wanted.args) - sum(kind in {"missing_arg", "wrong_arg"} for kind, _, _ in unmet)
    checks = [ONE] * met + [worth for _, _, worth in unmet]
    return sum(checks, ZERO) / len(checks) if checks else ONE


# Aligning calls


def slots_of(wanted: Sequence[ExpectedCall], made: Sequence[Call]) -> list[Slot]:
    """Every expectation as often as it may be answered, required slots first."""
    slots = []
    for index, each in enumerate(wanted):
        least, most = 1, 1
        if isinstance(each.times, int):
            least = most = each.times
        elif isinstance(each.times, Times):
            least = each.times.min
            calls_of_tool = sum(call.tool == each.tool for call in made)
            most = least + calls_of_tool if each.times.max is None else each.times.max
        required = 0 if each.optional else least
        slots += [Slot(index, each, place < required) for place in range(most)]
    return slots


def fill(slots: Sequence[Slot], pairs: Pairs) -> dict[int, int]:
    """Slots with their calls: the calls of one expectation fill its slots in order.

    The slots of one expectation differ only in being required or not and in their place, so no other way of
    filling them is better; `test_oracle_itself.py` tries them all.
    """
    answers: dict[int, int] = {}
    for expectation in {slot.expectation for slot in slots}:
        places = [place for place, slot in enumerate(slots) if slot.expectation == expectation]
        calls = sorted(call for index, call in pairs if index == expectation)
        answers.update(zip(places, calls, strict=False))
    return dict(sorted(answers.items()))


def objective(
    slots: Sequence[Slot],
    answers: Mapping[int, int],
    made: Sequence[Call],
    known: dict[tuple[int, int], Fraction] | None = None,
) -> Objective:
    """How good an alignment is. Argument scores that are known already need not be computed again."""
    known = {} if known is None else known
    for place, call in answers.items():
        if (slots[place].expectation, call) not in known:
            worth = argument_score(slots[place].wanted, made[call], made[:call])
            known[slots[place].expectation, call] = worth
    inversions = sum(answers[i] > answers[j] for i in answers for j in answers if i < j)
    return (
        len(answers),
        sum((known[slots[place].expectation, call] for place, call in answers.items()), ZERO),
        sum(slots[place].required for place in answers),
        sum(made[call].error is None for call in answers.values()),
        -inversions,
    )


def every_alignment(slots: Sequence[Slot], made: Sequence[Call]) -> Iterator[Pairs]:
    """Every way of letting each call answer one expectation of its tool with room for it, or none."""
    room = Counter(slot.expectation for slot in slots)
    tool = {slot.expectation: slot.wanted.tool for slot in slots}

    def extend(call: int, chosen: Pairs) -> Iterator[Pairs]:
        if call == len(made):
            yield chosen
            return
        yield from extend(call + 1, chosen)
        for expectation in room:
            if tool[expectation] == made[call].tool and room[expectation]:
                room[expectation] -= 1
                yield from extend(call + 1, (*chosen, (expectation, call)))
                room[expectation] += 1

    yield from extend(0, ())


def best_alignments(wanted: Sequence[ExpectedCall], made: Sequence[Call]) -> tuple[Objective, list[Pairs]]:
    """The greatest objective, and all the alignments that reach it."""
    slots = slots_of(wanted, made)
    candidates = list(every_alignment(slots, made))
    most = max(map(len, candidates))
    known: dict[tuple[int, int], Fraction] = {}
    rated = [(objective(slots, fill(slots, pairs), made, known), pairs) for pairs in candidates if len(pairs) == most]
    best = max(rating for rating, _ in rated)
    return best, [pairs for rating, pairs in rated if rating == best]


# Judging a trajectory


def plans_of(case: Case) -> list[Steps]:
    """The plans of a case; none where it says nothing about tools."""
    expect = case.expect
    if expect.any_of:
        return [Steps(plan.calls, (plan.order or expect.order) == "strict") for plan in expect.any_of]
    if expect.calls is None:
        return []
    return [Steps(expect.calls, expect.order == "strict")]


def judge(
    case: Case,
    trajectory: Trajectory,
    plan: Steps | None,
    pairs: Pairs,
    *,
    settings: Settings | None = None,
    tools: Sequence[ToolDefinition] = (),
) -> Judgement:
    """The verdict under a plan and an alignment with it."""
    settings = settings or Settings()
    own = case.settings
    made = trajectory.calls
    slots = slots_of(plan.wanted, made) if plan else []
    answers = fill(slots, pairs)
    ignores_failures = (case.expect.failed or settings.failed) == "ignore"
    counted = [
        index
        for index, call in enumerate(made)
        if index not in answers.values()
        and not neutral(case, call)
        and not (ignores_failures and call.error is not None)
    ]
    intruders = counted if plan and not plan.wanted else []
    required = [place for place, slot in enumerate(slots) if slot.required]

    issues = general_issues(case, trajectory, tools)
    unmet = never_worked(slots, answers, made)
    for tool in {call.tool for call in made if call.error is not None}:
        issues["unrecovered_error", tool, None, None] += unmet[tool] or ends_in_failure(made, tool)
    issues = +issues
    if plan:
        issues += alignment_issues(plan, slots, answers, made)
        for index in counted:
            repeated = not intruders and repeats(made, index)
            issues["duplicate_call" if repeated else "unexpected_call", made[index].tool, None, index] += 1
    failing = {key for key in issues if fails(key, case, settings, tools, unmet)}
    failing |= {key for key in issues if intruders and key[0] == "unexpected_call"}

    precision = Fraction(len(answers), len(answers) + len(counted)) if plan and len(answers) + len(counted) else ONE
    recall = Fraction(sum(place in answers for place in required), len(required)) if required else ONE
    params = mean(
        [argument_score(slots[place].wanted, made[call], made[:call]) for place, call in answers.items()]
        + [ZERO for place in required if place not in answers]
    )
    content = keywords_found(case, trajectory)
    sound = trajectory.state == "completed" and not failing

    if intruders:
        precision = recall = params = score = ZERO
        passed = False
    elif plan is None or not plan.wanted:
        score = ONE if content == 1 else HALF
        passed = sound and content == 1
    else:
        weights = own.weights if own and own.weights else settings.weights
        threshold = own.threshold if own and own.threshold is not None else settings.threshold
        score = (
            Fraction(str(weights.call_precision)) * precision
            + Fraction(str(weights.call_recall)) * recall
            + Fraction(str(weights.param_accuracy)) * params
            + Fraction(str(weights.content)) * content
        )
        passed = sound and score >= Fraction(str(threshold)) - Fraction(1, 10**9)

    expected_tools = {slots[place].wanted.tool for place in required}
    return Judgement(
        passed=passed,
        says_tools=plan is not None,
        score=score,
        call_precision=precision,
        call_recall=recall,
        param_accuracy=params,
        content=content,
        tools_expected=frozenset(expected_tools),
        tools_called=frozenset(tools_that_count(case, made, expected_tools, {slots[at].wanted.tool for at in answers})),
        redundant_calls=sum(repeats(made, index) for index in range(len(made))),
        unknown_tools=sum(is_unknown(call, tools) for call in made) if tools else None,
        issues=issues,
        failing=frozenset(failing),
    )


def fails(
    key: IssueKey, case: Case, settings: Settings, tools: Sequence[ToolDefinition], unmet: Mapping[str, int]
) -> bool:
    """Whether an issue fails a case: what the case says of its kind, or else the suite, or else the rule."""
    kind, tool, _, _ = key
    for said in (case.settings, settings):
        if said is not None and kind in said.fail_on:
            return True
        if said is not None and kind in said.ignore and kind != "agent_error":
            return False
    if kind in ALWAYS_FAILING or (kind == "unexpected_call" and case.expect.extra == "forbid"):
        return True
    own = case.settings
    if ((own.passing if own else None) or settings.passing) == "score":
        return False
    if kind == "unrecovered_error":
        return tool is not None and unmet[tool] > 0
    if kind in {"unexpected_call", "duplicate_call"}:
        said_of_tool = [each.annotations for each in tools if each.name == tool and each.annotations]
        return any(each.read_only is False or each.destructive is True for each in said_of_tool)
    return kind in STRICTLY_FAILING


def never_worked(slots: Sequence[Slot], answers: Mapping[int, int], made: Sequence[Call]) -> Counter[str]:
    """By tool how many required calls were made and did not work: failures where successes were still needed.

    Successes may change places where they fit as well as what stands there; the most that can be filled count.
    """
    found: Counter[str] = Counter()
    for tool in {slot.wanted.tool for slot in slots}:
        places: list[tuple[ExpectedCall, Fraction]] = []
        for expectation in sorted({slot.expectation for slot in slots if slot.wanted.tool == tool}):
            own = [place for place, slot in enumerate(slots) if slot.expectation == expectation]
            needed = sum(slots[place].required for place in own)
            calls = sorted(
                (answers[place] for place in own if place in answers), key=lambda c: made[c].error is not None
            )
            wanted = slots[own[0]].wanted
            places += [(wanted, argument_score(wanted, made[call], made[:call])) for call in calls[:needed]]
        pool = [
            call for place, call in answers.items() if made[call].error is None and slots[place].wanted.tool == tool
        ]
        found[tool] = len(places) - most_filled(places, pool, made)
    return +found


def most_filled(places: Sequence[tuple[ExpectedCall, Fraction]], pool: Sequence[int], made: Sequence[Call]) -> int:
    """How many of the places can have a call of the pool that is worth as much there, trying every way."""
    if not places:
        return 0
    (wanted, worth), rest = places[0], places[1:]
    best = most_filled(rest, pool, made)
    for call in pool:
        if argument_score(wanted, made[call], made[:call]) >= worth:
            best = max(best, 1 + most_filled(rest, [other for other in pool if other != call], made))
    return best


def ends_in_failure(made: Sequence[Call], tool: str) -> bool:
    """Whether a tool failed and did not work again after that."""
    return [call.error is None for call in made if call.tool == tool][-1] is False


def tools_that_count(case: Case, made: Sequence[Call], expected: set[str], answering: set[str]) -> set[str]:
    """Tools that worked, without those that are neither expected nor to be counted against the agent."""
    worked = {call.tool for call in made if call.error is None}
    beyond = worked - expected - set(case.expect.neutral) - answering
    return (worked & expected) | (set() if case.expect.extra == "allow" else beyond)


def neutral(case: Case, call: Call) -> bool:
    """Whether a call that answers nothing costs nothing."""
    return case.expect.extra == "allow" or call.tool in case.expect.neutral


def repeats(made: Sequence[Call], index: int) -> bool:
    """Whether a call is the same as an earlier one that worked."""
    call = made[index]
    return any(
        earlier.tool == call.tool
        and earlier.error is None
        and earlier.args is not None
        and call.args is not None
        and same(earlier.args, call.args)
        for earlier in made[:index]
    )


def is_unknown(call: Call, tools: Sequence[ToolDefinition]) -> bool:
    """Whether a call names no defined tool."""
    return call.tool not in {tool.name for tool in tools}


def keyword_found(keyword: str, output: str | None) -> bool:
    """Whether the final answer holds a keyword, whatever its case and its way of writing accents."""

    def plain(text: str) -> str:
        return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())

    return output is not None and plain(keyword) in plain(output)


def keywords_found(case: Case, trajectory: Trajectory) -> Fraction:
    """Share of the keywords that are in the final answer."""
    return mean([Fraction(keyword_found(keyword, trajectory.output)) for keyword in case.expect.contains])


def mean(values: Sequence[Fraction]) -> Fraction:
    """The mean, or 1 where there is nothing to find fault with."""
    return sum(values, ZERO) / len(values) if values else ONE


def general_issues(case: Case, trajectory: Trajectory, tools: Sequence[ToolDefinition]) -> Counter[IssueKey]:
    """Issues that have nothing to do with a plan."""
    issues: Counter[IssueKey] = Counter()
    made, budget = trajectory.calls, case.budget
    for index, call in enumerate(made):
        if call.tool in case.expect.forbid:
            issues["forbidden_tool", call.tool, None, index] += 1
        if tools and is_unknown(call, tools):
            issues["unknown_tool", call.tool, None, index] += 1
        if call.error is not None:
            issues["tool_error", call.tool, None, index] += 1
    if budget and budget.calls is not None and len(made) > budget.calls:
        issues["too_many_calls", None, None, None] += 1
    if budget and budget.latency_ms is not None and (trajectory.latency_ms or 0) > budget.latency_ms:
        issues["over_latency", None, None, None] += 1
    missing = sum(not keyword_found(keyword, trajectory.output) for keyword in case.expect.contains)
    if missing:
        issues["missing_content", None, None, None] += missing
    if trajectory.state != "completed":
        issues["agent_error", None, None, None] += 1
    return issues


def alignment_issues(
    plan: Steps, slots: Sequence[Slot], answers: Mapping[int, int], made: Sequence[Call]
) -> Counter[IssueKey]:
    """Issues of required calls that are missing, of arguments, and of order."""
    issues: Counter[IssueKey] = Counter()
    before = -1
    for place, slot in enumerate(slots):
        wanted = slot.wanted
        if place not in answers:
            if slot.required:
                issues["missing_call", wanted.tool, None, None] += 1
            continue
        call = answers[place]
        for kind, argument, _ in faults(wanted, made[call], made[:call]):
            issues[kind, wanted.tool, argument, call] += 1
        too_early = False
        for name in wanted.after:
            led_by = [answers[at] for at in answers if slots[at].wanted.id == name]
            enough = max([slots[at].wanted.min_calls for at in answers if slots[at].wanted.id == name] + [1])
            too_early = too_early or sum(other < call for other in led_by) < min(enough, len(led_by))
        if (plan.strict and call < before) or too_early:
            issues["wrong_order", wanted.tool, None, call] += 1
        before = call
    return issues
