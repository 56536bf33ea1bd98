"""Whether two runs can be compared: one answer for compare, gate and resuming a run.

Cases, tools and settings are the same where they are written alike in a run file: the order of keys does not matter, a
rule that is Python code counts by its name, and `1` is neither `1.0` nor `true`. What a difference means is said here
for all three:

- scoring version, version of a scorer that both have, settings, tools (and their order, in which a model sees them),
  expectations or inputs of a case that both have: the figures are not about the same, and all three refuse.
- cases that only one run has: compare and resuming refuse; gate leaves them out, so that a suite may grow.
- the order of cases, the name of the suite: only a run that is resumed has to have the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from toolgauge.core import JsonValue, Mismatch, RunHeader, Suite, encode_sorted

__all__ = ["RunDifferences", "baseline_differences", "mismatches", "resume_differences", "run_differences", "said"]

MAX_NAMES = 3
"""How many cases or tools are named where runs cannot be compared."""

MAX_RESUME_NAMES = 5

MAX_SHOWN = 60
"""How many characters of a setting are shown where it differs."""


@dataclass(frozen=True, slots=True)
class RunDifferences:
    """In what two runs differ that decides what their figures mean."""

    scoring: tuple[int, int] | None = None
    """By which versions of the rules they were scored, where by different ones."""
    only_first: tuple[str, ...] = ()
    """Cases that the second does not have."""
    only_second: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Cases that both have, with another input, other expectations or limits."""
    disjoint: bool = False
    """Whether there is no case that both have."""
    tools: tuple[str, ...] = ()
    """Tools that only one has, that are defined in another way, or that stand in another place."""
    settings: bool = False
    """Whether weights, threshold or pass rule differ."""
    scorers: tuple[str, ...] = ()
    """Scorers of other packages that both were scored by, in different versions."""


def run_differences(first: RunHeader, second: RunHeader) -> RunDifferences:
    """In what two runs differ."""
    scoring = None if first.scoring == second.scoring else (first.scoring, second.scoring)
    scorers = _changed_scorers(first, second)
    if first.suite is second.suite:  # what a header says of the hash of its suite is not believed
        return RunDifferences(scoring, scorers=scorers)
    before, after = ({case.id: case for case in header.suite.cases} for header in (first, second))
    shared = [case for case in before if case in after]
    return RunDifferences(
        scoring,
        only_first=tuple(case for case in before if case not in after),
        only_second=tuple(case for case in after if case not in before),
        changed=tuple(case for case in shared if _differ(before[case], after[case])),
        disjoint=not shared,
        tools=_changed_tools(first.suite, second.suite),
        settings=_differ(first.suite.settings, second.suite.settings),
        scorers=scorers,
    )


def _changed_scorers(first: RunHeader, second: RunHeader) -> tuple[str, ...]:
    """What only one was scored by has no figures in the other, which shows."""
    before, after = first.scorers, second.scorers
    return tuple(name for name, version in before.items() if after.get(name, version) != version)


def _differ(one: object, other: object) -> bool:
    return one is not other and encode_sorted(one) != encode_sorted(other)


def _changed_tools(first: Suite, second: Suite) -> tuple[str, ...]:
    before, after = ({tool.name: encode_sorted(tool) for tool in suite.tools} for suite in (first, second))
    changed = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    if not changed:
        changed = {name for name, other in zip(before, after, strict=True) if name != other}
    return tuple(sorted(changed))


def mismatches(found: RunDifferences, first: str, second: str) -> list[Mismatch]:
    """What stands against pairing two runs of these names."""
    listed = []
    if found.scoring is not None:
        listed.append(Mismatch("scoring", first, second, {"first": found.scoring[0], "second": found.scoring[1]}))
    if found.only_first or found.only_second:
        cases: dict[str, JsonValue] = {"only_first": list(found.only_first), "only_second": list(found.only_second)}
        listed.append(Mismatch("cases", first, second, cases))
    if found.changed:
        listed.append(Mismatch("changed", first, second, {"cases": list(found.changed)}))
    if found.tools:
        listed.append(Mismatch("tools", first, second, {"tools": list(found.tools)}))
    if found.settings:
        listed.append(Mismatch("settings", first, second, {}))
    if found.scorers:
        listed.append(Mismatch("scorers", first, second, {"scorers": list(found.scorers)}))
    return listed


