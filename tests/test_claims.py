"""Every claim of the sources is fixed by a test, or has a verdict whose evidence exists."""

from __future__ import annotations

import ast
import csv
import itertools
import json
import math
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from noddysim.engine import melding, sets
from noddysim.engine.exact import FACTS, fact
from noddysim.engine.play import replay, score
from noddysim.engine.replay import replay_deal
from noddysim.game import claims as claims_module
from noddysim.game.claims import (
    KINDS,
    PAGES,
    SEEDS,
    VERDICTS,
    ClaimBook,
    claims_json,
    load_claims,
    select_claims,
    verdict_from_report,
)
from noddysim.game.errors import InputError
from noddysim.game.laying import melder, setter
from noddysim.game.laying_data import Melder
from noddysim.game.meldmodels import MELD_READINGS
from noddysim.game.rules import load_variant
from noddysim.game.snitchmodels import SNITCH_READINGS
from noddysim.game.tomlfile import parse_toml
from noddysim.insight.balance import compare
from noddysim.kernels import sets as set_kernel
from noddysim.kernels.melds import MELD_KINDS

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
# The same of the two other seeds, whose head, lists and paragraphs have no headings of their own.
SEED_A_SENTENCES = {
    "The Innocence: head": (1,) * 5,
    "The Innocence: history and deal": (6,),
    "The Innocence: combinations": (1,) * 14,
    "The Innocence: the play": (7,),
}
SEED_A_CLAIMS = dict(zip(SEED_A_SENTENCES, (5, 10, 14, 9), strict=True))
SEED_C_SENTENCES = {
    "Snitch: head": (1,) * 5,
    "Snitch: the deal": (4,),
    "Snitch: actions": (1, 2, 1, 2),
    "Snitch: answers": (1, 1, 1),
    "Snitch: sets of a turn": (2,),
    "Snitch: end of the deal": (2, 1, 1, 2),
    "Snitch: values of the cards": (1,) * 6,
    "Snitch: winning": (2,),
}
SEED_C_CLAIMS = dict(zip(SEED_C_SENTENCES, (5, 7, 10, 3, 2, 6, 6, 2), strict=True))
SENTENCES = {"a": SEED_A_SENTENCES, "b": SEED_B_SENTENCES, "c": SEED_C_SENTENCES}
LEAST_CLAIMS = {"a": SEED_A_CLAIMS, "b": SEED_B_CLAIMS, "c": SEED_C_CLAIMS}
# The statements of a seed that its own rules, or all older sources, contradict.
CONTRADICTIONS = {"b-pack-06", "b-play-18", "b-show-04", "b-tips-17", "b-vary-07", "c-acts-05"}


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


@pytest.mark.parametrize(("seed", "number"), [("a", 32), ("b", 70), ("c", 34)])
def test_every_sentence_of_a_seed_has_a_claim(book, seed, number):
    assert {s.name: s.sentences for s in book.sections if s.seed == seed} == SENTENCES[seed]
    assert len(book.places(seed)) == sum(sum(items) for items in SENTENCES[seed].values()) == number
    assert book.uncovered(seed) == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_section_of_a_seed_has_its_claims(book, seed):
    for name, least in LEAST_CLAIMS[seed].items():
        claims = [claim for claim in book.claims if claim.seed == seed and claim.section == name]
        assert len(claims) >= least, name


def test_claims_stand_page_by_page_each_in_its_file(book):
    assert set(PAGES) == set(SEEDS)
    assert [page for page, _ in itertools.groupby(claim.page for claim in book.claims)] == list(PAGES.values())
    for seed, page in PAGES.items():
        data = tomllib.loads((ROOT / "noddysim" / "game" / "claims" / f"{page}.toml").read_text(encoding="utf-8"))
        assert {entry["seed"] for entry in (*data["claims"], *data["sections"])} == {seed}


@pytest.mark.parametrize(
    ("seed", "readings", "without"),
    [
        ("a", MELD_READINGS, {"A6", "A11", "A14", "A15"}),
        ("c", SNITCH_READINGS, {"T1", "T8", "T11", "T13", "T15"}),
    ],
)
def test_every_reading_is_named_where_the_page_leaves_it_open(book, seed, readings, without):
    remarks = [claim.remark for claim in book.claims if claim.seed == seed]
    for reading in readings:
        assert any(f"{reading.id} ({reading.option})" in remark for remark in remarks), reading.id
    for name in without:
        assert any(f"{name}, without an option" in remark for remark in remarks), name
    assert not without & {reading.id for reading in readings}


