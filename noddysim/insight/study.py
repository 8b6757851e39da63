"""An experiment file answered: every comparison it asks for, and what they say together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from noddysim.engine.games import check_players, peg_game
from noddysim.engine.measures import LEAD_COLUMNS, LeadCount, content_id
from noddysim.engine.runner import Announce, Runner, Unplayed, silent
from noddysim.game.cards import RANKS
from noddysim.game.errors import InputError
from noddysim.game.experiment import DEFAULT_DEALS, DEFAULT_GAMES, Experiment, read_experiment, refuse_twice
from noddysim.game.families import PEGGING
from noddysim.game.laying_data import GAME_WORDS, MELDING
from noddysim.game.minds import BEST_MINDS, USUAL_MINDS, Mind, read_for, read_mind
from noddysim.game.rules import load_variant
from noddysim.game.strategy_data import Strategy, Tip
from noddysim.game.strategy_file import did_you_mean
from noddysim.game.tomlfile import KeyPath, one_line
from noddysim.game.userfiles import strategy_files
from noddysim.insight import stats, verdicts
from noddysim.insight.balance import Comparison, compare
from noddysim.insight.duels import duels, is_vacuous
from noddysim.insight.estimates import CHANCE, POINTS, Estimate
from noddysim.insight.pegging_balance import by_sides
from noddysim.insight.settings import Duel, Limits, Setting

if TYPE_CHECKING:
    import pandas as pd

    from noddysim.engine.exact import Fact
    from noddysim.game.rules import Variant

Entry = TypeVar("Entry", bound=Hashable)


@dataclass(frozen=True)
class Amounts:
    """What the command line may change of an experiment: None leaves what the file says."""

    deals: int | None = None
    games: int | None = None
    seed: int | None = None


@dataclass(frozen=True)
class Lead:
    """Points in the play by the rank that eldest leads first, in deals where that rank was led."""

    variant: str
    players: int
    strategy: str
    rank: str
    deals: int
    seats: tuple[dict[str, Estimate], ...]
    """By seat, eldest first: points from fifteens, from thirty-ones, and in the play."""
    id: str


@dataclass(frozen=True)
class Finding:
    """One piece of advice in one variant with one number of players, over all baselines and opponents."""

    variant: str
    players: int
    tip: Tip
    verdict: str
    on_what: str
    deals: tuple[Duel, ...]
    games: tuple[Duel, ...]


@dataclass(frozen=True)
class Study:
    """An experiment with its answers; which of them there are depends on its kind."""

    experiment: Experiment
    duels: tuple[Duel, ...] = ()
    comparison: Comparison | None = None
    leads: tuple[Lead, ...] = ()
    facts: tuple[Fact, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """All answers as one tidy table: one row an estimate."""
        from noddysim.insight.frames import studies_frame

        return studies_frame([self])

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the duels say of each tip, in the order of the file."""
        return findings(self.duels)

    def _repr_html_(self) -> str:
        from noddysim.insight.notebook import study_html

        return study_html(self)


def run_experiment(
    experiment: Experiment,
    *,
    workers: int | None = None,
    announce: Announce = silent,
    runner: Runner | None = None,
) -> Study:
    """Answer an experiment. Raises InputError, before anything is played, for names that do not exist.

    runner : how it is run (workers, store, listener), in place of ``workers`` and ``announce``. After an interrupt the
    answers are those of what was played by then.
    """
    check_names(experiment)
    runner = runner or Runner(workers, announce)
    runner.experiment = experiment.name
    if experiment.kind == "duel":
        return Study(experiment, duels=tuple(_duels(experiment, runner)))
    if experiment.kind == "balance":
        return Study(experiment, comparison=_balance(experiment, runner))
    if experiment.kind == "leads":
        return Study(experiment, leads=tuple(_leads(experiment, runner)))
    from noddysim.engine.exact import fact

    return Study(experiment, facts=tuple(fact(name) for name in experiment.facts))


def load_experiment(path: str, amounts: Amounts) -> Experiment:
    """Read an experiment file, with those amounts from the command line in place of the file's that bear on it."""
    experiment = read_experiment(path)
    changes = {name: value for name in _taken(experiment) if (value := getattr(amounts, name)) is not None}
    return experiment.model_copy(update=changes)


