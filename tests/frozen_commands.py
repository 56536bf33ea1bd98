"""The commands whose output is frozen, each with the name of the file that it is saved in.

They are run in a folder that holds the files of `frozen/inputs`, the examples, and what `PREPARE` makes of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

__all__ = ["COMMANDS", "PREPARE", "Frozen", "Prepared"]

LANGUAGES = ("en", "vi")
REPORTS = ("text", "md", "json", "csv", "latex")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A command whose output later ones start from."""

    command: str
    code: int = 0


@dataclass(frozen=True, slots=True)
class Frozen:
    """Commands that are run one after another in a folder of their own; `< FILE` before one is its standard input."""

    name: str
    commands: tuple[str, ...]
    live: bool = False
    """Whether agents are run, so that figures of time differ."""


PREPARE = (
    Prepared("score weather shipped/weather.jsonl --format run -o weather.run.jsonl"),
    Prepared("score vn-finance shipped/vn-finance.jsonl --format run -o finance.run.jsonl"),
    Prepared("score demo/suite.yaml demo/traces.jsonl --format run -o demo.run.jsonl"),
    Prepared("score city/suite.yaml city/traces.jsonl --format run -o city.run.jsonl"),
    Prepared("score rules/plain.json rules/plain.jsonl --by rule --format run -o rules.run.jsonl", 3),
    Prepared("score lint/doubtful.yaml lint/doubtful.jsonl --format run -o doubtful.run.jsonl"),
    Prepared("score trials/suite.json trials/before.jsonl --format run -o before.run.jsonl"),
    Prepared("score trials/suite.json trials/after.jsonl --format run -o after.run.jsonl"),
    Prepared("score trials/suite.json trials/right.jsonl --format run -o right.run.jsonl"),
    Prepared("score trials/suite.json trials/few.jsonl --format run -o few.run.jsonl", 3),
)
"""Run files that later commands read; nothing in them tells when they were made."""


def one(name: str, command: str) -> Frozen:
    return Frozen(name, (command,))


def each(name: str, command: str, formats: Iterable[str], languages: Iterable[str] = LANGUAGES) -> Iterator[Frozen]:
    """A command in several formats and languages."""
    for form in formats:
        for lang in languages:
            yield one(f"{name}.{form}.{lang}", f"{command} --format {form} --lang {lang}")


def drawn(name: str, command: str) -> Iterator[Frozen]:
    """A command in all formats of reports; JSON and CSV are the same in every language, which some others show."""
    yield from each(name, command, ("text", "md", "latex"))
    yield from each(name, command, ("json", "csv"), ("en",))


