"""The one table from a game's name to what is needed to play it: rules as numbers, limits, kernels.

Nothing else in the project turns a variant into kernel input.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from noddysim.game.cards import rank_from_text
from noddysim.game.errors import InputError
from noddysim.game.rulemodels import NUMBERS, SEATS
from noddysim.kernels import records as rec

if TYPE_CHECKING:
    from noddysim.game.rules import Variant

SEAT_NAMES: dict[int, tuple[str, ...]] = {
    2: ("pone", "dealer"),
    3: ("eldest", "second", "dealer"),
    4: ("eldest", "second", "third", "dealer"),
}

SIDE_NAMES: dict[tuple[int, int], tuple[str, ...]] = {
    **{(n, n): names for n, names in SEAT_NAMES.items()},
    (4, 2): ("eldest and third", "second and dealer"),
}
"""Names of the sides by number of players and of sides: each alone, or four as partners."""

_PILES = {"multi": rec.MULTI, "single": rec.SINGLE, "single_first_stuck": rec.SINGLE_FIRST_STUCK}
_NEXT_DEALER = {"left": rec.LEFT, "right": rec.RIGHT, "same": rec.SAME, "lowest": rec.LOWEST, "highest": rec.HIGHEST}
_TO = {"dealer": rec.TO_DEALER, "eldest": rec.TO_ELDEST, "opponents": rec.TO_OPPONENTS}
_PHASE = {"heels": rec.HEELS, "play": rec.PLAY, "show": rec.SHOW}
_FLUSH = {"off": rec.FLUSH_OFF, "whole": rec.FLUSH_WHOLE, "subset": rec.FLUSH_SUBSET, "groves": rec.FLUSH_GROVES}
_CRIB_FLUSH = {"off": rec.FLUSH_OFF, "four_or_five": rec.FLUSH_WHOLE, "five": rec.FLUSH_ALL}
_THREE_FOR_LAST = {"off": rec.NEVER, "first_deal": rec.FIRST_DEAL, "every_deal": rec.EVERY_DEAL}
BEHAVIOUR = 2
"""Version of what the kernels count. A change that moves any count raises it; a golden count guards it."""

PHASES = ("heels", "play", "show", "crib", "start", "mog")
"""In which a game can be won; the first three are those whose order the rules give."""


def check_players(variant: Variant, players: int) -> int:
    """Return ``players`` if the variant allows it; raises InputError naming what is allowed."""
    allowed = variant.rules.players
    if players not in allowed:
        numbers = " or ".join(str(n) for n in allowed)
        raise InputError(f"{variant.name} is played by {numbers}, not by {players}")
    return players


class PegGame(NamedTuple):
    """Rules of a pegging variant for one number of players, as the kernels take them.

    rules : record of ``kernels.records.PEG_RULES``; shows : int64, the table of the show, that of hands and, where its
    size differs, that of cribs behind it; text : the rules as canonical JSON; skunks : scores and how many games a game
    counts as whose best loser is below them; cribs : name of the contents of the table of mean cribs, empty without
    one. Runs are named by text and cribs.
    """

    rules: Any
    shows: Any
    players: int
    text: str
    skunks: tuple[tuple[int, int], ...] = ()
    cribs: str = ""

    @property
    def sides(self) -> int:
        """How many sides play: the players, or two where four are partners."""
        return int(self.rules.sides)

    @property
    def side_names(self) -> tuple[str, ...]:
        """Names of the sides, the eldest's first and the dealer's last."""
        return SIDE_NAMES[self.players, self.sides]


def peg_game(variant: Variant, players: int) -> PegGame:
    """The kernel input of a variant, ready for whole deals; raises InputError if it is not played by that many.

    Where cards are laid away to a crib, the mean cribs that strategies weigh are looked up, or worked out at the first
    use of rules for which none are shipped (``engine.cribs``).
    """
    game = show_game(variant, players)
    return _with_cribs(game) if game.rules.crib else game


def show_game(variant: Variant, players: int | None = None) -> PegGame:
    """As ``peg_game`` without the mean cribs: enough for shows, and for a play whose cards are given.

    players : the fewest that the variant allows if left out
    """
    rules = variant.pegging
    number = rules.players[0] if players is None else check_players(variant, players)
    return bare_game(rules.model_dump_json(), number)


def _with_cribs(game: PegGame) -> PegGame:
    key = game.text, game.players
    if key not in _WITH_CRIBS:
        from noddysim.engine.cribs import crib_table

        _WITH_CRIBS[key] = with_crib_worth(game, crib_table(game).worth)
    return _WITH_CRIBS[key]


_WITH_CRIBS: dict[tuple[str, int], PegGame] = {}


def with_crib_worth(game: PegGame, worth: np.ndarray) -> PegGame:
    """The same game with another table of mean cribs, int64 (2, 13, 13) in thousandths of a point."""
    name = hashlib.sha256(worth.astype("<i8").tobytes()).hexdigest()[:16]
    return with_rules(game, crib_worth=worth)._replace(cribs=name)


def with_rules(game: PegGame, **values: Any) -> PegGame:
    """The same game with some fields of the kernels' rules changed; its table of the show stays as it is."""
    rules = rec.new_record(rec.PEG_RULES)
    for field in rec.PEG_RULES:
        rules[field.name] = values.get(field.name, game.rules[field.name])
    return game._replace(rules=rules)


