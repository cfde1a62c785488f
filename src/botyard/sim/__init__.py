"""Simulation measures how fast the rules run, on one thread, on all cores and on a GPU."""
