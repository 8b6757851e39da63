"""Pictures: the same bytes every time, settings left alone, and what they show."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from noddysim.engine.runner import Runner
from noddysim.game.expressions import parse_strategy
from noddysim.game.rules import load_variant
from noddysim.insight import balance_plots, plots
from noddysim.insight.balance import compare
from noddysim.insight.duels import Duel, Limits, Setting, duel, duels
from noddysim.insight.estimates import Estimate
from noddysim.insight.evidence import Case, Panel
from noddysim.insight.study import findings, leads_of

PANEL = Panel("noddy", 2)


@pytest.fixture(scope="module")
def found() -> list[Duel]:
    made: list[Duel] = []
    for baseline in ("greedy-random", "greedy"):
        setting = Setting(load_variant("noddy"), 2, baseline, "greedy", 1)
        arms = [f"{tip}@{baseline}" for tip in ("lead-low", "lead-high")]
        made += duels(setting, arms, 2_000, Limits(0.02), runner=Runner(workers=1))
    return made


@pytest.fixture
def cases(found: list[Duel]) -> tuple[Case, Case]:
    low, high = (Case(finding, "greedy") for finding in findings(found))
    return low, high


@pytest.fixture
def axes() -> Axes:
    return Figure().add_subplot()


def words(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_a_tip_is_drawn_with_question_answer_and_opposite(cases: tuple[Case, Case]) -> None:
    svg = plots.plot_tip("tip-lead-low", [cases[0]], [cases[1]], [PANEL])
    said = words(svg)
    assert "“Lead low”: does it help?" in said
    assert "Lead high" in said and "Two players" in said
    assert said.count("already followed") == 1
    assert {"greedy-random v. greedy", "greedy v. greedy"} <= set(said)
    assert "95 % interval" in " ".join(said)


def test_a_picture_is_the_same_whatever_was_set_or_drawn_before(cases: tuple[Case, Case]) -> None:
    first = plots.plot_tip("tip-lead-low", [cases[0]], [cases[1]], [PANEL])
    with mpl.rc_context({"font.size": 20.0, "svg.fonttype": "path", "lines.linewidth": 9.0, "axes.facecolor": "red"}):
        plots.plot_tip("another", [cases[1]], [cases[0]], [PANEL])
        second = plots.plot_tip("tip-lead-low", [cases[0]], [cases[1]], [PANEL])
        assert mpl.rcParams["font.size"] == 20.0
    assert first == second
    assert "<dc:date>" not in first


def test_words_stay_inside_the_picture(cases: tuple[Case, Case]) -> None:
    """No text is longer than the picture is wide, at the width of a letter of the widest usual font."""
    for svg in (plots.plot_tip("a", [cases[0]], [cases[1]], [PANEL]),):
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1])  # type: ignore[index]
        assert all(len(line) * 4.9 < width for line in words(svg))


def test_long_and_strange_names_are_drawn_as_they_are(found: list[Duel], axes: Axes) -> None:
    assert plots.short("x" * 40) == "x" * (plots.LONGEST_LABEL - 1) + "…"
    plots.plot_duel(found[0], axes)
    strange = plots.Frame("<b> & $x_1$ question", "answer", ("$a$ & <i>",))
    svg = plots.draw("strange", strange, plots.Body((1.0,), 0.5, "axis"), lambda made: None)
    assert "<b> & $x_1$ question" in words(svg) and "$a$ & <i>" in words(svg)


def test_plot_duel_draws_on_the_axes_given(found: list[Duel], axes: Axes) -> None:
    assert plots.plot_duel(found[0], axes) is axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["all seats", "as pone", "as dealer"]
    assert "points a deal" in axes.get_xlabel()
    drawn = sorted(x for line in axes.get_lines() if line.get_marker() not in ("", "None") for x in line.get_xdata())
    assert found[0].effect is not None
    assert drawn == sorted([found[0].effect.estimate, *(seat.estimate for seat in found[0].seats)])


def test_a_duel_of_games_is_drawn_in_percentage_points(axes: Axes) -> None:
    one = duel(load_variant("noddy"), "greedy", "random", games=50, workers=1)
    one.plot(axes)
    assert "percentage points" in axes.get_xlabel()
    assert one.effect is not None
    assert any(one.effect.estimate * 100 in line.get_xdata() for line in axes.get_lines())


def test_leads_show_every_seat() -> None:
    leads = leads_of(load_variant("noddy"), 3, parse_strategy("greedy-random"), 300, 1, Runner(1))
    svg = plots.plot_leads("leads", leads, Panel("noddy", 3), "the answer")
    assert {"eldest", "second", "dealer", "the answer", "A", "K"} <= set(words(svg))


def test_an_estimate_without_interval_is_a_bare_dot(axes: Axes) -> None:
    plots.put(axes, [plots.Dot(0, Estimate(1.5, None, None, 1, "points a deal", "one"))])
    (line,) = axes.get_lines()
    assert list(line.get_xdata()) == [1.5]


def test_marks_differ_in_shape_and_in_grey() -> None:
    shapes = {mark for mark, _ in plots.MARKS}
    greys = sorted(luminance(colour) for _, colour in plots.MARKS)
    assert len(shapes) == len(plots.MARKS)
    assert all(contrast(luminance(colour), luminance(plots.PAPER)) > 3 for _, colour in plots.MARKS)
    assert greys[-1] - greys[0] > 0.05
    assert contrast(luminance(plots.QUIET), luminance(plots.PAPER)) > 4.5


def test_every_source_of_points_has_a_mark_and_a_colour_of_its_own() -> None:
    assert len(balance_plots.POINT_KINDS) <= len(plots.MARKS)
    assert len({colour for _, colour in plots.MARKS}) == len(plots.MARKS)


def test_colours_are_told_apart_with_any_kind_of_colour_blindness() -> None:
    """Distances in CIELAB as seen with protanopia, deuteranopia and tritanopia (Machado and others, 2009)."""
    for eye in map(np.array, (np.eye(3), *BLIND.values())):
        seen = [lab(np.clip(eye @ linear(colour), 0, 1)) for _, colour in plots.MARKS]
        assert all(np.linalg.norm(a - b) > 15 for a, b in itertools.combinations(seen, 2))


def test_pictures_say_that_intervals_may_lie_behind_their_marks() -> None:
    leads = leads_of(load_variant("noddy"), 2, parse_strategy("greedy-random"), 300, 1, Runner(1))
    comparison = compare(["noddy", "noddy-61"], games=50, workers=1)
    rows, differences = comparison.rows, [one for one in comparison.differences if one.metric == "edge"]
    for svg in (
        plots.plot_leads("a", leads, PANEL, "reply"),
        balance_plots.plot_wins("b", rows, "reply"),
        balance_plots.plot_points("c", rows, "reply"),
        balance_plots.plot_lengths("d", rows, "reply"),
        balance_plots.plot_differences("e", differences, "reply"),
    ):
        assert plots.HIDDEN in " ".join(words(svg))


BLIND = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Linear sRGB as it is seen."""


def linear(colour: str) -> npt.NDArray[np.float64]:
    """Linear sRGB of a colour."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """CIELAB of linear sRGB."""
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175],
                       [0.0193339, 0.119192, 0.9503041]])  # fmt: skip
    xyz = to_xyz @ rgb / np.array([0.95047, 1.0, 1.08883])
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2."""
    return float(linear(colour) @ np.array([0.2126, 0.7152, 0.0722]))


def contrast(a: float, b: float) -> float:
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
