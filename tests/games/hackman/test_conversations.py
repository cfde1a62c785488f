"""Recorded conversations of the original wrapper and engine with a real bot, held again with our sessions.

`>> ` goes to the bot of player 0, `<< ` comes from it, `== ` is the wrapper's log of it. The original's chance follows
from its seed, so where rules are plain Python whole games are played again: every byte comes out of our own rules.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.games.hackman import rules
from botyard.games.hackman.facts import FACTS
from botyard.games.hackman.files.generator import SeedGenerator
from botyard.games.hackman.files.platform import ResultWriter
from botyard.games.hackman.files.recordings import load_recorded
from botyard.games.hackman.files.talk import TalkWriter
from botyard.games.hackman.layout import PASS
from botyard.games.hackman.rules import bugs, items
from botyard.games.hackman.settings import HackmanSettings
from botyard.games.hackman.wire import open_session
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.rule import INTERPRETED
from botyard.kernel.verdict import Fault, Verdict
from tests.conftest import outside_recordings

SETTINGS = HackmanSettings.read({}, "program")
WRAPPER_LINES = 4  # settings that the wrapper says before the engine's
NO_ANSWER = Fault(Verdict.SILENT, "")

from_the_seed = pytest.mark.skipif(not INTERPRETED, reason="only plain Python takes the original's generator")


@dataclass
class Round:
    told: bytes  # up to the question; the first one with the settings
    answer: bytes = b""
    remarks: list[str] = field(default_factory=list)  # of the wrapper

    def value(self, key: str) -> str:
        """What an update said."""
        found = re.search(rf"^update {key} (\S+)$", self.told.decode(), re.MULTILINE)
        assert found is not None
        return found[1]

    @property
    def cells(self) -> list[str]:
        return self.value("game field").split(",")

    def cell_of(self, player: int) -> int:
        return next(at for at, cell in enumerate(self.cells) if str(player) in cell)


def rounds_of(text: str) -> list[Round]:
    rounds, told = [], ""
    for line in text.splitlines():
        mark, words = line[:3], line[3:]
        if mark in (">> ", "== ") and words.startswith(("settings ", "update ", "action ")):
            told += f"{words}\n"
            if words.startswith("action "):
                rounds.append(Round(told.encode()))
                told = ""
        elif mark == "<< ":
            rounds[-1].answer = f"{words}\n".encode()
        elif mark == "== ":
            rounds[-1].remarks.append(words)
    return rounds


def whole_game() -> list[Round]:
    return rounds_of((outside_recordings("hackman") / "conversation.txt").read_text())


def crash() -> list[Round]:
    """The pipe of the bot until it died in round 38, then the log of the wrapper."""
    text = (outside_recordings("hackman") / "conversation_crash.txt").read_text()
    pipe, log = map(rounds_of, text.split("# --- "))
    assert pipe[-1].told == log[0].told
    return pipe[:-1] + log


def engine_lines() -> Iterator[tuple[str, int, str]]:
    """(to or from the engine, player, words) of the wrapper's talk with the engine in the whole game."""
    text = gzip.decompress((outside_recordings("hackman") / "conversation_engine.txt.gz").read_bytes()).decode()
    for way, player, words in re.findall(r"^Engine (in|out): 'bot ([01]) (.*)'$", text, re.MULTILINE):
        yield way, int(player), words


def answers_of(player: int) -> list[bytes]:
    return [f"{words}\n".encode() for way, who, words in engine_lines() if (way, who) == ("in", player)]


class Seat:
    """A session, and what it has said."""

    def __init__(self, number: int = 0) -> None:
        self.session = open_session(SETTINGS, number)
        self.opened = False

    def ask(self, view: Any) -> bytes:
        opening = b"" if self.opened else self.session.opening(view)
        self.opened = True
        return opening + self.session.ask(view)

    def read(self, answer: bytes) -> int:
        """The order of an answer that took no time to speak of, or of a bot that is waited for in vain."""
        if not answer:
            self.session.took(self.session.move_ms, NO_ANSWER)
            return NO_ORDER
        order = self.session.receive(answer)
        assert isinstance(order, int)
        self.session.took(1, order)
        return order


# Positions as they are told


def position(game: Game, told: Round) -> Game:
    """A game in a position that is told as the recorded one; what bots are not told is anything."""
    cells, width = told.cells, SETTINGS.field_width

    def point(cell: int) -> tuple[int, int]:
        return cell % width, cell // width

    def all_of(sign: str) -> list[tuple[int, int]]:
        return [point(at) for at, cell in enumerate(cells) for _ in range(cell.count(sign))]

    players = [
        {
            **dict(zip("xy", point(told.cell_of(player)), strict=True)),
            "snippets": int(told.value(f"player{player} snippets")),
            "has_weapon": told.value(f"player{player} has_weapon") == "true",
            "paralysis": int(told.value(f"player{player} is_paralyzed") == "true"),
            "alive": True,
        }
        for player in range(2)
    ]
    state = {
        "round": int(told.value("game round")) - 1,
        "players": players,
        "bugs": [{"id": at, "x": x, "y": y, "direction": "up"} for at, (x, y) in enumerate(all_of("E"))],
        "snippets": all_of("C"),
        "weapons": all_of("W"),
        "collected_total": 0,
    }
    load_recorded(game, state)
    return game


