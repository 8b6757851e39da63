"""The house decorator for kernels, and the folder that keeps their compiled code between runs.

numba's own on-disk cache looks only at the file in which a function stands. When a helper or a constant in another
file changes, or bounds checking is switched on, it goes on running the old machine code. So the folder here is named
by a hash of everything that decides what is compiled: the text of all kernel files, the versions of numba, llvmlite
and numpy, and the bounds-check flag. A change of any of them is a new, empty folder. The hash sees kernel files only:
a kernel takes constants from its own package, never from the rest of noddysim (tests/test_setup.py holds that).

numba also trusts what it finds: a cache file cut short by a full disk or a killed process ends the program with an
unpickling error. Files written here end in a digest, and a file that does not match its digest counts as absent.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import inspect
import os
import pickle
import re
import shutil
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
import numpy
import platformdirs
from numba.core import config, types
from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    UserProvidedCacheLocator,
)
from numba.core.errors import NumbaError

F = TypeVar("F", bound=Callable[..., Any])

KEEP_DAYS = 31
FOLDER_NAME = re.compile(r"noddysim-[0-9a-f]{16}")
DIGEST_BYTES = hashlib.sha256().digest_size


def kernel(function: F) -> F:
    """Compile a module-level function on its first call: without the interpreter lock, kept on disk between runs.

    Division follows numpy (no check for nought), and sums are never reordered (no fast-math), so that all processors
    count alike. (``wide`` and ``summing`` below are for the solver.) With NUMBA_DISABLE_JIT=1 the function is returned
    as it is. Functions made inside other functions, and functions that take compiled functions as arguments, would be
    compiled anew in every process: do not write any.
    """
    return _compiled(function, "never")


def inlined(function: F) -> F:
    """As ``kernel``, for small functions that are called at every card: their code goes into each kernel that calls.

    A call costs as much as twenty plain instructions; without calls a game of cribbage takes two thirds of the time.
    """
    return _compiled(function, "always")


def wide(function: F) -> F:
    """As ``kernel``, for long loops over rows of numbers: the compiler may work on several numbers at once."""
    return _compiled(function, "never", vectors=True)


def summing(function: F) -> F:
    """As ``wide``, for sums of products of floats, whose order the compiler may change: only so can they be wide.

    Used by the solver alone, never where something is counted. Nothing is assumed of infinities or of what is not a
    number.
    """
    return _compiled(function, "never", vectors=True, fastmath={"reassoc", "contract", "nsz", "arcp"})


def _compiled(function: F, inline: str, vectors: bool = False, fastmath: bool | set[str] = False) -> F:
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy", fastmath=fastmath, inline=inline)(function)
    if not config.DISABLE_JIT:
        # What Dispatcher.enable_caching does, with our folder and our checks in place of numba's.
        dispatcher._cache = _KernelCache(function)
        dispatcher.get_call_template = _of_plain_types(dispatcher.get_call_template)
        dispatcher._compiler.compile = _with_vectors(dispatcher._compiler.compile, vectors)
    return dispatcher


def _with_vectors(compile_one: Callable[..., Any], vectors: bool) -> Callable[..., Any]:
    """A compiler that widens loops, or leaves them: over a handful of cards vectors cost more than they save.

    numba knows this as a setting of the whole process; it is set back after each kernel (numba compiles under a lock),
    so that other compiled code of a program keeps its vectors. A kernel is compiled while one that calls it is, so each
    must say what it wants.
    """

    @functools.wraps(compile_one)
    def compile_so(*arguments: Any) -> Any:
        before = config.LOOP_VECTORIZE
        config.LOOP_VECTORIZE = int(vectors)
        try:
            return compile_one(*arguments)
        finally:
            config.LOOP_VECTORIZE = before

    return compile_so


def _of_plain_types(find: Callable[..., Any]) -> Callable[..., Any]:
    """Look up what a kernel calls by plain types.

    To numba a constant has a type of its own, and a kernel called with nine constants would be compiled nine times.
    """

    @functools.wraps(find)
    def find_plain(arguments: Any, named: Any) -> Any:
        return find([types.unliteral(one) for one in arguments], named)

    return find_plain


def compiled_if_possible(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Callable[..., Any]:
    """A function of the user's, compiled for this process if numba can do that for such arguments; else as it is.

    Compiled code looks past the end of an array without a word; here bounds are checked, as Python checks them.
    """
    if not inspect.isfunction(function) or config.DISABLE_JIT:
        return function
    compiled: Callable[..., Any] = numba.njit(boundscheck=True)(function)
    try:
        compiled(*arguments)
    except NumbaError:
        return function
    return compiled


# ---------------------------------------------------------------------------------------------- the cache folder


@functools.cache
def cache_folder() -> Path:
    """Folder for the compiled code of this process: absolute, there, and writable.

    ``NUMBA_CACHE_DIR`` or else the user's cache folder holds one sub-folder for each hash. The sub-folder is made under
    ``NUMBA_CACHE_DIR`` too, since old code is no less wrong in a folder of the user's choice. Where nothing can be
    written, a temporary folder serves until the program ends.
    """
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    base = Path(chosen).absolute() if chosen else platformdirs.user_cache_path("noddysim", appauthor=False)
    folder = base / f"noddysim-{kernel_hash()}"
    if not _usable(folder):
        return _temporary_folder()
    remove_old_folders(base, keep=folder)
    return folder


def kernel_hash(sources: Path = Path(__file__).parent, boundscheck: object = config.BOUNDSCHECK) -> str:
    """Sixteen hex digits that change with the text of any ``*.py`` in ``sources``, the compiler or its bounds check."""
    digest = hashlib.sha256()
    compiler = (numba.__version__, llvmlite.__version__, numpy.__version__)
    digest.update(repr((compiler, bool(boundscheck))).encode())
    for path in sorted(sources.glob("*.py")):
        text = path.read_bytes()
        # Name and length go in too: moving a line from one file to the next is a change.
        digest.update(f"\n{path.name} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()[:16]


def remove_old_folders(base: Path, keep: Path) -> None:
    """Delete the folders of other hashes in ``base`` that no run has used for a month; touch nothing else there."""
    oldest = time.time() - KEEP_DAYS * 86_400
    for path in base.iterdir():
        if path == keep or not FOLDER_NAME.fullmatch(path.name):
            continue
        try:
            used = path.lstat().st_mtime
        except FileNotFoundError:
            continue  # another process has just deleted it
        if used < oldest:
            # Two processes may delete at once, and Windows keeps open files: what stays is deleted another day.
            shutil.rmtree(path, ignore_errors=True)


def _usable(folder: Path) -> bool:
    """Make the folder, write in it, and mark it as used today (its own date says only when it was made)."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        os.utime(folder)
    except OSError:
        return False
    return True


