"""What made a count: versions and hashes, and nothing that names a machine, a user or a time."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import platform
from pathlib import Path

from noddysim import __version__
from noddysim.kernels.compiler import kernel_hash

PACKAGE = Path(__file__).parents[1]
LAYERS = ("game", "kernels", "engine")
"""The folders whose files decide counts; what stands above them only tells of counts."""


@functools.cache
def source_hash() -> str:
    """Sixteen hex digits that change with any file, code or data, that decides counts."""
    digest = hashlib.sha256()
    files = [
        path for layer in LAYERS for path in (PACKAGE / layer).rglob("*") if path.suffix in (".py", ".toml", ".json")
    ]
    for path in sorted(files):
        text = path.read_bytes()
        digest.update(f"\n{path.relative_to(PACKAGE).as_posix()} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()[:16]


@functools.cache
def provenance() -> dict[str, str]:
    """Names and values, all text: the versions of noddysim, Python, numba and numpy, and the hashes of the source."""
    libraries = {name: importlib.metadata.version(name) for name in ("numba", "numpy")}
    return {
        "noddysim": __version__,
        "python": platform.python_version(),
        **libraries,
        "source": source_hash(),
        "kernels": kernel_hash(),
    }