def test_every_line_of_a_whole_game_is_told_and_read_as_recorded() -> None:
    seat, game, rounds = Seat(), Game(load("hackman"), SETTINGS, 0), whole_game()
    assert len(rounds) == 200
    for told, to_engine in zip(rounds, answers_of(0), strict=True):
        assert seat.ask(position(game, told).view(0)) == told.told
        assert FACTS.orders[seat.read(told.answer)] == to_engine.decode().strip()


def test_a_bot_that_dies_is_asked_and_then_given_up_as_recorded() -> None:
    """It dies of the cell `01`; three questions time out, then nobody waits any more (6.6)."""
    seat, game, rounds = Seat(), Game(load("hackman"), SETTINGS, 0), crash()
    assert "01" in rounds[37].cells
    assert [bool(told.answer) for told in rounds] == [True] * 37 + [False] * 6
    for told in rounds:
        assert seat.ask(position(game, told).view(0)) == told.told
        given_up = "Maximum number (2) of time-outs reached: skipping all moves." in told.remarks
        assert seat.session.stopped == given_up
        if not told.answer and not given_up:
            assert told.remarks[0].startswith(f"Response timed out ({seat.session.move_ms}ms)")
        seat.read(told.answer)
    assert [told.told.split()[-1] for told in rounds[37:]] == [b"10000"] + [b"100"] * 5


# Games played again from their seeds


def seeded(monkeypatch: pytest.MonkeyPatch, seed: str) -> Game:
    """A game whose chance is the original's (3.10)."""
    generator = SeedGenerator(seed)
    for module in (rules, bugs, items):
        monkeypatch.setattr(module, "draw", lambda arena, holder, bound: generator.below(bound))
    return Game(load("hackman"), SETTINGS, 0)


@from_the_seed
def test_a_whole_game_follows_from_its_seed_and_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    game, seats = seeded(monkeypatch, "starter-18"), (Seat(0), Seat(1))
    told = [b"", b""]
    for answers in zip(answers_of(0), answers_of(1), strict=True):
        told = [before + seat.ask(game.view(at)) for at, (before, seat) in enumerate(zip(told, seats, strict=True))]
        game.step_orders({at: seat.read(answers[at]) for at, seat in enumerate(seats)})
    assert told[0] == b"".join(one.told for one in whole_game())
    for player, ours in enumerate(told):
        sent = [words for way, who, words in engine_lines() if (way, who) == ("out", player)]
        assert [as_engine(line) for line in ours.decode().splitlines()[WRAPPER_LINES:]] == sent
    assert (game.over, int(game.state.winner), game.state.scores.tolist()) == (True, 0, [3, 2])


def as_engine(line: str) -> str:
    """A line as the engine gives it to the wrapper, which adds the time to a question."""
    return "ask action move" if line.startswith("action ") else f"send {line}"


@from_the_seed
def test_the_game_with_the_crash_follows_from_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    game, seat, rounds = seeded(monkeypatch, "conversation-2"), Seat(), crash()
    for told, after in zip(rounds, [*rounds[1:], None], strict=True):
        assert seat.ask(game.view(0)) == told.told
        game.step_orders({0: seat.read(told.answer), 1: PASS if after is None else step_between(game, told, after)})


def step_between(game: Game, told: Round, after: Round) -> int:
    """The opponent's move, which is not recorded: what leads from where it stood to where it stands."""
    steps = game.arena.walk[4 * told.cell_of(1) :][:4].tolist()
    return steps.index(after.cell_of(1)) if told.cell_of(1) != after.cell_of(1) else PASS


def test_a_result_has_the_log_of_a_bot_that_died_as_recorded() -> None:
    """The same three time-outs, and then the same line in every round."""
    rounds = crash()[37:]
    writer, game = ResultWriter(), Game(load("hackman"), SETTINGS, 0)
    limits = [10_000, 100, 100, 0, 0, 0]
    turns = [
        SimpleNamespace(
            tick=at, seat=0, verdict=Verdict.SILENT, ms=limit, limit_ms=limit, sent="", received="", said=""
        )
        for at, limit in enumerate(limits)
    ]
    writer.hear(SimpleNamespace(turns=turns, seats=()))
    for told in rounds:
        writer.before(position(game, told), {0: NO_ORDER, 1: PASS})
    ours = json.loads(writer.end(game))["players"][0]["log"].splitlines()
    opening = Seat().session.opening(None).decode().splitlines()
    assert ours == opening + [line for told in rounds for line in [*told.told.decode().splitlines(), *told.remarks]]


@from_the_seed
def test_the_talk_with_the_engine_is_printed_as_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    game, writer = seeded(monkeypatch, "starter-18"), TalkWriter()
    for answers in zip(answers_of(0), answers_of(1), strict=True):
        orders = {at: Seat(at).read(answer) for at, answer in enumerate(answers)}
        writer.before(game, orders)
        game.step_orders(orders)
    recorded = gzip.decompress((outside_recordings("hackman") / "conversation_engine.txt.gz").read_bytes()).decode()
    told = [line for line in recorded.splitlines() if not line.startswith("#")]
    assert writer.end(game).decode().replace('"value":"0"', '"value":"starter-18"').splitlines() == told
