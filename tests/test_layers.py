"""Imports point to the same layer or a lower one, and numba stays in its room."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "noddysim"
ORDER = {"game": 0, "kernels": 0, "engine": 1, "insight": 2, "commands": 3, "cli": 4, "__main__": 5}
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def layer(path: Path) -> str:
    """First folder below the package, or the module's own name at the top."""
    inside = path.relative_to(PACKAGE)
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


@cache
def imports_of(path: Path) -> list[str]:
    """Full names of all modules a file of the package imports."""
    return imported(path.read_text(encoding="utf-8"))


def imported(text: str) -> list[str]:
    """The same of the text of a file, wherever in it."""
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_to_the_same_layer_or_a_lower_one(path: Path) -> None:
    here = layer(path)
    for name in imports_of(path):
        parts = name.split(".")
        if parts[0] != "noddysim" or len(parts) < 2 or parts[1] not in ORDER:
            continue
        there = parts[1]
        assert there == here or ORDER[there] < ORDER[here], f"{path.name} ({here}) imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_numba_is_imported_in_the_kernels_only_and_pandas_where_numbers_are_shown(path: Path) -> None:
    names = {name.split(".")[0] for name in imports_of(path)}
    if layer(path) != "kernels":
        assert "numba" not in names
    if layer(path) in ("game", "kernels", "engine"):
        assert not names & {"pandas", "matplotlib", "scipy", "statsmodels"}


def test_the_check_sees_a_wrong_import() -> None:
    names = imported("def f():\n    from noddysim.insight import stats\n")
    assert "noddysim.insight" in names
    assert ORDER["insight"] > ORDER["engine"]
