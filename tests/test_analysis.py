"""Recorded games: what is written is read as the same cards, losses are those of best play, faults name their line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import noddysim as ns
from noddysim.cli import cli
from noddysim.engine.notation import game_from_text, play_written, written_text
from noddysim.engine.record import ReplayedDeal, ReplayedGame
from noddysim.game.errors import InputError

GAME = """# a whole game of two
variant: noddy
players: Anne, Ben   # Ben deals first
deal 8S: 5H KD KC / 8D 3C 2H
deal 4D: 6D JC 7H / 9C 5C KC
"""


@pytest.mark.parametrize(
    ("variant", "players", "strategies"),
    [("noddy", 2, ["lookahead", "optimal"]), ("noddy", 3, "greedy"), ("noddy-four", 2, "low"), ("cribbage", 2, "low")],
)
def test_a_game_written_down_is_read_as_the_same_cards(variant: str, players: int, strategies: str | list[str]) -> None:
    replayed = ns.replay(variant, 7, game=3, players=players, strategies=strategies)
    assert isinstance(replayed, ReplayedGame)
    again = play_written(game_from_text(written_text(replayed, variant)))
    for one, other in zip(again, replayed.deals, strict=True):
        assert one.events == other.events
        assert (one.starter, one.hands, one.persons, one.scores, one.points, one.ended, one.shows, one.crib_shown) == (
            other.starter, other.hands, other.persons, other.scores, other.points, other.ended, other.shows,
            other.crib_shown,
        )  # fmt: skip


def test_a_deal_written_down_is_played_whole() -> None:
    replayed = ns.replay("noddy-15", 3, deal=5)
    assert isinstance(replayed, ReplayedDeal)
    (again,) = play_written(game_from_text(written_text(replayed, "noddy-15")))
    assert (again.events, again.points, again.ended) == (replayed.deal.events, replayed.deal.points, None)


def test_best_play_loses_nothing_by_its_choices() -> None:
    replayed = ns.replay("noddy", 11, game=0, strategies="optimal")
    assert isinstance(replayed, ReplayedGame)
    found = ns.analyse(game_from_text(written_text(replayed, "noddy")))
    assert found.method == "counted"
    assert len(found.decisions) > 5
    assert sum(found.losses()) < 1e-3 * len(found.decisions)
    assert found.worst() == ()


def test_a_loss_is_that_which_advice_tells(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    found = ns.analyse(path)
    assert "<table" in found._repr_html_()
    lead = found.decisions[0]
    asked = ns.advise(seat="pone", hand="5H KD KC", starter="8S")
    told = next(one.loss for one in asked.choices if one.cards == ("5H",))
    assert told is not None
    assert (lead.chosen, lead.person, lead.deal) == (("5H",), 1, 1)
    assert lead.loss == pytest.approx(told.estimate, abs=1e-9)
    assert found.worst()[0].loss == max(one.loss for one in found.decisions)
    assert found.losses()[0] >= lead.loss


def test_luck_is_parted_without_rest_and_is_nobody_elses() -> None:
    luck = ns.analyse(game_from_text(GAME)).luck
    assert luck is not None
    for parts in (luck.won, luck.seat, luck.cards, luck.choices, luck.rest):
        assert sum(parts) == pytest.approx(0, abs=1e-9)
    for person in range(2):
        told = luck.seat[person] + luck.cards[person] + luck.choices[person] + luck.rest[person]
        assert told == pytest.approx(luck.won[person], abs=1e-9)


def test_other_games_are_measured_by_rollouts() -> None:
    replayed = ns.replay("noddy", 1, deal=0, players=3, strategies="low")
    assert isinstance(replayed, ReplayedDeal)
    found = ns.analyse(game_from_text(written_text(replayed, "noddy")), deals=40)
    assert (found.method, found.n) == ("rollouts", 40)
    assert all(one.low <= one.loss <= one.high and one.loss >= 0 for one in found.decisions)


FAULTS = [
    ("deal 8S: 5H KD KC / 8D 3C", 1, "the dealer has 2"),
    ("deal 8S: 5H KD KC / 8D 3C 5H", 1, "5H is given twice"),
    ("deal 8S: 5H KD KC / 8D 3C 8S", 1, "8S is given twice"),
    ("variant: noddy\n\ndeal 8S: 5H KD XX / 8D 3C 2H", 3, "no such card: 'XX'"),
    ("deal 8S: KD 9H 6C / KC 8D 2H", 1, "dealer cannot lay 8D: the count would go from 29 to 37, past 31"),
    ("variant: noody\ndeal 8S: 5H KD KC / 8D 3C 2H", 1, "noody"),
    ("variant: snitch\ndeal 8S: 5H KD KC / 8D 3C 2H", 1, "no play of cards"),
    ("variant: costly-colours\ndeal 8S: 5H KD KC / 8D 3C 2H", 2, "exchanged"),
    ("variant: cribbage\ndeal 8S: 5H KD KC 2D / 8D 3C 2H 4C", 2, "write them behind the deal"),
    ("what is this\ndeal 8S: 5H KD KC / 8D 3C 2H", 1, "is not understood"),
    ("deal 8S: 5H KD KC / 8D 3C 2H\nplayers: A, B", 2, "before the first deal"),
    ("away: 5H / KD", 1, "behind a deal"),
    ("players: A, B, C\ndeal 8S: 5H KD KC / 8D 3C 2H", 2, "3 play, and there are 2 hands"),
    ("scores: 40-2\ndeal 8S: 5H KD KC / 8D 3C 2H", 1, "below the target"),
    ("scores: 30-30\ndeal 8S: 5H KD KC / 8D 3C 2H\ndeal 9S: 5H KD KC / 8D 3C 2H", 3, "the game has ended"),
]


@pytest.mark.parametrize(("text", "line", "words"), FAULTS, ids=[words for _, _, words in FAULTS])
def test_a_fault_is_told_with_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        play_written(game_from_text(text, "game.txt"))
    assert str(caught.value).startswith(f"game.txt, line {line}: ")


def test_the_command(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(GAME, encoding="utf-8")
    words = CliRunner().invoke(cli, ["analyse", str(path)])
    assert words.exit_code == 0
    assert "Anne" in words.stdout and "lay 5H" in words.stdout
    data = json.loads(CliRunner().invoke(cli, ["analyse", str(path), "--json"]).stdout)
    assert [deal["starter"] for deal in data["deals"]] == ["8S", "4D"]
    assert data["deals"][0]["hands"] == [["5H", "KC", "KD"], ["2H", "3C", "8D"]]
    assert ["5H"] in [one["chosen"] for one in data["decisions"]]
    assert data["worst"][0]["loss"] == max(one["loss"] for one in data["decisions"])
    absent = CliRunner().invoke(cli, ["analyse", str(tmp_path / "none.txt")])
    assert absent.exit_code == 2 and len(absent.stderr.splitlines()) == 1


def test_replay_writes_what_analyse_reads() -> None:
    written = CliRunner().invoke(cli, ["replay", "noddy", "--seed", "7", "--game", "3", "--notation"])
    assert written.exit_code == 0
    replayed = ns.replay("noddy", 7, game=3)
    assert isinstance(replayed, ReplayedGame)
    assert [one.hands for one in play_written(game_from_text(written.stdout))] == [one.hands for one in replayed.deals]
    assert CliRunner().invoke(cli, ["replay", "snitch", "--deal", "0", "--notation"]).exit_code == 2


# --- the exchange of a card -------------------------------------------------------------------------------------------

COSTLY = """variant: costly-colours
players: Anne, Ben
target: none
deal JS: 7D 3C 4C / 7H 9C KD
  mog: 7H / 4C
