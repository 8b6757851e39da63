"""noddysim: Monte Carlo strategy analysis of Noddy and its family."""
