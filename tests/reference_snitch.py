"""The honest twin of Snitch: slow, plain, and meant to be read.

A *card* is ``8 * rank + 2 * suit + copy`` (rank 0 the ace to 12 the king, two packs), and the jokers follow, as rank
13, from 104 on. Rules and strategies are plain dicts. A *seat* counts from 0, left of the dealer, to ``n - 1``, the
dealer; a *person* keeps his number through a game. A *move* is ``("S", i, j)``, a set of two hand cards,
``("T", i)``, a set of a hand card and the top discard, or ``("E", i)``, a wild hand card that joins a set of one's own;
``i`` and ``j`` are places of the sorted hand.

Where the rules leave a hole, the simplest is taken:

* Events name seats, but the dealer of a deal, the totals at its end and a game's winners are persons. The totals are
  those of the game so far. Scores and strategies of a deal go by seat, those of a game by person.
* After 1000 deals nobody has won, and the event is ``("game", ())``.
* Turns of a deal count from 0. Whether a turn belongs to the end of the deal is settled when it begins: who began with
  cards in the stock may use the top discard for the whole turn, his own discard of that turn too.
* With ``discard_then_set`` a player lays what he will at once, and discards only if that is nothing; then he may lay.
* A ``fill`` event follows every turn in which something was laid (``refill=turn``), or every set and every wild card
  laid to a set (``refill=set``), also if nothing was drawn.
* A wild card that joins a set is no set of a rank: it is not an answer while a rank is wanted (``match_only``), and
  asks nothing of the next player.
* ``no_set`` looks at the hands alone, not at the rank that is wanted; all may pass in a row and the deal goes on.
* Wild cards are saved with the top discard as with the hand's cards. A pair of jokers, or a wild card that joins a set,
  has no natural card, so it waits for the end of the stock; the stock is looked at before each set.
* Where there are only wild cards to discard, ``high`` takes the greatest value, ``low`` and ``unpaired_low`` the
  lowest, with ``watch`` too. ``unpaired_low`` looks for single ranks among the natural cards only. ``random`` spares
  the wild cards only with ``watch``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from reference_cards import Rules, Strategy, digits, draw, mix, shuffle_by_key, word

Move = tuple[Any, ...]
Event = tuple[Any, ...]

CUT = 2
GAMES = 1
ACE, DEUCE, TEN, JOKER = 0, 1, 9, 13
NATURALS = 104
HAND = 3
MOST_TURNS = 400
MOST_DEALS = 1000


# ---------------------------------------------------------------------------------------------------------------------
# Cards


def rank(card: int) -> int:
    """Rank of a card, 0 (ace) to 12 (king), 13 for a joker."""
    return min(card // 8, JOKER)


def is_wild(card: int) -> bool:
    """Whether a card may stand for another."""
    return rank(card) in (DEUCE, JOKER)


def value(rules: Rules, card: int) -> int:
    """The points of a card in a set."""
    values = rules["values"]
    if rank(card) == DEUCE:
        return int(rules["deuce_points"])
    if rank(card) == JOKER:
        return int(values["joker"])
    if rank(card) == ACE:
        return int(values["ace"])
    return int(values["high"] if rank(card) >= TEN else values["low"])


# ---------------------------------------------------------------------------------------------------------------------
# Sets


def set_rank(rules: Rules, one: int, other: int) -> int | None:
    """The rank of the set that two cards make, or None if they make none."""
    wild = [card for card in (one, other) if is_wild(card)]
    if not wild:
        return rank(one) if rank(one) == rank(other) else None
    if len(wild) == 1:
        return rank(other) if is_wild(one) else rank(one)
    return JOKER if rules["joker_pair"] and rank(one) == rank(other) == JOKER else None


def set_moves(
    rules: Rules, hand: Sequence[int], top_discard: int | None, has_own_sets: bool, wanted_rank: int | None
) -> list[Move]:
    """All that a player may lay: sets of the hand, then sets with the top discard, then wild cards to own sets.

    ``top_discard`` is None where there is none or it may not be used, ``wanted_rank`` where every rank is allowed.
    """

    def fits(one: int, other: int) -> bool:
        made = set_rank(rules, one, other)
        return made is not None and wanted_rank in (None, made)

    places = range(len(hand))
    moves: list[Move] = [("S", i, j) for i in places for j in places if i < j and fits(hand[i], hand[j])]
    if top_discard is not None:
        moves += [("T", i) for i in places if fits(hand[i], top_discard)]
    if rules["action4"] == "extend" and has_own_sets and wanted_rank is None:
        moves += [("E", i) for i in places if is_wild(hand[i])]
    return moves


# ---------------------------------------------------------------------------------------------------------------------
# The table


@dataclass
class Table:
    """All that a deal's players have before them; lists of hands, sets, strategies and scores go by seat.

    ``sets`` holds the cards that a seat has in its sets and ``ranks`` the ranks of these sets. The last card of
    ``discards`` lies on top. ``wanted`` is the rank that the next turn may lay, None if it is free. ``turn`` counts the
    turns that are over, ``passes`` the players who passed in a row.
    """

    rules: Rules
    strategies: Sequence[Strategy]
    key: int
    hands: list[list[int]]
    stock: list[int]
    discards: list[int]
    sets: list[list[int]] = field(init=False)
    ranks: list[list[int | None]] = field(init=False)
    scores: list[int] = field(init=False)
    wanted: int | None = None
    turn: int = 0
    passes: int = 0
    events: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Nobody has laid anything yet."""
        self.sets = [[] for _ in self.hands]
        self.ranks = [[] for _ in self.hands]
        self.scores = [0] * len(self.hands)

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.hands)


