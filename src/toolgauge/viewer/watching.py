"""The pages of a watch: what `toolgauge watch` has seen, from its state. They have no scripts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from toolgauge.catalogue import words_of
from toolgauge.pages.onefile import environment
from toolgauge.report.values import redact

from .pages import STYLES, language_of

__all__ = ["watch_pages"]


def watch_pages(state: str | None) -> dict[str, Callable[[Request], Awaitable[Response]]]:
    """The pages by their addresses; none where nothing is watched.

    Args:
        state: The file of the state.
    """
    if state is None:
        return {}

    async def overview(request: Request) -> Response:
        return await run_in_threadpool(_overview, request, state)

    async def trace(request: Request) -> Response:
        return await run_in_threadpool(_trace, request, state)

    return {"/watch": overview, "/watch/trace": trace}


def _overview(request: Request, state: str) -> Response:
    from toolgauge.watch.showing import show_watch

    words = words_of(language_of(request))
    watch = show_watch(state)
    charts = [{**chart.json(words), "svg": Markup(chart.svg(words))} for chart in watch.charts]  # noqa: S704 - ours
    return _page(request, watch=watch, charts=charts, trace=None)


def _trace(request: Request, state: str) -> Response:
    from toolgauge.watch.showing import show_conversations

    wanted = request.query_params.get("id", "")[:500]
    return _page(request, trace=wanted, conversations=show_conversations(state, wanted))


def _page(request: Request, **values: object) -> Response:
    lang = language_of(request)
    html = (
        environment()
        .get_template("watch.html")
        .render(lang=lang, words=words_of(lang), nonce=request.state.nonce, styles=STYLES, **values)
    )
    return Response(redact(html), media_type="text/html; charset=utf-8")
