"""Writing a suite as YAML that a person likes to read and edit: block style, full Unicode, a blank line between cases.

Whatever is written reads back as the same: a text is put in quotes wherever the reader of suites, or another reader of
YAML, would take it for something else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from toolgauge.core import JsonValue, Suite

if TYPE_CHECKING:
    import yaml

__all__ = ["write_suite"]

MODELINE = "# yaml-language-server: $schema={schema}"
"""The line by which editors find the schema."""

WIDTH = 110
"""Where long texts are folded."""


def write_suite(suite: Suite, *, comments: Sequence[str] = (), schema: str | None = None) -> Iterator[str]:
    """The text of a suite, part by part.

    Args:
        suite: The suite; its keys come in the order of the types.
        comments: Lines that stand at its head.
        schema: The file that editors find the schema in, as seen from the suite.
    """
    if schema is not None:
        yield MODELINE.format(schema=schema) + "\n"
    for line in comments:
        yield f"# {line}".rstrip() + "\n"
    head: dict[str, JsonValue] = {"name": suite.name}
    if suite.tools:
        head["tools"] = msgspec.to_builtins(suite.tools)
    if settings := msgspec.to_builtins(suite.settings):
        head["settings"] = settings
    yield _dump(head)
    yield "cases:\n"
    for index, case in enumerate(suite.cases):
        text = _dump([msgspec.to_builtins(case)])
        yield ("\n" if index else "") + "".join(f"  {line}" if line.strip() else line for line in _lines(text))


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends; other characters that some take for the end of a line stand in texts."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start : end + 1]
        start = end + 1
    yield text[start:]


def _dump(value: JsonValue) -> str:
    import yaml

    text = yaml.dump(
        value,
        Dumper=_dumper(),
        allow_unicode=True,
        default_flow_style=False,
        sort_keys=False,
        width=WIDTH,
    )
    return str(text)


def _dumper() -> type[yaml.SafeDumper]:
    """What writes the values; a class that is made when it is needed, for importing its base takes a while."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Indents lists, never uses aliases, and writes texts as `_style` says."""

        def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002
            return super().increase_indent(flow, False)

        def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
            return True

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=_style(value))

    Dumper.add_representer(str, text)
    return Dumper


def _style(text: str) -> str | None:
    """Quotes for what would be taken for something else, a block for several lines; None: as it comes."""
    if not text.isprintable():
        visible = text.replace("\n", "")
        plain_lines = visible.isprintable() and "\n" in text and text.strip() == text and " \n" not in text
        return "|" if plain_lines else '"'
    if text[:1] in "-+.0123456789" and any(map(str.isdigit, text)) and not text.isalpha():
        return '"' if _like_a_number(text) else None
    return None


def _like_a_number(text: str) -> bool:
    try:
        float(text.replace("_", ""))
    except ValueError:
        return False
    return True
