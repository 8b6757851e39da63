"""Every claim of the sources is fixed by a test, or has a verdict whose evidence exists."""

from __future__ import annotations

import ast
import csv
import json
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from noddysim.engine.exact import FACTS, fact
from noddysim.engine.replay import replay_deal
from noddysim.engine.scoring import score
from noddysim.game.claims import (
    KINDS,
    VERDICTS,
    ClaimBook,
    claims_json,
    load_claims,
    select_claims,
    verdict_from_report,
)
from noddysim.game.errors import InputError
from noddysim.game.rules import load_variant
from noddysim.insight.balance import compare

ROOT = Path(__file__).resolve().parents[1]

# Counted in seed (b) itself, section by section and item by item, so that no sentence can be dropped from the file.
SEED_B_SENTENCES = {
    "How to Play": (2, 5),
    "Players": (3,),
    "Card Deck": (4,),
    "Objective": (1,),
    "Setup and Deal": (2, 1, 1, 1, 1, 1),
    "Pegging Play": (1, 2, 2, 1, 1, 1, 3, 1, 1, 1),
    "Hand Scoring": (1, 1, 1, 1, 1, 1, 1, 1),
    "Winning": (2,),
    "Common Variations": (1, 2, 1, 1, 1),
    "Tips and Strategy": (2, 2, 2, 2, 2),
    "Glossary": (1, 1, 1, 1, 1, 1, 1, 1),
}
# A sentence may claim several things; each section has at least this many claims.
SEED_B_CLAIMS = {
    "How to Play": 14,
    "Players": 6,
    "Card Deck": 6,
    "Objective": 2,
    "Setup and Deal": 10,
    "Pegging Play": 20,
    "Hand Scoring": 12,
    "Winning": 5,
    "Common Variations": 17,
    "Tips and Strategy": 19,
    "Glossary": 9,
}
# The statements of seed (b) that its own rules, or all older sources, contradict.
SEED_B_CONTRADICTIONS = {"b-pack-06", "b-play-18", "b-show-04", "b-tips-17", "b-vary-07"}


@pytest.fixture(scope="module")
def book() -> ClaimBook:
    return load_claims()


def report_verdicts() -> Mapping[str, list[str]]:
    """Verdicts of the built report by tip, on Noddy; empty while no report has been built."""
    path = ROOT / "reports" / "verdicts.csv"
    found: defaultdict[str, list[str]] = defaultdict(list)
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row["variant"] == "noddy":  # the seed gives its advice for this game
                    found[row["tip"]].append(row["verdict"])
    return found


def functions_of(path: Path) -> set[str]:
    """Names of the functions at the top of a test file; none if there is no such file."""
    if not path.exists():
        return set()
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


# --- the file against its form and against the seed ------------------------------------------------------------------


def test_each_claim_has_a_test_or_a_verdict_with_evidence(book):
    for claim in book.claims:
        assert (claim.test is None) != (claim.verdict is None), claim.id
        assert (claim.verdict is None) == (claim.evidence == ()), claim.id
        assert claim.verdict is None or claim.remark, claim.id


def test_ids_are_unique_and_in_order(book):
    ids = [claim.id for claim in book.claims]
    assert len(set(ids)) == len(ids)
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for claim_id in ids:
        group, _, number = claim_id.rpartition("-")
        groups[group].append(int(number))
    for group, numbers in groups.items():
        assert numbers == list(range(1, len(numbers) + 1)), group


def test_every_sentence_of_seed_b_has_a_claim(book):
    assert {s.name: s.sentences for s in book.sections if s.seed == "b"} == SEED_B_SENTENCES
    assert len(book.places("b")) == sum(sum(items) for items in SEED_B_SENTENCES.values()) == 70
    assert book.uncovered("b") == ()


def test_every_section_of_seed_b_has_its_claims(book):
    for name, least in SEED_B_CLAIMS.items():
        claims = [claim for claim in book.claims if claim.seed == "b" and claim.section == name]
        assert len(claims) >= least, name


def test_every_kind_and_verdict_is_in_use(book):
    assert {claim.kind for claim in book.claims} == set(KINDS)
    # Nothing needs to be open: only what waits for a game that is not built or for a number.
    assert {claim.verdict for claim in book.claims} | {"open"} == {None, *VERDICTS}


def test_no_claim_waits_for_a_game_that_is_built(book):
    assert [claim.id for claim in book.claims if claim.seed == "b" and claim.verdict == "open"] == []


def test_contradictions_of_seed_b_are_marked(book):
    marked = {claim.id for claim in book.claims if claim.remark.startswith("self-contradiction")}
    assert marked == SEED_B_CONTRADICTIONS
    verdicts = {claim.id: claim.verdict for claim in book.claims}
    assert {verdicts[claim_id] for claim_id in marked} == {"fails", "vacuous", "contradicted-by-a-source"}


