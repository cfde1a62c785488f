"""Groups of bots in an order that keeps tables comparable at any moment: everybody has played about equally often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations


def in_rounds(bots: Sequence[str], seats: int) -> Iterator[tuple[str, ...]]:
    """Yields every group of `seats` bots once, each in the order of registration."""
    groups = rounds_of_pairs(len(bots)) if seats == 2 else orbits(len(bots), seats)
    return (tuple(bots[at] for at in group) for group in groups)


def rounds_of_pairs(count: int) -> Iterator[tuple[int, int]]:
    """Yields all pairs, round by round (the circle method): in each round everybody plays once, or rests once if the
    number is odd. The first stands still, the others move on by one place from round to round."""
    circle = list(range(count + count % 2))  # the last one stands for a rest if the number is odd
    for _ in range(len(circle) - 1):
        for one, other in zip(circle[: len(circle) // 2], reversed(circle), strict=False):
            if max(one, other) < count:
                yield min(one, other), max(one, other)
        circle[1:] = [circle[-1], *circle[1:-1]]


def orbits(count: int, seats: int) -> Iterator[tuple[int, ...]]:
    """Yields all groups of a size, so that groups follow each other that come from one by moving all places on.

    In such an orbit everybody plays equally often.
    """
    for rest in combinations(range(1, count), seats - 1):
        group = (0, *rest)
        if group != min(moved(group, -place, count) for place in group):
            continue  # its orbit was yielded from another group
        for by in range(count):
            following = moved(group, by, count)
            if by and following == group:
                break
            yield following


def moved(group: Sequence[int], by: int, count: int) -> tuple[int, ...]:
    return tuple(sorted((place + by) % count for place in group))
