"""The format `svg`: one chart of a run, or of two, as a file of its own, for papers and slides."""

from __future__ import annotations

from collections.abc import Iterator

from toolgauge.errors import UsageError, did_you_mean
from toolgauge.report import Document, RenderOptions, RunDocument

from .charts import run_charts
from .gathering import light
from .two_runs import TwoRunsDocument

__all__ = ["FORMAT"]


class Svg:
    """A chart that is named; every chart has its title, its axes and how to read it inside."""

    suffix = "svg"

    def render(self, document: Document, options: RenderOptions) -> Iterator[str]:
        """Draw the chart.

        Raises:
            UsageError: The document is no run and not two of them, or it has no such chart.
        """
        if isinstance(document, TwoRunsDocument):
            run = document.merged()
        elif isinstance(document, RunDocument):
            run = document.run
        else:
            raise UsageError(f"a {document.name} has no charts; those of a run are drawn by score, run and report")
        charts = {chart.name: chart for chart in run_charts(run.summary, list(map(light, run.scored)))}
        if options.chart not in charts:
            names = ", ".join(charts)
            if not options.chart:
                raise UsageError(f"say which chart with --chart NAME: {names}")
            near = did_you_mean(options.chart, list(charts))
            hint = near if near.startswith("did you mean") else f"known here: {names}"
            raise UsageError(f"there is no chart {options.chart!r} of this run; {hint}")
        return iter([charts[options.chart].file(options.words)])


FORMAT = Svg()
