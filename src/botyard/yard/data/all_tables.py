"""All tables of the yard together: whoever makes, copies or migrates them takes them from here."""

from __future__ import annotations

from botyard.yard.data.columns import TABLES
from botyard.yard.data.contest_tables import CONTEST
from botyard.yard.data.ladder_tables import ENCOUNTER
from botyard.yard.data.room_tables import ROOM
from botyard.yard.data.tables import PERSON

ALL_TABLES = TABLES
"""The metadata with every table of the yard."""

assert {table.metadata for table in (PERSON, CONTEST, ENCOUNTER, ROOM)} == {ALL_TABLES}, "a table stands apart"
