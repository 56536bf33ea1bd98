"""Commands with odd values of their options and arguments; what they are is read from the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from random import Random

import click

from toolgauge.cli import COMMANDS

from .jobs import Job
from .seeds import seeds

__all__ = ["option_job"]

VALUES = (
    *(
        "",
        " ",
        "-",
        ".",
        "0",
        "-1",
        "1",
        "2",
        "nan",
        "inf",
        "-inf",
        "1e999",
        "1e-400",
        "99999999999999999999",
        "0x10",
        "1_0",
    ),
    *(
        "é",
        "\udcff",
        "\x1b[2J",
        "x" * 300,
        "x" * 5000,
        "y/" * 3000 + "z",
        "{",
        "[",
        "[a",
        "(",
        "*",
        "**",
        "?",
        "%s",
    ),
    *("=", "a=", "=a", "a=b=c", ",", "a,b", ":", "a:b", "a:b:c", "1/0", "0/0", "3/2", "1/1", "-1/2", "1/99999999999"),
    *(
        "latest",
        "@latest",
        "first@latest",
        "first",
        "none",
        "suite.yaml",
        "a.run.jsonl",
        "runs.db",
        "traces.jsonl",
        "sub",
    ),
    *(
        "http://",
        "http://[::1",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:1",
        "http://u:p@127.0.0.1:1/x?y#z",
        "127.0.0.1",
    ),
    *(
        "sqlite://",
        "sqlite:///",
        "sqlite:///x.db",
        "postgresql://",
        "postgresql://u:p@127.0.0.1:1/x",
        "x://y",
        "file:///x",
    ),
    *("json", "text", "html", "en", "vi", "fr", "auto", "input", "tools", "react", "openai:", ":x", "local:lexical"),
    *(
        "22:00-07:00",
        "25:00-1:00",
        "6h",
        "0s",
        "1e9d",
        "-5m",
        "a: b",
        "A\nB: c",
        "f1[difficulty=hard]=0.7",
        "f1=nan",
        "f1=2",
    ),
)
"""A half of a surrogate pair that stands for no byte is not among them: no shell can hand it over."""

FORBIDDEN = {"allow_code", "help", "mcp", "alarm_channels", "channels", "alarm"}
"""What runs commands or imports modules that somebody names, which is what it is for."""

BASES = {
    "score": ("suite.yaml", "traces.jsonl"),
    "run": ("suite.yaml", "--model", "local:lexical", "--store", "runs.db", "--limit-seconds", "5"),
    "convert": ("traces.jsonl",),
    "report": ("a.run.jsonl",),
    "compare": ("a.run.jsonl",),
    "gate": ("a.run.jsonl",),
    "diagnose": ("a.run.jsonl",),
    "lint": ("suite.yaml",),
    "infoseek": ("predictions.jsonl", "references.jsonl"),
    "init": ("new",),
    "merge": ("1.part", "2.part"),
    "export": ("a.run.jsonl", "--to", "otel", "--endpoint", "http://127.0.0.1:1"),
    "watch": ("--follow", "traces.jsonl", "--once", "--state", "watch.db"),
    "view": ("--no-browser", "--port", "0", "--store", "runs.db"),
    "runs": (),
    "baseline": (),
    "cases": (),
    "answers": (),
    "completion": ("bash",),
    "schema": (),
    "help": (),
    "demo": ("--store", "runs.db"),
}
SERVING = ("view",)
SELDOM = {"view": 0.02, "demo": 0.01, "watch": 0.3}
"""Commands that take long are not tried as often as others."""


@cache
def _commands() -> tuple[tuple[tuple[str, ...], click.Command], ...]:
    """Every command with the words that call it."""
    return tuple(
        found for name in COMMANDS for found in _with_parts((name,), import_module(f"toolgauge.cli.{name}").command)
    )


def _with_parts(words: tuple[str, ...], command: click.Command) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if isinstance(command, click.Group):
        for name, part in command.commands.items():
            yield from _with_parts((*words, name), part)
    else:
        yield words, command


def option_job(dice: Random) -> Job:
    """A command that is called in a usual way, but for one to three options or arguments."""
    while True:
        words, command = dice.choice(_commands())
        if dice.random() < SELDOM.get(words[0], 1.0):
            break
    given = list(BASES[words[0]]) if len(words) == 1 else []
    options = [one for one in command.params if isinstance(one, click.Option) and one.name not in FORBIDDEN]
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    if len(words) > 1:
        given = [_value(dice) if dice.random() < 0.5 else "latest" for _ in arguments]
        given += ["--store", "runs.db"] if any("--store" in one.opts for one in options) else []
    for option in dice.sample(options, min(len(options), dice.choice((1, 1, 2, 3)))):
        name = dice.choice([*option.opts, *option.secondary_opts])
        given += [name] if option.is_flag or option.count else [name, _value(dice)]
    if arguments and dice.random() < 0.3 and given:
        given[dice.randrange(min(2, len(given)))] = _value(dice)
    return Job(arguments=(*words, *given), files=_files(), interrupt=words[0] in SERVING)


def _value(dice: Random) -> str:
    return dice.choice(VALUES)


@cache
def _files() -> dict[str, bytes]:
    made = seeds()
    return {
        "suite.yaml": made.suites["weather-suite.yaml"],
        "traces.jsonl": made.traces["traces.jsonl"],
        "a.run.jsonl": made.run_file,
        "runs.db": made.store,
        "1.part": made.parts[0],
        "2.part": made.parts[1],
        "predictions.jsonl": made.infoseek["predictions.jsonl"],
        "references.jsonl": made.infoseek["references.jsonl"],
        "sub/x": b"",
    }