def scores() -> Iterator[Frozen]:
    finance = "score vn-finance shipped/vn-finance.jsonl"
    yield from each("score-finance", finance, ("text", "json"), ("en",))
    yield one("score-finance-grounding", f"{finance} --grounding --format json")
    yield from drawn("score-weather", "score weather shipped/weather.jsonl")
    yield from each("score-weather-details", "score weather shipped/weather.jsonl --details", ("md", "csv"), ("en",))
    yield from each("score-weather-details", "score weather shipped/weather.jsonl --details", ("text",), ("vi",))
    yield one("score-weather-run", "score weather shipped/weather.jsonl --grounding --format run")
    demo = "score demo/suite.yaml demo/traces.jsonl"
    yield from drawn("score-demo", f"{demo} --failures")
    yield one("score-demo-jobs", f"{demo} --jobs 2 --format json --run-file out.run.jsonl")
    yield one("score-demo-grounding", f"{demo} --grounding --failures")
    city = "score city/suite.yaml city/traces.jsonl"
    yield from each("score-city", f"{city} --failures --details", REPORTS)
    yield one("score-city-run", f"{city} --format run")
    yield one("score-city-stdin", "< city/traces.jsonl score city/suite.yaml -")
    yield one("score-city-output", f"{city} --format md -o report.md")
    comparison = "score comparison/truth.csv React=comparison/react.csv ReWOO=comparison/rewoo.csv"
    yield from each("score-comparison", f"{comparison} --failures --details", REPORTS)
    yield one("score-comparison-run", f"{comparison} --format run")
    yield one("score-comparison-jobs", f"{comparison} --jobs 2")
    yield one("score-rules-run", "score rules/plain.json rules/plain.jsonl --by rule --format run")
    yield one("score-rules-csv", "score rules/plain.json rules/plain.jsonl --by rule --format csv")
    for name in ("schema_errors", "settings"):
        command = f"score rules/{name}.json rules/{name}.jsonl"
        yield one(f"score-{name}-run", f"{command} --format run")
        yield from each(f"score-{name}", f"{command} --failures", ("text",))
    trials = "score trials/suite.json trials/after.jsonl"
    yield from drawn("score-trials", trials)
    yield from each("score-trials-by", f"{trials} --by topic", ("text",))
    large = "score trials/suite.json trials/large.jsonl --by topic"
    yield Frozen("score-large", (f"{large} --format json", f"{large} --jobs 2 --format json"))
    yield from each("score-few", "score trials/suite.json trials/few.jsonl", ("text", "md"))
    bfcl = "score bfcl/questions.json --answers bfcl/answers.json bfcl/traces.jsonl --profile bfcl"
    yield from each("score-bfcl", f"{bfcl} --failures", ("text",))
    yield one("score-bfcl-run", f"{bfcl} --format run")
    columns = "--columns 'input=Question text,tools=Expected tools,id=No,answer=Result,level=Level'"
    yield one("score-columns", f"score columns/suite.csv columns/traces.jsonl {columns} --by level --failures")
    chat = "score chat/suite.yaml agent=chat/log.jsonl"
    yield one("score-chat", f"{chat} --failures")
    yield one("score-chat-pattern", f"{chat} --error-pattern '^boom' --join input --failures --lang vi")


def reports() -> Iterator[Frozen]:
    yield from drawn("report-finance", "report finance.run.jsonl")
    yield one("report-finance-failures", "report finance.run.jsonl --failures --format md")
    yield from each("report-demo", "report demo.run.jsonl", ("text", "csv"), ("en",))
    yield one("report-demo-run", "report demo.run.jsonl --format run")
    yield from each("report-case-demo", "report demo.run.jsonl --case d07", REPORTS)
    yield from each("report-case-city", "report city.run.jsonl --case T001_current_weather", REPORTS)
    yield from each("report-case-finance", "report finance.run.jsonl --case d23", ("text", "md"))
    yield from each("report-case-trials", "report after.run.jsonl --case c7", ("text", "latex", "json"))
    yield from each("report-rules-failures", "report rules.run.jsonl --failures --by rule", ("text", "md"))
    yield one("report-rules-latex", "report rules.run.jsonl --failures --details --by rule --format latex")
    yield from each("report-trials-by", "report after.run.jsonl --by topic --details", ("md", "latex"))
    yield one("report-stdin", "< few.run.jsonl report - --lang vi")
    yield one("report-output", "report city.run.jsonl --format csv -o out.csv")


def compares() -> Iterator[Frozen]:
    forms = ("text", "md", "html")
    yield from each("compare-finance", "compare finance.run.jsonl", ("text", "md"))
    yield from each("compare-weather", "compare weather.run.jsonl", ("json",), ("en",))
    yield from each("compare-demo", "compare demo.run.jsonl", ("text", "html"))
    yield from each("compare-trials", "compare after.run.jsonl", (*forms, "json"))
    two = "compare before.run.jsonl after.run.jsonl"
    yield from each("compare-two-runs", two, forms)
    yield from each("compare-two-runs", two, ("json",), ("en",))
    for metric in ("accuracy", "f1", "tool_fail_rate", "latency", "tokens", "requests", "redundant_rate", "score"):
        yield from each(f"compare-metric-{metric}", f"compare after.run.jsonl --metric {metric}", ("text",))
        yield one(f"compare-metric-{metric}.json", f"compare after.run.jsonl --metric {metric} --format json")
    several = "--metric precision --metric recall --metric cost --metric calls"
    yield from each("compare-metrics", f"compare before.run.jsonl after.run.jsonl {several}", ("text", "md"))
    yield from each("compare-by", "compare after.run.jsonl --by topic", ("text",))
    yield one("compare-against", "compare demo.run.jsonl --against react --metric pass_rate")
    yield one("compare-agents", "compare weather.run.jsonl --agent react --agent multi --lang vi")
    yield one("compare-bootstrap", "compare after.run.jsonl --bootstrap 500 --format json")
    yield one("compare-force", "compare after.run.jsonl few.run.jsonl --force")
    yield one("compare-output", "compare after.run.jsonl --format md -o compared.md")


