"""Delivery: each evaluation arrives once, what does not arrive waits, and nothing that fails is raised."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from toolgauge.exports import Evaluation, Evaluations, ScoreExporter
from toolgauge.exports.exporter import BATCH, ENOUGH_BATCHES, ENOUGH_REFUSALS, Exporter
from toolgauge.exports.http import DeliveryError, FailureKind
from toolgauge.exports.spool import ENDING, ExportSpool, SpooledBatch, batch_of, spool_folder
from toolgauge.secrets import Secrets

from .receiving import QUICK, Receiver, Replied, seen


@dataclass
class Memory:
    """A system that keeps evaluations by their ids, and refuses those that it is told to."""

    name: str = "memory"
    address: str = "memory://here"
    kept: dict[str, Evaluation] = field(default_factory=dict)
    refuses: set[str] = field(default_factory=set)
    failing: FailureKind | None = None
    asked: int = 0

    def takes(self, evaluation: Evaluation) -> bool:
        return evaluation.trace_id != "foreign"

    def send(self, evaluations: Sequence[Evaluation]) -> None:
        self.asked += 1
        if self.failing is not None:
            raise DeliveryError("it does not work", self.failing)
        if any(one.id in self.refuses for one in evaluations):
            raise DeliveryError("one of them is not wanted", "refused")
        self.kept.update({one.id: one for one in evaluations})

    def close(self) -> None:
        pass


def evaluations(count: int, *, trace: str = "t", explanation: str = "") -> list[Evaluation]:
    return [
        Evaluation(
            id=f"{number:032x}",
            name="toolgauge.score",
            trace_id=trace,
            at="2026-11-18T05:00:00.000Z",
            value=1.0,
            explanation=explanation,
        )
        for number in range(count)
    ]


def waiting(spool: ExportSpool) -> list[str]:
    return sorted(one.id for batch in spool.waiting() for one in batch.evaluations)


def test_everything_arrives_once_however_often_it_is_sent(tmp_path: Path) -> None:
    target, spool = Memory(), ExportSpool(str(tmp_path / "spool"))
    several = evaluations(2 * BATCH + 7)
    for _ in range(2):
        report = Exporter(target, spool).deliver(several)
        assert (report.delivered, report.waiting, report.lost, report.complete) == (len(several), 0, 0, True)
    assert list(target.kept) == [one.id for one in several]
    assert not waiting(spool)


@pytest.mark.parametrize("kind", ["unavailable", "unauthorised"])
def test_what_does_not_arrive_waits_and_goes_first_the_next_time(tmp_path: Path, kind: FailureKind) -> None:
    target, spool = Memory(failing=kind), ExportSpool(str(tmp_path / "spool"))
    first = evaluations(2 * BATCH)
    report = Exporter(target, spool).deliver(first)
    assert (report.delivered, report.waiting, report.reasons) == (0, len(first), ["it does not work"])
    assert target.asked == 1, "a system that does not answer is not asked for each batch"
    target.failing = None
    later = [replace(one, id="f" + one.id[1:]) for one in evaluations(3)]
    assert Exporter(target, spool).deliver(later).delivered == len(first) + 3
    assert list(target.kept) == [one.id for one in (*first, *later)]
    assert not waiting(spool)


def test_whoever_delivers_all_the_time_is_not_held_up_by_a_system_that_does_not_answer(tmp_path: Path) -> None:
    target, spool, now = Memory(failing="unavailable"), ExportSpool(str(tmp_path / "spool")), [0.0]
    exporter = Exporter(target, spool, clock=lambda: now[0])
    for number, one in enumerate(evaluations(100)):
        now[0] = number / 10
        assert exporter.deliver([one]).waiting > 0
    assert target.asked <= 5, "at 0, 1, 3 and 7 seconds"
    target.failing = None
    now[0] = 10_000.0
    assert exporter.deliver([]).delivered == 100
    assert exporter.deliver(evaluations(1)).delivered == 1, "at once, where nothing waits"


def test_what_is_refused_does_not_hold_up_the_rest(tmp_path: Path) -> None:
    target, spool = Memory(), ExportSpool(str(tmp_path / "spool"))
    several = evaluations(BATCH)
    target.refuses = {several[3].id, several[150].id}
    report = Exporter(target, spool).deliver(several)
    assert (report.delivered, report.waiting) == (BATCH - 2, 2)
    assert waiting(spool) == sorted(target.refuses)
    target.refuses.clear()
    assert Exporter(target, spool).retry().delivered == 2
    assert not waiting(spool)


def test_a_system_that_refuses_everything_is_not_asked_for_each(tmp_path: Path) -> None:
    several = evaluations(10 * BATCH)
    target = Memory(refuses={one.id for one in several})
    assert Exporter(target, ExportSpool(str(tmp_path / "spool"))).deliver(several).waiting == 10 * BATCH
    assert target.asked < ENOUGH_BATCHES * 4 * ENOUGH_REFUSALS


def test_what_is_refused_and_waits_does_not_keep_others_from_arriving(tmp_path: Path) -> None:
    spool = ExportSpool(str(tmp_path / "spool"))
    refused, others = evaluations(3 * BATCH)[: 2 * BATCH], evaluations(3 * BATCH)[2 * BATCH :]
    target = Memory(refuses={one.id for one in refused})
    assert Exporter(target, spool).deliver(refused).waiting == 2 * BATCH
    report = Exporter(target, spool).deliver(others)
    assert (report.delivered, report.waiting) == (BATCH, 2 * BATCH)


def test_what_is_said_anew_takes_the_place_of_what_waits(tmp_path: Path) -> None:
    spool, target = ExportSpool(str(tmp_path / "spool")), Memory(failing="unavailable")
    first = evaluations(5)
    Exporter(target, spool).deliver(first)
    anew = [replace(one, value=0.0) for one in first[1:3]]
    assert Exporter(target, spool).deliver(anew).waiting == 5
    assert waiting(spool) == [one.id for one in first]
    target.failing = None
    assert Exporter(target, spool).deliver([replace(first[4], value=0.5)]).delivered == 6
    assert [target.kept[one.id].value for one in first] == [1.0, 0.0, 0.0, 1.0, 0.5]
    assert not waiting(spool)


def test_what_is_refused_for_a_week_is_given_up_and_said_to_be_lost(tmp_path: Path) -> None:
    target, spool = Memory(), ExportSpool(str(tmp_path / "spool"))
    one, other = evaluations(2)
    target.refuses = {one.id}
    old = replace(batch_of(target.name, target.address, [one, other]), since="2020-01-01T00:00:00+00:00")
    assert spool.keep(old)
    report = Exporter(target, spool).retry()
    assert (report.delivered, report.waiting, report.lost) == (1, 0, 1)
    assert not waiting(spool)


def test_what_is_old_waits_on_where_nobody_answers(tmp_path: Path) -> None:
    target, spool = Memory(failing="unavailable"), ExportSpool(str(tmp_path / "spool"))
    assert spool.keep(replace(batch_of(target.name, target.address, evaluations(1)), since="2020-01-01T00:00:00+00:00"))
    assert Exporter(target, spool).retry().waiting == 1


def test_what_a_system_cannot_have_is_counted(tmp_path: Path) -> None:
    target = Memory()
    report = Exporter(target, ExportSpool(str(tmp_path))).deliver(evaluations(2, trace="foreign"))
    assert (report.other_kind, report.delivered, report.complete) == (2, 0, True)


def test_a_spool_that_cannot_be_written_is_said_and_not_raised(tmp_path: Path) -> None:
    (tmp_path / "spool").write_text("a file is in the way")
    target = Memory(failing="unavailable")
    report = Exporter(target, ExportSpool(str(tmp_path / "spool"))).deliver(evaluations(2))
    assert (report.waiting, report.lost, report.complete) == (0, 2, False)
    assert any("cannot be written" in reason for reason in report.reasons)
    target.failing = None
    assert Exporter(target, ExportSpool(str(tmp_path / "spool"))).deliver(evaluations(2)).delivered == 2


def test_a_spool_that_is_full_says_what_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolgauge.exports.spool.MAX_SPOOLED_BYTES", 60_000)
    spool = ExportSpool(str(tmp_path / "spool"))
    report = Exporter(Memory(failing="unavailable"), spool).deliver(evaluations(10 * BATCH))
    assert report.waiting + report.lost == 10 * BATCH
    assert report.waiting == len(waiting(spool)) > 0
    assert report.lost > 0
    assert sum(path.stat().st_size for path in (tmp_path / "spool").iterdir()) <= 60_000


def test_files_that_wait_are_for_their_owner_and_hold_no_credentials(tmp_path: Path) -> None:
    spool = ExportSpool(str(tmp_path / "spool"))
    secret = "-".join(["a", "long", "secret"])
    several = evaluations(1, explanation=f"the key is {secret}")
    Exporter(Memory(failing="unavailable"), spool, Secrets({"KEY": secret, "WORD": "toolgauge.score"})).deliver(several)
    (path,) = (tmp_path / "spool").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert secret not in path.read_text()
    assert "toolgauge.score" in path.read_text(), "what it is known by stays, though it is the password of somebody"


def test_what_waits_is_beside_the_store_or_in_the_usual_folder_where_that_is_no_file() -> None:
    assert spool_folder("runs/mine.db") == spool_folder("sqlite:///runs/mine.db") == "runs/mine.db-exports"
    assert spool_folder("postgresql://me:secret@host/db") == os.path.join(".toolgauge", "exports")


def test_the_same_batch_waits_once(tmp_path: Path) -> None:
    spool = ExportSpool(str(tmp_path / "spool"))
    for _ in range(3):
        Exporter(Memory(failing="unavailable"), spool).deliver(evaluations(5))
    assert len(list((tmp_path / "spool").iterdir())) == 1


def test_files_of_others_are_passed_over(tmp_path: Path) -> None:
    spool = ExportSpool(str(tmp_path))
    assert spool.keep(batch_of("memory", "memory://here", evaluations(1)))
    (tmp_path / f"torn{ENDING}").write_bytes(b'{"schema":"toolg')
    changed = replace(batch_of("memory", "memory://here", evaluations(2)), to="../../elsewhere")
    (tmp_path / f"changed{ENDING}").write_bytes(msgspec.json.encode(changed))
    assert [batch.to for batch in spool.waiting()] == ["memory"]


KILLED = """
import sys
from toolgauge.exports.spool import ExportSpool, batch_of
from toolgauge.exports import Evaluation

