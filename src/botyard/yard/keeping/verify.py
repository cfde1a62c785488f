"""`botyard yard verify` recomputes everything that a yard has recorded, and says what is not as it should be.

It sees one state of the tables throughout, and may run beside a server. Replays of older rules cannot be played again;
their hashes are checked. What was pruned is accepted.
"""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from botyard.kernel.errors import OurFault
from botyard.yard.data.blobs import Blobs
from botyard.yard.keeping.backup import Counting, unseen
from botyard.yard.keeping.findings import Findings
from botyard.yard.keeping.verify_contests import verify_contests
from botyard.yard.keeping.verify_ladders import verify_flights, verify_numbers, verify_pairs, verify_secrets
from botyard.yard.keeping.verify_matches import verify_fitness, verify_matches
from botyard.yard.keeping.verify_ratings import verify_ratings
from botyard.yard.keeping.verify_rooms import verify_members, verify_rounds
from botyard.yard.keeping.verify_tables import (
    verify_blobs,
    verify_events,
    verify_people,
    verify_references,
    verify_tasks,
)
from botyard.yard.site import Yard


def verify(yard: Yard, counting: Counting = unseen) -> Findings:
    """Looks at all of a yard."""
    with yard.database.reading() as connection:
        return look_at(connection, yard.blobs, counting)


def look_at(connection: sa.Connection, blobs: Blobs, counting: Counting = unseen) -> Findings:
    """Looks at all of a yard within a transaction. A check that stumbles over damage does not keep others from it."""
    found = Findings()
    checks: dict[str, Callable[[], None]] = {
        "references": lambda: verify_references(connection, found),
        "events": lambda: verify_events(connection, found),
        "people": lambda: verify_people(connection, found),
        "tasks": lambda: verify_tasks(connection, found),
        "numbers": lambda: verify_numbers(connection, found),
        "contests": lambda: verify_contests(connection, found),
        "tallies": lambda: verify_flights(connection, found),
        "secrets": lambda: verify_secrets(connection, found),
        "versions": lambda: verify_fitness(connection, found),
        "pairs": lambda: verify_pairs(connection, found, counting),
        "ratings": lambda: verify_ratings(connection, found, counting),
        "rooms": lambda: verify_members(connection, found),
        "blobs": lambda: verify_blobs(connection, blobs, found, counting),
        "matches": lambda: verify_matches(connection, blobs, found, counting),
        "rounds": lambda: verify_rounds(connection, blobs, found, counting),
    }
    for name, check in checks.items():
        try:
            check()
        except (ValueError, LookupError, TypeError, OurFault) as error:
            found.note(name, "yard", f"what is recorded cannot be read: {error!r}")
    return found