def load_experiments(paths: Sequence[str | Path], amounts: Amounts) -> list[Experiment]:
    """Read several files as `load_experiment` does.

    Raises InputError for a file that is given twice, and for an amount that bears on none of the files.
    """
    shown = [one_line(str(path)) for path in paths]
    refuse_twice([Path(path).resolve() for path in paths], lambda place: InputError(f"{shown[place]} is given twice"))
    experiments = [load_experiment(str(path), amounts) for path in paths]
    for name in ("deals", "games", "seed"):
        if getattr(amounts, name) is not None and not any(name in _taken(one) for one in experiments):
            met = [f'{where} (kind "{one.kind}", {_how(one)})' for where, one in zip(shown, experiments, strict=True)]
            raise InputError(f"--{name} has no meaning for {', '.join(met)}; leave it out")
    return experiments


def _taken(experiment: Experiment) -> tuple[str, ...]:
    """The amounts that bear on an experiment."""
    return (*experiment.played_in, "seed") if experiment.played_in else ()


def _how(experiment: Experiment) -> str:
    units = " and ".join(experiment.played_in)
    return f"played in {units}" if units else "counted, not played"


def check_names(experiment: Experiment) -> None:
    """Raise InputError for a name that does not exist, or that stands in its list twice, with the place in the file."""
    _check_variants(experiment)
    folder = () if experiment.folder is None else (experiment.folder,)
    for path, name in experiment.names():
        with _blamed(experiment, path):
            strategy_files([name], folder)
    plain: dict[KeyPath, str] = {}
    for path, name in experiment.names():
        with _blamed(experiment, path):
            plain[path] = _checked_name(name, experiment)
    arms = [(plain["arms", place, 0], plain["arms", place, 1]) for place in range(len(experiment.arms))]
    _refuse_repeated(experiment, "arms", arms, " v. ".join)
    for key in ("against", "strategies"):
        _refuse_repeated(experiment, key, [name for path, name in plain.items() if path[0] == key], str)
    if experiment.kind == "balance":
        _check_somebody_plays(experiment)
    _check_facts(experiment)


def variants_of(experiment: Experiment) -> list[Variant]:
    """The variants of an experiment, each to every target that it names."""
    loaded = [load_variant(name) for name in experiment.variant_names()]
    targets = experiment.targets
    return [variant.replace(target=target) for variant in loaded for target in targets] if targets else loaded


def families(experiment: Experiment) -> tuple[str, ...]:
    """The families of the variants of an experiment, each once, in their order."""
    return tuple(dict.fromkeys(load_variant(name).family.name for name in experiment.variant_names()))


def _checked_name(name: str, experiment: Experiment) -> str:
    """The plain form of an expression. Raises InputError unless every family can read it, or in a balance some can."""
    met = families(experiment)
    if experiment.kind == "balance":
        return next(iter(read_for(met, name, _search(experiment)).values())).name
    forms = [_plain(name, experiment, family) for family in met]
    return forms[0]


def _plain_or_none(name: str, experiment: Experiment, family: str) -> str | None:
    """The plain form of an expression, or None if it is no strategy of the family."""
    try:
        return _plain(name, experiment, family)
    except InputError:
        return None


def _check_somebody_plays(experiment: Experiment) -> None:
    """Raise InputError if for the variants of some family there is no strategy."""
    for family in families(experiment):
        if not _of_family(experiment, family):
            games = GAME_WORDS.get(family, "games with a play of cards to a count")
            words = f'none of these is a strategy for {games}; add one, for example "{USUAL_MINDS[family]}"'
            raise experiment.at(("strategies",), words)


def _check_variants(experiment: Experiment) -> None:
    variants = []
    for place, name in enumerate(experiment.variant_names()):
        with _blamed(experiment, ("variants", place)):
            variants.append(load_variant(name))
            _check_measure(experiment, variants[-1])
    _refuse_repeated(experiment, "variants", [variant.name for variant in variants], str)
    for place, players in enumerate(experiment.players):
        with _blamed(experiment, ("players", place)):
            for variant in variants:
                check_players(variant, players)
    _refuse_repeated(experiment, "players", experiment.players, str)
    _refuse_repeated(experiment, "targets", experiment.targets, str)
    with _blamed(experiment, ("targets",)):
        variants_of(experiment)


def _check_measure(experiment: Experiment, variant: Variant) -> None:
    """Raise InputError for a variant in which there is nothing of the kind that is to be measured."""
    if experiment.kind in ("leads", "exact"):
        _ = variant.pegging
    if experiment.kind == "duel" and variant.family.name == MELDING and (experiment.deals or not experiment.games):
        raise InputError(f"{variant.name} is measured by games won; give games = 50_000, and no deals")