def test_an_open_claim_says_what_it_waits_for(book):
    for claim in select_claims(book.claims, status="open"):
        assert claim.remark.startswith(("measured in the report", "not built")), claim.id


def test_every_source_is_cited(book):
    assert {key for claim in book.claims for key in claim.named("source")} == set(book.sources)


# --- tests and evidence exist ----------------------------------------------------------------------------------------


def test_every_test_exists(book):
    tests = {claim.test for claim in book.claims if claim.test}
    missing = []
    for test in sorted(tests):
        file, _, name = test.partition("::")
        if name not in functions_of(ROOT / file):
            missing.append(test)
    assert missing == []


def test_every_tip_exists(book):
    tips = tomllib.loads((ROOT / "noddysim" / "game" / "tips.toml").read_text(encoding="utf-8"))
    assert {tip for claim in book.claims for tip in claim.named("tip")} - set(tips) == set()


def test_every_exact_fact_exists(book):
    assert {name for claim in book.claims for name in claim.named("exact")} - set(FACTS) == set()


def test_every_experiment_exists_and_holds_the_tip(book):
    missing = []
    for claim in book.claims:
        for file in claim.named("experiment"):
            path = ROOT / "experiments" / file
            text = path.read_text(encoding="utf-8") if path.exists() else None
            if text is None:
                missing.append(file)
            else:
                missing += [f"{tip} in {file}" for tip in claim.named("tip") if not holds_tip(text, tip)]
    assert sorted(set(missing)) == []


def holds_tip(experiment: str, tip: str) -> bool:
    """Whether an arm of the experiment, written ``TIP@BASELINE``, has the tip on top of its baseline."""
    arms = tomllib.loads(experiment)["arms"]
    return any(tip in arm[0].split("@")[:-1] and tip not in arm[1].split("@") for arm in arms)


def test_verdicts_on_tips_are_those_of_the_report(book):
    # Before a report is built there is nothing to compare with; once it is, no tip may be left open that it decides.
    measured = report_verdicts()
    for claim in select_claims(book.claims, kind="tip"):
        (tip,) = claim.named("tip")
        if not measured or (tip not in measured and claim.verdict in ("open", "vacuous")):
            continue
        assert tip in measured, f"{claim.id}: no row of reports/verdicts.csv decides {tip}"
        assert claim.verdict == verdict_from_report(measured[tip]), claim.id
        assert "undecided" not in measured[tip] or claim.verdict == "open" or "undecided" in claim.remark, claim.id


def test_each_tip_claim_names_one_tip(book):
    for claim in select_claims(book.claims, kind="tip"):
        assert len(claim.named("tip")) == 1, claim.id


# --- facts of Noddy that the claims state ----------------------------------------------------------------------------


def test_holding_the_nob_is_vacuous(book):
    claims = select_claims(book.claims, tip="hold-nob")
    assert {claim.verdict for claim in claims} == {"vacuous"}
    assert all("nob-worth" in claim.named("exact") for claim in claims)


def test_numbers_in_the_remarks_are_the_exact_ones(book):
    truths = json.loads((ROOT / "tests" / "golden" / "truth" / "exact_truths.json").read_text(encoding="utf-8"))
    remark = {claim.id: claim.remark for claim in book.claims}
    assert truths["tip_7_7_8"]["mean"] in remark["b-tips-11"]
    assert truths["tip_9_9_5"]["mean"] in remark["b-tips-11"]
    assert truths["knave"]["p_nob_three_card"] in remark["b-tips-16"]
    assert truths["knave"]["p_starter_jack"] in remark["b-deal-09"]
    assert truths["knave"]["p_nob_four_card"] in remark["b-tips-16"]
    assert f"{truths['noddy_3_plus_starter']['mean_float']:.2f}" in remark["b-tips-19"]
    assert f"{truths['cribbage_crib_4_plus_starter']['mean_float']:.2f}" in remark["b-vary-06"]


@pytest.mark.parametrize(("name", "claim"), [("flush-four", "b-vary-03"), ("colours-share", "b-vary-10")])
def test_exact_facts_are_quoted_as_they_are(book, name, claim):
    (remark,) = (entry.remark for entry in book.claims if entry.id == claim)
    values = fact(name).values
    quoted = values.values() if name == "flush-four" else [values["share"]]
    assert [str(value) for value in quoted if f"({value})" not in remark] == []
    places = 2 if name == "flush-four" else 1
    assert [value for value in quoted if f"{100 * float(value):.{places}f} %" not in remark] == []


