"""A batch that is run from the shell: its experiment file, its processes, and the counts it exports."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from noddysim.engine.runner import open_store

EXPERIMENT = """question = "Is greed any good?"
kind = "duel"
variants = ["noddy"]
arms = [["greedy", "low"], ["lead-low@low", "low"]]
deals = 120_000
seed = 3
"""


SLOW = EXPERIMENT.replace("120_000", "600_000").replace(
    '["greedy", "low"], ["lead-low@low", "low"]', '["greedy-random", "low"], ["lookahead-random", "low"]'
)
"""With chance in the play, so that every card is played, and long: else it would be over before it can be stopped."""


def experiment(folder: Path, text: str = EXPERIMENT) -> Path:
    """The experiment in a folder of its own."""
    folder.mkdir(exist_ok=True)
    path = folder / "greed.toml"
    path.write_text(text, encoding="utf-8")
    return path


def start(folder: Path, *options: str) -> subprocess.Popen[str]:
    """``noddysim run`` in a folder, as a process of its own; a signal to it reaches no one else."""
    command = [sys.executable, "-m", "noddysim", "run", "greed.toml", "--chunk", "2000", *options]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[1]), *sys.path[1:]])}
    return subprocess.Popen(
        command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True,
    )  # fmt: skip


def finish(folder: Path, *options: str) -> str:
    """Run to the end; what it printed."""
    process = start(folder, *options)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


def chunks(store: Path) -> int:
    """How many chunks a store holds that another process may be writing."""
    if not store.exists():
        return 0
    try:
        base = sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True, timeout=60)
        try:
            return int(base.execute("SELECT count(*) FROM chunks").fetchone()[0])
        finally:
            base.close()
    except sqlite3.OperationalError:  # it is just being made
        return 0


def wait_for_chunks(process: subprocess.Popen[str], store: Path, number: int) -> None:
    """Wait until a process has kept so many chunks, or has ended."""
    while chunks(store) < number and process.poll() is None:
        time.sleep(0.01)


def exported(folder: Path, store: str = "noddysim.db") -> dict[str, bytes]:
    """The exported counts of every run of a store."""
    from noddysim.insight.export import export_run

    with open_store(str(folder / store), writing=False) as opened:
        names = [ask.id for ask in opened.asks()]
        return {name: export_run(opened, name, folder / "out")[0].read_bytes() for name in names}
