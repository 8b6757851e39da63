"""Numbers as people read them: no more digits than the interval allows, a true minus sign, thousands apart.

Every function takes ``terminal=True`` for plain ASCII; without it the text is for pages (U+2212 minus, one-character
ellipsis, no-break space before a per cent sign). Nothing here ever prints a minus sign before nought.
"""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Final

from noddysim.insight.estimates import CHANCE, SCALE, Estimate

MINUS: Final = "\N{MINUS SIGN}"
ELLIPSIS: Final = "\N{HORIZONTAL ELLIPSIS}"
NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"

MOST_DIGITS: Final = 9
DIGITS_WITHOUT_INTERVAL: Final = 3
EXACT_DIGITS: Final = 4


def format_count(count: int, *, terminal: bool = False) -> str:
    """A whole number with its thousands apart: ``2,000,000``."""
    return _signs(f"{count:,}", terminal)


def format_number(value: float, digits: int, *, signed: bool = False, terminal: bool = False) -> str:
    """``value`` with ``digits`` places after the point; ``signed`` puts a plus before what is above nought.

    What rounds to nought has no sign. Thousands are set apart. Raises ValueError unless the value is finite.
    """
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be printed as a number")
    # Decimal of the shortest text: 0.125 and 0.145 round as they read, whatever their binary neighbours are.
    rounded = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)
    if rounded == 0:
        rounded = abs(rounded)
    return _signs(f"{rounded:+,f}" if signed and rounded > 0 else f"{rounded:,f}", terminal)


def format_percent(share: float, digits: int = 1, *, signed: bool = False, terminal: bool = False) -> str:
    """A share of one as a percentage: 0.0142 as ``1.4 %``."""
    space = " " if terminal else NO_BREAK_SPACE
    return format_number(_times(share, 100), digits, signed=signed, terminal=terminal) + space + "%"


def digits_for(half_width: float) -> int:
    """Places after the point for a value known to ± ``half_width``: that half-width then shows as 2 to 20 units.

    0.003 allows 3 places, 0.0015 allows 4, 20 allows none. At most MOST_DIGITS.
    """
    if half_width <= 0:
        return DIGITS_WITHOUT_INTERVAL
    return min(MOST_DIGITS, max(0, math.ceil(-math.log10(half_width / 2) - 1e-9)))


def format_estimate(
    estimate: Estimate, *, signed: bool = True, percent: bool | None = None, terminal: bool = False
) -> str:
    """An estimate with its interval: ``+0.321 (0.318 … 0.324)``, without its unit.

    The interval sets the number of digits; an end that is not nought, while nought lies outside, is given up to two
    more so that it does not read as nought. Exact values are printed as they are, up to EXACT_DIGITS places, and
    followed by ``(exact)``. ``percent`` defaults to True for a chance to win. ``signed`` sets a plus before a positive
    estimate (a difference); leave it out for amounts that cannot be negative. A place on the scale has no plus.
    """
    as_percent = estimate.unit == CHANCE if percent is None else percent
    factor = 100 if as_percent else 1
    plus = signed and estimate.unit != SCALE
    space = " " if terminal else NO_BREAK_SPACE
    mark = f"{space}%" if as_percent else ""
    value = _times(estimate.estimate, factor)
    if estimate.exact:
        return f"{_as_given(value, signed=plus, terminal=terminal)}{mark} (exact)"
    if estimate.low is None or estimate.high is None:
        digits = 1 if as_percent else DIGITS_WITHOUT_INTERVAL
        return f"{format_number(value, digits, signed=plus, terminal=terminal)}{mark} (no interval)"
    low, high = _times(estimate.low, factor), _times(estimate.high, factor)
    digits = _digits_of_interval(low, high)
    ends = [format_number(end, digits, terminal=terminal) for end in (low, high)]
    dots = "..." if terminal else ELLIPSIS
    return f"{format_number(value, digits, signed=plus, terminal=terminal)}{mark} ({ends[0]} {dots} {ends[1]})"


def points_of_chance(estimate: Estimate, *, signed: bool = True, terminal: bool = False) -> str:
    """A difference of two chances: ``1.2 percentage points (0.3 … 2.2)``."""
    text = format_estimate(estimate, signed=signed, percent=True, terminal=terminal)
    middle, _, interval = text.partition("%")
    return f"{middle.rstrip(f' {NO_BREAK_SPACE}')} percentage points{interval}"


def _digits_of_interval(low: float, high: float) -> int:
    digits = digits_for((high - low) / 2)
    nearest = min(abs(low), abs(high))
    if low * high > 0:
        for _ in range(2):
            if nearest <= 0.5 * 10**-digits:
                digits += 1
    return min(digits, MOST_DIGITS)


def _as_given(value: float, *, signed: bool, terminal: bool) -> str:
    """Up to EXACT_DIGITS places, without trailing noughts; more for what would read as nought and is not."""
    digits = EXACT_DIGITS
    if value and abs(value) < 10**-EXACT_DIGITS:
        digits = math.ceil(-math.log10(abs(value))) + 1
    text = format_number(value, digits, signed=signed, terminal=terminal)
    return text.rstrip("0").rstrip(".")


def _times(value: float, factor: int) -> float:
    """``value * factor`` as decimals: 0.07 * 100 is 7, not 7.000000000000001."""
    return float(Decimal(repr(float(value))) * factor)


def _signs(text: str, terminal: bool) -> str:
    return text if terminal else text.replace("-", MINUS)
