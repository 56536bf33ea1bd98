"""The pages that are made and not written: the reference of commands, and that of the keys of a suite.

    python -m tests.reference

writes `docs/reference.md` and `docs/suite.md` anew; a test holds them against what is made now.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import Any

import click

from toolgauge import api
from toolgauge.cli import COMMANDS
from toolgauge.cli.speaking import HELP_NAMES, prepared

DOCS = Path(__file__).parent.parent / "docs"

Schema = dict[str, Any]

WIDTH = 120


def of_commands() -> str:
    """Every command with its arguments and options, as click knows them."""
    lines = [
        "# Commands",
        "",
        "Every command with its options, as `toolgauge COMMAND --help` shows them; `python -m tests.reference` writes",
        "this page. There are pages on [the keys of a suite](suite.md) and on [error messages](troubleshooting.md).",
        "",
        "Before or after every command: `--lang en|vi`, the language of all output (default: that of the locale, from",
        "`LC_ALL`, `LC_MESSAGES` or `LANG`), and `--debug`, which shows the traceback of an error. `-h`, `--help` and",
        "`toolgauge help COMMAND` show help.",
        "",
        "| exit code | when |",
        "| --- | --- |",
        "| 0 | done; cases may have failed; the gate passed, or was inconclusive without `--strict` |",
        "| 1 | the gate failed |",
        "| 2 | wrong usage or input: nothing was run |",
        "| 3 | the run is incomplete, or a result could not be written |",
        "| 4 | the gate was inconclusive, with `--strict` |",
        "| 5 | nothing to do: an empty suite, a filter that matches nothing |",
        "| 70 | a fault of toolgauge itself |",
        "| 130, 143 | interrupted, terminated |",
        "",
    ]
    for name in COMMANDS:
        command = prepared(import_module(f"toolgauge.cli.{name}").command)
        lines += _command(command, f"toolgauge {name}", "##")
    return "\n".join(lines).rstrip() + "\n"


def _command(command: click.Command, path: str, heading: str) -> Iterator[str]:
    context = click.Context(command, info_name=path, help_option_names=HELP_NAMES)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    yield from (f"{heading} {path}", "", f"    {usage}", "")
    for paragraph in cleandoc(command.help or "").split("\n\n"):
        examples = paragraph.startswith("\b")
        lines = paragraph.removeprefix("\b\n").split("\n") if examples else _wrapped(paragraph)
        yield from (f"    {line}".rstrip() if examples else line for line in lines)
        yield ""
    options = [one for one in command.params if isinstance(one, click.Option) and one.name != "lang"]
    rows = [row for option in options if (row := option.get_help_record(context))]
    if rows:
        yield from ("| option | |", "| --- | --- |")
        yield from (f"| `{_cell(option)}` | {_cell(about)} |" for option, about in rows)
        yield ""
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _command(inner, f"{path} {name}", heading + "#")


def _wrapped(text: str) -> list[str]:
    return click.wrap_text(" ".join(text.split()), width=WIDTH).split("\n")


def _cell(text: str) -> str:
    """A text as a cell of a table, in which a bar would end it and `<` begin a tag."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;" if "`" in text else "<")


SECTIONS = {
    "Case": "cases",
    "Expect": "cases[].expect",
    "ExpectedCall": "cases[].expect.calls[]",
    "Times": "cases[].expect.calls[].times",
    "Plan": "cases[].expect.any_of[]",
    "Budget": "cases[].budget",
    "Limits": "cases[].limits",
    "Judge": "cases[].judge",
    "WrittenTool": "tools[]",
    "Function": "tools[].function",
    "CannedResult": "tools[].results[]",
    "Settings": "settings",
    "Weights": "settings.weights",
}
"""Where the parts of a suite stand; one that is not named here has its own name for a heading."""


def of_suites() -> str:
    """Every key of a suite, as the JSON schema describes it."""
    schema: Schema = json.loads(api.read_schema())
    parts: Schema = dict(schema["definitions"])
    rule = parts.pop("Rule")
    lines = [
        "# Keys of a suite",
        "",
        "Every key that a suite in YAML, JSON or JSONL may have. `toolgauge schema` prints the JSON schema that this",
        "page is made of (by `python -m tests.reference`), and editors complete and check a suite whose first line",
        "names it:",
        "",
        "```yaml",
        "# yaml-language-server: $schema=suite.schema.json",
        "```",
        "",
        "Any other key is an error. [Concepts](concepts.md) shows a suite with all of this in its place,",
        "[Answers](answers.md) says how answers are read, and [Lint](lint.md) finds what a schema cannot see.",
        "",
        "## The suite",
        "",
        *_table(schema),
        "",
    ]
    for name, part in sorted(parts.items(), key=lambda one: [*SECTIONS, one[0]].index(one[0])):
        title = f"`{SECTIONS[name]}`" if name in SECTIONS else name
        lines += [f"## {title}", "", *_wrapped(part.get("description", "")), "", *_table(part), ""]
    return "\n".join([*lines, *_answers(parts), *_matchers(rule)]).rstrip() + "\n"


