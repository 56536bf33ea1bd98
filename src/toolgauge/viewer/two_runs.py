"""Two runs side by side, as one run whose agents are the contenders; its id is `FIRST~SECOND`.

It is put together when somebody asks for it, in a store that lasts as long as the viewer. Reviews go to the run that a
trajectory is of.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from threading import Lock, RLock

import msgspec
from msgspec.structs import replace as with_changes

from toolgauge.analysis.compare import compare
from toolgauge.api import load_run
from toolgauge.core import Contender, Review, Reviews, Run, Scored
from toolgauge.errors import UsageError
from toolgauge.pages import PageData
from toolgauge.pages.gathering import light
from toolgauge.pages.sets import set_name
from toolgauge.pages.two_runs import TwoRunsDocument
from toolgauge.store import RunInfo, RunLines, RunStore, StoredRun, open_store

from .library import Library
from .origins import RunOrigin, StoreOrigin
from .overview import LARGE, Drawn, draw, draw_elsewhere, given_arguments, read_drawn, step_back, write_drawn
from .view import RunView

__all__ = ["TwoRuns"]

BETWEEN = "~"
MAX_OPEN = 3


class TwoRuns:
    """Pairs of runs that are looked at."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._views: OrderedDict[tuple[str, int, int], tuple[RunView, PairOrigin]] = OrderedDict()
        self._lock = Lock()
        library.closing(self.close)

    def close(self) -> None:
        """Let go of all of them."""
        while self._views:
            self._close_oldest()

    def _close_oldest(self) -> None:
        _, (view, origin) = self._views.popitem(last=False)
        view.close()
        origin.close()

    def __contains__(self, run_id: str) -> bool:
        return run_id.count(BETWEEN) == 1

    def view(self, run_id: str) -> RunView:
        """Both runs, as they are now.

        Raises:
            UsageError: One of them is not there.
        """
        first, second = (self._library.origin(name) for name in run_id.split(BETWEEN))
        key = (run_id, first.info().finished, second.info().finished)
        with self._lock:
            found = self._views.get(key)
            if found is None:
                origin = PairOrigin(run_id, first, second, self._library.folder)
                found = self._views[key] = (RunView(origin, self._library.folder), origin)
            self._views.move_to_end(key)
            while len(self._views) > MAX_OPEN:
                self._close_oldest()
        return found[0]


