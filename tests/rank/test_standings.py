"""Standings of every format, drawn: the results of a contest on the left, the places on the right."""

from __future__ import annotations

from itertools import product

import pytest

from botyard.kernel.errors import SettingsError
from botyard.rank.formats import FORMATS, Pairing
from botyard.rank.formats.king_of_the_hill import combine
from botyard.rank.formats.knockout import bracket
from botyard.rank.formats.swiss import SwissCourse
from botyard.rank.results import Result
from tests.rank.drawn import hold, places

# format, options, bots, results in the order of the games, places
CASES = [
    # Round robin: pairs in the order of registration
    ("round_robin", {}, "", "", ""),
    ("round_robin", {}, "A", "", "1 A"),
    ("round_robin", {}, "A B", "A>B", "1 A  2 B"),
    ("round_robin", {}, "A B", "A=B", "1 A B"),
    ("round_robin", {}, "A B", "A>B!", "1 A  2 B"),
    ("round_robin", {}, "A B", "A?B", "1 A B"),
    ("round_robin", {}, "A B C", "A>B A>C B>C", "1 A  2 B  3 C"),
    ("round_robin", {}, "A B C", "A>B C>A B>C", "1 A B C"),
    ("round_robin", {}, "A B C", "A=B A>C B=C", "1 A  2 B  3 C"),
    ("round_robin", {"bouts": 2}, "A B", "A>B B>A", "1 A B"),
    ("round_robin", {"swap": "same_seed"}, "A B", "A>B A>B", "1 A  2 B"),
    ("round_robin", {"seats": 3}, "A B C", "B>A=C", "1 B  2 A C"),
    ("round_robin", {"seats": 3}, "A B C D", "A>B>C A>B>D A>C>D B>C>D", "1 A  2 B  3 C  4 D"),
    ("round_robin", {"seats": 3}, "A B", "", "1 A B"),
    ("round_robin", {"tie_breaks": "score"}, "A B", "A:3=B:7", "1 B  2 A"),
    ("round_robin", {"tie_breaks": "wins"}, "A B C", "A=B A=C B>C", "1 B  2 A  3 C"),
    # A and B have two points each, C and D one: A beat B and D beat C, but C has beaten A
    ("round_robin", {"tie_breaks": "head_to_head"}, "A B C D", "A>B C>A A>D B>C B>D D>C", "1 A  2 B  3 D  4 C"),
    ("round_robin", {"tie_breaks": "sonneborn_berger"}, "A B C D", "A>B C>A A>D B>C B>D D>C", "1 A  2 B  3 C  4 D"),
    ("round_robin", {"tie_breaks": "forfeits"}, "A B C", "B>A! C>A! C>B!", "1 C  2 B  3 A"),
    # BattleBots: bouts make matches, matches make the champion, equals share
    ("round_robin", {"count": "matches", "bouts": 3}, "A B", "A>B B>A A>B", "1 A  2 B"),
    ("round_robin", {"count": "matches", "bouts": 3}, "A B", "A=B A=B B>A", "1 B  2 A"),
    ("round_robin", {"count": "matches", "bouts": 2}, "A B", "A>B B>A", "1 A B"),
    ("round_robin", {"count": "matches", "bouts": 2}, "A B", "A>B A?B", "1 A  2 B"),
    ("round_robin", {"count": "matches"}, "A B C", "A>B C>A B=C", "1 A C  3 B"),
    # One match: to a number of wins, washes again
    ("first_to", {"wins": 1}, "", "", ""),
    ("first_to", {"wins": 2}, "A B", "A>B A>B", "1 A  2 B"),
    ("first_to", {"wins": 2}, "A B", "A>B B>A A=B A=B B>A", "1 B  2 A"),
    ("first_to", {"wins": 2}, "A B", "A>B A?B A>B", "1 A  2 B"),
    ("first_to", {"wins": 2}, "A B", "A>B! A>B!", "1 A  2 B"),
    ("first_to", {"wins": 1, "wash_limit": 3}, "A B", "A=B A=B A=B", "1 A B"),
    ("first_to", {"wins": 2, "match_games_cap": 3}, "A B C", "A>B>C B>A>C C>A>B", "1 A B C"),
    ("first_to", {"wins": 1, "wash_limit": 1}, "A B", "A=B", "1 A B"),
    ("first_to", {"wins": 2, "match_games_cap": 1}, "A B", "A>B", "1 A  2 B"),
    ("first_to", {"wins": 1}, "A B C", "A=B>C C>A=B", "1 C  2 A B"),
    ("best_of", {"games": 1}, "A B C", "C:9>A:5>B:1", "1 C  2 A  3 B"),
    ("best_of", {"games": 4}, "A B", "B>A A=B B>A", "1 B  2 A"),
    ("best_of", {"games": 3}, "A", "A:5 A:6", "1 A"),
    ("fixed", {"games": 3}, "A B", "A>B A=B B>A", "1 A B"),
    ("fixed", {"games": 3}, "A B", "A=B A=B B>A", "1 B  2 A"),
    ("fixed", {"games": 2}, "A B", "A>B A?B B:4>A:1", "1 B  2 A"),
    ("fixed", {"games": 2}, "A B", "A:50>B:1 B:3>A:2", "1 A  2 B"),
    # King of the hill: alone, then all together
    ("king_of_the_hill", {}, "", "", ""),
    ("king_of_the_hill", {"solo_games": 1, "best_of": 1}, "A", "A:5 A:3", "1 A"),
    ("king_of_the_hill", {"solo_games": 1, "best_of": 1}, "A B", "A:9 B:5 A:30>B:1", "1 A  2 B"),
    ("king_of_the_hill", {"solo_games": 1, "best_of": 1}, "A B", "A:9 B:5 B:30>A:1", "1 B  2 A"),
    ("king_of_the_hill", {"solo_games": 1, "best_of": 1}, "A B", "A:9 B:5 A=B B:30>A:1", "1 B  2 A"),
    ("king_of_the_hill", {"solo_games": 2, "best_of": 1}, "A B", "A:9 A? B:5 B:5 A>B A:0", "1 A  2 B"),
    ("king_of_the_hill", {"solo_games": 1, "best_of": 3}, "A B", "A:1 B:1 A:9>B:8 B:900>A:1 A:9>B:1", "1 A  2 B"),
    # without the bonus B has more points on the hill, although A won it
    (
        "king_of_the_hill", {"solo_games": 1, "best_of": 3, "match_bonus": False}, "A B",
        "A:1 B:1 A:9>B:8 B:900>A:1 A:9>B:1", "1 B  2 A",
    ),
    # Points table
    ("points_table", {"games": 3}, "", "", ""),
    ("points_table", {"games": 1}, "A B C", "A:10>B:4=C:4", "1 A  2 B C"),
    ("points_table", {"games": 2}, "A B", "A:10>B:0 A:0=B:12", "1 B  2 A"),
    ("points_table", {"games": 2}, "A B", "A:10>B:0 B:10>A:0", "1 A B"),
    ("points_table", {"games": 2}, "A B", "A:6>B:0 B:4>A:-2", "1 A  2 B"),
    ("points_table", {"games": 2}, "A B", "A:6>B:0 A?B", "1 A  2 B"),
    ("points_table", {"games": 2, "tie_breaks": "best"}, "A B", "A:6>B:1 B:5>A:0", "1 A  2 B"),
    # Swiss: the first round pairs neighbours, byes go to the last
    ("swiss", {"bouts": 1}, "", "", ""),
    ("swiss", {"bouts": 1}, "A", "", "1 A"),
    ("swiss", {"bouts": 1}, "A B", "B>A", "1 B  2 A"),
    ("swiss", {"bouts": 1}, "A B C D", "A>B C>D A>C B>D", "1 A  2 B C  4 D"),
    ("swiss", {"bouts": 1, "tie_breaks": ""}, "A B C D", "A=B C=D A=C B=D", "1 A B C D"),
    ("swiss", {"bouts": 1, "tie_breaks": ""}, "A B C", "A>B A>C", "1 A  2 B C"),
    ("swiss", {"bouts": 1, "rounds": 1, "tie_breaks": ""}, "A B C", "A?B", "1 C  2 A B"),
    ("swiss", {"rounds": 1, "tie_breaks": ""}, "A B", "A>B B>A", "1 A B"),
    # Knockout: byes to the best seeds, washes again
    ("knockout", {}, "", "", ""),
    ("knockout", {}, "A", "", "1 A"),
    ("knockout", {"wins": 1}, "A B", "B>A", "1 B  2 A"),
    ("knockout", {"wins": 1}, "A B C", "C>B A>C", "1 A  2 C  3 B"),
    ("knockout", {"wins": 1}, "A B C D", "A>D B>C A>B", "1 A  2 B  3 C D"),
    ("knockout", {"wins": 1, "third_place": True}, "A B C D", "A>D B>C A>B D>C", "1 A  2 B  3 D  4 C"),
    ("knockout", {"wins": 2}, "A B", "A>B B>A A=B A>B", "1 A  2 B"),
    ("knockout", {"wins": 1, "wash_limit": 2}, "A B", "A=B A=B", "1 A  2 B"),
    ("knockout", {"wins": 1, "wash_limit": 2}, "A B", "A:1=B:2 A=B", "1 B  2 A"),
    ("knockout", {"wins": 1}, "A B", "A?B A>B!", "1 A  2 B"),
    ("knockout", {"wins": 1}, "A B C D E", "D>E A>D C>B C>A", "1 C  2 A  3 B D  5 E"),
    # Gauntlet: the first against all
    ("gauntlet", {}, "", "", ""),
    ("gauntlet", {}, "A", "", "1 A"),
    ("gauntlet", {"bouts": 1, "swap": "none"}, "A B C", "A>B C>A", "1 C  2 A  3 B"),
    ("gauntlet", {"bouts": 1}, "A B", "A>B A=B", "1 A  2 B"),
    # Rated waves
    ("rated_waves", {"waves": 2}, "", "", ""),
    ("rated_waves", {"waves": 2}, "A", "", "1 A"),
    ("rated_waves", {"waves": 2}, "A B", "A>B A>B", "1 A  2 B"),
    ("rated_waves", {"waves": 1}, "A B", "A=B", "1 A B"),
    ("rated_waves", {"waves": 1}, "A B", "A?B", "1 A B"),
    ("rated_waves", {"waves": 1, "seats": 3}, "A B C", "B>A=C", "1 B  2 A C"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "options", "bots", "results", "expected"), CASES)
