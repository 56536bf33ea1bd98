"""`toolgauge view`: runs in a browser."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import find_spec
from urllib.parse import quote

import click

from toolgauge import api
from toolgauge.catalogue.speaking import say
from toolgauge.errors import UsageError

from .options import tell
from .sources import store_option

__all__ = ["command"]

NEEDED = ("starlette", "uvicorn")


@click.command()
@click.argument("runs", nargs=-1, metavar="[RUN|FILE]...")
@click.option(
    "--port", type=click.IntRange(0, 65535), metavar="N", help="Port; default: the first free one from 7400 on."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Address to listen on. If others can reach it, they need the token in the printed address.",
)
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Another host name by which browsers reach this machine; may be repeated.",
)
@click.option("--cases", "cases_file", metavar="FILE", help="Suite file for cases made in the viewer.")
@click.option("--watch", metavar="FILE", help="Also show what a watch has recorded, from its state file.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@store_option
def command(
    runs: tuple[str, ...],
    port: int | None,
    host: str,
    names: tuple[str, ...],
    cases_file: str | None,
    watch: str | None,
    no_browser: bool,
    store: str | None,
) -> int:
    """Look at runs in a browser: those of the store, and run files.

    Without an argument, it opens the list of all runs; with one RUN or FILE, that run; with two, both side by side. A
    run in progress is followed. Press Ctrl-C to stop.

    \b
    toolgauge view
    toolgauge view latest
    toolgauge view monday.run.jsonl tuesday.run.jsonl
    """  # noqa: D301 - click wants the control character before what is not to be wrapped
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError("the viewer needs another package; install it with: pip install 'toolgauge[viewer]'")
    from toolgauge.viewer import Library, listen, make_server, serve

    api.check_places({"--cases": cases_file}, [*runs, watch], store)
    files = [run for run in runs if os.path.exists(run)]
    with Library(store, files, may_be_empty=watch is not None) as library:
        ids = [library.find(run) for run in runs]
        place = listen(host, port)
        address = place.address("/watch" if watch is not None and not ids else _path(ids))
        if not place.loopback:
            tell(
                "this viewer can be reached from other machines; "
                "anyone who has its address with the token can read and review these runs"
            )

        def ready() -> None:
            sys.stdout.write(say(f"Viewer: {address}") + "\n" + say("Press Ctrl-C to stop it.") + "\n")
            sys.stdout.flush()
            if not no_browser:
                import webbrowser

                webbrowser.open(address)

        with suppress(KeyboardInterrupt):  # that is how it ends
            serve(make_server(library, place, names=names, cases_file=cases_file, watch=watch), place, ready)
    return 0


def _path(ids: list[str]) -> str:
    """The page that opens."""
    return f"/runs/{quote('~'.join(ids), safe='~')}" if len(ids) in (1, 2) else "/"
