"""The command line: finds the command that is asked for, runs it, and turns errors into messages and exit codes.

Commands are imported when they are called, and `--help` imports nothing at all.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # see toolgauge/__init__.py
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["COMMANDS", "main"]

COMMANDS = {
    "score": "Score recorded traces against a suite, and compare agents.",
    "report": "Draw the report of a run file again, or show one case.",
    "init": "Write a starter suite with a few traces to score.",
}
"""Each command with its one-line description; its code is the `command` of the module of that name."""

INTERNAL_ERROR = 70
"""Exit code for a fault of toolgauge itself, apart from those that scripts rely on."""


def main() -> NoReturn:
    """Run the command line and exit."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        _leave(_help(), 0)
    if arguments[0] == "--version":
        from importlib.metadata import version

        _leave(f"toolgauge {version('toolgauge')}", 0)
    name, *rest = arguments
    debug = "--debug" in rest
    try:
        code = _run(name, [argument for argument in rest if argument != "--debug"])
    except KeyboardInterrupt:
        _complain("interrupted")
        code = 130
    except BrokenPipeError:
        # Whoever read the output has seen enough; keep the interpreter from complaining about it at exit.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        if debug:
            raise
        code = _explain(error)
    sys.exit(code)


def _run(name: str, arguments: list[str]) -> int:
    if name not in COMMANDS:
        from toolgauge.errors import did_you_mean

        _complain(f"there is no command {name!r}; {did_you_mean(name, list(COMMANDS))}")
        return 2
    from importlib import import_module

    import click

    command: click.Command = import_module(f".{name}", __name__).command
    try:
        outcome = command.main(args=arguments, prog_name=f"toolgauge {name}", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    return outcome if isinstance(outcome, int) else 0


def _explain(error: Exception) -> int:
    from toolgauge.errors import ToolgaugeError

    if isinstance(error, ToolgaugeError):
        _complain(str(error))
        return error.exit_code
    _complain(f"this is a fault of toolgauge: {type(error).__name__}: {error}\nRun it again with --debug to see where.")
    return INTERNAL_ERROR


def _complain(message: str) -> None:
    from toolgauge.report import visible

    lines = [visible(line) for line in message.splitlines()]
    sys.stderr.write("\n".join([f"Error: {lines[0] if lines else ''}", *lines[1:]]) + "\n")


def _leave(text: str, code: int) -> NoReturn:
    sys.stdout.write(text + "\n")
    sys.exit(code)


def _help() -> str:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:<{width}}  {description}" for name, description in COMMANDS.items())
    return f"""Usage: toolgauge COMMAND [ARGUMENTS]

Measure how well LLM agents use their tools, and whether their answers are right.

Commands:
{listed}

Options:
  --version  Show the version.
  --debug    With a command: show where an error comes from.
  --help     Show this, or with a command its arguments and options.

Try: toolgauge init demo && toolgauge score demo/suite.yaml demo/traces.jsonl"""
