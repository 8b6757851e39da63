"""The table of pages: each is declared once, and links between pages and menu hold for any part of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_report import EXACT, pages_of, studies_of, write_files

from noddysim.insight import site
from noddysim.insight.evidence import gather
from noddysim.insight.pages import Book
from noddysim.insight.parts import Parts, Wanted, everything
from noddysim.insight.report import report_files
from noddysim.insight.site import PAGES, site_of


def test_every_page_is_declared_once_in_a_group_that_fits_the_menu() -> None:
    names = [entry.name for entry in PAGES]
    assert len(set(names)) == len(names) and names[0] == "index"
    groups = list(dict.fromkeys(entry.group for entry in PAGES))
    assert sum(map(len, groups)) < 40, "all groups stand in one line on a telephone"
    places = [groups.index(entry.group) for entry in PAGES]
    assert places == sorted(places), "pages of a group stand together"


def test_a_page_has_the_name_it_is_declared_with_and_opens_the_report_only_where_it_is(tmp_path: Path) -> None:
    parts = Parts(studies_of(write_files(tmp_path, {"facts.toml": EXACT})))
    book = Book(gather(parts.studies), "noddysim report")
    menu = site_of(book, parts)
    made = [page.name for group in menu for page in group.pages]
    assert made == ["index", "claims"]
    declared = [entry.name for entry in PAGES if entry.build(book, parts)]
    assert declared == made
    files = report_files(parts)
    assert set(pages_of(files, ".html")) == {"index.html", "claims.html"}
    for page in pages_of(files, ".html").values():
        assert page.count("<summary aria-current") == page.count('aria-current="page"') == 1
        assert page.count('<details name="menu">') == 2


def test_a_new_page_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(studies_of(write_files(tmp_path, {"facts.toml": EXACT})))
    page = site.Page("mine", "My page", "A page of one's own", ())
    entry = site.Entry("mine", "Mine", lambda *_: page, lambda *_: [("My own words.",)])
    monkeypatch.setattr(site, "PAGES", (*PAGES, entry))
    files = report_files(parts)
    assert "My own words." in files["index.md"] and "<h1>My page</h1>" in files["mine.html"]
    assert all("[My page](mine.md)" in text or "**My page**" in text for text in pages_of(files, ".md").values())


def test_what_is_wanted_is_work_that_adds_up() -> None:
    assert Wanted().work == 0
    all_of_it = everything(deals=7, games=5, seed=3)
    assert all_of_it.verification and all_of_it.laying and all_of_it.rules and all_of_it.trust
    assert all_of_it.verification.seed == all_of_it.rules.seed == 3
    without = Wanted(verification=all_of_it.verification, solved=True)
    assert all_of_it.work > without.work > Wanted(verification=all_of_it.verification).work > 0
