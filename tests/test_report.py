"""The report: the same bytes on every build, escaped names, sound links, and a folder treated with care."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from blank import blank_pictures
from command_line import call

from noddysim.game.errors import InputError
from noddysim.insight import document, overview, plots, render, stats, tables
from noddysim.insight.counted import count_studies
from noddysim.insight.document import Column, Table
from noddysim.insight.estimates import Estimate
from noddysim.insight.evidence import gather
from noddysim.insight.parts import Parts
from noddysim.insight.report import build_report, report_files, standard_experiments
from noddysim.insight.study import Amounts, Study, load_experiment, run_experiment
from noddysim.insight.verification import Extent, verify

ROOT = Path(__file__).resolve().parents[1]

SMALL = """\
question = "Does leading low gain anything?"
kind     = "duel"
variants = ["noddy"]
players  = [2, 3]
arms     = [["lead-low@greedy-random", "greedy-random"], ["lead-low@greedy", "greedy"], ["hold-nob@greedy", "greedy"],
            ["lead-high@greedy-random", "greedy-random"], ["greedy", "low"]]
against  = ["greedy"]
deals    = 2000
games    = 20
"""
BALANCE = """\
question   = "Does it matter who deals first?"
kind       = "balance"
variants   = ["noddy", "noddy-61"]
players    = [2]
strategies = ["greedy"]
games      = 40
"""
LEADS = """\
question   = "What does each lead leave?"
kind       = "leads"
variants   = ["noddy"]
players    = [2]
strategies = ["greedy-random"]
deals      = 400
"""
EXACT = """\
question = "What can be counted?"
kind     = "exact"
variants = ["noddy"]
facts    = ["nob-worth", "turned-jack"]
"""
FILES = {"tips.toml": SMALL, "balance.toml": BALANCE, "leads.toml": LEADS, "facts.toml": EXACT}

HOSTILE = '<script>alert(1)</script> | $x_1$ [a](b) "&" `c`'

TEMPLATES = Path(render.__file__).parent / "templates"


def write_files(folder: Path, files: dict[str, str] = FILES) -> list[Path]:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in files]


def studies_of(paths: list[Path], amounts: Amounts | None = None) -> list[Study]:
    return [run_experiment(load_experiment(str(path), amounts or Amounts()), workers=1) for path in paths]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> list[Study]:
    return studies_of(write_files(tmp_path_factory.mktemp("small")))


@pytest.fixture(scope="module")
def standard() -> list[Study]:
    """The standard experiments for two players with few deals, once for all tests."""
    names = ("tips-two-players", "balance", "leads", "exact")
    return studies_of([ROOT / "experiments" / f"{name}.toml" for name in names], Amounts(deals=40, games=6))


@pytest.fixture(scope="module")
def built(standard: list[Study]) -> dict[str, str]:
    return report_files(Parts(standard))


@pytest.fixture(scope="module")
def checked(small: list[Study]) -> dict[str, str]:
    """A report with the page on published figures, and so with all pages that there are."""
    return report_files(Parts(small, verify(Extent(deals=200, games=50), workers=1)))


@pytest.fixture(scope="module")
def balance(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A comparison of so few games that nothing is sure."""
    return studies_of(write_files(tmp_path_factory.mktemp("balance"), {"balance.toml": BALANCE}))[0]


@pytest.fixture(scope="module")
def balance_page(balance: Study) -> str:
    with blank_pictures():
        return report_files(Parts([balance]))["balance.md"]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A report on a variant whose name and title would break a page, and its question too."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "mine.toml").write_text(
        f"base = 'noddy'\ntarget = 15\nname = '''{HOSTILE}'''\ntitle = '''{HOSTILE}'''\n", encoding="utf-8"
    )
    path = json.dumps(str(folder / "mine.toml"))
    files = {
        "tips.toml": SMALL.replace('"Does leading low gain anything?"', f"'''{HOSTILE}'''").replace('"noddy"', path),
        "balance.toml": BALANCE.replace('"noddy", ', f"{path}, "),
        "leads.toml": LEADS.replace('"noddy"', path),
    }
    return report_files(Parts(studies_of(write_files(folder, files))))