def hands_only(game: PegGame) -> PegGame:
    """The same game for hands that are given: nothing is laid away or passed on."""
    return with_rules(game, dealt=game.rules.hand, discard=0, to_crib=0, crib=0, mog=0)


def deal_alternates(game: PegGame) -> bool:
    """Whether two players deal in turn, whatever their scores."""
    return game.players == 2 and int(game.rules.next_dealer) in (rec.LEFT, rec.RIGHT)


@functools.lru_cache(maxsize=64)
def bare_game(text: str, players: int) -> PegGame:
    """The kernel input of rules given as canonical JSON, without mean cribs."""
    data = json.loads(text)
    rules = _rules_record(data, players)
    skunks = tuple((band["below"], band["games"]) for band in data["skunk"])
    hand, crib = int(rules.hand), int(rules.crib)
    sizes = (hand, crib) if crib and crib != hand else (hand,)
    if len(sizes) > 1:
        rules.crib_table = _places(hand)
    return PegGame(rules, _shows(rules, json.dumps(data["show"], sort_keys=True), sizes), players, text, skunks)


_SHOWS: dict[tuple[str, tuple[int, ...]], Any] = {}
MOST_SHOWS: Final = 32


def _shows(rules: Any, show: str, sizes: tuple[int, ...]) -> Any:
    """The tables of hands of these sizes as one record; kept, the oldest making room.

    show : all that the rules say of the show, as canonical JSON; variants of a game often differ in nothing of it
    """
    found = _SHOWS.get((show, sizes))
    if found is None:
        found = rec.show_record(np.concatenate([_show_table(rules, size) for size in sizes]))
        if len(_SHOWS) >= MOST_SHOWS:
            _SHOWS.pop(next(iter(_SHOWS)), None)
        _SHOWS[show, sizes] = found
    return found


def _places(cards: int) -> int:
    """How long a table of the show is."""
    return 13 * math.comb(12 + cards, cards)


def _show_table(rules: Any, cards: int) -> np.ndarray:
    """Packed points of every set of ranks of so many cards with every rank of the starter."""
    from noddysim.kernels.show import fill_show_table

    table = np.zeros(_places(cards), np.int64)
    fill_show_table(rules, cards, table)
    kinds = [table >> rec.SUMS_SHIFT, *(table >> shift & rec.SHOW_MASK for shift in rec.SHOW_SHIFT[1:])]
    if not np.array_equal(table & rec.TOTAL_MASK, sum(kinds)):
        raise OverflowError("these rules give more points in the show than can be counted")
    return table


def _rules_record(data: Mapping[str, Any], players: int) -> Any:
    play, show = data["play"], data["show"]
    play_flat, play_each = _by_count(play, play["limit"], rec.PLAY_SHIFT)
    show_flat, show_each = _by_count(show, 31, (rec.SHOW_SHIFT[0],) * 3)
    values = {
        **_cards(data, players),
        **_turned(data["turned"]),
        **_mog(data["mog"]),
        **_honours(show["jacks_deuces"]),
        "limit": play["limit"],
        "piles": _PILES[play["piles"]],
        "first_go_leads": play["next_lead"] == "first_go",
        "combos_cross_piles": play["combo_scope"] == "deal",
        "go_breaks": play["go_breaks"],
        "last": play["last"],
        "final_card_point": play["final_card_point"],
        "limit_extra": play["thirtyone_extra"],
        "play_flat": play_flat,
        "play_each": play_each,
        "play_same": _packed(_same(play["same_rank"]), rec.PLAY_SHIFT[3]),
        "play_run": _packed(_by_length(play["run"]), rec.PLAY_SHIFT[4]),
        "flushes": play["flush"] != "off",
        "play_flush": _packed(_by_length(play["flush"]), rec.PLAY_SHIFT[5]),
        "order": [_PHASE[phase] for phase in data["order"]],
        "target": data["target"],
        "next_dealer": _NEXT_DEALER[data["next_dealer"]],
        "head_start": _padded([data["head_start"][name] for name in (*SEATS[: players - 1], "dealer")], rec.MAX_SEATS),
        "three_for_last": _THREE_FOR_LAST[data["three_for_last"]],
        "show_flat": show_flat,
        "show_each": show_each,
        "show_same": _packed(_same(show["same_rank"]), rec.SHOW_SHIFT[1]),
        "show_run": _packed(_by_length(show["run"]), rec.SHOW_SHIFT[2]),
        "run_each": show["run_multiplicity"] == "each",
        "flush_kind": _FLUSH[show["hand_flush"]],
        "flush_points": _by_length(show["flush"]),
        "nob": show["nob"],
        "crib_flush": _CRIB_FLUSH[show["crib_flush"]],
        "colours": bool(show["colours"]),
        "colour_points": show["colours"] or [0] * 5,
        "crib_table": 0,
        "crib_worth": 0,
    }
    record = rec.new_record(rec.PEG_RULES)
    for field in rec.PEG_RULES:
        record[field.name] = values[field.name]
    return record


