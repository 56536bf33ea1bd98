"""The command line: finds the command that is asked for, runs it, and turns errors into messages and exit codes.

Commands are imported when they are called, and `--help` imports nothing at all.
"""

from __future__ import annotations

import errno
import os
import sys
import time

from .streams import drop_output, hide_in_messages, messages, open_streams, regain_streams

TYPE_CHECKING = False  # see toolgauge/__init__.py
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import NoReturn

__all__ = ["COMMANDS", "call", "complain", "general_help", "main"]

COMMANDS = {
    "demo": "Compare four agents on a shipped benchmark, without a key or a network.",
    "score": "Score recorded traces against a suite.",
    "run": "Run agents on a suite, record what they do, and score it.",
    "merge": "Merge the parts that score --shard wrote into one run.",
    "convert": "Convert traces of any supported format to the native one.",
    "report": "Show the report of a run, or a single case of it.",
    "view": "View runs in a browser, even while they are in progress.",
    "watch": "Watch agents in production and suites over time, and raise alarms.",
    "compare": "Test which differences between agents are significant.",
    "gate": "Fail if a run misses its limits or is worse than a baseline.",
    "baseline": "Choose the run that later runs are compared with.",
    "diagnose": "Find patterns in the failures, and suggest what to change.",
    "runs": "List, show, review, export, import, copy, delete and salvage stored runs.",
    "export": "Send the scores of a run to where its traces are, or write them as a table.",
    "cases": "Add failures to a suite file as cases for you to review.",
    "lint": "Find mistakes in a suite: contradictions with its tools or itself.",
    "answers": "Measure how well the scoring of typed answers agrees with human verdicts.",
    "infoseek": "Score answers as the published InfoSeek evaluator does.",
    "init": "Create a starter suite with a few traces to score.",
    "schema": "Print the JSON schema of suites.",
    "completion": "Print a script that completes commands and options in a shell.",
    "help": "Show this help, or that of a command.",
}
"""Each command with its one-line description; its code is the `command` of the module of that name."""

INTERNAL_ERROR = 70
"""Exit code for a fault of toolgauge itself, apart from those that scripts rely on."""

INTERRUPTED = 130
"""Exit code where Ctrl-C ended the command."""

TERMINATED = 143
"""Exit code where the process was asked to end."""


LANGUAGE_OPTION = "--lang"

SPEAKING = "toolgauge.catalogue.speaking"
"""What knows other languages; not imported where English is spoken, which needs none of it."""

LEFT_SECONDS = 5.0
"""How long the end may take that code under test has prepared, such as sending what it has recorded."""

SHOWN = 100
"""So much of a name is shown that is too long for a file."""

COMPLETE = "_TOOLGAUGE_COMPLETE"
"""The variable by which the script of a shell asks what a line can be completed to."""


class _Terminated(BaseException):
    """Somebody asked the process to end."""

    from_outside = True  # for `toolgauge.core.is_interrupt`: no code under test raised it


def main() -> NoReturn:
    """Run the command line and exit."""
    open_streams()
    arguments = sys.argv[1:]
    if COMPLETE in os.environ:
        from .completion import complete

        sys.exit(complete(os.environ[COMPLETE]))
    debug = "--debug" in arguments
    _hide_credentials(arguments)
    try:
        code = _run([argument for argument in arguments if argument != "--debug"])
        regain_streams()
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("interrupted")
        code = INTERRUPTED
    except _Terminated:
        complain("terminated")
        code = TERMINATED
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        drop_output()
        code = 0
    except Exception as error:  # noqa: BLE001 - the last place where it can be put into words
        if debug:
            import traceback

            traceback.print_exc()
        code = _explain(error)
    _write_the_rest()
    if regain_streams():
        _end_in_time(code)
    sys.exit(code)


def _hide_credentials(arguments: list[str]) -> None:
    """Let no message repeat a password that was typed or that the environment holds: messages end in logs of others."""

    def find() -> Mapping[str, str]:
        from toolgauge.api import hidden_in_messages  # most commands have nothing to say

        return hidden_in_messages(arguments)

    hide_in_messages(find)


def _write_the_rest() -> None:
    """Write what an error left behind, or let it go: the exit code says already what became of it."""
    regain_streams()
    try:
        sys.stdout.flush()
    except OSError:
        drop_output()


def _end_in_time(code: int) -> None:
    """Give what code under test has left behind, such as threads and handlers, a moment to end, and then end anyway."""
    import threading

    def end() -> None:
        threading.main_thread().join()  # until the program is over: who calls `main` from Python may go on
        time.sleep(LEFT_SECONDS)
        os._exit(code)

    threading.Thread(target=end, daemon=True).start()


def _run(arguments: list[str]) -> int:
    arguments = _choose_language(arguments)
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.stdout.write(general_help() + "\n")
        return 0
    name, *rest = arguments
    if name == "--version":
        from toolgauge.version import VERSION

        sys.stdout.write(f"toolgauge {VERSION}\n")
        return 0
    if name not in COMMANDS:
        from toolgauge.errors import did_you_mean

        hint = did_you_mean(name, list(COMMANDS)) or "toolgauge --help lists them"
        complain(f"there is no command {name!r}; {hint}")
        return 2
    return call(name, rest)