def said(mismatch: Mismatch) -> str:
    """What stands against pairing two runs, in words."""
    values = mismatch.values
    if mismatch.kind == "cases":
        sides = [(mismatch.first, values["only_first"]), (mismatch.second, values["only_second"])]
        return "; ".join(f"only in {name}: {_named_with_rest(cases)}" for name, cases in sides if cases)
    if mismatch.kind == "changed":
        return f"different expectations or inputs: {_named_with_rest(values['cases'])}"
    if mismatch.kind == "tools":
        return f"different tools: {_named_with_rest(values['tools'])}"
    if mismatch.kind == "settings":
        return "different weights, threshold or pass rule"
    if mismatch.kind == "scorers":
        return f"different versions of scorers: {_named_with_rest(values['scorers'])}"
    return f"scored by version {values['first']} and version {values['second']} of the rules"


def _named_with_rest(names: object) -> str:
    found = list(map(str, names)) if isinstance(names, list) else []
    more = f" and {len(found) - MAX_NAMES} more" if len(found) > MAX_NAMES else ""
    return ", ".join(found[:MAX_NAMES]) + more


def baseline_differences(header: RunHeader, baseline: RunHeader) -> list[str]:
    """What stands against holding a run against a baseline, in words; cases that only one of them has do not."""
    found = run_differences(header, baseline)
    listed = []
    if found.scoring is not None:
        ours, theirs = found.scoring
        listed.append(f"the baseline was scored by version {theirs} of the rules, the run by {ours}")
    if found.settings:
        listed.append("the weights, the threshold or the pass rule of the suite changed")
    if found.tools:
        listed.append(f"the tools of the suite changed: {_named(found.tools)}")
    if found.changed:
        listed.append(f"cases changed: {_named(found.changed)}")
    if found.disjoint:
        listed.append("the two suites have no case in common")
    if found.scorers:
        listed.append(f"scorers have a different version: {_named(found.scorers)}")
    return listed


def _named(names: Sequence[str]) -> str:
    return ", ".join([*names[:MAX_NAMES], *(["…"] if len(names) > MAX_NAMES else [])])


def resume_differences(
    before: RunHeader, now: RunHeader, settings_before: Mapping[str, JsonValue], settings_now: Mapping[str, JsonValue]
) -> list[str]:
    """What stands against resuming a run, in words.

    Args:
        before: The header that the run began with.
        now: The header that it would begin with now.
        settings_before: What has to be the same, as it was; `suite` is the hash of the suite.
        settings_now: The same as it is.
    """
    scoring = [] if before.scoring == now.scoring else [f"scoring: was {before.scoring}, is now {now.scoring}"]
    changed = list(_changed_settings(settings_before, settings_now))
    of_suite = [line for line in changed if line.startswith("suite:")]
    # Where others are selected, cases are added and removed, which then says nothing more.
    selected = [line for line in changed if line.startswith(("selection:", "selection."))]
    others = [line for line in changed if line not in of_suite and line not in selected]
    if of_suite:
        of_suite = list(_changed_suite(before, now)) or of_suite
    return [*scoring, *selected, *of_suite, *others]


def _changed_settings(before: Mapping[str, JsonValue], now: Mapping[str, JsonValue], path: str = "") -> Iterator[str]:
    for key in dict.fromkeys((*before, *now)):
        here = f"{path}.{key}" if path else key
        if key not in now:
            yield f"{here}: was {_shown(before[key])}, is now absent"
        elif key not in before:
            yield f"{here}: was absent, is now {_shown(now[key])}"
        else:
            old, new = before[key], now[key]
            if isinstance(old, dict) and isinstance(new, dict):
                yield from _changed_settings(old, new, here)
            elif old != new:
                yield f"{here}: was {_shown(old)}, is now {_shown(new)}"


def _shown(value: JsonValue) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."


def _changed_suite(before: RunHeader, now: RunHeader) -> Iterator[str]:
    found = run_differences(before, now)
    for what, cases in (("changed", found.changed), ("added", found.only_second), ("removed", found.only_first)):
        if cases:
            yield f"suite: {_counted(cases, 'case')} {what}: {_named_for_resume(cases)}"
    if found.tools:
        yield f"suite: {_counted(found.tools, 'tool')} changed: {_named_for_resume(found.tools)}"
    if found.settings:
        yield "suite: its settings changed"
    same_cases = not (found.changed or found.only_first or found.only_second)
    if same_cases and [case.id for case in before.suite.cases] != [case.id for case in now.suite.cases]:
        yield "suite: its cases are in a different order"
    if before.suite.name != now.suite.name:
        yield f"suite: its name was {_shown(before.suite.name)}, is now {_shown(now.suite.name)}"


def _counted(names: Sequence[str], what: str) -> str:
    return f"1 {what}" if len(names) == 1 else f"{len(names)} {what}s"


def _named_for_resume(names: Sequence[str]) -> str:
    return ", ".join([*names[:MAX_RESUME_NAMES], *(["..."] if len(names) > MAX_RESUME_NAMES else [])])