def _cards(data: Mapping[str, Any], players: int) -> dict[str, Any]:
    """How many cards go where, and how many sides play."""
    discard, to_crib = (data[key][NUMBERS[players]] for key in ("discard", "deal_to_crib"))
    dealt = data["hand"] + discard
    ways = [sum(1 << place for place in places) for places in itertools.combinations(range(dealt), discard)]
    return {
        "hand": data["hand"],
        "dealt": dealt,
        "discard": discard,
        "ways": len(ways),
        "way": _padded(ways, rec.CHOICES),
        "to_crib": to_crib,
        "crib": players * discard + to_crib if data["crib"] else 0,
        "sides": 2 if data["partners"] and players == 4 else players,
    }


def _turned(turned: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a turned card brings, entry by entry."""
    return {
        "turned": len(turned),
        "turned_rank": _padded([rank_from_text(entry["rank"]) for entry in turned], rec.MAX_TURNED),
        "turned_to": _padded([_TO[entry["to"]] for entry in turned], rec.MAX_TURNED),
        "turned_points": _padded([entry["points"] for entry in turned], rec.MAX_TURNED),
    }


def _mog(mog: Mapping[str, Any]) -> dict[str, Any]:
    """Whether a card is exchanged and what that brings."""
    return {
        "mog": mog["exchange"] != "off",
        "mog_first": 1 if mog["first"] == "dealer" else 0,
        "mog_refusal": mog["refusal"],
        "mog_giver": mog["bonus"] in ("giver", "both"),
        "mog_taker": mog["bonus"] in ("taker", "both"),
    }


def _honours(entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What ranks in hand score for themselves, by rank and by whether the suit is the starter's."""
    honour = np.zeros((13, 2), np.int64)
    for entry in entries:
        honour[rank_from_text(entry["rank"])] += entry["points"], entry["suited"]
    return {"honours": bool(honour.any()), "honour": honour}


def _padded(numbers: Sequence[int], size: int) -> list[int]:
    """The numbers, filled up with noughts to a fixed size."""
    return [*numbers, *[0] * (size - len(numbers))]


def _packed(points: np.ndarray, shift: int) -> np.ndarray:
    """Points in the total and in the part that begins at bit ``shift``."""
    packed: np.ndarray = points | (points << shift)
    return packed


def _by_count(section: Mapping[str, Any], limit: int, shifts: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Packed points by count (or sum), flat and for each card, each int64 (64,)."""
    flat = np.zeros(rec.COUNTS, np.int64)
    each = np.zeros(rec.COUNTS, np.int64)
    for name, count, shift in zip(("fifteen", "twentyfive", "thirtyone"), (15, 25, limit), shifts, strict=False):
        value = section[name]
        where, points = (each, 1) if value == "per_card" else (flat, value)
        where[count] += points | (points << shift)
    return flat, each


def _same(points: list[int]) -> np.ndarray:
    """Points by number of equal cards, int64 (5,): nothing for none or one."""
    return np.array([0, 0, *points], np.int64)


def _by_length(points: str | list[int]) -> np.ndarray:
    """Points by length, int64 (16,): from three cards on; beyond a list one more a card."""
    table = np.zeros(16, np.int64)
    for length in range(3, 16):
        if points == "off":
            continue
        if points == "length":
            table[length] = length
        elif length - 3 < len(points):
            table[length] = int(points[length - 3])
        else:
            table[length] = table[length - 1] + 1
    return table


def decisions(variant: Variant, players: int) -> frozenset[str]:
    """The kinds of decision that exist in a variant: advice on any other kind is vacuous there."""
    rules = show_game(variant, players).rules
    kinds = {"lead", "follow", "play"}
    if rules.discard:
        kinds.add("discard")
    if rules.mog:
        kinds.add("mog")
    return frozenset(kinds)


def same_cards(one: Variant, other: Variant, players: int) -> bool:
    """Whether the same cards reach the same seats in both, so that a difference is due to the rules alone."""
    a, b = (show_game(variant, players).rules for variant in (one, other))
    return bool(a.hand == b.hand and a.discard == b.discard and a.to_crib == b.to_crib and a.mog == b.mog)
