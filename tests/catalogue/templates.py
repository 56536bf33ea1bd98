"""The messages that stand in the code, as templates: what a language other than English has to have words for.

A template is the text of a string in the code, with `{0}`, `{1}` where values go, and `{0!r}` where they go quoted.
Whatever reads like words is taken for a message, unless it is known to be something else: rather one too many.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter

import click

import toolgauge
from toolgauge.catalogue import words_of
from toolgauge.cli import COMMANDS

PACKAGE = Path(toolgauge.__file__).parent

NO_MESSAGES = (
    "locale/",  # words that are read in answers
    "answers/evidence/cues.py",
    "answers/names/cues.py",
    "answers/names/offices.py",
    "answers/names/roles.py",
    "answers/names/words.py",
    "answers/yes_no/opposites.py",
    "answers/names/place.py",
    "answers/yes_no/measures.py",
    "answers/yes_no/outright.py",
    "answers/yes_no/polar.py",
    "answers/question.py",
    "answers/yes_no/subjects.py",
    "answers/evidence/weights.py",  # what rules look at, for the page that is made of it
    "benchmarks/vn_finance/",  # tools that speak to agents, and their data
    "benchmarks/weather/",
    "models/lexical",  # words that are looked for in questions
    "agents/prompts",  # what models read
    "agents/prompting.py",
    "agents/textual.py",
    "traces/formats/bfcl_decoding.py",  # names of handlers, and why these find no call
    "pytest_plugin/",  # what pytest prints is English
    "tooleval/",  # the door for code written in Python
    "stats/",
    "suites/schema.py",  # descriptions in the JSON schema
    "report/html.py",
    "report/latex.py",
    "report/junit.py",
    "report/terminal.py",
    "store/postgres/queries.py",
    "testing.py",
    "lazy.py",
    "viewer/app.py",  # answers for scripts of pages, which have their own words
    "viewer/events.py",
    "viewer/guard.py",
    "viewer/pages.py",
    "viewer/watching.py",
    "viewer/query.py",
    "watch/committing.py",  # what programs are answered that send traces
    "watch/otlp.py",
    "watch/receiver.py",
    "watch/prometheus.py",
    "watch/measures.py",  # names of series and of kinds of errors, which are data
    "watch/opinions.py",
    "watch/watcher.py",
    "web/refusing.py",
)
"""Modules without words for those who use the command line, and why."""

NO_WORDS = re.compile(
    r"^(?:re\.|word_set|folded_set|scale_words|counted_from_one|lazy_exports|frozenset|Matcher|RelativeForm|NumberWords|Numbers"
    r"|threading\.Thread|hashlib)|\.(?:execute|executemany|executescript|split|startswith|endswith|removeprefix"
    r"|removesuffix|partition|rpartition|encode|setdefault|get|known)$"
)
"""Calls whose arguments are not shown to anybody."""

CODE = re.compile(
    r"\b(?:SELECT|INSERT|CREATE|DELETE FROM|UPDATE|PRAGMA|DROP|BEGIN|COALESCE|ORDER BY|ROLLBACK)\b"
    r"|</?\w+[ >]|^%|^::|^Bearer |^toolgauge (?:\w+ .*--|\w+ demo@|\{)|^--[a-z-]+ \{0\}(?: --[a-z-]+ \{1\})?$"
    r"|^\^|^\(\?:|^[a-z]\w*(?:\.\w+)+ |^\w+, \w+_\w+,|^pid, |^\w+ all_messages|\|\w+\|"
)
"""Texts in another language: SQL, HTML, LaTeX, regular expressions, commands, names of attributes."""

RULES = [key.removeprefix("rule.") for key in words_of("en").catalogue if key.startswith("rule.")]
"""The names of the rules that find answers, whose words are in the catalogue."""

DATA = frozenset(
    {
        *RULES,
        # headings of tables
        "dung sai", "tools used", "retrieval context", "source file", "token cost", "input token count",
        "output token count", "additional metadata", "custom column key values",
        "answer text", "human verdict",
        # what other programs write
        "Error during inference:", "Final result processed.", "Tool not executed -", "Output tool not used -",
        "provider returned invalid response", "field larger than", "API output:",
        # handed to agents and kept in trajectories, or given to other programs
        "{0} weeks ago", "{0} weeks from now", "StopIteration: {0}",
        # descriptions in the JSON schema
        "toolgauge suite", "The value itself, or a matcher, which starts with $.",
        # names of attributes
        "metadata case case_id case.id test_case_id test_case task_id sample_id example_id question_id",
    }
)  # fmt: skip
"""Texts that are compared with others, or are read by programs."""

HEADING = 4
"""So many words in Vietnamese are the heading of a column, or a word that is looked for."""

MOST_WORDS = 30
"""A list of so many words without any punctuation is no sentence."""

SAID = ("say", "tell", "complain")
"""What prints its argument: these are messages however short they are."""

WORDS = re.compile(r"\b[A-Za-z-]{2,}[,;:.)]? (?:[a-z{(-]|\d)|[}\d] [a-z]{2,}|\b[a-z]{2,}: ?\{|^an? [a-z]{2,}")

COMPOSED = (
    "{0} and {1} more",
    "in line {0}",
    "in record {0}",
    "in sample {0}",
    "local:lexical is a baseline that compares words, not a language model",
)
"""Templates that several strings of the code make together, or that stand among words for models."""

SHORT = 6
"""Templates with fewer letters of their own fit anything."""

Parents = dict[ast.AST, ast.AST]


def is_string(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return is_string(node.left) or is_string(node.right)
    return isinstance(node, ast.JoinedStr)


def parts(node: ast.AST) -> list[list[str | ast.AST]]:
    """What a string is made of, texts and values. Where a part may be empty there are two of them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [[node.value]]
    if isinstance(node, ast.JoinedStr):
        return joined([parts(value) for value in node.values])
    if isinstance(node, ast.BinOp) and is_string(node):
        return joined([parts(node.left), parts(node.right)])
    inner = node.value if isinstance(node, ast.FormattedValue) else node
    if isinstance(inner, ast.IfExp) and "" in (constant(inner.body), constant(inner.orelse)):
        return [*parts(inner.body), *parts(inner.orelse)]
    return [[node]]