def test_every_kind_and_verdict_is_in_use(book):
    assert {claim.kind for claim in book.claims} == set(KINDS)
    # Nothing needs to be open: only what waits for a game that is not built or for a number.
    assert {claim.verdict for claim in book.claims} | {"open"} == {None, *VERDICTS}


def test_no_claim_waits_for_a_game_that_is_built(book):
    assert [claim.id for claim in book.claims if claim.verdict == "open"] == []


def test_contradictions_of_a_seed_are_marked(book):
    marked = {claim.id for claim in book.claims if claim.remark.startswith("self-contradiction")}
    assert marked == CONTRADICTIONS
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
    assert {claim.page for claim in select_claims(book.claims, kind="tip")} == {"noddy"}
    for claim in select_claims(book.claims, kind="tip", page="noddy"):
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


# --- The Innocence: what its page says, held against the program ------------------------------------------------------


def remarks_of(book: ClaimBook, *ids: str) -> str:
    """The remarks of some claims."""
    return " ".join(claim.remark for claim in book.claims if claim.id in ids)


def turns_of(events: Sequence[Any]) -> list[tuple[int, list[Any]]]:
    """The turns of a deal of either game: the seat, counted from 1, with what it did. Nobody has two turns running."""
    of_turns = (event for event in events if event.event != "jack")
    return [(seat, list(done)) for seat, done in itertools.groupby(of_turns, key=lambda event: event.seat)]


def meld_games(games: int, players: int, **changes: Any) -> Iterator[melding.MeldReplay]:
    variant = load_variant("innocence").replace(**changes) if changes else load_variant("innocence")
    minds = ("random", "most-points", "fewest-cards", "first")[:players]
    for game in range(games):
        shown = replay(variant, 1589, game=game, players=players, strategies=minds)
        assert isinstance(shown, melding.MeldReplay)
        yield shown


def hands_before_turns(deal: melding.MeldDeal) -> Iterator[tuple[set[str], int, list[Any]]]:
    """Each turn of a deal with the hand held before it."""
    hands = [set(hand) for hand in deal.hands]
    for seat, done in turns_of(deal.events):
        yield set(hands[seat - 1]), seat, done
        for event in done:
            change = hands[seat - 1].difference_update if event.event == "meld" else hands[seat - 1].update
            change(event.cards)


def test_the_innocence_has_the_values_of_its_page():
    rules = load_variant("innocence").rules.model_dump()
    assert rules.pop("rounds") >= 60  # no rule, but a limit that no deal has reached
    assert rules == {
        "players": [2, 3, 4], "target": 31, "face_value": "10", "meld_scoring": "single", "sum_value": "face",
        "must_meld": True, "melds_per_turn": 1, "trump_in_melds": False, "trump_drawable": True, "stock_out": "redeal",
        "turned_jack": "opponents2", "trump_jack": "meld", "suit_value": "flat", "group": [2, 6, 12], "run": [2, 4, 10],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cards", "kind", "points"),
    [
        ("JS", "trump-jack", 1), ("JH", "trump-jack", None), ("QS", "trump-jack", None),
        ("7C 8D", "fifteen", 15), ("5C KD", "fifteen", 15), ("5C JD", "fifteen", 15), ("4C JD", "fifteen", None),
        ("AC 4D TH", "fifteen", 15), ("2C 3D KC", "fifteen", 15), ("KC QD 5H", "twenty-five", 25),
        ("9C 8D 7H AC", "twenty-five", 25), ("KC JD QH AC", "thirty-one", 31), ("9C 8D 7H 6C AD", "thirty-one", 31),
        ("9C 9D", "pair", 2), ("KC QD", "pair", None), ("9C 9D 9H", "three", 6), ("9C 9D 9H 9S", "four", 12),
        ("2H 7H QH", "suit", 1), ("2H 7H 9H QH", "suit", 1), ("2H 7H", "suit", None), ("2H 4H 7H 9H QH", "suit", None),
        ("AH 2H 4H 6H 8H", "suit", None), ("2H 7H QD", "suit", None),
        ("6H 7D 8C", "run", 2), ("6H 7D 8C 9C", "run", 4), ("9C TC JD QH", "run", 4),
        ("6H 7D 8C 9C TC", "run", 10), ("6H 7D 8C 9C TC JC", "run", 10), ("AH 2D 3C", "run", 2), ("JH QD KC", "run", 2),
        ("QH KD AC", "run", None), ("KH AD 2C", "run", None), ("6H 7D 8C 8D", "run", None), ("6H 7D", "run", None),
    ],
)  # fmt: skip
def test_combinations_of_the_innocence(cards, kind, points):
    # The two of spades is turned, so the jack of spades is the jack of trumps.
    result = score(cards, "2S", "innocence")
    assert isinstance(result, melding.MeldsResult)
    found = {meld.kind: meld.points for meld in result.melds if len(meld.cards) == len(cards.split())}
    assert found.get(kind) == points


