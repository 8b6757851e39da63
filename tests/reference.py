"""The honest twin: the pegging family again, slow and plain, in the words of the rule book.

These files are meant to be read. They share no code and no table with the package and import nothing but the standard
library and each other, so that agreement between the two means something. Every hand is counted by listing its
subsets, every run by looking at the last cards of the pile, every choice by asking each card for its features.

This is the door: whole deals, games and duplicates, and all names of the rooms behind it. `reference_cards` reads,
shuffles and deals; `reference_points` says what things are worth; `reference_away` lays cards away and mogs;
`reference_play` chooses and lays cards.

Words: a *card* is ``4 * rank + suit`` (rank 0 the ace to 12 the king; suits clubs, diamonds, hearts, spades). A *seat*
is 0 for the eldest hand, who leads, to ``n - 1`` for the dealer. A *person* keeps his number through a game: his seat
in the first deal. A *side* is a player alone or two partners, who share a score; seat and person ``s`` belong to side
``s`` modulo the number of sides. An *award* is the three for last, one refusal or card passed in mogging, one heels,
one card laid with all it makes, one last-card point, one hand, the crib; the target is looked at after each. ``rules``
and strategies are the plain dicts a variant file and a strategy file end as; what rules leave out is not played.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reference_away import (
    KEEP_BEST_CRIB,
    MOG_GAIN,
    Prepared,
    Question,
    Way,
    answer_mog,
    as_they_are,
    best_way,
    discard_feature,
    discard_policy,
    giver_takes_it,
    is_dealers_side,
    lay_away,
    mog_feature,
    mog_policy,
    prepare,
    ways_to_lay_away,
    ways_to_mog,
)
from reference_cards import (
    BITS,
    CHOICE,
    FIVE,
    GAMMA,
    JACK,
    RANK_LETTERS,
    SHUFFLE,
    TEN,
    Dealt,
    Points,
    Rules,
    Strategy,
    by_players,
    count_of,
    deal,
    deal_by_key,
    deal_key,
    deal_of_game,
    dealt,
    dealt_by_rules,
    digits,
    draw,
    game_deal_key,
    millionths,
    mix,
    pips,
    rank,
    read_card,
    read_cards,
    read_hands,
    shuffle,
    shuffle_by_key,
    sides_of,
    suit,
    word,
)
from reference_play import (
    Award,
    Board,
    Chooser,
    Event,
    Played,
    Table,
    Turn,
    by_strategies,
    choose,
    feature,
    in_order,
    play,
    play_in_order,
    play_out,
    reply_sum,
    turn_of,
)
from reference_points import PLAY_KINDS, SHOW_KINDS, card_points, fits, length_points, show, show_crib

SOURCES = (
    "heels",
    *(f"play.{kind}" for kind in (*PLAY_KINDS, "last")),
    *(f"show.{kind}" for kind in SHOW_KINDS),
    *(f"crib.{kind}" for kind in SHOW_KINDS),
    "start",
    "mog",
)
THREE = 3

__all__ = [
    "BITS", "CHOICE", "FIVE", "GAMMA", "JACK", "KEEP_BEST_CRIB", "MOG_GAIN", "PLAY_KINDS", "RANK_LETTERS", "SHOW_KINDS",
    "SHUFFLE", "SOURCES", "TEN", "Award", "Board", "Chooser", "Deal", "Dealt", "Duplicate", "Event", "Game", "Played",
    "Points", "Prepared", "Question", "Rules", "Strategy", "Table", "Turn", "Way", "answer_mog", "as_they_are",
    "best_way", "by_players", "by_strategies", "card_points", "choose", "count_of", "deal", "deal_by_key", "deal_key",
    "deal_of_game", "dealt", "dealt_by_rules", "digits", "discard_feature", "discard_policy", "draw", "duplicate",
    "feature", "fits", "game_deal_key", "games_counted", "head_starts", "heels_awards", "in_order", "is_dealers_side",
    "lay_away", "length_points", "millionths", "mix", "mog_feature", "mog_policy", "next_dealer", "pips", "play",
    "play_deal", "play_deal_with", "play_dealt", "play_game", "play_in_order", "play_out", "play_prepared", "prepare",
    "rank", "read_card", "read_cards", "read_hands", "reply_sum", "show", "show_crib", "shuffle", "shuffle_by_key",
    "sides_of", "suit", "turn_of", "ways_to_lay_away", "ways_to_mog", "word",
]  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------------
# A whole deal


@dataclass(frozen=True)
class Deal:
    """A deal as far as it went: points by seat and source; scores by side after it; the side that won and in which
    phase, if any; the cards laid, every award, and what was decided before the play.

    What a crib brings stands with the dealer's seat.
    """

    points: list[Points]
    scores: list[int]
    winner: int | None
    phase: str | None
    events: list[Event]
    awards: list[Award]
    prepared: Prepared


def three_for_last(rules: Rules, first: bool) -> bool:
    """Whether the eldest takes three points before anything else; ``first`` if the deal is the first of a game."""
    when = rules.get("three_for_last", "off")
    return bool(when == "every_deal" or (when == "first_deal" and first))


def heels_awards(starter: int, rules: Rules, seats: int) -> list[tuple[int, int]]:
    """Seat and points of each award the starter brings, in order; partners who face the dealer are two opponents."""
    awards = []
    for turned in rules["turned"]:
        if RANK_LETTERS.index(turned["rank"]) != rank(starter):
            continue
        receivers = {
            "dealer": [seats - 1],
            "eldest": [0],
            "pone": [0],
            "opponents": [seat for seat in range(seats) if not is_dealers_side(seat, seats, rules)],
        }[turned["to"]]
        awards += [(seat, int(turned["points"])) for seat in receivers]
    return awards


def show_awards(prepared: Prepared, starter: int, rules: Rules) -> list[tuple[str, int, Points]]:
    """Phase, seat and parts of every hand, eldest first, and then of the crib, which is the dealer's."""
    awards = []
    for seat, hand in enumerate(prepared.hands):
        barren = prepared.taken[seat] if prepared.taken[seat] is not None and giver_takes_it(rules) else None
        awards.append(("show", seat, show(hand, starter, rules, barren)))
    if prepared.crib:
        awards.append(("crib", len(prepared.hands) - 1, show_crib(prepared.crib, starter, rules)))
    for _, _, parts in awards:
        del parts["total"]
    return awards


