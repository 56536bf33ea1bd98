"""`toolgauge answers`: how far the scoring of typed answers agrees with people."""

from __future__ import annotations

import click

from toolgauge import api
from toolgauge.report import AgreementDocument

from .options import Output, output_options

__all__ = ["command"]


@click.group()
def command() -> None:
    """Measure how well the scoring of typed answers agrees with human verdicts."""


@command.command()
@click.argument("file")
@click.option(
    "--baselines", is_flag=True, help="Also score numbers and dates naively: by the first value, the last, or any."
)
@output_options()
def check(file: str, baselines: bool, output: Output) -> None:
    """Compare the human verdicts in FILE with those of the rules.

    FILE is JSONL or CSV with question, output, the reference as in a suite (answer, answer_type, unit, tolerance,
    locale, now) and a human verdict: right, wrong or ambiguous.

    \b
    toolgauge answers check judged.jsonl
    toolgauge answers check judged.csv --baselines --format latex -o agreement.tex
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    output.refuse_inputs(file)
    output.draw(AgreementDocument(api.check_answers(file, baselines=baselines)))