def _table(part: Schema) -> Iterator[str]:
    yield from ("| key | value | default | |", "| --- | --- | --- | --- |")
    required = part.get("required", [])
    for key, schema in part["properties"].items():
        default = "required" if key in required else _default(schema)
        yield f"| `{key}` | {_cell(_kind(schema))} | {default} | {_cell(schema.get('description', ''))} |"


def _default(schema: Schema) -> str:
    value = schema.get("default")
    return "" if value in (None, {}, [], "") else f"`{json.dumps(value, ensure_ascii=False)}`"


def _kind(schema: Schema) -> str:
    """What may stand there, in words."""
    for key in ("anyOf", "allOf"):
        if key in schema:
            kinds = dict.fromkeys(_kind(one) for one in schema[key] if one.get("type") != "null")
            return " or ".join(kinds)
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return "value or matcher" if name == "Rule" else "object"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(one).strip(chr(34))}`" for one in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    kind: str | list[str] = schema.get("type", "any value")
    if kind == "array":
        inner = _kind(schema.get("items", {}))
        return f"list of {inner}s" if " " not in inner and "`" not in inner else f"list ({inner})"
    if isinstance(kind, list):
        return "text" if "boolean" in kind else " or ".join(one for one in kind if one != "null")
    return {"string": "text", "integer": "whole number", "boolean": "true or false"}.get(kind, kind)


def _answers(parts: Schema) -> Iterator[str]:
    yield from ("## `cases[].expect.answer`", "", "One of these forms; if a form lists a `type`, it is required.", "")
    yield from ("| type | keys |", "| --- | --- |")
    described: dict[str, str] = {}
    for form in parts["Expect"]["properties"]["answer"]["anyOf"]:
        if form.get("type") == "object":
            keys = form["properties"]
            described.update((key, schema.get("description", "")) for key, schema in keys.items())
            listed = ", ".join(
                f"**`{key}`**" if key in form.get("required", ()) else f"`{key}`" for key in keys if key != "type"
            )
            yield f"| {_kind(keys['type']) if 'type' in keys else ''} | {listed} |"
    yield from ("", "| key | |", "| --- | --- |")
    yield from (f"| `{key}` | {_cell(about)} |" for key, about in described.items())
    yield ""


def _matchers(rule: Schema) -> Iterator[str]:
    yield from (
        "## Matchers",
        "",
        "In `args`, `check` and `when`, a literal means type-safe equality: `75` equals `75.0`,",
    )
    yield from ("`true` is not `1`. A matcher must be alone in its object.", "", "| matcher | |", "| --- | --- |")
    for form in rule["anyOf"]:
        for name, schema in form.get("properties", {}).items():
            yield f"| `{name}` | {_cell(schema.get('description', ''))}{_keys(schema)} |"
    yield ""


def _keys(schema: Schema) -> str:
    """The keys of a matcher that is written as an object."""
    found = [form for form in schema.get("anyOf", ()) if "properties" in form]
    listed = [f"`{key}`: {_lower(about['description'])}" for form in found for key, about in form["properties"].items()]
    return f" As an object: {'; '.join(listed)}." if listed else ""


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")


PAGES = {"reference.md": of_commands, "suite.md": of_suites}


def undescribed() -> Iterator[str]:
    """Keys in the JSON schema without a description."""

    def look(schema: Any, path: str) -> Iterator[str]:
        if isinstance(schema, list):
            for one in schema:
                yield from look(one, path)
        elif isinstance(schema, dict):
            for key, one in schema.get("properties", {}).items():
                if "description" not in one:
                    yield f"{path}.{key}"
                yield from look(one, f"{path}.{key}")
            for key in ("items", "anyOf", "allOf", "additionalProperties"):
                yield from look(schema.get(key), path)

    whole = json.loads(api.read_schema())
    yield from look(whole, "suite")
    for name, part in whole["definitions"].items():
        yield from look(part, name)


if __name__ == "__main__":
    for name, made in PAGES.items():
        (DOCS / name).write_text(made(), encoding="utf-8")
