"""`botyard play --like` plays a recorded game again with your bot in its seats, and says where it answers otherwise."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from botyard.cli.console import Lines, note, print_json, say
from botyard.cli.host import pace_of
from botyard.cli.outcome import say_result
from botyard.cli.ready import make_ready
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.games.game import Game
    from botyard.links.bot_spec import BotSpec
    from botyard.links.cage_policy import CagePolicy
    from botyard.match.loop import Played
    from botyard.match.recorded import FirstDifference, RecordedAnswer
    from botyard.match.replay import Replay

LIKE_FILES = Path("replays")
FROM_RECORD = "seed and rules come from the recorded game"


@dataclass(frozen=True)
class Original:
    """A recorded game, and what is known of its seats."""

    name: str  # what it is called here
    raw: bytes = field(repr=False)
    replay: Replay
    own: dict[int, str] = field(default_factory=dict)  # by seat: the bot that played there, where it is yours
    settings: dict[str, Any] = field(default_factory=dict)  # those that a replay does not keep


@dataclass(frozen=True)
class LikeOrder:
    """What is to be played: who sits where, and under which settings."""

    original: Original
    own: dict[int, BotSpec]  # by seat
    settings: dict[str, Any]
    path: Path  # of the replay
    pace: int | None = None  # ticks per second for those who watch


async def play_like(order: LikeOrder, quiet: bool) -> Played:
    """Plays the game again; the seats that are not own ones answer as they did."""
    from botyard.links.bot_spec import Seating
    from botyard.match.clock import LoopClock
    from botyard.match.loop import play_game
    from botyard.match.player import Player
    from botyard.match.recorded import recorded_seats, while_recorded

    replay = order.original.replay
    game: Game = replay.new_game(order.settings)
    for spec in order.own.values():
        if (fault := await make_ready(spec, quiet)) is not None:
            raise YardError(f"{spec.label} cannot start: it is {fault.verdict}", hint=fault.reason)

    def notice(text: str) -> None:
        if not quiet:
            note("{text}", text=Lines(text))

    seating = Seating(game.book, game.settings, LoopClock(), notice)
    others = recorded_seats(replay, order.own)
    players: list[Player] = []
    for entrant in range(game.seats):
        seat = replay.entrants.index(entrant)
        own = order.own.get(seat)
        players.append(own.seat_player(seating, entrant) if own else others[seat])
    enough = while_recorded(game, others)
    if order.pace is None:
        return await play_game(game, players, enough=enough)
    from botyard.cli.screen import play_watched

    return await play_watched(game, players, order.pace, enough)


# What is asked for


def read_original(like: str, site: str | None, sources: bool) -> Original:
    """Reads a replay file, or gets the replay of a match from a site, with the sources of your bots if wanted."""
    from botyard.match.recorded import check_recorded
    from botyard.match.replay import PACKED_MAX, Replay

    path = Path(like)
    if path.suffix == ".replay" or path.exists():
        from botyard.kernel.bounded import read_bounded

        raw = read_bounded(path, PACKED_MAX)
        original = Original(str(path), raw, Replay.from_bytes(raw, str(path)))
    else:
        from botyard.cli.site_matches import original_of_match

        original = original_of_match(like, site, sources)
    check_recorded(original.replay)
    return original


def own_seats(original: Original, seats: list[int], label: str) -> list[int]:
    """Returns the seats that are played anew: those that are named, those of yours on a site, or those of that name."""
    names = original.replay.names
    if wrong := [seat for seat in seats if not 0 <= seat < len(names)]:
        raise YardError(f"--seat {wrong[0]}", hint=f"the recorded game has the seats {seat_list(names)}")
    if seats:
        return sorted(set(seats))
    if original.own:
        return sorted(original.own)
    found = [seat for seat, name in enumerate(names) if name == label]
    if not found:
        missing = f"no seat of {original.name} is known as yours" + (f", and none is called {label}" if label else "")
        raise YardError(missing, hint=f"add --seat NUMBER; there are {seat_list(names)}")
    return found


def seat_list(names: tuple[str, ...]) -> str:
    return ", ".join(f"{seat} ({name})" for seat, name in enumerate(names))


@dataclass(frozen=True)
class LikeWish:
    """What the command line says."""

    like: str
    me: str
    seats: list[int]
    values: dict[str, Any]
    preset: str | None
    site: str | None
    replay: Path | None
    watch: bool
    pace: int | None


def play_recorded(wish: LikeWish, wrong: dict[str, object], policy: CagePolicy, quiet: bool, as_json: bool) -> None:
    """Carries out `botyard play --like`. `wrong` are arguments that have no place beside it, where they are given."""
    for name, given in wrong.items():
        if given:
            raise YardError(f"{name} is given with --like", hint=f"leave it out: {FROM_RECORD}")
    order = read_like(wish, policy)
    played = asyncio.run(play_like(order, quiet or as_json))
    finish_like(order, played, quiet, as_json)


def read_like(wish: LikeWish, policy: CagePolicy) -> LikeOrder:
    """Checks everything that can be checked before anything is played."""
    from botyard.games import load
    from botyard.kernel.settings import split_seed
    from botyard.links.bot_spec import read_bot_spec

    original = read_original(wish.like, wish.site, not wish.me)
    book = load(original.replay.game)
    seed, rest = split_seed(wish.values)
    rules = book.settings.read({}).of_group("rules")
    if seed is not None or (fixed := [key for key in rest if key in rules]):
        raise YardError(f"--set {'seed' if seed is not None else fixed[0]} is given with --like", hint=FROM_RECORD)
    chosen = book.settings.read({**original.settings, **rest}, wish.preset)
    more = {key: value for group in ("wire", "clock", "match") for key, value in chosen.of_group(group).items()}
    spec = read_bot_spec(wish.me, book, policy) if wish.me else None
    if spec is not None and spec.comes_by_itself:
        raise YardError(
            f"{wish.me} connects by itself, when it likes", hint="name a bot that is started: cmd:…, dir:…, py:…"
        )
    own = {}
    for seat in own_seats(original, wish.seats, spec.label if spec else ""):
        if spec is None and seat not in original.own:
            raise YardError(f"which bot plays seat {seat}?", hint="name it: --me dir:MYBOT, as `botyard play` takes it")
        own[seat] = spec or read_bot_spec(original.own[seat], book, policy)
    path = wish.replay or LIKE_FILES / f"like-{Path(original.name).stem}.replay"
    if Path(original.name).resolve() == path.resolve():
        raise YardError(f"{path} is the recorded game itself", hint="write the new one to another file")
    settings = original.replay.new_game(more).settings
    return LikeOrder(original, own, more, path, pace_of(settings, wish.pace) if wish.watch else None)


# What came of it


def finish_like(order: LikeOrder, played: Played, quiet: bool, as_json: bool) -> None:
    """Writes the replay and says what was otherwise; the exit status is 1 if anything was."""
    from botyard.match.recorded import first_difference, told_as_recorded
    from botyard.match.storage import write_atomically
    from botyard.match.turns import write_turns

    original = order.original
    difference = first_difference(original.replay, played.replay, order.own)
    same = False
    if difference is None:
        told_as_recorded(original.replay, played.replay)
        same = played.replay.to_bytes() == original.replay.to_bytes()
    # The same content may be packed otherwise by another version of the library that packs: ours are the bytes it had.
    write_atomically(order.path, original.raw if same else played.replay.to_bytes())
    write_turns(order.path, played.log)
    if as_json:
        print_json(as_data(order, played, difference, same))
    else:
        tell_like(order, played, difference, same, quiet)
    if not same:
        raise typer.Exit(1)


def tell_like(order: LikeOrder, played: Played, difference: FirstDifference | None, same: bool, quiet: bool) -> None:
    names = " and ".join(f"seat {seat} ({spec.label})" for seat, spec in sorted(order.own.items()))
    ticks = len(order.original.replay.ticks)
    if same:
        say("[green]the same[/]: {names} answered as recorded in all {ticks} ticks", names=names, ticks=ticks)
        say("replay: {path}, byte for byte that of {name}", path=order.path, name=order.original.name)
        return
    if difference is None:
        say(
            "{names} answered as recorded, but the game ended otherwise: {trouble}", names=names, trouble=played.trouble
        )
        say("replay: {path}", path=order.path)
        return
    tell_difference(order, difference, quiet)
    if played.outcome is not None:
        say_result(played)
    elif not played.trouble:
        at = len(played.replay.ticks)
        say("broken off before tick {at}: the other seats have no recorded orders for it", at=at)
    else:
        say("no result: {trouble}", trouble=Lines(played.trouble))
    say("replay: {path}", path=order.path)


def tell_difference(order: LikeOrder, difference: FirstDifference, quiet: bool) -> None:
    from botyard.games import load

    facts, label = load(order.original.replay.game).facts, order.own[difference.seat].label
    where = "before the first tick" if difference.tick < 0 else f"in tick {difference.tick}"
    say("[yellow]otherwise[/] {where}: seat {seat} ({label})", where=where, seat=difference.seat, label=label)
    say("  recorded: {words}", words=Lines(answer_words(difference.recorded, facts.orders)))
    say("  now:      {words}", words=Lines(answer_words(difference.given, facts.orders)))
    if not quiet and (view := view_text(order, difference)):
        say("  it was shown:")
        for line in view.splitlines():
            say("    {line}", line=line)


def answer_words(answer: RecordedAnswer | None, orders: tuple[str, ...]) -> str:
    if answer is None:
        return "not asked"
    if answer.lost is not None:
        return f"a lost turn, {answer.lost.verdict}: {answer.lost.reason}"
    if answer.order is None:
        return "not known"
    return orders[answer.order] if 0 <= answer.order < len(orders) else f"order {answer.order}"


def view_text(order: LikeOrder, difference: FirstDifference) -> str:
    from botyard.match.recorded import view_before

    view = view_before(order.original.replay, difference.tick, difference.seat)
    return "" if view is None or difference.tick < 0 else str(view)


def as_data(order: LikeOrder, played: Played, difference: FirstDifference | None, same: bool) -> dict[str, Any]:
    from botyard.games import load
    from botyard.match.turns import sidecar_path

    orders = load(order.original.replay.game).facts.orders

    def told(answer: RecordedAnswer | None) -> dict[str, Any] | None:
        if answer is None:
            return None
        known = answer.order is not None and 0 <= answer.order < len(orders)
        verdict, reason = (answer.lost.verdict, answer.lost.reason) if answer.lost else ("OK", "")
        name = orders[answer.order] if known and answer.order is not None else None
        return {"order": name, "verdict": verdict, "reason": reason}

    first = difference and {
        "tick": difference.tick,
        "seat": difference.seat,
        "recorded": told(difference.recorded),
        "given": told(difference.given),
        "view": view_text(order, difference),
    }
    return {
        "like": order.original.name,
        "game": order.original.replay.game,
        "seats": {str(seat): spec.label for seat, spec in sorted(order.own.items())},
        "byte_equal": same,
        "difference": first,
        "ticks": len(played.replay.ticks),
        "outcome": played.outcome and {"winner": played.winner, "scores": played.scores},
        "trouble": played.trouble,
        "replay": str(order.path),
        "turns": str(sidecar_path(order.path)),
    }
