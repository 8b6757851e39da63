"""The answers of several experiments, put in the order in which a report tells them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from noddysim.game.minds import Mind, read_mind
from noddysim.insight import verdicts
from noddysim.insight.settings import Duel
from noddysim.insight.study import Finding, Lead, Study, best_known, families, findings, named_in, user_files

if TYPE_CHECKING:
    from noddysim.engine.exact import Fact
    from noddysim.game.experiment import Experiment
    from noddysim.game.rules import Variant
    from noddysim.game.strategy_data import Tip
    from noddysim.insight.rows import Comparison

SOURCE_MARK: Final = "seed (b)"
"""How the data files name the page of rules whose advice is tested."""

NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


class Panel(NamedTuple):
    """A variant and a number of players."""

    variant: str
    players: int


@dataclass(frozen=True)
class Case:
    """A finding with the opponent that counts as the best: the numbers against it stand for the finding."""

    finding: Finding
    best: str

    @property
    def tip(self) -> Tip:
        """The advice."""
        return self.finding.tip

    @property
    def panel(self) -> Panel:
        """Variant and number of players."""
        return Panel(self.finding.variant, self.finding.players)

    @property
    def baselines(self) -> tuple[str, ...]:
        """Whom the advice is given to, in the order of the file."""
        return tuple(dict.fromkeys(duel.setting.baseline for duel in self.duels))

    @property
    def opponents(self) -> tuple[str, ...]:
        """Who is met, in the order of the file."""
        return tuple(dict.fromkeys(duel.setting.against for duel in self.duels))

    @property
    def duels(self) -> tuple[Duel, ...]:
        """The duels by deals, or those by games where there are no others."""
        return self.finding.deals or self.finding.games

    def on(self, baseline: str) -> list[Duel]:
        """The duels on one baseline."""
        return [duel for duel in self.duels if duel.setting.baseline == baseline]

    def main(self, baseline: str) -> Duel:
        """The duel on a baseline that stands for it: against the best opponent, or the last if he is not met."""
        found = self.on(baseline)
        return next((duel for duel in found if duel.setting.against == self.best), found[-1])

    def game(self, duel: Duel) -> Duel | None:
        """The same comparison by whole games."""
        pair = duel.setting.baseline, duel.setting.against
        same = (other for other in self.finding.games if (other.setting.baseline, other.setting.against) == pair)
        return next(same, None)

    @property
    def headline(self) -> Duel:
        """The duel that stands for the finding: on the first baseline that does not follow the advice already."""
        mains = [self.main(baseline) for baseline in self.baselines]
        idle = (verdicts.ALREADY_FOLLOWED, verdicts.VACUOUS)
        return next((duel for duel in mains if duel.verdict not in idle), mains[0])


@dataclass(frozen=True)
class Evidence:
    """All that the experiments of one report found."""

    studies: tuple[Study, ...]
    cases: dict[tuple[Panel, str], Case] = field(default_factory=dict)

    @cached_property
    def panels(self) -> list[Panel]:
        """Variants in the order of the files, and in each the numbers of players from the fewest."""
        found = list(dict.fromkeys(panel for panel, _ in self.cases))
        variants = list(dict.fromkeys(panel.variant for panel in found))
        return sorted(found, key=lambda panel: (variants.index(panel.variant), panel.players))

    @cached_property
    def tips(self) -> list[Tip]:
        """Every tip that was tested: those of the source first, each in the order of the files."""
        found = {case.tip.name: case.tip for case in self.cases.values()}
        return sorted(found.values(), key=lambda tip: not from_source(tip))

    @cached_property
    def subjects(self) -> list[Tip]:
        """Tips with a section of their own; an opposite stands in the section of the tip that it is opposed to."""
        chosen: list[Tip] = []
        for tip in self.tips:
            if tip.opposite not in {other.name for other in chosen}:
                chosen.append(tip)
        return chosen

    def opposite(self, tip: Tip) -> Tip | None:
        """The opposite of a tip, if it was tested; two readings of one piece of advice share it, the first shows it."""
        first = next((other for other in self.subjects if other.opposite == tip.opposite), tip)
        if first.name != tip.name:
            return None
        return next((other for other in self.tips if other.name == tip.opposite), None)

    def of(self, tip: Tip) -> list[Case]:
        """Cases of a tip in the order of the panels."""
        return [self.cases[panel, tip.name] for panel in self.panels if (panel, tip.name) in self.cases]

    @cached_property
    def others(self) -> list[Duel]:
        """Duels of strategies that are no tip on their baseline."""
        return [duel for study in self.studies for duel in study.duels if duel.tip is None or duel.tip.kind != "tip"]

    @cached_property
    def leads(self) -> dict[tuple[Panel, str], list[Lead]]:
        """Points by card led, by panel and strategy."""
        found: dict[tuple[Panel, str], list[Lead]] = {}
        for study in self.studies:
            for lead in study.leads:
                found.setdefault((Panel(lead.variant, lead.players), lead.strategy), []).append(lead)
        return found

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Exact facts by name."""
        return {fact.name: fact for study in self.studies for fact in study.facts}

    @cached_property
    def minds(self) -> dict[tuple[str, str], Mind]:
        """Every strategy of the experiments by family of games and plain name, in order of the names."""
        found: dict[tuple[str, str], Mind] = {}
        for study in self.studies:
            for family in families(study.experiment):
                for name in named_in(study.experiment, family):
                    mind = read_strategy(name, study.experiment, family)
                    found[family, mind.name] = mind
        return dict(sorted(found.items(), key=lambda entry: (entry[0][1], entry[0][0])))

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Comparisons of variants."""
        return [study.comparison for study in self.studies if study.comparison is not None]

    @cached_property
    def variants(self) -> list[Variant]:
        """Every variant that was played, by its rules."""
        found: dict[str, Variant] = {}
        for study in self.studies:
            for duel in study.duels:
                found.setdefault(duel.setting.variant.name, duel.setting.variant)
            if study.comparison:
                found.update({row.variant.name: row.variant for row in study.comparison.rows})
        return list(found.values())


def read_strategy(name: str, experiment: Experiment, family: str) -> Mind:
    """The strategy that an experiment means by an expression in a family of games, the user's own files too."""
    folder = () if experiment.folder is None else (experiment.folder,)
    return read_mind(family, name, (*user_files(experiment), *folder))


