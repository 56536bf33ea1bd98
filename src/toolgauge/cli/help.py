"""`toolgauge help`: what there is, or what a command takes."""

from __future__ import annotations

import sys

import click

from toolgauge.errors import UsageError, did_you_mean

from . import COMMANDS, call, general_help

__all__ = ["command"]


@click.command()
@click.argument(
    "names", nargs=-1, metavar="[COMMAND]", shell_complete=lambda _context, _argument, begun: _beginning(begun)
)
def command(names: tuple[str, ...]) -> int:
    """Show what toolgauge can do, or the arguments and options of COMMAND.

    \b
    toolgauge help
    toolgauge help score
    toolgauge help runs export
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    if not names:
        sys.stdout.write(general_help() + "\n")
        return 0
    if names[0] not in COMMANDS:
        hint = did_you_mean(names[0], list(COMMANDS)) or "toolgauge help lists them"
        raise UsageError(f"there is no command {names[0]!r}; {hint}")
    return call(names[0], [*names[1:], "--help"])


def _beginning(begun: str) -> list[str]:
    return [name for name in COMMANDS if name.startswith(begun)]