def test_parts_of_a_combination_may_be_laid():
    kings = score("KC KD KH", "2S", "innocence").melds
    assert sorted((len(meld.cards), meld.points) for meld in kings) == [(2, 2), (2, 2), (2, 2), (3, 6)]


def sums_of_the_pack(face_value: str) -> Counter[tuple[int, int]]:
    """How many sets of cards have a sum, by the sum and the number of cards."""
    pips = melding.rules_record(load_variant("innocence").replace(face_value=face_value)).pips
    ways = Counter({(0, 0): 1})
    for card in range(52):
        for (total, cards), number in list(ways.items()):
            if total + pips[card >> 2] <= 31:
                ways[total + int(pips[card >> 2]), cards + 1] += number
    return ways


def test_sums_of_the_innocence_are_counted(book):
    ways, by_rank = sums_of_the_pack("10"), sums_of_the_pack("rank")
    fewest = {15: ("a-comb-04", 2), 25: ("a-comb-05", 3), 31: ("a-comb-06", 4)}
    for total, (claim, least) in fewest.items():
        sizes = {cards: number for (of, cards), number in ways.items() if of == total}
        assert min(sizes) == least
        assert f"{sum(sizes.values()):,} sets of" in remarks_of(book, claim)
        assert f"{sizes[least]} of them" in remarks_of(book, claim).replace(",", "")
    assert min(cards for total, cards in by_rank if total == 25) == 2
    assert score("KC QD", "2S", load_variant("innocence").replace(face_value="rank")).best == 0  # three are asked for
    share = Fraction(ways[31, 4], math.comb(52, 4))
    assert f"{100 * float(share):.2f} % of all fours ({share})" in remarks_of(book, "a-comb-06")


def test_a_thirty_one_wins_at_once():
    laid = 0
    for shown in meld_games(150, 2):
        events = [event for deal in shown.deals for event in deal.events]
        for number, event in enumerate(events):
            if event.kind == "thirty-one":
                laid += 1
                assert number == len(events) - 1 and event.points == 31 and event.scores[event.seat - 1] >= 31
                assert len(event.cards) >= 4 and shown.winner == shown.deals[-1].persons[event.seat - 1]
            else:
                assert event.points <= 25
    assert laid > 20


@pytest.mark.parametrize("players", [2, 3, 4])
def test_turns_of_the_innocence(players):
    seen: Counter[str] = Counter()
    for shown in meld_games(40, players):
        for deal in shown.deals:
            assert [len(hand) for hand in deal.hands] == [3] * players
            for number, (hand, seat, done) in enumerate(hands_before_turns(deal)):
                assert seat == number % players + 1
                event, *rest = done
                won = event.scores[seat - 1] >= 31
                assert won == (deal is shown.deals[-1] and event is deal.events[-1])
                seen[event.event] += 1
                held = score(sorted(hand), deal.starter, "innocence").melds
                may = {(frozenset(meld.cards), meld.kind, meld.points) for meld in held}
                assert (event.event == "meld") == bool(may)
                if not may:
                    assert (event.event, len(event.cards), rest) in (("draw", 1, []), ("pass", 0, []))
                    continue
                assert (frozenset(event.cards), event.kind, event.points) in may
                if not won:
                    left = len(hand) - len(event.cards)
                    drawn = sum(len(fill.cards) for fill in rest)
                    assert left + drawn == max(left, 3) and len(rest) == (left < 3)
                    seen["whole hand laid"] += left == 0
                    seen["none missing"] += left >= 3
    assert min(seen[name] for name in ("meld", "draw", "whole hand laid", "none missing")) > 5


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_turned_jack_pays_the_opponents(players):
    paid = 0
    for number in range(80):
        deal = replay("innocence", 1589, deal=number, players=players).deals[0]
        jacks = [(event.seat, event.points) for event in deal.events if event.event == "jack"]
        assert jacks == ([(seat, 2) for seat in range(1, players)] if deal.starter[0] == "J" else [])
        assert [event.event for event in deal.events[: len(jacks)]] == ["jack"] * len(jacks)
        paid += bool(jacks)
    assert paid


