"""What pages show beside the tables, and keep while the server runs: films, those who watch, and what games tell."""

from __future__ import annotations

from botyard.yard.site import Yard
from botyard.yard.web.films import MatchFilms
from botyard.yard.web.ladder_tables import LadderTables
from botyard.yard.web.spectators import Spectators


class Showroom:
    """Everything that is made once and shown to many."""

    def __init__(self, yard: Yard) -> None:
        self.films, self.spectators, self.tables = MatchFilms(yard), Spectators(), LadderTables()
