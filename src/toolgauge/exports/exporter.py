"""Sending evaluations to one system or several: in batches, each kept until it has arrived.

That something is not delivered is said in a report and never raised: no run fails because nobody hears of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice

from msgspec.structs import replace

from toolgauge.core import PathLike, Reviews, Scored
from toolgauge.errors import OutputError, UsageError
from toolgauge.models import Retries
from toolgauge.secrets import Secrets

from .evaluation import Evaluation, Evaluations
from .http import DELIVERY_RETRIES, DeliveryError
from .opening import open_target
from .spool import ExportSpool, SpooledBatch, batch_of, spool_folder
from .target import ExportTarget

__all__ = ["BATCH", "DeliveryReport", "ExportOutcome", "Exporter", "ScoreExporter"]

BATCH = 200
"""How many evaluations go at once, where a system takes several."""

ENOUGH_REFUSALS = 8
"""After so many refusals of single evaluations, with none that was taken, the rest of a batch is not tried."""

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 300.0
"""Seconds until what waits is tried again by somebody who delivers all the time; they double from one to the next."""

ENOUGH_BATCHES = 2
"""After so many batches of which nothing was taken, one behind the other, a system is not asked further."""


@dataclass(slots=True)
class DeliveryReport:
    """The result of sending evaluations to one system."""

    to: str
    address: str
    delivered: int = 0
    waiting: int = 0
    """How many did not arrive, and are kept to be sent again."""
    lost: int = 0
    """How many did not arrive and are not kept: there is no room for them, or they were refused for too long."""
    other_kind: int = 0
    """How many it cannot have, since their traces have ids of another kind than its own."""
    reasons: list[str] = field(default_factory=list)
    """Why, each reason once."""

    @property
    def complete(self) -> bool:
        """Whether everything arrived."""
        return not (self.waiting or self.lost)

    def explain(self, reason: str) -> None:
        """Add a reason."""
        if reason and reason not in self.reasons:
            self.reasons.append(reason)


@dataclass(slots=True)
class ExportOutcome:
    """The result of an export to several systems."""

    deliveries: list[DeliveryReport] = field(default_factory=list)
    trajectories: int = 0
    untraced: int = 0
    """Trajectories that no trace is known of; nobody was told about them."""
    untraced_examples: list[str] = field(default_factory=list)
    """The first of these by case, agent and trial."""
    unmeasured: int = 0
    unscored: int = 0
    """Outcomes of scorers without a value, which nobody was told either."""

    @property
    def complete(self) -> bool:
        """Whether everything arrived that could be sent."""
        return all(one.complete for one in self.deliveries)


class ScoreExporter:
    """The way to several systems, for one run or for as long as somebody watches."""

    def __init__(
        self,
        to: Sequence[str],
        *,
        endpoint: str | None = None,
        metrics: Sequence[str] = (),
        store: PathLike | None = None,
        retries: Retries = DELIVERY_RETRIES,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Find the systems. Nothing is sent yet.

        Args:
            to: Names of `EXPORT_TARGETS`.
            endpoint: The address, where there is only one system; default: what its own clients take from the
                environment.
            metrics: Names of `EXPORT_METRICS` and of scorers; default: everything.
            store: Where runs are kept; what did not arrive waits beside it.
            retries: How often and how long a request is tried before what it carries has to wait.
            environment: Variables; default: those of this process.

        Raises:
            UsageError: There is no such system, or it is not said where it is or how it lets us in.
        """
        if endpoint is not None and len(to) > 1:
            raise UsageError("--endpoint is the address of one system; name others by their environment variables")
        spool = ExportSpool(spool_folder(store))
        targets = [open_target(name, endpoint, environment=environment, retries=retries) for name in dict.fromkeys(to)]
        self._exporters = [Exporter(target, spool) for target in targets]
        self._metrics = tuple(metrics)

    @property
    def addresses(self) -> list[str]:
        """Where the systems are, without credentials."""
        return [exporter.address for exporter in self._exporters]

    def export(
        self, scored: Iterable[Scored], *, suite: str, created: str, reviews: Reviews | None = None
    ) -> ExportOutcome:
        """Send what is said of scored trajectories. Never raises because a system or the spool fails.

        Args:
            scored: Can be iterated once for each system.
            suite: The name of the suite.
            created: When they were scored, as an ISO 8601 time; the same when they are exported again.
            reviews: What people say of them.
        """
        told = Evaluations(scored, suite=suite, created=created, reviews=reviews, metrics=self._metrics)
        outcome = self.deliver(told)
        outcome.trajectories = told.trajectories
        outcome.untraced, outcome.untraced_examples = told.untraced, told.untraced_examples
        outcome.unmeasured, outcome.unscored = told.unmeasured, told.unscored
        return outcome

    def deliver(self, evaluations: Iterable[Evaluation]) -> ExportOutcome:
        """Send evaluations that somebody else made, likewise."""
        return ExportOutcome([exporter.deliver(evaluations) for exporter in self._exporters])

    def retry(self) -> ExportOutcome:
        """Send what waits for these systems."""
        return ExportOutcome([exporter.retry() for exporter in self._exporters])

    def close(self) -> None:
        """Let go of connections."""
        for exporter in self._exporters:
            exporter.close()


