"""Reading YAML as nodes with places, and turning the nodes into values.

YAML guesses types from how a word looks, which surprises people: `no` becomes false, `001` becomes 1. Here only
`true`, `false`, `null` and numbers as JSON writes them are more than text, and where the type of a document says
string, a plain word stays exactly as written. Tags, merge keys and repeated keys are refused; aliases are expanded
within bounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import inspect

from toolgauge.core import JsonValue
from toolgauge.errors import InputError, Problem

from .conversion import type_info
from .jsontext import place_of
from .problems import Path, Place, Problems, shorten

if TYPE_CHECKING:
    import yaml

__all__ = ["Mapping", "Node", "Scalar", "Sequence", "find_node_place", "node_value", "read_nodes"]

MOST_DEPTH = 100
MOST_NODES = 300_000
"""How many values a document may have: reading them with their places takes seconds."""
MOST_COPIES = 200_000
"""How many nodes aliases may add to a document. Far more than any real file needs, and quickly counted."""
MOST_COPIED_TEXT = 4 * 1024 * 1024
"""How many characters they may add. Here a text is kept once, but it is written out in every report."""

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
SURROGATE = re.compile("[\ud800-\udfff]")
WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,4000})")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")


@dataclass(slots=True)
class Scalar:
    """A single value as it stands in the file."""

    line: int
    column: int
    text: str
    plain: bool
    """Whether it is written without quotes."""


@dataclass(slots=True)
class Sequence:
    """A list."""

    line: int
    column: int
    items: list[Node] = field(default_factory=list)
    size: int = 1
    """How many values it holds with itself, all aliases in it written out."""
    length: int = 0
    """How many characters these have."""


@dataclass(slots=True)
class Mapping:
    """An object: its keys in the order written, and the place of each."""

    line: int
    column: int
    items: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Place] = field(default_factory=dict)
    size: int = 1
    length: int = 0


Node: TypeAlias = Scalar | Sequence | Mapping


def read_nodes(text: str, source: str) -> Node | None:
    """The nodes of a YAML text that holds one document, or None where it holds nothing.

    Raises:
        InputError: It is not YAML, or uses what is not allowed here.
    """
    return _Composer(source).compose(text)


class _Composer:
    """Builds nodes from the parser's events, without recursion, so that no depth of nesting can hurt."""

    def __init__(self, source: str) -> None:
        self.problems = Problems(source)
        self.root: Node | None = None
        self.documents = 0
        self.open: list[Sequence | Mapping] = []
        self.pending: list[Scalar | None] = []
        """For each open node the key that waits for its value."""
        self.anchors: dict[str, Node] = {}
        self.nodes = 0
        self.copies = 0
        self.copied_text = 0
        self.stopped = False
        """Whether going on would be of no use."""

    def compose(self, text: str) -> Node | None:
        """Read all events; raise everything that was wrong."""
        for event in _events(text, self.problems):
            self._take(event)
            if self.stopped or self.problems.full:
                break
        self.problems.raise_if_any()
        return self.root

    def _take(self, event: yaml.Event) -> None:
        import yaml

        mark = event.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents == 2:
                self._refuse("a second document begins here", line, column, "keep one document in a file")
        elif isinstance(event, yaml.ScalarEvent):
            self._add(Scalar(line, column, event.value, event.implicit[0] and not event.style), event)
            if not event.value.isascii() and SURROGATE.search(event.value):
                self._refuse("half of a surrogate pair is not a character", line, column)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._enter(Sequence(line, column), event)
        elif isinstance(event, yaml.MappingStartEvent):
            self._enter(Mapping(line, column), event)
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._leave()
        elif isinstance(event, yaml.AliasEvent):
            self._add_alias(event.anchor or "", line, column)

    def _refuse(self, what: str, line: int, column: int, hint: str = "") -> None:
        self.problems.add(Problem(what, line, column, hint))

    def _enter(self, node: Sequence | Mapping, event: yaml.CollectionStartEvent) -> None:
        self._add(node, event)
        self.open.append(node)
        self.pending.append(None)
        if len(self.open) > MOST_DEPTH:
            what = f"lists and objects are nested more than {MOST_DEPTH} deep"
            self._refuse(what, node.line, node.column)
            self.stopped = True

    def _add(self, node: Node, event: Any) -> None:
        if event.tag is not None:
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self._refuse(f"the tag {shorten(tag)} is not allowed", node.line, node.column, "leave it out")
        if event.anchor:
            self.anchors[event.anchor] = node
        self.nodes += 1
        if self.nodes > MOST_NODES:
            what = f"the document has more than {MOST_NODES:,} keys and values"
            self._refuse(what, node.line, node.column, "write it as JSONL, one record a line, which may be of any size")
            self.stopped = True
        self._attach(node)

    def _add_alias(self, name: str, line: int, column: int) -> None:
        node = self.anchors.get(name)
        if node is None:
            self._refuse(f"there is no anchor called {shorten(name)} above", line, column)
            node = Scalar(line, column, "", True)
        elif any(node is parent for parent in self.open):
            self._refuse(f"the alias {shorten(name)} would contain itself", line, column)
            node = Scalar(line, column, "", True)
        else:
            self._count_copies(node, line, column)
        self._attach(node)

    def _count_copies(self, node: Node, line: int, column: int) -> None:
        """Add up what aliases add. A node knows its size with all aliases in it, so no bomb is set off for this."""
        size, length = _weight(node)
        self.copies += size
        self.copied_text += length
        for copied, most, what in (
            (self.copies, MOST_COPIES, "values"),
            (self.copied_text, MOST_COPIED_TEXT, "characters"),
        ):
            if copied > most:
                what = f"aliases would add more than {most:,} {what} to this document"
                self._refuse(what, line, column, "write them out")
                self.stopped = True

    def _leave(self) -> None:
        """Close a list or object, and count what came into it to what holds it."""
        node = self.open.pop()
        self.pending.pop()
        if self.open:
            self.open[-1].size += node.size - 1
            self.open[-1].length += node.length

    def _attach(self, node: Node) -> None:
        if not self.open:
            if self.documents == 1:
                self.root = node
            return
        parent = self.open[-1]
        size, length = _weight(node)
        parent.size += size
        parent.length += length
        if isinstance(parent, Sequence):
            parent.items.append(node)
            return
        key = self.pending[-1]
        if key is None:
            self.pending[-1] = self._key(parent, node)
            return
        self.pending[-1] = None
        parent.items[key.text] = node
        parent.keys[key.text] = (key.line, key.column)

    def _key(self, parent: Mapping, node: Node) -> Scalar:
        if not isinstance(node, Scalar):
            self._refuse("a key has to be a word, not a list or an object", node.line, node.column)
            return Scalar(node.line, node.column, "", False)
        if node.plain and node.text == "<<":
            self._refuse("merge keys are not allowed", node.line, node.column, "write the keys out")
        elif node.text in parent.items:
            first = parent.keys[node.text][0]
            what = f"duplicate key {shorten(node.text)}; the first is in line {first}"
            self._refuse(what, node.line, node.column, "keep one of them")
        return node