def deal_out(
    prepared: Prepared, starter: int, rules: Rules, board: Board, chooser: Chooser, first: bool
) -> list[Event]:
    """Award by award until the board has a winner: three for last, then heels, play and show in the rules' order.

    What the mogging brings comes before the first of play and show.
    """
    hands = prepared.hands
    events: list[Event] = []
    mog_is_due = True
    if three_for_last(rules, first) and board.award("start", 0, {"start": THREE}):
        return events
    for phase in rules["order"]:
        if phase in ("play", "show") and mog_is_due:
            mog_is_due = False
            for seat, points in prepared.pegged:
                if board.award("mog", seat, {"mog": points}):
                    return events
        if phase == "heels":
            for seat, points in heels_awards(starter, rules, len(hands)):
                if board.award("heels", seat, {"heels": points}):
                    return events
        elif phase == "play":
            events = play_out(Table(hands, rules, prepared.put_out), board, chooser)
            if board.winner is not None:
                return events
        elif phase == "show":
            for part, seat, parts in show_awards(prepared, starter, rules):
                if board.award(part, seat, parts):
                    return events
        else:
            raise ValueError(f"no such phase: {phase}")
    return events


def points_by_source(awards: Sequence[Award], seats: int) -> list[Points]:
    """What each seat was awarded for what, by SOURCES."""
    points = [dict.fromkeys(SOURCES, 0) for _ in range(seats)]
    for award in awards:
        for kind, number in award.points.items():
            points[award.seat][kind if kind == award.phase else f"{award.phase}.{kind}"] += number
    return points


def play_prepared(
    prepared: Prepared, starter: int, rules: Rules, board: Board, chooser: Chooser, first: bool = False
) -> Deal:
    """A whole deal whose cards are laid away and passed on already."""
    events = deal_out(prepared, starter, rules, board, chooser, first)
    points = points_by_source(board.awards, len(prepared.hands))
    return Deal(points, board.scores, board.winner, board.phase, events, board.awards, prepared)


def play_deal_with(
    hands: Sequence[Sequence[int]],
    starter: int,
    rules: Rules,
    board: Board,
    chooser: Chooser,
    crib: Sequence[int] = (),
    first: bool = False,
) -> Deal:
    """A whole deal on a board that is brought along, each card by the chooser, of hands as they are kept."""
    return play_prepared(as_they_are(hands, crib), starter, rules, board, chooser, first)


