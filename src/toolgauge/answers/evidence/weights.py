"""The rules that weigh whether a value answers the question: what each looks at, and how much it counts.

A weight is what a rule adds where it holds in full; some hold in part. They were set by hand and then moved a little
where that made more of the development items come out right.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["MARGIN", "RULES", "UNDECIDED_MARGIN", "WEIGHTS"]


class Rule(NamedTuple):
    """One piece of evidence."""

    weight: float
    looks_at: str


RULES: dict[str, Rule] = {
    "marked": Rule(11.0, "stands behind `Answer:`, `Đáp án:`, `\\boxed{}`"),
    "concluded": Rule(2.7, "its sentence begins with `so`, `vậy`, `in short`"),
    "emphasised": Rule(4.0, "is bold; shared where several values are"),
    "opens the answer": Rule(2.2, "is the first thing that is said"),
    "says nothing else": Rule(3.0, "is the whole first sentence"),
    "first": Rule(0.8, "stands before the others; less for each that precedes it"),
    "shared words": Rule(4.0, "words of the question stand beside it, and not beside the others"),
    "said beside a table": Rule(4.0, "is said in a sentence where there is also a table; by its shared words"),
    "row": Rule(4.8, "the question names its row of a table, or the label of its line"),
    "column": Rule(3.2, "the question names its column"),
    "section": Rule(2.5, "the question names the heading or parent bullet that it stands under"),
    "asked name": Rule(0.7, "the name in the question stands beside it"),
    "other name": Rule(-1.5, "another name does"),
    "asked tag": Rule(1.5, "the numbered thing of the question does: `oven A`, `chuyền 4`"),
    "other tag": Rule(-3.0, "one with another number does"),
    "asked period": Rule(1.4, "the asked time does"),
    "other period": Rule(-2.7, "another time does"),
    "asked measure": Rule(1.2, "what is asked of it does: selling, net, closing"),
    "other measure": Rule(-3.0, "what excludes that does: buying, gross, opening"),
    "asked unit": Rule(4.0, "has the asked unit"),
    "other unit": Rule(-5.0, "has another one"),
    "counts what is asked": Rule(1.5, "counts what `how many …` asks for"),
    "asked per": Rule(1.5, "is for one of what the question says: `per person`, `mỗi đêm`"),
    "precise enough": Rule(4.0, "a date as precise as asked"),
    "current": Rule(1.5, "is said to be so now"),
    "exactly": Rule(3.5, "is said to be exact, behind an estimate"),
    "result": Rule(1.8, "is what something comes to"),
    "calculated": Rule(2.0, "stands behind an equals sign"),
    "operand": Rule(-4.0, "is calculated with"),
    "correction": Rule(3.5, "is put in the place of another one"),
    "corrected later": Rule(-7.0, "is taken back"),
    "superseded": Rule(-3.0, "held before something was changed"),
    "change": Rule(-3.0, "says how far something moved or two things are apart"),
    "asked change": Rule(4.0, "the same, where that is asked"),
    "baseline": Rule(-3.0, "is what something is compared with"),
    "forecast": Rule(-1.5, "is expected or planned"),
    "part": Rule(-0.6, "is a part of something"),
    "whole": Rule(-2.5, "is divided into parts, one of which has words of the question that it lacks"),
    "total": Rule(-1.0, "is a total"),
    "asked total": Rule(2.0, "the same, where that is asked"),
    "asked limit": Rule(2.0, "is a limit, where that is asked"),
    "limit": Rule(-1.5, "is a limit"),
    "variant": Rule(-1.5, "is said of a variant: `adjusted`, `excluding …`"),
    "mean": Rule(-1.5, "is an average"),
    "example": Rule(-3.0, "belongs to an example or a condition"),
    "hearsay": Rule(-4.0, "is what others say"),
    "tentative": Rule(-4.0, "is what was first thought"),
    "another": Rule(-2.0, "is of another one, for comparison or next in order"),
    "bound": Rule(-1.2, "only bounds it: `under 100`"),
    "aside": Rule(-1.5, "stands in brackets"),
    "question": Rule(-4.0, "stands in a question"),
    "offer": Rule(-4.0, "stands in an offer of further help"),
    "other side of today": Rule(-1.5, "has gone by where a date to come is asked, or the other way round"),
    "nearest to today": Rule(1.0, "is the next or the last one, where that is asked"),
    "as of": Rule(-4.0, "only dates the information"),
    "superlative": Rule(6.0, "goes with the highest or lowest of the amounts, where that is asked"),
    "asked end": Rule(1.5, "is the end of what lasts so long, where that is asked"),
    "asked part": Rule(2.5, "is the part of a whole that words of the question tell"),
    "afterwards": Rule(-1.2, "is when something was done later"),
    "counted from": Rule(-3.0, "is the day from which something lasts whose end is asked"),
    "duration": Rule(-3.0, "says how long it took, where that is not asked"),
    "given in the question": Rule(-2.5, "stands in the question"),
    "seldom an answer": Rule(-5.0, "a label, a bare year, the end of a range"),
}
WEIGHTS: dict[str, float] = {name: rule.weight for name, rule in RULES.items()}
MARGIN = 0.4
"""Two values whose evidence differs by less are not told apart."""
UNDECIDED_MARGIN = 7.0
"""The same where the answer says that it does not know which of them is right."""
