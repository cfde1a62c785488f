"""Laws that every choice of a ladder keeps, whatever its entries are."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from botyard.rank.ladder import (
    Encounter,
    EntryState,
    LadderEntry,
    LadderField,
    LadderPolicy,
    NextPair,
    NoPair,
    TaskClass,
    asked,
    choose,
    hosts_waiting,
)
from botyard.rank.ladder.seating import sat, seat_order
from botyard.rank.ladder.stream import draw_below, draw_fraction
from tests.rank.ladders import NOW, STREAMS, DrawnLadder, drawn_entry, entry, ladders


def ask(ladder: DrawnLadder, stream: int, task_class: TaskClass | None = None) -> NextPair | NoPair:
    return choose(LadderField(ladder.entries, ladder.policy), ladder.encounters_of, NOW, stream, task_class)


def ask_for_one(ladder: DrawnLadder, stream: int) -> NextPair:
    found = ask(ladder, stream)
    assume(isinstance(found, NextPair))
    assert isinstance(found, NextPair)
    return found


@given(ladders(), STREAMS)
def test_no_two_bots_of_one_owner_meet(ladder: DrawnLadder, stream: int) -> None:
    owners = [entry.owner for entry in ask_for_one(ladder, stream).entries if not entry.house]
    assert len(owners) == len(set(owners))


@given(ladders(), STREAMS)
def test_only_settling_and_active_entries_play_and_each_of_a_table_is_another(ladder: DrawnLadder, stream: int) -> None:
    found = ask_for_one(ladder, stream)
    assert all(entry.state in ("settling", "active") for entry in found.entries)
    assert len({entry.bot for entry in found.entries}) == ladder.policy.seats


@given(ladders(), STREAMS)
def test_a_host_has_fewer_than_two_pairs_in_flight(ladder: DrawnLadder, stream: int) -> None:
    assert ask_for_one(ladder, stream).host.in_flight < 2


@given(ladders(), STREAMS)
def test_a_house_bot_hosts_only_while_fewer_than_two_players_bots_play(ladder: DrawnLadder, stream: int) -> None:
    players = sum(entry.plays and not entry.house for entry in ladder.entries)
    assert players < 2 or not ask_for_one(ladder, stream).host.house


@given(ladders(), STREAMS, st.randoms())
def test_a_choice_depends_on_nothing_but_its_arguments(ladder: DrawnLadder, stream: int, mixer: random.Random) -> None:
    entries, met = list(ladder.entries), list(ladder.met.items())
    mixer.shuffle(entries)
    mixer.shuffle(met)
    assert ask(ladder, stream) == ask(replace(ladder, entries=entries, met=dict(met)), stream)


@given(ladders(), STREAMS, st.integers(0, 2**32 - 1))
def test_a_field_kept_up_to_date_chooses_as_one_made_anew(ladder: DrawnLadder, stream: int, seed: int) -> None:
    dice = random.Random(seed)
    field = LadderField([drawn_entry(one.bot, dice) for one in ladder.entries], ladder.policy)
    for one in ladder.entries:
        field.put(one)
    assert choose(field, ladder.encounters_of, NOW, stream) == ask(ladder, stream)


@given(ladders(), STREAMS)
def test_the_stream_that_comes_back_has_gone_on(ladder: DrawnLadder, stream: int) -> None:
    after = ask_for_one(ladder, stream).stream
    assert 0 <= after < 2**64
    assert after != stream


@given(ladders(2), STREAMS)
def test_a_pair_is_both_orders_of_seats_on_one_seed(ladder: DrawnLadder, stream: int) -> None:
    found = ask_for_one(ladder, stream)
    first, second = found.pairings
    assert first.bots == (found.host.bot, found.guests[0].bot) == second.bots[::-1]
    assert first.chance == second.chance
    assert (first.match, first.game, second.match, second.game) == (first.match, 1, first.match, 2)


@given(ladders(3, 4), STREAMS)
def test_a_table_is_one_game_of_all_its_entries(ladder: DrawnLadder, stream: int) -> None:
    found = ask_for_one(ladder, stream)
    (table,) = found.pairings
    assert sorted(table.bots) == sorted(entry.bot for entry in found.entries)


@given(ladders(), STREAMS)
def test_somebody_is_asked_exactly_if_somebody_may_host(ladder: DrawnLadder, stream: int) -> None:
    waiting = hosts_waiting(LadderField(ladder.entries, ladder.policy), NOW)
    for task_class, hosts in waiting.items():
        found = ask(ladder, stream, task_class)
        assert isinstance(found, NextPair if hosts else NoPair)
        if isinstance(found, NextPair):
            assert found.task_class is task_class
    both = ask(ladder, stream)
    settling_first = TaskClass.SETTLING if waiting[TaskClass.SETTLING] else TaskClass.STEADY
    assert both == ask(ladder, stream, settling_first) or not any(waiting.values())


@given(ladders(), STREAMS)
def test_every_choice_and_every_refusal_has_its_reasons(ladder: DrawnLadder, stream: int) -> None:
    found = ask(ladder, stream)
    if isinstance(found, NoPair):
        assert found.why
    else:
        assert found.host_why
        assert len(found.guest_why) == len(found.guests)
        assert all(found.guest_why)


@given(ladders(), STREAMS)
def test_asking_puts_a_pair_in_flight_for_each_entry_and_changes_no_rating(ladder: DrawnLadder, stream: int) -> None:
    found = ask_for_one(ladder, stream)
    for before, after in zip(found.entries, asked(found, NOW), strict=True):
        assert (after.in_flight, after.asked_ms) == (before.in_flight + 1, NOW)
        assert after.hosted_ms == (NOW if before is found.host else before.hosted_ms)
        assert after.rating == before.rating
        if ladder.policy.seats > 2:
            seat = found.pairings[0].bots.index(before.bot)
            assert sat(after, seat) == sat(before, seat) + 1
        else:
            assert after.seated == before.seated


# A ladder that goes on


def go_on(entries: list[LadderEntry], policy: LadderPolicy, tables: int) -> list[NextPair]:
    """Asks for one table after another, each of which is over before the next one."""
    field, met, stream = LadderField(entries, policy), dict[str, dict[str, Encounter]](), 7
    made = []
    for number in range(tables):
        now = NOW + 1000 * number
        found = choose(field, lambda host: met.get(host.version, {}), now, stream)
        assert isinstance(found, NextPair)
        stream = found.stream
        made.append(found)
        for one in asked(found, now):
            field.put(replace(one, in_flight=0))
            for other in found.entries:
                if other.bot != one.bot:
                    before = met.setdefault(one.version, {}).get(other.version, Encounter(pairs=0, last_ms=0))
                    met[one.version][other.version] = Encounter(pairs=before.pairs + 1, last_ms=now)
    return made


@pytest.mark.parametrize("seats", [3, 4, 7])
def test_entries_sit_in_every_seat_equally_often(seats: int) -> None:
    entries = [entry(f"bot{number}", mu=20 + number) for number in range(9)]
    tables = [found.pairings[0].bots for found in go_on(entries, LadderPolicy(seats=seats), 150)]
    for one in entries:
        counts = [sum(bots[seat] == one.bot for bots in tables) for seat in range(seats)]
        assert max(counts) - min(counts) <= 2


@pytest.mark.parametrize("seats", [2, 4])
def test_all_entries_play_about_equally_often(seats: int) -> None:
    entries = [entry(f"bot{number}", mu=20 + number) for number in range(9)]
    made = go_on(entries, LadderPolicy(seats=seats), 150)
    played = Counter(one.bot for found in made for one in found.entries)
    assert max(played.values()) < 1.5 * min(played.values())


@pytest.mark.parametrize("seats", [2, 3])
def test_no_pair_has_the_seed_of_an_earlier_one(seats: int) -> None:
    entries = [entry(f"bot{number}") for number in range(4)]
    made = go_on(entries, LadderPolicy(seats=seats), 100)
    assert len({found.pairings[0].chance for found in made}) == 100
    assert len({frozenset(one.bot for one in found.entries) for found in made}) < 10


def test_a_seed_depends_on_the_versions_that_meet_and_on_nobody_else() -> None:
    two = [entry("A"), entry("B")]
    more = [*two, *(entry(f"C{number}", state=EntryState.BENCHED) for number in range(3))]
    policy = LadderPolicy()
    names = [[found.pairings[0].chance for found in go_on(entries, policy, 5)] for entries in (two, more)]
    assert names[0] == names[1]
    assert go_on([entry("A", version="A.2"), entry("B")], policy, 1)[0].pairings[0].chance not in names[0]


def test_the_name_of_a_pair_says_which_versions_meet_for_the_how_manieth_time() -> None:
    names = [found.pairings[0].match for found in go_on([entry("A"), entry("B")], LadderPolicy(), 3)]
    assert names == ["A.1+B.1/1", "A.1+B.1/2", "A.1+B.1/3"]


def test_entries_that_never_sat_are_seated_in_every_order_equally_often() -> None:
    orders: Counter[str] = Counter()
    for stream in range(900):
        seated, _ = seat_order([entry(bot) for bot in "ABC"], stream << 32)
        orders["".join(one.bot for one in seated)] += 1
    assert len(orders) == 6
    assert all(100 < count < 200 for count in orders.values())


def test_an_entry_never_sat_in_a_seat_that_its_record_does_not_have() -> None:
    assert [sat(entry("A", seated=(2,)), seat) for seat in range(3)] == [2, 0, 0]


# The random stream


@given(STREAMS, st.integers(1, 2**40))
def test_draws_stay_within_their_bounds(stream: int, bound: int) -> None:
    assert 0 <= draw_below(stream, bound)[0] < bound
    assert 0 <= draw_fraction(stream)[0] < 1


def test_draws_are_even() -> None:
    stream, seen = 3, Counter[int]()
    for _ in range(6000):
        number, stream = draw_below(stream, 6)
        seen[number] += 1
    assert all(900 < seen[number] < 1100 for number in range(6))


def test_the_generator_is_splitmix64() -> None:
    """Its published first numbers from the state 1234567."""
    state, words = 1234567, []
    for _ in range(3):
        word, state = draw_below(state, 2**64)
        words.append(word)
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]
