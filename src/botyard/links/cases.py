"""A case for the checkup: what there is to go by when the turns of one bot in one game are explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from botyard.kernel.rulebook import Rulebook
from botyard.kernel.settings import Settings
from botyard.links.bot_spec import BotSpec
from botyard.links.tcp import CAGE_PORT, LOOPBACK
from botyard.match.checkup import Case, Start, json_reader, native_reader
from botyard.match.loop import Played


def case_of(
    bot: BotSpec,
    played: Played,
    place: int,
    book: Rulebook,
    settings: Settings,
    memory_mb: int,
    idle: Sequence[tuple[int, str]] = (),
) -> Case:
    """Returns the case of the bot that came to a game in this place and was asked at least once."""
    seat = played.entrants.index(place)
    held = played.seats[seat]
    *own, last = [turn for turn in played.turns if turn.seat == seat]
    own.append(replace(last, said=last.said + held.said))  # what a failing program prints last may come late
    return Case(
        facts=book.facts,
        turns=own,
        read=json_reader if bot.protocol == "json" else native_reader(book, settings),
        language=bot.language,
        protocol=bot.protocol,
        idle=idle,
        start=start_of(bot, book, place),
        peak_mb=held.peak_mb or 0.0,
        memory_mb=memory_mb,
    )


def start_of(bot: BotSpec, book: Rulebook, place: int) -> Start:
    """Returns the words that we started the bot's program with; none if we did not start one."""
    if bot.bot is None:
        return Start()
    added = book.wire.arguments(LOOPBACK, CAGE_PORT, place) if bot.protocol == "native" else []
    return Start(bot.bot.launch().command, added)
