"""Outputs that a model might give to a question of the leaderboard: right ones, and right ones with faults put in."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

Call: TypeAlias = dict[str, dict[str, Any]]
"""One function with its arguments, as the official checker wants it."""

Output: TypeAlias = list[Call]

FILLERS = " ,./-_*^"


class Outputs:
    """Makes outputs for one question."""

    def __init__(self, question: dict[str, Any], truth: list[dict[str, dict[str, list[Any]]]], random: Random) -> None:
        self.functions = {function["name"]: function for function in reversed(question["function"])}
        self.truth = truth
        self.random = random

    def make(self, faults: int) -> tuple[Output, tuple[str, ...]]:
        """An output with so many faults put in, and the names of these.

        Not every fault makes an output wrong: some change what does not matter.
        """
        output: Output = json.loads(json.dumps(self.right() if self.truth else self.invented()))
        names = []
        for _ in range(faults):
            group = self.random.choices(GROUPS, WEIGHTS)[0]
            fault = self.random.choice(group)
            if output and fault(self, output):
                names.append(fault.__name__)
        return output, tuple(names)

    def right(self) -> Output:
        """An output that the ground truth accepts, in so far as it accepts any."""
        calls = []
        for call in self.truth:
            for name, accepted in call.items():
                args = {key: self.pick(self.kind(name, key), values) for key, values in accepted.items()}
                calls.append({name: {key: value for key, value in args.items() if value is not LEFT_OUT}})
        return calls

    def invented(self) -> Output:
        """Some calls, or none, where there is no ground truth."""
        names = (
            self.random.choices(list(self.functions), k=self.random.choice([0, 0, 1, 1, 2])) if self.functions else []
        )
        return [{name: dict.fromkeys(self.properties(name), "x")} for name in names]

    def properties(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.functions.get(name, {}).get("parameters", {}).get("properties", {})
        return found

    def kind(self, name: str, key: str) -> str:
        declared = self.properties(name).get(key, {})
        kind, items = declared.get("type", "any"), (declared.get("items") or {}).get("type")
        return "dicts" if items == "dict" else str(kind)

    def pick(self, kind: str, values: list[Any]) -> Any:
        """One of the accepted values, with objects filled in."""
        value = self.random.choice(values) if values else LEFT_OUT
        if value == "" and (len(values) == 1 or self.random.random() < 0.9):
            return LEFT_OUT
        if kind == "dict" and isinstance(value, dict):
            return self.fill(value)
        if kind == "dicts" and isinstance(value, list):
            return [self.fill(item) if isinstance(item, dict) else item for item in value]
        return value

    def fill(self, accepted: dict[str, Any]) -> dict[str, Any]:
        chosen = {key: self.random.choice(v) if isinstance(v, list) and v else v for key, v in accepted.items()}
        return {key: value for key, value in chosen.items() if value != "" or self.random.random() < 0.1}

    def args(self, output: Output) -> dict[str, Any]:
        """The arguments of some call, to be changed in place."""
        return next(iter(self.random.choice(output).values()))


class _LeftOut:
    """Stands for an argument that is not given."""


LEFT_OUT = _LeftOut()


# --- faults in the arguments: each says whether it could be put in


def leaves_argument_out(outputs: Outputs, output: Output) -> bool:
    args = outputs.args(output)
    if not args:
        return False
    del args[outputs.random.choice(list(args))]
    return True


def renames_argument(outputs: Outputs, output: Output) -> bool:
    args = outputs.args(output)
    if not args:
        return False
    key = outputs.random.choice(list(args))
    args[outputs.random.choice([key + "s", key.upper(), key.replace("_", "")])] = args.pop(key)
    return True


def adds_argument(outputs: Outputs, output: Output) -> bool:
    outputs.args(output)["verbose"] = outputs.random.choice([True, "yes", 1, None])
    return True


def gives_declared_argument(outputs: Outputs, output: Output) -> bool:
    """Gives an argument that the function has, maybe one that the answer does not want."""
    call = outputs.random.choice(output)
    for name, args in call.items():
        others = [key for key in outputs.properties(name) if key not in args]
        if others:
            args[outputs.random.choice(others)] = outputs.random.choice(["", "x", 1, 1.5, True, [], {}, None, ["x"]])
            return True
    return False


def _changes_value(change: Callable[[Random, Any], Any]) -> Callable[[Outputs, Output], bool]:
    """A fault that changes the value of some argument, or something deep in it."""

    def fault(outputs: Outputs, output: Output) -> bool:
        args = outputs.args(output)
        if not args:
            return False
        key = outputs.random.choice(list(args))
        changed = _deep(outputs.random, args[key], change)
        was, args[key] = args[key], changed
        return json.dumps(was) != json.dumps(changed)

    fault.__name__ = change.__name__.strip("_")
    return fault


def _deep(random: Random, value: Any, change: Callable[[Random, Any], Any]) -> Any:
    """Change the value itself or, most often where it has any, one of its items."""
    if isinstance(value, list) and value and random.random() < 0.7:
        index = random.randrange(len(value))
        return [*value[:index], _deep(random, value[index], change), *value[index + 1 :]]
    if isinstance(value, dict) and value and random.random() < 0.7:
        key = random.choice(list(value))
        return {**value, key: _deep(random, value[key], change)}
    return change(random, value)


def _writes_text_otherwise(random: Random, value: Any) -> Any:
    """Changes case and punctuation, which mostly does not matter."""
    if not isinstance(value, str):
        return value
    place = random.randrange(len(value) + 1)
    return random.choice(
        [
            value.upper(),
            value.lower(),
            value.title(),
            value[:place] + random.choice(FILLERS) + value[place:],
            "".join(letter for letter in value if letter not in FILLERS),
            value.replace("'", '"'),
            value.replace('"', "'"),
            value[:place] + random.choice("'\"!?:;()&+\u00e9\u0130\u00df\n\t") + value[place:],
            f" {value} ",
        ]
    )


def _changes_type(random: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return random.choice([int(value), str(value), str(value).lower(), float(value), None])
    if isinstance(value, int):
        return random.choice([float(value), str(value), [value], bool(value), None])
    if isinstance(value, float):
        return random.choice([int(value), round(value), str(value), [value], None])
    if isinstance(value, str):
        return random.choice([_number(value), [value], {"value": value}, None, list(value)[:5], True])
    if isinstance(value, list):
        return random.choice(
            [value[0] if value else None, json.dumps(value), dict.fromkeys(map(str, value), 1), [value]]
        )
    if isinstance(value, dict):
        return random.choice([list(value.values()), list(value), json.dumps(value), [value]])
    return random.choice(["None", "null", 0, False, ""])


def _number(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return len(text)


def _changes_content(random: Random, value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return random.choice([value + 1, -value, value * 10, value + 0.5, 0])
    if isinstance(value, str):
        return random.choice([value + "x", value[1:], value[:-1], value[::-1], "", "-"])
    if isinstance(value, list):
        return random.choice([value[1:], value[::-1], value + value[:1], [*value, "x"], [*value, 1], []])
    if isinstance(value, dict):
        return random.choice([dict(list(value.items())[1:]), {**value, "other": 1}, {}, dict(reversed(value.items()))])
    return "x"


# --- faults in the calls


def leaves_call_out(outputs: Outputs, output: Output) -> bool:
    output.pop(outputs.random.randrange(len(output)))
    return True


def repeats_call(outputs: Outputs, output: Output) -> bool:
    output.append(json.loads(json.dumps(outputs.random.choice(output))))
    return True


def adds_call(outputs: Outputs, output: Output) -> bool:
    name = outputs.random.choice([*outputs.functions, "other"])
    output.insert(outputs.random.randrange(len(output) + 1), {name: {}})
    return True


def changes_order(outputs: Outputs, output: Output) -> bool:
    outputs.random.shuffle(output)
    return len(output) > 1


def calls_another_function(outputs: Outputs, output: Output) -> bool:
    index = outputs.random.randrange(len(output))
    ((name, args),) = output[index].items()
    other = outputs.random.choice([*outputs.functions, name + "s", name.upper(), name.replace("_", "-")])
    output[index] = {other: args}
    return bool(other != name)


def exchanges_arguments(outputs: Outputs, output: Output) -> bool:
    """Gives some argument of one call to another, and the other way round."""
    if len(output) < 2:
        return False
    first, second = (next(iter(call.values())) for call in outputs.random.sample(output, 2))
    shared = [key for key in first if key in second]
    if not shared:
        return False
    key = outputs.random.choice(shared)
    first[key], second[key] = second[key], first[key]
    return True


def copies_call(outputs: Outputs, output: Output) -> bool:
    """Makes the same call twice instead of another one."""
    if len(output) < 2:
        return False
    source, target = outputs.random.sample(range(len(output)), 2)
    output[target] = json.loads(json.dumps(output[source]))
    return True


GROUPS: list[list[Callable[[Outputs, Output], bool]]] = [
    [leaves_argument_out, renames_argument, adds_argument, gives_declared_argument],
    [_changes_value(_writes_text_otherwise)],
    [_changes_value(_changes_type)],
    [_changes_value(_changes_content)],
    [leaves_call_out, repeats_call, adds_call, calls_another_function],
    [changes_order, exchanges_arguments, copies_call],
]
WEIGHTS = [20, 25, 25, 15, 6, 9]
