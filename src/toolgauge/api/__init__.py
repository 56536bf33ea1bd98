"""What the commands do, as Python functions; the command line comes in by no other door.

Each is imported when it is first used, so that a command loads only what it needs.
"""

from __future__ import annotations

from toolgauge.lazy import lazy_exports

TYPE_CHECKING = False  # see toolgauge/lazy.py
if TYPE_CHECKING:
    from toolgauge.analysis.answers import check_answers
    from toolgauge.analysis.compare import compare
    from toolgauge.analysis.diagnose import diagnose
    from toolgauge.analysis.gate import DEFAULT_MAX_DROP, DEFAULT_PASS_RATE, Flaky, gate, read_number, split_limit
    from toolgauge.analysis.lint import lint
    from toolgauge.benchmarks import load_benchmark, shipped_suite
    from toolgauge.exports import (
        EXPORT_METRICS,
        EXPORT_TARGETS,
        DeliveryReport,
        Evaluation,
        ExportOutcome,
        ScoreExporter,
    )
    from toolgauge.pipeline import Keep
    from toolgauge.runner import Agents, RunOptions, RunOutcome, Watcher
    from toolgauge.secrets import hidden_in_messages
    from toolgauge.store import (
        RunInfo,
        Spool,
        check_other_store,
        check_places,
        copy_run,
        encode_reviews,
        import_run,
        open_store,
        reviews_path,
        salvage_store,
        shown_place,
    )
    from toolgauge.store.runfile import WRITE_ONE
    from toolgauge.suites import find_lines, load_suite, undefined_tools, write_suite
    from toolgauge.suites.extend import AddedCases, propose_cases
    from toolgauge.suites.schema import SCHEMA_FILE, read_schema
    from toolgauge.tools import stray_threads
    from toolgauge.traces import ImportReport, Source, Traces

    from .converting import convert, convert_lines, convert_parquet, propose_from_traces
    from .exporting import add_cases, export_run, export_table, retry_exports
    from .headlines import with_headline
    from .inputs import named_runs
    from .options import (
        ConvertOptions,
        Profile,
        ScoreOptions,
        SuiteOptions,
        TraceOptions,
        built_in_readers,
        text_styles,
        trace_formats,
    )
    from .partials import Shard, parse_shard
    from .reviews import check_reviews, review_run, take_reviews
    from .runs import (
        case_places,
        encode_run,
        execute_run,
        forecast_run,
        load_baseline,
        load_run,
        run,
        run_async,
        write_run,
    )
    from .sharded import merge_parts, score_shard
    from .traces import score

__all__ = [
    "DEFAULT_MAX_DROP",
    "DEFAULT_PASS_RATE",
    "EXPORT_METRICS",
    "EXPORT_TARGETS",
    "SCHEMA_FILE",
    "WRITE_ONE",
    "AddedCases",
    "Agents",
    "ConvertOptions",
    "DeliveryReport",
    "Evaluation",
    "ExportOutcome",
    "Flaky",
    "ImportReport",
    "Keep",
    "Profile",
    "RunInfo",
    "RunOptions",
    "RunOutcome",
    "ScoreExporter",
    "ScoreOptions",
    "Shard",
    "Source",
    "Spool",
    "SuiteOptions",
    "TraceOptions",
    "Traces",
    "Watcher",
    "add_cases",
    "built_in_readers",
    "case_places",
    "check_answers",
    "check_other_store",
    "check_places",
    "check_reviews",
    "compare",
    "convert",
    "convert_lines",
    "convert_parquet",
    "copy_run",
    "diagnose",
    "encode_reviews",
    "encode_run",
    "execute_run",
    "export_run",
    "export_table",
    "find_lines",
    "forecast_run",
    "gate",
    "hidden_in_messages",
    "import_run",
    "lint",
    "load_baseline",
    "load_benchmark",
    "load_run",
    "load_suite",
    "merge_parts",
    "named_runs",
    "open_store",
    "parse_shard",
    "propose_cases",
    "propose_from_traces",
    "read_number",
    "read_schema",
    "retry_exports",
    "review_run",
    "reviews_path",
    "run",
    "run_async",
    "salvage_store",
    "score",
    "score_shard",
    "shipped_suite",
    "shown_place",
    "split_limit",
    "stray_threads",
    "take_reviews",
    "text_styles",
    "trace_formats",
    "undefined_tools",
    "with_headline",
    "write_run",
    "write_suite",
]

__getattr__ = lazy_exports(
    __name__,
    {
        ".converting": "convert convert_lines convert_parquet propose_from_traces",
        ".exporting": "add_cases export_run export_table retry_exports",
        ".headlines": "with_headline",
        ".inputs": "named_runs",
        ".options": "ConvertOptions Profile ScoreOptions SuiteOptions TraceOptions built_in_readers text_styles "
        "trace_formats",
        ".partials": "Shard parse_shard",
        ".reviews": "check_reviews review_run take_reviews",
        ".runs": "case_places encode_run execute_run forecast_run load_baseline load_run run run_async write_run",
        ".sharded": "merge_parts score_shard",
        ".traces": "score",
        "toolgauge.analysis.answers": "check_answers",
        "toolgauge.analysis.compare": "compare",
        "toolgauge.analysis.diagnose": "diagnose",
        "toolgauge.analysis.gate": "DEFAULT_MAX_DROP DEFAULT_PASS_RATE Flaky gate read_number split_limit",
        "toolgauge.analysis.lint": "lint",
        "toolgauge.benchmarks": "load_benchmark shipped_suite",
        "toolgauge.exports": "DeliveryReport EXPORT_METRICS EXPORT_TARGETS Evaluation ExportOutcome ScoreExporter",
        "toolgauge.pipeline": "Keep",
        "toolgauge.secrets": "hidden_in_messages",
        "toolgauge.runner": "Agents RunOptions RunOutcome Watcher",
        "toolgauge.store": "RunInfo Spool check_other_store check_places copy_run encode_reviews import_run open_store "
        "reviews_path salvage_store shown_place",
        "toolgauge.store.runfile": "WRITE_ONE",
        "toolgauge.suites": "find_lines load_suite undefined_tools write_suite",
        "toolgauge.suites.extend": "AddedCases propose_cases",
        "toolgauge.suites.schema": "SCHEMA_FILE read_schema",
        "toolgauge.tools": "stray_threads",
        "toolgauge.traces": "ImportReport Source Traces",
    },
)