def gates() -> Iterator[Frozen]:
    forms = ("text", "md", "json", "junit", "github")
    yield from each("gate-passes", "gate right.run.jsonl", forms)
    yield from each("gate-fails", "gate after.run.jsonl", forms)
    yield from each("gate-few", "gate few.run.jsonl --min-pass-rate 0.1", ("text", "junit", "github"))
    yield from each("gate-baseline", "gate after.run.jsonl --baseline before.run.jsonl", forms)
    limits = "--min-pass-rate 0.3 --min f1=0.9 --min f1[difficulty=hard]=0.7 --max latency.p95=300 --max tokens=400"
    drops = "--max-drop 0.2 --max-drop f1=0.01 --max-drop latency=5%"
    yield from each("gate-limits", f"gate after.run.jsonl {limits} --must-pass 'c1*'", forms)
    yield one(
        "gate-everything",
        f"gate after.run.jsonl {limits} {drops} --agent calm --junit junit.xml --summary pull.md --format github "
        "--baseline before.run.jsonl",
    )
    for flaky in ("forgive", "forbid"):
        yield from each(f"gate-{flaky}", f"gate after.run.jsonl --flaky {flaky} --min-pass-rate 0.8", ("text", "json"))
    for metric in ("requests", "tool_fail_rate", "cost", "calls", "redundant_rate"):
        limit = f"--min-pass-rate 0.1 --max {metric}=0.5 --max-drop {metric}=0.1 --baseline before.run.jsonl"
        yield one(f"gate-metric-{metric}", f"gate after.run.jsonl {limit}")
    yield one("gate-strict", "gate right.run.jsonl --strict --baseline right.run.jsonl")
    yield one("gate-finance", "gate finance.run.jsonl --lang vi")
    yield one("gate-demo", "gate demo.run.jsonl --format junit")
    yield one("gate-traces", "gate city/traces.jsonl --suite city/suite.yaml --format md --junit junit.xml")
    yield one("gate-comparison", "gate React=comparison/react.csv --suite comparison/truth.csv --min accuracy=0.9")


def diagnoses() -> Iterator[Frozen]:
    forms = ("text", "md", "json")
    yield from each("diagnose-finance", "diagnose finance.run.jsonl", forms)
    yield from each("diagnose-weather", "diagnose weather.run.jsonl", ("text",))
    yield from each("diagnose-demo", "diagnose demo.run.jsonl", forms)
    yield from each("diagnose-rules", "diagnose rules.run.jsonl --most 40 --by rule", forms)
    yield from each("diagnose-trials", "diagnose after.run.jsonl --by topic --agent bold --most 3", ("text", "json"))
    yield one("diagnose-traces", "diagnose React=comparison/react.csv --suite comparison/truth.csv -o out.txt")


def lints() -> Iterator[Frozen]:
    forms = ("text", "md", "json")
    yield from each("lint-faulty", "lint lint/faulty.yaml", forms)
    yield from each("lint-runs", "lint lint/doubtful.yaml --runs doubtful.run.jsonl", forms)
    for name in ("demo/suite.yaml", "rules/plain.json", "comparison/truth.csv", "weather", "vn-finance"):
        yield one(f"lint-{name.replace('/', '-')}", f"lint {name}")
    yield one("lint-runs-demo", "lint demo/suite.yaml --runs demo.run.jsonl --lang vi -o lint.txt")


