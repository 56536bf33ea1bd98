"""`toolgauge run`: agents on the cases of a suite, each trajectory kept the moment it is finished."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import click

from toolgauge import api
from toolgauge.core import Limits
from toolgauge.errors import INCOMPLETE, StoreLost, UsageError
from toolgauge.report import ForecastDocument, visible

from . import INTERRUPTED, TERMINATED, complain
from .options import RUN, FiniteRange, Output, output_options, tell
from .progress import RunBar
from .sources import (
    by_option,
    details_option,
    failures_option,
    gathered,
    grounding_option,
    ray_address_option,
    scorer_failures,
    scorer_option,
    selection_options,
    store_option,
)
from .streams import divert_output, messages, regain_streams

__all__ = ["command"]

ENDINGS = {"interrupted": INTERRUPTED, "terminated": TERMINATED}

MAX_TRACES = 10
"""How many tracebacks --debug shows."""

NAMED = re.compile(r"(?P<name>[^=:/]+)=(?P<agent>.+)", re.S)


@click.command()
@click.argument("suite")
@click.option(
    "--agent",
    "agents",
    multiple=True,
    default=("tools",),
    show_default=True,
    metavar="[NAME=]AGENT[,...]",
    help="Agent to run: a name, module:object (with --allow-code), or an HTTP address; may be repeated.",
)
@click.option(
    "--agent-header",
    "agent_headers",
    multiple=True,
    metavar="'NAME: VALUE'",
    help="Header for agents at HTTP addresses; $VARIABLES are expanded, values are never shown; may be repeated.",
)
@click.option(
    "--agent-field", metavar="PATH", help="Path of the answer in the reply of an HTTP agent, such as data.answer."
)
@click.option(
    "--agent-conversation",
    metavar="NAME",
    help="Send HTTP agents a conversation id under this name, and record the one they return.",
)
@click.option("--model", metavar="MODEL", help="Model that agents use, such as anthropic:claude-haiku-4-5.")
@click.option("--base-url", metavar="URL", help="Address of the model API: any server that speaks its protocol.")
@click.option("--temperature", type=FiniteRange(0), help="Sampling temperature of the model.")
@click.option("--max-tokens", type=click.IntRange(1), help="Maximum number of tokens in a reply.")
@click.option("--prices", metavar="FILE", help="Prices of models, in dollars per million tokens (YAML or JSON).")
@click.option(
    "--max-cost", type=FiniteRange(0, min_open=True), help="Start no more cases after spending this many dollars."
)
@click.option("--estimate", is_flag=True, help="Estimate the tokens, time and cost of the run, and run nothing.")
@click.option(
    "--judge-model", metavar="MODEL", help="Model that judges answers, for cases with a rubric; default: --model."
)
@click.option(
    "--answer-model", metavar="MODEL", help="Model that points to the passage that answers the question; default: none."
)
@click.option(
    "--no-judge",
    is_flag=True,
    help="Ask neither a judge nor an answer model, even if cases have a rubric or say 'find: model'.",
)
@selection_options
@click.option(
    "--failed-of", metavar="RUN", help="Only cases that did not pass in RUN: a run in the store, or a run file."
)
@click.option("--trials", type=click.IntRange(1), default=1, show_default=True, help="How many times to run each case.")
@click.option(
    "--concurrency",
    type=click.IntRange(1, 10_000),
    default=8,
    show_default=True,
    help="How many cases to run at a time.",
)
@click.option(
    "--jobs",
    type=click.Choice(["ray"]),
    help="ray: run the cases on the workers of a Ray cluster. Default: in this process.",
)
@ray_address_option
@click.option(
    "--requests-per-minute",
    type=FiniteRange(0, min_open=True),
    help="Maximum requests per minute to each provider; with a team store, from all machines together.",
)
@click.option(
    "--tokens-per-minute",
    type=FiniteRange(0, min_open=True),
    help="Maximum tokens per minute, in and out, of each provider; with a team store, for all machines together.",
)
@click.option(
    "--concurrent-requests",
    type=click.IntRange(1),
    help="Maximum concurrent requests to each provider; with a team store, from all machines together.",
)
@click.option("--limit-turns", type=click.IntRange(1), help="Maximum turns per case; default: 20.")
@click.option("--limit-calls", type=click.IntRange(0), help="Maximum tool calls per case; default: 50.")
@click.option("--limit-seconds", type=FiniteRange(0, min_open=True), help="Maximum seconds per case; default: 120.")
@click.option("--limit-tokens", type=click.IntRange(1), help="Maximum tokens per case; default: 200000.")
@click.option("--call-seconds", type=FiniteRange(0, min_open=True), help="Maximum seconds per tool call; default: 30.")
@click.option("--tools", multiple=True, metavar="MODULE:OBJECT", help="Python functions as tools; needs --allow-code.")
@click.option("--isolate", is_flag=True, help="Run the functions of --tools in separate processes.")
@click.option("--isolate-agent", is_flag=True, help="Run agents of the form module:object in separate processes.")
@click.option(
    "--tool-memory", type=click.IntRange(16), metavar="MIB", help="Maximum memory of an isolated tool or agent."
)
@click.option(
    "--tool-env",
    multiple=True,
    metavar="NAME",
    help="Environment variable to pass to isolated tools and agents; may be repeated.",
)
@click.option("--mcp", multiple=True, metavar="COMMAND|URL", help="MCP server whose tools agents get; may be repeated.")
@click.option("--mock", is_flag=True, help="Mock the suite's tools that --tools and --mcp do not provide.")
@click.option("--record", metavar="FILE", help="Record all exchanges with models and tools in FILE.")
@click.option("--replay", metavar="FILE", help="Replay the exchanges recorded in FILE, without a network.")
@store_option
@click.option("--name", default="", metavar="NAME", help="Name of the run.")
@click.option("--resume", metavar="RUN", help="Resume a run: its id, name, or latest.")
@click.option("--retry-errors", is_flag=True, help="With --resume: also retry what ended in an error or a timeout.")
@click.option("--force", is_flag=True, help="With --resume: start a new run if anything has changed.")
@click.option(
    "--grace",
    "grace_seconds",
    type=FiniteRange(0),
    default=5.0,
    show_default=True,
    help="Seconds that cases in flight get to finish after Ctrl-C.",
)
@click.option("--allow-code", is_flag=True, help="Allow importing Python objects that the suite or an option names.")
@by_option
@details_option
@click.option("--run-file", metavar="FILE", help="Also write the run to FILE, for toolgauge report and compare.")
@failures_option
@grounding_option
@scorer_option
@click.option(
    "--suite-format",
    type=click.Choice(["yaml", "json", "jsonl", "csv"]),
    help="Format of SUITE, if it is not recognised.",
)
@output_options(cases=True, run=True, full=True, charts=True)
@gathered("options", "RunOptions")
def command(
    suite: str,
    agents: tuple[str, ...],
    options: api.RunOptions,
    limit_turns: int | None,
    limit_calls: int | None,
    limit_seconds: float | None,
    limit_tokens: int | None,
    details: bool,
    failures: str | None,
    estimate: bool,
    run_file: str | None,
    output: Output,
) -> int:
    """Run agents on every case of SUITE, record what they do, and score it.

    Each trajectory is stored as soon as it is finished; use --resume to continue an interrupted run. Without --tools
    and --mcp, the tools that the suite defines are mocked.

    \b
    toolgauge run suite.yaml --model anthropic:claude-haiku-4-5
    toolgauge run suite.yaml --model openai:any --base-url http://127.0.0.1:8080/v1 --trials 3
    toolgauge run suite.yaml --agent mine=my_module:agent --allow-code
    toolgauge run suite.yaml --model openai:gpt-5 --resume latest
    toolgauge run suite.yaml --model openai:gpt-5 --case 'safety_*' --label difficulty=hard --limit 5
    toolgauge run suite.yaml --model openai:gpt-5 --failed-of latest
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    record, *inputs = (
        None if path is None else str(path)
        for path in (options.record, suite, options.replay, options.prices, options.failed_of)
    )
    output.refuse_inputs(*inputs, store=_address(options), beside={"--record": record, "--run-file": run_file})
    divert_output()
    limits = Limits(limit_turns, limit_calls, limit_seconds, limit_tokens)
    if estimate:
        output.draw(
            ForecastDocument(api.forecast_run(suite, dict(_agents(agents)), options=replace(options, tell=tell)))
        )
        return 0
    with RunBar() as bar:
        options = replace(options, limits=limits, watcher=bar, tell=tell)
        outcome = api.execute_run(suite, dict(_agents(agents)), options=options)
    if run_file is not None:
        api.write_run(outcome.run, output.place(run_file))
    if output.format == RUN:
        output.write(api.encode_run(outcome.run))
    else:
        run = api.with_headline(outcome.run) if output.read else outcome.run
        output.draw(output.of_run(run, details=details, failures=failures))
    for line in (
        *scorer_failures(outcome.run.summary),
        *bar.totals(options.max_cost),
        *_ending(outcome, options.store, bar.retries),
    ):
        tell(outcome.secrets.redact(line))
    if "--debug" in sys.argv:
        _show_traces(outcome)
    return _leave(outcome)


