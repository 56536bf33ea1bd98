"""What the readers of a file share: how names and results are read, and where it is said what was lost."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolgauge.core import JsonValue

from .import_report import ImportReport
from .outcomes import Outcomes, RawResults
from .tool_names import ToolNames
from .values import OPENING, Record, structured

__all__ = ["ReadContext"]


@dataclass(slots=True)
class ReadContext:
    """What the readers of a file share: how to read names and results, and where to say what was lost."""

    report: ImportReport
    names: ToolNames = field(default_factory=ToolNames)
    outcomes: Outcomes = field(default_factory=Outcomes)
    unit: str = "line"
    """What records are counted in."""
    number: int = 0
    """The number of the record at hand."""
    size: int = 0
    """How many bytes the record at hand took in the file; 0 where that is not known."""
    shared: dict[str, object] = field(default_factory=dict)
    """What readers of related formats keep together, by a name of theirs."""
    verbatim: RawResults | None = None
    """Keeps results as they were written, as `msgspec.Raw`, where nothing looks at them before they are encoded."""
    kept_key: str | None = None
    """A key of records that is kept with their metadata, for it may tell the case."""

    def note_loss(self, what: str, times: int = 1) -> None:
        """Report that something of the record at hand could not be used, in words that fit any such record."""
        self.report.note_loss(what, f"in {self.unit} {self.number}", times)

    def meta_of(self, record: Record, metadata: Record) -> Record:
        """The metadata of a record, with the key that was asked for."""
        key = self.kept_key
        if key is None or key in metadata or key not in record:
            return metadata
        found = record[key]
        named = isinstance(found, (str, int)) and not isinstance(found, bool)
        return {**metadata, key: found} if named else metadata

    def resolve_result(
        self, value: JsonValue, failed: bool | None = None, error: str | None = None
    ) -> tuple[JsonValue, str | None]:
        """The result of a call, and why it failed, or None where it worked.

        Args:
            value: What the tool returned; a text that holds a JSON object or list is taken as that.
            failed: Whether the recorder calls it a failure; None: it does not say.
            error: Why it failed, in the recorder's words.
        """
        recorded = value
        if isinstance(value, str):
            if self.verbatim is not None and value[:1] in OPENING and not failed and not error:
                written = self.verbatim(value)
                if written is not None:
                    return written, None  # type: ignore[return-value]  # what `verbatim` allows
            value = structured(value)
        reason = self.outcomes.reason(value, recorded=recorded, failed=failed, error=error)
        # A result that says no more than the reason of the failure is not kept twice.
        return None if reason is not None and value == reason else value, reason