def infoseeks() -> Iterator[Frozen]:
    forms = ("text", "json", "csv", "latex")
    yield from each("infoseek", "infoseek infoseek/predictions.jsonl infoseek/references.jsonl", forms)
    yield one("infoseek-fix", "infoseek infoseek/predictions.jsonl infoseek/references.jsonl --fix-space -o out.txt")
    yield one("infoseek-list", "infoseek infoseek/list.json infoseek/references.jsonl")
    yield one("infoseek-crashing", "infoseek infoseek/crashing.jsonl infoseek/references.jsonl")
    yield one("infoseek-strict", "infoseek infoseek/crashing.jsonl infoseek/references.jsonl --strict")


FOREIGN = (
    "anthropic",
    "bfcl",
    "inspect",
    "langchain",
    "langfuse",
    "langsmith",
    "mcp",
    "openai-agents",
    "openai-chat",
    "openai-responses",
    "openinference",
    "otel",
    "pydantic-ai",
    "tau-bench",
)


def all_formats() -> Iterator[Frozen]:
    """What commands print in formats that every document has."""
    yield from each("report-city", "report city.run.jsonl --details --failures", ("html",))
    yield from each("report-city", "report city.run.jsonl", ("junit", "github"))
    yield one("report-trials-junit", "report after.run.jsonl --format junit")
    yield from each("report-case-city", "report city.run.jsonl --case T001_current_weather", ("html",))
    yield one("score-city-github", "score city/suite.yaml city/traces.jsonl --format github")
    yield one("score-city-junit", "score city/suite.yaml city/traces.jsonl --format junit")
    yield from each("compare-two-runs", "compare before.run.jsonl after.run.jsonl", ("csv",), ("en",))
    yield from each("compare-trials", "compare after.run.jsonl --by topic", ("csv",), ("en",))
    yield from each("compare-trials", "compare after.run.jsonl", ("latex",))
    for name, command in (
        ("gate-baseline", "gate after.run.jsonl --baseline before.run.jsonl"),
        ("diagnose-trials", "diagnose after.run.jsonl --by topic --agent bold --most 3"),
        ("lint-faulty", "lint lint/faulty.yaml"),
    ):
        yield from each(name, command, ("csv", "latex", "html"))
    infoseek = "infoseek infoseek/predictions.jsonl infoseek/references.jsonl"
    yield from each("infoseek", infoseek, ("md", "html"))


def tables() -> Iterator[Frozen]:
    """Single tables, as they are pasted into a paper."""
    for form in ("text", "md", "latex", "html"):
        yield one(f"table-choice.{form}", f"report after.run.jsonl --table choice --format {form}")
    yield from each("table-f1", "report demo.run.jsonl --table f1 --table calls", ("latex",))
    yield one("table-compare", "compare after.run.jsonl --table pass_rate --table trials --format latex")
    yield one("table-gate", "gate after.run.jsonl --table checks --format md --lang vi")
    yield one("table-diagnose", "diagnose after.run.jsonl --table groups --format latex")
    yield one(
        "table-infoseek",
        "infoseek infoseek/predictions.jsonl infoseek/references.jsonl --table scores --format latex --lang vi",
    )


def converts() -> Iterator[Frozen]:
    for name in FOREIGN:
        yield one(f"convert-{name}", f"convert foreign/{name}.jsonl")
    yield one("convert-chat", "convert chat/log.jsonl --suite chat/suite.yaml -o native.jsonl")
    yield one("convert-jobs", "convert foreign/openai-chat.jsonl --jobs 2 -o native.jsonl")
    yield one("convert-large", "convert trials/large.jsonl --jobs 2 -o /dev/null")
    yield one("convert-csv", "convert comparison/react.csv")
    yield one("convert-native", "convert city/traces.jsonl")


def starts() -> Iterator[Frozen]:
    for lang in LANGUAGES:
        score = f"score start/suite.yaml start/traces.jsonl --lang {lang}"
        yield Frozen(f"init.{lang}", (f"init start --lang {lang}", score, f"init start --lang {lang}"))
    yield one("init-from-traces", "init --from-traces demo/traces.jsonl -o proposed.yaml")
    yield one("init-from-chat", "init --from-traces foreign/openai-chat.jsonl --suite-name chat proposed")


