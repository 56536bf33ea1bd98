"""The models of a run, each opened once and closed at the end."""

from __future__ import annotations

import asyncio

from toolgauge.core import Model, Suite
from toolgauge.errors import UsageError
from toolgauge.models import Cassette, Recorded, open_model
from toolgauge.secrets import Secrets

from .loops import CLOSING_SECONDS

__all__ = ["RunModels"]


class RunModels:
    """The models of a run, each opened once."""

    def __init__(
        self,
        model: str | Model | None,
        judge: str | Model | None,
        base_url: str | None,
        cassette: Cassette | None,
        secrets: Secrets,
    ) -> None:
        self._base_url = base_url
        self._cassette = cassette
        self._secrets = secrets
        self._opened: dict[str, Model] = {}
        self.main = None if model is None else self._open(model)
        self._judge = judge

    def _open(self, model: str | Model) -> Model:
        name = model if isinstance(model, str) else model.name
        if name not in self._opened:
            if isinstance(model, str):
                self._opened[name] = open_model(
                    model, base_url=self._base_url, cassette=self._cassette, secrets=self._secrets
                )
            else:
                self._opened[name] = model if self._cassette is None else Recorded(name, self._cassette, model)
        return self._opened[name]

    def judge(self, name: str | None) -> Model:
        """The model that gives opinions.

        Raises:
            UsageError: Nobody is there to be asked.
        """
        wanted = name or self._judge
        if wanted is not None:
            return self._open(wanted)
        if self.main is None:
            raise UsageError("there are cases with a judge, and no model to ask; name one with --judge-model")
        return self.main

    def check_judges(self, suite: Suite) -> None:
        """Open all judges before anything is run."""
        for name in dict.fromkeys(case.judge.model for case in suite.cases if case.judge is not None):
            self.judge(name)

    async def close(self) -> None:
        """Let go of connections."""
        for model in self._opened.values():
            close = getattr(model, "close", None)
            if close is not None:
                async with asyncio.timeout(CLOSING_SECONDS):
                    await close()
