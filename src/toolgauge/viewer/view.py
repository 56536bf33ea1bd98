"""A run that somebody looks at: read in the background, and answered from whatever is there at the moment."""

from __future__ import annotations

import time
from array import array
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Lock, Thread

import msgspec

from toolgauge.core import Case, Review, Reviews, Scored
from toolgauge.errors import ToolgaugeError, UsageError
from toolgauge.store import RunInfo

from .cache import FigureCache
from .index import CaseIndex
from .lines import read_line
from .origins import RunOrigin
from .overview import LARGE, Overview, kept_overview, make_overview, step_back
from .query import CaseQuery, Found, chosen, neighbours, numbers_of

__all__ = ["Progress", "RunView"]

PATIENCE = 10
"""The figures of a run that is being written are made again after so many times what making them took."""

PATIENT_SECONDS = 2.0

MAX_FOUND = 8
"""So many answers to what was looked for are kept."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is, and how much of it was read."""

    state: str
    live: bool
    planned: int
    finished: int
    passed: int
    read: int
    ready: bool
    """Whether there are figures; of a run that is finished, those of all of it."""
    version: int
    """Grows when there are other figures."""
    failed: str = ""
    """Why it cannot be read."""


class RunView:
    """A run that is looked at."""

    def __init__(self, origin: RunOrigin, folder: Path, cache: FigureCache | None = None) -> None:
        """Begin to read it.

        Args:
            origin: Where it comes from.
            folder: Where its index may be kept.
            cache: Where figures of large runs are kept.
        """
        self.origin = origin
        self._cache = cache
        self._folder = folder
        self._index: CaseIndex | None = None
        self._overview: Overview | None = None
        self._read = self._version = 0
        self._complete = False
        self._failed = ""
        self._looked = 0.0
        self._tried = Event()
        self._finding = Lock()
        self._found: OrderedDict[tuple[str, int, int, int], Sequence[int]] = OrderedDict()
        self._wake = Event()
        self._closed = False
        self._thread = Thread(target=self._work, name=f"viewer-{origin.id}", daemon=True)
        self._thread.start()

    def _work(self) -> None:
        """Read the run, and what is finished from then on whenever somebody wakes this thread."""
        step_back()
        try:
            self.origin.prepare()
            recalling = Thread(target=self._recall, name=f"viewer-{self.origin.id}-figures", daemon=True)
            recalling.start()
            cases = self.origin.lines().cases()
            self._index = CaseIndex(self._folder / f"{id(self):x}.index", cases, self.origin.info().agents)
            recalling.join()
            while not self._closed:
                self._wake.clear()
                self._refresh(self._index)
                self._tried.set()
                self._wake.wait()
        except Exception as error:  # noqa: BLE001 - whoever looks at the run is told
            self._failed = f"{error}" if isinstance(error, ToolgaugeError) else f"{type(error).__name__}: {error}"
        finally:
            self._tried.set()
            if self._index is not None:
                self._index.close()

    def wait(self, seconds: float) -> None:
        """Wait until it was read for the first time, or so long."""
        self._tried.wait(seconds)

    def _refresh(self, index: CaseIndex) -> None:
        """Read what was finished since, and draw the figures again where it is time to."""
        info = self.origin.info()
        for count in index.add(self.origin.lines().numbered_lines(index.last)):
            self._read += count
            if self._closed:
                return
        if info.held_by is None and info.finished < info.planned and not self._complete:
            index.add_missing(self.origin.open().missing())
        self._complete = info.held_by is None
        self._draw(info)
        self._looked = time.monotonic()

    def _recall(self) -> None:
        """Show the figures of a large run that were made before, while its cases are still being read."""
        step_back()
        with suppress(ToolgaugeError):  # whatever is wrong with the run, reading it says so
            info = self.origin.info()
            if self._cache is None or info.held_by is not None or info.finished <= LARGE:
                return
            self._overview = kept_overview(self.origin, self._key(info), self._version + 1, self._cache)
            self._version += self._overview is not None

    def _key(self, info: RunInfo) -> tuple[int, str, int]:
        state = info.state if info.held_by is None else f"{info.state}, live"
        return info.finished, state, len(self.origin.reviews())

    def _draw(self, info: RunInfo) -> None:
        key = self._key(info)
        known = self._overview
        if known is not None:
            early = time.monotonic() - known.made < PATIENCE * known.seconds and info.held_by is not None
            if known.key == key or early:
                return
        if not info.finished and info.held_by is not None:
            return  # there is nothing to draw yet
        self._overview = make_overview(
            self.origin, key, self._folder, self._version + 1, None if info.held_by is not None else self._cache
        )
        self._version += 1

    def progress(self, *, at_least_every: float = 1.0) -> Progress:
        """How far it is; what was finished since is read, where nobody has looked for so many seconds.

        Raises:
            UsageError: It was removed.
        """
        info = self.origin.info()
        behind = info.finished > self._read or not self._complete
        if behind and time.monotonic() - self._looked > at_least_every:
            self._wake.set()
        made = self._overview
        drawn = made is not None and (info.held_by is not None or made.key[:2] == (info.finished, info.state))
        return Progress(
            state=info.state if info.state != "running" or info.held_by else "interrupted",
            live=info.held_by is not None,
            planned=info.planned,
            finished=info.finished,
            passed=info.passed,
            read=self._read,
            ready=drawn,
            version=self._version,
            failed=self._failed,
        )

    @property
    def overview(self) -> Overview | None:
        """The page of the run; None: it is not made yet."""
        return self._overview

    @property
    def index(self) -> CaseIndex | None:
        """The index, as far as it was read; None: not even its cases."""
        return self._index

    def _limits(self, query: CaseQuery) -> tuple[Sequence[int] | None, set[str] | None]:
        """The only cases that may fit, as far as sets and reviews are asked for."""
        sets: Sequence[int] | None = None
        if query.set:
            sets = self._overview.sets.get(query.set, ()) if self._overview is not None else ()
        if not query.review:
            return sets, None
        return sets, {one.case for one in self.reviews() if one.verdict == query.review}

    def _numbers(self, index: CaseIndex, query: CaseQuery) -> Sequence[int]:
        """The numbers of the cases that fit; what was looked for a moment ago is not looked for again."""
        reviews = len(self.reviews()) if query.review else 0
        key = (repr(replace(query, offset=0, limit=0)), index.last, self._version, reviews)
        with self._finding:
            found = self._found.get(key)
        if found is None:
            with index.reading() as connection:
                found = array("I", numbers_of(connection, query, *self._limits(query)))
            with self._finding:
                self._found[key] = found
                while len(self._found) > MAX_FOUND:
                    self._found.popitem(last=False)
        return found

    def cases(self, query: CaseQuery) -> Found:
        """A page of the cases that fit."""
        if self._index is None:
            return Found([], 0, 0)
        return chosen(self._index, query, self._numbers(self._index, query))

    def neighbours(self, case_id: str, query: CaseQuery) -> dict[str, object]:
        """Which cases stand beside one among those that fit."""
        if self._index is None:
            return {"before": None, "after": None, "at": -1, "of": 0}
        number = self._index.number(case_id)
        return neighbours(self._index, self._numbers(self._index, query), -1 if number is None else number)

    def case(self, case_id: str) -> tuple[int, Case, list[Scored]] | None:
        """A case with its number and its trajectories, whose results are cut where they are large; None: no such."""
        if self._index is None:
            return None
        with self._index.reading() as connection:
            row = connection.execute("SELECT n, data FROM cases WHERE id = ?", (case_id,)).fetchone()
            if row is None:
                return None
            n, data = row
            found = connection.execute("SELECT agent, trial, line FROM results WHERE n = ?", (n,)).fetchall()
        places = self._index.agents
        found.sort(key=lambda one: (places.get(one[0], len(places)), one[1]))
        case = msgspec.json.decode(data, type=Case)
        return n, case, list(self._trajectories(case.id, found))

    def _trajectories(self, case: str, found: Sequence[tuple[str, int, int | None]]) -> Iterator[Scored]:
        lines = self.origin.lines()
        for agent, trial, number in found:
            data = None if number is None else lines.line(number)
            yield read_line(data, case, agent, trial)

    def numbered(self, query: CaseQuery) -> Iterator[bytes]:
        """The lines of everything that was done on the cases that fit, as they stand in a run file."""
        if self._index is None:
            return
        numbers = self._numbers(self._index, query)
        with self._index.reading() as connection:
            rows = [
                line
                for n in numbers
                for (line,) in connection.execute("SELECT line FROM results WHERE n = ? ORDER BY key", (n,))
                if line is not None
            ]
        lines = self.origin.lines()
        for number in rows:
            data = lines.line(number)
            if data is not None:
                yield data

    def reviews(self) -> Reviews:
        """What people said of the run."""
        return self.origin.reviews()

    def review(self, reviews: Sequence[Review]) -> None:
        """Keep what people say of it; the page of a run that is quickly drawn says so, too."""
        self._check(reviews)
        self.origin.review(reviews)
        if self._overview is not None and self._overview.key[0] <= LARGE:
            self._wake.set()

    def _check(self, reviews: Sequence[Review]) -> None:
        """Make sure that the run has what reviews are about.

        Raises:
            UsageError: It has no such case or agent, or was not read yet.
        """
        index = self._index
        for one in reviews:
            if index is None or index.number(one.case) is None:
                raise UsageError(f"the suite has no case {one.case!r}")
            if one.agent is not None and one.agent not in index.agents:
                raise UsageError(f"this run has no agent {one.agent!r}")
            if one.trial is not None and one.agent is None:
                raise UsageError("a review of one trial names its agent, too")

    def close(self) -> None:
        """Let go of it, as soon as what is being read or drawn is done; nobody waits long for that."""
        self._closed = True
        self._wake.set()
        self._thread.join(PATIENT_SECONDS)
