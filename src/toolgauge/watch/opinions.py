"""Asking a model for its opinion on a sampled share of the conversations. Nothing it says is a verdict."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Sequence
from hashlib import sha256

import msgspec

from toolgauge.core import Case, Judge, Model
from toolgauge.errors import ModelError, OutputError
from toolgauge.runner.judging import opinion

from .notes import TOO_SLOW, WatchNotes, no_opinion
from .state import WatchedConversation

__all__ = ["OpinionSampler", "is_sampled"]

MAX_WAITING = 100
"""How many conversations wait for the model; what comes beyond is not asked about, and counted."""

RUBRIC = (
    "The answer helps with the question, rests on what the tools returned, and claims nothing that they did not say."
)


def is_sampled(trace: str, share: float) -> bool:
    """Whether a conversation is among those that are asked about: always the same ones, whatever else comes."""
    return int.from_bytes(sha256(trace.encode("utf-8", "surrogatepass")).digest()[:8]) < share * 2**64


class OpinionSampler:
    """Asks about some conversations, in a thread of its own, and hands over what was said since."""

    def __init__(self, model: Model, share: float, notes: WatchNotes | None = None) -> None:
        """Begin.

        Args:
            model: The model.
            share: Of how many conversations.
            notes: Why there are no opinions.
        """
        self._notes = notes if notes is not None else WatchNotes()
        self._model = model
        self._share = share
        self._waiting: queue.Queue[WatchedConversation] = queue.Queue(MAX_WAITING)
        self._said: queue.SimpleQueue[tuple[WatchedConversation, float, bytes]] = queue.SimpleQueue()
        threading.Thread(target=self._work, name="judging", daemon=True).start()

    def __call__(self, conversations: Sequence[WatchedConversation]) -> list[tuple[WatchedConversation, float, bytes]]:
        """Ask about some of these, and give what was said of earlier ones."""
        for conversation in conversations:
            trajectory = conversation.trajectory
            if not trajectory.input or not trajectory.output or not is_sampled(conversation.trace, self._share):
                continue
            try:
                self._waiting.put_nowait(conversation)
            except queue.Full:
                self._notes.add(TOO_SLOW)
        found: list[tuple[WatchedConversation, float, bytes]] = []
        while not self._said.empty():
            found.append(self._said.get())
        return found

    def drain(self) -> None:
        """Wait until everybody was asked about."""
        self._waiting.join()

    def _work(self) -> None:
        asyncio.run(self._ask_all())

    async def _ask_all(self) -> None:
        while True:
            conversation = await asyncio.to_thread(self._waiting.get)
            try:
                await self._ask(conversation)
            except Exception as error:  # noqa: BLE001 - an opinion that is missing stops nothing
                self._fail(
                    error if isinstance(error, (ModelError, OutputError)) else f"{type(error).__name__}: {error}"
                )
            finally:
                self._waiting.task_done()

    async def _ask(self, conversation: WatchedConversation) -> None:
        trajectory = conversation.trajectory
        case = Case(id="watched", input=trajectory.input or "", judge=Judge(rubric=RUBRIC))
        event = await opinion(self._model, case, trajectory.output)
        score = event.get("score")
        if isinstance(score, (int, float)):
            self._said.put((conversation, float(score), msgspec.json.encode(event)))
        else:
            self._fail(event.get("error"))

    def _fail(self, why: object) -> None:
        self._notes.add(no_opinion(why))
