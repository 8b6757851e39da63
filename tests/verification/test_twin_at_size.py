"""The kernels equal the twin: Noddy on 15,000 deals for each number of players, each other variant on 3,000.

The default tests hold 1,000 others of each variant.

With NODDYSIM_VERIFY=full (make verify-full) it is 50,000 of each, and takes half an hour on two cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import twin_work
import twins

PLAYERS = [2, 3, 4]


@pytest.fixture(scope="module")
def pool() -> Iterator[Any]:
    with twin_work.workers() as pool:
        yield pool


@pytest.mark.parametrize("players", PLAYERS)
def test_many_deals_equal_the_twin(players: int, pool: Any) -> None:
    size = twins.at_size(15_000, 50_000)
    batches = twins.batches(players, size, seed=2**64 - players, sizes=(60, 4))
    compared = 0
    for batch, twin in twins.in_step(batches, pool, twin_work.deals):
        twins.compare_deals(batch, twin)
        compared += len(twin)
    assert compared == size


def test_deals_of_each_variant_of_the_family_equal_the_twin(pool: Any) -> None:
    compared: dict[str, int] = {}
    size = twins.at_size(3_000, 50_000)
    for batch, twin in twins.in_step(twins.family_batches(size, seed=1674, size=240), pool, twin_work.deals):
        twins.compare_deals(batch, twin)
        rules = {key: value for key, value in batch.rules.items() if key not in ("cribs", "players", "partners")}
        compared[repr(rules)] = compared.get(repr(rules), 0) + len(twin)
    assert sum(deals >= size for deals in compared.values()) >= len({name for name, _ in twins.FAMILY}) - 1


@pytest.mark.parametrize("players", PLAYERS)
def test_duplicates_equal_the_twin(players: int, pool: Any) -> None:
    batches = twins.batches(players, twins.at_size(1_500, 4_000), seed=2**63 + players, sizes=(12, 1), seats=3)
    for batch, twin in twins.in_step(batches, pool, twin_work.duplicates):
        twins.compare_duplicates(batch, twin)


@pytest.mark.parametrize("players", PLAYERS)
def test_duplicates_of_games_equal_the_twin(players: int, pool: Any) -> None:
    # By Noddy's own rules only: under some of the others nobody can win.
    batches = [
        batch._replace(rules={"next_dealer": way})
        for way in ("left", "right", "lowest", "highest")
        for batch in twins.batches(players, 60, seed=players, sizes=(6, 1), seats=3)
    ]
    for batch, twin in twins.in_step(batches, pool, twin_work.game_duplicates):
        twins.compare_game_duplicates(batch, twin)
