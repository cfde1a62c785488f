"""What pages show beside the tables, and keep while the server runs: films, those who watch, and what games tell."""

from __future__ import annotations

from botyard.yard.contests.reports import ContestSummaries
from botyard.yard.rooms.caretaker import Caretaker
from botyard.yard.site import Yard
from botyard.yard.web.bot_histories import BotHistories
from botyard.yard.web.build_logs import BuildLogs
from botyard.yard.web.contest_pages import ContestPages
from botyard.yard.web.films import MatchFilms
from botyard.yard.web.guides import Guides
from botyard.yard.web.ladder_tables import LadderTables
from botyard.yard.web.room_films import RoomFilms
from botyard.yard.web.spectators import Spectators
from botyard.yard.web.toolchain_list import ToolchainList
from botyard.yard.web.viewed import ViewedFiles


class Showroom:
    """Everything that is made once and shown to many."""

    def __init__(self, yard: Yard, rooms: Caretaker | None = None) -> None:
        self.rooms = rooms or Caretaker(yard)
        self.workshop = workshop = self.rooms.workshop
        self.films, self.guides, self.viewed = MatchFilms(yard, workshop), Guides(workshop), ViewedFiles(workshop)
        self.round_films, self.histories = RoomFilms(yard, workshop), BotHistories()
        self.contests, self.contest_pages = ContestSummaries(), ContestPages(yard, workshop)
        self.build_logs = BuildLogs(yard)
        self.spectators, self.tables, self.toolchains = Spectators(), LadderTables(), ToolchainList(workshop)
