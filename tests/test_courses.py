"""How games go: the kernels' counts against games followed award by award, and the numbers made of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
import reference
import table
from bugs_cases import Differences, rules_with

from noddysim.engine import batch
from noddysim.engine.courses import COMEBACK, PARTS, PeggingCourse
from noddysim.engine.games import PegGame
from noddysim.engine.laying import play_games
from noddysim.engine.measures import GAME_FIELDS, GameCount
from noddysim.game.errors import InputError
from noddysim.game.minds import read_mind
from noddysim.game.rules import load_variant
from noddysim.insight.balance import compare
from noddysim.insight.balance_files import check_folder, write_files
from noddysim.insight.balance_words import difference_words, fairness_words, why_words
from noddysim.insight.rows import UNITS, Comparison
from noddysim.insight.spreads import clustered_share, quantile
from noddysim.insight.stats import PairSums
from noddysim.kernels import noddy
from noddysim.kernels.records import GAPS

DOCS = Path(__file__).parent.parent / "docs" / "metrics.md"


# --- the counts -----------------------------------------------------------------------------------------------------


def awards_of(deal: reference.Deal) -> Iterator[tuple[int, int, int]]:
    """Seat and points of each award of a deal, and how many of its cards had been laid by then."""
    laid = [
        place
        for place, event in enumerate(deal.events, 1)
        for points in (event.total - event.points["last"], event.points["last"])
        if points
    ]
    in_play = iter(laid)
    cards = 0
    for award in deal.awards:
        points = sum(award.points.values())
        if award.phase == "play" and points:
            cards = next(in_play)
        elif award.phase in ("show", "crib") and cards:
            cards = len(deal.events)
        yield award.seat, points, cards


def followed(
    seed: int, number: int, players: int, rules: reference.Rules, mind: str
) -> tuple[list[int], list[list[int]]]:
    """The course of a game as the kernel should note it, and the gaps at the start of each deal after the first."""
    scores = reference.head_starts(rules, players)
    sides, dealer, before, taken = len(scores), players - 1, 0, 0
    leader = reference.sole_leader(scores)
    worst = [max(0, gap) for gap in gaps_of(scores)]
    starts: list[list[int]] = []
    first = True
    while True:
        persons = [(dealer + 1 + seat) % players for seat in range(players)]
        if not first:
            starts.append(gaps_of(scores))
        key = reference.game_deal_key(seed, number, len(starts))
        dealt = reference.dealt_by_rules(key, players, rules)
        strategies = [table.as_data(mind)] * players
        at_seats = [scores[person % sides] for person in persons[:sides]]
        deal = reference.play_dealt(dealt, rules, strategies, key, at_seats, int(rules["target"]), first)
        for seat, points, cards in awards_of(deal):
            scores[persons[seat] % sides] += points
            worst = [max(one, gap) for one, gap in zip(worst, gaps_of(scores), strict=True)]
            ahead = reference.sole_leader(scores)
            if ahead is not None and ahead != leader:
                leader, taken = ahead, before + cards
        before += len(deal.events)
        if deal.winner is not None:
            winner = persons[deal.winner] % sides
            trailing = sum(gaps[winner] > 0 for gaps in starts)
            return [worst[winner], trailing, taken, max(starts[-1][winner], 0) if starts else 0], starts
        dealer = reference.next_dealer(rules, dealer, [scores[person % sides] for person in range(players)])
        first = False


def gaps_of(scores: Sequence[int]) -> list[int]:
    """How far each is behind the best of the others, below nought if ahead."""
    return [
        max(score for other, score in enumerate(scores) if other != place) - own for place, own in enumerate(scores)
    ]


def by_kernel(game: PegGame, mind: str, seed: int, number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Records, courses and comebacks of the first games of a seed."""
    rows = np.zeros((number, len(noddy.FIELDS)), np.int64)
    courses = np.zeros((number, len(noddy.COURSE)), np.int64)
    comebacks = np.zeros((GAPS, len(COMEBACK)), np.int64)
    noddy.record_courses(
        game.rules, game.shows, table.strategy_records([mind]), np.zeros(game.players, np.int64),
        table.records.new_table(), game.players, np.uint64(seed), 0, number, rows, courses, comebacks,
    )  # fmt: skip
    return rows, courses, comebacks


RULES: list[tuple[int, Differences]] = [
    (2, {}),
    (3, {"target": 21, "next_dealer": "lowest"}),
    (4, {"target": 61, "partners": True}),
    (3, {"head_start": {"eldest": 3, "second": 1, "third": 0, "dealer": 2}, "target": 15}),
    (2, {"order": ["heels", "show", "play"]}),
]


