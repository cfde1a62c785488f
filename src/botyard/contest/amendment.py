"""An amendment says what a change of the bots means for a contest that has begun: which games stay, and which do not.

How much a change costs is the format's affair (`Format.CHANGES`). Where no game depends on another, as in a round
robin, a bot's own games are played anew and all others stay: the table is as if the bots had been so from the start.
Where a round depends on those before it, as in a Swiss contest, what was played stays; a late-comer joins with the next
round, and whoever leaves forfeits what is left of the present one. All other formats begin again as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from botyard.contest.identity import Identity
from botyard.contest.plan import Plan, Roster
from botyard.contest.rows import GameRow
from botyard.contest.schema import DONE, VOID
from botyard.kernel.errors import YardError
from botyard.rank.formats import Pairing
from botyard.rank.formats.course import Changes


@dataclass(frozen=True, slots=True)
class BotChanges:
    """How the bots of a contest differ from those it was last played with; keys in the order of registration."""

    joined: tuple[str, ...]
    left: tuple[str, ...]
    edited: tuple[str, ...]
    dismissed: frozenset[str] = frozenset()  # of those that left: guests that leave because enough players are there

    @classmethod
    def between(cls, before: Mapping[str, str], now: Mapping[str, str]) -> BotChanges:
        return cls(
            tuple(key for key in now if key not in before),
            tuple(key for key in before if key not in now),
            tuple(key for key in now if key in before and before[key] != now[key]),
        )

    def without_guests(self, guests: Collection[str]) -> BotChanges:
        """Returns the same changes, in which these guests did not go by themselves."""
        return replace(self, dismissed=frozenset(guests) & frozenset(self.left))

    def __bool__(self) -> bool:
        return bool(self.joined or self.left or self.edited)

    def why(self, bots: Sequence[str]) -> str:
        """Returns why a game among these bots cannot stay; empty if nothing speaks against it."""
        if not self.dismissed.isdisjoint(bots):
            return "guests leave"
        for word, keys in (("has left", self.left), ("has changed", self.edited), ("is new", self.joined)):
            for bot in bots:
                if bot in keys:
                    return f"{bot} {word}"
        return ""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What becomes of the games of a contest whose bots have changed."""

    plan: Plan  # to go on with
    identity: Identity
    changes: BotChanges
    kept: Mapping[int, int]  # games that stay: their numbers before and after
    dropped: Mapping[str, int]  # games that were played and do not stay: how many, by reason
    due: Mapping[str, int] = field(default_factory=dict)  # games to be played now, as far as known, by reason
    forfeits: tuple[int, ...] = ()  # games that whoever left did not play

    @property
    def lines(self) -> Iterator[str]:
        """What people are told before they agree."""
        yield told_games(len(self.kept), "stays", "stay")
        for reason, count in self.dropped.items():
            yield f"{told_games(count, 'is dropped', 'are dropped')}: {reason}"
        for reason, count in self.due.items():
            yield f"{told_games(count, 'is played', 'are played')}: {reason}"
        if self.forfeits:
            yield f"{told_games(len(self.forfeits), 'is forfeited', 'are forfeited')} by those who left"


def told_games(games: int, one: str, several: str) -> str:
    return f"1 game {one}" if games == 1 else f"{games} games {several}"


def amendment_of(played: Plan, before: Identity, plan: Plan, rows: Iterable[GameRow]) -> Amendment | None:
    """Returns what a changed plan means for a contest; None if its bots are the same."""
    now = plan.identity
    changes = BotChanges.between(before.bots, now.bots)
    if not changes and list(before.bots) == list(now.bots):
        return None
    if plan.guests_have_left:
        changes = changes.without_guests(played.guests)
    games = list(rows)
    begun = any(game.state == DONE for game in games)
    if plan.format.CHANGES is Changes.OWN_GAMES:
        return own_games_anew(plan, now, changes, games)
    if plan.format.CHANGES is Changes.NEXT_ROUND and begun:
        return from_the_next_round(played, plan, now, changes, games)
    if begun and not plan.watched:
        told = "; ".join(described(changes)) or "the order of the bots has changed"
        hint = '--anew begins again, and so does every change with rerun = "on_change" in the file; or undo the change'
        raise YardError(f"a {plan.format.NAME} takes no change after its first game: {told}", hint=hint)
    reason = "the format plays all of them again when a bot changes"
    dropped = {reason: sum(game.state == DONE for game in games)} if begun else {}
    return Amendment(plan, now, changes, {}, dropped)


def described(changes: BotChanges) -> Iterator[str]:
    for word, keys in (("new", changes.joined), ("changed", changes.edited), ("gone", changes.left)):
        if keys:
            yield f"{word}: {', '.join(keys)}"


def own_games_anew(plan: Plan, now: Identity, changes: BotChanges, games: Iterable[GameRow]) -> Amendment:
    """Keeps every game that the format asks for again and whose bots are the same."""
    wanted = {key_of(pairing): number for number, pairing in enumerate(plan.open_course().wave(), 1)}
    kept, dropped = dict[int, int](), Counter[str]()
    for game in games:
        if game.state != DONE:
            continue
        reason = changes.why(game.pairing.bots)
        number = wanted.get(key_of(game.pairing))
        if number is not None and not reason:
            kept[game.number] = number
        else:
            dropped[reason or "the order of the bots has changed"] += 1
    staying = set(kept.values())
    due = Counter(
        changes.why(bots) or "not played yet" for (bots, _, _), number in wanted.items() if number not in staying
    )
    return Amendment(plan, now, changes, kept, dropped, due)


def key_of(pairing: Pairing) -> tuple[tuple[str, ...], str, int]:
    return pairing.bots, pairing.match, pairing.game


def from_the_next_round(
    played: Plan, plan: Plan, now: Identity, changes: BotChanges, games: list[GameRow]
) -> Amendment:
    """Keeps all games; the bots of the file play from the next round on. Those who left stay in the table."""
    everybody = {**played.bots, **plan.bots}
    before = played.rosters or (Roster(0, tuple(played.bots)),)
    rosters = tuple(roster for roster in before if roster.after < len(games))
    going_on = replace(plan, bots=everybody, rosters=(*rosters, Roster(len(games), tuple(plan.bots))))
    unplayed = [game for game in games if game.state not in (DONE, VOID)]
    forfeits = tuple(game.number for game in unplayed if set(game.pairing.bots) & set(changes.left))
    return Amendment(going_on, now, changes, {game.number: game.number for game in games}, {}, forfeits=forfeits)
