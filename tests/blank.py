"""Pictures that are laid out but not drawn, for tests of the words of a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

import pytest

BLANK = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">\n</svg>\n'


@contextmanager
def blank_pictures() -> Iterator[None]:
    """While this is open, matplotlib writes the same empty picture for every figure."""

    def save(figure: object, out: TextIO, **options: Any) -> None:
        out.write(BLANK)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("matplotlib.figure.Figure.savefig", save)
        yield