deal 4D: 6D JC 7H / 9C 5C KC
  mog: - / stay
"""


@pytest.mark.parametrize(("variant", "strategy"), [("costly-colours", "mog-random+greedy"), ("costly-1674", "low"),
                                                   ("costly-colours", "mog-gain+lookahead")])  # fmt: skip
def test_an_exchange_written_down_is_read_as_the_same_cards(variant: str, strategy: str) -> None:
    told: set[bool] = set()
    for number in range(6):
        replayed = ns.replay(variant, 5, game=number, strategies=strategy)
        assert isinstance(replayed, ReplayedGame)
        again = play_written(game_from_text(written_text(replayed, variant)))
        for one, other in zip(again, replayed.deals, strict=True):
            assert (one.events, one.hands, one.scores, one.points, one.ended, one.shows, one.mog) == (
                other.events, other.hands, other.scores, other.points, other.ended, other.shows, other.mog,
            )  # fmt: skip
            assert other.mog is not None
            told.add(None in other.mog.passed)
    assert strategy != "mog-random+greedy" or told == {True, False}


def test_choices_of_a_mogging_are_those_that_advice_weighs() -> None:
    found = ns.analyse(game_from_text(COSTLY), deals=400, seed=3)
    moggings = [one for one in found.decisions if one.act in ("stay", "pass")]
    assert [(one.deal, one.person, one.act, one.chosen) for one in moggings] == [
        (1, 1, "pass", ("7H",)), (1, 2, "pass", ("4C",)), (2, 1, "stay", ()),
    ]  # fmt: skip
    hands = {
        (1, 1): ("pone", "3C 7D 7H", "JS"),
        (1, 2): ("dealer", "4C 9C KD", "JS"),
        (2, 1): ("dealer", "9C 5C KC", "4D"),
    }
    for one in moggings:
        seat, hand, starter = hands[one.deal, one.person]
        told = ns.advise("costly-colours", seat=seat, hand=hand, starter=starter, mog=True, deals=400, seed=3)
        choice = next(choice for choice in told.choices if choice.cards == one.chosen)
        assert choice.loss is not None and one.loss == pytest.approx(choice.loss.estimate, abs=1e-9)
        assert one.best == told.best.cards
    assert found.luck is None and "exchanged" in str(found.no_luck)
    assert sum(found.losses()) == pytest.approx(sum(one.loss for one in found.decisions))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (COSTLY.replace("  mog: 7H / 4C\n", ""), "line 4: a card may be exchanged in costly-colours"),
        (COSTLY.replace("7H / 4C", "7D / 4C"), "line 4: the pone passes 7D, so the dealer has it to lay"),
        (COSTLY.replace("7H / 4C", "7H / 9C"), "line 4: the dealer passes 9C, so the pone has it to lay"),
        (COSTLY.replace("7H / 4C", "7H"), "is no mogging"),
        (COSTLY.replace("7H / 4C", "7H / stay"), "is no mogging"),
        (COSTLY.replace("- / stay", "stay / stay"), "one of the two declines"),
        (COSTLY.replace("- / stay", "- / -"), "say who declines"),
        (GAME + "  mog: 7H / 4C\n", "no card is exchanged in noddy; leave mog out"),
    ],
)
def test_faults_of_an_exchange_name_their_line(text: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        play_written(game_from_text(text, "game.txt"))
    assert says in str(caught.value) and str(caught.value).startswith("game.txt, line")
