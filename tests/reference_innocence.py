"""The honest twin of the melding game "The Innocence": slow, plain, and meant to be read.

Rules and strategies are plain dicts. A *seat* counts from 0, left of the dealer, to ``n - 1``, the dealer; a *person*
keeps his number through a game. A *meld* is ``(mask, kind, points)``: bit ``p`` of the mask is card ``p`` of the
sorted hand, and bit 60 the turned card where it may be counted with a meld.

Where the rules leave a hole, the simplest is taken:

* Events name seats, but a deal's dealer and a game's winner are persons. Person ``n - 1`` deals first. Strategies and
  scores of a deal go by seat, those of a game by person.
* Turns of a deal count from 0. A deal without a winner ends with ``("deal_end",)``; one that is won ends with the award
  that won it, and the game with ``("game", person)``.
* After 1000 deals nobody has won, and the event is ``("game", -1)``.
* A turn in which something was laid and the game was not won has one ``fill`` event, also if nothing was drawn. A
  reshuffle in the midst of it comes before it.
* Every subset of a hand is looked at, so hands of more than 16 cards are refused. Only who waits for sums comes so far.
* The jack of trumps gives its bonus only out of the hand, not as the turned card. Of all subsets of a meld
  (``all_subsets``) none has the bonus, it comes once on top.
* With ``whole_set`` and ``all_subsets`` the kind of a meld is that of the best feature of the whole meld.
* What a player does not want is left out first; then only does he spare the jack of trumps. He spares it within
  three classes: melds without it, melds with it, the jack alone.
* A card that was laid and shuffled again is a card like others, the turned card too; once drawn it is never again
  counted with melds. The 256th reshuffle of a deal, and any later, uses the words of number 255.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reference_cards import JACK, Rules, Strategy, draw, game_deal_key, pips, rank, shuffle_by_key, suit

Meld = tuple[int, int, int]
Event = tuple[Any, ...]

KINDS = ("jack", "fifteen", "twentyfive", "thirtyone", "pair", "three", "four", "suit", "run")
JACK_ALONE, FIFTEEN, TWENTYFIVE, THIRTYONE, PAIR, THREE, FOUR, SUIT, RUN = range(9)
SUMS = {FIFTEEN: (15, 2), TWENTYFIVE: (25, 3), THIRTYONE: (31, 4)}
"""Of each kind of sum: what the cards add up to, and how many they are at least."""
BIG_SUM = 15

HAND = 3
MOST_CARDS = 16
TURNED = 1 << 60
RESHUFFLE_WORDS = 0x7F << 8
MOST_DEALS = 1000


# ---------------------------------------------------------------------------------------------------------------------
# Features: what a set of cards scores as one combination


def face_value(rules: Rules, card: int) -> int:
    """What a card adds to a sum."""
    return rank(card) + 1 if rules["face_value"] == "rank" else pips(card)


def sum_points(rules: Rules, total: int, cards: int) -> int:
    """The points of a sum ``total`` made of so many cards."""
    return {"face": total, "flat2": 2, "per_card": cards}[rules["sum_value"]]


def features(rules: Rules, cards: Sequence[int]) -> dict[int, int]:
    """Points of each kind that the whole set of cards is, but for the jack of trumps alone."""
    size = len(cards)
    found = {}
    total = sum(face_value(rules, card) for card in cards)
    for kind, (wanted, least) in SUMS.items():
        if total == wanted and size >= least:
            found[kind] = sum_points(rules, total, size)
    ranks = {rank(card) for card in cards}
    if len(ranks) == 1 and size >= 2:
        found[PAIR + size - 2] = rules["group"][size - 2]
    if len({suit(card) for card in cards}) == 1 and size in (3, 4):
        found[SUIT] = size if rules["suit_value"] == "per_card" else 1
    if len(ranks) == size >= 3 and max(ranks) - min(ranks) == size - 1:
        found[RUN] = rules["run"][min(size, 5) - 3]
    return found


# ---------------------------------------------------------------------------------------------------------------------
# Melds


def cards_of(hand: Sequence[int], mask: int) -> list[int]:
    """The hand cards of a mask."""
    return [card for place, card in enumerate(hand) if mask >> place & 1]


def jack_of_trumps(turned: int) -> int:
    """The jack of the turned card's suit."""
    return 4 * JACK + suit(turned)