def test_drawn_contests_end_in_these_places(
    kind: str, options: dict[str, object], bots: str, results: str, expected: str
) -> None:
    assert places(kind, bots, results, **options) == expected


def test_every_format_is_drawn_with_nobody_and_with_one_bot() -> None:
    drawn = {(kind, len(bots.split())) for kind, _, bots, _, _ in CASES}
    for kind in set(FORMATS) - {"compare", "best_of", "first_to", "fixed", "points_table"}:
        assert {(kind, 0)} <= drawn, kind
    assert len(CASES) >= 40


def test_the_worked_example_of_the_snakepit_competition() -> None:
    solo = {"A": 900, "B": 700, "C": 700, "D": 100}
    hill = {"A": 5000, "B": 9000, "C": 9000, "D": 8000}
    standings = combine("ABCD", solo, hill, dict.fromkeys("ABCD", 0), "competition")
    assert str(standings) == "1 B C  3 A  4 D"
    ranks = {
        row.bot: (row.columns["solo rank"], row.columns["hill rank"], row.columns["sum"]) for row in standings.rows
    }
    assert ranks == {"A": (1, 4, 5), "B": (2, 1, 3), "C": (2, 1, 3), "D": (4, 3, 7)}


def test_dense_ranks_leave_no_gap() -> None:
    solo = {"A": 900, "B": 700, "C": 700, "D": 100}
    standings = combine("ABCD", solo, solo, dict.fromkeys("ABCD", 0), "dense")
    assert [row.columns["solo rank"] for row in standings.rows] == [1, 2, 2, 3]


