"""The page that holds our numbers against published ones: the verdicts, the data behind it, and what the page says."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from pydantic import ValidationError

from noddysim.cli import cli
from noddysim.engine.tally import Tally
from noddysim.game.errors import InputError
from noddysim.insight import verification
from noddysim.insight.estimates import Estimate
from noddysim.insight.laying_study import laying_extent
from noddysim.insight.parts import Parts
from noddysim.insight.published import LAID, Figure, Published, load_published
from noddysim.insight.rare_hands import rare_odds
from noddysim.insight.report import report_files
from noddysim.insight.rules_study import rules_extent
from noddysim.insight.stats import counted
from noddysim.insight.study import Amounts, Study, load_experiment, run_experiment
from noddysim.insight.trust import trust_extent
from noddysim.insight.verification import (
    AGREES,
    DIFFERS,
    Check,
    Extent,
    Verification,
    added,
    check_figure,
    extent_of,
    game_numbers,
    span_of,
    verdict_of,
    verify,
)

ROOT = Path(__file__).resolve().parents[1]
TRUTH = ROOT / "tests" / "golden" / "truth"
SMALL = Extent(deals=8_000, games=2_000)
EXACT = 'question = "What can be counted?"\nkind = "exact"\nvariants = ["noddy"]\nfacts = ["turned-jack"]\n'


@pytest.fixture(scope="module")
def found() -> Verification:
    return verify(SMALL, workers=1)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    path = tmp_path_factory.mktemp("exact") / "facts.toml"
    path.write_text(EXACT, encoding="utf-8")
    return run_experiment(load_experiment(str(path), Amounts()), workers=1)


@pytest.fixture(scope="module")
def files(study: Study, found: Verification) -> dict[str, str]:
    return report_files(Parts([study], found))


def estimate(middle: float, half: float, unit: str = "points a deal") -> Estimate:
    return Estimate(middle, middle - half, middle + half, 100, unit, "t")


def figure(value: str, **more: str) -> Figure:
    given = {"section": "deal", "says": "dealer", "ours": "x", "unit": "points", "status": "people", "work": "rook"}
    return Figure.model_validate({**given, "value": value, **more})


# --- verdicts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [("4.77", "4.765", "4.775"), ("16.2", "16.15", "16.25"), ("56.0", "55.95", "56.05"), ("25", "24.5", "25.5")],
)
def test_the_digits_printed_tell_how_far_a_figure_was_rounded(printed: str, low: str, high: str) -> None:
    span = span_of(printed)
    assert (span.low, span.high) == (Fraction(low), Fraction(high))


def test_a_count_is_meant_as_it_stands_and_an_interval_takes_the_place_of_the_rounding() -> None:
    span = span_of("1009008", whole=True)
    assert span.low == span.value == span.high == 1009008
    assert span_of("4.77", whole=True).high == Fraction("4.775")
    span = span_of("56.17", "53.46", "58.87")
    assert (span.low, span.value, span.high) == (Fraction("53.46"), Fraction("56.17"), Fraction("58.87"))


@pytest.mark.parametrize(
    ("middle", "half", "printed", "allowed", "verdict"),
    [
        (16.20, 0.00, "16.2", 0.0, AGREES),
        (16.25, 0.00, "16.2", 0.0, AGREES),
        (16.251, 0.0, "16.2", 0.0, DIFFERS),
        (16.30, 0.05, "16.2", 0.0, AGREES),
        (16.31, 0.05, "16.2", 0.0, DIFFERS),
        (16.10, 0.05, "16.2", 0.0, AGREES),
        (16.09, 0.05, "16.2", 0.0, DIFFERS),
        (16.50, 0.05, "16.2", 0.2, AGREES),
        (16.51, 0.05, "16.2", 0.2, DIFFERS),
        (15.90, 0.05, "16.2", 0.2, AGREES),
        (15.89, 0.05, "16.2", 0.2, DIFFERS),
    ],
)
def test_interval_rounding_and_tolerance_decide_both_ways(
    middle: float, half: float, printed: str, allowed: float, verdict: str
) -> None:
    assert verdict_of(estimate(middle, half), span_of(printed), allowed) == verdict


def test_without_an_interval_the_estimate_itself_is_held_against_the_figure() -> None:
    alone = Estimate(16.24, None, None, 1, "points a deal", "t")
    assert verdict_of(alone, span_of("16.2")) == AGREES
    assert verdict_of(alone, span_of("16.3")) == DIFFERS


def test_a_count_that_is_off_by_one_differs_and_has_no_tolerance() -> None:
    published = load_published()
    one = figure("1009008", section="counted", unit="hands", status="counted", work="lumetta")
    assert check_figure(one, {"x": counted(1_009_008, 1, "hands")}, published).verdict == AGREES
    wrong = check_figure(one, {"x": counted(1_009_009, 1, "hands")}, published)
    assert (wrong.verdict, wrong.allowed, wrong.by_tolerance) == (DIFFERS, 0.0, False)
    assert wrong.reason == published.reasons["counted"]


def test_percentages_are_held_against_shares() -> None:
    published = load_published()
    percent = figure("55.5", unit="percent")
    check = check_figure(percent, {"x": estimate(0.560, 0.003, "chance to win")}, published)
    assert (check.verdict, check.by_tolerance, check.allowed) == (AGREES, True, 0.01)
    assert check.difference.estimate == pytest.approx(-0.005)
    assert check.difference.interval == pytest.approx((-0.008, -0.002))
    assert check_figure(percent, {"x": estimate(0.569, 0.003, "chance to win")}, published).verdict == DIFFERS
    inside = check_figure(percent, {"x": estimate(0.556, 0.003, "chance to win")}, published)
    assert (inside.verdict, inside.by_tolerance) == (AGREES, False)


def test_a_figure_may_have_a_tolerance_and_a_reason_of_its_own() -> None:
    published = load_published()
    ours = {"x": estimate(26.7, 0.01)}
    assert check_figure(figure("26.4"), ours, published).verdict == DIFFERS
    assert check_figure(figure("26.4", allowed="0.4"), ours, published).verdict == AGREES
    assert check_figure(figure("26.4", reason="Because."), ours, published).reason == "Because."
    assert check_figure(figure("26.4"), ours, published).reason == published.reasons["people"]


# --- the published figures ------------------------------------------------------------------------------------------


def test_every_figure_and_every_list_has_a_source_with_an_address() -> None:
    published = load_published()
    works = [one.work for one in published.figures] + [published.distribution.work]
    works += [table.own_work for table in published.tables]
    works += [table.theirs_work for table in published.tables if table.theirs_work]
    for work in works:
        assert re.match(r"https?://\S+\.\S+", published.works[work].address), work
    assert set(works) == set(published.works), "no source stands there for nothing"


def test_every_figure_names_a_number_of_ours(found: Verification) -> None:
    assert len(found.checks) == len(found.published.figures) >= 30
    with pytest.raises(KeyError):
        check_figure(figure("1", ours="dealer.luck"), {}, found.published)


def test_the_lists_of_mean_cribs_are_those_of_the_truth_files() -> None:
    published = load_published()
    columns = {"Hessel": "hessel", "Schell": "schell", "Rasmussen": "rasmussen", "Colvert": "colvert",
               "Cribbage Pro": "cribbagepro"}  # fmt: skip
    with (TRUTH / "discard_tables.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [f"{row['pair'][0]}-{row['pair'][1]}" for row in rows] == list(LAID)
    for whose, end in (("own", "own"), ("theirs", "opp")):
        for table in published.tables_of(whose):
            means = published.means(table, whose)
            given = [float(row[f"{columns[table.name]}_{end}"]) for row in rows]
            assert [float(mean) for mean in means.values()] == given, (table.name, whose)


def changed(place: str, value: object) -> dict[str, object]:
    """The published data with one thing changed; ``place`` is keys and numbers joined by dots."""
    data = load_published().model_dump()
    here: object = data
    *way, last = place.split(".")
    for step in way:
        here = here[int(step)] if isinstance(here, list) else here[step]  # type: ignore[index]
    assert isinstance(here, dict)
    if value is None:
        del here[last]
    else:
        here[last] = value
    return data


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        ("figures.0.work", "nobody", "no such work: nobody"),
        ("tables.0.theirs_work", "nobody", "no such work: nobody"),
        ("distribution.work", "nobody", "no such work: nobody"),
        ("works.rook.address", "", "address"),
        ("works.rook.address", "a book", "address"),
        ("figures.0.work", None, "work"),
        ("figures.0.value", "about 16", "value"),
        ("cribs.own.A-A", None, "91 pairs"),
        ("cribs.theirs.A-A", "6.07 6.02 5.59", "there are 4 tables"),
    ],
)
def test_data_without_a_source_or_with_gaps_are_refused(place: str, value: object, words: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(words)):
        Published.model_validate(changed(place, value))


# --- our numbers ----------------------------------------------------------------------------------------------------


def test_counts_agree_and_so_do_most_figures_of_play(found: Verification) -> None:
    assert {check.verdict for check in found.of("counted")} == {AGREES}
    assert [ours for _, ours, _ in found.counts] == [given for _, _, given in found.counts]
    differing = [check.figure.work for check in found.checks if check.verdict == DIFFERS]
    assert differing == ["hoyle"], "an old rule of thumb"


def test_shows_of_every_game_are_counted(found: Verification) -> None:
    cases = {name: found.shows[name].cases for name in verification.SHOWS}
    assert cases == {"hand": 12_994_800, "crib": 12_994_800, "noddy": 1_082_900, "costly": 1_082_900}
    assert found.numbers["costly.most"].estimate == 34
    assert found.numbers["costly.most-hands"].estimate == 8
    assert found.numbers["noddy.mean"].estimate == pytest.approx(2_807_256 / 1_082_900)
    assert found.numbers["crib.share-of-nothing"].estimate == pytest.approx(1_022_208 / 12_994_800)


def test_lists_of_mean_cribs_agree_save_those_from_one_players_games(found: Verification) -> None:
    verdicts = {(check.table.name, check.whose): check.verdict for check in found.cribs}
    assert len(verdicts) == 9 and ("Cribbage Pro", "theirs") not in verdicts
    assert {name for (name, _), verdict in verdicts.items() if verdict == DIFFERS} == {"Rasmussen"}
    for check in found.cribs:
        furthest = max(abs(check.difference(laid)) for laid in LAID)
        assert abs(check.difference(check.furthest)) == furthest
        assert (check.agreeing == 91) == (check.verdict == AGREES)


def test_a_dealers_points_are_those_of_his_play_hand_crib_and_heels(found: Verification) -> None:
    numbers = found.by_strategy[verification.STRATEGY]
    parts = sum(numbers[f"dealer.{kind}"].estimate for kind in ("play", "show", "crib"))
    heels = numbers["dealer.deal"].estimate - parts
    assert heels == pytest.approx(2 / 13, abs=0.02)
    assert numbers["pone.deal"].estimate == pytest.approx(numbers["pone.play"].estimate + numbers["pone.show"].estimate)


def test_sums_of_estimates_add_their_intervals() -> None:
    both = added(estimate(16, 0.5), estimate(10, 0.25))
    assert (both.estimate, both.low, both.high) == (26, 25.25, 26.75)
    half = added(estimate(16, 0.5), estimate(10, 0.25), 2)
    assert (half.estimate, half.low, half.high) == (13, 12.625, 13.375)
    assert added(estimate(16, 0.5), Estimate(10, None, None, 1, "points a deal", "t")).interval == (None, None)


def test_ends_of_games_are_read_by_winner_and_score_of_the_loser() -> None:
    losers = np.zeros((2, 121), np.int64)
    losers[1, 120], losers[0, 119], losers[1, 90], losers[1, 91], losers[0, 60] = 1, 2, 3, 4, 10
    deals = np.zeros(256, np.int64)
    deals[8], deals[9] = 5, 15
    found = game_numbers(Tally({"deals": deals, "losers": losers}))
    shares = {"first-dealer.wins": 8, "first-dealer.skunks": 3, "game.by-one": 1, "game.by-two": 2}
    assert {name: round(found[name].estimate * 20) for name in shares} == shares
    assert found["game.deals"].estimate == 8.75
    assert found["first-dealer.deals"].estimate == (5 * 4 + 15 * 5) / 20


def test_one_deal_and_one_game_are_enough(study: Study) -> None:
    files = report_files(Parts([study], verify(Extent(1, 1), workers=1)))
    assert "no interval" in files["verification.html"]


def test_other_workers_and_progress_change_nothing(found: Verification) -> None:
    told: list[tuple[str, int]] = []
    done = [0]

    def announce(title: str, amount: int):  # type: ignore[no-untyped-def]
        told.append((title, amount))
        return lambda number: done.__setitem__(0, done[0] + number)

    again = verify(SMALL, workers=2, announce=announce)
    for name in ("numbers", "checks", "by_strategy", "cribs", "runs"):
        assert getattr(again, name) == getattr(found, name), name
    assert len(told) == len(verification.STRATEGIES) + 1
    assert done[0] == sum(amount for _, amount in told) == SMALL.work


def test_amounts_can_be_given_and_are_checked() -> None:
    usual = Extent()
    assert extent_of() == usual
    assert extent_of(deals=40, games=6, seed=9) == Extent(40, 6, 9)
    assert extent_of(games=6).deals == usual.deals
    for wrong in ({"deals": 0}, {"games": 0}, {"seed": -1}):
        with pytest.raises(InputError):
            extent_of(**wrong)


# --- the page -------------------------------------------------------------------------------------------------------


def table(files: Mapping[str, str], name: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(files[f"tables/verification-{name}.csv"]), dtype={"published": str})


def test_the_page_stands_beside_the_others_and_is_linked(files: dict[str, str]) -> None:
    assert {"verification.html", "verification.md"} <= set(files)
    for name in ("index", "claims"):
        assert 'href="verification.html"' in files[f"{name}.html"]
        assert "(verification.md)" in files[f"{name}.md"]
    assert "published figures on cribbage agree with ours" in files["index.md"]
    page = files["verification.html"]
    for anchor in ("counted", "deal", "games", "cribs", "sources", "method"):
        assert f'id="{anchor}"' in page
    assert page.count("<figure>") == 2
    assert "150,000" not in page
    assert f"{SMALL.deals:,} deals by each player and {SMALL.games:,} games" in page


@pytest.mark.usefixtures("undrawn")
def test_without_the_checks_there_is_no_such_page(study: Study) -> None:
    files = report_files(Parts([study]))
    assert not [name for name in files if "verification" in name]
    assert "verification" not in files["index.html"] + files["provenance.json"]


@pytest.mark.parametrize("section", ["counted", "deal", "game"])
def test_tables_have_a_row_a_figure_with_both_values_verdict_and_source(
    found: Verification, files: dict[str, str], section: str
) -> None:
    rows = table(files, section)
    assert list(rows.columns) == [
        "what", "published", "unit", "ours", "ours_low", "ours_high", "ours_unit", "ours_n", "ours_method",
        "difference", "difference_low", "difference_high", "difference_unit", "difference_n", "difference_method",
        "verdict", "source", "remark",
    ]  # fmt: skip
    checks = [check for check in found.checks if check.figure.section == section]
    assert list(rows["published"]) == [check.figure.value for check in checks]
    assert list(rows["verdict"]) == [check.verdict for check in checks]
    assert list(rows["ours"]) == [check.ours.estimate for check in checks]
    addresses = table(files, "sources").set_index("source")["address"]
    assert all(addresses[source].startswith("http") for source in rows["source"])
    needs = [check.verdict == DIFFERS or check.by_tolerance for check in checks]
    assert [isinstance(remark, str) for remark in rows["remark"]] == needs


def test_every_pair_laid_away_stands_in_the_tables_of_cribs(found: Verification, files: dict[str, str]) -> None:
    for whose, lists in (("own", 5), ("theirs", 4)):
        rows = table(files, f"cribs-{whose}")
        assert list(rows["laid"]) == list(LAID)
        assert {"ours", "ours_low", "ours_high", "hessel", "schell", "rasmussen", "colvert"} <= set(rows.columns)
        assert ("cribbage_pro" in rows.columns) == (lists == 5)
        differing = rows["differing"].dropna()
        rasmussen = next(c for c in found.cribs if (c.table.name, c.whose) == ("Rasmussen", whose))
        assert len(differing) == 91 - rasmussen.agreeing and set(differing) == {"Rasmussen"}
    summary = table(files, "cribs")
    assert list(summary["agree"]) == [check.agreeing for check in found.cribs]


def test_what_differs_is_told_with_its_reason(found: Verification, files: dict[str, str]) -> None:
    page = files["verification.md"]
    hoyle = next(check for check in found.checks if check.figure.work == "hoyle")
    assert hoyle.verdict == DIFFERS and hoyle.reason in page
    assert "What differs, and why" in page and "Rasmussen noted down his own games" in page


def test_each_half_of_a_list_has_a_reason_that_speaks_of_it(found: Verification, files: dict[str, str]) -> None:
    own, theirs = (check for check in found.cribs if check.table.name == "Rasmussen")
    assert "his cribs" in own.reason and "other's crib" not in own.reason
    assert "discards to the other's crib" in theirs.reason
    page = files["verification.md"]
    assert "furthest at 6-Q, 3.73 against 3.06. The other lists have 3.0 to 3.23 there." in page
    plain = next(check for check in found.cribs if check.table.name == "Schell")
    assert plain.reason == found.published.reasons["unstated"]


def test_the_picture_says_what_it_leaves_out_and_tells_its_rows_apart(
    found: Verification, files: dict[str, str]
) -> None:
    page, picture = files["verification.md"], files["figures/verification-deal.svg"]
    assert "12 of 13 published figures agree" in page and "11 of 11 figures on single deals agree" in page
    assert "Left out, since they need another scale: “one player over two deals” 26.4" in page
    assert "dealer's play: 3.5 (Chambers)" in picture and "dealer's play: 3.5 (Rook)" in picture


def test_the_odds_of_the_rarest_hands_are_counted(found: Verification, files: dict[str, str]) -> None:
    assert rare_odds(4) == {28: Fraction(12_994_800, 76), 29: Fraction(12_994_800, 4)}
    assert rare_odds(6) == {28: Fraction(936_491_920, 62_316), 29: 216_580}
    rows = table(files, "odds")
    assert list(rows["one_29"]) == [3_248_700, 649_740, 216_580]
    assert rows["one_28"].round(1).tolist() == [170_984.2, 39_505.5, 15_028.1]
    works = {check.figure.work for check in found.of("counted") if ".odds-" in check.figure.ours}
    assert works == {"cornell", "setthings"}
    assert "Not shown here:" in files["verification.md"]


@pytest.mark.usefixtures("undrawn")
def test_a_page_on_which_nothing_differs_says_so(study: Study, found: Verification) -> None:
    kept = tuple(check for check in found.checks if check.verdict == AGREES)
    cribs = tuple(check for check in found.cribs if check.verdict == AGREES)
    page = report_files(Parts([study], replace(found, checks=kept, cribs=cribs)))["verification.md"]
    assert "Nothing differs." in page and "What differs" not in page


@pytest.mark.usefixtures("undrawn")
def test_a_wrong_count_of_ours_would_be_seen(study: Study, found: Verification) -> None:
    def spoilt(check: Check) -> Check:
        wrong = counted(int(check.ours.estimate) + 1, 1, check.ours.unit)
        return replace(check, ours=wrong) if check.figure.ours == "hand.nothing" else check

    checks = tuple(map(spoilt, found.checks))
    files = report_files(Parts([study], replace(found, checks=checks)))
    rows = table(files, "counted").set_index("what")
    assert rows.loc["cribbage: hands that show nothing", "verdict"] == DIFFERS
    assert found.published.reasons["counted"] in files["verification.md"]


def test_the_record_names_what_was_played(files: dict[str, str], found: Verification) -> None:
    record = json.loads(files["provenance.json"])["verification"]
    assert (record["deals"], record["games"], record["seed"]) == (SMALL.deals, SMALL.games, SMALL.seed)
    assert [run["id"] for run in record["runs"]] == [run["id"] for run in found.runs]
    assert len({run["id"] for run in record["runs"]}) == 4


def test_the_standard_report_has_the_page_and_asks_for_all_parts_and_one_of_given_files_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``--deals`` and ``--games`` say how much is played. The verification makes such a report with all its parts."""
    asked: dict[str, object] = {}
    for name in ("lay", "answer", "weigh_rules", "make_sure"):
        monkeypatch.setattr(
            f"noddysim.insight.parts.{name}", lambda what, *_, name=name, **__: asked.__setitem__(name, what)
        )
    monkeypatch.chdir(tmp_path)
    (tmp_path / "experiments").mkdir()
    (tmp_path / "experiments" / "facts.toml").write_text(EXACT, encoding="utf-8")
    amounts = ["--deals", "30", "--games", "5", "--workers", "1"]
    done = CliRunner().invoke(cli, ["report", *amounts], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "30 deals by each player and 5 games" in (tmp_path / "reports" / "verification.md").read_text("utf-8")
    assert asked.pop("answer") is not None
    assert asked == {
        "lay": laying_extent(games=5), "weigh_rules": rules_extent(30, 5), "make_sure": trust_extent(30, 5),
    }  # fmt: skip
    asked.clear()
    done = CliRunner().invoke(cli, ["report", "experiments/facts.toml", "--to", "own", "--workers", "1"])
    assert done.exit_code == 0 and not (tmp_path / "own" / "verification.md").exists()
    assert not asked
