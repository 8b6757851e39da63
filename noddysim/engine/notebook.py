"""What is counted or scored, as HTML tables for a notebook: every number exact, so without intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noddysim.game.htmltable import html_table

if TYPE_CHECKING:
    from noddysim.engine.exact import Fact, ShowDistribution
    from noddysim.engine.exactgame import ExactGame
    from noddysim.engine.exactplay import BestResponse, ExactPlay, Solved
    from noddysim.engine.scoring import ScoreResult


def score_html(found: ScoreResult) -> str:
    """What scores in a hand; without a starter, how many starters give how many points."""
    hand = " ".join(found.hand)
    if found.total is not None:
        rows = [(one.kind.replace("-", " "), " ".join(one.cards), one.points) for one in found.combinations]
        title = f"{hand} with {found.starter} turned ({found.variant}): {found.total} points"
        return html_table(title, ("what", "cards", "points"), rows)
    title = f"{hand} ({found.variant}): mean {found.mean:.3f} points over {found.cases} starters ({found.exact_mean})"
    counts = [(points, number, _share(number, found.cases)) for points, number in found.counts.items() if number]
    return html_table(title, ("points", "starters", "share"), counts)


def show_html(found: ShowDistribution) -> str:
    """How often a hand has how many points in the show."""
    title = f"The show of {found.variant}: mean {found.mean:.4f} points, all {found.cases:,} cases counted"
    rows = [(points, f"{number:,}", _share(number, found.cases)) for points, number in found.counts.items() if number]
    return html_table(title, ("points", "cases", "share"), rows)


def fact_html(found: Fact) -> str:
    """The values of a fact."""
    rows = [(name.replace("_", " "), str(value), f"{float(value):.6g}") for name, value in found.values.items()]
    return html_table(found.words, ("value", "exactly", "about"), rows)


def play_html(found: ExactPlay) -> str:
    """Points of the play by seat."""
    rows = [
        ("pone", found.pone_name, f"{found.pone:.9f}"),
        ("dealer", found.dealer_name, f"{found.dealer:.9f}"),
        ("pone less dealer", "", f"{found.margin:+.9f}"),
    ]
    title = f"The play of {found.variant}: all {found.deals:,} deals counted"
    return html_table(title, ("seat", "strategy", "points a deal"), rows)


def best_html(found: BestResponse) -> str:
    """What a perfect opponent gets, and what best play would save."""
    rows = [(f"margin of a perfect {found.seat}", f"{found.value:+.6f}")]
    if found.gain is not None:
        rows.append((f"of which best play in the place of {found.against} would save", f"{found.gain:.6f}"))
    return html_table(f"A perfect {found.seat} against {found.against} ({found.variant})", ("", "points a deal"), rows)


def solved_html(found: Solved) -> str:
    """The value of best play between its bounds."""
    rows = [
        ("both play the saved strategy", f"{found.value:+.7f}"),
        ("a perfect dealer against the saved pone", f"{found.low:+.7f}"),
        ("a perfect pone against the saved dealer", f"{found.high:+.7f}"),
    ]
    return html_table(f"Best play of {found.variant} for points", ("", "pone less dealer, points a deal"), rows)


def game_html(found: ExactGame) -> str:
    """The chance of the first dealer to win a whole game."""
    rows = [(found.dealer_name, found.pone_name, f"{100 * found.first_dealer_wins:.6f} %")]
    title = f"{found.variant} to {found.target}: all games counted"
    return html_table(title, ("first dealer", "the other", "the first dealer wins"), rows)


def _share(number: int, cases: int) -> str:
    return f"{100 * number / cases:.1f} %"