def _check_facts(experiment: Experiment) -> None:
    if not experiment.facts:
        return
    from noddysim.engine.exact import FACTS

    for place, name in enumerate(experiment.facts):
        if name not in FACTS:
            known = f"facts are {', '.join(FACTS)}"
            raise experiment.at(("facts", place), f"no such fact: {name}{did_you_mean(name, FACTS)}; {known}")
    _refuse_repeated(experiment, "facts", experiment.facts, str)


def _refuse_repeated(experiment: Experiment, key: str, entries: Sequence[Entry], words: Callable[[Entry], str]) -> None:
    """Raise InputError for an entry that stands twice under a key: it would be told, and tested, twice."""
    remedy = "leave one out, or rename one" if key == "variants" else "leave one out"
    refuse_twice(
        entries, lambda place: experiment.at((key, place), f"{words(entries[place])} is given twice; {remedy}")
    )


@contextmanager
def _blamed(experiment: Experiment, path: KeyPath) -> Iterator[None]:
    """Let an InputError say where in the experiment the name stands that it is about."""
    try:
        yield
    except InputError as error:
        raise experiment.at(path, error) from error


def user_files(experiment: Experiment) -> tuple[Path, ...]:
    """The user's strategy files that an experiment names, their paths relative to its own folder."""
    names = [name for _, name in experiment.names()]
    return strategy_files(names, () if experiment.folder is None else (experiment.folder,))


def _plain(name: str, experiment: Experiment, family: str) -> str:
    """The plain form of an expression: names only, no paths."""
    return read_mind(family, name, _search(experiment)).name


def _search(experiment: Experiment) -> tuple[Path, ...]:
    """Where the user's strategies of an experiment are looked for."""
    files = user_files(experiment)
    return files if experiment.folder is None else (*files, experiment.folder)


def named_in(experiment: Experiment, family: str) -> list[str]:
    """The expressions of an experiment that are for a family of games, with the best known if advice is tested."""
    names = [name for _, name in experiment.names()]
    if experiment.kind == "balance":
        names = [name for name in names if _plain_or_none(name, experiment, family) is not None]
    return [*names, best_known(experiment, family)] if experiment.kind == "duel" else names


def best_known(experiment: Experiment, family: str) -> str:
    """The plain name of the strategy that counts as the best: the experiment's, or that of the family."""
    return _plain(experiment.scale or BEST_MINDS[family], experiment, family)


def _duels(experiment: Experiment, runner: Runner) -> list[Duel]:
    amounts = {False: experiment.deals, True: experiment.games}
    if not any(amounts.values()):
        amounts[False] = DEFAULT_DEALS
    found: list[Duel] = []
    for games, amount in amounts.items():
        if amount is None:
            continue
        settings = list(_settings(experiment, games))
        family = sum(len(_played(setting, arms)) for setting, arms in settings)
        zone = verdicts.default_zone(CHANCE) if games else experiment.zone
        for setting, arms in settings:
            limits = Limits(zone, max(family, 1), experiment.stop)
            found += duels(
                setting, arms, amount, limits,
                scale=None if games else best_known(experiment, setting.family), runner=runner,
            )  # fmt: skip
    return found


def _settings(experiment: Experiment, games: bool) -> list[tuple[Setting, list[str]]]:
    """Every setting of the experiment with the arms that belong to its baseline, all in their plain forms."""
    family = families(experiment)[0]
    plain = {name: _plain(name, experiment, family) for arm in experiment.arms for name in (arm.arm, arm.baseline)}
    baselines = list(dict.fromkeys(plain[arm.baseline] for arm in experiment.arms))
    against = [_plain(name, experiment, family) for name in experiment.against]
    files = user_files(experiment)
    found = []
    for variant, players, baseline in product(variants_of(experiment), experiment.players, baselines):
        arms = [plain[arm.arm] for arm in experiment.arms if plain[arm.baseline] == baseline]
        for opponent in against or [baseline]:
            found.append((Setting(variant, players, baseline, opponent, experiment.seed, games, files), arms))
    return found


def _played(setting: Setting, arms: Sequence[str]) -> list[str]:
    """The arms that have something to decide in the setting: those that are tested together."""
    return [name for name in arms if not is_vacuous(name, setting)]


def _balance(experiment: Experiment, runner: Runner) -> Comparison:
    return compare(
        variants_of(experiment),
        players=experiment.players,
        strategies=[mind for family in families(experiment) for mind in _of_family(experiment, family)],
        games=experiment.games or DEFAULT_GAMES,
        seed=experiment.seed,
        skill=min(experiment.skill or 0, experiment.games or DEFAULT_GAMES),
        runner=runner,
    )


