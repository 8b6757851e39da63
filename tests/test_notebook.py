"""The example notebook runs cell by cell, and what it shows are tables and pictures, not names of objects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import noddysim as ns
from noddysim.game.experiment import Experiment
from noddysim.game.htmltable import html_table
from noddysim.insight.fairest import fairest
from noddysim.insight.handicap import handicap
from noddysim.insight.sensitivity import sensitivity

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "example.ipynb"


@pytest.fixture(scope="module")
def book() -> Any:
    """The notebook, sound by the format's own schema."""
    found = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(found)
    return found


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A shell in this process, without a history file; pictures are drawn where nobody looks."""
    backend = mpl.get_backend()
    mpl.use("agg")
    made = InteractiveShell(user_ns={}, config=None)
    made.history_manager.enabled = False
    yield made
    from matplotlib import pyplot as plt

    plt.close("all")
    mpl.use(backend)
    InteractiveShell.clear_instance()


def pictures() -> int:
    """Pictures drawn since the last call, each with something on it."""
    from matplotlib import pyplot as plt

    drawn = [plt.figure(number) for number in plt.get_fignums()]
    assert all(axes.get_xlabel() and axes.has_data() for figure in drawn for axes in figure.axes)
    plt.close("all")
    return len(drawn)


def test_every_cell_runs_and_shows_a_table_or_a_picture(book: Any, shell: Any) -> None:
    shown = []
    for cell in (cell for cell in book.cells if cell.cell_type == "code"):
        with capture_output() as said:
            done = shell.run_cell(cell.source)
        assert done.success, f"{cell.source}\n{done.error_before_exec or done.error_in_exec}"
        assert said.stderr == ""
        if cell.source.startswith("import"):
            continue
        if cell.source.endswith(";"):
            assert pictures() == 1, cell.source
            continue
        data, _ = shell.display_formatter.format(done.result)
        table = data["text/html"]
        assert "<table" in table and table.count("<tr") > 1, cell.source
        assert re.search(r"\d", re.sub(r"<[^>]*>", "", table)), cell.source
        shown.append(table)
    assert len(shown) >= 8 and "<caption>" in shown[0]
    assert "20 points" in shown[0] and "380/49" in shown[1]


def test_the_notebook_is_kept_without_outputs(book: Any) -> None:
    """What it shows comes from running it; a stored output would grow old."""
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)


def test_a_table_escapes_its_texts_and_refuses_ragged_rows() -> None:
    table = html_table("<b>", ("a", "b"), [("x & y", 1)])
    assert "<b>" not in table and "x &amp; y" in table and "<td>1</td>" in table
    with pytest.raises(ValueError, match="a row of 1 cells under 2 columns"):
        html_table("t", ("a", "b"), [("x",)])


def results() -> list[Any]:
    """One of each kind of result that is not in the tour, from little work."""
    leads = Experiment(question="?", kind="leads", variants=["noddy"], strategies=["greedy"], deals=200, name="leads")
    facts = Experiment(question="?", kind="exact", variants=["noddy"], facts=["nob-worth"], name="facts")
    return [
        ns.exact.show_distribution("noddy"),
        ns.exact.fact("turned-jack"),
        ns.exact.game("noddy-15", "greedy", "greedy"),
        ns.solve("noddy"),
        ns.run(leads),
        ns.run(facts),
        handicap("noddy", 2, games=40),
        sensitivity("noddy", 2, games=20),
        fairest("noddy", 2, space={"target": (15, 31), "play.last": (0, 1)}, games=20, skill=5),
    ]


def test_other_results_show_themselves_too() -> None:
    for found in results():
        table = found._repr_html_()
        assert table.count("<tr") > 1 and re.search(r"\d", re.sub(r"<[^>]*>", "", table)), type(found)
        assert "Estimate(" not in table and "object at" not in table