def has_jack_of_trumps(hand: Sequence[int], mask: int, turned: int) -> bool:
    """Whether the jack of trumps is among the hand cards of a mask."""
    return jack_of_trumps(turned) in cards_of(hand, mask)


def features_by_mask(rules: Rules, hand: Sequence[int], turned: int, turned_there: bool) -> dict[int, dict[int, int]]:
    """Of each mask with a hand card, ascending, the points of each kind that its cards are as a whole."""
    masks = range(1, 1 << len(hand))
    found = {mask: features(rules, cards_of(hand, mask)) for mask in masks}
    if rules["trump_jack"] == "meld" and jack_of_trumps(turned) in hand:
        found[1 << hand.index(jack_of_trumps(turned))] = {JACK_ALONE: 1}
    if rules["trump_in_melds"] and turned_there:
        for mask in masks:
            found[mask | TURNED] = features(rules, [*cards_of(hand, mask), turned])
    return found


def subset_totals(points: dict[int, int], cards: int) -> dict[int, int]:
    """For each mask the points of all its subsets together; a mask that is not listed has none.

    The bits are set free one after the other: at first a mask counts only itself, in the end all its subsets.
    """
    totals = dict(points)
    for bit in [*(1 << place for place in range(cards)), TURNED]:
        for mask in totals:
            if mask & bit:
                totals[mask] += totals.get(mask ^ bit, 0)
    return totals


def melds(rules: Rules, hand: Sequence[int], trump: int, trump_there: bool) -> list[Meld]:
    """All melds of a sorted hand, by mask and then by kind.

    ``trump`` is the turned card; ``trump_there`` tells whether it still lies under the stock. ValueError for a hand of
    more than 16 cards.
    """
    if len(hand) > MOST_CARDS:
        raise ValueError(f"a hand of {len(hand)} cards has no mask, 16 are the most")
    by_mask = features_by_mask(rules, hand, trump, trump_there)
    whole = {mask: sum(points.values()) for mask, points in by_mask.items()}
    totals = subset_totals(whole, len(hand)) if rules["meld_scoring"] == "all_subsets" else whole
    found = []
    for mask, points in by_mask.items():
        bonus = int(rules["trump_jack"] == "bonus" and has_jack_of_trumps(hand, mask, trump))
        if rules["meld_scoring"] == "single":
            found += [(mask, kind, points[kind] + bonus) for kind in sorted(points)]
        elif points:
            best = max(points.values())
            found.append((mask, min(kind for kind in points if points[kind] == best), totals[mask] + bonus))
    return found


# ---------------------------------------------------------------------------------------------------------------------
# The table


@dataclass
class Table:
    """All that a deal's players have before them; lists of hands, strategies and scores go by seat.

    ``laid`` holds the melded cards that were not shuffled again. ``passes`` counts the players who passed in a row,
    ``turn`` the turns that are over, and ``winner`` is the seat that reached the target.
    """

    rules: Rules
    strategies: Sequence[Strategy]
    key: int
    scores: list[int]
    hands: list[list[int]]
    stock: list[int]
    turned: int
    turned_there: bool = True
    laid: list[int] = field(default_factory=list)
    reshuffles: int = 0
    turn: int = 0
    passes: int = 0
    winner: int | None = None
    events: list[Event] = field(default_factory=list)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)