def play_dealt(
    cards: Dealt,
    rules: Rules,
    strategies: Sequence[Strategy],
    key: int,
    scores: Sequence[int] | None = None,
    target: int | None = None,
    first: bool = False,
) -> Deal:
    """A whole deal of cards as dealt, by seat, strategies included. Without a target nothing stops it.

    ``scores`` are by side; ``first`` says that it is the first deal of a game.
    """
    board = Board(list(scores or [0] * sides_of(rules, len(cards.hands))), target)
    prepared = prepare(cards, rules, strategies, key)
    return play_prepared(prepared, cards.starter, rules, board, by_strategies(strategies, cards.starter, key), first)


def play_deal(
    hands: Sequence[Sequence[int]],
    starter: int,
    rules: Rules,
    strategies: Sequence[Strategy],
    key: int,
    scores: Sequence[int] | None = None,
    target: int | None = None,
    crib: Sequence[int] = (),
    first: bool = False,
) -> Deal:
    """The same of hands as dealt, with what is dealt to the crib."""
    cards = Dealt(starter, [list(hand) for hand in hands], list(crib))
    return play_dealt(cards, rules, strategies, key, scores, target, first)


# ---------------------------------------------------------------------------------------------------------------------
# A whole game


@dataclass(frozen=True)
class Game:
    """A game. Points are by person, who is numbered by his seat in the first deal; scores and winner are by side.

    ``second`` is the best score of the losers, ``games`` how many games the game counts as.
    """

    winner: int
    scores: list[int]
    deals: int
    cards: int
    lead_changes: int
    phase: str
    points: list[Points]
    dealers: list[int]
    second: int
    games: int


