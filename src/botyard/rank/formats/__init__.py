"""The formats by name. A new format is a new module and one line here."""

from __future__ import annotations

from botyard.rank.formats.compare import Compare
from botyard.rank.formats.course import Course, Estimate, Format, Pairing
from botyard.rank.formats.gauntlet import Gauntlet
from botyard.rank.formats.king_of_the_hill import KingOfTheHill
from botyard.rank.formats.knockout import Knockout
from botyard.rank.formats.points_table import PointsTable
from botyard.rank.formats.rated_waves import RatedWaves
from botyard.rank.formats.round_robin import RoundRobin
from botyard.rank.formats.series import BestOf, FirstTo, Fixed
from botyard.rank.formats.swiss import Swiss

__all__ = ["FORMATS", "Course", "Estimate", "Format", "Pairing"]

FORMATS: dict[str, type[Format]] = {
    kind.NAME: kind
    for kind in (
        RoundRobin, BestOf, FirstTo, Fixed, KingOfTheHill, PointsTable, Swiss, Knockout, Gauntlet, RatedWaves, Compare,
    )
}  # fmt: skip