def test_the_hill_asks_for_as_many_games_as_must_be_played() -> None:
    _, asked = hold("king_of_the_hill", "A B C", "")
    hill = [pairing for pairing in asked if pairing.match == "hill"]
    assert len(asked) == 3 * 10 + 20
    assert len(hill) == 20
    assert all(pairing.bots == ("A", "B", "C") for pairing in hill)


def test_all_solo_matches_have_the_same_seeds() -> None:
    _, asked = hold("king_of_the_hill", "A B", "")
    seeds = {bot: [p.chance for p in asked if p.bots == (bot,)] for bot in "AB"}
    assert seeds["A"] == seeds["B"]
    assert len(set(seeds["A"])) == 10


def test_seats_are_swapped_on_the_same_seed() -> None:
    _, asked = hold("round_robin", "A B", "", swap="same_seed", bouts=2)
    assert [(p.bots, p.chance) for p in asked] == [
        (("A", "B"), "A vs B/1"), (("B", "A"), "A vs B/1"), (("A", "B"), "A vs B/2"), (("B", "A"), "A vs B/2"),
    ]  # fmt: skip


def test_seats_alternate_from_bout_to_bout() -> None:
    _, asked = hold("round_robin", "A B", "", swap="alternate", bouts=3)
    assert [p.bots for p in asked] == [("A", "B"), ("B", "A"), ("A", "B")]
    assert len({p.chance for p in asked}) == 3