def joined(pieces: list[list[list[str | ast.AST]]]) -> list[list[str | ast.AST]]:
    found: list[list[str | ast.AST]] = [[]]
    for piece in pieces:
        found = [[*before, *after] for before in found for after in piece]
    return found


def constant(node: ast.AST) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def templates(node: ast.AST) -> Iterator[str]:
    for found in parts(node):
        text = ""
        number = 0
        for part in found:
            if isinstance(part, str):
                text += part.replace("{", "{{").replace("}", "}}")
            else:
                quoted = isinstance(part, ast.FormattedValue) and part.conversion == ord("r")
                text += f"{{{number}!r}}" if quoted else f"{{{number}}}"
                number += 1
        yield text


def is_command(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and any(
        re.search(r"\.(command|group)\b", ast.unparse(one)) for one in node.decorator_list
    )


def of_docstring(text: str) -> Iterator[str]:
    """The paragraphs of a command's description; examples, behind a control character, are the same in all."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if not paragraph.startswith("\b"):
            yield " ".join(paragraph.split())


def ignored(node: ast.AST, parents: Parents) -> bool:
    """Whether a string goes where nobody reads it."""
    child = node
    while child in parents and not isinstance(child, ast.stmt):
        parent = parents[child]
        if isinstance(parent, ast.Call) and child is not parent.func and NO_WORDS.search(ast.unparse(parent.func)):
            return True
        if isinstance(parent, ast.Compare | ast.Subscript | ast.Assert):
            return True
        child = parent
    if isinstance(child, ast.Assign) and ast.unparse(child.targets[0]) == "ANSWER_KEYS":
        return True  # descriptions in the JSON schema
    return isinstance(child, ast.Assert) or (isinstance(child, ast.Raise) and "AssertionError" in ast.unparse(child))


def of_module(source: str) -> Iterator[str]:
    """The templates in the code of a module."""
    tree = ast.parse(source)
    parents: Parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if is_command(node) and (text := ast.get_docstring(node, clean=False)):  # type: ignore[arg-type]
            yield from of_docstring(text)
        if not is_string(node) or isinstance(parents[node], ast.Expr):
            continue
        above = parents[node]
        if isinstance(above, ast.JoinedStr) or is_string(above) or ignored(node, parents):
            continue
        said = isinstance(above, ast.Call) and isinstance(above.func, ast.Name) and above.func.id in SAID
        if isinstance(above, ast.IfExp) and isinstance(above.orelse, ast.JoinedStr):
            said = any(is_message(text.strip()) for text in templates(above.orelse))
        for text in map(str.strip, templates(node)):
            if is_message(text) or (said and re.search("[a-z]", text)):
                yield text


def is_message(text: str) -> bool:
    """Whether a text is made of words that people read."""
    if not WORDS.search(text) or CODE.search(text) or text in DATA:
        return False
    if re.search("[à-ỹđ]", text) and len(text.split()) <= HEADING:
        return False
    return len(text.split()) < MOST_WORDS or re.search(r"[.,;]", text) is not None


@cache
def of_code() -> dict[str, str]:
    """Every template with the module where it stands first."""
    found = dict.fromkeys(COMPOSED, "")
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(NO_MESSAGES):
            for template in of_module(path.read_text(encoding="utf-8")):
                found.setdefault(template, name)
    return found


@cache
def of_click() -> tuple[str, ...]:
    """What click itself says: the arguments of its calls of gettext."""
    found: dict[str, None] = {}
    for name in ("core", "decorators", "exceptions", "formatting", "parser", "types"):
        tree = ast.parse((Path(click.__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("_", "ngettext"):
                found.update((text, None) for one in node.args if isinstance(text := constant(one), str))
    return tuple(found)


def command_names() -> list[str]:
    """Every command and sub-command."""
    found = []
    for name in COMMANDS:
        command = import_module(f"toolgauge.cli.{name}").command
        inner = sorted(command.commands) if isinstance(command, click.Group) else []
        found += [name, *(f"{name} {one}" for one in inner)]
    return found


@cache
def _patterns() -> list[re.Pattern[str]]:
    found = []
    for template in [*of_code(), *(text.removeprefix("; ") for text in of_code() if text.startswith("; "))]:
        parts = [
            re.escape(literal) + ("" if name is None else "(?:'[^']*')" if conversion == "r" else ".+?")
            for literal, name, _, conversion in Formatter().parse(template)
        ]
        if sum(len(literal) for literal, *_ in Formatter().parse(template)) > SHORT:
            found.append(re.compile("".join(parts)))
    return found


def made_of_templates(message: str) -> bool:
    """Whether a message, without the place that it begins with, can be made by the code: each of its sentences."""
    if any(pattern.fullmatch(message) for pattern in _patterns()):
        return True
    for separator in ("; ", ": ", ", at ", " ("):
        at = message.find(separator)
        while at >= 0:
            head, tail = message[:at], message[at + len(separator) :].rstrip(")" if separator == " (" else "")
            is_place = separator == ": " and re.fullmatch(r"[\w./-]+(?::\d+)*", head)
            is_path = separator == ", at " and re.fullmatch(r"[\w.\[\]]+(?:;.*)?", tail)
            if (is_place or made_of_templates(head)) and (is_path or made_of_templates(tail)):
                return True
            at = message.find(separator, at + 1)
    return False
