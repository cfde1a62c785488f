"""Challenges and test games: what a person asks for beside what the ladder plays by itself."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa
from pydantic import Field

from botyard.games import load
from botyard.yard.api.fields import Line, Told, Wanted, Word
from botyard.yard.api.matches import MatchAnswer, tell_match
from botyard.yard.api.routing import Call, Need, Section, get, post, remove, wake
from botyard.yard.bots.queries import version_at
from botyard.yard.caller import PLAY
from botyard.yard.ladders.challenges import challenge, try_out
from botyard.yard.ladders.hand_games import HOUSE, VERSION_OF, ask_hand_game, open_hand_game, own_rivals
from botyard.yard.ladders.match_lists import matches_of_pair
from botyard.yard.refusals import Refusal
from botyard.yard.web.pages.play import facts_of, leave_board
from botyard.yard.web.visit import LARGEST

MOST_RIVALS = 64


class OwnVersionForm(Wanted):
    """One of your versions that is fit."""

    bot: int = Field(ge=1, le=LARGEST)
    version: int = Field(ge=1, le=LARGEST)
    """Its number among the versions of the bot."""


class ChallengeForm(Wanted):
    """Which of your versions challenges whom."""

    own: OwnVersionForm
    rivals: list[int] = Field(min_length=1, max_length=MOST_RIVALS)
    """The numbers of their entries, as the table of the ladder tells them."""


class TestGameForm(Wanted):
    """Which of your versions plays against which house bot, or against which other version of yours."""

    own: OwnVersionForm
    house: Line = ""
    rival: OwnVersionForm | None = None


class AskedAnswer(Told):
    """The games that were asked for. They wait for a worker, and say why."""

    matches: list[MatchAnswer]


async def ask_challenge(call: Call, slug: Word, form: ChallengeForm) -> AskedAnswer:
    """Asks for a challenge of bots of a ladder by one of your versions. It is not rated."""
    person, quotas, now_ms = call.caller.need(PLAY), call.yard.config.quotas, call.yard.clock()

    def change(connection: sa.Connection) -> AskedAnswer:
        own = number_of(connection, form.own)
        rivals = [rival for rival in form.rivals if 0 < rival <= LARGEST]
        return tell_pair(connection, challenge(connection, quotas, person, slug, own, rivals, now_ms))

    return await carried_out(call, change)


async def ask_test_game(call: Call, slug: Word, form: TestGameForm) -> AskedAnswer:
    """Asks for a game of one of your versions with the settings of a ladder, against a house bot or another version."""
    person, quotas, now_ms = call.caller.need(PLAY), call.yard.config.quotas, call.yard.clock()
    if bool(form.house) == (form.rival is not None):
        raise Refusal("a test game needs one rival", hint="name `house`, a house bot, or `rival`, a version of yours")

    def change(connection: sa.Connection) -> AskedAnswer:
        own = number_of(connection, form.own)
        rival = number_of(connection, form.rival) if form.rival else None
        pair = try_out(connection, quotas, person, slug, own, now_ms, house=form.house, rival=rival)
        return tell_pair(connection, pair)

    return await carried_out(call, change)


async def carried_out(call: Call, change: Callable[[sa.Connection], AskedAnswer]) -> AskedAnswer:
    told = await call.change(change)
    wake(call)
    return told


def number_of(connection: sa.Connection, version: OwnVersionForm) -> int:
    """Returns the number of a version among all versions; whose it is, is looked at later."""
    return version_at(connection, version.bot, version.version).line.id


def tell_pair(connection: sa.Connection, pair: int) -> AskedAnswer:
    return AskedAnswer(matches=[tell_match(match) for match in matches_of_pair(connection, pair)])


# Games by hand


class RivalChoiceAnswer(Told):
    """A rival in a game by hand."""

    rival: str
    """How it is named here."""
    name: str


class HandAnswer(Told):
    """Whom you can play against by hand, and the game that you play already."""

    rivals: list[RivalChoiceAnswer]
    running: int | None
    """The match that you play, or are about to play."""


class HandForm(Wanted):
    """A game by hand."""

    rivals: list[Line] = Field(max_length=MOST_RIVALS)
    """As they are named among your choices: `house:NAME`, or `version:NUMBER`."""
    place: int = Field(default=1, ge=1, le=MOST_RIVALS)
    """Where you sit, from 1."""


class HandGameAnswer(Told):
    match: int
    """Its page has the keys."""


async def hand_choices(call: Call, game: Word) -> HandAnswer:
    """Tells whom you can play against by hand."""
    person, facts = call.caller.need(PLAY), facts_of(game)
    house = {f"{HOUSE}:{name}": name for name in load(facts.name).bots.HOUSE_BOTS}

    def read(connection: sa.Connection) -> HandAnswer:
        own = {f"{VERSION_OF}:{one.version}": one.name for one in own_rivals(connection, person, game)}
        rivals = [RivalChoiceAnswer(rival=rival, name=name) for rival, name in {**house, **own}.items()]
        return HandAnswer(rivals=rivals, running=open_hand_game(connection, person))

    return await call.ask(read)


async def ask_by_hand(call: Call, game: Word, form: HandForm) -> HandGameAnswer:
    """Asks for a game that you play by hand, on the page of its match."""
    facts_of(game)
    person, now_ms = call.caller.need(PLAY), call.yard.clock()
    match = await call.change(ask_hand_game, person, game, form.rivals, form.place, now_ms)
    wake(call)
    return HandGameAnswer(match=match)


async def leave_by_hand(call: Call) -> None:
    """Cancels the game by hand that you asked for. One that has begun is resigned: it ends at once, as your forfeit."""
    await leave_board(call)


SECTION = Section.of(
    "Challenges",
    "Games that you ask for. They are not rated, and a day has only so many of them.",
    post("/ladders/{slug}/challenges", ask_challenge, Need.PLAY, status=202),
    post("/ladders/{slug}/test-games", ask_test_game, Need.PLAY, status=202),
    get("/play/{game}", hand_choices, Need.PLAY),
    post("/play/{game}", ask_by_hand, Need.PLAY, status=202),
    remove("/play", leave_by_hand, Need.PLAY, status=204),
)
