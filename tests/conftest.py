"""Settings of all tests: properties meet the same examples every time, and no example fails for being slow.

Fixtures that several tests use are here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import compile_first
import pytest
from blank import blank_pictures
from hypothesis import settings

from noddysim.game.rules import Variant, load_variant

settings.register_profile("noddysim", deadline=None, derandomize=True)
settings.load_profile("noddysim")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Where several workers will run the tests, compile first."""
    workers = session.config.getoption("numprocesses", default=None)
    if workers and not hasattr(session.config, "workerinput"):
        compile_first.compile_all()


@pytest.fixture
def noddy() -> Variant:
    return load_variant("noddy")


@pytest.fixture
def undrawn() -> Iterator[None]:
    """Pictures are laid out but not drawn, which takes most of the time of a page: for tests of its words alone."""
    with blank_pictures():
        yield


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a file in an empty folder, which becomes the current one; gives its name."""
    monkeypatch.chdir(tmp_path)

    def write_file(text: str, name: str = "my.toml") -> str:
        Path(name).write_text(text, encoding="utf-8")
        return name

    return write_file
