"""Answers that are text: what is left of them to compare, and whether one agrees with any of several."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TypeVar

from .kinds import Unscorable, as_list, describe

__all__ = ["exact_match_score", "is_text_right", "metric_max_over_ground_truths", "normalise"]

Score = TypeVar("Score", bound=float)

_SHORT = 100
"""Texts up to this length are remembered, which bounds what is kept."""

_ARTICLES = frozenset({"a", "an", "the"})
_FIRSTS = {letter: letter.lower() for letter in string.ascii_letters + string.digits if letter not in "aAtT"}
_LASTS = {letter: letter.lower() for letter in string.ascii_letters + string.digits if letter not in "aAnNeE"}
"""With which character a text begins or ends once it is normalised, if it begins or ends with this one.

Characters with which an article begins or ends are left out, since they may go with it.
"""

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """What counts of an answer: lower case, without ASCII punctuation and English articles, with single spaces.

    Most answers are plain words, for which articles can be told by whole words. Where other characters make word
    boundaries inside a word (dashes and quotes outside ASCII, combining marks), the regular expression decides.
    """
    lowered = text.lower()
    if lowered.isascii():
        if lowered.isalnum():
            return "" if lowered in _ARTICLES else lowered
        bare = lowered.translate(_WITHOUT_PUNCTUATION)
        words = bare.split()
        plain = lowered.isprintable()
    else:
        bare = _PUNCTUATION.sub("", lowered)
        words = bare.split()
        plain = "".join(words).isalnum()
    if not plain:
        words = _ARTICLE.sub(" ", bare).split()
    elif not _ARTICLES.isdisjoint(words):
        words = [word for word in words if word not in _ARTICLES]
    return " ".join(words)


_normalise_again = lru_cache(maxsize=1 << 15)(normalise)


def _normalised(text: str) -> str:
    """As `normalise`, remembered for short texts: years, numbers and names come again and again."""
    return _normalise_again(text) if len(text) <= _SHORT else normalise(text)


def exact_match_score(prediction: str, ground_truth: str) -> bool:
    """Whether two answers are the same once case, ASCII punctuation, English articles and extra spaces are gone.

    Raises:
        Unscorable: One of them is not a string.
    """
    if not isinstance(prediction, str):
        raise Unscorable(f"the prediction is {describe(prediction)}, not a string")
    if not isinstance(ground_truth, str):
        raise Unscorable(f"a reference answer is {describe(ground_truth)}, not a string")
    return normalise(prediction) == normalise(ground_truth)


def metric_max_over_ground_truths(
    metric_fn: Callable[[str, str], Score], prediction: str, ground_truths: str | Iterable[str]
) -> Score:
    """The best that a prediction does against any of several reference answers; a bare string is one answer.

    Raises:
        Unscorable: There is no reference answer.
    """
    truths = [ground_truths] if isinstance(ground_truths, str) else ground_truths
    scores = [metric_fn(prediction, truth) for truth in truths]
    if not scores:
        raise Unscorable("the reference list is empty")
    return max(scores)


def is_text_right(prediction: object, answer: object) -> bool:
    """Whether a prediction agrees with one of the reference answers.

    The same as `metric_max_over_ground_truths` of `exact_match_score`, but nothing is normalised that is equal as it
    stands, or that begins or ends too differently to become equal.

    Raises:
        Unscorable: There is no reference answer, or something is not a string.
    """
    answers = answer if type(answer) is list else as_list(answer)
    if not isinstance(prediction, str):
        raise Unscorable(f"the prediction is {describe(prediction)}, not a string")
    if not answers:
        raise Unscorable("the reference list is empty")
    predicted: str | None = None
    first, last = _FIRSTS.get(prediction[:1]), _LASTS.get(prediction[-1:])
    if first is None or last is None:
        predicted = _normalised(prediction)
        first, last = predicted[:1], predicted[-1:]
    right = False
    # Also the answers behind one that agrees are looked at: one that is not a string spoils the item.
    for one in answers:
        if not isinstance(one, str):
            raise Unscorable(f"a reference answer is {describe(one)}, not a string")
        if right:
            continue
        if one == prediction:
            right = True
        elif _LASTS.get(one[-1:], last) == last and _FIRSTS.get(one[:1], first) == first:
            if predicted is None:
                predicted = _normalised(prediction)
            right = _normalised(one) == predicted
    return right
