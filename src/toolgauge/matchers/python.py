"""Rules that are Python code: how they are asked, and what they are called.

A rule says True or False of every value. One that says anything else, raises, or does not end, is a fault of the suite,
and says nothing about the agent whose value it was. In words, a function has a name, and a lambda at least a line that
it stands in.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING

from toolgauge.core import JsonValue, OutOfTime, copied, described, is_interrupt, quoted, time_limit

from .matcher import Earlier, Fits

if TYPE_CHECKING:
    import ast

__all__ = ["SuiteFault", "asking", "name_rule"]

MAX_SOURCE = 100
"""How many characters of code are shown."""


RULE_SECONDS = 10.0
"""How long a rule may take for one value."""


class SuiteFault(Exception):  # noqa: N818 - whose fault it is, is what it says
    """Code of a suite does not keep to what it is for. No trajectory can be judged by it."""


def asking(ask: Callable[[JsonValue], object]) -> Fits:
    """Asks a rule that is Python code; it gets a copy of the value.

    The rule that comes of it raises `SuiteFault` where the code raises, takes too long, or says anything but True or
    False.
    """

    def fits(value: JsonValue, _: Earlier) -> bool:
        try:
            with time_limit(RULE_SECONDS):
                said = ask(copied(value))
        except OutOfTime as error:
            raise SuiteFault(f"fault of the suite: the rule {name_rule(ask)} took over {RULE_SECONDS:g} s") from error
        except BaseException as error:
            if is_interrupt(error):
                raise
            raise SuiteFault(f"fault of the suite: the rule {name_rule(ask)} raised {described(error)}") from error
        if said is True or said is False:
            return said
        if type(said).__module__ == "numpy" and type(said).__name__ in ("bool", "bool_"):
            return bool(said)
        raise SuiteFault(
            f"fault of the suite: the rule {name_rule(ask)} returned {quoted(said)}, which is neither True nor False"
        )

    return fits


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
