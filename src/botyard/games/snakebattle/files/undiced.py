"""Recordings without dice: some players' boards, answers, scores and events, tick by tick.

What is not recorded is read off the next board: where the other players went, where new snakes were placed, what has
appeared. What lay under a snake becomes known when somebody eats it there, or when no stone can be dropped on it.
Everything else must agree, and no more may appear than the rules allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Any, NamedTuple

import numpy as np

from botyard.games.snakebattle.files.field import Found, RecordedField, compare, read_settings
from botyard.games.snakebattle.layout import DIE, DROP, RIGHT, TURNS, cell_at, point_of
from botyard.games.snakebattle.map.alphabet import (
    APPLE,
    ENEMY_PARTS,
    FLYING_PILL,
    FURY_PILL,
    GOLD,
    GROUND,
    HEAD,
    HEAD_SLEEP,
    HORIZONTAL,
    MY_PARTS,
    NONE,
    STONE,
    SYMBOLS,
    TAIL,
    TAIL_SLEEP,
)
from botyard.games.snakebattle.map.alphabet import ENEMY as ENEMY_CODE
from botyard.games.snakebattle.rules.field import SPAWN_FACES, SPAWN_TRIES, put
from botyard.games.snakebattle.wire import read_answer
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance, Difference

SETTINGS = {"rounds_enabled": True}  # for a recording without settings: those of the reference game
OBJECTS = GROUND[APPLE:]
EATEN = {"APPLE": APPLE, "STONE": STONE, "FLYING": FLYING_PILL, "FURY": FURY_PILL, "GOLD": GOLD}  # by event
UNLIKELY = 9  # rank of the guess that a player kills itself
MOST_WAYS = 100_000  # ways in which a tick may have gone: seven for each player who is not listed
MOST_GUESSES = 200_000  # guesses in one file
NO_FACE = SPAWN_FACES - 1  # this face of the die brings nothing
# The parts by which a snake shows where it was placed, and how far to the left of that cell they are. Its head may be
# hidden by a snake that died on it, or it woke at once; without rounds it has moved on, and perhaps eaten an apple.
SEATED = {HEAD_SLEEP: 0, TAIL_SLEEP: 1, HEAD + RIGHT: 0}
MOVED_ON = {TAIL + RIGHT: 0, HORIZONTAL: 0}

Tick = dict[int, dict[str, Any]]  # the records of one tick, by player


class Guess(NamedTuple):
    """One way in which a tick may have gone: what comes of it, and what is new on its boards."""

    game: Any
    events: dict[int, list[str]]
    scores: dict[int, int]
    found: Found | None
    new: dict[tuple[int, int], str]


def check_undiced(records: list[dict[str, Any]], result: Conformance, new_game: Any) -> None:
    head = records[0] if "settings" in records[0] else {"settings": SETTINGS}
    ticks: dict[int, Tick] = {}
    for record in records:
        if "tick" in record:
            ticks.setdefault(record["tick"], {})[record["player"]] = record
    listed = list(ticks.values())
    follower = Follower(head, listed[0], new_game)
    result.games += 1
    for now, after in zip(listed, [*listed[1:], None], strict=True):
        founds = follower.follow(now, after)
        for player, record in now.items():
            found = founds.get(player)
            result.count(Difference(f"player {player}", record["tick"], *found) if found else None)
    result.notes.append(f"without dice: {follower.appeared} objects and {follower.seated} start cells taken over")


class Follower:
    """Keeps a field in step with the boards of some of its players."""

    def __init__(self, head: dict[str, Any], first: Tick, new_game: Any) -> None:
        boards = {player: record["board"] for player, record in first.items()}
        view = next(iter(boards.values()))
        count = sum(len(seats_shown(view, parts, SEATED)) for parts in (MY_PARTS, ENEMY_PARTS))
        self._field = RecordedField(read_settings(head["settings"], head.get("map"), count), new_game)
        self._listed = tuple(boards)
        self._starts = self._field.game.arena.starts[: self._field.game.arena.start_count].tolist()
        self.appeared = self.seated = self._guesses = 0
        players = range(1, count + 1)
        self._field.begin_tick(*zip(*self._seat_draws(players, boards), strict=True))
        for player in players:
            self._field.join(player)

    # What the next board shows

    def _seat_draws(self, players: Iterable[int], boards: dict[int, list[str]]) -> list[tuple[int, int]]:
        """Returns (value, faces) of the dice that place these players where the boards show them asleep.

        The boards do not show which of several unlisted players is where; it does not matter, as new snakes are alike.
        """
        arena = self._field.game.arena
        cells = {player: self._seats_shown(rows, MY_PARTS) for player, rows in boards.items()}
        view = next(iter(boards.values()))
        known = {int(self._field.snake(player)["head"]) for player in self._field.seats if self._alive(player)}
        mine = {cell for found in cells.values() for cell in found}
        others = iter([cell for cell in self._seats_shown(view, ENEMY_PARTS) if cell not in known | mine])
        draws = []
        for player in players:
            cell = next(iter(cells[player]), None) if player in cells else next(others, None)
            draws.append((self._starts.index(cell) if cell in self._starts else 0, int(arena.start_count)))
        return draws

    def _any_seats(self, count: int) -> list[tuple[int, int]]:
        """Returns (value, faces) of dice that place this many players anywhere: no board shows where they were."""
        cover, faces = self._field.game.state.cover, int(self._field.game.arena.start_count)
        free = [(at, faces) for at, cell in enumerate(self._starts) if not cover[cell]]
        return [*free, *[(0, faces)] * count][:count]

    def _alive(self, player: int) -> bool:
        return bool(self._field.snake(player)["alive"])

    def _seats_shown(self, rows: list[str], parts: str) -> list[int]:
        arena, points = self._field.game.arena, seats_shown(rows, parts, {**SEATED, **MOVED_ON})
        cells = [cell_at(arena, x, len(rows) - 1 - row) for row, x in points]
        return [cell for cell in cells if cell in self._starts]

    def _barren(self) -> list[tuple[int, int]]:
        """Returns (value, faces) of a spawn that finds no free cell."""
        arena = self._field.game.arena
        x, y = point_of(arena, int(np.flatnonzero(arena.ground[: self._last_cell()] != NONE)[-1]))
        return [(NO_FACE, SPAWN_FACES)] + [(x, int(arena.side)), (y, int(arena.side))] * (SPAWN_TRIES + 1)

    def _last_cell(self) -> int:
        """Returns the cell after the bottom right corner of the field."""
        arena = self._field.game.arena
        return cell_at(arena, int(arena.side) - 1, 0) + 1

    # One tick

    def follow(self, now: Tick, after: Tick | None) -> dict[int, Found]:
        """Plays one recorded tick; returns what differs, by player."""
        founds = {player: self._compare_before(player, record) for player, record in now.items()}
        answers = {player: read_answer(record["answer"]) for player, record in now.items()}
        best: Guess | None = None
        hidden = self._under_snakes(now, after)
        for under, orders in product([{}, hidden] if hidden else [{}], self._ways(answers, after)):
            guess = self._guess(orders, under, now, after)
            self._guesses += 1
            if self._guesses > MOST_GUESSES:
                raise BadRecord("the recording leaves too much to be guessed", hint="record more players, or the dice")
            if best is None or (best.found and not guess.found):
                best = guess
            if not best.found:
                break
        assert best is not None
        self._take_over(best)
        after_tick = {
            player: best.found or compare("events", now[player]["events"], best.events[player]) for player in now
        }
        return {player: found for player in now if (found := founds[player] or after_tick[player])}

    def _compare_before(self, player: int, record: dict[str, Any]) -> Found | None:
        anew = player in self._field.to_respawn({player: read_answer(record["answer"])})
        return (
            self._field.compare_board(player, record["board"])
            or compare("score", record["score"], self._field.scores[player])
            or compare("seated anew", record.get("respawn", False), anew)
        )

    def _under_snakes(self, now: Tick, after: Tick | None) -> dict[int, int]:
        """Finds what may have lain under snakes, by cell: what shows where a tail was, and what listed players ate."""
        arena, rows = self._field.game.arena, next(iter(after.values()))["board"] if after else []
        tails = {int(snake["tail"]) for snake in self._field.game.state.snakes if snake["alive"]}
        hidden = {cell: GROUND.find(seen_at(arena, rows, cell)) for cell in tails}
        for player, record in now.items():
            cell, eaten = self._next_cell(player, record), [event for event in record["events"] if event in EATEN]
            if eaten and seen_at(arena, record["board"], cell) not in GROUND:
                hidden[cell] = EATEN[eaten[0]]
        return {cell: kind for cell, kind in hidden.items() if kind >= APPLE}

    def _next_cell(self, player: int, record: dict[str, Any]) -> int:
        snake, turn = self._field.snake(player), read_answer(record["answer"]) % TURNS - 1
        direction = turn if turn >= 0 and turn != snake["direction"] ^ 1 else snake["direction"]
        return int(snake["head"]) + int(self._field.game.arena.delta[direction])

    def _ways(self, answers: dict[int, int], after: Tick | None) -> Iterator[dict[int, int]]:
        """Yields what all players may have ordered, the likeliest first."""
        others = [player for player in self._field.seats if player not in self._listed]
        choices = [self._likely_orders(player, after) for player in others]
        if prod(map(len, choices)) > MOST_WAYS:
            raise BadRecord(
                f"{len(others)} players have no records",
                hint="record more players: that is too many to guess what they did",
            )
        ranked = sorted(product(*choices), key=lambda way: sum(rank for rank, _ in way))
        for way in ranked:
            yield {**answers, **{player: order for player, (_, order) in zip(others, way, strict=True)}}

    def _likely_orders(self, player: int, after: Tick | None) -> list[tuple[int, int]]:
        """Returns (how unlikely, order) for each order of an unlisted player, by what is beside its head afterwards."""
        arena, snake = self._field.game.arena, self._field.snake(player)
        if not (snake["alive"] and snake["awake"]):
            return [(0, 0), (UNLIKELY, TURNS * DIE)]
        rows = next(iter(after.values()))["board"] if after else []
        choices = []
        for direction in range(4):
            if direction == snake["direction"] ^ 1:
                continue
            seen = seen_at(arena, rows, int(snake["head"]) + int(arena.delta[direction]))
            part = SYMBOLS.index(seen) - ENEMY_CODE if seen else -1
            rank = 0 if part == direction else 1 if 4 <= part < HEAD_SLEEP else 4
            choices.append((rank, 1 + direction))
            if snake["stones"]:
                choices.append((rank + 1, 1 + direction + TURNS * DROP))
        return sorted([*choices, (UNLIKELY, TURNS * DIE)])

    def _guess(self, orders: dict[int, int], hidden: dict[int, int], now: Tick, after: Tick | None) -> Guess:
        """Plays the tick in one way, on a copy; `hidden` is what lies under snakes."""
        kept, scores = self._field.game, dict(self._field.scores)
        self._field.game = kept.copy()
        self._lay(hidden)
        boards = {player: record["board"] for player, record in after.items()} if after else {}
        anew = self._field.to_respawn(orders)
        draws = self._seat_draws(anew, boards) if boards else self._any_seats(len(anew))
        self._play(orders, draws + 2 * self._barren())
        if self._field.game.state.chance.fault:  # then the clock placed the live snakes anew, and nothing appeared
            self._field.game = kept.copy()
            self._lay(hidden)
            live = [player for player in self._in_list_order() if self._live(player)]
            seats = [*anew, *live]
            self._play(orders, self._seat_draws(seats, boards) if boards else self._any_seats(len(seats)))
        tails = {int(snake["tail"]) for snake in kept.state.snakes}
        found, new = self._differ(boards, {p: now[p]["events"] for p in now}, tails)
        guess = Guess(self._field.game, self._field.events, self._field.scores, found, new)
        self._field.game, self._field.scores = kept, scores
        return guess

    def _lay(self, objects: dict[int, int]) -> None:
        for cell, kind in objects.items():
            self._field.changed(self._field.touch, put, kind, cell)

    def _play(self, orders: dict[int, int], draws: list[tuple[int, int]]) -> None:
        self._field.begin_tick([value for value, _ in draws], [faces for _, faces in draws])
        self._field.step(orders)

    def _live(self, player: int) -> bool:
        snake = self._field.snake(player)
        return bool(snake["alive"] and snake["awake"])

    def _in_list_order(self) -> list[int]:
        players = {seat: player for player, seat in self._field.seats.items()}
        state = self._field.game.state
        return [players[int(seat)] for seat in state.roster[: state.players]]

    def _differ(
        self, boards: dict[int, list[str]], events: dict[int, list[str]], tails: set[int]
    ) -> tuple[Found | None, dict[tuple[int, int], str]]:
        """Returns the first difference from the next boards, apart from new objects, and these objects."""
        new: dict[tuple[int, int], str] = {}
        for player, rows in boards.items():
            ours = self._field.board(player)
            for row, (theirs, mine) in enumerate(zip(rows, ours, strict=True)):
                for x, (there, here) in enumerate(zip(theirs, mine, strict=True)):
                    if there == here:
                        continue
                    if here != GROUND[NONE] or there not in OBJECTS:
                        return (f"next board of player {player}", "\n".join(rows), "\n".join(ours)), {}
                    new[x, len(rows) - 1 - row] = there
        wrong = [player for player in events if self._field.events[player] != events[player]]
        if wrong:
            return ("events", str(events[wrong[0]]), str(self._field.events[wrong[0]])), {}
        return self._too_many(new, tails), new

    def _too_many(self, new: dict[tuple[int, int], str], tails: set[int]) -> Found | None:
        """Refuses more new objects than one per moving tick, or two after a death; those under a tail are not new."""
        arena, field = self._field.game.arena, self._field
        fresh = [point for point in new if cell_at(arena, *point) not in tails]
        moved = field.game.state.countdown < 0 or not arena.rounds_enabled
        drawn = int(field.game.state.chance.counter) > 0 and moved
        died = any("DIE" in events for events in field.events.values())
        most = drawn * (1 + (died and bool(arena.rounds_enabled)))
        return None if len(fresh) <= most else ("new objects", f"{len(fresh)}: {new}", f"at most {most}")

    def _take_over(self, guess: Guess) -> None:
        field = self._field
        self.seated += sum(not field.snake(player)["alive"] for player in field.seats)
        field.game, field.events, field.scores = guess.game, guess.events, guess.scores
        self._lay({cell_at(field.game.arena, x, y): GROUND.index(symbol) for (x, y), symbol in guess.new.items()})
        self.appeared += len(guess.new)


def seats_shown(rows: list[str], parts: str, shown_by: dict[int, int]) -> list[tuple[int, int]]:
    """Returns row and column of the cells on which a snake was placed, as these parts show."""
    found = set()
    for row, line in enumerate(rows):
        for x, symbol in enumerate(line):
            part = parts.find(symbol)
            if part in shown_by:
                found.add((row, x + shown_by[part]))
    return sorted(found)


def seen_at(arena: Any, rows: list[str], cell: int) -> str:
    """Returns the symbol of a cell on a board; nothing if the cell is outside, or without a board."""
    x, y = point_of(arena, cell)
    return rows[arena.side - 1 - y][x] if rows and 0 <= min(x, y) <= max(x, y) < arena.side else ""
