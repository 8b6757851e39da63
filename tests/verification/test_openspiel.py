"""Random games of cribbage by OpenSpiel, replayed by our rules: every deal must give every side the same points.

OpenSpiel (Lanctot et al. 2019, https://github.com/google-deepmind/open_spiel) is an optional library of the extra
``oracle``; without it this file is skipped. Two of its habits are no rules of cribbage and are left out of the
comparison: it pays four cards of one suit in the crib, and it counts all hands after somebody has reached 121.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from noddysim.engine.peg import peg
from noddysim.engine.scoring import score
from noddysim.game.rules import Variant, load_variant

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed; pip install 'noddysim[oracle]' brings it", exc_type=ImportError
)

GAMES = {2: 150, 3: 60, 4: 60}
SURE = 10_000
"""A target that no deal reaches."""


@dataclass
class Deal:
    """One deal as OpenSpiel played it: cards by player, in the order in which they were laid."""

    dealer: int
    before: list[int]
    laid: list[list[str]]
    away: list[str] = field(default_factory=list)
    starter: str = ""
    gains: list[int] = field(default_factory=list)


def line_of(state: Any, name: str) -> str:
    """What stands behind a name in OpenSpiel's picture of a state."""
    return next(line.split(":", 1)[1] for line in str(state).splitlines() if line.startswith(f"{name}:"))


def scores_of(state: Any) -> list[int]:
    return [int(part) for part in line_of(state, "Scores").split()]


def played(players: int, seed: int) -> Iterator[Deal]:
    """The deals of one random game, but for the last, in which the target is reached."""
    chance = random.Random(seed)
    state = pyspiel.load_game("cribbage", {"players": players}).new_initial_state()
    deal = Deal(int(line_of(state, "Dealer")), scores_of(state), [[] for _ in range(players)])
    to_crib = 1 if players == 3 else 0
    dealt, hands = 0, players * (6 if players == 2 else 5)
    while not state.is_terminal():
        player, number = state.current_player(), int(line_of(state, "Round"))
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            action = chance.choices(actions, chances)[0]
        else:
            action = chance.choice(state.legal_actions())
        what, *cards = state.action_to_string(player, action).split()
        in_play = line_of(state, "Phase").strip() == "Play"
        state.apply_action(action)
        if what == "Deal":
            dealt += 1
            if dealt == hands + to_crib + 1:
                deal.starter = cards[0]
            elif dealt > hands:
                deal.away += cards
        elif what == "Choose" and in_play:
            deal.laid[player] += cards
        elif what == "Choose":
            deal.away += cards
        if state.is_terminal() or int(line_of(state, "Round")) == number:
            continue
        now = scores_of(state)
        deal.gains = [after - before for after, before in zip(now, deal.before, strict=True)]
        yield deal
        deal, dealt = Deal(int(line_of(state, "Dealer")), now, [[] for _ in range(players)]), 0


def ours(deal: Deal, rules: Variant) -> list[int]:
    """What our rules give the players of a deal, in OpenSpiel's numbers."""
    players = len(deal.laid)
    order = [(deal.dealer + 1 + seat) % players for seat in range(players)]
    found = peg(" / ".join(" ".join(deal.laid[player]) for player in order), rules)
    gains = [0] * players
    for seat, player in enumerate(order):
        gains[player] = found.points[seat] + score(" ".join(deal.laid[player]), deal.starter, rules).total
    gains[deal.dealer] += score(" ".join(deal.away), deal.starter, rules, crib=True).total
    gains[deal.dealer] += 2 if deal.starter[0] == "J" else 0
    return gains


def four_suited(cards: list[str], starter: str) -> bool:
    """Whether OpenSpiel pays a flush in the crib for which the rules do not."""
    suits = {card[1] for card in cards}
    return len(suits) == 1 and starter[1] not in suits


@pytest.mark.parametrize("players", list(GAMES))
def test_every_deal_gives_the_same_points(players: int) -> None:
    rules = load_variant("cribbage").replace(target=SURE)
    compared = 0
    for seed in range(GAMES[players]):
        for deal in played(players, seed):
            assert len(deal.away) == 4 and len({card for hand in deal.laid for card in hand}) == 4 * players
            if four_suited(deal.away, deal.starter):
                continue
            mine = ours(deal, rules)
            if players == 4:
                mine = [mine[player] + mine[(player + 2) % 4] for player in range(players)]
            assert deal.gains == mine, (seed, deal)
            compared += 1
    assert compared > 5 * GAMES[players]
