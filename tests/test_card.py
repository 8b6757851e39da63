"""The strategy card, tips counted exactly, and the page that answers: against other ways to the same numbers."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from test_report import BROWSERS, EXACT, browse, studies_of, write_files

import noddysim as ns
from noddysim.engine.books import DataPlayer
from noddysim.engine.exactplay import card_values, player_of
from noddysim.engine.firsts import FirstCards, first_cards
from noddysim.engine.met import Met, margins_of_all
from noddysim.engine.rolled import hands_of, three_each
from noddysim.engine.values import Position
from noddysim.game.cards import RANKS
from noddysim.game.expressions import parse_strategy
from noddysim.game.features import MAX_LEVELS
from noddysim.game.rules import load_variant
from noddysim.insight import ask, verdicts
from noddysim.insight.card import MOST_FOLLOWS, MOST_LEADS, StrategyCard, card_strategy, strategy_card
from noddysim.insight.card_page import card_page
from noddysim.insight.card_rules import FOLLOWS, LEADS
from noddysim.insight.counted import count_duels, count_studies
from noddysim.insight.document import Group
from noddysim.insight.duels import duel
from noddysim.insight.exact_answers import ExactAnswers
from noddysim.insight.parts import Parts
from noddysim.insight.render import to_html, to_markdown
from noddysim.insight.report import report_files

GAME = three_each(load_variant("noddy"))
PAIRS = [("greedy", "low"), ("greedy-random", "greedy"), ("optimal", "greedy"), ("greedy", "optimal")]


# --- margins ----------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("mine", "other"), PAIRS, ids=lambda name: name)
def test_margins_are_those_of_the_count_pair_by_pair(mine: str, other: str) -> None:
    player, met = player_of(GAME, mine), player_of(GAME, other)
    wanted = ns.exact.play("noddy", mine, other).margin, -ns.exact.play("noddy", other, mine).margin
    assert Met(GAME, met).margins(player) == pytest.approx(wanted, abs=1e-12)
    assert margins_of_all(GAME, [player], [met])[0, 0] == pytest.approx(wanted, abs=1e-12)


# --- the card ---------------------------------------------------------------------------------------------------------


def test_rules_of_the_space_have_names_of_their_own_and_fit_on_a_strategy() -> None:
    rules = [*LEADS, *FOLLOWS]
    assert len({rule.name for rule in rules}) == len({rule.words for rule in rules}) == len(rules)
    assert {rule.when for rule in LEADS} == {"lead"} and {rule.when for rule in FOLLOWS} == {"follow"}
    assert all(rule.level.compares and rule.words.endswith(".") for rule in rules)
    assert MOST_LEADS + MOST_FOLLOWS <= MAX_LEVELS


@pytest.fixture(scope="module")
def found() -> StrategyCard:
    """A card from a space of four rules."""
    leads = [rule for rule in LEADS if rule.name in ("lead-no-five", "lead-high")]
    follows = [rule for rule in FOLLOWS if rule.name in ("take-points", "low")]
    return strategy_card("noddy", leads, follows, yardsticks=["greedy", "random"], tips=["take-runs", "hold-nob"])


@pytest.fixture(scope="module")
def firsts() -> FirstCards:
    """The table of the form."""
    return first_cards("noddy")


def test_a_card_is_found_and_its_numbers_are_those_of_exact_play(found: StrategyCard) -> None:
    """The two rules that pay are on it, the harmful ones stay off."""
    assert [one.rule.name for one in found.follows] == ["take-points"]
    assert [one.rule.name for one in found.leads] == ["lead-no-five"]
    card = found.strategy
    wanted = found.value - ns.exact.play("noddy", card, "optimal").margin
    assert found.loss.pone == pytest.approx(wanted, abs=1e-12)
    wanted = ns.exact.play("noddy", "optimal", card).margin - found.value
    assert found.loss.dealer == pytest.approx(wanted, abs=1e-12)
    assert found.known.dealer == pytest.approx(ns.exact.best("noddy", card, "pone").gain, abs=1e-9)
    assert min(found.known) > max(0.0, *found.loss)
    without = found.value - ns.exact.play("noddy", card_strategy([found.leads[0].rule]), "optimal").margin
    assert found.follows[0].saves.pone == pytest.approx(without - found.loss.pone, abs=1e-12)
    assert [name for name, _ in found.steps] == ["", "take-points", "lead-no-five"]
    runs, nob = found.tips
    assert nob.cost is None and runs.cost is not None
    wanted = found.value - ns.exact.play("noddy", "take-runs@optimal", "optimal").margin
    assert runs.cost.pone == pytest.approx(wanted, abs=1e-12) and runs.cost.pone > 0
    assert dict(found.yardsticks)["greedy"].mean > found.loss.mean
    page = card_page(found)
    text = to_markdown(page, [Group("", (page,))])
    assert "Do not lead a 5." in text and "Make the most points you can." in text and "(exact)" in text
    assert "lead-high" not in json.dumps(found.to_json()["leads"])


def test_the_report_holds_the_card_and_the_form(found: StrategyCard, firsts: FirstCards, tmp_path: Path) -> None:
    studies = studies_of(write_files(tmp_path, {"facts.toml": EXACT}))
    files = report_files(Parts(studies, exact=ExactAnswers(found, firsts)))
    assert "[The strategy card](card.md): 2 rules that lose" in files["index.md"]
    assert 'href="ask.html"' in files["index.html"] and 'href="card.html"' in files["ask.html"]
    assert {"tables/card-lead.csv", "tables/card-tips.csv"} <= set(files)
    assert repr(found.loss.pone) in files["tables/card-losses.csv"]
    assert "works from disk" in files["ask.md"]
    assert files["ask.html"].count("<script") == 2 and files["card.html"].count("<script") == 1
    assert not {"card.html", "ask.html"} & set(report_files(Parts(studies)))


def test_a_card_needs_a_solution() -> None:
    with pytest.raises(ns.InputError, match="hands have 4 cards"):
        strategy_card("noddy-four")


# --- tips, counted ----------------------------------------------------------------------------------------------------


def test_duels_of_two_are_counted_with_the_sample_beside_them() -> None:
    sampled = duel("noddy", "greedy", "low", deals=4000, seed=1)
    found, other = count_duels([sampled, duel("noddy", "greedy", "low", games=20)])
    assert found.effect is not None and found.effect.exact and found.sampled == sampled.effect
    assert found.effect.estimate == pytest.approx(0.3213848846, abs=1e-9)
    assert found.seats[0].estimate + found.seats[1].estimate == pytest.approx(2 * found.effect.estimate, abs=1e-12)
    assert (found.verdict, found.n) == (verdicts.HELPS, 4000)
    assert other.sampled is None and other.effect is not None and not other.effect.exact


def test_a_sample_that_disagrees_is_refused() -> None:
    sampled = duel("noddy", "greedy", "low", deals=4000, seed=1)
    assert sampled.effect is not None and sampled.effect.low is not None and sampled.effect.high is not None
    moved = replace(
        sampled.effect,
        estimate=sampled.effect.estimate + 0.1,
        low=sampled.effect.low + 0.1,
        high=sampled.effect.high + 0.1,
    )
    with pytest.raises(RuntimeError, match="greedy beside low against low"):
        count_duels([replace(sampled, effect=moved)])


def test_the_report_tells_counted_values_beside_the_deals(tmp_path: Path) -> None:
    studies = count_studies(studies_of(write_files(tmp_path, {"tips.toml": TIPS})))
    page = report_files(Parts(studies))["index.md"]
    assert "counted; 2" in page and "deals played both ways gave" in page and "“Counted”" in page
    assert all(one.sampled for one in studies[0].duels if one.setting.players == 2)
    assert not any(one.sampled for one in studies[0].duels if one.setting.players == 3)


TIPS = """\
question = "Does leading low gain anything?"
kind     = "duel"
variants = ["noddy"]
players  = [2, 3]
arms     = [["lead-low@greedy-random", "greedy-random"]]
against  = ["greedy"]
deals    = 2000
"""


# --- the page that answers --------------------------------------------------------------------------------------------


def test_values_of_the_table_come_back_to_half_a_step() -> None:
    values = np.array([[-20.47, 0.0, 1.234], [np.nan, 20.47, -0.004]])
    text = ask.packed(values)
    assert len(text) == 12
    back = ask.unpacked(text).reshape(values.shape)
    assert np.array_equal(np.isnan(back), np.isnan(values))
    assert np.nanmax(np.abs(back - values)) <= ask.STEP / 2 + 1e-9
    with pytest.raises(ValueError, match="cannot hold"):
        ask.packed(np.array([20.48]))


FRAME = """<!DOCTYPE html><title>ask</title><iframe src="ask.html" style="width:390px;height:900px"></iframe>
<iframe src="card.html" style="width:390px;height:900px"></iframe>
<pre id="said"></pre><script>
addEventListener("load", () => {
  const inner = document.querySelector("iframe").contentDocument, form = inner.getElementById("ask");
  const said = QUESTIONS.map(question => {
    for (const [name, value] of Object.entries(question)) form.elements[name].value = value;
    form.dispatchEvent(new Event("change"));
    const answer = inner.getElementById("ask-answer");
    return {words: answer.querySelector("p").textContent, led: inner.getElementById("ask-led").hidden,
            rows: [...answer.querySelectorAll("tbody tr")].map(row => [...row.cells].map(one => one.textContent))};
  });
  const labels = [...form.querySelectorAll("select, input")].map(one => one.labels.length);
  document.getElementById("said").textContent = JSON.stringify(
    {said, labels, live: inner.getElementById("ask-answer").getAttribute("aria-live"),
     pages: [...document.querySelectorAll("iframe")].map(frame => {
       const root = frame.contentDocument.documentElement;
       return [root.scrollWidth, root.clientWidth];
     })});
});
</script>"""


def test_the_page_answers_as_the_engine_does(found: StrategyCard, firsts: FirstCards, tmp_path: Path) -> None:
    """In a browser, from disk: leads and replies of several hands, and a hand that there cannot be."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no Chromium here: the form was not tried in a browser")
    questions = [
        {"seat": "pone", "one": 12, "two": 4, "three": 12, "starter": 7, "led": 0},
        {"seat": "dealer", "one": 0, "two": 4, "three": 9, "starter": 12, "led": 9},
        {"seat": "dealer", "one": 6, "two": 6, "three": 6, "starter": 0, "led": 7},
        {"seat": "pone", "one": 3, "two": 2, "three": 1, "starter": 0, "led": 0},
        {"seat": "dealer", "one": 6, "two": 6, "three": 6, "starter": 6, "led": 6},
    ]
    pages = (card_page(found, ask.NAME), ask.ask_page(firsts))
    for page in pages:
        text = to_html(page, {}, [Group("Advice", pages)])
        assert len(text) < 600_000
        (tmp_path / f"{page.name}.html").write_text(text, encoding="utf-8")
    (tmp_path / "frame.html").write_text(FRAME.replace("QUESTIONS", json.dumps(questions)), encoding="utf-8")
    done = browse(browser, tmp_path / "frame.html", tmp_path / "profile")
    assert "CONSOLE" not in done.stderr, done.stderr
    said = re.search(r'<pre id="said">(.*?)</pre>', done.stdout)
    assert said, done.stderr[-2000:]
    told = json.loads(said[1].replace("&amp;", "&"))
    assert told["live"] == "polite" and set(told["labels"]) == {1}
    assert len(told["pages"]) == 2 and all(wide <= room for wide, room in told["pages"])
    for question, answer in zip(questions[:-1], told["said"], strict=False):
        hand = tuple(question[name] for name in ("one", "two", "three"))
        dealer = question["seat"] == "dealer"
        laid = (question["led"],) if dealer else ()
        position = Position(int(dealer), hand, question["starter"], laid)  # type: ignore[arg-type]
        shown = {row[0]: float(row[1].replace("\u2212", "-")) for row in answer["rows"]}
        assert answer["led"] is not dealer
        wanted = {RANKS[one.rank]: one.value for one in card_values("noddy", position)}
        assert set(shown) == set(wanted)
        for rank, value in wanted.items():
            assert value is None or abs(shown[rank] - value) <= ask.STEP / 2 + 1e-9, (question, rank)
    assert told["said"][-1] == {"words": "Five cards of rank 7: there are four.", "led": False, "rows": []}


def test_first_cards_are_those_of_the_positions() -> None:
    found = first_cards("noddy", against="greedy")
    hands = hands_of(3).tolist()
    for seat, hand, starter, laid in ((0, [0, 4, 9], 2, ()), (1, [3, 3, 8], 11, (6,)), (0, [5, 5, 5], 5, ())):
        values = found.replies[starter, laid[0]] if laid else found.leads[starter]
        row = values[hands.index(hand)]
        wanted = card_values("noddy", Position(seat, tuple(hand), starter, laid), "greedy")
        assert len(wanted) == len(set(hand))
        if len(wanted) > 1:
            assert row[: len(wanted)] == pytest.approx([one.value for one in wanted], abs=1e-9)
    assert DataPlayer(GAME, parse_strategy("greedy")).blind
