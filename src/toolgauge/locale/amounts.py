"""Reads one amount where it begins: a figure or number words, scale words, a unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from .number_words import read_decimals, read_group
from .numerals import is_ambiguous, read_figure
from .profile import Locale, NumberWords
from .profiles import PROFILES
from .tokens import Token, attached, word_at
from .units import COUNTED, CURRENCIES, unit_at

__all__ = ["VULGAR", "Amount", "AmountReader"]

VULGAR = {
    "½": Decimal("0.5"),
    "¼": Decimal("0.25"),
    "¾": Decimal("0.75"),
    "⅓": Decimal(1) / 3,
    "⅔": Decimal(2) / 3,
    "⅕": Decimal("0.2"),
    "⅛": Decimal("0.125"),
}

DESCRIBING = frozenset(["calendar", "working", "business", "full", "consecutive", "whole", "total"])
"""Words between a number and the unit that it counts."""
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
LARGEST_POWER = 300
LARGEST_DENOMINATOR = 64
"""Of a fraction behind a whole number; `2 3/100` is none that anybody writes."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity and the tokens that state it."""

    value: Decimal
    unit: str | None
    first: int
    last: int
    """Index behind its last token."""
    scale: Decimal | None = None
    """What a scale word such as `triệu` multiplies by; None where none is stated."""
    ordinal: bool = False
    spelled: bool = False
    """Whether it is written in words."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A value without a unit, while it is being read."""

    value: Decimal
    end: int
    scale: Decimal = Decimal(1)
    spelled: bool = False
    ordinal: bool = False
    stated: Decimal | None = None
    """The first scale that was stated."""