@pytest.mark.parametrize(("players", "rules"), RULES)
def test_games_go_as_the_twin_follows_them(players: int, rules: Differences) -> None:
    number = 25
    twins = [followed(3, game, players, rules_with(rules), "greedy") for game in range(number)]
    rows, courses, comebacks = by_kernel(table.game_with(rules, players), "greedy", 3, number)
    assert courses.tolist() == [course for course, _ in twins]
    assert np.array_equal(comebacks, expected_comebacks(twins, rows[:, GAME_FIELDS.index("winner")]))


def expected_comebacks(twins: Sequence[tuple[list[int], list[list[int]]]], winners: np.ndarray) -> np.ndarray:
    expected = np.zeros((GAPS, len(COMEBACK)), np.int64)
    for (_, starts), winner in zip(twins, winners, strict=True):
        times, won = np.zeros(GAPS, np.int64), np.zeros(GAPS, np.int64)
        for gaps in starts:
            for side, gap in enumerate(gaps):
                if gap >= 0:
                    times[gap] += 1
                    won[gap] += side == winner
        expected += np.stack([times > 0, won, times, won * won, won * times, times * times], axis=1)
    return expected


def test_following_a_game_changes_nothing_and_ends_with_it() -> None:
    game = table.noddy_game(3)
    rows, courses, _ = by_kernel(game, "lookahead", 8, 200)
    assert np.array_equal(rows, table.record_games(game, ["lookahead"] * 3, 8, 0, 200))
    names = dict(zip(noddy.COURSE, courses.T, strict=True))
    assert (names["taken"] <= rows[:, GAME_FIELDS.index("cards")]).all()
    assert (names["last_gap"] <= names["worst"]).all()
    assert (names["trailing"] < rows[:, GAME_FIELDS.index("deals")]).all()


def test_courses_add_up_whatever_the_chunks() -> None:
    measure = PeggingCourse((table.noddy_game(2), table.game_with({"target": 61}, 2)), read_greedy(), 1)
    whole = batch.run(measure, 300, workers=1)
    assert whole == batch.run(measure, 300, workers=2, chunk=37)
    assert whole["deals"].sum(axis=1).tolist() == whole["cards"].sum(axis=1).tolist() == [300, 300]
    plain = batch.run(GameCount(measure.games, read_greedy(), 1), 300)
    assert np.array_equal(whole["deals"][:, :256], plain["deals"])


def read_greedy() -> table.Strategy:
    return table.strategy("greedy")


@pytest.mark.parametrize(("variant", "mind"), [("innocence", "most-points"), ("snitch", "most-points")])
def test_games_of_melds_and_sets_are_followed_too(variant: str, mind: str) -> None:
    loaded = load_variant(variant)
    played = play_games(loaded, [read_mind(loaded.family.name, mind)] * 3, 4, 0, 40)
    column = played.counts.column
    assert (column("taken") <= column("cards")).all() and (column("taken") > 0).any()
    assert (column("last_gap") <= column("worst")).all()
    assert (column("trailing") < column("deals")).all()
    never_changed = column("lead_changes") == 0
    assert never_changed.any() and (column("worst")[never_changed] >= 0).all()
    assert (column("worst")[~never_changed] > 0).all()


# --- the numbers ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found() -> Comparison:
    """Two variants, with a ladder of two strategies of one level."""
    return compare(["noddy", "noddy-no-jack"], games=2_000, skill=400, ladder=["greedy", "random"], seed=2, band=0.08)


def test_rows_tell_how_games_go(found: Comparison) -> None:
    for row in found.rows:
        assert row.course is not None and row.skill is not None
        for name in ("drama", "decided", "from_behind", "trailing"):
            value = row.metrics[name]
            assert value.low is not None and value.high is not None
            assert 0 <= value.low <= value.estimate <= value.high
        assert row.metrics["decided"].high is not None and row.metrics["decided"].high < 1
        level = row.course.comebacks[0]
        assert level.estimate == 0.5
        chances = [row.course.comebacks[gap].estimate for gap in (1, 5, 10)]
        assert chances == sorted(chances, reverse=True)
        spread = row.course.spreads["deals"]
        assert sum(spread.counts.values()) == 2_000
        lengths = np.repeat(list(spread.counts), list(spread.counts.values()))
        expected = np.percentile(lengths, [5, 50, 95], method="inverted_cdf")
        assert [spread.percentiles[p].estimate for p in (5, 50, 95)] == expected.tolist()


def test_decided_is_a_share_of_the_cards() -> None:
    measure = PeggingCourse((table.noddy_game(2),), read_greedy(), 6)
    rows, courses, _ = by_kernel(table.noddy_game(2), "greedy", 6, 50)
    cards = rows[:, GAME_FIELDS.index("cards")]
    exact = (courses[:, noddy.COURSE.index("taken")] / cards).mean()
    assert measure.count(0, 50)["sums"][0, 1] / 50 / PARTS == pytest.approx(exact, abs=1 / PARTS)