def test_a_bracket_keeps_the_best_apart() -> None:
    assert bracket(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_swiss_gives_a_bye_to_nobody_twice_and_pairs_nobody_twice() -> None:
    course = FORMATS["swiss"].read({"rounds": 5, "bouts": 1}).open(list("ABCDEFG"))
    assert isinstance(course, SwissCourse)
    pairs = []
    while wave := course.wave():
        for pairing in wave:
            pairs.append(frozenset(pairing.bots))
            course.add(pairing, Result.of([[bot] for bot in sorted(pairing.bots)]))
    assert len(pairs) == len(set(pairs)) == 15
    assert sorted(course.byes.values()) == [0, 0, 1, 1, 1, 1, 1]
    assert course.standings().place("A") == 1


def test_more_rounds_than_rivals_means_meeting_again() -> None:
    course, asked = hold("swiss", "A B", "A>B A>B A>B", rounds=3, bouts=1)
    assert not asked
    assert course.standings().rows[0].columns["points"] == 3


def test_a_ladder_gives_everybody_a_fair_share() -> None:
    course = FORMATS["rated_waves"].read({"waves": 20}).open(list("ABCDE"))
    while wave := course.wave():
        for pairing in wave:
            course.add(pairing, Result.of([[bot] for bot in sorted(pairing.bots)]))
    games = [tally.games for tally in course.sums.tallies.values()]
    assert sum(games) == 80
    assert max(games) - min(games) <= 1
    assert course.standings().rows[0].bot == "A"


def test_a_large_field_shares_its_seats_out_fairly() -> None:
    _, asked = hold("points_table", "A B C D E", "", games=10, seats=2)
    seated = [bot for pairing in asked for bot in pairing.bots]
    assert sorted(seated.count(bot) for bot in "ABCDE") == [4, 4, 4, 4, 4]


def test_tie_breaks_are_known_by_name() -> None:
    with pytest.raises(SettingsError, match="head_to_head"):
        FORMATS["round_robin"].read({"tie_breaks": "coin"})


@pytest.mark.parametrize("kind", sorted(FORMATS))
def test_an_estimate_holds_what_an_undisturbed_contest_takes(kind: str) -> None:
    bots = list("AB" if kind == "compare" else "ABCDE")
    options = FORMATS[kind]()
    course, played = options.open(bots), 0
    while wave := course.wave():
        played += len(wave)
        for pairing in wave:
            course.add(pairing, Result.of([[bot] for bot in sorted(pairing.bots)]))
    least, most = options.estimate(len(bots))
    assert least <= played <= most


def test_no_more_pairs_meet_again_than_must() -> None:
    """Two teams of three have all met each other: within a team of three only one pair is left for one round."""
    course = FORMATS["swiss"].read({"rounds": 5, "bouts": 1}).open(list("ABCDEF"))
    assert isinstance(course, SwissCourse)
    course.met = {frozenset(pair) for pair in product("ABC", "DEF")}
    wave = [frozenset(pairing.bots) for pairing in course.wave()]
    assert len(wave) == 3
    assert sum(pair in {frozenset(both) for both in product("ABC", "DEF")} for pair in wave) == 1


def test_byes_go_round_before_anybody_has_a_second() -> None:
    course = FORMATS["swiss"].read({"rounds": 4, "bouts": 1}).open(list("ABC"))
    assert isinstance(course, SwissCourse)
    rested = []
    while wave := course.wave():
        rested.append(next(bot for bot in "ABC" if all(bot not in pairing.bots for pairing in wave)))
        for pairing in wave:
            course.add(pairing, Result.of([pairing.bots]))
    assert sorted(rested[:3]) == ["A", "B", "C"]
    columns = {row.bot: row.columns for row in course.standings().rows}
    assert sum(int(columns[bot]["byes"]) for bot in "ABC") == 4
    assert columns[rested[3]]["byes"] == 2
    assert columns[rested[3]]["points"] == 2 + 2 * 0.5


def test_a_bracket_seats_the_better_seed_first_and_then_turns_the_seats() -> None:
    _, asked = hold("knockout", "A B C D", "", wins=2)
    assert [(p.match, p.game, p.bots) for p in asked] == [
        ("round 1 match 1", 1, ("A", "D")), ("round 1 match 1", 2, ("D", "A")),
        ("round 1 match 2", 1, ("B", "C")), ("round 1 match 2", 2, ("C", "B")),
    ]  # fmt: skip
    _, final = hold("knockout", "A B C D", "D>A D>A C>B C>B", wins=2, third_place=True)
    assert [(p.match, p.game, p.bots) for p in final] == [
        ("final", 1, ("C", "D")), ("final", 2, ("D", "C")),
        ("third place", 1, ("A", "B")), ("third place", 2, ("B", "A")),
    ]  # fmt: skip
    assert len({p.chance for p in final}) == 4


def pairs_of(asked: list[Pairing]) -> list[str]:
    return ["".join(pairing.bots) for pairing in asked]


def test_a_ladder_pairs_those_who_are_close_and_have_not_met_of_late() -> None:
    _, asked = hold("rated_waves", "A B C D", "A>B C>D")
    assert pairs_of(asked) == ["AC", "BD"]  # winners, losers
    _, asked = hold("rated_waves", "A B C D", "A=B C=D")
    assert pairs_of(asked) == ["AC", "BD"]  # all are equal: not the same again


def test_a_ladder_shares_the_first_seats_out() -> None:
    course = FORMATS["rated_waves"].read({"waves": 24}).open(list("ABCD"))
    first = dict.fromkeys("ABCD", 0)
    while wave := course.wave():
        for pairing in wave:
            first[pairing.bots[0]] += 1
            course.add(pairing, Result.of([pairing.bots]))
    assert sum(first.values()) == 48
    assert max(first.values()) - min(first.values()) <= 2


def test_a_swiss_round_pairs_by_points_and_shares_the_first_seats_out() -> None:
    _, asked = hold("swiss", "A B C D", "A>B D>C", bouts=1)
    assert [set(pairing.bots) for pairing in asked] == [{"A", "D"}, {"B", "C"}]
    assert pairs_of(asked) == ["DA", "BC"]  # A and C have sat first


def test_seats_on_a_shared_field_turn_from_game_to_game() -> None:
    _, asked = hold("points_table", "A B C", "", games=4)
    assert pairs_of(asked) == ["ABC", "BCA", "CAB", "ABC"]
    assert [(p.match, p.game, p.chance) for p in asked[:2]] == [("points", 1, "field/1"), ("points", 2, "field/2")]
