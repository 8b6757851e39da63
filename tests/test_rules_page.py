"""The pages on balance and on the rules themselves: what a reader finds there."""

from __future__ import annotations

import pytest

from noddysim.game.experiment import Experiment
from noddysim.insight import rules_study
from noddysim.insight.document import Bullets, flat, plain
from noddysim.insight.evidence import gather
from noddysim.insight.pages import Book
from noddysim.insight.parts import Parts
from noddysim.insight.report import report_files
from noddysim.insight.rules_page import opening_words, rules_page
from noddysim.insight.rules_study import RulesExtent, RulesStudy, rules_extent, weigh_rules
from noddysim.insight.study import run_experiment, silent

QUESTION = Experiment(
    question="Does it matter who deals first?", kind="balance", variants=["noddy", "noddy-61"],
    strategies=["greedy", "low"],
    games=400, skill=60, name="balance",
)  # fmt: skip


@pytest.fixture(scope="module")
def study() -> RulesStudy:
    """A few games of each."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules_study, "SWITCHED", (("noddy", 2, ("lead-low@greedy-random",)), ("innocence", 2, ())))
        patch.setattr(rules_study, "SEARCHED", (("noddy", 2),))
        patch.setattr(rules_study, "EVENED", (("noddy", 2, None), ("noddy", 2, ("greedy", "low")), ("snitch", 3, None)))
        return weigh_rules(RulesExtent(games=300, searched=60, skill=10, deals=200), silent)


@pytest.fixture(scope="module")
def pages(study: RulesStudy) -> dict[str, str]:
    """The files of a report."""
    return report_files(Parts([run_experiment(QUESTION)], rules=study))


def test_the_page_on_rules_opens_with_answers(study: RulesStudy) -> None:
    book = Book(gather([run_experiment(QUESTION)]), "noddysim report")
    page = rules_page(book, study)
    lead = page.blocks[0]
    assert isinstance(lead, Bullets) and len(lead.items) == 3
    assert all(
        switch.reading.option not in plain(item)
        for switch in study.sensitivities[0].switches
        if "_" in switch.reading.option
        for item, _ in lead.items
    )
    assert {"readings-1", "readings-2", "fairest-1"} <= book.figures.keys()
    assert "other ways to read the rules of Noddy" in "".join(map(str, opening_words(study)))
    tables = {table.name: table for table in page.tables()}
    assert {"readings-1", "readings-1-words", "readings-2", "fairest-1", "handicaps"} <= set(tables)
    told = [row for name, table in tables.items() if name.startswith("readings-1-") for row in table.rows]
    assert len(told) == len(study.sensitivities[0].switches), "each reading has a sentence"
    assert all(str(row[0]).endswith("?") and str(row[3]).endswith(".") for row in told)
    assert flat(page.blocks)


def test_the_pages_have_their_pictures_tables_and_words(pages: dict[str, str]) -> None:
    assert {
        "rules.html",
        "rules.md",
        "balance.html",
        "figures/readings-1.svg",
        "figures/balance-course.svg",
    } <= pages.keys()
    assert "tables/balance-comebacks.csv" in pages and "tables/balance-ladder.csv" in pages
    balance = pages["balance.md"]
    for words in (
        "How a game goes, and what skill is worth", "edge comes from",
        "What differs between the variants, and what does not", "Over all the strategies that were tried",
    ):  # fmt: skip
        assert words in balance, words
    assert "Disputed readings: Noddy" in pages["rules.md"]
    assert "drama" in pages["tables/balance-lengths.csv"].splitlines()[0]
    assert "Which rules are fair?" in pages["index.html"]


def test_the_same_study_gives_the_same_bytes(study: RulesStudy, pages: dict[str, str]) -> None:
    again = report_files(Parts([run_experiment(QUESTION)], rules=study))
    assert again == pages


def test_the_extent_follows_what_is_given() -> None:
    assert rules_extent(games=50).searched == 50
    assert rules_extent(deals=7, seed=3) == RulesExtent(deals=7, seed=3)
