"""A watch as a whole: what it listens to, what it follows, and the thread that looks at all of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

import uvicorn
from msgspec import Struct

from toolgauge.core import Suite
from toolgauge.errors import InputError, NothingToDo, Problem
from toolgauge.exports import ScoreExporter
from toolgauge.web import Place, host_names, limited_connections, serve

from .alarms import Teller, list_alarms
from .channels import QuietHours, open_channels
from .committing import Committer
from .files import FileFollower
from .matching import SuiteMatcher
from .notes import WatchNotes
from .opinions import OpinionSampler
from .prometheus import exposition
from .receiver import Receiver
from .schedule import Schedule
from .settings import WatchSettings
from .state import WatchState
from .watcher import WatchEngine

__all__ = ["Watch", "WatchOptions"]

STEP_SECONDS = 0.25


class WatchOptions(Struct, frozen=True, kw_only=True):
    """What is watched, and who hears of it."""

    settings: WatchSettings = WatchSettings()
    follow: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    quiet: QuietHours | None = None
    names: tuple[str, ...] = ()
    """Further names by which senders reach this machine."""
    propose: str | None = None


class Watch:
    """A watch over what comes in."""

    def __init__(
        self,
        options: WatchOptions,
        *,
        suite: Suite | None = None,
        exporter: ScoreExporter | None = None,
        judge: OpinionSampler | None = None,
        schedule: Schedule | None = None,
        notes: WatchNotes | None = None,
    ) -> None:
        """Open the state, and begin where it ends.

        Args:
            options: What is watched.
            suite: Its cases are scored where they turn up.
            exporter: Where scores go.
            judge: Asks a model for its opinion on some conversations.
            schedule: Runs the suite when it is due.
            notes: What could not be read, told or passed on.
        """
        self._options = options
        settings = options.settings
        self._state = WatchState(settings.state)
        self._notes = notes if notes is not None else WatchNotes()
        self._teller = Teller(open_channels(options.channels), options.quiet, self._notes)
        self._matcher = SuiteMatcher(suite, exporter=exporter, propose=options.propose, notes=self._notes)
        self.watcher = WatchEngine(settings, self._state, self._teller, self._matcher, judge=judge, notes=self._notes)
        self.restored = self.watcher.restore()
        tools = [tool.name for tool in self._matcher.suite.tools]
        self._follower = FileFollower(
            self._state,
            self.watcher,
            options.follow,
            window=settings.window,
            known_tools=tools,
            notes=self._notes,
        )
        self._judge = judge
        self._schedule = schedule
        self._stop = threading.Event()
        self._committer: Committer | None = None
        self._broken: Exception | None = None
        """What ended the thread that looks at what comes in."""

    @property
    def notes(self) -> list[str]:
        """What could not be read, told or passed on, as far as it was not said yet."""
        return self._notes.summary()

    def once(self) -> int:
        """Look at everything there is, and count it; returns how many alarms nobody has acknowledged.

        Raises:
            InputError: Nothing of what is followed could be read.
            NothingToDo: There is nothing in it, and never was.
            ToolgaugeError: The suite could not be run, or cases could not be proposed.
        """
        now = time.time()
        self._follower.poll(now, rest=True)
        if self._schedule is not None:
            self._schedule(self.watcher, now)
        self.watcher.step(now, rest=True)
        if self._judge is not None:
            self._judge.drain()
            self.watcher.settle([])
            self.watcher.step(now, rest=True)
        failure = (self._schedule.failure if self._schedule is not None else None) or self._matcher.failure
        if failure is not None:
            raise failure
        if waiting := int(self.watcher.gauges()["open_traces"]):
            self._notes.add(f"traces whose root spans have not arrived yet, which count in a later --once: {waiting}")
        if self._options.follow and not self.watcher.conversations:
            self._check_followed()
        return len(list_alarms(self._state, only_open=True))

    def _check_followed(self) -> None:
        """Tell files in which there is nothing new from those in which nothing was ever found."""
        followed = ", ".join(self._options.follow)
        if self._follower.faults:
            raise InputError(followed, Problem("none of the followed files can be read"))
        if self._schedule is None and not self._state.counters().get("conversations"):
            raise NothingToDo(f"{followed}: there are no conversations in the followed files")

    def poll(self, now: float, *, rest: bool = False) -> None:
        """Read what is new in the files; `rest`: nothing more is expected of them."""
        self._follower.poll(now, rest=rest)

    def run(self, place: Place | None, ready: Callable[[], None], say: Callable[..., None]) -> None:
        """Watch until somebody ends it.

        Args:
            place: Where to receive traces; None: nowhere.
            ready: Called when it watches.
            say: Called with what could not be read, told or passed on, when it first comes up.
        """
        server = None if place is None else self.make_server(place)
        worker = threading.Thread(target=self._work, args=(say, server), name="watching", daemon=True)
        worker.start()
        try:
            if place is None or server is None:
                ready()
                while not self._stop.wait(0.5):
                    continue
            else:
                serve(server, place, ready)
        finally:
            self._stop.set()
            worker.join()
            if self._committer is not None:
                self._committer.close()
            if self._broken is None:
                self.watcher.step(time.time())
                self.watcher.save(time.time())
            self.close()
        if self._broken is not None:
            raise self._broken

    def close(self) -> None:
        """Let go of the state, and of systems that scores are sent to."""
        self._state.close()
        self._matcher.close()

    def stop(self) -> None:
        """End it."""
        self._stop.set()

    def make_server(self, place: Place) -> uvicorn.Server:
        """The receiver, which does not answer yet."""
        limits = self._options.settings.limits
        own = WatchState(self._options.settings.state)
        self._committer = Committer(own, self.watcher.deliver, max_unpacked=limits.unpacked)
        connection = limited_connections(limits.connections)

        async def metrics() -> str:
            return self._metrics(receiver.counts, connection.closed)

        receiver = Receiver(
            self._committer,
            hosts=host_names(place.host, place.port, self._options.names),
            token=None if place.loopback else place.token,
            waiting=self.watcher.waiting_spans,
            pages={"/metrics": metrics},
            limits=limits,
        )
        return uvicorn.Server(
            uvicorn.Config(
                receiver,
                http=connection,
                ws="none",
                loop="asyncio",
                lifespan="off",
                log_level="critical",
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=5,
                h11_max_incomplete_event_size=16 * 1024,
            )
        )

    def _metrics(self, answers: Mapping[str, int], closed: int) -> str:
        state = WatchState(self._options.settings.state)
        try:
            return exposition(state, self.watcher.gauges(), answers, closed, self.watcher.readings)
        finally:
            state.close()

    def _work(self, say: Callable[..., None], server: uvicorn.Server | None) -> None:
        """Look at what comes in, until the end. What breaks this ends the whole: nobody shall answer for nobody."""
        try:
            while not self._stop.wait(STEP_SECONDS):
                now = time.time()
                self._follower.poll(now)
                if self._schedule is not None:
                    self._schedule(self.watcher, now)
                self.watcher.step(now)
                say(*self._notes.fresh())
        except Exception as error:  # noqa: BLE001 - it is raised where the watch was begun
            self._broken = error
            self._stop.set()
            if server is not None:
                server.should_exit = True
