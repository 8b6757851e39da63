"""Plain values: cards, rules, strategies and experiments. No numba and no pandas here."""
