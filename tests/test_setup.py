"""The set-up: the lock, what the wheel holds, the commands of the Makefile, start-up time, the kernels' cache."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "noddysim"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------------------------- the lock


def locked() -> dict[str, list[str]]:
    """Name of each locked package and the blocks (version, marker, hashes) that stand for it."""
    blocks: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=\w)", LOCK):
        blocks.setdefault(re.split(r"[=\s]", block)[0], []).append(block)
    return blocks


def normal_name(requirement: str) -> str:
    """Package name of a requirement, spelt as in the lock."""
    return re.sub(r"[-_.]+", "-", re.split(r"[<>=!~;\[\s]", requirement)[0]).lower()


def test_lock_names_no_host() -> None:
    assert "://" not in LOCK
    assert not re.search(r"index|find-links|pypi|pythonhosted|\.(org|com|io)\b", LOCK)


def test_lock_pins_every_package_with_hashes() -> None:
    for name, blocks in locked().items():
        for block in blocks:
            assert re.match(rf"{re.escape(name)}==\d\S*", block), block[:80]
            assert "--hash=sha256:" in block, name


def test_lock_covers_all_that_the_project_asks_for() -> None:
    asked = PROJECT["dependencies"] + PROJECT["optional-dependencies"]["test"]
    # The rival that some are timed against is installed apart: it has no wheel for every machine.
    extras = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name != "oracle"}
    asked += [line for lines in extras.values() for line in lines]
    assert {normal_name(line) for line in asked} <= set(locked())


# --------------------------------------------------------------------------------------------------- the wheel


def test_wheel_holds_code_and_data_and_nothing_else(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    wheel = next(WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        entry_points = next(archive.read(name).decode() for name in names if name.endswith("entry_points.txt"))
    present = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    expected = {path.relative_to(ROOT).as_posix() for path in present}
    expected |= {f"noddysim/experiments/{path.name}" for path in (ROOT / "experiments").glob("*.toml")}
    assert expected == {name for name in names if name.startswith("noddysim/")}
    assert {name.split("/")[0] for name in names} == {"noddysim", f"noddysim-{PROJECT['version']}.dist-info"}
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert "noddysim = noddysim.cli:main" in entry_points


def test_citation_has_the_version_of_the_project() -> None:
    assert f"\nversion: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------------ the Makefile


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(
    ("target", "command"),
    [
        ("report", "noddysim report"),
        ("test", "pytest"),
        ("verify", "loadfile tests/verification"),
        ("lint", "mypy"),
        ("bench", "noddysim bench"),
        ("setup", ""),
        ("clean", "rm -rf .venv"),
    ],
)
def test_make_target(target: str, command: str) -> None:
    # Run by `make test`, this test must not take over that make's own flags and targets.
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    run = subprocess.run(["make", "--dry-run", target], cwd=ROOT, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert command in run.stdout


def test_verification_runs_only_by_name(tmp_path: Path) -> None:
    (tmp_path / "tests" / "verification").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    marked = "import pytest\n\n@pytest.mark.long\ndef test_lasting(): pass\n"
    (tmp_path / "tests" / "test_short.py").write_text(f"{marked}\ndef test_short(): pass\n")
    (tmp_path / "tests" / "verification" / "test_long.py").write_text("def test_long(): pass\n")

    def collected(*arguments: str) -> str:
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *arguments]
        # No plug-ins: they would take most of the time.
        env = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True).stdout

    by_default = collected()
    assert "test_short" in by_default
    assert "test_long" not in by_default and "test_lasting" not in by_default
    assert "test_long" in collected("tests/verification")
    assert "test_lasting" in collected("-m", "long")


# --------------------------------------------------------------------------------------------------- start-up


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys, noddysim.cli\n"
        "sys.argv = ['noddysim', '--help']\n"
        "try: noddysim.cli.main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'numba', 'llvmlite', 'pandas', 'matplotlib', 'scipy', 'statsmodels'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert "Usage" in run.stdout


# -------------------------------------------------------------------------------------------------- the kernels


def kernel_trees() -> list[tuple[str, ast.Module]]:
    """Name and syntax tree of every file of compiled code."""
    files = sorted((PACKAGE / "kernels").glob("*.py"))
    return [(path.name, ast.parse(path.read_text(encoding="utf-8"))) for path in files if path.name != "compiler.py"]


def test_kernels_take_nothing_from_the_rest_of_the_package() -> None:
    """The name of the cache folder depends on kernel files only, so a constant from elsewhere would go stale in it."""
    for name, tree in kernel_trees():
        for node in ast.walk(tree):
            modules: list[str] = []
            if isinstance(node, ast.Import):
                modules = [alias.name for alias in node.names]
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{name}: imports are absolute here"
                modules = [f"{node.module}.{alias.name}" for alias in node.names]
            outside = [m for m in modules if m.startswith("noddysim") and not m.startswith("noddysim.kernels.")]
            assert not outside, f"{name}: {outside}"


def test_kernels_use_the_house_decorator() -> None:
    """numba's own decorators would bring back numba's own cache, parallel loops sums that differ from run to run."""
    refused = {"jit", "njit", "vectorize", "guvectorize", "jitclass", "cfunc", "stencil", "prange"}
    for name, tree in kernel_trees():
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        used |= {node.name for node in ast.walk(tree) if isinstance(node, ast.alias)}
        assert not used & refused, name


@pytest.fixture
def compiler() -> ModuleType:
    return import_module("noddysim.kernels.compiler")


def test_hash_follows_sources_and_bounds_check(compiler: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("A = 1\n")
    (tmp_path / "two.py").write_text("B = 2\n")
    (tmp_path / "notes.txt").write_text("not a source\n")
    first = compiler.kernel_hash(tmp_path, None)
    assert re.fullmatch("[0-9a-f]{16}", first)
    (tmp_path / "notes.txt").write_text("changed\n")
    assert compiler.kernel_hash(tmp_path, 0) == first
    assert compiler.kernel_hash(tmp_path, 1) != first
    (tmp_path / "two.py").write_text("B = 3\n")
    assert compiler.kernel_hash(tmp_path, None) != first


@pytest.fixture
def fresh_folder(compiler: ModuleType) -> Any:
    """The rule for the folder without the memory of this process."""
    return compiler.cache_folder.__wrapped__


def test_cache_folder_is_a_subfolder_of_the_chosen_one(
    compiler: ModuleType, fresh_folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "chosen"))
    folder = fresh_folder()
    assert folder == tmp_path / "chosen" / f"noddysim-{compiler.kernel_hash()}"
    assert folder.is_dir()


def test_cache_folder_is_the_users_by_default(
    compiler: ModuleType, fresh_folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(compiler.platformdirs, "user_cache_path", lambda name, appauthor: tmp_path / name)
    assert fresh_folder() == tmp_path / "noddysim" / f"noddysim-{compiler.kernel_hash()}"


def test_cache_folder_is_temporary_where_nothing_can_be_written(
    fresh_folder: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("a file, so no folder can be made below it")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    folder = fresh_folder()
    assert folder.is_dir()
    assert tmp_path not in folder.parents
    folder.rmdir()


def test_old_folders_go_and_everything_else_stays(compiler: ModuleType, tmp_path: Path) -> None:
    old, current, recent = (tmp_path / f"noddysim-{digit * 16}" for digit in "abc")
    foreign = tmp_path / "somebody-elses"
    for folder in (old, current, recent, foreign):
        (folder / "kernels").mkdir(parents=True)
    for folder in (old, current, foreign):
        os.utime(folder, (0, time.time() - 40 * 86_400))
    compiler.remove_old_folders(tmp_path, keep=current)
    assert sorted(tmp_path.iterdir()) == sorted([current, recent, foreign])


@pytest.fixture
def plain_function(compiler: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A function in a file of its own, whose compiled code goes to ``tmp_path/cache``."""
    if compiler.config.DISABLE_JIT:
        pytest.skip("the compiler is switched off")
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setattr(compiler, "cache_folder", lambda: cache)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "noddysim_trial.py").write_text("def double(x):\n    return 2 * x\n")
    yield import_module("noddysim_trial").double
    del sys.modules["noddysim_trial"]