def _show_traces(outcome: api.RunOutcome) -> None:
    """Where the first errors of agents came from."""
    raised = (
        (one.trajectory, event["trace"])
        for one in outcome.run.scored
        for event in one.trajectory.events
        if event.get("trace") and event.get("kind") in ("trace", "unscored")
    )
    for trajectory, trace in islice(raised, MAX_TRACES):
        messages().write(f"\n{visible(trajectory.agent)}, {visible(trajectory.case)}:\n")
        messages().writelines(f"  {visible(line)}\n" for line in str(trace).splitlines())


def _address(options: api.RunOptions) -> str | None:
    """Where the store is; None: in the usual place."""
    return str(options.store) if options.store else None


def _agents(given: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The agents by name, in the order in which they were given.

    Raises:
        UsageError: Two have one name.
    """
    seen: set[str] = set()
    for argument in given:
        for part in [argument] if "://" in argument else argument.split(","):
            found = NAMED.fullmatch(part.strip())
            agent = found["agent"] if found else part.strip()
            name = found["name"] if found else _short(agent)
            if not agent:
                raise UsageError("--agent is empty; name an agent, such as tools")
            if name in seen:
                raise UsageError(f"two agents are called {name!r}; give one of them another name: NAME={agent}")
            seen.add(name)
            yield name, agent


def _short(agent: str) -> str:
    """What an agent is called where nobody says: its name, or the address without what may be a credential."""
    if "://" not in agent:
        return agent
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(agent)
    except ValueError:
        return agent.rpartition("@")[2]  # no address, which whoever asks it says
    return f"{parts.hostname or agent}{parts.path.rstrip('/')}"


def _ending(outcome: api.RunOutcome, store: object, retries: int) -> Iterator[str]:
    """How it went, where the run is, and what to do when something is left of it."""
    if retries:
        times = "once" if retries == 1 else f"{retries} times"
        yield f"requests to models were retried {times}; the events of each trajectory say why"
    left = outcome.left
    if isinstance(outcome.error, StoreLost):
        return
    place = api.shown_place(str(store) if store else None)
    yield f"saved as run {outcome.id} in {place}"
    if left or outcome.stop:
        given = _without_values([argument for argument in sys.argv[1:] if argument != "--debug"])
        if "--resume" in given:
            at = given.index("--resume")
            del given[at : at + 2]
        given = [argument for argument in given if not argument.startswith("--resume=") and argument != "--force"]
        if store:
            given = [argument.replace(str(store), place) for argument in given]
        again = shlex.join(["toolgauge", *given, "--resume", str(outcome.id)])
        cases = "1 case is" if left == 1 else f"{left} cases are"
        yield f"{cases} left; resume with: {again}"


def _without_values(given: list[str]) -> list[str]:
    """The arguments, without what may be a credential.

    Of headers only names of variables are shown, of commands that start MCP servers only the program.
    """
    shown: list[str] = []
    for before, argument in zip(["", *given], given, strict=False):
        value = argument.removeprefix("--agent-header=")
        if (value != argument or before == "--agent-header") and "$" not in value:
            name = value.partition(":")[0] if ":" in value else ""
            argument = f"{argument.removesuffix(value)}{name}: ..."
        value = argument.removeprefix("--mcp=")
        if (value != argument or before == "--mcp") and "://" not in value and len(value.split()) > 1:
            argument = f"{argument.removesuffix(value)}{value.split()[0]} ..."
        shown.append(argument)
    return shown


def _leave(outcome: api.RunOutcome) -> int:
    """The exit code; where a tool left threads behind that would keep the program from ending, end it."""
    if outcome.error is not None:
        complain(outcome.secrets.redact(str(outcome.error)))
    elif outcome.failure:
        complain(outcome.failure)
    code = INCOMPLETE if outcome.error is not None or outcome.failure or outcome.left else 0
    code = ENDINGS.get(outcome.stop, code)
    if api.stray_threads():
        regain_streams()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code