def head_starts(rules: Rules, players: int) -> list[int]:
    """Points before the first card by side. Partners, who share one score, must both be given the same."""
    seats = {2: ("eldest", "dealer"), 3: ("eldest", "second", "dealer"), 4: ("eldest", "second", "third", "dealer")}
    starts = [int(rules["head_start"].get(seat, 0)) for seat in seats[players]]
    sides = sides_of(rules, players)
    if starts != starts[:sides] * (players // sides):
        raise ValueError(f"partners share one score but start with different points: {starts}")
    return starts[:sides]


def next_dealer(rules: Rules, dealer: int, scores: Sequence[int]) -> int:
    """The person who deals next; of equal scores the first to the left of the old dealer, who is asked last himself.

    ``scores`` are by person; partners have the same.
    """
    players = len(scores)
    way = rules["next_dealer"]
    if way == "same":
        return dealer
    if way == "right":
        return (dealer - 1) % players
    if way == "left":
        return (dealer + 1) % players
    wanted = {"lowest": min, "highest": max}[way](scores)
    from_the_left = [(dealer + step) % players for step in range(1, players + 1)]
    return next(person for person in from_the_left if scores[person] == wanted)


def sole_leader(scores: Sequence[int]) -> int | None:
    """The side that is ahead of all others, or None."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def games_counted(second: int, rules: Rules) -> int:
    """How many games a game counts as: the most that any skunk says whose bound the best of the losers is below."""
    return max([1, *(int(skunk["games"]) for skunk in rules.get("skunk", []) if second < skunk["below"])])


def play_game(seed: int, game: int, players: int, rules: Rules, strategies: Sequence[Strategy]) -> Game:
    """A game up to ``rules["target"]``, one strategy a person."""
    scores = head_starts(rules, players)
    sides = len(scores)
    running = list(scores)  # the same scores, brought up to date award by award, to see who leads
    points = [dict.fromkeys(SOURCES, 0) for _ in range(players)]
    dealers = [players - 1]
    cards = lead_changes = 0
    leader = sole_leader(running)  # a head start may give the lead before the first card
    while True:
        dealer, first = dealers[-1], len(dealers) == 1
        persons = [(dealer + 1 + seat) % players for seat in range(players)]
        side_of_seats = [person % sides for person in persons[:sides]]
        key = game_deal_key(seed, game, len(dealers) - 1)
        seat_strategies = [strategies[person] for person in persons]
        seat_scores = [scores[side] for side in side_of_seats]
        dealt_cards = dealt_by_rules(key, players, rules)
        result = play_dealt(dealt_cards, rules, seat_strategies, key, seat_scores, int(rules["target"]), first)
        cards += len(result.events)
        for award in result.awards:
            running[persons[award.seat] % sides] += sum(award.points.values())
            ahead = sole_leader(running)
            if ahead is not None and ahead != leader:
                lead_changes += leader is not None
                leader = ahead
        for seat, person in enumerate(persons):
            for source, number in result.points[seat].items():
                points[person][source] += number
        for side, score in zip(side_of_seats, result.scores, strict=True):
            scores[side] = score
        if result.winner is not None and result.phase is not None:
            winner = side_of_seats[result.winner]
            second = max(score for side, score in enumerate(scores) if side != winner)
            counted = games_counted(second, rules)
            return Game(
                winner, scores, len(dealers), cards, lead_changes, result.phase, points, dealers, second, counted
            )
        dealers.append(next_dealer(rules, dealer, [scores[person % sides] for person in range(players)]))


# ---------------------------------------------------------------------------------------------------------------------
# A duplicate


@dataclass(frozen=True)
class Duplicate:
    """A against B on one deal, by side (``seats``) and in all; how often A chose, and B would have chosen otherwise.

    A choice is a turn at which he may lay cards of at least two ranks (changed if the rank is another), or, where
    flushes score in the play, any two cards (changed if the card is another); each card laid away (changed if B would
    have kept it); and each question of a mogging (changed if the answer is another).
    """

    value: int
    seats: list[int]
    decisions: int
    changed: int


def margin(scores: Sequence[int], side: int) -> int:
    """For U sides U times a side's own points, less the points of all."""
    return len(scores) * scores[side] - sum(scores)


@dataclass
class Watch:
    """Looks on how often the arm chooses, and how often the baseline would choose otherwise."""

    baseline: Strategy
    cards: Dealt
    rules: Rules
    key: int
    decisions: int = 0
    changed: int = 0

    def see(self, different: int, choices: int = 1) -> None:
        """Note so many choices and how many of them differ."""
        self.decisions += choices
        self.changed += different

    def looks(self, card: int) -> int:
        """What tells cards apart in the play: the rank, or the card itself where suits in a row score."""
        return rank(card) if self.rules["play"].get("flush", "off") == "off" else card

    def before_the_play(self, prepared: Prepared, seats: Sequence[int]) -> None:
        """Compare what the seats of the arm lay away of the cards dealt to them, and answer in mogging if asked."""
        cards, rules, players = self.cards, self.rules, len(self.cards.hands)
        for seat in seats:
            away = prepared.away[seat]
            if away:
                other = lay_away(discard_policy(self.baseline), cards.hands[seat], seat, players, rules, self.key)
                self.see(len(set(away) - set(other.out)), len(away))
        for place, (seat, way) in enumerate(prepared.asked):
            if seat in seats:
                hand, policy = cards.hands[seat], mog_policy(self.baseline)
                self.see(answer_mog(policy, hand, cards.starter, seat, place == 0, rules, self.key) != way)

    def the_play(self, ask: Chooser, seats: Sequence[int]) -> Chooser:
        """A chooser that asks another one and compares it where a seat of the arm lays."""

        def watched(table: Table, seat: int) -> int:
            card = ask(table, seat)
            if seat in seats and len({self.looks(one) for one in table.legal(seat)}) >= 2:
                other = choose(self.baseline, turn_of(table, seat, self.cards.starter, self.key), self.rules)
                self.see(self.looks(other) != self.looks(card))
            return card

        return watched


def duplicate(
    seed: int, deal_number: int, arm: Strategy, baseline: Strategy, against: Strategy, rules: Rules, players: int
) -> Duplicate:
    """The same deal with ``arm`` and then ``baseline`` as each side in turn, ``against`` in all other seats.

    No target stops the deal, and it is not the first of a game.
    """
    key = deal_key(seed, deal_number)
    cards = dealt_by_rules(key, players, rules)
    sides = sides_of(rules, players)
    watch = Watch(baseline, cards, rules, key)
    values = []
    for side in range(sides):
        seats = range(side, players, sides)
        with_arm = [arm if seat in seats else against for seat in range(players)]
        with_baseline = [baseline if seat in seats else against for seat in range(players)]
        prepared = prepare(cards, rules, with_arm, key)
        watch.before_the_play(prepared, seats)
        watched = watch.the_play(by_strategies(with_arm, cards.starter, key), seats)
        arm_scores = play_prepared(prepared, cards.starter, rules, Board([0] * sides), watched).scores
        baseline_scores = play_dealt(cards, rules, with_baseline, key).scores
        values.append(margin(arm_scores, side) - margin(baseline_scores, side))
    return Duplicate(sum(values), values, watch.decisions, watch.changed)