def _weight(node: Node) -> tuple[int, int]:
    """How many values a node holds, and how many characters these have."""
    return (1, len(node.text)) if isinstance(node, Scalar) else (node.size, node.length)


def _events(text: str, problems: Problems) -> Iterator[yaml.Event]:
    """The parser's events; a syntax error ends them and becomes a problem."""
    import yaml

    loader_class: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    loader = None
    try:
        loader = loader_class(text)
        while not isinstance(event := loader.get_event(), yaml.StreamEndEvent):
            yield event
    except yaml.MarkedYAMLError as error:
        problems.add(_syntax_problem(text, error))
    except yaml.reader.ReaderError as error:
        problems.add(_character_problem(text, error))
    except yaml.YAMLError as error:
        problems.add(Problem(f"not valid YAML: {str(error).splitlines()[0]}"))
    finally:
        if loader is not None:
            loader.dispose()


def _character_problem(text: str, error: yaml.reader.ReaderError) -> Problem:
    """Which character YAML does not allow. The error counts bytes or characters, so the place is looked for."""
    import yaml

    match = yaml.reader.Reader.NON_PRINTABLE.search(text)
    if match is None:
        return Problem(f"not valid YAML: {error.reason}")
    what = f"the control character U+{ord(match[0]):04X} is not allowed in YAML"
    return Problem(what, *place_of(text, match.start()))


