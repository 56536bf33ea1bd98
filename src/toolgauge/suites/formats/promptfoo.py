"""Configurations of promptfoo: tests with variables and assertions.

The input of a case is the prompt with its variables filled in where there is one plain prompt, and else the variable
that holds the question. A test with lists of values is several tests, as there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product

from toolgauge.core import Case, JsonValue, nfc
from toolgauge.files import Path

from .imported import ImportedSuite, labels_of
from .promptfoo_assertions import Assertions, fill

__all__ = ["read", "recognises"]

CONFIGURATION = ("prompts", "providers", "targets", "defaultTest", "scenarios")

QUESTIONS = (
    "input",
    "question",
    "query",
    "prompt",
    "message",
    "user_input",
    "user_message",
    "task",
    "text",
    "request",
)
"""Variables that hold what the agent is asked, the clearest name first."""

MAX_COMBINATIONS = 1_000
"""How many tests one test with lists of values may stand for."""


def recognises(value: JsonValue) -> bool:
    """Whether a document is a configuration, or a list of tests."""
    if isinstance(value, dict):
        tests = value.get("tests")
        if "cases" in value or not isinstance(tests, (list, str)):
            return False
        return any(key in value for key in CONFIGURATION) or _are_tests(tests)
    return _are_tests(value)


def _are_tests(value: JsonValue) -> bool:
    return isinstance(value, list) and any(map(_is_test, value))


def _is_test(value: JsonValue) -> bool:
    if not isinstance(value, dict) or "expect" in value:
        return False
    return isinstance(value.get("vars"), dict) or isinstance(value.get("assert"), list)


def read(value: JsonValue, imported: ImportedSuite) -> None:
    """Import all tests."""
    tests = value
    path: Path = ()
    common: dict[str, JsonValue] = {}
    prompt: str | None = None
    if isinstance(value, dict):
        tests, path = value.get("tests"), ("tests",)
        prompt = _only_prompt(value.get("prompts"))
        default = value.get("defaultTest")
        common = default if isinstance(default, dict) else {}
        description = value.get("description")
        imported.name = description if isinstance(description, str) else ""
        _read_tools(value, imported)
        if value.get("scenarios"):
            imported.leave_out("promptfoo's 'scenarios'")
    if not isinstance(tests, list):
        imported.refuse(path, "the tests are in another file", "give that file instead")
        return
    for index, test in enumerate(tests):
        if isinstance(test, dict):
            _read_test(test, common, prompt, (*path, index), imported)
        else:
            imported.leave_out("a promptfoo file of tests that is named in the list")


def _only_prompt(prompts: JsonValue) -> str | None:
    """The text of the only prompt, where it stands in the configuration itself."""
    if isinstance(prompts, list) and len(prompts) == 1:
        prompts = prompts[0]
    if isinstance(prompts, dict):
        prompts = prompts.get("raw")
    if not isinstance(prompts, str) or prompts.startswith("file://") or prompts.lstrip()[:1] in ("[", "{%"):
        return None
    is_file = re.fullmatch(r"\S+\.(txt|json|ya?ml|md|j2|js|mjs|ts|py|csv|jsonl)(:\w+)?", prompts.strip())
    return None if is_file else prompts


def _read_tools(value: Mapping[str, JsonValue], imported: ImportedSuite) -> None:
    """The tool definitions of the providers; of several with the same tools the first counts."""
    for key in ("providers", "targets"):
        providers = value.get(key)
        for index, provider in enumerate(providers if isinstance(providers, list) else ()):
            config = provider.get("config") if isinstance(provider, dict) else None
            if isinstance(config, dict):
                imported.add_tools(config.get("tools"), (key, index, "config", "tools"))


def _read_test(
    test: dict[str, JsonValue], common: Mapping[str, JsonValue], prompt: str | None, path: Path, imported: ImportedSuite
) -> None:
    merged = {**_object(common.get("vars")), **_object(test.get("vars"))}
    if isinstance(test.get("vars"), str):
        imported.leave_out("a promptfoo test whose variables are in another file")
        return
    combinations = _combinations(merged, path, imported)
    description = test.get("description")
    for values in combinations:
        assertions = Assertions(imported, path, values)
        for holder in (common, test):
            listed = holder.get("assert")
            for index, assertion in enumerate(listed if isinstance(listed, list) else ()):
                assertions.take(assertion, index)
            if holder.get("threshold") is not None:
                imported.leave_out("promptfoo's 'threshold' of a test")
        expect, budget = assertions.result()
        case = Case(
            nfc(description) if isinstance(description, str) else "",
            nfc(_input(prompt, values, imported).strip()),
            labels_of(common.get("metadata"), test.get("metadata")),
            expect=expect,
            budget=budget,
        )
        imported.add(case, path)


def _object(value: JsonValue) -> dict[str, JsonValue]:
    return value if isinstance(value, dict) else {}


def _combinations(
    values: Mapping[str, JsonValue], path: Path, imported: ImportedSuite
) -> Iterator[dict[str, JsonValue]] | list[dict[str, JsonValue]]:
    """Every choice of one value from each list."""
    choices = [value if isinstance(value, list) and value else [value] for value in values.values()]
    count = 1
    for options in choices:
        count *= len(options)
        if count > MAX_COMBINATIONS:
            what = f"the values of this test make more than {MAX_COMBINATIONS:,} combinations"
            imported.refuse((*path, "vars"), what, "write out the tests that are meant")
            return []
    return (dict(zip(values, chosen, strict=True)) for chosen in product(*choices))


def _input(prompt: str | None, values: Mapping[str, JsonValue], imported: ImportedSuite) -> str:
    """What the agent is asked."""
    if prompt is not None and (filled := fill(prompt, values)) is not None:
        return filled
    texts = {name: str(value) for name, value in values.items() if isinstance(value, (str, int, float))}
    for name in QUESTIONS:
        if name in texts:
            return texts[name]
    if len(texts) == 1:
        return next(iter(texts.values()))
    imported.note("the variables of a promptfoo test do not contain the question; its input is left empty")
    return ""
