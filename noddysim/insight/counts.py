"""Whole-number counts on their way into an estimate: read as Python integers, and refused if they are none."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Integers: TypeAlias = npt.NDArray[np.integer[Any]] | Sequence[int]


def integer_columns(*arrays: Any) -> list[list[int]]:
    """Integer arrays of one shape as flat lists of Python integers, which cannot overflow.

    The last of two or more arrays is counts and must not be negative.
    """
    # Lists become object arrays: numpy would turn integers beyond 64 bits, which sums of products can be, into floats.
    columns = [a if isinstance(a, np.ndarray) else np.array(a, dtype=object) for a in arrays]
    for column in columns:
        strange = [] if column.dtype.kind in "iu" else [x for x in column.ravel().tolist() if not _is_whole(x)]
        if strange:
            raise ValueError(f"counts and values are whole numbers, not {strange[0]!r}")
        if column.shape != columns[0].shape:
            raise ValueError(f"arrays differ in shape: {columns[0].shape} and {column.shape}")
    flat = [[int(x) for x in column.ravel().tolist()] for column in columns]
    if len(flat) > 1 and min(flat[-1], default=0) < 0:
        raise ValueError("a count is never negative")
    return flat


def integers(*given: int) -> tuple[int, ...]:
    """The same as Python integers: numpy's would overflow. Raises TypeError for anything that is not an integer."""
    return tuple(operator.index(number) for number in given)


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


def check_level(n: int, divisor: int, confidence: float) -> None:
    """Raise ValueError unless something was counted, the divisor is 1 or more and the confidence between 0 and 1."""
    if n < 1:
        raise ValueError("nothing was counted (n = 0), so there is nothing to estimate")
    if divisor < 1:
        raise ValueError(f"a divisor is a whole number from 1 up, not {divisor}")
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, not {confidence}")


def check_share(k: int, n: int) -> None:
    """Raise ValueError unless k of n cases, of at least one, can be a share."""
    if n < 1 or not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is not a share")
