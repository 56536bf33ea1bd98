"""The words of click in the language that is spoken: its own, and those of our commands that it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from importlib import import_module
from inspect import cleandoc

import click

from toolgauge.catalogue import DEFAULT, LANGUAGES
from toolgauge.catalogue.speaking import click_words, say, spoken

__all__ = ["HELP_NAMES", "click_speaking", "prepared"]

HELP_NAMES = ["--help", "-h"]

SPEAKING = ("core", "decorators", "exceptions", "formatting", "parser", "types")
"""The modules of click that say something; each asks gettext by names of its own."""


def prepared(command: click.Command) -> click.Command:
    """The command with `--lang`, wherever it is given, and with its help in the language that is spoken."""
    made = copy(command)
    made.params = [_translated(parameter) for parameter in command.params]
    if not any(parameter.name == "lang" for parameter in command.params):
        # What it is was settled by `main`; here it is only understood.
        described = say("Language of messages; default: that of the locale.")
        choice = click.Choice(LANGUAGES)
        made.params.append(click.Option(["--lang"], type=choice, expose_value=False, help=described))
    made.help = _described(command.help)
    if isinstance(command, click.Group) and isinstance(made, click.Group):
        made.commands = {name: prepared(inner) for name, inner in command.commands.items()}
    return made


def _translated(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help or spoken() == DEFAULT:
        return parameter
    made = copy(parameter)
    made.help = say(parameter.help)
    return made


def _described(text: str | None) -> str | None:
    """A description, paragraph by paragraph; what is not to be wrapped are commands, which stay as they are."""
    if text is None or spoken() == DEFAULT:
        return text
    paragraphs = cleandoc(text).split("\n\n")
    return "\n\n".join(one if one.startswith("\b") else say(" ".join(one.split())) for one in paragraphs)


@contextmanager
def click_speaking() -> Iterator[None]:
    """Have click ask us for its words, where it would ask gettext for them."""
    words = click_words(spoken())

    def one(text: str) -> str:
        return words.get(text, text)

    def counted(singular: str, plural: str, number: int) -> str:
        return one(singular if number == 1 else plural)

    functions: dict[str, Callable[..., str]] = {"_": one, "ngettext": counted}
    before = []
    for module in (import_module(f"click.{name}") for name in SPEAKING if words):
        for asked, function in functions.items():
            if hasattr(module, asked):
                before.append((module, asked, getattr(module, asked)))
                setattr(module, asked, function)
    try:
        yield
    finally:
        for module, asked, function in before:
            setattr(module, asked, function)
