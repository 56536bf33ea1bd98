"""The shape of matchers: which there are, and what may stand in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolgauge.core import JsonValue
from toolgauge.errors import did_you_mean
from toolgauge.files import Fault, Path, shorten

__all__ = ["MATCHERS", "check_matcher"]


def check_matcher(value: JsonValue, path: Path) -> Iterator[Fault]:
    """Everything wrong with the matchers in an expected value, however deep they stand.

    A literal may hold lists and objects, but a key that starts with `$` is never part of a literal: its object has to
    be a known matcher, with that one key.
    """
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from check_matcher(item, (*path, index))
    elif isinstance(value, dict):
        name = next((key for key in value if key.startswith("$")), None)
        if name is None:
            for key, item in value.items():
                yield from check_matcher(item, (*path, key))
        elif name not in MATCHERS:
            hint = did_you_mean(name, list(MATCHERS))
            yield Fault((*path, name), f"{shorten(name)} is not a matcher of this version", hint, at_key=True)
        elif len(value) > 1:
            other = next(key for key in value if key != name)
            what = f"a matcher stands alone in its object, but {shorten(other)} is beside {name!r}"
            yield Fault((*path, other), what, at_key=True)
        else:
            yield from MATCHERS[name](value[name], (*path, name))


def _check_any(value: JsonValue, path: Path) -> Iterator[Fault]:
    if value is not True and value is not None and value != {}:
        yield Fault(path, "'$any' takes nothing", "write {$any: true}")


def _check_one_of(value: JsonValue, path: Path) -> Iterator[Fault]:
    if not isinstance(value, list) or not value:
        yield Fault(path, "'$one_of' takes a list with at least one value")
        return
    yield from check_matcher(value, path)


MATCHERS: dict[str, Callable[[JsonValue, Path], Iterator[Fault]]] = {
    "$any": _check_any,
    "$one_of": _check_one_of,
}
"""Every matcher by its name, with what checks its shape."""
