"""A standard report with all its parts, each as small as it may be; how it is asked for is in the default tests."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest
from command_line import call
from test_report import EXACT

from noddysim.insight.card import strategy_card
from noddysim.insight.card_rules import FOLLOWS, LEADS


def test_the_standard_report_has_all_its_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card has few rules to choose from, and the self-check few trials: both have tests of their own."""
    few = functools.partial(
        strategy_card, leads=LEADS[:1], follows=FOLLOWS[:1], yardsticks=["greedy", "random"], tips=["take-runs"]
    )
    monkeypatch.setattr("noddysim.insight.exact_answers.strategy_card", few)
    monkeypatch.setattr("noddysim.insight.selfcheck_run.QUICK_TRIALS", 200)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "facts.toml").write_text(EXACT, encoding="utf-8")
    done = call("report", "--deals", "30", "--games", "5", "--workers", "1")
    assert done.exit_code == 0, done.output
    reports = tmp_path / "reports"
    assert "30 deals by each player and 5 games" in (reports / "verification.md").read_text("utf-8")
    assert "checks hold" in (reports / "evidence.md").read_text("utf-8")
    assert "30 duplicates of deals a pair" in (reports / "ratings.md").read_text("utf-8")
    assert (reports / "card.html").exists() and (reports / "ask.html").exists()
