"""Rules in force, how it was measured, and the record of where the numbers come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from noddysim.engine.games import BEHAVIOUR
from noddysim.game.experiment import Experiment
from noddysim.game.families import PEGGING
from noddysim.game.laying_data import GAME_WORDS
from noddysim.game.minds import any_tip_json, mind_json
from noddysim.game.rulesheet import rule_sheet, variant_json
from noddysim.insight.document import Block, Column, Fold, Table, TableBlock, bullets, code, paragraph, sheet_blocks
from noddysim.insight.duplicates import FEWEST
from noddysim.insight.evidence import Evidence
from noddysim.insight.words import and_words

LIBRARIES: Final = ("jinja2", "matplotlib", "numba", "numpy", "pandas", "scipy", "statsmodels")


def versions() -> dict[str, str]:
    """Versions of this project and of the libraries that have a part in the numbers or the pictures."""
    from noddysim import __version__

    found = {"noddysim": __version__}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found


def rules_blocks(evidence: Evidence) -> list[Block]:
    """The sheet of every variant played, folded."""
    return [
        Fold(f"Rules in force: {variant.title} ({variant.name})", tuple(sheet_blocks(rule_sheet(variant))))
        for variant in evidence.variants
    ]


def method_blocks(evidence: Evidence, command: str) -> list[Block]:
    """How it was measured, folded."""
    experiments = [study.experiment for study in evidence.studies]
    rules = list(dict.fromkeys(_stop_words(one) for one in experiments if one.stop.rule != "fixed"))
    blocks: list[Block] = [
        bullets(
            "Deals played both ways (duplicates). The same deal is played with the advice in each seat in turn, and "
            "again without it in each seat in turn, always against the same opponents. Luck of the cards is on both "
            "sides of the comparison and cancels out. One such set counts as one piece of evidence, however many deals "
            "it holds.",
            "Points are the player's own less the mean of the others', over whole deals: turned card, play and show. "
            "The chance to win is measured apart, over whole games up to the target.",
            "An interval of 95 % would hold the true value in 95 of 100 such studies. It is Student's, of the paired "
            "differences; for a share of games Wilson's; for points an occasion and for the scale that of a ratio. "
            f"Where fewer than {FEWEST} duplicates come out otherwise it is a bound: the greatest likely share of such "
            "duplicates, times the largest difference seen, and a greater one for what was not seen. Fewer than "
            f"{FEWEST} duplicates have no interval.",
            "The advice of one file is tested together, so its verdicts look at wider intervals (Bonferroni's "
            "correction): all of them hold together with 95 %. The intervals printed are the plain ones, so a verdict "
            "may stay undecided although its interval just misses nought.",
            "The scale puts a card chosen by chance at the decision concerned at 0 and the choice of the best player "
            "known there at 100. It has no value where these two cannot be told apart.",
            "An occasion is a card that the advice changes. A first change may alter what follows in the deal; all "
            "that comes of it is counted to the occasions.",
            "Where it says “exact” nothing was sampled: all cases were counted.",
        ),
        *([bullets(*rules)] if rules else []),
        TableBlock(experiments_table(experiments)),
        paragraph("To repeat all this: ", code(command), ". The same versions give the same files, byte for byte; they "
                  "stand in provenance.json with the rules, the strategies, the seeds and the name of every run."),
    ]  # fmt: skip
    return [Fold("How it was measured", tuple(blocks))]


def _stop_words(experiment: Experiment) -> str:
    """The stopping rule of an experiment, and why its intervals are right all the same."""
    why = {
        "precision": "Such a rule looks at the width only, not at the effect, so Student's interval stays right for "
        "many duplicates (Chow and Robbins, Annals of Mathematical Statistics 1965).",
        "sequential": "Its intervals are confidence sequences (Waudby-Smith and others, Annals of Statistics 2024): "
        "wider than plain ones, but right at every look, so that stopping because of what one sees does not spoil "
        "them. Effects an occasion and places on the scale have no such interval and are left out.",
    }[experiment.stop.rule]
    return (
        f"Experiment {experiment.name}: each arm {experiment.stop.words}. One looks at numbers of duplicates that were "
        f"fixed beforehand. {why}"
    )


def experiments_table(experiments: Sequence[Experiment]) -> Table:
    """What was asked, on which deals, how many."""
    columns = (
        Column("experiment", "experiment"), Column("question", "question", wide=True), Column("kind", "kind"),
        Column("variants", "variants"), Column("players", "players"), Column("seed", "seed"),
        Column("deals", "deals", number=True), Column("games", "games", number=True), Column("zone", "zone"),
    )  # fmt: skip
    rows = [
        (
            one.name, one.question, one.kind, and_words(one.variants), and_words([str(n) for n in one.players]),
            str(one.seed), one.deals, one.games, f"± {one.zone:g}" if one.kind == "duel" else None,
        )
        for one in experiments
    ]  # fmt: skip
    return Table("experiments", "The experiments behind this report", columns, tuple(rows))


def provenance(evidence: Evidence, command: str, files: Sequence[str]) -> dict[str, Any]:
    """All that is needed to know, and to get again, what the report says. No clock, no machine, no path."""
    return {
        "command": command,
        "behaviour": BEHAVIOUR,
        "versions": versions(),
        "variants": {variant.name: _rules(variant) for variant in evidence.variants},
        "strategies": _strategies(evidence, PEGGING.name),
        **{
            f"strategies of {game}": found
            for family, game in GAME_WORDS.items()
            if (found := _strategies(evidence, family))
        },
        "tips": {tip.name: any_tip_json(tip) for tip in evidence.tips},
        "experiments": [study.experiment.identity() for study in evidence.studies],
        "seeds": sorted({study.experiment.seed for study in evidence.studies}),
        "counts": _counts(evidence),
        "runs": sorted(_runs(evidence), key=lambda run: (run["experiment"], run["id"], str(sorted(run.items())))),
        "files": sorted(files),
    }


def _strategies(evidence: Evidence, family: str) -> dict[str, Any]:
    """The strategies of a family of games by name."""
    return {name: mind_json(mind) for (where, name), mind in evidence.minds.items() if where == family}


def _rules(variant: Any) -> dict[str, Any]:
    data = variant_json(variant)
    return {key: data[key] for key in ("title", "status", "base", "rules", "sources")}


def _counts(evidence: Evidence) -> dict[str, int]:
    """Deals and games played both ways, summed over all comparisons; deals and games of the other experiments."""
    duels = [duel for study in evidence.studies for duel in study.duels]
    return {
        "duels": len(duels),
        "deals_both_ways": sum(duel.n for duel in duels if not duel.setting.games),
        "games_both_ways": sum(duel.n for duel in duels if duel.setting.games),
        "games_of_variants": sum(row.games for study in evidence.comparisons for row in study.rows),
        "deals_by_lead": sum(lead.deals for study in evidence.studies for lead in study.leads),
        "exact_facts": len(evidence.facts),
    }


def _runs(evidence: Evidence) -> Iterator[dict[str, Any]]:
    """Every run by its id; a vacuous comparison was never run and has none."""
    for study in evidence.studies:
        name = study.experiment.name
        for duel in study.duels:
            where = duel.setting
            if duel.id:
                yield {
                    "experiment": name, "id": duel.id, "variant": where.variant.name, "players": where.players,
                    "arm": duel.arm, "baseline": where.baseline, "against": where.against, "seed": where.seed,
                    "unit": "games" if where.games else "deals", "n": duel.n, "verdict": duel.verdict,
                }  # fmt: skip
        for row in study.comparison.rows if study.comparison else ():
            yield {
                "experiment": name, "id": row.id, "variant": row.variant.name, "players": row.players,
                "strategy": row.strategy, "unit": "games", "n": row.games,
            }  # fmt: skip
        totals: dict[tuple[str, str, int, str], int] = {}
        for lead in study.leads:
            key = (lead.id, lead.variant, lead.players, lead.strategy)
            totals[key] = totals.get(key, 0) + lead.deals
        for (run, variant, players, strategy), deals in totals.items():
            yield {
                "experiment": name, "id": run, "variant": variant, "players": players, "strategy": strategy,
                "unit": "deals", "n": deals,
            }  # fmt: skip
