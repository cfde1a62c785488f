"""A ladder as it is configured, with everything checked: settings, seats, policy, chance and deadline."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from botyard.games import load, load_all
from botyard.kernel.chance import GLIBC
from botyard.kernel.errors import YardError, quoted
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import SEED_BITS, Settings
from botyard.rank.ladder import LadderPolicy
from botyard.yard.config import LadderPlan

GLIBC_BITS = 32  # of the state of rand_r


@dataclass(frozen=True, slots=True)
class CheckedLadder:
    """A ladder that can be opened."""

    slug: str
    game: str
    title: str
    settings: dict[str, Any]  # every setting of the game, by name
    policy: LadderPolicy
    rules: int
    predictable: bool
    deadline_ms: int | None

    @property
    def row(self) -> dict[str, Any]:
        """What the ladder's row holds of it."""
        return {
            "game": self.game,
            "title": self.title,
            "settings": json.dumps(self.settings, sort_keys=True),
            "policy": json.dumps(asdict(self.policy), sort_keys=True),
            "rules": self.rules,
            "predictable": int(self.predictable),
            "deadline_ms": self.deadline_ms,
        }


def ladder_plans(plans: tuple[LadderPlan, ...]) -> list[LadderPlan]:
    """Returns the ladders of a yard: those of its file, or else one for every game."""
    return list(plans) or [LadderPlan(book.facts.name, book.facts.name) for book in load_all()[0]]


def checked_ladder(plan: LadderPlan) -> CheckedLadder:
    """Returns a ladder whose parts fit together, or raises an error that says which do not."""
    book = load(plan.game)
    seats = plan.seats or book.facts.usual_seats
    if seats < 2:
        raise YardError(f"the ladder {plan.slug!r} has {seats} seats", hint="a ladder needs games of at least two bots")
    book.facts.check_seats(seats)
    settings = book.settings.read(plan.settings, plan.preset or None).seated(seats)
    # The ladder itself sees to it that everybody sits everywhere equally often.
    settings = settings.with_fixed_seats()
    bits = seed_bits(book, settings)
    if bits < SEED_BITS and not plan.predictable:
        raise YardError(
            f"the ladder {plan.slug!r} draws chance from {bits} bits, which a bot can find out while it plays",
            hint="choose another generator or preset, or write predictable = true, which its page will show",
        )
    return CheckedLadder(
        slug=plan.slug,
        game=plan.game,
        title=plan.title or book.facts.title,
        settings=settings_values(settings),
        policy=LadderPolicy(seats=seats, bots_per_person=plan.bots_per_person),
        rules=book.facts.rules_version,
        predictable=bits < SEED_BITS,
        deadline_ms=deadline_of(plan),
    )


def settings_values(settings: Settings) -> dict[str, Any]:
    return {row.name: getattr(settings, row.name) for row in fields(settings)}


def seed_bits(book: Rulebook, settings: Settings) -> int:
    """Returns how many bits of a seed a game's chance has. The arena tells, so that no rules have to be compiled."""
    arena = book.layout.make_arena(settings)
    if "chance_kind" in (arena.dtype.names or ()) and int(arena["chance_kind"][0]) == GLIBC:
        return GLIBC_BITS
    return SEED_BITS


def deadline_of(plan: LadderPlan) -> int | None:
    if not plan.deadline:
        return None
    try:
        when = datetime.fromisoformat(plan.deadline)
        if when.tzinfo is not None:
            return int(when.timestamp() * 1000)
    except ValueError:
        pass
    raise YardError(
        f"the ladder {plan.slug!r} has the deadline {quoted(plan.deadline)}",
        hint="write date, time and zone as 2026-12-24T18:00+01:00",
    )
