"""The parts of a report: what is wanted beside the experiments, and what was found, as two small records."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from typing import Any

from noddysim.engine.runner import Announce, Runner, open_store
from noddysim.game.experiment import Experiment
from noddysim.insight.counted import count_studies
from noddysim.insight.exact_answers import WORK, ExactAnswers, answer
from noddysim.insight.laying_study import LayingExtent, LayingStudy, lay, laying_extent
from noddysim.insight.rules_study import RulesExtent, RulesStudy, rules_extent, weigh_rules
from noddysim.insight.study import Study, run_experiment
from noddysim.insight.trust import Trust, TrustExtent, make_sure, trust_extent
from noddysim.insight.verification import Extent, Verification, extent_of, verify


@dataclass(frozen=True)
class Wanted:
    """How much to play for each part beside the experiments; a part that is None is left out, with its pages.

    verification : our numbers against published ones; laying : the games in which melds or sets are laid; rules :
    disputed readings, fairest rules and handicaps; trust : the self-check and the ratings; solved : whether the
    strategy card and the form that answers are wanted.
    """

    verification: Extent | None = None
    laying: LayingExtent | None = None
    rules: RulesExtent | None = None
    trust: TrustExtent | None = None
    solved: bool = False

    @property
    def work(self) -> int:
        """Parts of the work, for a progress bar."""
        extents = (self.verification, self.laying, self.rules, self.trust)
        return sum(one.work for one in extents if one) + (WORK if self.solved else 0)


def everything(deals: int | None = None, games: int | None = None, seed: int | None = None) -> Wanted:
    """Every part at its usual extent, with what is given in place of it."""
    return Wanted(
        verification=extent_of(deals, games, seed),
        laying=laying_extent(games, seed),
        rules=rules_extent(deals, games, seed),
        trust=trust_extent(deals, games, seed),
        solved=True,
    )


@dataclass(frozen=True)
class Parts:
    """What the pages of a report are made from: studies of experiments, and each further part or None."""

    studies: Sequence[Study]
    verification: Verification | None = None
    laying: LayingStudy | None = None
    exact: ExactAnswers | None = None
    rules: RulesStudy | None = None
    trust: Trust | None = None

    def record(self) -> dict[str, Any]:
        """What the parts beside the experiments rest on, for the record of the report."""
        found: dict[str, Any] = {}
        if self.verification:
            played = self.verification.extent
            found["verification"] = {
                "deals": played.deals, "games": played.games, "seed": played.seed,
                "runs": list(self.verification.runs),
            }  # fmt: skip
        if self.laying:
            found["laying"] = asdict(self.laying.extent)
        if self.rules:
            found["rules_weighed"] = asdict(self.rules.extent)
        if self.trust:
            found["evidence"] = self.trust.provenance()
        if self.exact:
            card = self.exact.card
            found["solved"] = {"variant": card.variant, "exploitability": card.exploitability}
        return found


def find(
    experiments: Sequence[Experiment],
    wanted: Wanted,
    workers: int | None,
    announce: Announce,
    store: str | None = None,
) -> Parts:
    """Run the experiments and whatever else is wanted; ``announce`` is told of each part with its amount of work.

    store : a file that keeps the counts of the experiments, so that only what it lacks is played; an interrupt keeps
    what is finished and is passed on, for a report on half of it would not be one.
    """
    with nullcontext() if store is None else open_store(store) as kept, Runner(workers, announce, kept) as runner:
        played = [run_experiment(one, runner=runner) for one in experiments]
        if runner.interrupted:
            raise KeyboardInterrupt(f"interrupted; what was finished is kept in {store}, and the same command goes on")
    return Parts(
        studies=count_studies(played, announce),
        verification=verify(wanted.verification, workers=workers, announce=announce) if wanted.verification else None,
        laying=lay(wanted.laying, announce) if wanted.laying else None,
        exact=answer(announce) if wanted.solved else None,
        rules=weigh_rules(wanted.rules, announce, workers) if wanted.rules else None,
        trust=make_sure(wanted.trust, announce, workers=workers) if wanted.trust else None,
    )
