"""How traces are read, as somebody chose it, and what the readers of a file share."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolgauge.core import JsonValue

from .identity import identity_in
from .import_report import ImportReport
from .outcomes import Outcomes, RawResults
from .textcalls.looking import TextCalls
from .tool_names import ToolNames
from .values import OPENING, Record, structured

if TYPE_CHECKING:
    from .textcalls.reading import Doubt

__all__ = ["ReadContext", "ReadOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How a file of traces is read."""

    input_format: str | None = None
    """yaml, json, jsonl, csv or the name of a reader, where the content does not tell."""
    known_tools: Collection[str] = ()
    """Names of tools that a suite uses; other ways of writing them are taken as these."""
    error_patterns: Sequence[str] | None = None
    """Regular expressions that results of failed calls match, where records of other tools do not say which failed;
    default: those for common messages."""
    exact_names: bool = False
    """Whether tools are called what the records call them, and nothing else."""
    strict_decoding: bool = False
    """Whether results of the Berkeley leaderboard hold only the calls that its own handlers find in them."""
    handler: str | None = None
    """Which of its handlers; default: the one of most models."""
    text_calls: str | None = None
    """Which calls that are written as text are read: `auto` (the default: in messages, what is beyond doubt), `any`,
    `off`, or names of styles; the latter ones also in the answers of native trajectories."""
    kept_key: str | None = None
    """A key of the records of other tools that is kept with the metadata, for it may tell the case."""
    verbatim: bool = False
    """Results may be `msgspec.Raw`, as they were written, for those who only encode them again; not where patterns are
    given, which may be meant for them."""
    report: ImportReport = field(default_factory=ImportReport)
    """Records what was read, what was ignored and what was lost."""


class ReadContext:
    """What the readers of a file share: how to read names and results, and where to say what was lost."""

    __slots__ = (
        *("dotted", "handler", "kept_key", "names", "number", "outcomes", "raw_results"),
        *("report", "shared", "size", "source", "strict_decoding", "text_calls", "unit"),
    )

    def __init__(self, options: ReadOptions | None = None) -> None:
        """Make ready to read a file.

        Raises:
            UsageError: An error pattern is no regular expression, or there is no such style of calls.
        """
        options = ReadOptions() if options is None else options
        self.report = options.report
        self.kept_key = options.kept_key
        self.names = ToolNames(options.known_tools, exact=options.exact_names)
        self.strict_decoding = options.strict_decoding
        self.handler = options.handler
        self.dotted = {name.replace(".", "_"): name for name in options.known_tools if "." in name}
        """The names with dots by how an interface without dots has them."""
        self.outcomes = Outcomes(options.error_patterns)
        self.raw_results = RawResults() if options.verbatim and options.error_patterns is None else None
        """Keeps results as they were written, as `msgspec.Raw`, where nothing looks at them before they are encoded."""
        self.text_calls = TextCalls(options.text_calls, self.names.is_known if options.known_tools else None)
        """Reads calls that are written as text."""
        self.source = ""
        """What the file is called."""
        self.unit = "line"
        """What records are counted in."""
        self.number = 0
        """The number of the record at hand."""
        self.size = 0
        """How many bytes the record at hand took in the file; 0 where that is not known."""
        self.shared: dict[str, object] = {}
        """What readers of related formats keep together, by a name of theirs."""

    def note_loss(self, what: str, times: int = 1) -> None:
        """Report that something of the record at hand could not be used, in words that fit any such record."""
        self.report.note_loss(what, f"in {self.unit} {self.number}", times)

    def note_doubt(self, doubt: Doubt | None, words: str) -> None:
        """Report that a text of the record at hand looks like a call, and was not read as one."""
        if doubt is not None:
            where = f"{self.unit} {self.number}" if self.number else ""
            place = f"{self.source}, {where}" if self.source and where else self.source or where
            self.report.note_doubt(doubt.style, words, place, readable=doubt.readable)

    def meta_of(self, record: Record, metadata: Record) -> Record:
        """The metadata of a record, with its ids and the key that was asked for."""
        metadata = identity_in(record, metadata)
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
            if self.raw_results is not None and value[:1] in OPENING and not failed and not error:
                written = self.raw_results(value)
                if written is not None:
                    return written, None  # type: ignore[return-value]  # what the option `verbatim` allows
            value = structured(value)
        reason = self.outcomes.reason(value, recorded=recorded, failed=failed, error=error)
        # A result that says no more than the reason of the failure is not kept twice.
        return None if reason is not None and value == reason else value, reason
