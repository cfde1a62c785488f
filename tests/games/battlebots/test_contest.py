"""The tournament of the original: what its settings say of a round robin, and what it prints."""

from __future__ import annotations

from botyard.games.battlebots.contest import contest_files, format_defaults
from botyard.games.battlebots.settings import BattlebotsSettings
from botyard.kernel.contract import ContestRecord, CountedGame

BOTS = ("hugger", "nop")


def record(kind: str, *winners: str | None) -> ContestRecord:
    games = [
        CountedGame("hugger-nop", BOTS if at % 2 else BOTS[::-1], winner, None) for at, winner in enumerate(winners)
    ]
    return ContestRecord(BattlebotsSettings(), 7, kind, {}, BOTS, games)


def test_a_round_robin_counts_matches_of_so_many_bouts() -> None:
    assert format_defaults("round_robin", BattlebotsSettings(bouts_per_match=3)) == {
        "bouts": 3,
        "count": "matches",
        "swap": "none",
    }
    assert format_defaults("round_robin", BattlebotsSettings(swap_sides=True))["swap"] == "alternate"
    assert format_defaults("swiss", BattlebotsSettings()) == {}


def test_a_tournament_is_printed_as_the_original_does() -> None:
    lines = ["hugger vs nop", "0 1 2 ", "", "Results:", "Bot\tMatches\tBouts", "hugger\t0\t1", "nop\t0\t1", ""]
    assert contest_files(record("round_robin", "nop", None, "hugger")) == {"battlebots.txt": "\n".join(lines)}


def test_other_formats_were_never_held() -> None:
    assert contest_files(record("swiss", "nop")) == {}
