"""This module puts numbers into the words of a sentence."""

from __future__ import annotations


def counted(number: int, thing: str) -> str:
    """Returns how many there are of a thing: 1 seat, 2 seats."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
