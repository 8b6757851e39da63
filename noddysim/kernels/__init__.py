"""Compiled code, and nothing else: arrays and integers in, integer counts out.

Importing this package imports numba, so the command line does it only inside the commands that compute. Every kernel
carries the one house decorator, ``kernel``; compiler.py says what it does and where the compiled code is kept.
"""

from __future__ import annotations

from noddysim.kernels.compiler import kernel

__all__ = ["kernel"]
