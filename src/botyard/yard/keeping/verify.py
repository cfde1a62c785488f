"""`botyard yard verify` recomputes everything that a yard has recorded, and says what is not as it should be.

It sees one state of the tables throughout, and may run beside a server. Replays of older rules cannot be played again;
their hashes are checked. What was pruned is accepted.
"""

from __future__ import annotations

from botyard.yard.keeping.backup import Counting, unseen
from botyard.yard.keeping.findings import Findings
from botyard.yard.keeping.verify_ladders import verify_flights, verify_numbers, verify_pairs, verify_secrets
from botyard.yard.keeping.verify_matches import verify_fitness, verify_matches
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
    found = Findings()
    with yard.database.reading() as connection:
        verify_references(connection, found)
        verify_events(connection, found)
        verify_people(connection, found)
        verify_tasks(connection, found)
        verify_numbers(connection, found)
        verify_flights(connection, found)
        verify_secrets(connection, found)
        verify_fitness(connection, found)
        verify_pairs(connection, found, counting)
        verify_blobs(connection, yard.blobs, found, counting)
        verify_matches(connection, yard.blobs, found, counting)
    return found
