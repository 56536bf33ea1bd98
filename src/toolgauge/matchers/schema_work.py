"""How much work a JSON schema can make, measured before it is compiled and, where that depends on them, by its values.

The engine that checks schemas cannot be interrupted, and a few references that double can make it work for years. So
what may take long is never begun: the schema is laid out as a graph in which every part stands once, however often it
is referred to, and steps are counted over that graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from toolgauge.core import JsonValue

__all__ = ["MOST_STEPS", "SchemaGraph", "TooMuchWork"]

MOST_STEPS = 100_000_000
"""Steps of one check; the engine takes about a second for so many."""

LARGEST = 100_000
"""Rules of a schema, with what it refers to written out wherever it is referred to."""

LONGEST_CHAIN = 250
"""Parts of a schema that may lie inside of one another, references followed."""

FEW_STEPS = 100
"""A schema with so few steps for each value is not slow on any value that can be read."""

MOST_PAIRS = 1_000_000
"""Parts of a schema and of a value that are looked at together to count steps."""

HERE_LISTS = ("allOf", "anyOf", "oneOf")
HERE = ("not", "if", "then", "else")
HERE_BY_KEY = ("dependentSchemas", "dependencies")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
ALL_KEYS = ("additionalProperties", "unevaluatedProperties", "propertyNames")
ALL_ITEMS = ("items", "prefixItems", "additionalItems", "unevaluatedItems", "contains")
ANCHORS = ("$anchor", "$dynamicAnchor")

REPEATED = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\{(\d{1,9})(?:,(\d{0,9}))?\}|[()]|.", re.DOTALL)


class TooMuchWork(ValueError):  # noqa: N818 - a statement reads better than an error's name
    """Checking would take too long, so that it is not begun."""


@dataclass(slots=True, eq=False)
class _Part:
    """A schema inside the schema: what it asks of a value, and which other parts are asked about what."""

    steps: int = 1
    states: int = 0
    """How many places its patterns have in which a match can be."""
    here: list[_Part] = field(default_factory=list)
    """Asked about the same value."""
    of_key: dict[str, list[_Part]] = field(default_factory=dict)
    of_keys: list[_Part] = field(default_factory=list)
    of_items: list[_Part] = field(default_factory=list)

    def below(self) -> Iterator[_Part]:
        """Those that are asked about what is in the value."""
        for parts in self.of_key.values():
            yield from parts
        yield from self.of_keys
        yield from self.of_items


class SchemaGraph:
    """The parts of a schema, each once."""

    def __init__(self, schema: Mapping[str, JsonValue]) -> None:
        """Lay the schema out.

        Raises:
            TooMuchWork: It refers to itself for the same value, or is too large with all that it refers to.
        """
        self._root = dict(schema)
        self._anchors: dict[str, list[dict[str, JsonValue]]] = {}
        self._resources: list[dict[str, JsonValue]] = [self._root]
        self._find_names()
        self._parts: dict[int, _Part] = {}
        self._start = self._laid_out()
        self._refuse_loops()
        self.recursive = False
        self.steps, self.states, _ = self._expanded(self._start, {}, set())
        """What one value can cost: rules, and places in patterns, written out."""

    @property
    def harmless(self) -> bool:
        """Whether no value that can be read takes long to check."""
        return not self.recursive and not self.states and self.steps <= FEW_STEPS

    def work(self, value: JsonValue, most: int = MOST_STEPS) -> int:
        """The steps that checking a value can take; a little more than allowed, where they are more."""
        if not self.recursive:
            values, characters = _size(value, most)
            bound = values * self.steps + characters * self.states
            if bound <= most:
                return bound
        try:
            return self._steps(self._start, value, {}, [MOST_PAIRS])
        except (TooMuchWork, RecursionError):
            return most + 1

    def _find_names(self) -> None:
        """Find what can be referred to by a name: anchors, and parts that have an address of their own."""
        left: list[JsonValue] = [self._root]
        while left:
            found = left.pop()
            if isinstance(found, dict):
                for key in ANCHORS:
                    if isinstance(name := found.get(key), str):
                        self._anchors.setdefault(name, []).append(found)
                if found is not self._root and any(isinstance(found.get(key), str) for key in ("$id", "id")):
                    self._resources.append(found)
            if isinstance(found, (dict, list)):
                left += found.values() if isinstance(found, dict) else found

    def _laid_out(self) -> _Part:
        start = _Part()
        left = [(self._root, start)]
        self._parts[id(self._root)] = start
        while left:
            schema, part = left.pop()
            for other in self._connect(schema, part):
                if id(other) not in self._parts:
                    self._parts[id(other)] = _Part()
                    left.append((other, self._parts[id(other)]))
            self._link(schema, part)
        return start

    def _connect(self, schema: dict[str, JsonValue], part: _Part) -> Iterator[dict[str, JsonValue]]:
        """Count what a schema asks itself, and name the schemas in it and those that it refers to."""
        part.steps = 1 + sum(len(found) if isinstance(found, (dict, list)) else 1 for found in schema.values())
        if isinstance(pattern := schema.get("pattern"), str):
            part.states = _states(pattern)
        by_pattern = schema.get("patternProperties")
        if isinstance(by_pattern, dict):
            part.states += sum(map(_states, by_pattern))
        for _, _, other in self._edges(schema):
            yield other

    def _link(self, schema: dict[str, JsonValue], part: _Part) -> None:
        for place, key, other in self._edges(schema):
            target = self._parts[id(other)]
            if place == "key":
                part.of_key.setdefault(key, []).append(target)
            else:
                {"here": part.here, "keys": part.of_keys, "items": part.of_items}[place].append(target)

    def _edges(self, schema: dict[str, JsonValue]) -> Iterator[tuple[str, str, dict[str, JsonValue]]]:
        """The schemas that a schema asks: about the same value, about that of a key, of any key, of any item."""
        for keyword, found in schema.items():
            if keyword in REFERENCES and isinstance(found, str):
                yield from (("here", "", other) for other in self._meant(found))
            elif keyword in HERE or keyword in HERE_LISTS:
                yield from (("here", "", other) for other in _schemas(found))
            elif keyword in HERE_BY_KEY and isinstance(found, dict):
                yield from (("here", "", other) for one in found.values() for other in _schemas(one))
            elif keyword == "properties" and isinstance(found, dict):
                yield from (("key", key, other) for key, one in found.items() for other in _schemas(one))
            elif keyword == "patternProperties" and isinstance(found, dict):
                yield from (("keys", "", other) for one in found.values() for other in _schemas(one))
            elif keyword in ALL_KEYS:
                yield from (("keys", "", other) for other in _schemas(found))
            if keyword in ALL_ITEMS or keyword == "unevaluatedProperties":
                yield from (("items", "", other) for other in _schemas(found))

    def _meant(self, reference: str) -> list[dict[str, JsonValue]]:
        """The parts that a reference may mean, which are more than one where parts have addresses of their own."""
        address, _, fragment = reference.partition("#")
        if address:
            name = address.rstrip("/").rpartition("/")[2]
            homes = [one for one in self._resources if name in (_address(one), _address(one).rpartition("/")[2])]
        else:
            homes = self._resources
        if fragment and not fragment.startswith("/"):
            return self._anchors.get(fragment, [])
        found = [_at(home, fragment) for home in homes]
        return [one for one in found if one is not None]

    def _refuse_loops(self) -> None:
        """Refuse references that lead back to where they stand without going into the value.

        Such a schema says nothing that it would not say without the loop, and engines try all ways around it.
        """
        done: set[int] = set()
        for first in self._parts.values():
            path: list[tuple[_Part, Iterator[_Part]]] = [(first, iter(first.here))] if id(first) not in done else []
            open_now = {id(first)}
            while path:
                part, others = path[-1]
                following = next(others, None)
                if following is None:
                    path.pop()
                    open_now.discard(id(part))
                    done.add(id(part))
                elif id(following) in open_now:
                    raise TooMuchWork("a reference leads back to itself")
                elif id(following) not in done:
                    open_now.add(id(following))
                    path.append((following, iter(following.here)))

    def _expanded(self, part: _Part, known: dict[int, tuple[int, int, int]], inside: set[int]) -> tuple[int, int, int]:
        """Steps, states and depth of a part with everything below it, as if nothing were referred to twice."""
        if id(part) in known:
            return known[id(part)]
        if id(part) in inside:
            self.recursive = True
            return 0, 0, 0
        if len(inside) > LONGEST_CHAIN:
            raise TooMuchWork(f"it is nested more than {LONGEST_CHAIN} levels deep")
        inside.add(id(part))
        steps, states, depth = part.steps, part.states, 0
        for other in (*part.here, *part.below()):
            more, more_states, deeper = self._expanded(other, known, inside)
            steps, states, depth = steps + more, states + more_states, max(depth, deeper)
            if steps > LARGEST:
                raise TooMuchWork(f"with its references, it has more than {LARGEST:,} rules")
        inside.discard(id(part))
        if depth >= LONGEST_CHAIN:
            raise TooMuchWork(f"it is nested more than {LONGEST_CHAIN} levels deep")
        known[id(part)] = steps, states, depth + 1
        return known[id(part)]

    def _steps(self, part: _Part, value: JsonValue, known: dict[tuple[int, int], int], left: list[int]) -> int:
        """The steps that a part takes on a value; what is asked again is looked up, so that this is quick."""
        pair = (id(part), id(value))
        if pair in known:
            return known[pair]
        left[0] -= 1
        if left[0] < 0 or len(known) > MOST_PAIRS:
            raise TooMuchWork
        steps = part.steps
        if isinstance(value, str):
            steps += part.states * len(value)
        for other in part.here:
            steps += self._steps(other, value, known, left)
        if isinstance(value, dict):
            for key, item in value.items():
                steps += part.states * len(key)
                for other in (*part.of_key.get(key, ()), *part.of_keys):
                    steps += self._steps(other, item, known, left)
        elif isinstance(value, list) and part.of_items:
            for item in value:
                for other in part.of_items:
                    steps += self._steps(other, item, known, left)
        known[pair] = steps
        return steps


def _address(schema: dict[str, JsonValue]) -> str:
    found = schema.get("$id", schema.get("id"))
    return found.rstrip("#").rstrip("/") if isinstance(found, str) else ""


def _schemas(found: JsonValue) -> list[dict[str, JsonValue]]:
    """The schema, or those of the list; what is true or false costs nothing."""
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, dict)]


def _at(home: dict[str, JsonValue], pointer: str) -> dict[str, JsonValue] | None:
    found: JsonValue = home
    for step in pointer.split("/")[1:]:
        name = _unquoted(step).replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict):
            found = found.get(name)
        elif isinstance(found, list) and name.isascii() and name.isdigit() and len(name) < 9:
            found = found[int(name)] if int(name) < len(found) else None
        else:
            return None
    return found if isinstance(found, dict) else None


def _unquoted(step: str) -> str:
    if "%" not in step:
        return step
    from urllib.parse import unquote

    return unquote(step)


def _size(value: JsonValue, most: int) -> tuple[int, int]:
    """How many values there are in a value, itself among them, and how many characters; counting ends at so many."""
    values = characters = 0
    left: list[JsonValue] = [value]
    while left and values <= most:
        one = left.pop()
        values += 1
        if isinstance(one, str):
            characters += len(one)
        elif isinstance(one, dict):
            characters += sum(map(len, one))
            left += one.values()
        elif isinstance(one, list):
            left += one
    return values, characters


def _states(pattern: str) -> int:
    """About how many places a pattern has, with what is repeated written out."""
    sizes, last = [0], 0
    for match in REPEATED.finditer(pattern):
        found = match[0]
        if found == "(":
            sizes.append(0)
            continue
        if found == ")" and len(sizes) > 1:
            last = sizes.pop() + 1
        elif match[1] is not None:
            sizes[-1] += last * (max(int(match[1]), int(match[2] or 0)) - 1)
            last *= max(int(match[1]), int(match[2] or 0))
            continue
        else:
            last = 1
        sizes[-1] += last
    return min(max(sum(sizes), 1), 10 * MOST_STEPS)
