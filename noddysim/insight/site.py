"""The site that a report is: every page declared in one table, and the menu that leads to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from noddysim.game.claims import load_claims
from noddysim.insight import (
    ask,
    balance_answers,
    balance_page,
    card_page,
    laying_page,
    pages,
    rules_page,
    trust,
    verification_page,
)
from noddysim.insight.document import Block, Bullets, Figure, Group, Page, Text
from noddysim.insight.pages import Book
from noddysim.insight.parts import Parts


def _nothing(book: Book, parts: Parts) -> Sequence[Text]:
    """No words on the first page."""
    return ()


@dataclass(frozen=True)
class Entry:
    """A page of the site: its file name, its group in the menu, and what makes it.

    build : the page, with its title, or None where the report holds nothing for it; opening : what the first page says
    of it, asked only where the page is there.
    """

    name: str
    group: str
    build: Callable[[Book, Parts], Page | None]
    opening: Callable[[Book, Parts], Sequence[Text]] = _nothing


ADVICE, FAIRNESS, OTHER_GAMES, EVIDENCE = "Advice", "Fairness", "Other games", "Evidence"
"""The groups of the menu, named so briefly that all stand in one line on a telephone too."""

PAGES: Final = (
    Entry("index", ADVICE, lambda book, _: pages.index_page(book)),
    Entry(
        card_page.NAME, ADVICE,
        lambda _, parts: card_page.card_page(parts.exact.card, ask.NAME) if parts.exact else None,
        lambda _, parts: [card_page.opening_words(parts.exact.card)] if parts.exact else (),
    ),
    Entry(
        ask.NAME, ADVICE, lambda _, parts: ask.ask_page(parts.exact.firsts) if parts.exact else None,
        lambda *_: [ask.opening_words()],
    ),
    Entry(
        trust.RATINGS_PAGE, ADVICE, lambda book, parts: trust.ratings_page(book, parts.trust) if parts.trust else None,
        lambda _, parts: [trust.ratings_words(parts.trust)] if parts.trust else (),
    ),
    Entry(
        "balance", FAIRNESS, lambda book, _: balance_page.balance_page(book),
        lambda book, _: [words] if (words := balance_answers.opening_words(book.evidence)) else (),
    ),
    Entry(
        rules_page.PAGE, FAIRNESS,
        lambda book, parts: rules_page.rules_page(book, parts.rules) if parts.rules else None,
        lambda _, parts: [rules_page.opening_words(parts.rules)] if parts.rules else (),
    ),
    Entry(
        laying_page.MELD_PAGE, OTHER_GAMES,
        lambda book, parts: laying_page.meld_page(book, parts.laying) if parts.laying else None,
        lambda _, parts: [laying_page.meld_words(parts.laying)] if parts.laying else (),
    ),
    Entry(
        laying_page.SET_PAGE, OTHER_GAMES,
        lambda book, parts: laying_page.set_page(book, parts.laying) if parts.laying else None,
        lambda _, parts: [laying_page.set_words(parts.laying)] if parts.laying else (),
    ),
    Entry(
        verification_page.PAGE, EVIDENCE,
        lambda book, parts: (
            verification_page.verification_page(book, parts.verification) if parts.verification else None
        ),
        lambda _, parts: [verification_page.opening_words(parts.verification)] if parts.verification else (),
    ),
    Entry(
        trust.PAGE, EVIDENCE,
        lambda book, parts: trust.evidence_page(book, parts.trust.checked) if parts.trust else None,
        lambda _, parts: [trust.opening_words(parts.trust)] if parts.trust else (),
    ),
    Entry("claims", EVIDENCE, lambda book, _: pages.claims_page(book, load_claims())),
)  # fmt: skip
"""Every page in the order of the menu; the first one is where a reader comes in. A new page is one entry here."""


def site_of(book: Book, parts: Parts) -> list[Group]:
    """All pages that these parts make, by their groups; the pictures go into the book."""
    made = [(entry, page) for entry in PAGES if (page := entry.build(book, parts))]
    told = [text for entry, _ in made for text in entry.opening(book, parts)]
    first, page = made[0]
    made[0] = (first, _with_opening(page, told))
    names = list(dict.fromkeys(entry.group for entry, _ in made))
    return [Group(name, tuple(page for entry, page in made if entry.group == name)) for name in names]


def _with_opening(page: Page, words: Sequence[Text]) -> Page:
    """The first page with sentences on the other pages after its own answer and the picture of that."""
    if not words:
        return page
    added = tuple((text, ()) for text in words)
    blocks: tuple[Block, ...] = page.blocks
    place = next((n for n, block in enumerate(blocks) if not _opens(block)), len(blocks))
    blocks = (*blocks[:place], Bullets(added, "lead"), *blocks[place:])
    return replace(page, blocks=blocks)


def _opens(block: Block) -> bool:
    """Whether a block belongs to the answer at the head of a page."""
    return isinstance(block, Figure) or (isinstance(block, Bullets) and block.role == "lead")