@dataclass(frozen=True, slots=True)
class AmountReader:
    """Reads the amounts of one text by the habits of one locale."""

    tokens: Sequence[Token]
    locale: Locale
    units: Mapping[tuple[str, ...], str]
    """Units to be known besides the common ones, by their words."""
    words: NumberWords

    def read(self, index: int, *, prefix: str | None = None) -> Amount | None:
        """The amount that begins at a token; None where the token begins no amount.

        Args:
            index: Where to begin.
            prefix: A currency that stands before it.
        """
        part = self._value(index, prefix)
        if part is None:
            return None
        unit, end = prefix, part.end
        stated = unit_at(self.tokens, end, self.units, attached=attached(self.tokens, end)) or self._far_unit(end)
        if stated:
            unit, end = prefix or stated[0], stated[1]
        elif self._runs_on(index, end):
            return None
        value = part.value
        if stated and word_at(self.tokens, end) in ("rưỡi", "rưởi"):
            value, end = value + (part.stated or Decimal(1)) / 2, end + 1  # `hai giờ rưỡi`
        if unit and unit.partition("/")[0] in COUNTED and part.stated is None and is_ambiguous(self.tokens[index].text):
            value = Decimal(self.tokens[index].text.replace(",", "").replace(".", ""))
        return Amount(value, unit, index, end, part.stated, part.ordinal, part.spelled)

    def _far_unit(self, end: int) -> tuple[str, int] | None:
        """The asked unit behind a word that describes it: `28 Olympic medals`."""
        tokens, behind = self.tokens, end + 1
        if not self.units or behind >= len(tokens) or tokens[end].line or tokens[end].kind != "word":
            return None
        word = tokens[end].low
        if (
            attached(tokens, end)
            or not word.isalpha()
            or word in self.words.separating
            or word in self.words.scales
            or tokens[behind].line
        ):
            return None
        for phrase, unit in self.units.items():
            stands = tuple(token.low for token in tokens[behind : behind + len(phrase)]) == phrase
            if stands and len(phrase[0]) > 2 and (word in DESCRIBING or not unit_at(tokens, behind, {})):
                return unit, behind + len(phrase)
        return None

    def _runs_on(self, index: int, end: int) -> bool:
        """Whether letters touch the figure: `5G` and `3D` are names."""
        last = self.tokens[end - 1]
        following = self.tokens[end] if attached(self.tokens, end) else None
        return bool(last.kind == "figure" and end == index + 1 and following and following.kind == "word")

    def _value(self, index: int, prefix: str | None) -> _Part | None:
        part = self._half(index) or self._scaled(index, prefix)
        if part is None or part.scale == 1:
            return part
        total = part
        while True:
            more = self._continued(total, prefix)
            if more is None:
                return replace(total, stated=part.scale)
            total = more

    def _continued(self, total: _Part, prefix: str | None) -> _Part | None:
        """Go on behind a scale word: `1 tỷ 200 triệu`, `hai nghìn ba trăm`, `một nghìn hai trăm tỷ`."""
        tokens, end = self.tokens, total.end
        if word_at(tokens, end) in ("rưỡi", "rưởi"):
            return _Part(total.value + total.scale / 2, end + 1, total.scale, total.spelled)
        if word_at(tokens, end) == "and" and total.spelled:
            end += 1
        if not word_at(tokens, end) or (word_at(tokens, end) in ("không", "linh", "lẻ") and not total.spelled):
            return None
        if word_at(tokens, end) in ("linh", "lẻ") and total.scale >= 1000:
            end += 1
        if tokens[end].low == "năm" and tokens[end - 1].low in ("linh", "lẻ"):
            return _Part(total.value + 5, end + 1, Decimal(1), total.spelled)
        part = self._scaled(end, prefix)
        if part is None or part.ordinal:
            return None
        plain = part.value / part.scale
        if part.scale > total.scale and part.scale != 1 and total.value < part.scale and plain < 1000:
            return _Part((total.value + plain) * part.scale, part.end, part.scale, total.spelled)
        if part.scale != 1:
            fits = part.value < total.scale
            return _Part(total.value + part.value, part.end, part.scale, total.spelled) if fits else None
        return self._remainder(total, part, end)

    def _remainder(self, total: _Part, part: _Part, begin: int) -> _Part | None:
        """A number without a scale word behind one with it."""
        if total.scale == 1 or part.value >= total.scale:
            return None
        short = self._short(total, part, begin)
        if short is not None:
            return short
        if part.spelled and total.spelled and word_at(self.tokens, part.end) not in ("tháng", "năm", "ngày"):
            return _Part(total.value + part.value, part.end, Decimal(1), True)
        return None

    def _short(self, total: _Part, part: _Part, begin: int) -> _Part | None:
        """`1 tỷ 2`, `một triệu hai`, `2tr5`: the digits say tenths, hundredths or thousandths of the scale."""
        tokens = self.tokens
        token = tokens[begin]
        if token.kind == "figure":
            follower = unit_at(tokens, part.end, {})
            closed = part.end >= len(tokens) or tokens[part.end].line or tokens[part.end].low in ".,;:!?)"
            touching = attached(tokens, begin)
            fits = token.text.isdigit() and len(token.text) <= 3
            wanted = touching or (len(token.text) in (1, 3) and token.text[0] != "0")
            if fits and wanted and (touching or closed or (follower and follower[0] in CURRENCIES)):
                more = Decimal(f"0.{token.text}") * total.scale
                return _Part(total.value + more, part.end, Decimal(1), total.spelled)
            return None
        one_word = (
            part.end == begin + 1 and token.low in self.words.tenths and tokens[begin - 1].low in self.words.scales
        )
        if one_word and 0 < part.value < 10:
            return _Part(total.value + part.value * total.scale / 10, part.end, Decimal(1), total.spelled)
        return None

    def _scaled(self, index: int, prefix: str | None) -> _Part | None:
        """A mantissa with its scale words."""
        part = self._mantissa(index)
        if part is None:
            return None
        part = self._fraction(part)
        scale, end = Decimal(1), self._of(part)
        while True:
            factor = self._scale(end, prefix)
            if factor is None:
                break
            if factor in (10, 100) and self._scale(end + 1, prefix) is not None:
                part = replace(part, value=part.value * factor)  # `5 trăm tỷ`: the scale is the billion
            else:
                scale *= factor
            end += 1
        return _Part(part.value * scale, end, scale, part.spelled, part.ordinal)

    def _of(self, part: _Part) -> int:
        """Where the scale word of a part stands: behind `of a` in `three quarters of a million`."""
        tokens, end = self.tokens, part.end
        between = (word_at(tokens, end), word_at(tokens, end + 1))
        fits = part.spelled and part.value < 1 and between in (("of", "a"), ("of", "one"))
        return end + 2 if fits and word_at(tokens, end + 2) in self.words.scales else end

    def _mantissa(self, index: int) -> _Part | None:
        tokens = self.tokens
        if index >= len(tokens):
            return None
        token = tokens[index]
        if token.kind == "figure":
            value = read_figure(token.text, self.locale)
            return None if value is None else self._power(_Part(value, index + 1))
        if token.kind != "word":
            return None
        if token.text in VULGAR:
            return _Part(VULGAR[token.text], index + 1)
        if (
            token.low in ("a", "an")
            and word_at(tokens, index + 1) in self.words.scales
            and len(tokens[index + 1].text) > 3
        ):
            return _Part(Decimal(1), index + 1, spelled=True)
        group = read_group(tokens, index, self.words)
        if group is None:
            return None
        value, end = group
        if word_at(tokens, end) in self.words.decimal_words:
            decimals = read_decimals(tokens, end + 1, self.words)
            if decimals:
                value, end = value + decimals[0], decimals[1]
        return _Part(value, end, spelled=True)

    def _power(self, part: _Part) -> _Part:
        """Exponents, ordinals and fractions that touch a figure: `1.5e9`, `2 × 10^9`, `5th`, `2½`."""
        tokens, end = self.tokens, part.end
        word = word_at(tokens, end)
        if word == "e" and attached(tokens, end):
            behind = end + 1 + (word_at(tokens, end + 1) in ("+", "-"))
            if attached(tokens, behind) and tokens[behind].text.isdigit() and len(tokens[behind].text) <= 3:
                power = int(tokens[behind].text) * (-1 if word_at(tokens, end + 1) == "-" else 1)
                return _Part(part.value * Decimal(10) ** max(min(power, LARGEST_POWER), -LARGEST_POWER), behind + 1)
        if word in ("×", "x", "·") and word_at(tokens, end + 1) == "10":
            power_found = self._exponent(end + 2)
            if power_found:
                return _Part(part.value * Decimal(10) ** power_found[0], power_found[1])
        if part.value == 10:
            power_found = self._exponent(end)
            if power_found:
                return _Part(Decimal(10) ** power_found[0], power_found[1])
        if word in ("st", "nd", "rd", "th") and attached(tokens, end):
            return _Part(part.value, end + 1, ordinal=True)
        if word in VULGAR:
            return _Part(part.value + VULGAR[word], end + 1)
        return self._mixed(part)

    def _mixed(self, part: _Part) -> _Part:
        """A whole number with a fraction behind it: `3 1/2`, `3-1/2`."""
        tokens, end = self.tokens, part.end
        if word_at(tokens, end) == "-" and attached(tokens, end) and attached(tokens, end + 1):
            end += 1
        if end + 2 >= len(tokens) or word_at(tokens, end + 1) != "/" or not word_at(tokens, end + 2):
            return part
        above, below = tokens[end].text, tokens[end + 2].text
        joined = attached(tokens, end + 1) and attached(tokens, end + 2)
        whole = part.value == int(part.value) and tokens[part.end - 1].text.isdigit() and part.value < 1000
        if not (joined and whole and above.isdecimal() and below.isdecimal()) or word_at(tokens, end + 3) == "/":
            return part
        if word_at(tokens, end) == "" or not 0 < int(above) < int(below) <= LARGEST_DENOMINATOR:
            return part
        return _Part(part.value + Decimal(int(above)) / int(below), end + 3)

    def _exponent(self, index: int) -> tuple[int, int] | None:
        tokens = self.tokens
        if word_at(tokens, index) == "^" and index + 1 < len(tokens) and tokens[index + 1].text.isdigit():
            power, end = tokens[index + 1].text, index + 2
        elif attached(tokens, index) and set(tokens[index].text) <= set("⁰¹²³⁴⁵⁶⁷⁸⁹"):
            power, end = tokens[index].text.translate(SUPERSCRIPTS), index + 1
        else:
            return None
        return (min(int(power), LARGEST_POWER), end) if len(power) <= 3 else None

    def _fraction(self, part: _Part) -> _Part:
        """`một phần ba`, `two thirds`, `two and a half`, `3/4`."""
        tokens, end = self.tokens, part.end
        word = word_at(tokens, end)
        if word == "phần" and word_at(tokens, end + 1) != "trăm":
            bottom = self._bottom(end + 1)
            return _Part(part.value / bottom[0], bottom[1], spelled=part.spelled) if bottom else part
        if (
            word == "and"
            and word_at(tokens, end + 1) in ("a", "one")
            and word_at(tokens, end + 2) in self.words.denominators
        ):
            return _Part(
                part.value + Decimal(1) / self.words.denominators[word_at(tokens, end + 2)],
                end + 3,
                spelled=part.spelled,
            )
        if word in ("rưỡi", "rưởi"):
            return _Part(part.value + Decimal("0.5"), end + 1, spelled=part.spelled)
        if part.spelled:
            behind = end + (word == "-")
            bottom_word = self.words.denominators.get(word_at(tokens, behind))
            return _Part(part.value / bottom_word, behind + 1, spelled=True) if bottom_word else part
        return self._stroke(part)

    def _bottom(self, index: int) -> tuple[Decimal, int] | None:
        """The denominator behind `phần`."""
        tokens = self.tokens
        word = word_at(tokens, index)
        if word in ("tư", "năm"):
            return Decimal(4 if word == "tư" else 5), index + 1
        if word in ("nghìn", "ngàn", "vạn", "triệu"):
            return self.words.scales[word], index + 1
        if not word or tokens[index].kind == "sign":
            return None
        if tokens[index].kind == "figure":
            value = read_figure(tokens[index].text, self.locale)
            return (value, index + 1) if value else None
        group = read_group(tokens, index, self.words)
        return group if group and group[0] else None

    def _stroke(self, part: _Part) -> _Part:
        tokens, end = self.tokens, part.end
        if word_at(tokens, end) != "/" or not word_at(tokens, end + 1):
            return part
        below = tokens[end + 1]
        again = word_at(tokens, end + 2) == "/" or (end + 2 < len(tokens) and attached(tokens, end + 2))
        if below.kind != "figure" or not below.text.isdigit() or len(below.text) > 4 or int(below.text) == 0:
            return part
        if again and tokens[end + 2].low not in ".,;:!?)%":
            return part
        return _Part(part.value / int(below.text), end + 2)

    def _half(self, index: int) -> _Part | None:
        """`half a million`, `a half`, `nửa triệu`, `một nửa`, `a third`."""
        tokens = self.tokens
        word, following = word_at(tokens, index) or tokens[index].low, word_at(tokens, index + 1)
        if word in self.words.halves:
            begin = self._of(_Part(Decimal("0.5"), index + 1, spelled=True)) + (following in ("a", "one"))
            scale = self._scale(begin, None)
            if scale:
                return _Part(scale / 2, begin + 1, scale, spelled=True)
            return _Part(Decimal("0.5"), index + 1, spelled=True)
        if word in ("một", "a", "one") and following in self.words.halves:
            return _Part(Decimal("0.5"), index + 2, spelled=True)
        if word == "a" and following in ("third", "quarter", "fifth", "tenth"):
            part = _Part(Decimal(1) / self.words.denominators[following], index + 2, spelled=True)
            scale = self._scale(self._of(part), None)
            return _Part(part.value * scale, self._of(part) + 1, scale, spelled=True) if scale else part
        return None

    def _scale(self, index: int, prefix: str | None) -> Decimal | None:
        """The factor of a scale word or abbreviation at a token."""
        tokens = self.tokens
        word = word_at(tokens, index)
        if not word or tokens[index].kind != "word":
            return None
        if word in ("trăm", "chục") and tokens[index - 1].kind == "figure":
            return Decimal(100 if word == "trăm" else 10)
        if word == "hundred" and tokens[index - 1].kind == "figure":
            return Decimal(100)
        if word in self.words.scales:
            short = word in ("tr", "ty", "mil", "mio") and tokens[index - 1].kind != "figure"
            return (
                None if short or word_at(tokens, index + 1) in self.words.not_after_scale else self.words.scales[word]
            )
        return self._letter(index, prefix) if len(word) == 1 and tokens[index - 1].kind == "figure" else None

    def _letter(self, index: int, prefix: str | None) -> Decimal | None:
        """`k`, `m`, `b` and `t` behind a figure, where they are no metres, bytes or tonnes."""
        token, touches = self.tokens[index], attached(self.tokens, index)
        follower = unit_at(self.tokens, index + 1, {})
        money = (prefix or (follower and follower[0])) in CURRENCIES
        if (token.low,) in self.units and not money:
            return None
        if token.low == "k":
            return Decimal(1000) if touches or token.text == "k" or money else None
        if token.low == "m":
            million = money or (touches and (token.text == "M" or PROFILES[self.locale].m_is_million))
            return Decimal(10) ** 6 if million else None
        if token.low == "b":
            return Decimal(10) ** 9 if touches or money else None
        if token.low == "t":
            return Decimal(10) ** 12 if money else None
        return None