def test_the_stock_of_the_innocence_runs_out():
    # To 200 points a game has many deals; none of them is ended by the target but the last.
    ended = 0
    for players in (2, 3, 4):
        for shown in meld_games(8, players, target=200):
            for number, deal in enumerate(shown.deals):
                assert deal.persons == tuple((number + seat) % players + 1 for seat in range(players))
                taken = [card for event in deal.events if event.event in ("draw", "fill") for card in event.cards]
                if deal is shown.deals[-1]:
                    continue
                ended += 1
                assert [event.event for event in deal.events[-players:]] == ["pass"] * players
                # All 52 cards come into play, the turned one last of all.
                pack = Counter(rank + suit for rank in "A23456789TJQK" for suit in "CDHS")
                assert Counter([*taken, *itertools.chain(*deal.hands)]) == pack
                assert taken[-1] == deal.starter
                # Scores stay, and go with their persons to the next seats.
                scores = dict(zip(deal.persons, deal.scores, strict=True))
                for event in shown.deals[number + 1].events:
                    scores[shown.deals[number + 1].persons[event.seat - 1]] += event.points
                assert tuple(map(scores.__getitem__, shown.deals[number + 1].persons)) == shown.deals[number + 1].scores
    assert ended > 30
    counted = melding.count_games(load_variant("innocence"), [melder("random"), melder("most-points")], 1589, 5_000)
    assert counted.column("deals").mean() < 1.01


def makes_nothing(ranks: Sequence[int]) -> bool:
    """Whether cards of these different ranks (0 the ace) make no sum and no run."""
    if any({rank, rank + 1, rank + 2} <= set(ranks) for rank in ranks):
        return False
    for size in range(2, len(ranks) + 1):
        sums = {sum(min(rank + 1, 10) for rank in part) for part in itertools.combinations(ranks, size)}
        if 15 in sums or (25 in sums and size >= 3) or (31 in sums and size >= 4):
            return False
    return True


def longest_run(ranks: set[int]) -> int:
    return max(next(n for n in range(14) if rank + n not in ranks) for rank in ranks)


def test_four_of_a_rank_are_never_held(book):
    # A hand of four cards or more is what is left of a hand that makes nothing and the one card drawn to it.
    choices = itertools.chain.from_iterable(itertools.combinations(range(13), size) for size in range(3, 14))
    empty = [set(ranks) for ranks in choices if makes_nothing(ranks)]
    assert max(map(len, empty)) == 7
    assert max(longest_run(ranks | {drawn}) for ranks in empty for drawn in range(13)) == 5
    assert "five is also the most" in remarks_of(book, "a-comb-13")
    larger = 0
    for players in (2, 4):
        for shown in meld_games(60, players):
            for hand, _, _ in itertools.chain.from_iterable(map(hands_before_turns, shown.deals)):
                if len(hand) > 3:
                    larger += 1
                    assert len(hand) <= 8
                    assert max(Counter(card[0] for card in hand).values()) <= 2
                    assert max(Counter(card[1] for card in hand).values()) <= 3
    assert larger > 200
    variant, four = load_variant("innocence"), MELD_KINDS.index("four")
    for names in (["random"] * 2, ["fewest-cards", "first", "random", "keep-trump-jack"]):
        counted = melding.count_games(variant, [melder(name) for name in names], 1589, 20_000)
        assert counted.melds.sum() > 80_000 and counted.melds[:, four].sum() == 0
    waits = Melder("waits", "", {"four": 100, "points": 1}, sums_only=True)
    freely = melding.count_games(variant.replace(must_meld=False, target=61), [waits] * 2, 7, 20_000)
    assert freely.melds[:, four].sum() > 0


