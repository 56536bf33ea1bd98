"""What a report on questions of the Berkeley Function-Calling Leaderboard opens with: the official accuracy."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.catalogue import Words
from toolgauge.core import Run
from toolgauge.metrics import LEADERBOARD_AVERAGES, Standing, official_standings

from .blocks import Block, Column, Line, Paragraph, Table
from .display import percent, short

__all__ = ["is_leaderboard", "leaderboard", "standing_json"]

_MAX_NAME = 60
_MAX_NAMED = 6


def is_leaderboard(run: Run) -> bool:
    """Whether these are questions of the leaderboard."""
    return run.header.suite.settings.profile == "bfcl"


def leaderboard(run: Run, words: Words) -> Iterator[Block]:
    """The official accuracy of each agent, how outputs were read, and the averages; nothing for any other suite."""
    if not is_leaderboard(run):
        return
    standings = official_standings(run.summary)
    for found in standings[:_MAX_NAMED]:
        yield Paragraph(
            words(
                "bfcl.accuracy",
                agent=short(found.agent, _MAX_NAME),
                accuracy=percent(found.accuracy, words),
                passed=found.passed,
                questions=found.questions,
            ),
            "strong",
        )
    yield Paragraph(words(f"bfcl.reading.{_reading(run)}"))
    yield from _table(standings, words)


def _reading(run: Run) -> str:
    """How far names and outputs were read as the leaderboard reads them."""
    strict = run.header.about.get("bfcl")
    given = strict if isinstance(strict, list) else []
    names, decoding = "strict_names" in given, "strict_decoding" in given
    return "strict" if names and decoding else "names" if names else "decoding" if decoding else "kind"


def _table(standings: list[Standing], words: Words) -> Iterator[Block]:
    categories = dict.fromkeys(name for found in standings for name in found.categories)
    if not categories:
        return
    averages = [one.name for one in LEADERBOARD_AVERAGES if any(one.name in found.averages for found in standings)]
    columns = [Column(words("bfcl.category"), "left", key=True)]
    columns += [Column(short(found.agent, _MAX_NAME)) for found in standings]
    lines = [Line((name, *(_share(found.categories.get(name), words) for found in standings))) for name in categories]
    lines += [
        Line((words(f"bfcl.{name}"), *(_share(found.averages.get(name), words) for found in standings)), "strong")
        for name in averages
    ]
    yield Table(tuple(columns), tuple(lines), name="leaderboard")
    if "single_turn" in averages:
        yield Paragraph(words("bfcl.overall"), "dim")


def _share(value: float | None, words: Words) -> str:
    return words("none") if value is None else percent(value, words)


def standing_json(found: Standing) -> dict[str, object]:
    """A standing as data."""
    return {
        "agent": found.agent,
        "official_accuracy": found.accuracy,
        "right": found.passed,
        "questions": found.questions,
        "categories": found.categories,
        "averages": found.averages,
    }
