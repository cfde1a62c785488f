"""Simulation: learners that play against house bots (`drill.py`), Gymnasium, PettingZoo, Stable-Baselines3 and PyTorch
around that, and how fast the rules run, on one thread, on all cores and on a GPU."""