def test_shares_in_the_remarks_on_the_innocence(book):
    # test_melding.py counts the opening hands.
    assert f"560,472 of 1,082,900 openings, {100 * 560_472 / 1_082_900:.2f} %" in remarks_of(book, "a-play-03")
    worth = 2 * fact("turned-jack").values["chance"]
    assert f"{worth} of a point a deal" in remarks_of(book, "a-comb-03")


# --- Snitch: what its page says, held against the program -------------------------------------------------------------


def set_deals(games: int, players: int, **changes: Any) -> Iterator[tuple[sets.SetReplay, sets.SetDeal]]:
    minds = ("keep-wilds", "first", "discard-first", "random-discards", "most-points", "feed-nothing")[:players]
    variant = load_variant("snitch").replace(**changes) if changes else load_variant("snitch")
    for game in range(games):
        shown = replay(variant, 1589, game=game, players=players, strategies=minds)
        assert isinstance(shown, sets.SetReplay)
        yield from ((shown, deal) for deal in shown.deals)


def rank_in(card: str) -> str:
    return card[0]


def test_snitch_has_the_values_of_its_page():
    variant = load_variant("snitch")
    assert variant.rules.model_dump() == {
        "players": [3, 4, 5, 6], "target": 1000, "jokers": 4, "joker_pair": False, "response": "free", "refill": "turn",
        "max_sets": 3, "discard_then_set": False, "first_discard": False, "action4": "stack", "deal_end": "all_pass",
        "tie": "play_on", "low_points": 5, "high_points": 10, "ace_points": 15, "deuce_points": 20, "joker_points": 50,
    }  # fmt: skip
    assert variant.replace(players=[2, 8]).rules.players == (2, 8)
    for number in (1, 9):
        with pytest.raises(InputError):
            variant.replace(players=[number])


@pytest.mark.parametrize(
    ("ranks", "points"), [("3456789", 5), ("TJQK", 10), ("A", 15), ("2", 20), ("X", 50)], ids=lambda value: str(value)
)
def test_what_a_set_of_each_rank_is_worth(ranks, points):
    for rank in ranks:
        wild = rank in "2X"
        card = "X" if rank == "X" else f"{rank}S"
        assert score(f"{card} KD", variant="snitch").best == (10 + points if wild else 10 * (rank == "K") * 2)
        if not wild:
            assert score(f"{card} {rank}D", variant="snitch").best == 2 * points
            assert score(f"{card} {rank}S", variant="snitch").best == 2 * points


def test_which_two_cards_are_a_set(book):
    found: Counter[str] = Counter()
    for joker_pair in (False, True):
        rules = sets.rules_record(load_variant("snitch").replace(joker_pair=joker_pair))
        for pair in itertools.combinations(range(108), 2):
            ranks = ["A23456789TJQKX"[min(card >> 3, 13)] for card in pair]
            wild = sum(rank in "2X" for rank in ranks)
            natural = wild == 0 and len(set(ranks)) == 1
            jokers = joker_pair and ranks == ["X", "X"]
            legal = set_kernel.set_rank(rules, *pair) != set_kernel.NO_RANK
            assert legal == (natural or wild == 1 or jokers), pair
            found[f"{'XX' if joker_pair else ''}{wild}"] += legal
            found["pairs"] += not joker_pair
    assert found == {"pairs": 5_778, "0": 336, "1": 1_152, "2": 0, "XX0": 336, "XX1": 1_152, "XX2": 6}
    said = remarks_of(book, "c-acts-02", "c-acts-03")
    assert all(words in said for words in ("1,488 of the 5,778", "336 of them", "1,152 pairs", "with 6 pairs more"))
    assert f"91,296 of 204,156 hands of three hold one, {100 * 91_296 / 204_156:.2f} %" in said  # by test_sets.py
    examples = {"5S 5D": 10, "QS QD": 20, "AS X": 65, "8S 2D": 25, "8S 3D": 0, "2S 2D": 0, "2S X": 0, "X X": 0}
    assert {cards: score(cards, variant="snitch").best for cards in examples} == examples


