"""Rules that are Python code, in words: a function has a name, and a lambda at least a line that it stands in."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ast

__all__ = ["name_rule"]

MAX_SOURCE = 100
"""How many characters of code are shown."""


def name_rule(rule: Callable[..., object]) -> str:
    """What a rule that is Python code is called: its name, or its code and where that is."""
    name = getattr(rule, "__name__", type(rule).__name__)
    code = getattr(rule, "__code__", None)
    if name != "<lambda>" or not isinstance(code, CodeType):
        return f"{name}()"
    place = f"{os.path.basename(code.co_filename)}:{code.co_firstlineno}"
    source = _source(code)
    return f"{source} ({place})" if source else f"a rule in Python at {place}"


@cache
def _source(code: CodeType) -> str:
    """The code of a lambda in one line; nothing where it cannot be told from others, or is nowhere to be read."""
    import ast  # few suites have rules like this
    import linecache

    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError, RecursionError):
        return ""
    names = code.co_varnames[: code.co_argcount]
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Lambda)
        and node.lineno == code.co_firstlineno
        and tuple(one.arg for one in (*node.args.posonlyargs, *node.args.args)) == names
    ]
    if len(found) > 1:
        found = [node for node in found if _bytecode(node) == (code.co_code, code.co_names)]
    text = " ".join(ast.unparse(found[0]).split()) if len({ast.dump(node) for node in found}) == 1 else ""
    return text if len(text) <= MAX_SOURCE else f"{text[: MAX_SOURCE - 1]}…"


def _bytecode(node: ast.Lambda) -> tuple[bytes, tuple[str, ...]]:
    import ast

    outer = compile(ast.Expression(node), "<rule>", "eval")
    (inner,) = [one for one in outer.co_consts if isinstance(one, CodeType)]
    return inner.co_code, inner.co_names
