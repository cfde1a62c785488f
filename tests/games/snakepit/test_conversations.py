"""Recorded conversations of the original controller with real bots, held again with our sessions (specification 6).

Every line is `seconds, direction, bytes`; in `S->2` the server speaks to bot 2, in `2->S` bot 2 is read. What a bot was
told is compared as one stream of bytes. Within a group of `si` or `s` lines the original's order of snakes is
arbitrary, ours goes by id.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, TypeAlias

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.snakepit.layout import STAY
from botyard.games.snakepit.settings import SnakepitSettings
from botyard.games.snakepit.wire import LETTERS, open_session
from botyard.kernel.chance import TAPE
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Fault
from tests.conftest import outside_recordings

Cell: TypeAlias = tuple[int, int]

SPOKEN = re.compile(r" *[\d.]+  (?:S->(?P<to>\d)|(?P<by>\d)->S)  (?P<said>.*?)(?: {5}# .*)?")


@dataclass
class Talk:
    """One recorded game, from the first line said to the close."""

    told: dict[int, bytes] = field(default_factory=dict)  # all that a seat was told
    answers: list[dict[int, bytes]] = field(default_factory=list)  # what was read in each tick
    pellets: list[Cell | None] = field(default_factory=list)  # where a new one fell in each tick

    def hear(self, line: str) -> None:
        if "# -- update" in line:
            self.answers.append({})
            self.pellets.append(None)
        if (spoken := SPOKEN.fullmatch(line)) is None:
            return
        said = spoken["said"].replace("\\n", "\n").encode()
        if spoken["by"]:
            self.answers[-1][int(spoken["by"]) - 1] = said
            return
        seat = int(spoken["to"]) - 1
        self.told[seat] = self.told.get(seat, b"") + said
        if said.startswith(b"p ") and self.pellets:
            self.pellets[-1] = cells(said)[0]

    @property
    def pellet(self) -> Cell:
        """The first one."""
        return next(cells(line)[0] for line in self.told[0].splitlines() if line.startswith(b"p "))

    @property
    def heads(self) -> list[Cell]:
        """The first cell of every body in the opening."""
        bodies = {line.split()[1]: line for line in reversed(self.told[0].splitlines()) if line.startswith(b"si ")}
        return [cells(bodies[number])[0] for number in sorted(bodies)]


def cells(line: bytes) -> list[Cell]:
    numbers = [int(number) for number in line.split()[-1].split(b",")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def talks(text: str) -> list[Talk]:
    """The games of a transcript: between two of them the connections are closed."""
    found = [Talk()]
    for line in text.splitlines():
        if "server closes connection" in line and found[-1].told:
            found.append(Talk())
        found[-1].hear(line)
    return [talk for talk in found if talk.answers]


def recorded(name: str) -> str:
    return (outside_recordings("snakepit") / name).read_text()


def by_id(told: bytes) -> list[bytes]:
    """The lines, snakes of a group in ascending order; the cells of a body stay as they were."""
    grouped = groupby(told.splitlines(keepends=True), key=lambda line: line.split()[0])
    return [line for _, group in grouped for line in sorted(group, key=lambda line: line.split()[1:2])]


class Table:
    """A game of the program's rules with a session for every snake. Chance is what the recording says."""

    def __init__(self, game: Any, game_number: int = 1) -> None:
        self.game = game
        self.sessions = [open_session(game.settings, seat) for seat in range(game.seats)]
        for session in self.sessions:
            session.game_number = game_number
        self.told = dict.fromkeys(range(game.seats), b"")

    def open(self) -> None:
        for seat, session in enumerate(self.sessions):
            self.told[seat] += session.opening(self.game.view(seat))

    def ask(self) -> None:
        for seat in self.game.asked:
            self.told[seat] += self.sessions[seat].ask(self.game.view(seat))

    def tick(self, arrived: dict[int, bytes], pellet: Cell | None) -> dict[int, int]:
        """One tick; `arrived` comes while the question is open. Returns the orders that were read."""
        self.ask()
        orders: dict[int, int] = {}
        for seat in self.game.asked:
            session, chunk = self.sessions[seat], arrived.get(seat, b"")
            order = session.receive(b"")
            if order is None:
                order = session.receive(chunk)
            else:
                session.unasked(chunk)  # an older byte was the answer: this one came before the next question
            assert not isinstance(order, Fault)
            orders[seat] = NO_ORDER if order is None else order
        self.game.feed(places(self.game, [pellet] if pellet else []))
        self.game.step_orders(orders)
        assert self.game.draws_fit
        return orders


def places(game: Any, drawn: list[Cell]) -> list[tuple[int, int]]:
    """The draws that give these cells: columns and rows in turn."""
    sides = (game.settings.width, game.settings.height)
    return [(side, place - 1) for cell in drawn for side, place in zip(sides, cell, strict=True)]


def seated(talk: Talk, heads: list[Cell], game_number: int = 1, **settings: Any) -> Table:
    """A table set up by the recorded draws: the pellet, then the snakes by id (2.3)."""
    game = Game(load("snakepit"), SnakepitSettings.read({"snakes": len(heads), **settings}, "program"), 0)
    game.arena.chance_kind = TAPE
    game.feed(places(game, [talk.pellet, *heads]))
    game.begin()
    assert game.draws_fit
    return Table(game, game_number)


def order_of(answer: bytes | None) -> int:
    """What a recorded read stands for; nothing was read when the time was up."""
    if answer is None:
        return NO_ORDER
    return LETTERS.index(answer) if answer in LETTERS else STAY


