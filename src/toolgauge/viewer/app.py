"""What the viewer answers: pages, which are the same for everybody, and the data that their scripts ask for.

Runs are named by ids that were given out, cases by parameters: nothing of an address becomes a path.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from toolgauge.core import Review
from toolgauge.errors import ToolgaugeError, UsageError
from toolgauge.pages import page_words
from toolgauge.report.json import encode_json
from toolgauge.report.values import redact

from .casedata import case_data
from .events import Followers
from .exports import csv_lines, json_lines
from .history import History
from .library import Library
from .making import CaseMaker
from .pages import PAGES, page, static
from .provisional import provisional_page
from .query import MAX_ROWS, read_query
from .runlist import run_list
from .two_runs import TwoRuns
from .view import RunView
from .watching import watch_pages

__all__ = ["make_app"]

Endpoint = Callable[[Request], Awaitable[Response]]

MAX_ID = 200

PATIENCE_SECONDS = 0.5
"""So long the page of a run waits for its figures; then it comes without them."""


class Desk:
    """Answers what is asked for."""

    def __init__(self, library: Library, cases_file: str | None) -> None:
        self.library = library
        self.history = History(library)
        self.events = Followers()
        self.maker = CaseMaker(cases_file)
        self.two_runs = TwoRuns(library)

    def view(self, request: Request) -> RunView:
        """The run that is asked for.

        Raises:
            UsageError: There is none.
        """
        run_id = request.path_params["run"]
        if len(run_id) > MAX_ID:
            raise UsageError("there is no such run")
        try:
            return self.two_runs.view(run_id) if run_id in self.two_runs else self.library.view(run_id)
        except UsageError as error:
            self.library.forget(run_id)
            raise UsageError("there is no such run") from error  # where the store is, is nobody's business

    async def runs(self, request: Request) -> Response:
        """The list of runs."""
        return _json(await run_in_threadpool(run_list, self.library, request.query_params))

    async def run(self, request: Request) -> Response:
        """The page of a run, or what there is before its figures are made."""
        view = await run_in_threadpool(self.view, request)
        await run_in_threadpool(view.wait, PATIENCE_SECONDS)
        progress = await run_in_threadpool(view.progress)
        if progress.failed:
            return _problem(422, progress.failed)
        made = view.overview
        if made is not None:
            return Response(made.page, media_type="application/json")
        info = await run_in_threadpool(view.origin.info)
        return _json(await run_in_threadpool(provisional_page, view.origin.id, info, view.index))

    async def progress(self, request: Request) -> Response:
        """How far a run is."""
        view = await run_in_threadpool(self.view, request)
        return _json(msgspec.to_builtins(await run_in_threadpool(view.progress)))

    async def cases(self, request: Request) -> Response:
        """Some of the cases that fit."""
        view = await run_in_threadpool(self.view, request)
        found = await run_in_threadpool(view.cases, read_query(request.query_params.multi_items()))
        return _json({"rows": found.rows, "filtered": found.filtered, "total": found.total})

    async def case(self, request: Request) -> Response:
        """A case with all that was done on it."""
        view = await run_in_threadpool(self.view, request)
        found = await run_in_threadpool(case_data, view, request.query_params.get("case", ""))
        return _problem(404, "there is no such case") if found is None else _text(found)

    async def neighbours(self, request: Request) -> Response:
        """Which cases stand beside one among those that fit."""
        view = await run_in_threadpool(self.view, request)
        query = read_query(request.query_params.multi_items())
        return _json(await run_in_threadpool(view.neighbours, request.query_params.get("case", ""), query))

    async def reviews(self, request: Request) -> Response:
        """What people said of a run; POST adds to it."""
        view = await run_in_threadpool(self.view, request)
        if request.method == "POST":
            review = msgspec.json.decode(await request.body(), type=Review)
            now = datetime.now(UTC).isoformat(timespec="seconds")
            await run_in_threadpool(view.review, [msgspec.structs.replace(review, at=now)])
        return _json([msgspec.to_builtins(one) for one in await run_in_threadpool(view.reviews)])

    async def make_case(self, request: Request) -> Response:
        """Write a case into the suite file of this viewer."""
        view = await run_in_threadpool(self.view, request)
        return _json(await run_in_threadpool(self.maker.make, view, await request.body()))

    async def export(self, request: Request) -> Response:
        """What is filtered as CSV, or as the lines of a run file."""
        view = await run_in_threadpool(self.view, request)
        query = read_query(request.query_params.multi_items())
        kind = request.url.path.rpartition(".")[2]
        lines: Iterator[str] = csv_lines(view, query) if kind == "csv" else json_lines(view, query)
        media = "text/csv; charset=utf-8" if kind == "csv" else "application/x-ndjson"
        named = {"content-disposition": f'attachment; filename="{view.origin.id}-cases.{kind}"'}
        return StreamingResponse(iterate_in_threadpool(_in_blocks(lines)), media_type=media, headers=named)

    async def follow(self, request: Request) -> Response:
        """What happens to a run, as it happens."""
        view = await run_in_threadpool(self.view, request)
        if self.events.full:
            return _problem(503, "too many pages are followed at once")
        stream: AsyncIterator[str] = self.events.of(view)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"cache-control": "no-cache"})

    async def over_runs(self, request: Request) -> Response:
        """A metric over runs."""
        asked = request.query_params
        suites = await run_in_threadpool(self.history.suites)
        suite = asked.get("suite") or next(iter(suites), "")
        found = await run_in_threadpool(self.history.of, suite, asked.get("metric") or "pass_rate")
        return _json({"suites": suites, **found})

    async def words(self, request: Request) -> Response:  # noqa: ARG002 - the same for everybody
        """The texts of pages, and what this viewer can do."""
        return _json({"words": page_words(), "cases_file": self.maker.shown, "max_rows": MAX_ROWS})


def make_app(library: Library, *, cases_file: str | None = None, watch: str | None = None) -> Starlette:
    """The application, without its guard.

    Args:
        library: The runs that can be looked at.
        cases_file: The suite file that cases may be written into; None: no case can be made.
        watch: The file of the state of a watch that can be looked at, too.
    """
    desk = Desk(library, cases_file)
    one = "/api/runs/{run:str}"
    both = ["GET", "POST"]
    routes = [
        *(Route(path, page) for path in PAGES),
        Route("/static/{name:str}", static),
        Route("/api/words", _safely(desk.words)),
        Route("/api/runs", _safely(desk.runs)),
        Route("/api/history", _safely(desk.over_runs)),
        Route(f"{one}/run", _safely(desk.run)),
        Route(f"{one}/progress", _safely(desk.progress)),
        Route(f"{one}/cases", _safely(desk.cases)),
        Route(f"{one}/case", _safely(desk.case)),
        Route(f"{one}/neighbours", _safely(desk.neighbours)),
        Route(f"{one}/reviews", _safely(desk.reviews), methods=both),
        Route(f"{one}/make-case", _safely(desk.make_case), methods=["POST"]),
        *(Route(f"{one}/export.{kind}", _safely(desk.export)) for kind in ("csv", "jsonl")),
        Route(f"{one}/events", _safely(desk.follow)),
        *(Route(path, _safely(show)) for path, show in watch_pages(watch).items()),
    ]
    return Starlette(routes=routes)


def _safely(endpoint: Endpoint) -> Endpoint:
    """Errors in words; of a fault of ours nothing is told but that there is one."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except UsageError as error:
            return _problem(404 if request.method != "POST" else 422, str(error))
        except ToolgaugeError as error:
            return _problem(422, str(error))
        except (msgspec.DecodeError, UnicodeDecodeError):
            return _problem(422, "this cannot be read")
        except ClientDisconnect:
            return _problem(413, "too much is sent at once")

    return answer


def _in_blocks(lines: Iterator[str], size: int = 64 * 1024) -> Iterator[bytes]:
    """Many lines at once: each block costs a change of threads."""
    block: list[str] = []
    length = 0
    for line in lines:
        block.append(line)
        length += len(line)
        if length >= size:
            yield redact("".join(block)).encode("utf-8", "backslashreplace")
            block, length = [], 0
    yield redact("".join(block)).encode("utf-8", "backslashreplace")


def _json(value: Any) -> Response:
    return _text(encode_json(value))


def _text(text: str) -> Response:
    return Response(redact(text).encode("utf-8", "replace"), media_type="application/json")


def _problem(status: int, why: str) -> Response:
    return JSONResponse({"error": redact(why)}, status_code=status)
