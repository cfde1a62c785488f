"""Films that grow: they become the films of their replays, and whoever watches them cannot slow a match."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from botyard.games.game import Game, new
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.clock import LoopClock
from botyard.match.filming import film_of
from botyard.match.in_process import HousePlayer
from botyard.match.live_film import LiveFilm, Watching
from botyard.match.loop import Played, play_game
from botyard.match.player import Answer, Player, Unseated
from botyard.render.film import BLOCK, Film, compact
from botyard.render.frames import frames
from tests.links.matches import rival_of, short_match
from tests.match.stage import without_waiting
from tests.waiting import soon

GAMES = ("hive", "hackman")


class Follower:
    """What a page does: it takes what it is told, and has a film."""

    def __init__(self, film: LiveFilm) -> None:
        self.watching = Watching(film)
        self.head: dict[str, Any] = {}
        self.blocks: list[dict[str, Any]] = []
        self.messages = 0

    def look(self) -> None:
        news = self.watching.news()
        if news is None:
            return
        self.messages += 1
        self.head = {**news.get("head", self.head)}
        self.head["marks"] = [*self.head["marks"], *news.get("marks", [])]
        for part in news.get("parts", []):
            if isinstance(part, dict):
                self.blocks.append({**part, "ticks": list(part["ticks"])})
            else:
                self.blocks[-1]["ticks"].append(part)


def rivals(game: Game) -> list[Player]:
    name = rival_of(game.book.facts.name).partition(":")[2]
    return [HousePlayer(game.book, game.settings, name, LoopClock()) for _ in range(game.seats)]


async def filmed(
    game: Game, players: list[Player], seat: int | None = None, every: int = 1
) -> tuple[Played, LiveFilm, Follower]:
    """A match whose film somebody looks at after every so many ticks."""
    film = LiveFilm(game, [player.name for player in players], seat)
    follower = Follower(film)
    follower.look()

    async def watch(game: Game, answers: dict[int, Answer]) -> None:
        film.rename([players[game.entrant(seat)].name for seat in range(game.seats)])
        film.add(game)
        if film.ticks % every == 0:
            follower.look()

    played = await play_game(game, players, watch)
    film.end(played.outcome, played.replay.missed)
    follower.look()
    return played, film, follower


@pytest.mark.parametrize("seat", [None, 0])
@pytest.mark.parametrize("game", GAMES)
def test_a_film_that_has_grown_equals_the_film_of_the_replay(game: str, seat: int | None) -> None:
    live = new(game, 4, **short_match(game))
    played, film, follower = without_waiting(filmed(live, rivals(live), seat))
    stored = film_of(played.replay, seat)
    assert film.film.blocks == stored.blocks
    assert film.film.head == stored.head
    assert follower.head == stored.head
    assert follower.blocks == stored.blocks
    assert follower.watching.done


def test_bots_that_never_come_are_in_the_film_as_in_the_replay() -> None:
    live = new("hackman", 4, **short_match("hackman"))
    absent = Unseated("nobody", Fault(Verdict.UNBUILT, "no such file"))
    played, film, follower = without_waiting(filmed(live, [rivals(live)[0], absent]))
    stored = film_of(played.replay)
    assert {"forfeit"} <= {
        key for tick in played.replay.ticks for entry in tick if isinstance(entry, dict) for key in entry
    }
    assert (film.film.blocks, follower.blocks, follower.head) == (stored.blocks, stored.blocks, stored.head)


@pytest.mark.parametrize("every", [7, 90, 1000])
def test_whoever_falls_behind_gets_the_newest_key_frame_and_sees_the_same_end(every: int) -> None:
    live = new("hive", 4, **short_match("hive"))
    played, film, follower = without_waiting(filmed(live, rivals(live), every=every))
    stored = film_of(played.replay)
    assert follower.blocks[-1] == stored.blocks[-1]
    shown = Film(follower.head, follower.blocks)
    *_, last = frames(shown)
    *_, wanted = frames(stored)
    assert (last.picture, last.words) == (wanted.picture, wanted.words)
    if every == 1000:  # looked at the beginning and the end: all between is left out
        assert [block["at"] for block in follower.blocks] == [0, film.film.blocks[-1]["at"]]
        assert follower.messages == 2
    for number, block in enumerate(stored.blocks):
        assert film.block(number) == block  # what was missed can be asked for


def test_what_is_told_at_a_time_is_never_more_than_two_blocks() -> None:
    live = new("hive", 4, **short_match("hive"))
    _, film, _ = without_waiting(filmed(live, rivals(live)))
    for seen in range(1, film.ticks):
        told = film.parts_since(seen)
        assert sum(len(part["ticks"]) + 1 if isinstance(part, dict) else 1 for part in told) <= 2 * BLOCK


def test_nobody_who_watches_is_ever_waited_for() -> None:
    """Adding a tick gives control to nobody, so that no watcher, however many, comes between two ticks."""

    async def main() -> None:
        live = new("hive", 4, **short_match("hive"))
        film, woken = LiveFilm(live, ["one", "other"]), 0

        async def watch() -> None:
            nonlocal woken
            while True:
                await film.news()
                woken += 1

        watchers = [asyncio.create_task(watch()) for _ in range(64)]
        await asyncio.sleep(0)
        for _ in range(100):
            live.step(live.orders()[0])
            film.add(live)
        assert woken == 0
        await soon(asyncio.sleep(0.01))
        assert woken == len(watchers)  # a hundred ticks are one piece of news
        for task in watchers:
            task.cancel()

    without_waiting(main())


def test_all_who_have_seen_as_much_are_told_by_one_text() -> None:
    game = new(next(iter(GAMES)), seed=3)
    film = LiveFilm(game, ["a"] * game.seats)
    first, second, late = Watching(film), Watching(film), Watching(film)
    assert film.written(first) is film.written(second)
    assert film.written(first) is None
    film.rename(["b"] * game.seats)
    told = film.written(first)
    assert told is not None
    assert json.loads(told)["head"]["names"][0] == "b"
    assert film.written(second) is told
    expected = Watching(film).news()
    assert json.loads(film.written(late) or "") == json.loads(compact(expected))