def _leads(experiment: Experiment, runner: Runner) -> list[Lead]:
    deals = experiment.deals or DEFAULT_DEALS
    found: list[Lead] = []
    for name, players, strategy in product(experiment.variant_names(), experiment.players, _plays(experiment)):
        try:
            found += leads_of(load_variant(name), players, strategy, deals, experiment.seed, runner)
        except Unplayed:
            continue
    return found


def _of_family(experiment: Experiment, family: str) -> list[Mind]:
    """The strategies of an experiment on balance that are for a family."""
    files = user_files(experiment)
    names = [_plain_or_none(name, experiment, family) for name in experiment.strategies]
    return [read_mind(family, name, files) for name in names if name is not None]


def _plays(experiment: Experiment) -> list[Strategy]:
    """The strategies of an experiment on leads."""
    found = _of_family(experiment, PEGGING.name)
    return [mind for mind in found if isinstance(mind, Strategy)]


def leads_of(
    variant: Variant,
    players: int,
    strategy: Strategy,
    deals: int,
    seed: int,
    runner: Runner | None = None,
) -> list[Lead]:
    """Points in the play by the rank led first, the same strategy in every seat; ranks never led are left out."""
    measure = LeadCount(peg_game(variant, players), (strategy,) * players, seed)
    title = f"{variant.name}, {players} players, {strategy.name}: by the card led"
    label = {"arm": f"by the card led, {variant.name}, {players} players, {strategy.name}", "of": "deals"}
    counts = (runner or Runner()).run(measure, deals, title=title, labels=[label])["by_lead"]
    run_id = content_id(measure.identity())[0]
    found = []
    for rank in range(13):
        led = int(counts[rank, 0, 0].sum())
        if led == 0:
            continue
        seats = tuple(
            {column: stats.mean_count(counts[rank, seat, i], POINTS) for i, column in enumerate(LEAD_COLUMNS)}
            for seat in range(players)
        )
        found.append(Lead(variant.name, players, strategy.name, RANKS[rank], led, seats, run_id))
    return found


def findings(found: Sequence[Duel]) -> tuple[Finding, ...]:
    """Duels of tips, gathered by variant, number of players and tip; the verdict is that of the deals."""
    groups: dict[tuple[str, int, str], list[Duel]] = {}
    for duel in found:
        if duel.tip is not None and duel.tip.kind == "tip":
            groups.setdefault((duel.setting.variant.name, duel.setting.players, duel.tip.name), []).append(duel)
    gathered = []
    for (variant, players, _), group in groups.items():
        deals = tuple(duel for duel in group if not duel.setting.games)
        games = tuple(duel for duel in group if duel.setting.games)
        combined = verdicts.combine({_label(duel): duel.verdict for duel in deals or games})
        tip = group[0].tip
        assert tip is not None
        gathered.append(Finding(variant, players, tip, combined.verdict, combined.on_what, deals, games))
    return tuple(gathered)


def _label(duel: Duel) -> str:
    """Who is met, and on which baseline the advice stands."""
    return f"{duel.setting.against} (on {duel.setting.baseline})"


def _cells_of(experiment: Experiment) -> tuple[int, int]:
    """Groups of variants of one family with as many sides: with the first strategy of each family, and with all."""
    first = every = 0
    for players, family in product(experiment.players, families(experiment)):
        fit = [one for one in variants_of(experiment) if one.family.name == family and players in one.rules.players]
        groups = len(by_sides(fit, players)) if family == PEGGING.name else bool(fit)
        first += groups
        every += groups * len(_of_family(experiment, family))
    return first, every


def amount_of(experiment: Experiment) -> int:
    """Deals and games that an experiment will announce in all."""
    if experiment.kind == "duel":
        deals = experiment.deals or (0 if experiment.games else DEFAULT_DEALS)
        return len(list(_settings(experiment, games=False))) * (deals + (experiment.games or 0))
    if experiment.kind == "balance":
        lineups = max(len(_of_family(experiment, family)) for family in families(experiment))
        pegging = sum(variant.family is PEGGING for variant in variants_of(experiment))
        points = pegging * len(_plays(experiment))  # whole deals, as many as games
        games = experiment.games or DEFAULT_GAMES
        first, every = _cells_of(experiment)
        skill = min(experiment.skill or 0, games)
        return games * (len(experiment.players) * (lineups + points) + every) + skill * first
    if experiment.kind == "leads":
        cells = len(experiment.variants) * len(experiment.players) * len(experiment.strategies)
        return (experiment.deals or DEFAULT_DEALS) * cells
    return 0