def _syntax_problem(text: str, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Problem(f"not valid YAML: {error.problem}")
    place = (mark.line + 1, mark.column + 1)
    if text.startswith("\t", mark.index):
        return Problem("a tab where YAML needs spaces", *place, hint="indent with spaces")
    what = error.problem or "this cannot be read"
    if what.startswith("mapping values are not allowed"):
        hint = "put text that contains ': ' in quotes, and check the indentation"
        return Problem("a second ':' in one line, or a wrong indentation", *place, hint=hint)
    if error.context and error.context_mark is not None and error.context_mark.line != mark.line:
        what += f" {error.context}, which begins in line {error.context_mark.line + 1}"
    return Problem(f"not valid YAML: {what}", *place)


def node_value(node: Node, kind: Any, source: str) -> JsonValue:
    """The value of the nodes, read with the eyes of a type: where it says string, a word stays as written.

    Raises:
        InputError: A number cannot be represented.
    """
    return _Values(source).value(node, type_info(kind))


class _Values:
    def __init__(self, source: str) -> None:
        self.source = source

    def value(self, node: Node, kind: inspect.Type) -> JsonValue:
        """The value of one node and of everything below."""
        if isinstance(node, Scalar):
            return self._scalar(node, kind)
        if isinstance(node, Sequence):
            inner = _item_kind(kind)
            return [self.value(item, inner) for item in node.items]
        return {key: self.value(item, _field_kind(kind, key)) for key, item in node.items.items()}

    def _scalar(self, node: Scalar, kind: inspect.Type) -> JsonValue:
        text = node.text
        if not node.plain:
            return text
        if text in NULLS:
            return None
        if _wants_text(kind):
            return text
        if text in BOOLEANS:
            return BOOLEANS[text]
        if WHOLE.fullmatch(text):
            return int(text)
        if NUMBER.fullmatch(text):
            number = float(text)
            if number in (float("inf"), float("-inf")):
                place = (node.line, node.column)
                raise InputError(self.source, Problem(f"the number {shorten(text)} is too large", *place))
            return number
        return text


def _choices(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)


def _wants_text(kind: inspect.Type) -> bool:
    """Whether the type has room for a string and for no number or boolean."""
    choices = _choices(kind)
    if any(isinstance(c, inspect.AnyType | inspect.IntType | inspect.FloatType | inspect.BoolType) for c in choices):
        return False
    return any(isinstance(choice, inspect.StrType | inspect.LiteralType) for choice in choices)


def _item_kind(kind: inspect.Type) -> inspect.Type:
    for choice in _choices(kind):
        if isinstance(choice, inspect.ListType | inspect.VarTupleType):
            return choice.item_type
    return inspect.AnyType()


def _field_kind(kind: inspect.Type, key: str) -> inspect.Type:
    for choice in _choices(kind):
        if isinstance(choice, inspect.DictType):
            return choice.value_type
        if isinstance(choice, inspect.StructType):
            for candidate in choice.fields:
                if candidate.encode_name == key:
                    return candidate.type
    return inspect.AnyType()


def find_node_place(node: Node, path: Path, at_key: bool = False) -> Place:
    """Line and column of the value at a path, or of its last key, or of the nearest thing around it."""
    place = (node.line, node.column)
    for index, step in enumerate(path):
        if isinstance(node, Mapping) and isinstance(step, str) and step in node.items:
            key_place = node.keys[step]
            node = node.items[step]
            place = key_place if at_key and index == len(path) - 1 else (node.line, node.column)
        elif isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            place = (node.line, node.column)
        else:
            break
    return place
