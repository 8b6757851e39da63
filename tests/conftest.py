"""Settings of all tests: properties meet the same examples every time, and no example fails for being slow."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("noddysim", deadline=None, derandomize=True)
settings.load_profile("noddysim")