def stores() -> Iterator[Frozen]:
    save = "score trials/suite.json trials/{0}.jsonl --save {0} --store kept.db"
    yield Frozen(
        "store-export", (save.format("few"), "runs export few --store kept.db", "report latest --store kept.db")
    )
    yield Frozen("store-default", ("score city/suite.yaml city/traces.jsonl --save", "runs list", "runs export latest"))
    yield Frozen(
        "store",
        (
            "runs list --store kept.db",
            save.format("before"),
            save.format("after"),
            "runs list --store kept.db",
            "runs list --store kept.db --format json",
            "runs show after --store kept.db",
            "runs show after@latest --store kept.db --format json",
            "compare before after --store kept.db --metric pass_rate",
            "baseline show --store kept.db",
            "gate after --store kept.db --baseline",
            "baseline set before --store kept.db",
            "baseline show --store kept.db",
            "gate after --store kept.db --format md --baseline",
            "diagnose after --store kept.db --most 2",
            "runs import right.run.jsonl --name right --store kept.db",
            "report right --store kept.db --case c3",
            "runs delete after --yes --store kept.db",
            "runs list --store kept.db",
            "runs show after --store kept.db",
            "runs salvage kept.db -o saved.db",
            "runs list --store saved.db",
        ),
    )
    run = "run city/suite.yaml --agent react,rewoo --model local:lexical --store kept.db --concurrency 1"
    yield Frozen(
        "run",
        (
            f"{run} --name first --format run",
            "runs list --store kept.db",
            "runs show first --store kept.db",
            f"{run} --resume first --format run -o again.run.jsonl",
            "report first --store kept.db --case T001_current_weather",
            f"{run} --resume first --trials 2",
        ),
        live=True,
    )
    yield Frozen("demo", ("demo --store kept.db", "runs export latest --store kept.db -o finance.run.jsonl"), live=True)
    yield Frozen(
        "run-weather",
        (
            "run weather --model local:lexical --agent react,rewoo,reflexion,multi --store kept.db --format run "
            "-o weather.run.jsonl",
        ),
        live=True,
    )