def new_table(rules: Rules, strategies: Sequence[Strategy], key: int, scores: Sequence[int]) -> Table:
    """The table when three cards are dealt to each seat; strategies and scores go by seat."""
    seats = len(strategies)
    turned, *cards = shuffle_by_key(key, 52, 52)
    dealt = seats * HAND
    hands = [sorted(cards[seat:dealt:seats]) for seat in range(seats)]
    stock = cards[dealt:]
    if rules["trump_drawable"]:
        stock.append(turned)
    return Table(rules, strategies, key, list(scores), hands, stock, turned)


def award(table: Table, seat: int, points: int) -> None:
    """Give points to a seat, which wins if it reaches the target."""
    table.scores[seat] += points
    if table.scores[seat] >= table.rules["target"]:
        table.winner = seat


def award_turned_jack(table: Table) -> None:
    """Before the first turn: the points for a turned jack."""
    if rank(table.turned) != JACK:
        return
    way, dealer = table.rules["turned_jack"], table.seats - 1
    receivers = range(dealer) if way == "opponents2" else [dealer]
    points = 1 if way == "dealer1" else 2
    for seat in receivers:
        table.events.append(("jack", seat, points))
        award(table, seat, points)
        if table.winner is not None:
            return


# ---------------------------------------------------------------------------------------------------------------------
# Drawing


def reshuffle(table: Table) -> None:
    """The laid cards become the stock."""
    cards = table.laid
    moment = RESHUFFLE_WORDS | min(table.reshuffles, 255)
    for place in range(len(cards) - 1):
        other = place + draw(table.key, moment, place, len(cards) - place)
        cards[place], cards[other] = cards[other], cards[place]
    table.stock, table.laid = cards, []
    table.reshuffles += 1
    table.events.append(("reshuffle",))


def draw_card(table: Table, seat: int) -> int | None:
    """Bring the next card of the stock into a hand; None if there is none to be had."""
    if not table.stock and table.laid and table.rules["stock_out"] == "reshuffle":
        reshuffle(table)
    if not table.stock:
        return None
    card = table.stock.pop(0)
    if card == table.turned:
        table.turned_there = False
    table.hands[seat] = sorted([*table.hands[seat], card])
    return card


def fill_hand(table: Table, seat: int) -> None:
    """After melds: bring a hand back to three cards, as far as there are any."""
    drawn = 0
    while len(table.hands[seat]) < HAND and draw_card(table, seat) is not None:
        drawn += 1
    table.events.append(("fill", seat, drawn))


# ---------------------------------------------------------------------------------------------------------------------
# Choosing


def reaches_target(table: Table, seat: int, meld: Meld) -> bool:
    """Whether a meld would win the game."""
    return bool(table.scores[seat] + meld[2] >= table.rules["target"])


def wanted(table: Table, seat: int, held: Sequence[Meld]) -> list[Meld]:
    """The melds a player would lay of those he holds; all of them unless he is free to wait, and waits for sums."""
    if table.rules["must_meld"] or table.strategies[seat]["want"] == "always":
        return list(held)
    return [
        meld for meld in held if (meld[1] in SUMS and meld[2] >= BIG_SUM) or reaches_target(table, seat, meld)
    ]  # fmt: skip


def sparing_jack(table: Table, seat: int, held: Sequence[Meld]) -> list[Meld]:
    """The melds that are left to a player who keeps the jack of trumps as long as he can."""
    hand, turned = table.hands[seat], table.turned
    without = [meld for meld in held if not has_jack_of_trumps(hand, meld[0], turned)]
    within = [meld for meld in held if has_jack_of_trumps(hand, meld[0], turned) and meld[1] != JACK_ALONE]
    alone = [
        meld for meld in held
        if meld[1] == JACK_ALONE and (table.rules["must_meld"] or reaches_target(table, seat, meld))
    ]  # fmt: skip
    return without or within or alone