def test_a_set_on_a_set_of_ones_own(book):
    for cards, points in (("5H 2D", 25), ("5H X", 55)):
        assert score(cards, variant="snitch").best == score(cards, variant="snitch", own="5S 5D").best == points
        assert str(points) in remarks_of(book, "c-acts-10")
    for wild in ("2D", "X"):
        assert score(f"{wild} 9H", variant="snitch", own="5S 5D").sets == score(f"{wild} 9H", variant="snitch").sets


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_turns_of_snitch(players):
    """Every turn of some games: what was done, from where the cards came, and what the hand had to be afterwards."""
    seen: Counter[str] = Counter()
    for _, deal in set_deals(4, players):
        hands, stock = [Counter(hand) for hand in deal.hands], 108 - 3 * players
        assert [hand.total() for hand in hands] == [3] * players
        pile: list[str] = []
        points, passed, last_set = [0] * players, 0, ""
        for number, (seat, done) in enumerate(turns_of(deal.events)):
            assert seat == number % players + 1
            assert passed < players and any(hand.total() for hand in hands)  # else the deal is over
            hand, names = hands[seat - 1], [event.event for event in done]
            might = score(" ".join(hand.elements()), variant="snitch", discard=pile[-1] if pile else None,
                          stock_empty=stock == 0).best if hand else 0  # fmt: skip
            drawn = [card for event in done if event.event in ("draw", "fill") for card in event.cards]
            laid = [event for event in done if event.event == "set"]
            if laid:
                assert len(laid) <= 3 and names == ["set"] * len(laid) + ["fill"] * bool(drawn)
            else:
                assert names == (["discard", "draw"] if stock else ["pass"])
            seen[f"{len(laid)} sets"] += 1
            for event in laid:
                of_hand = list(event.cards)
                if event.source == "discard":
                    assert stock and pile.pop() == of_hand[1]
                    seen["wild discard"] += of_hand.pop()[0] in "2X"
                assert Counter(of_hand) <= hand
                hand.subtract(of_hand)
                natural = {rank_in(card) for card in event.cards} - {"2", "X"}
                assert len(natural) == 1 and len(event.cards) == 2
                assert event.points == sum(map(value_of, event.cards))
                points[seat - 1] += event.points
                seen["like set"] += last_set in natural
                seen["unlike set"] += bool(last_set) and last_set not in natural
                (last,) = natural
            if names[0] == "discard":
                hand.subtract(done[0].cards)
                pile += done[0].cards
                seen["declined"] += might > 0
            if names == ["pass"]:
                assert might == 0
            passed = passed + 1 if names == ["pass"] else 0
            last_set = last if laid else ""
            short = stock < 3 - (+hand).total()
            seen["short stock"] += bool(laid) and 0 < stock and short
            stock -= len(drawn)
            hands[seat - 1] = +hand + Counter(drawn)
            assert stock == 0 or hands[seat - 1].total() == 3
        assert stock == 0 and (passed == players or not any(hand.total() for hand in hands))
        assert list(deal.points) == points
        seen["left in hand"] += any(hand.total() for hand in hands)
    wanted = "1 sets", "2 sets", "3 sets", "like set", "unlike set", "declined", "wild discard", "left in hand"
    assert min(seen[name] for name in (*wanted, "short stock")) > 0, seen


def test_three_sets_are_the_most_of_a_turn():
    def most(**changes: Any) -> int:
        turns = [turn for _, deal in set_deals(6, 4, **changes) for _, turn in turns_of(deal.events)]
        return max(sum(event.event == "set" for event in turn) for turn in turns)

    assert most() == 3
    # Of three cards no more can be laid without filling up in between; only with it the limit keeps anybody back.
    assert most(max_sets=0) == 3
    assert most(max_sets=0, refill="set") > 3
    assert most(refill="set") == 3