def new_table(rules: Rules, strategies: Sequence[Strategy], key: int) -> Table:
    """The table when three cards are dealt to each seat; strategies go by seat."""
    seats = len(strategies)
    pack = NATURALS + rules["jokers"]
    cards = shuffle_by_key(key, pack, pack)
    dealt = seats * HAND
    hands = [sorted(cards[seat:dealt:seats]) for seat in range(seats)]
    turned = 1 if rules["first_discard"] else 0
    return Table(rules, strategies, key, hands, cards[dealt + turned :], cards[dealt : dealt + turned])


def draw_card(table: Table, seat: int) -> int:
    """Bring the next card of the stock into a hand."""
    card = table.stock.pop(0)
    table.hands[seat] = sorted([*table.hands[seat], card])
    return card


def fill_hand(table: Table, seat: int) -> None:
    """Bring a hand back to three cards, as far as there are any."""
    drawn = 0
    while len(table.hands[seat]) < HAND and table.stock:
        draw_card(table, seat)
        drawn += 1
    table.events.append(("fill", seat, drawn))


# ---------------------------------------------------------------------------------------------------------------------
# Choosing a set


def cards_of_move(table: Table, seat: int, move: Move) -> list[int]:
    """The cards that a move brings into a player's sets."""
    cards = [table.hands[seat][place] for place in move[1:]]
    return [*cards, table.discards[-1]] if move[0] == "T" else cards


def move_points(table: Table, seat: int, move: Move) -> int:
    """The points of a move."""
    return sum(value(table.rules, card) for card in cards_of_move(table, seat, move))


def allowed(table: Table, seat: int, move: Move) -> bool:
    """Whether a player's own plan for wild cards allows a move."""
    cards = cards_of_move(table, seat, move)
    if table.strategies[seat]["wild"] == "free" or not table.stock or not any(is_wild(card) for card in cards):
        return True
    return any(rank(card) == ACE for card in cards)


def choose_set(table: Table, seat: int, main: bool) -> Move | None:
    """The move a player makes, or None if he lays nothing (more); ``main`` tells whether discards may be used."""
    strategy = table.strategies[seat]
    top = table.discards[-1] if main and table.discards else None
    moves = set_moves(table.rules, table.hands[seat], top, bool(table.sets[seat]), table.wanted)
    moves = [move for move in moves if allowed(table, seat, move)]
    if strategy["use"] != "value":
        for source in "STE" if strategy["use"] == "hand" else "TSE":
            of_source = [move for move in moves if move[0] == source]
            if of_source:
                moves = of_source
                break
    if not moves:
        return None
    # Of equal moves, max takes the first.
    return moves[0] if strategy["order"] == "first" else max(moves, key=lambda move: move_points(table, seat, move))


# ---------------------------------------------------------------------------------------------------------------------
# Choosing a discard


def cards_to_choose_from(hand: Sequence[int], strategy: Strategy, ranks_of_next: Collection[int | None]) -> list[int]:
    """The hand cards that a player would discard at all; ``ranks_of_next`` are those of the next player's sets."""
    natural = [card for card in hand if not is_wild(card)]
    if not natural or (strategy["discard"] == "random" and not strategy["watch"]):
        return list(hand)
    if strategy["watch"]:
        safe = [card for card in natural if rank(card) not in ranks_of_next]
        natural = safe or natural
    if strategy["discard"] == "unpaired_low":
        ranks = [rank(card) for card in hand]
        single = [card for card in natural if ranks.count(rank(card)) == 1]
        natural = single or natural
    return natural


def choose_discard(table: Table, seat: int) -> int:
    """The card a player discards."""
    strategy = table.strategies[seat]
    cards = cards_to_choose_from(table.hands[seat], strategy, table.ranks[(seat + 1) % table.seats])
    if strategy["discard"] == "random":
        return cards[draw(table.key, table.turn, 0, len(cards))]
    best = max if strategy["discard"] == "high" else min
    wanted = best(value(table.rules, card) for card in cards)
    return next(card for card in cards if value(table.rules, card) == wanted)