def hold(table: Table, talk: Talk) -> None:
    """Every tick of a recording, and all that was told by then."""
    for answers, pellet in zip(talk.answers, talk.pellets, strict=True):
        assert set(table.game.asked) == set(answers)
        assert table.tick(answers, pellet) == {seat: order_of(answer) for seat, answer in answers.items()}


def assert_told(table: Table, talk: Talk) -> None:
    assert table.told.keys() == talk.told.keys()
    for seat, told in talk.told.items():
        assert by_id(table.told[seat]) == by_id(told), f"bot {seat + 1}"


@pytest.mark.parametrize(
    ("name", "ticks", "scores"),
    [("conversation.txt", 21, (1071, 9, 21)), ("conversation_wash.txt", 64, (0, 0, 0))],
)
def test_a_whole_game_is_told_as_recorded(name: str, ticks: int, scores: tuple[int, ...]) -> None:
    talk = talks(recorded(name))[0]
    table = seated(talk, talk.heads)
    table.open()
    hold(table, talk)
    assert_told(table, talk)
    assert (table.game.over, int(table.game.state.tick), table.game.scores) == (True, ticks, scores)
    assert [session.closing(table.game.outcome) for session in table.sessions] == [b""] * 3


def test_the_second_game_of_a_match_opens_with_the_program_s_deltas() -> None:
    _, talk = talks(recorded("conversation.txt").partition("# -- update 23")[0])
    assert b"ready\ns " in talk.told[0]
    assert b"si 1 41,61\n" in talk.told[0]  # a body that hangs out of the board
    table = seated(talk, talk.heads, game_number=2)
    table.open()
    hold(table, talk)
    table.ask()  # the recording breaks off before this question; ours goes out with what changed before it
    talk.told = {seat: told + b"mov\n" for seat, told in talk.told.items()}
    assert_told(table, talk)


def before_update_214() -> Game:
    """The position that the lines around it show; the tick of death is that of the results file."""
    board = [["."] * 60 for _ in range(60)]
    for y, sign in zip(range(42, 49), "aaaaaA*", strict=True):
        board[y - 1][12 - 1] = sign
    board[40 - 1][26 - 1 : 31] = "Cccccc"
    lines = [
        "tick 27, hunger 27, pellet 12,48",
        "A facing d, pellets 0, growing 0, left 12,41, body 12,47 uuuuu",
        "B died 12, facing r, pellets 0, growing 0, length 6",
        "C facing l, pellets 0, growing 0, left 32,40, body 26,40 rrrrr",
        *map(" ".join, board),
    ]
    return Game.drawn("snakepit", "\n".join(lines), SnakepitSettings.read({}, "program"))


def test_the_last_ticks_of_a_match_are_told_as_recorded() -> None:
    before, update, after = recorded("conversation_match_end.txt").partition("# -- update 214")
    assert "S->3  s 1 12,47,12,41" in before
    assert "S->1  s 3 26,40,32,40" in before
    talk = talks(update + after)[0]
    table = Table(before_update_214(), game_number=3)
    hold(table, talk)
    moved = b"s 1 12,47,12,41\ns 3 26,40,32,40\n"
    talk.told = {0: moved + talk.told[0], 1: b"", 2: moved + talk.told[2]}
    assert_told(table, talk)
    assert table.game.over
    assert table.game.scores == (1079, 12, 29)


# What bots sent that do not behave, by the tick in which it arrived; 0: before the first question.
# With it, the tick of death; None: it lives until the game starves.
ODD: dict[str, tuple[dict[int, bytes], int | None]] = {
    "newline": ({1: b"u\n", 2: b"u\n"}, 2),
    "extra": ({1: b"rruul"}, None),
    "garbage": ({1: b"u", 2: b"u", 3: b"x"}, 3),
    "upper": ({1: b"u", 2: b"u", 3: b"R"}, 3),
    "silent": ({}, None),
    "close": ({1: b"u", 2: b"u"}, 6),
    "late": ({1: b"r", 3: b"ur", 4: b"r", 5: b"d", 6: b"d", 7: b"r"}, None),
    "early": ({0: b"llll", **dict.fromkeys(range(1, 9), b"u")}, None),
}


def odd_talk(name: str) -> Talk:
    parts = re.split(r"^## (\w+) bot", recorded("conversation_odd_answers.txt"), flags=re.MULTILINE)
    assert set(parts[1::2]) == set(ODD)
    return talks(parts[parts.index(name) + 1])[0]


@pytest.mark.parametrize("name", ODD)
def test_an_odd_answer_does_what_it_did_to_the_original(name: str) -> None:
    """Bytes that wait are the next answers; a byte that is no direction kills; without one the direction is kept."""
    sent, died = ODD[name]
    talk = odd_talk(name)
    first_left = next(cells(line)[1] for line in talk.told[0].splitlines() if line.startswith(b"s "))
    head = (first_left[0], first_left[1] - 5)  # `si` lines are left out; the first cell left was the end of six
    table = seated(talk, [head], tick_timeout=8)
    table.open()
    table.sessions[0].unasked(sent.get(0, b""))
    for at, (answers, pellet) in enumerate(zip(talk.answers, talk.pellets, strict=True), 1):
        assert table.tick({0: sent.get(at, b"")}, pellet) == {0: order_of(answers.get(0))}, f"tick {at}"
    table.told[0] = b"".join(line for line in table.told[0].splitlines(keepends=True) if not line.startswith(b"si "))
    assert table.told == talk.told
    assert table.game.over
    assert (int(table.game.state.died[0]) or None, bool(table.game.state.starved)) == (died, died is None)