def test_the_band_decides_what_is_fair(found: Comparison) -> None:
    assert {row.verdict for row in found.rows} == {"fair"}
    narrow = compare(["noddy"], games=2_000, seed=2, band=0.001)
    assert narrow.rows[0].edge == found.rows[0].edge
    assert narrow.rows[0].verdict != "fair"
    with pytest.raises(InputError, match="band: 1 is no chance between 0 and 1"):
        compare(["noddy"], games=10, band=1.0)


def test_the_p_value_and_the_interval_of_the_edge_agree() -> None:
    row = compare(["noddy"], games=20_000, seed=1).rows[0]
    assert row.edge_p is not None and row.edge.low is not None
    assert (row.edge_p < 0.05) == (row.edge.low > 0)


def test_the_json_tells_skill_and_course(found: Comparison) -> None:
    row = found.to_json()["rows"][0]
    assert {"estimate", "low", "high", "better", "worse", "fair", "ladder", "share"} <= row["skill"].keys()
    assert {"estimate", "low", "high", "p", "band"} <= row["edge"].keys()
    assert {"p5", "p50", "p95", "counts"} <= row["spreads"]["cards"].keys()
    assert {"behind", "estimate", "low", "high"} <= row["comebacks"][0].keys()
    metrics = {one["metric"] for one in found.to_json()["differences"]}
    assert {"edge", "deals", "skill", "skill_share", "drama", "decided", "from_behind"} <= metrics


def test_the_words_name_what_differs_and_what_does_not(found: Comparison) -> None:
    (told,) = difference_words(found, terminal=True)
    assert told.startswith("noddy beside noddy-no-jack, 2 players (on the same cards): In noddy games take fewer deals")
    assert "No difference shows in" in told
    assert "more from the turned card" in why_words(found.rows[0], terminal=True)
    assert "turned card" not in why_words(found.rows[1], terminal=True)
    assert fairness_words(found) == []
    two = compare(["noddy"], strategies=["greedy", "low"], games=500, band=0.2)
    assert fairness_words(two) == ["noddy, 2 players: fair with greedy and low."]


def test_tables_are_written_as_files(found: Comparison, tmp_path: Path) -> None:
    names = [path.name for path in write_files(found, str(tmp_path / "new"))]
    assert names == ["rows.csv", "points.csv", "lengths.csv", "comebacks.csv", "ladder.csv", "differences.csv"]
    text = (tmp_path / "new" / "rows.csv").read_text(encoding="utf-8")
    assert text.splitlines()[0].startswith("variant,players,strategy,metric,estimate,low,high,unit")
    assert "skill_share" in text
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="that is a file"):
        check_folder(str(tmp_path / "file"))


def test_every_metric_is_defined_in_the_docs() -> None:
    text = DOCS.read_text(encoding="utf-8")
    told_elsewhere = {
        "melds", "draws", "passes", "first_melder_wins", "won_by_first_meld", "first_round", "stock_out", "by_jack",
        "wilds_left", "cards_left", "best",
    }  # fmt: skip
    for name in {*UNITS, "seat_wins", "points", "phases", "spreads", "comebacks", "verdict"} - told_elsewhere:
        assert f"`{name}`" in text, name


# --- intervals ------------------------------------------------------------------------------------------------------


def test_intervals_of_percentiles_cover_as_they_say() -> None:
    """Of 400 samples of 200 the interval of the 90th percentile holds the true one, 9 of 0 … 9 evenly spread."""
    draws = np.random.default_rng(1).integers(0, 100, (400, 200))
    held = 0
    for sample in draws:
        value = quantile(np.bincount(sample, minlength=100), 0.9, "cards")
        assert value.low is not None and value.high is not None
        held += value.low <= 89 <= value.high
    assert held >= 0.93 * 400
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile(np.array([1]), 1.0, "cards")


def test_occasions_of_one_game_are_no_independent_evidence() -> None:
    """A hundred games with ten occasions each that all go alike are worth no more than a hundred cases."""
    pair = PairSums(100, 500, 1_000, 5_000, 5_000, 10_000)
    share = clustered_share(pair)
    assert share is not None and share.estimate == 0.5
    assert share.low is not None and share.low == pytest.approx(0.4038, abs=0.002)
    none = clustered_share(PairSums(40, 0, 80, 0, 0, 160))
    assert none is not None and (none.low, none.estimate) == (0.0, 0.0)
    assert none.high is not None and 0.05 < none.high < 0.12
    assert clustered_share(PairSums(40, 0, 0, 0, 0, 0)) is None
