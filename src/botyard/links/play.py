"""`botyard.play`: a game among functions, house bots and programs, in one call."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from typing import Any, ParamSpec, TypeVar

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.kernel.settings import checked_seed, fresh_seed, split_seed
from botyard.links.bot_spec import BotSpec, Seating, read_bot_spec
from botyard.links.cage_policy import CagePolicy
from botyard.match.clock import LoopClock
from botyard.match.in_process import BotFunction, FunctionPlayer
from botyard.match.loop import Played, play_game
from botyard.match.player import Player

P = ParamSpec("P")
T = TypeVar("T")

CANCELLED_S = 0.1  # between two looks whether whoever waits was cancelled


async def play_async(
    game: str,
    bots: Sequence[BotFunction | str],
    seed: int | None = None,
    preset: str | None = None,
    *,
    time_limit: bool = True,
    cage: CagePolicy | None = None,
    **settings: Any,
) -> Played:
    """Plays one game and returns its outcome, verdicts, turns and replay.

    A bot is a function from a view to an order (a name or a number), or a BOT as on the command line: "house:forager",
    "py:bot.py", "cmd:./bot --fast", "dir:bots/mine". Functions run in this process: the game's time limit is measured
    and a late answer is not used, but a function that never returns cannot be stopped. `time_limit=False` lets you sit
    in a debugger. Programs are caged unless `cage` says otherwise.

    `play` returns when the game is over. It can be called anywhere, also in a notebook or from inside a coroutine,
    which it holds up. `await play_async` does not: several games of programs can go on at once.
    """
    book = load(game)
    inner, rest = split_seed(settings)
    chosen = seed if seed is not None else inner
    book.facts.check_seats(len(bots))
    config = book.settings.read(rest, preset).seated(len(bots))
    arena = Game(book, config, fresh_seed() if chosen is None else checked_seed(chosen))
    limit_ms = book.wire.open_session(config, 0).move_ms if time_limit else 0
    named = [read_bot_spec(bot, book, cage) if isinstance(bot, str) else bot for bot in bots]
    seating = Seating(book, config, LoopClock())
    players: list[Player] = []
    for at, bot in enumerate(named):
        if isinstance(bot, BotSpec):
            players.append(await seat_named(bot, seating, at))
        else:
            players.append(FunctionPlayer(bot, book.facts, limit_ms, seating.clock))
    return await play_game(arena, players)


def blocking(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """The same function for those who have no event loop, or cannot wait in theirs."""

    @functools.wraps(work)
    def run(*arguments: P.args, **named: P.kwargs) -> T:
        return run_anywhere(work(*arguments, **named))

    return run


play = blocking(play_async)


async def seat_named(bot: BotSpec, seating: Seating, at: int) -> Player:
    """A house bot or a program, built where it has to be."""
    if bot.comes_by_itself:
        raise YardError(f"the bot {bot.label!r} connects by itself", hint="use `botyard play` for such bots")
    fault = await bot.build()
    if fault is not None:
        raise YardError(f"{bot.label} is {fault.verdict}", hint=fault.reason)
    return bot.seat_player(seating, at)


def run_anywhere(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine to its end. Inside a running loop, which cannot run another, that takes a thread."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    return run_beside(work)


def run_beside(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine in a thread with a loop of its own. Whoever stops waiting for it, as by Ctrl-C, stops it too,
    and goes on when it has ended."""
    running: Future[tuple[asyncio.AbstractEventLoop, Callable[[], object]]] = Future()

    async def noted() -> T:
        task = asyncio.current_task()
        assert task is not None
        running.set_result((asyncio.get_running_loop(), task.cancel))
        return await work

    with ThreadPoolExecutor(1, "botyard.play") as pool:
        done = pool.submit(contextvars.copy_context().run, asyncio.run, noted())
        done.add_done_callback(lambda _: running.cancel())  # nobody waits for what never began
        caller = asyncio.current_task()
        try:
            while not wait([done], CANCELLED_S).done:
                if caller is not None and caller.cancelling():  # so does Ctrl-C under `asyncio.run`
                    raise asyncio.CancelledError
            return done.result()
        except BaseException:
            with contextlib.suppress(CancelledError, RuntimeError):  # it never began, or has ended and closed its loop
                loop, cancel = running.result()
                loop.call_soon_threadsafe(cancel)
            raise