def _choose_language(arguments: list[str]) -> list[str]:
    """Speak the language that an option names; one before the command is moved behind it, where commands look for it.

    Raises:
        UsageError: There is no such language, and no command that would say so.
    """
    before: list[str] = []
    while arguments and arguments[0].partition("=")[0] == LANGUAGE_OPTION:
        size = 1 if "=" in arguments[0] else 2
        before, arguments = [*before, *arguments[:size]], arguments[size:]
    is_command = bool(arguments) and arguments[0] in COMMANDS
    named = list(_languages([*before, *arguments]))
    if named or not _is_english() or SPEAKING in sys.modules:
        from toolgauge.catalogue import LANGUAGES, words_of
        from toolgauge.catalogue.speaking import speak

        speak(None)
        for value in named:
            if value in LANGUAGES or not is_command:
                speak(words_of(value).lang)
    return [arguments[0], *before, *arguments[1:]] if is_command else arguments


def _is_english() -> bool:
    """Whether the environment asks for no other language; then nothing has to be imported to speak."""
    told = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "C")
    return told.partition(".")[0].partition("_")[0].lower() in ("c", "posix", "en")


def _languages(arguments: list[str]) -> Iterator[str]:
    """The values of an option that every command has, wherever it stands."""
    for option, value in zip(arguments, [*arguments, ""][1:], strict=True):
        name, equals, attached = option.partition("=")
        if option == "--":
            return
        if name == LANGUAGE_OPTION:
            yield attached if equals else value


def call(name: str, arguments: list[str]) -> int:
    """Run a command. What click would do about signals and closed pipes is done by `main`."""
    import signal
    from importlib import import_module

    signal.signal(signal.SIGTERM, _terminate)
    import click

    from toolgauge.catalogue.speaking import say

    from .speaking import HELP_NAMES, click_speaking, prepared

    with click_speaking():
        command = prepared(import_module(f".{name}", __name__).command)
        try:
            with command.make_context(f"toolgauge {name}", arguments, help_option_names=HELP_NAMES) as context:
                outcome = command.invoke(context)
        except click.exceptions.Exit as done:
            return done.exit_code
        except click.Abort:
            # Somebody was asked, and did not want it.
            return INTERRUPTED
        except click.ClickException as error:
            vars(error)["message"] = say(error.message)  # click says that nobody changes it
            error.show()
            return error.exit_code
    return outcome if isinstance(outcome, int) else 0


def _terminate(*_: object) -> NoReturn:
    raise _Terminated


def _is_text(argument: str) -> bool:
    """Whether an argument came as UTF-8."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True


def _explain(error: Exception) -> int:
    from toolgauge.errors import OutputError, ToolgaugeError, UsageError

    if isinstance(error, ToolgaugeError):
        complain(str(error))
        return error.exit_code
    if isinstance(error, OSError) and error.filename is None:
        # Files are read and written by those who name them in their errors; what is left is what was printed.
        complain(f"standard output could not be written: {error.strerror or error}")
        return OutputError.exit_code
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        # Whoever only looks whether a file is there does not expect it.
        complain(f"{os.fsdecode(error.filename)[:SHOWN]} ...: the name is too long")
        return UsageError.exit_code
    odd = next((argument for argument in sys.argv[1:] if not _is_text(argument)), None)
    if isinstance(error, UnicodeEncodeError) and odd is not None:
        # Files may be named so; what is stored or sent may not.
        complain(f"{odd.encode('utf-8', 'surrogateescape')!r} is not UTF-8; use a name in UTF-8")
        return UsageError.exit_code
    complain(
        f"internal error: {type(error).__name__}: {error}\nRun the command again with --debug to see the traceback."
    )
    return INTERNAL_ERROR


def complain(message: str) -> None:
    """Print an error, in the language that is spoken, with what comes from data made harmless."""
    from toolgauge.catalogue.speaking import say
    from toolgauge.report import visible

    lines = [visible(line) for line in say(message).splitlines()]
    messages().write("\n".join([f"{say('Error:')} {lines[0] if lines else ''}", *lines[1:]]) + "\n")


def general_help() -> str:
    """What there is, in the language that is spoken."""

    def say(text: str) -> str:
        return sys.modules[SPEAKING].say(text) if SPEAKING in sys.modules else text

    options = {
        "--version": "Show the version.",
        "--debug": "Show the traceback of an error; goes before or after a command.",
        "--lang": "Language of the output, en or vi; goes before or after a command.",
        "--help": "Show this help, or the arguments and options of a command.",
    }
    width = max(map(len, COMMANDS))
    commands = "\n".join(f"  {name:<{width}}  {say(description)}" for name, description in COMMANDS.items())
    listed = "\n".join(f"  {name:<{width}}  {say(description)}" for name, description in options.items())
    return f"""{say("Usage: toolgauge COMMAND [ARGUMENTS]")}

{say("Measure how well LLM agents use their tools, and whether their answers are right.")}

{say("Commands:")}
{commands}

{say("Options:")}
{listed}

{say("Try: toolgauge init demo && toolgauge score demo/suite.yaml demo/traces.jsonl")}"""