def gather(studies: Sequence[Study]) -> Evidence:
    """Order the answers. The same comparison made twice counts once, with the greater number."""
    duels: dict[str, Duel] = {}
    best: dict[Panel, str] = {}
    for study in studies:
        for duel in study.duels:
            setting = duel.setting
            panel = Panel(setting.variant.name, setting.players)
            best.setdefault(panel, best_known(study.experiment, setting.family))
            # A vacuous duel was never run and has no id; pieces of advice that play alike have the same.
            key = "|".join(
                [duel.id or f"{setting.variant.name}|{setting.players}|{setting.against}|{setting.games}",
                 duel.arm, setting.baseline]
            )  # fmt: skip
            if key not in duels or duels[key].n < duel.n:
                duels[key] = duel
    cases = {}
    for found in findings(list(duels.values())):
        panel = Panel(found.variant, found.players)
        cases[panel, found.tip.name] = Case(found, best[panel])
    return Evidence(tuple(studies), cases)


def from_source(tip: Tip) -> bool:
    """Whether the page of rules gives this advice."""
    return tip.source.startswith(SOURCE_MARK)


def players_words(players: int) -> str:
    """``two players``."""
    return f"{NUMBERS[players]} players"


def panel_words(panel: Panel, panels: Sequence[Panel]) -> str:
    """``Two players``, with the variant in front where there are several."""
    words = players_words(panel.players)
    several = len({other.variant for other in panels}) > 1
    return f"{panel.variant}, {words}" if several else words.capitalize()