def test_cribbage_adds_a_crib_that_counts_for_the_dealer():
    for variant, players in (("cribbage", 2), ("cribbage", 3), ("cribbage-alone", 4), ("cribbage-five", 2)):
        deal = replay_deal(variant, 1589, 7, players).deal
        laid_away = [card for cards in deal.away for card in cards]
        assert len(deal.crib) == 4 and set(laid_away) <= set(deal.crib)
        counted = score(deal.crib, deal.starter, variant=variant, crib=True)
        assert (deal.crib_shown.seat, deal.crib_shown.total) == (players, counted.total)
        pegged = [0] * players
        for seat, points in [(event.seat, event.points) for event in deal.events]:
            pegged[seat - 1] += points
        for shown in (*deal.shows, deal.crib_shown):
            pegged[shown.seat - 1] += shown.total
        gained = [sum(points) for points in zip(pegged, deal.heels, deal.start or (0,) * players, strict=True)]
        assert gained == list(deal.points)
    assert not load_variant("noddy").rules.crib and not replay_deal("noddy", 1589, 7).deal.crib


def test_lengths_of_games_are_those_that_the_claim_states(book):
    (remark,) = (claim.remark for claim in book.claims if claim.id == "b-players-06")
    stated = {"noddy": (4, 5.4, 63), "cribbage-61": (2, 4.6, 36), "cribbage": (2, None, 69)}
    for name, (players, deals, cards) in stated.items():
        (row,) = compare([name], players=[players], games=2_000).rows
        found = row.metrics["deals"].estimate, row.metrics["cards"].estimate
        assert str(cards) in remark and abs(found[1] - cards) < 1
        assert deals is None or (str(deals) in remark and abs(found[0] - deals) < 0.1)


# --- reading, filters, verdicts of a report --------------------------------------------------------------------------

