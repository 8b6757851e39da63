"""Deals whose play and shows are looked up: dealt in blocks, each adds one to a few counts.

What the tables hold are numbers of results (``engine.tabled``): hardly a thousand different ones occur, so that their
counts stay close to the processor, and they are brought into the histograms when all deals are counted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from noddysim.kernels.blocks import BLOCK, deal_keys
from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, stream_key
from noddysim.kernels.lanes import HANDS, deal_hands, look_at_shows, new_lanes
from noddysim.kernels.noddy import AT_DEAL_TOTAL, PLAY_NOTES, SHOW_NOTES, add, spread
from noddysim.kernels.records import TOTAL_MASK


class Plays(NamedTuple):
    """What the play of two hands of three brings."""

    number: Any
    """uint16 (1 or 13 times HANDS * HANDS,): the number of the play at every place (``lanes.deal_hands``)."""
    code: Any
    """int64 (N,): the code of every play."""
    results: Any
    """uint16 (N, 2): the numbers of the results of pone and dealer in every play."""
    points: Any
    """int64 (P,): the packed points of every result."""


class Shows(NamedTuple):
    """What the turned card and the show of a hand bring to a seat."""

    number: Any
    """uint16 (PLACES,): the number of the result at every place (``lanes.look_at_shows``)."""
    points: Any
    """int64 (S,): the packed points of the show in every result."""
    turned: Any
    """int64 (S,): points for the turned card in every result."""


@kernel
def count_pairs(table, seed, start, stop, counts):
    """Count deals ``start … stop - 1`` by the hands of pone and dealer; counts : uint32 (455 * 455,), added to."""
    root = stream_key(seed, DEALS)
    lanes = new_lanes()
    pairs = lanes.pairs
    for first in range(start, stop, BLOCK):
        deal_keys(root, np.uint64(first), lanes.keys)
        deal_hands(lanes, table, False)
        for i in range(min(BLOCK, stop - first)):
            counts[pairs[i]] += np.uint32(1)


@kernel
def count_known(plays, shows, others, table, seed, start, stop, met, others_met):
    """Count deals ``start … stop - 1`` by what meets in a seat: a result of the play and one of the show.

    shows, others : Shows of pone and of dealer; met, others_met : uint32 (P * S,) of both, added to
    """
    # Arrays are taken out of their tuples, and rows out of arrays, once: each time that is done at a deal takes longer
    # than all the rest, since references are counted.
    lanes = new_lanes()
    pairs, places, other_places, numbers = lanes.pairs, lanes.shows[0], lanes.shows[1], lanes.numbers[0]
    play_number, results, show_number, other_number = plays.number, plays.results, shows.number, others.number
    width, other_width = np.uint32(len(shows.points)), np.uint32(len(others.points))
    cells, other_cells = np.zeros(BLOCK, np.uint32), np.zeros(BLOCK, np.uint32)
    by_starter = len(play_number) > HANDS * HANDS
    root = stream_key(seed, DEALS)
    for first in range(start, stop, BLOCK):
        deal_keys(root, np.uint64(first), lanes.keys)
        deal_hands(lanes, table, by_starter)
        look_at_shows(lanes)
        # One loop for each step, so that the processor waits for many places of a table at a time, and does not wait
        # for a count to be written before it looks up the next.
        for i in range(BLOCK):
            numbers[i] = play_number[pairs[i]]
        for i in range(BLOCK):
            play = numbers[i]
            cells[i] = np.uint32(results[play, 0]) * width + show_number[places[i]]
            other_cells[i] = np.uint32(results[play, 1]) * other_width + other_number[other_places[i]]
        amount = min(BLOCK, stop - first)
        for i in range(amount):
            met[cells[i]] += np.uint32(1)
        for i in range(amount):
            others_met[other_cells[i]] += np.uint32(1)


@kernel
def spread_known(plays, shows, seat, met, by_source, lost):
    """Bring what was counted in a seat into the histograms of ``noddy.count_deals``; met : uint32 (P, S)."""
    for one in range(len(plays.points)):
        times = np.int64(met[one].sum())
        if times:
            spread(by_source, seat, PLAY_NOTES, plays.points[one], times, lost)
    for other in range(len(shows.points)):
        turned, points = shows.turned[other], shows.points[other]
        times = np.int64(met[:, other].sum())
        if times:
            spread(by_source, seat, SHOW_NOTES, points, times, lost)
            add(by_source, seat, 0, turned, times, lost)
            for one in range(len(plays.points)):
                total = turned + (plays.points[one] & TOTAL_MASK) + (points & TOTAL_MASK)
                add(by_source, seat, AT_DEAL_TOTAL, total, np.int64(met[one, other]), lost)