def meld_value(strategy: Strategy, meld: Meld) -> int:
    """What a strategy thinks a meld is worth."""
    mask, kind, points = meld
    weights = strategy["weights"]
    hand_cards = (mask % TURNED).bit_count()
    name = "sum" if kind in SUMS else KINDS[kind]
    return int(points * weights.get("points", 0) + hand_cards * weights.get("cards", 0) + weights.get(name, 0))


def choose_meld(table: Table, seat: int, laid: int) -> Meld | None:
    """The meld a player lays who has laid so many in this turn, or None if he lays no more."""
    strategy = table.strategies[seat]
    held = wanted(table, seat, melds(table.rules, table.hands[seat], table.turned, table.turned_there))
    if strategy.get("keep_trump_jack", False):
        held = sparing_jack(table, seat, held)
    if not held:
        return None
    best = max(meld_value(strategy, meld) for meld in held)
    equal = [meld for meld in held if meld_value(strategy, meld) == best]
    if strategy["ties"] == "random":
        return equal[draw(table.key, table.turn, laid, len(equal))]
    return equal[0] if strategy["ties"] == "first" else equal[-1]


# ---------------------------------------------------------------------------------------------------------------------
# Turns, deals and games


def lay_meld(table: Table, seat: int, meld: Meld) -> None:
    """Lay the hand cards of a meld and score it."""
    mask, kind, points = meld
    cards = cards_of(table.hands[seat], mask)
    table.hands[seat] = [card for card in table.hands[seat] if card not in cards]
    table.laid += cards
    table.events.append(("meld", seat, mask, kind, points))
    award(table, seat, points)


def lay_melds(table: Table, seat: int) -> int:
    """Lay as many melds as the rules and the player allow; how many they were."""
    laid = 0
    while table.winner is None and laid < table.rules["melds_per_turn"]:
        meld = choose_meld(table, seat, laid)
        if meld is None:
            break
        lay_meld(table, seat, meld)
        laid += 1
    return laid


def draw_or_pass(table: Table, seat: int) -> None:
    """What a player does who lays nothing."""
    card = draw_card(table, seat)
    if card is None:
        table.passes += 1
        table.events.append(("pass", seat))
    else:
        table.passes = 0
        table.events.append(("draw", seat, card))


def take_turn(table: Table) -> None:
    """The turn of the next player."""
    seat = table.turn % table.seats
    if lay_melds(table, seat) == 0:
        draw_or_pass(table, seat)
    elif table.winner is None:
        table.passes = 0
        fill_hand(table, seat)
    table.turn += 1


def deal_is_over(table: Table) -> bool:
    """Whether somebody has won, all have passed in a row, or the rounds are over."""
    last_turn = table.rules["rounds"] * table.seats
    return table.winner is not None or table.passes == table.seats or table.turn >= last_turn


def play_deal(rules: Rules, strategies: Sequence[Strategy], key: int, scores: Sequence[int]) -> Table:
    """The table after a deal. Strategies and ``scores``, those before the deal, go by seat."""
    table = new_table(rules, strategies, key, scores)
    award_turned_jack(table)
    while not deal_is_over(table):
        take_turn(table)
    if table.winner is None:
        table.events.append(("deal_end",))
    return table


def play_game(rules: Rules, strategies: Sequence[Strategy], seed: int, game: int) -> tuple[list[Event], list[int]]:
    """Events and final scores of a game; strategies and scores go by person."""
    players = len(strategies)
    scores = [0] * players
    events: list[Event] = []
    for number in range(MOST_DEALS):
        dealer = (players - 1 + number) % players
        persons = [(dealer + 1 + seat) % players for seat in range(players)]
        events.append(("deal", number, dealer))
        key = game_deal_key(seed, game, number)
        table = play_deal(rules, [strategies[p] for p in persons], key, [scores[p] for p in persons])
        events += table.events
        for person, score in zip(persons, table.scores, strict=True):
            scores[person] = score
        if table.winner is not None:
            return [*events, ("game", persons[table.winner])], scores
    return [*events, ("game", -1)], scores