MISTAKES = {
    "command": "scroe a b",
    "option": "score city/suite.yaml city/traces.jsonl --fromat md",
    "format": "score city/suite.yaml city/traces.jsonl --format pdf",
    "format-compare": "compare after.run.jsonl --format junit",
    "table": "report city.run.jsonl --table nothing",
    "table-json": "report city.run.jsonl --table choice --format json",
    "lang": "score city/suite.yaml city/traces.jsonl --lang fr",
    "no-arguments": "score",
    "no-traces": "score city/suite.yaml",
    "missing-suite": "score nowhere.yaml city/traces.jsonl",
    "missing-traces": "score city/suite.yaml nowhere.jsonl",
    "missing-run": "report nowhere.run.jsonl",
    "folder": "score city/suite.yaml city",
    "broken-line": "score trials/suite.json bad/line.jsonl",
    "unknown-key": "score trials/suite.json bad/key.jsonl",
    "wrong-type": "score trials/suite.json bad/type.jsonl",
    "empty-traces": "score trials/suite.json bad/empty.jsonl",
    "stranger": "score trials/suite.json bad/stranger.jsonl",
    "latin": "score trials/suite.json bad/latin.jsonl",
    "letter": "score trials/suite.json bad/text.txt",
    "empty-suite": "score bad/empty.yaml trials/after.jsonl",
    "suite-without-cases": "score bad/none.yaml trials/after.jsonl",
    "suite-key": "score bad/key.yaml trials/after.jsonl",
    "suite-indent": "score bad/indent.yaml trials/after.jsonl",
    "suite-matcher": "score bad/matcher.yaml trials/after.jsonl",
    "suite-answer": "score bad/answer.yaml trials/after.jsonl",
    "suite-twice": "lint bad/twice.yaml",
    "jobs": "score city/suite.yaml city/traces.jsonl --jobs 0",
    "input-format": "score city/suite.yaml city/traces.jsonl --input-format otle",
    "join": "score city/suite.yaml city/traces.jsonl --join ticket",
    "pattern": "score city/suite.yaml city/traces.jsonl --error-pattern '('",
    "columns": "score columns/suite.csv columns/traces.jsonl --columns input=Frage",
    "by": "score city/suite.yaml city/traces.jsonl --by colour",
    "output": "score city/suite.yaml city/traces.jsonl -o no/such/place.txt",
    "output-is-input": "score city/suite.yaml city/traces.jsonl -o city/traces.jsonl",
    "answers": "score bfcl/questions.json bfcl/traces.jsonl --answers bfcl/answers.json",
    "profile": "score bfcl/questions.json bfcl/traces.jsonl --profile bfcl",
    "case": "report city.run.jsonl --case T009",
    "case-of-many": "report finance.run.jsonl --case vf001",
    "case-run": "report city.run.jsonl --case T001_current_weather --format run",
    "not-a-run": "report city/traces.jsonl",
    "other-schema": "report bad/other.run.jsonl",
    "no-such-run": "report 20260131 --store kept.db",
    "compare-metric": "compare after.run.jsonl --metric f2",
    "compare-agent": "compare after.run.jsonl --agent nobody",
    "compare-against": "compare after.run.jsonl --against nobody",
    "compare-suites": "compare after.run.jsonl city.run.jsonl",
    "compare-one": "compare right.run.jsonl",
    "compare-bootstrap": "compare after.run.jsonl --bootstrap 3",
    "compare-not-a-run": "compare trials/after.jsonl",
    "gate-metric": "gate right.run.jsonl --min f2=1",
    "gate-number": "gate right.run.jsonl --min-pass-rate ninety",
    "gate-group": "gate right.run.jsonl --min f1[difficulty=none]=1",
    "gate-agent": "gate right.run.jsonl --agent nobody",
    "gate-must-pass": "gate right.run.jsonl --must-pass z",
    "gate-drop": "gate right.run.jsonl --max-drop 0.1",
    "gate-two": "gate right.run.jsonl after.run.jsonl",
    "gate-suites": "gate right.run.jsonl --baseline city.run.jsonl",
    "gate-not-a-run": "gate trials/after.jsonl",
    "gate-junit": "gate right.run.jsonl --junit no/such/place.xml",
    "diagnose-agent": "diagnose after.run.jsonl --agent nobody",
    "diagnose-not-a-run": "diagnose trials/after.jsonl",
    "lint-missing": "lint nowhere.yaml",
    "lint-key": "lint bad/key.yaml --format json",
    "lint-other-run": "lint lint/doubtful.yaml --runs city.run.jsonl",
    "lint-traces": "lint lint/doubtful.yaml --runs lint/doubtful.jsonl",
    "infoseek-missing": "infoseek nowhere.jsonl infoseek/references.jsonl",
    "infoseek-broken": "infoseek bad/line.jsonl infoseek/references.jsonl",
    "convert-letter": "convert bad/text.txt",
    "convert-broken": "convert bad/line.jsonl",
    "convert-format": "convert chat/log.jsonl --input-format nothing",
    "init-traces": "init --from-traces bad/empty.jsonl out",
    "run-agent": "run city/suite.yaml --agent nobody --model local:lexical --store kept.db",
    "run-no-model": "run city/suite.yaml --store kept.db",
    "run-code": "run city/suite.yaml --agent os:system --store kept.db",
    "run-resume": "run city/suite.yaml --model local:lexical --resume nothing --store kept.db",
    "runs-command": "runs remove x",
    "runs-delete": "runs delete nothing --yes --store kept.db",
    "runs-import": "runs import trials/after.jsonl --store kept.db",
    "runs-store": "runs list --store city/traces.jsonl",
    "store-url": "runs list --store mysql://somewhere",
    "baseline": "baseline set nothing --store kept.db",
}
"""Commands with a mistake in them, by what it is."""


def errors() -> Iterator[Frozen]:
    for name, command in MISTAKES.items():
        yield one(f"error-{name}", command)


COMMANDS: tuple[Frozen, ...] = (
    *scores(),
    *reports(),
    *compares(),
    *gates(),
    *diagnoses(),
    *lints(),
    *infoseeks(),
    *all_formats(),
    *tables(),
    *converts(),
    *starts(),
    *stores(),
    *errors(),
)