def hits(function: Any, compiler: ModuleType) -> int:
    """Compile or load the function as a new process would, check what it computes, and count the loads."""
    kernel = compiler.kernel(function)
    assert kernel(21) == 42
    return sum(kernel.stats.cache_hits.values())


def test_compiled_code_is_kept(compiler: ModuleType, plain_function: Any) -> None:
    assert hits(plain_function, compiler) == 0
    assert hits(plain_function, compiler) == 1


def flip_one_byte(content: bytes) -> bytes:
    """The content with one byte in its middle changed."""
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda content: b"", id="empty"),
        pytest.param(lambda content: content[:3], id="three-bytes"),
        pytest.param(lambda content: content[: len(content) // 2], id="half"),
        pytest.param(lambda content: content[:-1], id="one-byte-short"),
        pytest.param(lambda content: bytes(len(content)), id="noughts"),
        pytest.param(flip_one_byte, id="one-bit"),
    ],
)
def test_damaged_cache_file_means_compiling_again(
    compiler: ModuleType, plain_function: Any, tmp_path: Path, suffix: str, damage: Any
) -> None:
    assert hits(plain_function, compiler) == 0
    (path,) = (tmp_path / "cache").rglob(f"*{suffix}")
    path.write_bytes(damage(path.read_bytes()))
    assert hits(plain_function, compiler) == 0
    assert hits(plain_function, compiler) == 1


def test_missing_data_file_means_compiling_again(compiler: ModuleType, plain_function: Any, tmp_path: Path) -> None:
    assert hits(plain_function, compiler) == 0
    (path,) = (tmp_path / "cache").rglob("*.nbc")
    path.unlink()
    assert hits(plain_function, compiler) == 0
    assert hits(plain_function, compiler) == 1


def test_full_disk_is_a_warning(compiler: ModuleType, plain_function: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(compiler._CheckedFile, "_save_data", refuse)
    with pytest.warns(UserWarning, match="not kept in .*: No space left on device"):
        assert hits(plain_function, compiler) == 0
