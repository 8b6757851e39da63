"""Parts of a deal by themselves, for timing: results are returned so that no work can be left out."""

from __future__ import annotations

import numpy as np

from noddysim.kernels.blocks import BLOCK, CARDS, deal_block, deal_keys
from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import DEALS, mix, stream_key
from noddysim.kernels.hands import CARD_MASK
from noddysim.kernels.pegging import deal_cards, pick_up
from noddysim.kernels.records import AT_STARTER, TOTAL_MASK
from noddysim.kernels.show import show_points


@kernel
def deal_only(rules, table, n, seed, amount):
    """Deal ``amount`` deals and lay them aside; returns the sum of the first cards dealt."""
    root = stream_key(seed, DEALS)
    total = 0
    for number in range(amount):
        deal_cards(rules, table, n, mix(root, np.uint64(number)))
        total += table.dealt[0] & CARD_MASK
    return total


@kernel
def deal_blocks(table, seed, amount):
    """As ``deal_only`` for two hands of three, in blocks; returns a sum of cards dealt."""
    root = stream_key(seed, DEALS)
    keys = np.empty(BLOCK, np.uint64)
    block = np.empty((2, CARDS, BLOCK), np.uint8)
    total = np.int64(0)
    for first in range(0, amount, BLOCK):
        deal_keys(root, np.uint64(first), keys)
        deal_block(keys, block, table)
        total += block[0, 1, 0]
    return total


@kernel
def show_only(rules, shows, table, n, amount):
    """Deal and count the hands with ``amount`` starters in turn; returns the sum of their points."""
    deal_cards(rules, table, n, mix(stream_key(np.uint64(0), DEALS), np.uint64(0)))
    pick_up(rules, table, n)
    total = 0
    for number in range(amount):
        table.state[AT_STARTER] = number % 52
        for seat in range(n):
            total += show_points(rules, shows, table.hand[seat], rules.hand, table.state[AT_STARTER]) & TOTAL_MASK
    return total
