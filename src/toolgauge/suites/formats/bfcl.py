"""Questions and answers of the Berkeley Function-Calling Leaderboard, read as an ordinary suite.

A case expects the calls of its ground truth and no others, with arguments compared by the matcher `$bfcl`, and passes
only where everything is right. What is left is data: such a suite goes into a run file and comes back from it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from toolgauge.core import ANY_OTHER, CATEGORY, Case, Expect, ExpectedCall, JsonValue, Plan, Settings, Suite, nfc
from toolgauge.errors import NothingToDo, did_you_mean
from toolgauge.files import Fault, InputFile, Path, RecordDecoder, Rejected, list_faults, read_records, shorten
from toolgauge.matchers import BFCL_TYPES

__all__ = ["Names", "is_question", "load_bfcl_suite"]

Names = Literal["either", "dots", "underscores"]
"""How names with dots have to be written: as they are, with underscores for dots, or either."""

Kind = Literal["one", "several", "none", "some"]
"""What a category asks for: one call, several in any order, no call, or some call whatever it is."""

Truth: TypeAlias = list[dict[str, dict[str, list[JsonValue]]]]
"""The calls that are right: for each its function, and for each argument the accepted values."""

OTHER_TYPES = {"number": "float", "object": "dict", "list": "array", "bool": "boolean"}
"""Types as JSON schema and Python spell them, and what the leaderboard calls them."""

NOT_SCORED = ("multi_turn", "memory", "web_search")
"""Categories that are judged by running tools or by the final answer, not by the calls."""

CATEGORIES: dict[str, Kind] = {
    **dict.fromkeys(("simple", "simple_python", "multiple", "live_simple", "live_multiple"), "one"),
    **dict.fromkeys(("parallel", "parallel_multiple", "live_parallel", "live_parallel_multiple"), "several"),
    **dict.fromkeys(("irrelevance", "live_irrelevance"), "none"),
    "live_relevance": "some",
}
"""The categories that are scored here, and what each asks for."""

OTHER_LANGUAGES = ("java", "javascript")
"""Categories whose arguments are source text of another language."""

TRUTH = "ground_truth"

MAY_BE_OMITTED = ""
"""Among accepted values: the argument may be left out."""

NOTHING: JsonValue = {"$not": {"$any": True}}
"""A rule that no value fits, and neither does leaving the argument out: the official checker allows neither where an
argument is required without being in the answer, or in the answer without being declared."""


class BfclParameter(Struct, frozen=True, gc=False):
    """An argument of a function. Its type is looked at only where the ground truth names the argument."""

    type: JsonValue = None
    items: JsonValue = None


class BfclParameters(Struct, frozen=True, gc=False):
    """The arguments of a function."""

    properties: dict[str, BfclParameter] = {}
    required: tuple[str, ...] = ()


class BfclFunction(Struct, frozen=True, gc=False):
    """A function that may be called."""

    name: str
    parameters: BfclParameters = BfclParameters()


class BfclQuestion(Struct, frozen=True, gc=False):
    """A line of a file of questions."""

    id: str
    question: JsonValue = None
    function: tuple[BfclFunction, ...] = ()
    ground_truth: JsonValue = None


class BfclAnswer(Struct, frozen=True, gc=False):
    """A line of a file of answers."""

    id: str
    ground_truth: JsonValue


def is_question(value: JsonValue) -> bool:
    """Whether a record is a question of the leaderboard, with or without its answer."""
    if not isinstance(value, dict) or not isinstance(value.get("id"), str) or "expect" in value:
        return False
    return "question" in value and isinstance(value.get("function", value.get("involved_classes")), list)


def load_bfcl_suite(
    questions: str | os.PathLike[str],
    *,
    answers: str | os.PathLike[str] | None = None,
    name: str | None = None,
    names: Names = "either",
) -> Suite:
    """Read questions of the leaderboard, with their answers, as a suite.

    Args:
        questions: JSONL with `id`, `question`, `function` and, unless answers are given, `ground_truth`.
        answers: JSONL with `id` and `ground_truth`; where it has an answer, that is the one that counts.
        name: What the suite is called; default: the name of the file.
        names: How a function whose name has a dot has to be called.

    Raises:
        InputError: A file cannot be used; all that is wrong in it is listed, with places.
        NothingToDo: There are no questions.
    """
    truths = {} if answers is None else _read_answers(answers)
    decode = RecordDecoder(BfclQuestion)
    seen: set[str] = set()

    def decode_case(data: bytes) -> Case:
        question = decode(data)
        _refuse_repeated(question.id, seen)
        return _case(question, truths, names)

    with InputFile(questions) as source:
        cases = tuple(case for _, _, case in read_records(source, decode_case))
        if not cases:
            raise NothingToDo(f"{source.name}: there are no questions in this file")
        return Suite(name or source.stem, cases, settings=Settings(threshold=1.0, profile="bfcl"))


def _read_answers(path: str | os.PathLike[str]) -> dict[str, Truth]:
    decode = RecordDecoder(BfclAnswer)
    seen: set[str] = set()

    def decode_answer(data: bytes) -> tuple[str, Truth]:
        answer = decode(data)
        _refuse_repeated(answer.id, seen)
        # Answers of categories that are not scored may look as they like.
        scored = _kind(_category(answer.id)) in ("one", "several")
        return answer.id, _truth(answer.ground_truth) if scored else []

    with InputFile(path) as source:
        return {nfc(name.strip()): truth for _, _, (name, truth) in read_records(source, decode_answer)}


def _refuse_repeated(name: str, seen: set[str]) -> None:
    normal = nfc(name.strip())
    if not normal:
        raise Rejected(Fault(("id",), "the id is empty"))
    if normal in seen:
        raise Rejected(Fault(("id",), f"the id {shorten(name)} is already used"))
    seen.add(normal)


# --- categories


def _category(name: str) -> str:
    """The category that an id begins with: all before its last underscore.

    Ids of the category format_sensitivity end with the id of the case that they vary, after a colon.
    """
    return name.strip().rpartition(":")[2].rpartition("_")[0]


def _kind(category: str) -> Kind | None:
    """What a category asks for; None: it is not scored by calls, or there is none such."""
    return CATEGORIES.get(category)


def _not_scored(category: str) -> Fault:
    if category.startswith(NOT_SCORED):
        what = f"cases of the category {shorten(category)} are not judged by their calls, and are not scored here"
    elif set(category.split("_")) & set(OTHER_LANGUAGES):
        what = f"cases of the category {shorten(category)} have source text as arguments, and are not scored here"
    else:
        what = f"{shorten(category)} is not a known category"
        return Fault(("id",), what, did_you_mean(category, tuple(CATEGORIES)))
    return Fault(("id",), what, "leave these lines out")


# --- from a question to a case


def _case(question: BfclQuestion, truths: Mapping[str, Truth], names: Names) -> Case:
    category = _category(question.id)
    kind = _kind(category)
    if not category:
        raise Rejected(Fault(("id",), "the id does not begin with a category", "write an id such as 'simple_12'"))
    if kind is None:
        raise Rejected(_not_scored(category))
    if kind == "none":
        expect = Expect(calls=())
    elif kind == "some":
        expect = _some_call(question, names)
    else:
        expect = _right_calls(question, kind, truths, names)
    return Case(question.id, _text(question.question), {CATEGORY: category}, expect=expect)


def _text(question: JsonValue) -> str:
    """What the user asks; the instructions to the model are left out."""
    if isinstance(question, str):
        return question
    if isinstance(question, list):
        return "\n".join(text for part in question if (text := _text(part)))
    if isinstance(question, dict) and question.get("role", "user") == "user":
        return _text(question.get("content"))
    return ""


def _some_call(question: BfclQuestion, names: Names) -> Expect:
    if not question.function:
        raise Rejected(Fault((), "there is no function that could be called"))
    written = dict.fromkeys(name for function in question.function for name in _spellings(function.name, names))
    return Expect(any_of=tuple(Plan((ExpectedCall(name),)) for name in written), extra="allow")


def _right_calls(question: BfclQuestion, kind: Kind, truths: Mapping[str, Truth], names: Names) -> Expect:
    truth = truths.get(nfc(question.id.strip()))
    if truth is None:
        if question.ground_truth is None:
            hint = "give the file that contains it with --answers, or put it in the line"
            raise Rejected(Fault((), f"there is no 'ground_truth' for {shorten(question.id)}", hint))
        truth = _truth(question.ground_truth)
    if kind == "one" and len(truth) != 1:
        what = (
            f"the category {shorten(_category(question.id))} has one right call, but the ground truth has {len(truth)}"
        )
        raise Rejected(Fault(("id",), what))
    calls = tuple(_expected_call(question, *right) for call in truth for right in call.items())
    dotted = any("." in call.tool for call in calls)
    if not dotted or names == "dots":
        return Expect(calls, extra="forbid")
    underscored = tuple(replace(call, tool=_spellings(call.tool, "underscores")[-1]) for call in calls)
    if names == "underscores":
        return Expect(underscored, extra="forbid")
    return Expect(any_of=(Plan(calls), Plan(underscored)), extra="forbid")


def _spellings(name: str, names: Names) -> tuple[str, ...]:
    """The name of a function as models may write it: many interfaces allow no dots in it."""
    if "." not in name or names == "dots":
        return (name,)
    underscored = name.replace(".", "_")
    return (underscored,) if names == "underscores" else (name, underscored)


def _truth(value: JsonValue) -> Truth:
    """The ground truth of a line.

    Raises:
        Rejected: It is not one function per call, with lists of accepted values.
    """
    faults = list_faults(value, Truth)
    if faults:
        raise Rejected(*(Fault((TRUTH, *fault.path), fault.what, fault.hint, fault.at_key) for fault in faults))
    truth = msgspec.convert(value, Truth)
    faults = [
        Fault((TRUTH, index), f"expected one function, found {len(call)}")
        for index, call in enumerate(truth)
        if len(call) != 1
    ]
    if faults:
        raise Rejected(*faults)
    return truth


# --- from a right call to an expected one


def _expected_call(question: BfclQuestion, name: str, accepted: Mapping[str, list[JsonValue]]) -> ExpectedCall:
    position = _position(question, name)
    function = question.function[position]
    required = function.parameters.required
    path = ("function", position, "parameters", "properties")
    args: dict[str, JsonValue] = {argument: NOTHING for argument in required if argument not in accepted}
    for argument, values in accepted.items():
        declared = function.parameters.properties.get(argument)
        omissible = MAY_BE_OMITTED in values and argument not in required
        if declared is None:
            args[argument] = {"$absent": True} if omissible else NOTHING
            continue
        rule: JsonValue = {"$bfcl": {**_types(declared, (*path, argument)), "accept": values}}
        args[argument] = {"$default": rule} if omissible else rule
    return ExpectedCall(function.name, args, forbid_args=(ANY_OTHER,))


def _position(question: BfclQuestion, name: str) -> int:
    """Which of the functions a right call is of; where there is one call and no choice, the first whatever its name."""
    names = [function.name for function in question.function]
    if not names:
        raise Rejected(Fault((), "there is no function that could be called"))
    category = _category(question.id)
    if "parallel" not in category and "multiple" not in category:
        return 0
    if name not in names:
        what = f"no function here is called {shorten(name)}, which the ground truth asks for"
        raise Rejected(Fault(("function",), what, did_you_mean(name, names)))
    return names.index(name)


def _types(declared: BfclParameter, path: Path) -> dict[str, JsonValue]:
    """The types that `$bfcl` needs: that of the argument and, for a list, that of its items."""
    kind = _type(declared.type, (*path, "type"))
    if BFCL_TYPES[kind] is not list or not isinstance(declared.items, dict) or "type" not in declared.items:
        return {"type": kind}
    return {"type": kind, "items": _type(declared.items["type"], (*path, "items", "type"))}


def _type(written: JsonValue, path: Path) -> str:
    if not isinstance(written, str):
        raise Rejected(Fault(path, f"the type of the argument is {shorten(written)}, not a name"))
    kind = OTHER_TYPES.get(written, written)
    if kind not in BFCL_TYPES:
        raise Rejected(Fault(path, f"{shorten(written)} is not a type", did_you_mean(written, list(BFCL_TYPES))))
    return kind
