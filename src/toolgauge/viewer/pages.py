"""The pages themselves, which are the same for everybody: a shell, a style, and scripts that ask for the data."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from toolgauge.catalogue import LANGUAGES, language, words_of
from toolgauge.pages.bundle import modules, static_text
from toolgauge.pages.onefile import environment
from toolgauge.version import VERSION

__all__ = ["ENTRY", "PAGES", "STYLES", "language_of", "page", "static"]

ENTRY = "viewer.js"

PAGES = ("/", "/history", "/runs/{run:str}", "/runs/{run:str}/cases", "/runs/{run:str}/case")
"""The addresses of pages; which one it is, the scripts see."""

STYLES = ("style.css", "viewer.css")


async def page(request: Request) -> Response:
    """The shell of a page, in the language that the address or the browser asks for."""
    lang = language_of(request)
    html = (
        environment()
        .get_template("viewer.html")
        .render(
            lang=lang,
            words=words_of(lang),
            nonce=request.state.nonce,
            token=request.state.token,
            entry=ENTRY,
            styles=STYLES,
            version=VERSION,
        )
    )
    return Response(html, media_type="text/html; charset=utf-8")


def language_of(request: Request) -> str:
    """The language that the address asks for, or the browser."""
    asked = request.query_params.get("lang")
    if asked in LANGUAGES:
        return str(asked)
    for part in request.headers.get("accept-language", "").split(","):
        name = part.partition(";")[0].strip().partition("-")[0].lower()
        if name in LANGUAGES:
            return name
    return language()


async def static(request: Request) -> Response:
    """A script or a style: one of those that there are, by its name."""
    name = request.path_params["name"]
    if name in modules(ENTRY):
        return Response(static_text(name), media_type="text/javascript; charset=utf-8")
    if name in STYLES:
        return Response(static_text(name), media_type="text/css; charset=utf-8")
    return JSONResponse({"error": "there is no such file"}, status_code=404)