def value_of(card: str) -> int:
    return {"A": 15, "2": 20, "X": 50}.get(rank_in(card), 10 if rank_in(card) in "TJQK" else 5)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_first_dealer_of_snitch_is_drawn_by_lot(players):
    counted = sets.count_games(load_variant("snitch"), [setter("first")] * players, 1589, 1_200)
    dealt = Counter(counted.column("first_dealer").tolist())
    assert sorted(dealt) == list(range(players))
    assert max(abs(times - 1_200 / players) for times in dealt.values()) < 5 * math.sqrt(1_200 / players)
    for shown, deal in set_deals(3, players):
        first = shown.deals[0].persons[-1]
        assert deal.persons[-1] == (first - 1 + deal.number) % players + 1
        assert all(after == before % players + 1 for before, after in itertools.pairwise(deal.persons))


def test_the_most_points_win_at_snitch():
    several = 0
    for players in (3, 4, 6):
        for shown, deal in set_deals(40, players):
            highest = [person + 1 for person, total in enumerate(deal.totals) if total == max(deal.totals)]
            over = max(deal.totals) >= 1000 and len(highest) == 1
            assert over == (deal is shown.deals[-1])
            if over:
                assert list(shown.winners) == highest
                several += sorted(deal.totals)[-2] >= 1000
    assert several > 0


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


SECTION = GOOD[: GOOD.index("[sources")].strip()


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


def test_a_file_that_cites_no_source_needs_none(tmp_path):
    text = GOOD.replace('"source:PNO", ', "")
    without = text[: text.index("[sources")] + text[text.index("[[claims]]") :]
    assert load_claims(write(tmp_path, without)).sources == {}


def test_files_of_a_book_cite_each_other_and_share_nothing_else(monkeypatch):
    names = ("Players", "b-players-01", "b-players-02", "[sources.PNO]")
    other = GOOD
    for old, new in zip(names, ("Dealers", "b-deal-01", "b-deal-02", "[sources.WNO]"), strict=True):
        other = other.replace(old, new)

    def load(second: str) -> ClaimBook:
        pair = [parse_toml(GOOD, "one.toml"), parse_toml(second, "two.toml")]
        monkeypatch.setattr(claims_module, "_packaged", lambda: pair)
        return load_claims()

    both = load(other)  # its second claim cites source:PNO, which the first file has
    assert [claim.id for claim in both.claims] == ["b-players-01", "b-players-02", "b-deal-01", "b-deal-02"]
    assert list(both.sources) == ["PNO", "WNO"] and [s.name for s in both.sections] == ["Players", "Dealers"]
    for old, new, says in (
        ("[sources.WNO]", "[sources.PNO]", "two.toml:7:1: the source PNO is given twice"),
        ('name = "Dealers"', 'name = "Players"', 'two.toml:4:1: name: the section "Players" is given twice'),
        ('id = "b-deal-01"', 'id = "b-players-01"', "b-players-01 is given twice"),
    ):
        with pytest.raises(InputError, match="given twice") as caught:
            load(other.replace(old, new))
        assert says in str(caught.value)


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
        ("[sources.PNO]", "[source.PNO]", 7, "source: no such key; allowed: sections, claims, sources"),
        ("[[sections]]", "[[section]]", None, "key 'sections' is missing"),
        ("[sources.PNO]", f"{SECTION}\n[sources.PNO]", 9, 'the section "Players" is given twice'),
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
    for seed, page in PAGES.items():
        of_page = select_claims(book.claims, page=page)
        assert of_page == select_claims(book.claims, seed=seed)
        assert {claim.page for claim in of_page} == {page} and {claim.id[0] for claim in of_page} == {seed}
    assert select_claims(book.claims, seed="a", page="snitch") == ()
    assert select_claims(book.claims) == book.claims
    assert select_claims(book.claims, tip="no-such-tip") == ()


@pytest.mark.parametrize("bad", [{"seed": "d"}, {"page": "crib"}, {"kind": "law"}, {"status": "true"}])
def test_filters_refuse_what_does_not_exist(book, bad):
    (value,) = bad.values()
    with pytest.raises(InputError, match=value):
        select_claims(book.claims, **bad)


def test_json_holds_every_claim(book):
    rows = json.loads(json.dumps(claims_json(book.claims)))
    assert [row["id"] for row in rows] == [claim.id for claim in book.claims]
    assert set(rows[0]) == {
        "id", "seed", "page", "place", "kind", "says", "status", "test", "verdict", "evidence", "remark",
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