class PairOrigin:
    """Two runs as one."""

    def __init__(self, run_id: str, first: RunOrigin, second: RunOrigin, folder: Path) -> None:
        """Name them.

        Args:
            run_id: What they are asked for by.
            first: The run that the other is compared with.
            second: The other.
            folder: Where both may be put together.
        """
        self.id = run_id
        self._both = (first, second)
        self._path = folder / f"{id(self):x}.pair"
        self._read: StoreOrigin | None = None
        self._store: RunStore | None = None
        self._drawn: Drawn | None = None
        self._contenders: dict[str, tuple[RunOrigin, str]] = {}
        """By the name of a contender where it comes from, and which agent it is there."""
        self._lock = RLock()

    def prepare(self) -> None:
        """Put both together, once."""
        with self._lock:
            if self._read is not None:
                return
            for one in self._both:
                one.prepare()
            addresses = [part for one in self._both for part in (one.address, one.stored_id, _name(one))]
            if sum(one.info().finished for one in self._both) > LARGE:
                draw_elsewhere(__name__, *addresses, str(self._path))
            else:
                put_together(*addresses, str(self._path))
            self._store = open_store(f"{self._path}.db")
            self._read = StoreOrigin(self._store, self._store.runs()[0].id, RLock())
            found = msgspec.json.decode(Path(f"{self._path}.json").read_bytes(), type=list[Contender])
            names = [_name(one) for one in self._both]
            if names[0] == names[1]:
                names = [one.id for one in self._both]
            for contender in found:
                self._contenders[contender.name] = (self._both[names.index(contender.run)], contender.agent)

    def close(self) -> None:
        """Let go of what was put together."""
        if self._store is not None:
            self._store.close()

    @property
    def _inner(self) -> StoreOrigin:
        self.prepare()
        assert self._read is not None  # noqa: S101 - they were put together just now
        return self._read

    @property
    def address(self) -> str:
        """The address of the store."""
        return self._inner.address

    def following(self, tell: Callable[[], None]) -> AbstractContextManager[None]:
        """Have something called when something may have happened to what was put together."""
        return self._inner.following(tell)

    @property
    def stored_id(self) -> str:
        """The id there."""
        return self._inner.id

    def info(self) -> RunInfo:
        """What a list says of both.

        Raises:
            UsageError: One of them is not there any more.
        """
        first, second = (one.info() for one in self._both)
        name = f"{first.name or first.id} → {second.name or second.id}"
        if self._read is None:
            return replace(second, id=self.id, name=name, held_by=None)
        return replace(self._read.info(), id=self.id, name=name)

    def open(self) -> StoredRun:
        """Both with their suite."""
        return self._inner.open()

    def lines(self) -> RunLines:
        """Both without their suite."""
        return self._inner.lines()

    def draw(self, target: Path, *, large: bool) -> Drawn:  # noqa: ARG002 - it was drawn when they were put together
        """The page of both."""
        self.prepare()
        if self._drawn is None:
            self._drawn = read_drawn(self._path)
        return self._drawn

    def load(self, *, headline: bool = True) -> Run:
        """Both with their figures."""
        return self._inner.load(headline=headline)

    def reviews(self) -> Reviews:
        """What people said of either."""
        found: list[Review] = []
        for name, (one, agent) in self._contenders.items():
            found += [
                with_changes(review, agent=None if review.agent is None else name)
                for review in one.reviews()
                if review.agent in (agent, None)
            ]
        return Reviews(found)

    def review(self, reviews: Sequence[Review]) -> None:
        """Keep what people say with the run that it is about.

        Raises:
            UsageError: It does not say which.
        """
        for review in reviews:
            if review.agent not in self._contenders:
                raise UsageError("a review of two runs names the agent; open one of the runs to review a whole case")
            one, agent = self._contenders[review.agent]
            one.review([with_changes(review, agent=agent)])


def _name(origin: RunOrigin) -> str:
    info = origin.info()
    return info.name or info.id


def _loaded(location: str, run_id: str, name: str) -> Run:
    run = load_run(run_id, store=location)
    return replace(run, header=with_changes(run.header, about={**run.header.about, "name": name}))


def put_together(*arguments: str) -> None:
    """Put two runs together.

    Args:
        *arguments: Of each the place of its store, its id there, and what it is called; then the file to write. Beside
            it are made a store with both, which ends in `.db`, and the contenders, in a file that ends in `.json`.

    Raises:
        ToolgaugeError: They cannot be compared at all.
    """
    *addresses, target = arguments
    names = [addresses[2], addresses[5]]
    if names[0] == names[1]:
        names = [addresses[1], addresses[4]]
    first, second = (_loaded(addresses[at], addresses[at + 1], name) for at, name in zip((0, 3), names, strict=True))
    comparison = compare(first, second, force=True)
    document = TwoRunsDocument(comparison, first, second)
    merged = document.merged()
    page, sets = draw(merged)
    items: dict[str, list[Scored]] = {case.id: [] for case in merged.header.suite.cases}
    for item in merged.scored:
        if item.score.case in items:
            items[item.score.case].append(light(item))
    found = document.changes(PageData(merged, (), items))
    numbers = {case.id: number for number, case in enumerate(merged.header.suite.cases)}
    for kind, entries in found.items():
        sets[set_name("change", kind)] = sorted({numbers[str(entry["case"])] for entry in entries})
    with open_store(f"{target}.db") as store:
        store.keep(merged.header, (item for item in merged.scored if item.score.case in items))
    Path(f"{target}.json").write_bytes(msgspec.json.encode(comparison.contenders))
    write_drawn(page | document.page(found), sets, Path(target))


if __name__ == "__main__":
    step_back()
    put_together(*given_arguments())
