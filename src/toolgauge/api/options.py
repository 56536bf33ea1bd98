"""What can be said of scoring and converting, as values that are passed on whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from dataclasses import replace as with_changes
from typing import TYPE_CHECKING, Literal, TypeVar

from toolgauge.core import Selection
from toolgauge.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from toolgauge.core import PathLike, Suite
    from toolgauge.pipeline import Keep

__all__ = [
    "ConvertOptions",
    "Profile",
    "ScoreOptions",
    "SuiteOptions",
    "TraceOptions",
    "built_in_readers",
    "trace_formats",
    "with_keywords",
]

Profile = Literal["bfcl"]
"""Another way of writing suites: the questions and answers of a leaderboard, scored as it scores them."""

T = TypeVar("T", bound="DataclassInstance")


@dataclass(frozen=True, kw_only=True)
class SuiteOptions:
    """How a suite is read."""

    suite_format: str | None = None
    """How it is written, where its content does not tell."""
    columns: Mapping[str, str] | None = None
    """Of a suite as CSV by meaning the heading of the column, where the heading does not say so itself."""
    profile: Profile | None = None
    """`bfcl`: the suite is a file of questions of the Berkeley Function-Calling Leaderboard."""
    answers: PathLike | None = None
    """The answers to these questions, where they are in a file of their own."""
    strict_names: bool = False
    """Whether functions have to be called exactly as the leaderboard demands: no prefix, no dot for an underscore."""


@dataclass(frozen=True, kw_only=True)
class TraceOptions:
    """How recorded traces are read and joined to the cases of a suite."""

    agent_from: Literal["file", "path"] = "file"
    """What names an agent: the file itself, or the folder that the file is in below the one that is given."""
    input_format: str | None = None
    """How the trace files are written, or which tool recorded them, where their content does not tell."""
    join_by: str = "auto"
    """What tells the case of a trajectory: `auto` (its id, else its question), `id`, `input`, or a key of its metadata,
    whose value is the id of the case or its label of that name."""
    error_patterns: Sequence[str] | None = None
    """Regular expressions that results of failed calls match, where other tools' records do not say which failed;
    default: those for common messages."""
    strict_decoding: bool = False
    """Whether results of the Berkeley Function-Calling Leaderboard hold only the calls that its own handlers find."""
    handler: str | None = None
    """Which of its handlers reads the results, and says how names are written; default: the one of most models."""
    text_calls: str | None = None
    """Which calls that models wrote as text are read: `auto` (the default: in messages, what is beyond doubt), `any`,
    `off`, or names of styles such as `hermes` or `json,python`; see `docs/connect.md`."""


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(TraceOptions, SuiteOptions, Selection):
    """How recorded traces are scored, and for which cases of the suite."""

    by: str | None = None
    """The label to break figures down by; default `difficulty`, where the suite has it."""
    keep: Keep = "all"
    """Which scored trajectories the run holds."""
    grounding: bool = False
    """Also look for arguments that came from nowhere."""
    jobs: int | Literal["ray"] = 1
    """How many processes share the work, or `ray`: the workers of a Ray cluster do. Needs large files or several of
    them, and a spool where trajectories are kept."""
    ray_address: str | None = None
    """The Ray cluster; default: that of RAY_ADDRESS, or else one that is started here."""
    parts: PathLike | None = None
    """A folder in which workers write what came of each piece of the input; what is there is not done again."""
    headline: bool = False
    """Also find what a report begins with: how the agents stand to each other, and what fails most."""
    scorers: Sequence[object] = ()
    """Scorers of one's own: objects, names of installed ones, or `module:object`; see `docs/scorers.md`."""
    allow_code: bool = False
    """Whether `module:object` may be imported."""


@dataclass(frozen=True, kw_only=True)
class ConvertOptions(TraceOptions, SuiteOptions):
    """How recorded traces are converted."""

    suite: Suite | PathLike | None = None
    """The suite they are meant for: its names of tools are taken where a record writes them in another way, and its ids
    of cases are filled in. What belongs to no case is kept, and counted in the report."""
    verbatim: bool = False
    """Results may be `msgspec.Raw`, as they were written: for those who only encode them again, which takes half the
    time then."""


def built_in_readers() -> list[str]:
    """The names of the readers for logs of other tools."""
    from toolgauge.traces.formats import BUILT_IN

    return list(BUILT_IN)


def text_styles() -> list[str]:
    """All values of `text_calls`."""
    from toolgauge.traces.textcalls import ANY, AUTO, OFF, STYLES

    return [AUTO, *STYLES, ANY, OFF]


def trace_formats() -> list[str]:
    """All values of `input_format`: our own formats, and the names of readers with those of plugins."""
    from toolgauge.files import FORMATS
    from toolgauge.traces import reader_names

    return [*FORMATS, *reader_names()]


def with_keywords(options: T, given: Mapping[str, object], what: str) -> T:
    """Options with those that are given as keywords in place of them.

    Args:
        options: The options.
        given: Keywords of a function.
        what: What the options are of, for the message.

    Raises:
        UsageError: There is no such option.
    """
    known = [field.name for field in fields(options)]
    for name in given:
        if name not in known:
            raise UsageError(f"{what} has no option {name!r}; {did_you_mean(name, known)}".removesuffix("; "))
    return with_changes(options, **given)
