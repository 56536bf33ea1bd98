"""`toolgauge schema`: what a suite may hold, for editors and for those who write suites by program."""

from __future__ import annotations

import click

from toolgauge import api

from .options import Output

__all__ = ["command"]


@click.command()
@click.option("-o", "--output", "path", metavar="FILE", help="Write to FILE instead of standard output.")
def command(path: str | None) -> int:
    """Print the JSON schema of suites.

    Editors complete and check a suite whose first line names the file:

    \b
    # yaml-language-server: $schema=suite.schema.json

    \b
    toolgauge schema -o suite.schema.json
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    output = Output("json", path, "en")
    output.refuse_inputs()
    output.write([api.read_schema()])
    return 0