# --- the same bytes -------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    """Once here, and once by the command line in a process with other workers, hash seed and time zone."""
    start, end = SMALL.index("arms"), SMALL.index("against")
    few = f'{SMALL[:start]}arms = [["lead-low@greedy-random", "greedy-random"], ["greedy", "low"]]\n{SMALL[end:]}'
    studies = studies_of(write_files(tmp_path, {**FILES, "tips.toml": few}))
    command = ["noddysim", "report", *FILES]
    first = {
        name: text.encode() for name, text in report_files(Parts(count_studies(studies)), " ".join(command)).items()
    }
    odd = {"PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT), "TZ": "UTC7"}
    run = [sys.executable, "-m", *command, "--to", "out", "--workers", "2"]
    done = subprocess.run(run, cwd=tmp_path, env={**os.environ, **odd}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    out = tmp_path / "out"
    second = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*.*")}
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []
    for name, data in first.items():
        text = data.decode("utf-8")
        assert "\r" not in text, name
        assert str(tmp_path) not in text and tempfile.gettempdir() not in text, name
        assert not re.search(r"\b20[0-9]{2}-[01][0-9]-[0-3][0-9]T", text), f"{name} holds a clock"


def test_no_machine_in_the_files(built: dict[str, str]) -> None:
    import getpass
    import socket

    names = {socket.gethostname(), str(ROOT), str(Path.home())}
    names |= {f"/{getpass.getuser()}/"}
    for name, text in built.items():
        assert [word for word in names if len(word) > 3 and word in text] == [], name


# --- what stands in the pages ---------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """Ids, links, pictures, tables and open tags of a page."""

    VOID = frozenset({"meta", "link", "br", "img", "hr"})

    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.labels: list[str] = []
        self.open: list[str] = []
        self.scripts = 0
        self.loose_heads = 0
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        if tag == "a":
            self.links.append(given["href"] or "")
        if tag == "svg":
            self.labels.append(given.get("aria-label") or "")
        if tag == "script":
            self.scripts += 1
        if tag == "th" and "scope" not in given:
            self.loose_heads += 1
        for name in ("src", "xlink:href", "href"):
            value = given.get(name) or ""
            if re.match(r"(https?:)?//", value):
                self.outside.append(value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def pages_of(files: dict[str, str], ending: str) -> dict[str, str]:
    return {name: text for name, text in files.items() if name.endswith(ending)}


@pytest.mark.parametrize("kind", ["built", "hostile"])
def test_pages_are_sound(kind: str, request: pytest.FixtureRequest) -> None:
    files: dict[str, str] = request.getfixturevalue(kind)
    pages = pages_of(files, ".html")
    assert set(pages) >= {"index.html", "balance.html", "claims.html"}
    read_pages = {name: read(text) for name, text in pages.items()}
    for name, page in read_pages.items():
        assert page.scripts == 1, f"{name}: the page's own script, and no other"
        assert page.loose_heads == 0, name
        assert page.outside == [], "the page can be read without a network"
        twice = {one for one in page.ids if page.ids.count(one) > 1}
        assert twice == set(), name
        for link in page.links:
            file, _, anchor = link.partition("#")
            assert (file or name) in files, f"{name}: {link}"
            if anchor:
                assert anchor in read_pages[file or name].ids, f"{name}: {link}"
        assert all(len(label) > 40 for label in page.labels), page.labels
        assert all(re.search(r"\d|plays so already", label) for label in page.labels), page.labels


def test_references_inside_pictures_resolve(built: dict[str, str]) -> None:
    for name, text in pages_of(built, ".html").items():
        ids = set(read(text).ids)
        wanted = set(re.findall(r"url\(#([^)]+)\)", text)) | set(re.findall(r'<use xlink:href="#([^"]+)"', text))
        assert wanted <= ids, name


@pytest.mark.parametrize("kind", ["built", "hostile"])
def test_markdown_pages_point_to_files_and_places(kind: str, request: pytest.FixtureRequest) -> None:
    files: dict[str, str] = request.getfixturevalue(kind)
    for name, text in pages_of(files, ".md").items():
        assert "<script" not in text.lower()
        pictures = re.findall(r"!\[((?:\\.|[^\]\\])*)\]\(([^)]+)\)", text)
        assert all(file in files for _, file in pictures), name
        assert all(len(alt) > 40 for alt, _ in pictures), name
        places = {page: set(re.findall(r'<a id="([^"]+)">', other)) for page, other in pages_of(files, ".md").items()}
        read_as_markdown = re.sub(r"<summary>.*</summary>", "", text)
        for target in re.findall(r"(?<!\\)\]\(([^)]+)\)", read_as_markdown):
            file, _, anchor = target.partition("#")
            assert (file or name) in files, f"{name}: {target}"
            if anchor:
                assert anchor in places[file or name], f"{name}: {target}"
        for table in re.findall(r"(?:^\|.*\n)+", text, flags=re.M):
            widths = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
            assert len(widths) == 1, f"{name}: a row is wider than its head:\n{table[:300]}"


def test_hostile_names_are_escaped_everywhere(hostile: dict[str, str]) -> None:
    assert any("&lt;script&gt;" in text for text in pages_of(hostile, ".html").values())
    for name, text in hostile.items():
        if not name.endswith((".csv", ".json")):
            scripts = "".join((TEMPLATES / script).read_text(encoding="utf-8") for script in render.SCRIPTS)
            own = f"\n<script>\n{scripts}</script>\n"
            assert "<script" not in text.replace(own, "", 1), name
    for name, text in pages_of(hostile, ".svg").items():
        ET.fromstring(text)
        assert "/" not in name.removeprefix("figures/")
    rows = pd.read_csv(io.StringIO(hostile["verdicts.csv"]))
    assert set(rows["variant"]) == {HOSTILE}


def test_every_picture_is_sound_svg_and_shown(built: dict[str, str]) -> None:
    pictures = pages_of(built, ".svg")
    assert len(pictures) > 10
    for name, text in pictures.items():
        ET.fromstring(text)
        assert "<dc:date>" not in text
        anywhere = [page for page, other in pages_of(built, ".md").items() if f"({name})" in other]
        assert len(anywhere) == 1, name


def test_markdown_and_html_hold_the_same_tables(built: dict[str, str]) -> None:
    for name, text in pages_of(built, ".md").items():
        in_html = set(re.findall(r'href="(tables/[^"]+)"', built[name.replace(".md", ".html")]))
        assert set(re.findall(r"\((tables/[^)]+)\)", text)) == in_html


def test_all_tables_can_be_read_as_csv(built: dict[str, str]) -> None:
    found = pages_of(built, ".csv")
    for name, text in found.items():
        frame = pd.read_csv(io.StringIO(text))
        assert len(frame) > 0 and frame.columns.is_unique, name
    effects = pd.read_csv(io.StringIO(found["tables/effects-lead-low.csv"]))
    assert {"in_seat", "in_seat_low", "in_seat_high", "in_seat_n", "verdict"} <= set(effects.columns)
    known = effects.dropna(subset=["in_seat_low"])
    assert (known["in_seat_low"] <= known["in_seat"]).all() and (known["in_seat"] <= known["in_seat_high"]).all()


def test_verdicts_file_has_one_row_a_finding(standard: list[Study], built: dict[str, str]) -> None:
    rows = pd.read_csv(io.StringIO(built["verdicts.csv"]))
    evidence = gather(standard)
    assert len(rows) == len(evidence.cases)
    wanted = {
        "variant", "players", "tip", "title", "verdict", "on_what", "worth", "worth_low", "worth_high", "per_deal",
        "per_occasion", "changed", "chance_to_win", "chance_to_win_low", "scale", "against", "how_known",
    }  # fmt: skip
    assert wanted <= set(rows.columns)
    for row in rows.itertuples():
        case = next(c for c in evidence.cases.values() if (c.tip.name, c.panel.players) == (row.tip, row.players))
        assert case.finding.verdict == row.verdict
        effect = case.headline.concerned
        assert pd.isna(row.worth) if effect is None else row.worth == effect.estimate


def test_every_tip_tested_is_told(standard: list[Study], built: dict[str, str]) -> None:
    evidence = gather(standard)
    ids = read(built["index.html"]).ids
    assert all(f"tip-{tip.name}" in ids for tip in evidence.tips)
    assert "take-points" not in built["index.html"], "only tips of the experiments appear"
    assert "12/221" in built["index.html"] and "380/49" in built["index.html"]
    assert "Not advice of the rules page" in built["index.html"]
    assert "is followed already" not in built["index.html"] or "plays so already" in built["index.html"]


def test_the_report_opens_with_a_picture_of_all_advice_the_best_first(
    standard: list[Study], built: dict[str, str]
) -> None:
    evidence = gather(standard)
    shown = overview.shown_cases(evidence)
    names = [case.tip.name for case in shown]
    assert len(names) > 5 and "hold-nob" not in names, "what decides nothing has no row"
    means = []
    for case in shown:
        worth = [duel.concerned for duel in map(case.main, case.baselines) if duel.verdict != "already-followed"]
        means.append(sum(one.estimate for one in worth if one) / len(worth))
    assert means == sorted(means, reverse=True)
    head = built["index.md"].partition("## Verdicts")[0]
    assert "(figures/verdicts.svg)" in head and all(case.tip.title in head for case in shown)
    assert head.index("figures/verdicts.svg") < head.index("Who deals first"), "the answer before other pages"
    told = [replace(shown[0], finding=replace(shown[0].finding, verdict=one)) for one in ("helps", "hurts", "hurts")]
    assert overview.reply_of(told).endswith("one helps, two hurt")


def test_long_names_of_rows_stand_in_lines_of_like_length() -> None:
    assert plots.in_lines("a short name") == "a short name"
    assert plots.in_lines("flushes in the play, 1 point a card") == "flushes in the play,\n1 point a card"
    long = "one word " * 12
    assert all(len(line) <= plots.LONGEST_LABEL for line in plots.in_lines(long).split("\n"))


@pytest.mark.long
def test_an_advice_already_followed_is_not_called_no_difference(checked: dict[str, str]) -> None:
    page = checked["index.html"]
    assert "no card changes in 2,000 deals played both ways, it plays so already" in page
    assert "nothing to decide" in page


@pytest.mark.usefixtures("undrawn")
def test_a_report_on_one_tip_does_not_speak_of_ten(checked: dict[str, str], tmp_path: Path) -> None:
    one = SMALL.replace("[2, 3]", "[2]").replace("2000", "200")
    arms = '[["lead-low@greedy-random", "greedy-random"]]'
    start, end = one.index("[["), one.index("]]") + 2
    path = tmp_path / "one.toml"
    path.write_text(one[:start] + arms + one[end:], encoding="utf-8")
    told = report_files(Parts(studies_of([path])))["index.md"]
    assert re.search(r"The one piece of advice of the rules page that was tested (is|helps|hurts|makes|depends)", told)
    assert "pieces of advice of the rules page that were tested" in checked["index.md"]
    assert "one pieces" not in told


def test_strategies_that_are_no_tips_are_told_too(checked: dict[str, str]) -> None:
    page = checked["index.md"]
    assert "Strategies beside each other" in page
    assert "`greedy` beside `low`" in page


def test_provenance_tells_all(standard: list[Study], built: dict[str, str]) -> None:
    record = json.loads(built["provenance.json"])
    assert set(record) == {
        "behaviour", "command", "counts", "experiments", "files", "runs", "seeds", "strategies", "tips", "variants",
        "versions",
    }  # fmt: skip
    assert record["command"] == "noddysim report"
    assert record["seeds"] == [1589]
    assert set(record["versions"]) >= {"noddysim", "numpy", "numba", "pandas", "matplotlib", "scipy", "statsmodels"}
    assert record["variants"]["noddy"]["rules"]["target"] == 31
    assert record["strategies"]["greedy"]["levels"]
    assert record["files"] == sorted(built)
    duels = [duel for study in standard for duel in study.duels if duel.id]
    assert {duel.id for duel in duels} <= {run["id"] for run in record["runs"]}
    assert record["counts"]["deals_both_ways"] == sum(duel.n for duel in duels if not duel.setting.games)
    assert record["counts"]["games_both_ways"] == sum(duel.n for duel in duels if duel.setting.games)


def test_one_deal_and_one_game_are_enough(tmp_path: Path) -> None:
    """Without any interval the pages still stand; nothing is found."""
    files = report_files(Parts(studies_of(write_files(tmp_path), Amounts(deals=1, games=1))))
    rows = pd.read_csv(io.StringIO(files["verdicts.csv"]))
    assert not set(rows["verdict"]) & {"helps", "hurts", "depends"}


# --- the folder -----------------------------------------------------------------------------------------------------


@pytest.fixture
def facts(tmp_path: Path) -> Path:
    """A folder with the quickest experiment there is."""
    write_files(tmp_path, {"facts.toml": EXACT})
    return tmp_path


def build(folder: Path, to: Path, file: str = "facts.toml") -> list[Path]:
    return build_report([load_experiment(str(folder / file), Amounts())], to, workers=1)


def test_files_of_an_older_report_go_and_others_stay(facts: Path) -> None:
    to = facts / "out" / "reports"
    first = build(facts, to)
    assert {path.name for path in first} >= {"index.html", "index.md", "provenance.json"}
    (to / "figures").mkdir()
    (to / "figures" / "old.svg").write_text("old")
    (to / "notes.txt").write_text("mine")
    (facts / "outside.txt").write_text("mine")
    record = json.loads((to / "provenance.json").read_text(encoding="utf-8"))
    record["files"] += ["figures/old.svg", "../../outside.txt", "/etc/hostname"]
    (to / "provenance.json").write_text(json.dumps(record), encoding="utf-8")
    second = build(facts, to)
    assert first == second
    assert not (to / "figures").exists()
    assert (to / "notes.txt").read_text() == "mine"
    assert (facts / "outside.txt").read_text() == "mine"
    assert [path.name for path in (facts / "out").iterdir()] == ["reports"], "nothing is left beside it"


def test_another_page_is_never_written_over(facts: Path) -> None:
    to = facts / "site"
    to.mkdir()
    (to / "index.html").write_text("my own page")
    with pytest.raises(InputError, match=r"index\.html: this file is of no earlier report"):
        build(facts, to)
    assert (to / "index.html").read_text() == "my own page"
    assert sorted(path.name for path in to.iterdir()) == ["index.html"]


def test_a_folder_that_cannot_be_written_is_refused_before_any_work(
    facts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (facts / "file").write_text("")

    def never(*args: object, **kwargs: object) -> Study:
        raise AssertionError("work was begun")

    monkeypatch.setattr("noddysim.insight.parts.run_experiment", never)
    for place in (facts / "file", facts / "file" / "deeper"):
        with pytest.raises(InputError, match="file"):
            build(facts, place)


def test_a_failure_midway_leaves_nothing_behind(facts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **kwargs: object) -> Study:
        raise RuntimeError("midway")

    monkeypatch.setattr("noddysim.insight.parts.run_experiment", fails)
    with pytest.raises(RuntimeError, match="midway"):
        build(facts, facts / "reports")
    assert sorted(path.name for path in facts.iterdir()) == ["facts.toml"]


def test_command_line_refuses_in_one_line(facts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(facts)
    done = call("report", "facts.toml", "--to", "facts.toml", "--json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "noddysim: facts.toml: this is a file; a report needs a folder\n"


def test_standard_experiments_are_those_here_or_those_of_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert {path.name for path in standard_experiments()} >= {"tips-two-players.toml", "balance.toml"}
    (tmp_path / "experiments").mkdir()
    write_files(tmp_path / "experiments", {"mine.toml": EXACT})
    assert standard_experiments() == [Path("experiments/mine.toml")]


# --- tables and text ------------------------------------------------------------------------------------------------


def test_a_table_keeps_every_number_in_its_csv() -> None:
    value = Estimate(0.1, -0.2, 0.4, 7, "points a deal", "t")
    exact = Estimate(0.5, 0.5, 0.5, 2, "points a deal", "counted", exact=True)
    columns = (Column("who", "who"), Column("x", "effect", number=True))
    table = Table("t", "T", columns, (("a", value), ("b", exact), ("c", None)))
    assert table.to_csv().splitlines() == [
        "who,x,x_low,x_high,x_unit,x_n,x_method",
        "a,0.1,-0.2,0.4,points a deal,7,t",
        'b,0.5,0.5,0.5,points a deal,2,"exact, counted"',
        "c,,,,,,",
    ]
    with pytest.raises(ValueError, match="a row of 1 cells under 2 columns"):
        Table("t", "T", columns, (("a",),))


def test_equal_names_of_rows_are_joined_from_the_left_only() -> None:
    columns = tuple(Column(key, key) for key in "abc")
    rows = (("x", "1", "p"), ("x", "1", "q"), ("y", "1", "r"), ("y", "2", "s"))
    assert render._row_spans(Table("t", "T", columns, rows, heads=3)) == [(2, 2), (0, 0), (2, 1), (0, 1)]
    assert render._row_spans(Table("t", "T", columns, rows)) == [(), (), (), ()]


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a|b", r"a\|b"),
        ("<b>&", "&lt;b&gt;&amp;"),
        ("*x* _y_ `z` [l](m)", r"\*x\* \_y\_ \`z\` \[l\](m)"),
        ("- item", r"\- item"),
        ("1. item", "\\1. item"),
        ("-0.5 points", "-0.5 points"),
        ("# head", r"\# head"),
    ],
)
def test_markdown_shows_text_as_it_is(text: str, escaped: str) -> None:
    assert render.md_escape(text) == escaped


def test_marks_of_bold_text_stand_beside_its_words() -> None:
    """A closing ** behind a space would be read as two stars."""
    text = (document.strong("The rules page says. "), "Open low", document.strong(" now"), document.Span(" so ", "em"))
    assert render.md_text(text) == "**The rules page says.** Open low **now** *so* "


def test_no_page_has_stars_that_are_no_bold(built: dict[str, str], checked: dict[str, str]) -> None:
    for name, page in {**pages_of(built, ".md"), **pages_of(checked, ".md")}.items():
        for line in page.splitlines():
            marks = re.findall(r"(?<!\\)\*\*", line)
            assert len(marks) % 2 == 0, f"{name}: {line[:200]}"
            for bold in re.findall(r"(?<!\\)\*\*(.*?)(?<!\\)\*\*", line):
                assert bold == bold.strip(), f"{name}: {line[:200]}"


def test_file_names_are_plain_and_distinct() -> None:
    assert tables.slug("leads", "noddy", 2) == "leads-noddy-2"
    names = [tables.slug("leads", name, 2) for name in ("a b", "a-b", "A-b", "../a/b", "ä-b", "")]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names)


def test_fractions_and_bare_cells() -> None:
    assert document.fraction_cell(Fraction(12, 221)) == "12/221 ≈ 0.0543"
    assert document.fraction_cell(Fraction(20)) == "20"
    assert document.shown(None, Column("x", "x")) == "–"
    flat = stats.mean_from_sums(1000, 0, 0, unit="chance to win")
    assert document.shown(flat, Column("x", "x")) == "0.0\N{NO-BREAK SPACE}% (alike in all 1,000)"
    assert document.shown(2_000_000, Column("x", "x")) == "2,000,000"
    assert document.plain(("a ", document.badge("no-difference"))) == "a no difference"


@pytest.mark.usefixtures("undrawn")
def test_answers_of_all_experiments_on_balance_come_first_and_no_two_headings_are_alike(
    balance: Study, balance_page: str, tmp_path: Path
) -> None:
    family = BALANCE.replace('"noddy-61"', '"noddy-15", "noddy-21", "noddy-no-jack"').replace("games?", "games so?")
    (other,) = studies_of(write_files(tmp_path, {"family.toml": family}))
    page = report_files(Parts([balance, other]))["balance.md"]
    heads = [line for line in page.partition("## Rules and method")[0].splitlines() if line.startswith("#")]
    assert heads[1:4] == ["## The answers", "### Noddy and Noddy (61 up)", "### Noddy, Noddy (15 up) and two others"]
    assert heads[4:6] == ["## Noddy and Noddy (61 up)", "### Chance to win"]
    assert heads.count("## Noddy, Noddy (15 up) and two others") == 1
    assert page.count("“Hardly” means") <= 1
    assert "## The answer\n" in balance_page and "## Points a deal" in balance_page
    assert "### noddy" not in balance_page


@pytest.mark.usefixtures("undrawn")
def test_hardly_is_explained_only_where_it_is_said(balance: Study, balance_page: str) -> None:
    assert "hardly" not in balance_page and "“Hardly”" not in balance_page
    assert balance.comparison is not None
    even = Estimate(0.001, -0.004, 0.006, 40, "chance to win", "Wilson")
    rows = tuple(replace(row, edge=even) for row in balance.comparison.rows)
    fair = replace(balance, comparison=replace(balance.comparison, rows=rows))
    page = report_files(Parts([fair]))["balance.md"]
    assert "**hardly**" in page and page.count("“Hardly” means") == 1
    assert "within 1 percentage point of his fair share" in page


@pytest.mark.usefixtures("undrawn")
def test_differences_of_chances_are_percentage_points_with_one_sign(balance: Study) -> None:
    assert balance.comparison is not None
    less = Estimate(-0.012, -0.022, -0.003, 40, "chance to win", "paired t")
    changed = tuple(replace(one, value=less) if one.metric == "edge" else one for one in balance.comparison.differences)
    page = report_files(Parts([replace(balance, comparison=replace(balance.comparison, differences=changed))]))[
        "balance.md"
    ]
    assert "**less often**, by 1.2 percentage points (0.3 … 2.2)." in page


# --- in a browser ---------------------------------------------------------------------------------------------------

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")

FRAMES = """<!DOCTYPE html><title>frames</title><body style="margin:0">%s<pre id="said"></pre><script>
// Presses every head of every table three times: rising, falling, as it was; then looks for the words of its last row.
const pressed = inner => {
  const wrong = [];
  let presses = 0, searches = 0;
  for (const table of inner.querySelectorAll(".scroll > table")) {
    const body = table.tBodies[0], rowsOf = () => [...body.rows].map(row => row.outerHTML).join();
    const before = rowsOf(), heads = [...table.querySelectorAll("thead button")];
    heads.forEach((head, column) => {
      for (const sign of [1, -1]) {
        head.click();
        presses += 1;
        const shown = [...body.rows].map(row => row.cells[column].dataset.value).filter(Boolean).map(Number);
        if (shown.some((value, place) => place && sign * (shown[place - 1] - value) > 0)) wrong.push(head.textContent);
        if (heads.filter(one => one.parentNode.ariaSort).length !== 1) wrong.push("aria-sort of " + head.textContent);
      }
      head.click();
      if (rowsOf() !== before) wrong.push("not as it was: " + head.textContent);
    });
    const search = table.closest(".scroll").previousElementSibling?.querySelector("input");
    if (!search) continue;
    const type = words => {
      search.value = words;
      search.dispatchEvent(new Event("input"));
    };
    const rows = body.rows.length, words = body.rows[rows - 1].cells[0].textContent.trim().toLowerCase();
    type(words.toUpperCase());
    searches += 1;
    const found = [...body.rows];
    const holds = row => words.split(" ").every(word => row.textContent.toLowerCase().includes(word));
    if (!found.length || !found.every(holds))
      wrong.push("found for " + words);
    type("no row has these words");
    if (body.rows.length) wrong.push("rows without the words");
    type("");
    if (rowsOf() !== before) wrong.push("not as it was after " + words);
  }
  return {wrong, presses, searches};
};
addEventListener("load", () => {
  const said = [...document.querySelectorAll("iframe")].map(frame => {
    const inner = frame.contentDocument, root = inner.documentElement;
    const small = [...inner.querySelectorAll("figure svg")].filter(svg => svg.getBoundingClientRect().width < 200);
    const words = [...inner.querySelectorAll("figure svg text")].map(
      text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
    const captions = [...inner.querySelectorAll(".caption")].map(one => one.getBoundingClientRect().right);
    const menu = new Set([...inner.querySelectorAll("nav summary")].map(one => one.getBoundingClientRect().top));
    const rooms = [...inner.querySelectorAll("nav details")].map(part => {
      part.querySelector("summary").click();
      const box = part.querySelector("ul").getBoundingClientRect();
      return {left: box.left, right: box.right, width: root.scrollWidth,
              open: inner.querySelectorAll("nav details[open]").length};
    });
    inner.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
    const left = inner.querySelectorAll("nav details[open]").length;
    const here = [...inner.querySelectorAll("nav a[aria-current=page]")].map(one => one.getAttribute("href"));
    return {page: frame.name, wide: root.scrollWidth, room: root.clientWidth, window: frame.contentWindow.innerWidth,
            pictures: inner.querySelectorAll("figure svg").length, small: small.length, height: root.scrollHeight,
            type: Math.min(99, ...words), captions: Math.max(0, ...captions), menu: menu.size, rooms, left, here,
            tables: inner.querySelectorAll(".scroll > table").length, ...pressed(inner)};
  });
  document.getElementById("said").textContent = JSON.stringify(said);
});
</script></body>"""


def browse(browser: str, page: Path, profile: Path) -> subprocess.CompletedProcess[str]:
    command = [
        browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", "--disable-extensions", "--allow-file-access-from-files",
        f"--user-data-dir={profile}", "--enable-logging=stderr", "--virtual-time-budget=5000", "--dump-dom",
        page.as_uri(),
    ]  # fmt: skip
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_pages_load_fit_a_telephone_and_their_tables_sort(
    built: dict[str, str], checked: dict[str, str], tmp_path: Path
) -> None:
    """No error in the console, and nothing to scroll sideways at the width of a telephone or of a desk."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no Chromium here: the pages were not opened in a browser")
    texts = {**pages_of(built, ".html"), "verification.html": checked["verification.html"]}
    pages = sorted(texts)
    for name in pages:
        (tmp_path / name).write_text(texts[name], encoding="utf-8")
    frames = "".join(
        f'<iframe name="{name}" src="{name}" style="border:0;width:{width}px;height:800px"></iframe>'
        for name in pages
        for width in (390, 1280)
    )
    (tmp_path / "frames.html").write_text(FRAMES % frames, encoding="utf-8")
    done = browse(browser, tmp_path / "frames.html", tmp_path / "profile")
    assert "CONSOLE" not in done.stderr, done.stderr
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout)
    assert said, done.stderr[-2000:]
    found = json.loads(said[1].replace("&amp;", "&"))
    assert [(one["page"], one["window"]) for one in found] == [(name, w) for name in pages for w in (390, 1280)]
    for one in found:
        assert one["wide"] <= one["room"] < one["window"], "nothing to scroll sideways beside the scroll bar"
        assert one["height"] > 1000 and one["small"] == 0, one
        assert one["type"] > 9, "words in pictures can be read on a telephone"
        assert one["captions"] <= one["room"], "captions and their links are in sight"
        assert one["menu"] == 1, "the menu is one line"
        for part in one["rooms"]:
            assert part["left"] >= 0 and max(part["right"], part["width"]) <= one["room"], (
                "open parts of it are in sight"
            )
            assert part["open"] == 1, "a part that opens closes the others"
        assert one["left"] == 0, "Escape closes the menu"
        assert one["here"] == [one["page"]]
        assert one["wrong"] == []
        assert one["presses"] >= 4 * one["tables"], "every table sorts by every column"
    index = next(one for one in found if one["page"] == "index.html")
    assert index["pictures"] >= 10 and index["tables"] > 5 and index["searches"] > 0
