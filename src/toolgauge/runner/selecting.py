"""Which cases a run is on, and what it records of that, so that it can be resumed and nobody takes it for the whole."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from toolgauge.core import JsonValue, Suite, suite_hash
from toolgauge.errors import UsageError
from toolgauge.store import RunStore, failed_cases
from toolgauge.suites import select_cases

from .options import RunOptions

__all__ = ["ChosenCases"]


class ChosenCases:
    """Finds the cases that are wanted, once.

    The suite of a run holds the cases that were chosen, and no others: its hash, and whatever is compared with it, are
    about these. Beside it stands what was asked for, of how many cases, and the hash of the whole suite. A run that is
    resumed is on the cases that it was begun with, whatever its filter would find by now.
    """

    def __init__(self, options: RunOptions, store: RunStore | None = None) -> None:
        """Look up what the run that is resumed was on.

        Args:
            options: What was asked for.
            store: Where the run is that is resumed.

        Raises:
            UsageError: There is no such run, or nothing is resumed and errors are to be retried.
        """
        if options.retry_errors and (options.resume is None or store is None):
            raise UsageError("--retry-errors is for a run that is resumed; add --resume RUN")
        self._options = options
        self._described = options.described
        self._resumed: Collection[str] | None = None
        self.words = ""
        """What was chosen, for those who watch."""
        self.settings: dict[str, JsonValue] = {}
        """What has to be the same for the run to be resumed."""
        self.about: dict[str, JsonValue] = {}
        """What else is recorded of it."""
        if options.resume is not None and store is not None:
            self._look_up(store, options.resume)

    def _look_up(self, store: RunStore, reference: str) -> None:
        info = store.find(reference)
        recorded = info.settings.get("selection")
        if isinstance(recorded, dict) and self._described in ({}, recorded):
            self._described = recorded
            self.about = {name: value for name, value in info.about.items() if name.startswith("select")}
            self._resumed = {case.id for case in store.open_run(info.id).header.suite.cases}

    def of(self, suite: Suite) -> Suite:
        """The suite with the cases that are wanted.

        Raises:
            NothingToDo: There are none.
        """
        options = self._options
        if not self._described:
            return suite
        self.settings = {"selection": self._described}
        if self._resumed is not None:
            chosen = replace(suite, cases=tuple(case for case in suite.cases if case.id in self._resumed))
        else:
            known, failed = None, None
            if options.failed_of is not None:
                known, failed = failed_cases(options.failed_of, options.store or None)
            chosen = select_cases(suite, options, failed)
            self.about = {
                "selection_options": options.options,
                "selected_of": len(suite.cases),
                "selected_from": suite_hash(suite),
                **({} if known is None else {"selected_by": known}),
            }
        self.words = f"{len(chosen.cases)} of {len(suite.cases)} cases: {self.about.get('selection_options')}"
        return chosen
