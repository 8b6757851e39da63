"""Two instructions of every processor that Python has no word for.

Written as numba intrinsics; where kernels run as plain Python (NUMBA_DISABLE_JIT=1), Python works them out.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import config
from numba.extending import intrinsic

WORD = (1 << 64) - 1


def plain_bits_set(word: int) -> int:
    """As ``bits_set``, in Python."""
    return (int(word) & WORD).bit_count()


def plain_lowest_bit(word: int) -> int:
    """As ``lowest_bit``, in Python."""
    return ((int(word) & WORD) & -(int(word) & WORD)).bit_length() - 1


@intrinsic
def compiled_bits_set(_typing: Any, word: Any) -> Any:
    """As ``bits_set``, in a kernel."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def compiled_lowest_bit(_typing: Any, word: Any) -> Any:
    """As ``lowest_bit``, in a kernel."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        nought_is_undefined = ir.Constant(ir.IntType(1), 1)
        return builder.cttz(arguments[0], nought_is_undefined)

    return types.int64(types.int64), generate


bits_set: Any = plain_bits_set if config.DISABLE_JIT else compiled_bits_set
"""How many bits of an int64 are set."""
lowest_bit: Any = plain_lowest_bit if config.DISABLE_JIT else compiled_lowest_bit
"""The place of the lowest bit set of an int64, which must not be nought."""
