"""This module computes strengths from all games of a contest: maximum likelihood, Bradley–Terry with Davidson's ties.

If two bots have strengths a and b, the first wins with weight e^a, the second with e^b, and they draw with weight
ν·e^((a+b)/2). A game of more than two counts as the duels among them, each with less weight, so that a bot's game
counts once. A half-won game against an average rival is added for every bot: a bot that never lost stays finite.
The intervals come from the curvature at the maximum. Strengths are given as Elo points with mean 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from botyard.rank.results import Result

ELO = 400 / math.log(10)
SURE_95 = 1.959964  # standard deviations of a 95 % interval
PRIOR = 1.0  # the weight of the half-won game that is added for every bot
STEPS = 100
DONE = 1e-9

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Strength:
    """A bot's strength in Elo points, with its 95 % interval."""

    elo: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Duels:
    """Weights of duels by pair: wins[i, j] of i over j, and ties[i, j] between them (symmetric)."""

    at: dict[str, int]  # the row and column of every bot
    wins: Floats
    ties: Floats

    @classmethod
    def among(cls, bots: Sequence[str]) -> Duels:
        """Returns the empty weights of these bots, before any game."""
        size = len(bots)
        return cls({bot: row for row, bot in enumerate(bots)}, np.zeros((size, size)), np.zeros((size, size)))

    def add(self, result: Result) -> None:
        weight = 1 / max(1, len(result.bots) - 1)
        for one, other, decided in result.duels():
            i, j = self.at[one], self.at[other]
            if decided:
                self.wins[i, j] += weight
            else:
                self.ties[i, j] += weight
                self.ties[j, i] += weight


def strengths(bots: Sequence[str], results: Iterable[Result]) -> dict[str, Strength]:
    """Returns the strengths that make these results most likely."""
    duels = Duels.among(bots)
    for result in results:
        duels.add(result)
    return fit(duels)


def fit(duels: Duels) -> dict[str, Strength]:
    n = len(duels.at)
    if n == 0:
        return {}
    tied = bool(duels.ties.any())
    point = np.zeros(n + tied)  # strengths, and the logarithm of ν where there are ties
    for _ in range(STEPS):
        slope, curve = derivatives(point, duels, tied)
        step = np.linalg.solve(curve, slope)
        point = point + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))  # at most two units at a time
        if float(np.abs(step).max()) < DONE:
            break
    _, curve = derivatives(point, duels, tied)
    spread = np.linalg.inv(curve)[:n, :n]
    centre = np.eye(n) - 1 / n  # strengths relative to their mean
    values = ELO * (centre @ point[:n])
    errors = ELO * np.sqrt(np.clip(np.diag(centre @ spread @ centre.T), 0, None)) * SURE_95
    return {
        bot: Strength(float(value), float(value - error), float(value + error))
        for bot, value, error in zip(duels.at, values, errors, strict=True)
    }


def derivatives(point: Floats, duels: Duels, tied: bool) -> tuple[Floats, Floats]:
    """Returns the gradient of the log-likelihood, and the negative of its curvature."""
    n = len(duels.wins)
    theta, nu = point[:n], math.exp(point[n]) if tied else 0.0
    gap = np.clip(theta[:, None] - theta[None, :], -60, 60)
    up, down = np.exp(gap / 2), np.exp(-gap / 2)
    whole = up + down + nu
    win, tie = up / whole, nu / whole
    mean = win + tie / 2
    met = duels.wins + duels.wins.T + duels.ties
    variance = met * (win + tie / 4 - mean**2)
    own = 1 / (1 + np.exp(-np.clip(theta, -60, 60)))  # against the average rival
    slope: Floats = np.zeros(n + tied)
    slope[:n] = (duels.wins + duels.ties / 2 - met * mean).sum(axis=1) + PRIOR * (0.5 - own)
    curve: Any = np.zeros((n + tied, n + tied))
    curve[:n, :n] = np.diag(variance.sum(axis=1) + PRIOR * own * (1 - own)) - variance
    if tied:
        even = nu / (2 + nu)  # for an added, half-drawn game between equals, which keeps ν finite
        pairs = np.triu_indices(n, 1)
        slope[n] = (duels.ties - met * tie)[pairs].sum() + PRIOR * (0.5 - even)
        curve[n, n] = (met * tie * (1 - tie))[pairs].sum() + PRIOR * even * (1 - even)
        shared = met * (tie / 2 - mean * tie)
        curve[:n, n] = curve[n, :n] = shared.sum(axis=1)
    return slope, curve
