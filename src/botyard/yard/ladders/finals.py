"""After a deadline nothing can be activated any more; what has begun is finished, then a final is played from zero.

The final is a contest of a format of `botyard.rank`. Its course follows from the results alone, in the order in which
its games were asked, so after a restart it goes on where it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import ceil
from typing import Any, Final

import sqlalchemy as sa

from botyard.contest.roots import derive_seed
from botyard.rank.formats import FORMATS, Course, Format, Pairing
from botyard.rank.ladder import TaskClass
from botyard.rank.results import Result
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import ACTIVE, ASKED, BEGUN, DONE, ENTRY, LADDER, PAIR, SETTLING
from botyard.yard.ladders.asking import seated_entries
from botyard.yard.ladders.closed_games import ClosedGame, games_of_pair
from botyard.yard.ladders.ladders import CLOSED, FINAL, FROZEN, OPEN, Ladder, lock_ladder
from botyard.yard.ladders.pairs import PairAsked, ask_pair, cancel_pairs
from botyard.yard.ladders.rows import ENTRIES
from botyard.yard.ladders.seasons import end_season

FINAL_PAIR: Final = "final"
EVERYBODY: Final = 32  # bots up to which everybody meets everybody
MEETINGS: Final = 20  # pairs of each bot, at least, where everybody meets everybody
SWISS_ROUNDS: Final = 15
WAVES: Final = 40  # games of each bot at larger tables


def tend_deadlines(connection: sa.Connection, now_ms: int) -> None:
    """Does what is due on ladders that have a deadline."""
    due = sa.select(LADDER.c.id).where(LADDER.c.deadline_ms <= now_ms, LADDER.c.state != CLOSED).order_by(LADDER.c.id)
    for number in connection.execute(due).scalars().all():
        ladder = lock_ladder(connection, number)
        if ladder.state == OPEN:
            freeze(connection, ladder, now_ms)
        elif not pairs_in_flight(connection, number):
            if ladder.state == FROZEN:
                begin_final(connection, ladder, now_ms)
            go_on(connection, ladder, now_ms)


def freeze(connection: sa.Connection, ladder: Ladder, now_ms: int) -> None:
    waiting = sa.select(PAIR.c.id).where(PAIR.c.ladder == ladder.id, PAIR.c.state == ASKED)
    cancel_pairs(connection, list(connection.execute(waiting).scalars()), "the deadline is over", now_ms)
    connection.execute(sa.update(LADDER).where(LADDER.c.id == ladder.id).values(state=FROZEN))
    note_event(connection, now_ms, "ladder.frozen", f"ladder/{ladder.slug}", public=True, title=ladder.title)


def pairs_in_flight(connection: sa.Connection, ladder: int) -> bool:
    open_ones = sa.select(PAIR.c.id).where(PAIR.c.ladder == ladder, PAIR.c.state.in_((ASKED, BEGUN)))
    return connection.execute(open_ones.limit(1)).first() is not None


def begin_final(connection: sa.Connection, ladder: Ladder, now_ms: int) -> None:
    """Chooses who plays the final, and its format: the best bot of each person, of those that play."""
    chosen = ENTRIES.where(ENTRY.c.ladder == ladder.id, ENTRY.c.state.in_((SETTLING, ACTIVE)), ENTRY.c.bot.is_not(None))
    best: dict[int, int] = {}
    for row in connection.execute(chosen.order_by(ENTRY.c.mu.desc(), ENTRY.c.id)):
        best.setdefault(row.owner, row.id)
    shape = final_format(len(best), ladder.policy.seats)
    options = asdict(shape)
    plan = {"kind": shape.NAME, "options": options, "entries": sorted(best.values()), "rows": [], "heads": []}
    connection.execute(
        sa.update(LADDER).where(LADDER.c.id == ladder.id).values(state=FINAL, standings=json.dumps(plan))
    )
    note_event(connection, now_ms, "final.begun", f"ladder/{ladder.slug}", public=True, bots=len(best))


def final_format(bots: int, seats: int) -> Format:
    """Returns how a final of so many bots is played."""
    if seats > 2:
        return FORMATS["rated_waves"].read({"waves": WAVES, "seats": seats})
    if bots > EVERYBODY:
        return FORMATS["swiss"].read({"rounds": SWISS_ROUNDS, "bouts": 1, "swap": "same_seed"})
    bouts = ceil(MEETINGS / max(1, bots - 1))
    return FORMATS["round_robin"].read({"bouts": bouts, "swap": "same_seed"})


def go_on(connection: sa.Connection, ladder: Ladder, now_ms: int) -> None:
    """Asks for the next wave of a final, or ends it; all games that were asked are over."""
    row = connection.execute(sa.select(LADDER).where(LADDER.c.id == ladder.id)).one()
    plan = json.loads(row.standings)
    keys = [str(entry) for entry in plan["entries"]]
    course = FORMATS[plan["kind"]].read(plan["options"]).open(keys)
    played = final_games(connection, ladder)
    while len(keys) > 1 and (wave := course.wave()):
        if len(played) < len(wave):
            ask_wave(connection, ladder, row, wave, now_ms)
            return
        for pairing, game in zip(wave, played, strict=False):
            course.add(pairing, game.by_entry if game.match.state == DONE else Result.nothing(pairing.bots))
        played = played[len(wave) :]
    end_final(connection, ladder, plan, course, now_ms)


def final_games(connection: sa.Connection, ladder: Ladder) -> list[ClosedGame]:
    """Returns the games of the final in the order in which they were asked."""
    pairs = sa.select(PAIR.c.id).where(PAIR.c.ladder == ladder.id, PAIR.c.kind == FINAL_PAIR)
    pairs = pairs.where(PAIR.c.season == ladder.season).order_by(PAIR.c.id)
    return [game for pair in connection.execute(pairs).scalars().all() for game in games_of_pair(connection, pair)]


def ask_wave(connection: sa.Connection, ladder: Ladder, row: sa.Row[Any], wave: Sequence[Pairing], now_ms: int) -> None:
    """Asks for the games of a wave; those that share their chance are a pair. They keep the order of the wave."""
    seats = seated_entries(connection, [int(bot) for bot in {bot for pairing in wave for bot in pairing.bots}])
    together: list[list[Pairing]] = []
    for pairing in wave:
        if together and together[-1][0].chance == pairing.chance:
            together[-1].append(pairing)
        else:
            together.append([pairing])
    for games in together:
        chance = f"{FINAL_PAIR}/{games[0].chance}"
        asked = PairAsked(
            kind=FINAL_PAIR,
            ladder=ladder.id,
            season=ladder.season,
            game=ladder.game,
            settings=row.settings,
            rules=ladder.rules,
            chance=chance,
            seed=derive_seed(bytes.fromhex(row.root), chance),
            halves=tuple(tuple(seats[bot] for bot in pairing.bots) for pairing in games),
            urgency=int(TaskClass.CONTEST),
            why=f"the final: {games[0].match}",
        )
        ask_pair(connection, asked, now_ms)


def end_final(connection: sa.Connection, ladder: Ladder, plan: dict[str, Any], course: Course, now_ms: int) -> None:
    """Notes the standings of a final, and closes its ladder; its root is shown from now on."""
    standings = course.standings()
    plan |= {
        "heads": list(standings.heads),
        "rows": [{"place": row.place, "entry": int(row.bot), "columns": dict(row.columns)} for row in standings.rows],
    }
    closed = sa.update(LADDER).where(LADDER.c.id == ladder.id)
    connection.execute(closed.values(state=CLOSED, standings=json.dumps(plan)))
    end_season(connection, ladder.id, ladder.season, now_ms)
    first = [int(bot) for bot in standings.leaders]
    note_event(connection, now_ms, "final.ended", f"ladder/{ladder.slug}", public=True, first=first)
