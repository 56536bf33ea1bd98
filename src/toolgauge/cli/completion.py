"""`toolgauge completion`: commands, options and files, completed by the shell."""

from __future__ import annotations

import sys
from importlib import import_module

import click
from click.shell_completion import BashComplete, CompletionItem, FishComplete, ShellComplete, ZshComplete

from toolgauge.catalogue.speaking import say

from . import COMMANDS, COMPLETE
from .speaking import HELP_NAMES, prepared

__all__ = ["command", "complete"]

PROGRAM = "toolgauge"

SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}

FILES = ("FILE", "SUITE", "TRACES", "ANSWERS", "RUN", "PREDICTIONS", "REFERENCES", "DIRECTORY", "NEW", "DAMAGED")
"""Words by which options and arguments say that they take files."""


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)))
def command(shell: str) -> int:
    """Print a script that completes commands, options and files in SHELL.

    \b
    toolgauge completion bash > ~/.local/share/bash-completion/completions/toolgauge
    toolgauge completion zsh > ~/.zfunc/_toolgauge
    toolgauge completion fish > ~/.config/fish/completions/toolgauge.fish
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    # The class itself would ask which version of the shell is installed here; the script is for wherever it goes.
    sys.stdout.write(ShellComplete.source(_completer(shell)) + "\n")
    return 0


def complete(asked: str) -> int:
    """Answer the script of a shell, which asks with `SHELL_complete`.

    Returns:
        An exit code.
    """
    shell, _, what = asked.partition("_")
    if shell not in SHELLS or what != "complete":
        return 1
    sys.stdout.write(_completer(shell).complete() + "\n")
    return 0


class _Commands(click.Group):
    """All commands, of which only the one that is written is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - the signature of click
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        if cmd_name not in COMMANDS:
            return None
        return _with_files(prepared(import_module(f".{cmd_name}", __package__).command))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        names = [
            CompletionItem(name, help=say(about)) for name, about in COMMANDS.items() if name.startswith(incomplete)
        ]
        return [*names, *click.Command.shell_complete(self, ctx, incomplete)]


def _completer(shell: str) -> ShellComplete:
    options = [click.Option(["--version"], is_flag=True), click.Option(["--debug"], is_flag=True)]
    program = prepared(_Commands(PROGRAM, params=[*options]))
    return SHELLS[shell](program, {"help_option_names": HELP_NAMES}, PROGRAM, COMPLETE)


def _with_files(found: click.Command) -> click.Command:
    """Have the names of files completed where one is wanted."""
    for parameter in found.params:
        words = f"{parameter.metavar or ''} {(parameter.name or '').upper()}"
        takes_files = any(word in words for word in FILES)
        if takes_files and isinstance(parameter.type, click.types.StringParamType):
            parameter.type = click.Path()
    if isinstance(found, click.Group):
        for inner in found.commands.values():
            _with_files(inner)
    return found
