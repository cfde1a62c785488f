"""Who hosts and who guests on a ladder, and the reasons that people are told."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from botyard.kernel.errors import SettingsError
from botyard.rank.ladder import (
    Encounter,
    EntryState,
    LadderEntry,
    LadderField,
    LadderPolicy,
    NextPair,
    TaskClass,
    choose,
)
from botyard.rank.ladder.guests import drawn, neighbours_due, rivals_of
from botyard.rank.ladder.policy import REACH
from botyard.rank.ladder.words import times, waited
from botyard.rank.ratings import BETA
from tests.rank.ladders import NOW, entry, no_pair, pair, settling

MANY = 1500  # streams, for shares; they are the same in every run


def guests(entries: list[LadderEntry], encounters: dict[str, Encounter] | None = None, **policy: int) -> Counter[str]:
    """How often each bot guests, over many streams."""
    field = LadderField(entries, LadderPolicy(**policy))
    counts: Counter[str] = Counter()
    for stream in range(MANY):
        found = choose(field, lambda host: encounters or {}, NOW, stream << 32)
        assert isinstance(found, NextPair)
        counts[found.guests[0].bot] += 1
    return counts


def met(pairs: int, ago_ms: int = 0, settled: bool = False) -> Encounter:
    return Encounter(pairs=pairs, last_ms=NOW - ago_ms, settled=settled)


# Who hosts


def test_a_settling_entry_hosts_before_all_others() -> None:
    found = pair([entry("A", asked_ms=0), settling("B"), entry("C")])
    assert (found.host.bot, found.task_class) == ("B", TaskClass.SETTLING)
    assert found.host_why == "settling: 3 of 16 pairs played"


def test_of_several_settling_entries_the_one_that_waited_longest_hosts() -> None:
    assert pair([settling("A"), settling("B", asked_ms=NOW - 70_000), settling("C")]).host.bot == "B"


def test_a_settling_entry_is_not_asked_for_more_pairs_than_it_needs() -> None:
    found = pair([settling("A", version_pairs=15, in_flight=1), entry("B", asked_ms=NOW - 90_000)])
    assert (found.host.bot, found.task_class) == ("B", TaskClass.STEADY)


def test_an_active_entry_does_not_settle_however_few_pairs_it_has_played() -> None:
    found = pair([entry("A", version_pairs=0), entry("B", asked_ms=0, version_pairs=0)])
    assert (found.host.bot, found.task_class) == ("B", TaskClass.STEADY)


def test_otherwise_the_entry_that_waited_longest_hosts() -> None:
    found = pair([entry("A"), entry("B", asked_ms=NOW - 71_000), entry("C")])
    assert (found.host.bot, found.task_class) == ("B", TaskClass.STEADY)
    assert found.host_why == "not asked for 71 s, longest of 3"


def waiting(ms: int, sigma: float) -> list[LadderEntry]:
    """A field in which A has waited for a minute, and B for another time with another sigma."""
    others = [entry(f"C{number}", asked_ms=NOW - 1000) for number in range(3)]
    return [entry("A"), entry("B", asked_ms=NOW - ms, sigma=sigma), *others]


def test_the_wait_of_an_unsure_entry_counts_more() -> None:
    found = pair(waiting(45_000, sigma=2.5))  # the square of its sigma is 1.56 times the typical one
    assert found.host.bot == "B"
    assert found.host_why == (
        "not asked for 45 s; who has waited longer is rated more surely than by sigma 2.5, or costs more time"
    )
    assert pair(waiting(35_000, sigma=2.5)).host.bot == "A"


@pytest.mark.parametrize("sigma", [3.0, 8.0])
def test_but_never_more_than_twice(sigma: float) -> None:
    assert pair(waiting(31_000, sigma)).host.bot == "B"
    assert pair(waiting(29_000, sigma)).host.bot == "A"


@pytest.mark.parametrize("sigma", [0.5, 1.0])
def test_nor_less_than_half(sigma: float) -> None:
    assert pair(waiting(121_000, sigma)).host.bot == "B"
    assert pair(waiting(119_000, sigma)).host.bot == "A"


@pytest.mark.parametrize("ms", [1, 100])
def test_a_bot_that_costs_eight_times_the_median_hosts_half_as_often(ms: int) -> None:
    others = [*(entry(f"C{number}", game_ms=ms) for number in range(3)), entry("new", game_ms=0)]
    assert pair([*others, entry("slow", game_ms=8 * ms, asked_ms=NOW - 119_000)]).host.bot != "slow"
    assert pair([*others, entry("slow", game_ms=8 * ms, asked_ms=NOW - 121_000)]).host.bot == "slow"


def test_a_bot_that_costs_four_times_the_median_hosts_as_often_as_others() -> None:
    cheap = [entry(f"C{number}", game_ms=100) for number in range(3)]
    assert pair([*cheap, entry("slow", game_ms=400, asked_ms=NOW - 61_000)]).host.bot == "slow"


def test_who_has_two_pairs_in_flight_does_not_host() -> None:
    assert pair([entry("A", in_flight=2, asked_ms=0), entry("B", in_flight=1)]).host.bot == "B"
    assert no_pair([entry("A", in_flight=2), entry("B", in_flight=3)]).why == (
        "every entry that may host has 2 pairs in flight"
    )


def test_a_clock_that_went_back_stops_nobody() -> None:
    assert pair([entry("A", asked_ms=NOW + 5000), entry("B", asked_ms=NOW + 5000, sigma=3.0)]).host.bot == "B"


# House bots


def house(bot: str, **values: Any) -> LadderEntry:
    return entry(bot, house=True, owner="house", **values)


def test_house_bots_do_not_host_while_two_players_bots_play() -> None:
    found = pair([house("H", asked_ms=0), entry("A", in_flight=1), entry("B", in_flight=1)])
    assert found.host.bot in "AB"


def test_on_a_fresh_site_house_bots_play_each_other_a_pair_a_minute() -> None:
    fresh = [house("H", asked_ms=0), house("I", asked_ms=0)]
    assert {one.bot for one in pair(fresh).entries} == {"H", "I"}
    asked = [house("H", hosted_ms=NOW - 59_000), house("I", hosted_ms=NOW - 500_000)]
    none = no_pair(asked)
    assert none.why == "house bots host a pair every 60 s while fewer than 2 players' bots are active"
    assert none.again_ms == NOW + 1000
    assert pair(asked, now_ms=NOW + 1000)


def test_house_bots_may_host_from_the_first_moment_on() -> None:
    assert pair([house("H", asked_ms=0), house("I", asked_ms=0)], now_ms=0)


def test_house_bots_do_not_settle() -> None:
    found = pair([house("H", state=EntryState.SETTLING, version_pairs=0), house("I")])
    assert found.task_class is TaskClass.STEADY


@pytest.mark.parametrize("hosted_ms", [None, NOW - 60_000, NOW - 90_000])
def test_house_bots_that_are_busy_are_not_said_to_pause(hosted_ms: int | None) -> None:
    busy = [house(bot, in_flight=2, hosted_ms=hosted_ms) for bot in "HI"]
    assert no_pair(busy).why == "every entry that may host has 2 pairs in flight"


def test_where_players_bots_are_busy_nobody_waits_for_the_house() -> None:
    busy = [entry("A", in_flight=2), entry("B", in_flight=2), house("H", hosted_ms=NOW)]
    assert no_pair(busy).why == "every entry that may host has 2 pairs in flight"


def test_the_only_players_bot_hosts_house_bots_at_its_own_pace() -> None:
    found = pair([settling("A"), house("H", hosted_ms=NOW), house("I", hosted_ms=NOW)])
    assert found.host.bot == "A"
    assert found.guests[0].house


def test_a_benched_players_bot_does_not_count_as_one_that_plays() -> None:
    found = pair([entry("A", state=EntryState.BENCHED), entry("B", in_flight=2), house("H"), house("I")])
    assert found.host.house


# Who guests


def test_a_guest_is_less_likely_by_the_factor_e_for_each_half_beta_of_distance() -> None:
    assert pytest.approx(BETA / 2) == REACH
    host = entry("A", asked_ms=0)
    near, far = entry("N", mu=host.mu + 3), entry("F", mu=host.mu + 3 + REACH)
    counts = guests([host, near, far], {"N.1": met(1), "F.1": met(1)})
    # A tenth is drawn from all ranks; no neighbour is due, because both were met just now.
    assert counts["N"] / MANY == pytest.approx(0.9 * math.e / (1 + math.e) + 0.05, abs=0.03)


@pytest.mark.parametrize("before", [0, 5])
def test_each_meeting_beyond_the_hosts_fewest_halves_the_weight_of_a_guest(before: int) -> None:
    known = {"B.1": met(before + 1), "C.1": met(before + 3)}
    counts = guests([entry("A", asked_ms=0), entry("B"), entry("C")], known, lately_min=10_000)
    assert counts["B"] / MANY == pytest.approx(0.9 * 0.8 + 0.05, abs=0.03)


def test_a_tenth_of_the_guests_is_drawn_from_all_ranks() -> None:
    far = [entry(f"F{number}", mu=100 + number) for number in range(9)]
    counts = guests([entry("A", asked_ms=0), entry("N"), *far], {one.version: met(1) for one in far})
    assert sum(counts[one.bot] for one in far) / MANY == pytest.approx(0.09, abs=0.03)
    whys = {pair([entry("A", asked_ms=0), entry("N"), *far], stream=stream << 40).guest_why for stream in range(50)}
    assert ("drawn from all ranks",) in whys


def test_an_earlier_version_does_not_count_as_met() -> None:
    counts = guests([entry("A", asked_ms=0), entry("B", version="B.2"), entry("C")], {"B.1": met(9), "C.1": met(1)})
    assert counts["B"] > counts["C"]


def test_a_neighbour_not_met_lately_is_due() -> None:
    """Two crowds as near as the neighbours would hardly ever let them come up."""
    crowd = [entry(f"C{number}", mu=25 + 0.2) for number in range(50)]
    neighbours = [entry("N", mu=25.1), entry("M", mu=24.9)]
    entries = [entry("A", asked_ms=0, mu=25.0), *crowd, *neighbours]
    lately = {"N.1": met(1, ago_ms=1000), "M.1": met(1, ago_ms=1000)}
    assert sum(guests(entries, lately)[one] for one in "NM") / MANY < 0.06
    long_ago = {"N.1": met(1, ago_ms=7 * 3_600_000), "M.1": met(1, ago_ms=1000)}
    counts = guests(entries, long_ago)
    assert 0.2 < counts["N"] / MANY < 0.35
    assert counts["M"] / MANY < 0.05
    whys = {pair(entries, long_ago, stream=stream << 40).guest_why[0] for stream in range(50)}
    assert "neighbour in rating, not met lately" in whys


def test_the_neighbours_are_the_next_above_and_the_next_below() -> None:
    names = ["equal", "half above", "below", "far below"]
    entries = [entry("A"), *(entry(bot, mu=mu) for bot, mu in zip(names, [25.0, 25.5, 24.0, 10.0], strict=True))]
    assert due(entries, {}) == {"equal", "below"}


@pytest.mark.parametrize(("minutes", "is_due"), [(300, False), (360, False), (361, True)])
def test_six_hours_ago_is_lately(minutes: int, is_due: bool) -> None:
    assert due([entry("A"), entry("B")], {"B.1": met(1, ago_ms=60_000 * minutes)}) == ({"B"} if is_due else set())


def due(entries: list[LadderEntry], encounters: dict[str, Encounter]) -> set[str]:
    """The neighbours of A that are due."""
    field = LadderField(entries, LadderPolicy())
    rows = np.array([field.rows[one.bot] for one in entries if one.bot != "A"])
    rivals = rivals_of(field, entries[0], encounters)
    return {field.entries[row].bot for row in neighbours_due(field, rivals, rows, NOW)}


def test_a_new_version_has_met_nobody_even_in_a_field_that_knew_the_old_one() -> None:
    field = LadderField([entry("A"), entry("B")], LadderPolicy())
    field.put(entry("B", version="B.2"))
    assert not rivals_of(field, field.entries[0], {"B.1": met(3)}).met.any()
    assert rivals_of(field, field.entries[0], {"B.2": met(3)}).met.tolist() == [0, 3]


def test_a_draw_among_rows_without_weight_takes_one_of_them() -> None:
    assert drawn(np.array([4, 7]), np.zeros(2), 1)[0] == 7


def test_a_neighbour_that_has_two_pairs_in_flight_is_not_due() -> None:
    crowd = [entry(f"C{number}", mu=25 + 0.2) for number in range(50)]
    busy = [entry("N", mu=25.1, in_flight=2), entry("M", mu=24.9, in_flight=2)]
    assert sum(guests([entry("A", asked_ms=0, mu=25.0), *crowd, *busy])[one] for one in "NM") / MANY < 0.1


def test_among_equal_neighbours_the_one_that_waited_longest_is_due() -> None:
    crowd = [entry(f"C{number}") for number in range(50)]
    counts = guests([entry("A", asked_ms=0), *crowd, entry("D", asked_ms=NOW - 70_000)])
    assert counts["D"] / MANY > 0.2


def test_a_settled_pair_is_not_asked_while_the_host_has_others_to_meet() -> None:
    entries = [entry("A", asked_ms=0), entry("B"), entry("C", mu=60)]
    assert guests(entries, {"B.1": met(2, settled=True)}) == {"C": MANY}
    both = {"B.1": met(2, settled=True), "C.1": met(2, settled=True)}
    assert set(guests(entries, both)) == {"B", "C"}


def test_a_bot_that_costs_much_guests_less_often() -> None:
    cheap = [entry(name, game_ms=100) for name in "ABCD"]
    known = {f"{bot}.1": met(1) for bot in ["slow", *"ABCD"]}
    counts = guests([*cheap, entry("host", asked_ms=0), entry("slow", game_ms=1600)], known)
    assert counts["slow"] / MANY == pytest.approx(0.25 / 4.25, abs=0.02)


def test_a_host_far_from_everybody_still_has_a_guest() -> None:
    counts = guests([entry("A", mu=1e6, asked_ms=0), entry("B", mu=40), entry("C")], {"B.1": met(1), "C.1": met(1)})
    assert counts["B"] > 0.8 * MANY


def test_the_reason_of_a_near_guest_says_how_near_and_how_often_they_met() -> None:
    known = {"B.1": met(2)}
    whys = {pair([entry("A", asked_ms=0), entry("B", mu=26.2)], known, stream << 40).guest_why for stream in range(9)}
    assert ("close in rating: 1.2 apart, met twice",) in whys


# Nobody


@pytest.mark.parametrize(
    "entries",
    [[], [entry("A")], [entry("A", owner="p"), entry("B", owner="p")], [entry("A"), entry("B", state="benched")]],
)
def test_without_two_owners_nothing_is_asked_and_it_says_so(entries: list[LadderEntry]) -> None:
    assert no_pair(entries).why.startswith("a table needs bots of 2 owners, and those that play belong to ")


def test_a_table_needs_as_many_owners_as_seats() -> None:
    three = [entry("A"), entry("B"), entry("C"), entry("D", owner="owner of C")]
    assert len(pair(three, seats=3).guests) == 2
    assert "4 owners" in no_pair(three, seats=4).why


def test_a_bot_has_one_entry() -> None:
    with pytest.raises(ValueError, match="two entries"):
        LadderField([entry("A"), entry("A", version="A.2")], LadderPolicy())


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(SettingsError):
        LadderPolicy(seats=1)


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (-5, "0 s"),
        (41_999, "41 s"),
        (119_000, "119 s"),
        (120_000, "2 min"),
        (7_200_000, "2 h"),
        (172_800_000, "2 days"),
    ],
)
def test_a_wait_is_told_in_a_unit_people_read(ms: int, words: str) -> None:
    assert waited(ms) == words


def test_how_often_is_told_in_words() -> None:
    assert [times(number) for number in range(4)] == ["never", "once", "twice", "3 times"]
