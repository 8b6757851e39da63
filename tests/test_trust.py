"""The pages of the self-check and the ratings: answers first, pictures that tell right from wrong, the same bytes."""

from __future__ import annotations

import pytest

from noddysim.insight.document import Group, Page
from noddysim.insight.evidence import gather
from noddysim.insight.pages import Book
from noddysim.insight.plots import BLUE, ORANGE
from noddysim.insight.ratings import ratings
from noddysim.insight.render import to_html, to_markdown
from noddysim.insight.selfcheck import ABOUT_5, ABOUT_95, Check, counted
from noddysim.insight.selfcheck_run import SelfCheck
from noddysim.insight.trust import Trust, TrustExtent, evidence_page, opening_words, ratings_page, trust_extent

CHECKS = (
    counted("intervals-of-means", "intervals", "mean of duplicates", 1_900, 2_000, ABOUT_95),
    Check("nought-noddy-2", "nought", "duplicates that are not nought", 0, 0, 0, 2_000, share=False),
    counted("false-alarms-of-looks", "alarms", "a null tip", 640, 2_000, ABOUT_5),
)


@pytest.fixture(scope="module")
def found() -> Trust:
    rated = ratings("noddy", ["greedy", "low", "random"], deals=200, workers=1)
    return Trust(trust_extent(deals=200), SelfCheck(CHECKS, quick=True), (rated,))


@pytest.fixture(scope="module")
def made(found: Trust) -> tuple[dict[str, Page], Book]:
    return pages_of(found)


def pages_of(found: Trust) -> tuple[dict[str, Page], Book]:
    book = Book(gather([]), "noddysim report")
    return {page.name: page for page in (evidence_page(book, found.checked), ratings_page(book, found))}, book


def test_the_pages_say_what_was_found(found: Trust, made: tuple[dict[str, Page], Book]) -> None:
    pages, book = made
    menu = [Group("Evidence", tuple(pages.values()))]
    text = to_markdown(pages["evidence"], menu)
    assert "2 of 3 checks hold" in text and "Failed: false-alarms-of-looks" in text
    assert "noddysim verify --quick" in text
    words = to_markdown(pages["ratings"], menu)
    assert "greedy is best" in words and "--players 2 --deals 200" in words
    for page in pages.values():
        html = to_html(page, book.figures, menu)
        assert html.count("<figure") == (4 - 1 if page.name == "evidence" else 2)
    assert "2 of 3 checks hold" in "".join(str(piece) for piece in opening_words(found))


def test_a_check_that_fails_has_another_mark(made: tuple[dict[str, Page], Book]) -> None:
    _, book = made
    assert ORANGE.lower() in book.figures["evidence-alarms"].lower()
    assert ORANGE.lower() not in book.figures["evidence-intervals"].lower()
    assert BLUE.lower() in book.figures["evidence-intervals"].lower()


def test_the_same_pages_twice(found: Trust, made: tuple[dict[str, Page], Book]) -> None:
    assert pages_of(found)[1].figures == made[1].figures


def test_how_much_is_played() -> None:
    assert trust_extent() == TrustExtent()
    less = trust_extent(deals=30, games=5, seed=9)
    assert less.quick and less.seed == 9
    assert (less.amount("noddy"), less.amount("innocence"), less.amount("snitch")) == (30, 5, 30)
    assert trust_extent(deals=10**9).amount("noddy") == TrustExtent().amount("noddy")
