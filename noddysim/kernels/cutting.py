"""The cut for the first deal: everybody draws a card, the lowest rank deals, and the lowest of equal rank cut again.

The words of a cut are those of the purpose CUT, so that no cut shares chance with a shuffle or with a choice.
"""

from __future__ import annotations

import numpy as np

from noddysim.kernels.compiler import kernel
from noddysim.kernels.dealing import CUT, below

PACK = 52
ROUND_BITS, DRAW_BITS = 16, 8


@kernel
def cut_for_deal(key, n, drawn):
    """Who deals first: the one of ``n`` players (2 to 52) whose card has the lowest rank, ace low.

    The pack is whole again for each round, and within a round nobody draws a card that another holds. Suits part
    nobody: those who share the lowest rank draw once more, the others have lost.

    key : uint64, of a game; drawn : int64 (n,), receives the last card that each player drew
    """
    players = np.arange(n)
    left = n
    turn = 0
    while True:
        pack = np.arange(PACK)
        lowest = PACK
        for j in range(left):
            counter = np.uint64((turn << ROUND_BITS) | (j << DRAW_BITS))
            other = j + below(key, CUT, counter, PACK - j)
            card = pack[other]
            pack[other] = pack[j]
            pack[j] = card
            drawn[players[j]] = card
            lowest = min(lowest, card >> 2)
        kept = 0
        for j in range(left):
            if pack[j] >> 2 == lowest:
                players[kept] = players[j]
                kept += 1
        left = kept
        if left == 1:
            return players[0]
        turn += 1