spool = ExportSpool(sys.argv[1])
print("ready", flush=True)
number = 0
while True:
    made = [Evaluation(id=f"{number:026x}{i:06x}", name="n", trace_id="t" * 2000, at="a", value=1.0) for i in range(50)]
    batch = batch_of("memory", "memory://here", made)
    spool.keep(batch)
    print(number, flush=True)
    number += 1
"""


def test_nothing_that_waits_is_lost_or_torn_by_a_kill(tmp_path: Path) -> None:
    folder = tmp_path / "spool"
    for round_ in range(3):
        process = subprocess.Popen([sys.executable, "-c", KILLED, str(folder)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.05 + 0.05 * round_)
        os.kill(process.pid, signal.SIGKILL)
        said, _ = process.communicate(timeout=30)
        kept = {batch.evaluations[0].id for batch in ExportSpool(str(folder)).waiting()}
        confirmed = said.split()
        assert confirmed, "something was kept before the end"
        assert {f"{int(number):026x}{0:06x}" for number in confirmed} <= kept
    for path in folder.glob(f"*{ENDING}"):
        assert len(msgspec.json.decode(path.read_bytes(), type=SpooledBatch).evaluations) == 50
    target = Memory()
    report = Exporter(target, ExportSpool(str(folder))).retry()
    assert report.complete
    assert report.delivered == len(target.kept)
    assert not list(folder.glob(f"*{ENDING}"))


def test_a_process_that_is_killed_while_it_sends_leaves_what_it_sent_to_be_sent_again(tmp_path: Path) -> None:
    store = tmp_path / "runs.db"
    script = (
        "import sys\nfrom tests.exports.receiving import seen\nfrom toolgauge.exports import ScoreExporter\n"
        "exporter = ScoreExporter(['phoenix'], endpoint=sys.argv[1], store=sys.argv[2])\n"
        "exporter.export([seen()], suite='s', created='2026-01-01')\n"
    )
    # Accepts connections and never answers.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        process = subprocess.Popen([sys.executable, "-c", script, url, str(store)])
        connection, _ = silent.accept()
        connection.recv(100)
        os.kill(process.pid, signal.SIGKILL)
        process.wait(30)
        connection.close()
    expected = sorted(one.id for one in Evaluations([seen()], suite="s", created="2026-01-01"))
    assert waiting(ExportSpool(spool_folder(store))) == expected


def test_scores_reach_several_systems_and_one_that_is_down_does_not_hold_up_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Receiver() as server:
        monkeypatch.setenv("PHOENIX_COLLECTOR_ENDPOINT", server.url)
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
        exporter = ScoreExporter(["otel", "phoenix"], store=tmp_path / "runs.db", retries=QUICK)
        outcome = exporter.export([seen(), seen("no", trace=None)], suite="weather", created="2026-01-01")
        exporter.close()
    otel, phoenix = outcome.deliveries
    assert (otel.delivered, otel.waiting) == (0, phoenix.delivered)
    assert phoenix.delivered == len(server.received[0].json["data"]) > 0
    assert (outcome.untraced, outcome.untraced_examples) == (1, ["no, react, 1"])
    assert not outcome.complete


def test_a_server_that_fails_once_gets_the_rest_by_retrying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Receiver([Replied(500)] * 3) as server:
        monkeypatch.setenv("PHOENIX_COLLECTOR_ENDPOINT", server.url)
        exporter = ScoreExporter(["phoenix"], store=tmp_path / "runs.db", retries=QUICK)
        failed = exporter.export([seen()], suite="weather", created="2026-01-01").deliveries[0]
        assert (failed.delivered, len(server.received)) == (0, 3)
        again = exporter.retry().deliveries[0]
        exporter.close()
    assert again.delivered == failed.waiting > 0
    assert len({request.body for request in server.received}) == 1, "the same is sent each time"