def _temporary_folder() -> Path:
    """Folder for this process alone: a shared name in a public place would let others plant code in it."""
    folder = tempfile.mkdtemp(prefix="noddysim-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


# ------------------------------------------------------------------------------- numba's cache, placed and checked


class _Locator(UserProvidedCacheLocator):
    """Puts a function's files into ``cache_folder()``, in a sub-folder for the place of its source file."""

    def __init__(self, py_func: Callable[..., Any], py_file: str) -> None:
        super().__init__(py_func, py_file)
        self._cache_path = str(cache_folder() / self.get_suitable_cache_subpath(py_file))

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _Locator:
        """Locator whose folder exists; OSError if it cannot be made."""
        locator = cls(py_func, py_file)
        locator.ensure_cache_path()
        return locator


class _Impl(CompileResultCacheImpl):
    _locator_classes = [_Locator]  # noqa: RUF012 (numba's own attribute, a list there)


class _CheckedFile(IndexDataCacheFile):
    """Index and data files that end in the SHA-256 of what they hold; what does not match counts as absent.

    A pickle ends at its own stop mark, so the digest behind it disturbs no reader.
    """

    def _dump(self, obj: object) -> bytes:
        body: bytes = super()._dump(obj)
        return body + hashlib.sha256(body).digest()

    def _load_index(self) -> dict[Any, str]:
        header = pickle.dumps(self._version, protocol=-1)
        raw = _read(self._index_path)
        body = _verified(raw[len(header) :]) if raw.startswith(header) else None
        if body is None:
            return {}
        stamp, overloads = pickle.loads(body)
        return overloads if stamp == self._source_stamp else {}

    def _load_data(self, name: str) -> Any:
        body = _verified(_read(self._data_path(name)))
        return None if body is None else pickle.loads(body)


class _KernelCache(FunctionCache):
    """Cache of one kernel. A damaged file means compiling again; a folder that fills up means doing so next time."""

    _impl_class = _Impl

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        self._cache_file = _CheckedFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=self._impl.locator.get_source_stamp(),
        )

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code; if the disk refuses, say so once a kernel and compute on with what is in memory."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            warnings.warn(f"compiled code is not kept in {self._cache_path}: {error.strerror}", stacklevel=2)


def _read(path: str) -> bytes:
    """Bytes of a file; none if it is missing or may not be read."""
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def _verified(raw: bytes) -> bytes | None:
    """What stands before the digest at the end of ``raw``, or None if the two do not belong together."""
    body, digest = raw[:-DIGEST_BYTES], raw[-DIGEST_BYTES:]
    return body if body and hashlib.sha256(body).digest() == digest else None