# ---------------------------------------------------------------------------------------------------------------------
# Turns


def lay(table: Table, seat: int, move: Move) -> None:
    """Make a move and score it."""
    cards, points = cards_of_move(table, seat, move), move_points(table, seat, move)
    if move[0] == "T":
        table.discards.pop()
    table.hands[seat] = [card for card in table.hands[seat] if card not in cards]
    table.sets[seat] += cards
    table.scores[seat] += points
    table.events.append(("set", seat, *[*cards, -1][:2], move[0], points))
    if move[0] != "E":
        table.ranks[seat].append(set_rank(table.rules, *cards))


def lay_sets(table: Table, seat: int, main: bool) -> int:
    """Lay as much as the rules and the player allow; how many moves that were."""
    most, laid = table.rules["max_sets"], 0
    while most == 0 or laid < most:
        move = choose_set(table, seat, main)
        if move is None:
            break
        lay(table, seat, move)
        laid += 1
        if table.rules["refill"] == "set":
            fill_hand(table, seat)
    return laid


def discard(table: Table, seat: int) -> None:
    """Discard a card, then draw one."""
    card = choose_discard(table, seat)
    table.hands[seat].remove(card)
    table.discards.append(card)
    table.events.append(("discard", seat, card))
    table.events.append(("draw", seat, draw_card(table, seat)))


def take_turn(table: Table) -> None:
    """The turn of the next player."""
    seat = table.turn % table.seats
    main = bool(table.stock)
    sets_before = len(table.ranks[seat])
    laid = lay_sets(table, seat, main)
    passed = laid == 0 and not main
    if laid == 0 and main:
        discard(table, seat)
        if table.rules["discard_then_set"]:
            laid = lay_sets(table, seat, main)
    if passed:
        table.events.append(("pass", seat))
    if laid and table.rules["refill"] == "turn":
        fill_hand(table, seat)
    table.passes = table.passes + 1 if passed else 0
    answers = table.rules["response"] == "match_only" and len(table.ranks[seat]) > sets_before
    table.wanted = table.ranks[seat][-1] if answers else None
    table.turn += 1


# ---------------------------------------------------------------------------------------------------------------------
# Deals and games


def somebody_holds_a_set(table: Table) -> bool:
    """Whether anybody could lay something of his hand."""
    return any(
        set_moves(table.rules, hand, None, bool(sets), None)
        for hand, sets in zip(table.hands, table.sets, strict=True)
    )  # fmt: skip


def deal_is_over(table: Table) -> bool:
    """Whether the deal has ended before the next turn."""
    if table.turn >= MOST_TURNS:
        return True
    if table.stock:
        return False
    if table.rules["deal_end"] == "no_set":
        return not somebody_holds_a_set(table)
    return table.passes == table.seats or not any(table.hands)


def play_deal(rules: Rules, strategies: Sequence[Strategy], key: int) -> Table:
    """The table after a deal; strategies and scores go by seat."""
    table = new_table(rules, strategies, key)
    while not deal_is_over(table):
        take_turn(table)
    return table


def first_dealer(key: int, players: int) -> int:
    """The person who deals first, by lot; ``key`` is that of the game."""
    attempt = 0
    while (drawn := digits(word(key, CUT, attempt), [players])) is None:
        attempt += 1
    return drawn[0]


def winners(rules: Rules, totals: Sequence[int]) -> tuple[int, ...]:
    """Who has won after a deal; nobody if the game goes on."""
    best = max(totals)
    highest = tuple(person for person, total in enumerate(totals) if total == best)
    if best < rules["target"] or (len(highest) > 1 and rules["tie"] == "play_on"):
        return ()
    return highest


def play_game(rules: Rules, strategies: Sequence[Strategy], seed: int, game: int) -> tuple[list[Event], list[int]]:
    """Events and final totals of a game; strategies and totals go by person."""
    players = len(strategies)
    key = mix(mix(seed, GAMES), game)
    first = first_dealer(key, players)
    totals = [0] * players
    events: list[Event] = []
    for number in range(MOST_DEALS):
        dealer = (first + number) % players
        persons = [(dealer + 1 + seat) % players for seat in range(players)]
        table = play_deal(rules, [strategies[person] for person in persons], mix(key, number))
        for person, points in zip(persons, table.scores, strict=True):
            totals[person] += points
        events += [("deal", number, dealer), *table.events, ("deal_end", tuple(totals))]
        if won := winners(rules, totals):
            return [*events, ("game", won)], totals
    return [*events, ("game", ())], totals