GOOD = """
[[sections]]
seed = "b"
name = "Players"
sentences = [2]

[sources.PNO]
title = "Noddy"
address = "http://www.parlettgames.uk/"
seen = "part"

[[claims]]
id = "b-players-01"
seed = "b"
place = "Players, 1.1"
kind = "rule"
says = "Two play."
test = "tests/test_rules.py::test_players"

[[claims]]
id = "b-players-02"
seed = "b"
place = "Players, 1.2"
kind = "tip"
says = "Lead low."
verdict = "holds"
evidence = ["tip:lead-low", "source:PNO", "claim:b-players-01"]
remark = "It helps."
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_a_file_of_ones_own(tmp_path):
    book = load_claims(write(tmp_path, GOOD))
    rule, tip = book.claims
    assert (rule.status, rule.test, rule.evidence) == ("tested", "tests/test_rules.py::test_players", ())
    assert (tip.status, tip.section, tip.named("tip"), tip.named("source")) == (
        "holds",
        "Players",
        ("lead-low",),
        ("PNO",),
    )
    assert book.places("b") == ("Players, 1.1", "Players, 1.2")
    assert (book.places("a"), book.uncovered("b")) == ((), ())
    assert book.sources["PNO"].seen == "part"


def test_uncovered_names_the_sentences_without_a_claim(tmp_path):
    book = load_claims(write(tmp_path, GOOD.replace("sentences = [2]", "sentences = [2, 1]")))
    assert book.uncovered("b") == ("Players, 2.1",)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('says = "Two play."', "says = ", 17, "not valid TOML"),
        ('says = "Two play."\n', "", 12, "b-players-01: key 'says' is missing"),
        ('says = "Two play."', 'says = " "', 17, "says: must be a text of one line"),
        ('says = "Two play."', "says = 2", 17, "says: must be a text of one line, not 2"),
        ('kind = "rule"', 'kind = "law"', 16, 'kind: no such value: "law"; allowed: rule, tip'),
        ('kind = "rule"', 'kind = "rule"\ncolour = "red"', 17, "colour: no such key; allowed: id"),
        ('id = "b-players-01"', 'id = "b-players-1"', 13, "two digits"),
        ('id = "b-players-01"', 'id = "a-players-01"', 13, "two digits"),
        ('id = "b-players-01"', 'id = "b-players-02"', 21, "b-players-02 is given twice"),
        ('seed = "b"\nplace = "Players, 1.1"', 'seed = "d"\nplace = "Players, 1.1"', 14, "allowed: a, b, c"),
        ('"Players, 1.1"', '"Players, 1.3"', 15, 'place: no such place in seed (b): "Players, 1.3"'),
        ('"Players, 1.1"', '"Glossary, 1.1"', 15, "no such place"),
        ("tests/test_rules.py::test_players", "tests/test_rules.py", 18, "test: must be such as"),
        ('test = "tests/test_rules.py::test_players"\n', "", 12, "has neither"),
        ('verdict = "holds"', 'verdict = "holds"\ntest = "tests/test_x.py::test_y"', 20, "has both"),
        ('verdict = "holds"', 'verdict = "true"', 26, 'verdict: no such value: "true"; allowed: holds, fails'),
        ('remark = "It helps."', "", 20, "key 'remark' is missing"),
        ('verdict = "holds"\n', 'test = "tests/test_x.py::test_y"\n', 27, "goes with a verdict"),
        ('"tip:lead-low", ', '"lead-low", ', 27, "none of the forms tip:NAME, exact:NAME"),
        ('"tip:lead-low", ', '"tip:", ', 27, "none of the forms"),
        ('"tip:lead-low", ', '"source:PNO", ', 27, '"source:PNO" is given twice'),
        ('["tip:lead-low", "source:PNO", "claim:b-players-01"]', "[]", 27, "a list of one or more texts"),
        ("source:PNO", "source:XYZ", 27, "no such source: XYZ; listed are PNO"),
        ("claim:b-players-01", "claim:b-players-09", 27, "no other claim has the id b-players-09"),
        ("claim:b-players-01", "claim:b-players-02", 27, "no other claim has the id b-players-02"),
        ("[sources.PNO]", "[source.PNO]", None, "key 'sources' is missing"),
        ("http://www", "www", 9, "address: must begin with http"),
        ('seen = "part"', 'seen = "skimmed"', 10, "seen: no such value"),
        ("sentences = [2]", "sentences = [0]", 5, "sentences: must be whole numbers from 1 up"),
    ],
)
def test_refuses_a_bad_file_in_one_line(tmp_path, old, new, line, words):
    assert old in GOOD
    path = write(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(InputError) as caught:
        load_claims(path)
    message = str(caught.value)
    assert "\n" not in message
    assert words in message
    where = str(path) if line is None else f"{path}:{line}:"
    assert message.startswith(where)


@pytest.mark.parametrize("verdict", ["contradicted-by-a-source", "no-source-seen"])
def test_refuses_a_verdict_on_sources_without_a_source(tmp_path, verdict):
    text = GOOD.replace('verdict = "holds"', f'verdict = "{verdict}"')
    assert load_claims(write(tmp_path, text)).claims[1].verdict == verdict
    with pytest.raises(InputError, match="must name a source"):
        load_claims(write(tmp_path, text.replace('"source:PNO", ', "")))


def test_refuses_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match=r"no such file"):
        load_claims(tmp_path / "none.toml")


def test_filters(book):
    tips = select_claims(book.claims, seed="b", kind="tip")
    assert tips
    assert all(claim.kind == "tip" for claim in tips)
    tested = select_claims(book.claims, status="tested")
    assert tested == tuple(claim for claim in book.claims if claim.test)
    assert {claim.id for claim in select_claims(book.claims, tip="lead-low")} == {"b-tips-01"}
    assert select_claims(book.claims, seed="a") == ()
    assert select_claims(book.claims) == book.claims
    assert select_claims(book.claims, tip="no-such-tip") == ()


@pytest.mark.parametrize("bad", [{"seed": "d"}, {"kind": "law"}, {"status": "true"}])
def test_filters_refuse_what_does_not_exist(book, bad):
    (value,) = bad.values()
    with pytest.raises(InputError, match=value):
        select_claims(book.claims, **bad)


def test_json_holds_every_claim(book):
    rows = json.loads(json.dumps(claims_json(book.claims)))
    assert [row["id"] for row in rows] == [claim.id for claim in book.claims]
    assert set(rows[0]) == {
        "id", "seed", "place", "kind", "says", "status", "test", "verdict", "evidence", "remark",
    }  # fmt: skip
    for row in rows:
        assert (row["test"] is None) != (row["verdict"] is None)
        assert row["status"] == (row["verdict"] or "tested")


@pytest.mark.parametrize(
    ("measured", "verdict"),
    [
        ([], "open"),
        (["helps", "helps"], "holds"),
        (["hurts"], "fails"),
        (["no-difference", "no-difference"], "fails"),
        (["no-difference", "undecided"], "open"),
        (["no-difference", "hurts"], "depends"),
        (["helps", "hurts"], "depends"),
        (["helps", "no-difference"], "depends"),
        (["depends", "depends"], "depends"),
        (["vacuous", "vacuous"], "vacuous"),
        (["undecided", "already-followed"], "open"),
        (["vacuous", "already-followed"], "open"),
        (["helps", "undecided"], "holds"),
        (["hurts", "already-followed", "vacuous"], "fails"),
    ],
)
def test_verdicts_of_a_report_add_up(measured, verdict):
    assert verdict_from_report(measured) == verdict


def test_an_unknown_verdict_of_a_report_is_refused():
    with pytest.raises(InputError, match="no such verdict of a report: 'maybe'"):
        verdict_from_report(["helps", "maybe"])