class Exporter:
    """The way to one system. What waits from earlier goes first."""

    def __init__(
        self,
        target: ExportTarget,
        spool: ExportSpool,
        secrets: Secrets | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Join a system and the place where what it did not take waits.

        Args:
            target: The system.
            spool: Where batches wait.
            secrets: What is taken out of explanations; default: the credentials of the environment.
            clock: Tells the seconds.
        """
        self._target = target
        self._spool = spool
        self._secrets = Secrets.from_environment() if secrets is None else secrets
        self._clock = clock
        self._down = False
        """Whether the system was found not to answer, so that it is not asked again for a while."""
        self._pause = FIRST_PAUSE
        self._retry_at = -math.inf
        """Before this what waits is not tried again, nor a system that was found not to answer."""

    @property
    def address(self) -> str:
        """Where the system is, without credentials."""
        return self._target.address

    def deliver(self, evaluations: Iterable[Evaluation]) -> DeliveryReport:
        """Send evaluations, after those that wait. Never raises because of the system or the spool.

        Whoever delivers again and again is not held up: what waits is tried after pauses that grow, and so is a system
        that does not answer.
        """
        report = self._report()
        older: dict[str, str] = {}
        tried = self._clock() >= self._retry_at
        if tried:
            report = self.retry()
            older = {one.id: batch.key for batch in self._waiting() for one in batch.evaluations}
        taken = self._taken(evaluations, report)
        refused = 0
        while several := tuple(islice(taken, BATCH)):
            batch = batch_of(self._target.name, self._target.address, several)
            kept = self._keep(batch, report)
            if kept:
                report.waiting -= self._supersede(batch, older, report)
            refused = 0 if self._deliver(batch, report, kept=kept) else refused + 1
            self._down = self._down or refused >= ENOUGH_BATCHES
        self._rest(report, tried=tried)
        return report

    def retry(self) -> DeliveryReport:
        """Send what waits for this system, however short ago that was tried."""
        report = self._report()
        self._down = False
        for batch in self._waiting():
            self._deliver(batch, report, kept=True)
        return report

    def close(self) -> None:
        """Let go of connections."""
        self._target.close()

    def _report(self) -> DeliveryReport:
        return DeliveryReport(self._target.name, self._target.address)

    def _rest(self, report: DeliveryReport, *, tried: bool) -> None:
        """Decide when what waits is tried again."""
        if tried and not report.waiting:
            self._pause, self._retry_at = FIRST_PAUSE, -math.inf
        elif tried or (report.waiting and math.isinf(self._retry_at)):
            self._retry_at = self._clock() + self._pause
            self._pause = min(LONGEST_PAUSE, 2 * self._pause)

    def _waiting(self) -> Iterator[SpooledBatch]:
        return self._spool.waiting(self._target.name, self._target.address)

    def _supersede(self, fresh: SpooledBatch, older: dict[str, str], report: DeliveryReport) -> int:
        """Take away what waits and is said anew, so that it cannot come after what is newer; say how much that was."""
        said = {one.id for one in fresh.evaluations} & older.keys()
        for key in {older[one] for one in said} - {fresh.key}:
            batch = self._spool.read(fresh.to, key)
            if batch is None:
                continue
            rest = replace(batch, evaluations=tuple(one for one in batch.evaluations if one.id not in said))
            if rest.evaluations and not self._keep(rest, report):
                continue
            self._spool.drop(batch)
            older.update({one.id: rest.key for one in rest.evaluations})
        for one in said:
            del older[one]
        return len(said)

    def _taken(self, evaluations: Iterable[Evaluation], report: DeliveryReport) -> Iterator[Evaluation]:
        for one in evaluations:
            if self._target.takes(one):
                # What it is known by stays as it is: a password may be an everyday word.
                yield replace(one, explanation=self._secrets.redact(one.explanation))
            else:
                report.other_kind += 1

    def _keep(self, batch: SpooledBatch, report: DeliveryReport) -> bool:
        try:
            if self._spool.keep(batch):
                return True
            report.explain(f"{self._spool.folder}: too much is waiting to be sent already")
        except OutputError as error:
            report.explain(str(error))
        return False

    def _deliver(self, batch: SpooledBatch, report: DeliveryReport, *, kept: bool) -> bool:
        """Send a batch that is kept, if there was room; what arrives is taken away, and the rest stays.

        Returns:
            Whether some of it arrived.
        """
        attempt = _Attempt(self._target)
        left = list(batch.evaluations) if self._down else attempt.send(batch.evaluations)
        self._down = self._down or attempt.down
        for reason in attempt.reasons or ([batch.reason] if left else []):
            report.explain(reason)
        report.delivered += len(batch.evaluations) - len(left)
        if not left:
            self._spool.drop(batch)
        elif not kept:
            report.lost += len(left)
        elif not self._down and batch.is_old(datetime.now(UTC)):
            self._spool.drop(batch)
            report.lost += len(left)
        else:
            self._keep_rest(batch, left, attempt, report)
        return len(left) < len(batch.evaluations)

    def _keep_rest(
        self, batch: SpooledBatch, left: Sequence[Evaluation], attempt: _Attempt, report: DeliveryReport
    ) -> None:
        report.waiting += len(left)
        reason = attempt.reasons[0] if attempt.reasons else batch.reason
        rest = replace(batch, evaluations=tuple(left), reason=reason)
        if rest != batch and self._keep(rest, report) and rest.key != batch.key:
            self._spool.drop(batch)


class _Attempt:
    """One attempt at a batch. Where it is refused as a whole, it is halved until what is refused stands alone."""

    def __init__(self, target: ExportTarget) -> None:
        self._target = target
        self._refusals = 0
        self._taken = 0
        self.down = False
        """Whether the system does not answer, or lets nobody in."""
        self.reasons: list[str] = []

    def send(self, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
        """Send evaluations, and say which did not arrive."""
        if self.down or (self._refusals >= ENOUGH_REFUSALS and not self._taken):
            return list(evaluations)
        try:
            self._target.send(evaluations)
        except DeliveryError as failure:
            return self._refused(evaluations, failure)
        self._taken += len(evaluations)
        return []

    def _refused(self, evaluations: Sequence[Evaluation], failure: DeliveryError) -> list[Evaluation]:
        if failure.kind != "refused":
            self.down = True
        elif len(evaluations) > 1:
            middle = len(evaluations) // 2
            return [*self.send(evaluations[:middle]), *self.send(evaluations[middle:])]
        else:
            self._refusals += 1
        if str(failure) not in self.reasons:
            self.reasons.append(str(failure))
        return list(evaluations)
