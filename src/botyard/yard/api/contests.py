"""Contests: announced from a contest file, entered, run, released; their standings, games and files."""

from __future__ import annotations

from typing import Annotated, Any

import sqlalchemy as sa
from fastapi import Query
from pydantic import AfterValidator, Field
from starlette.responses import PlainTextResponse, Response

from botyard.contest.summary_json import standings_values
from botyard.kernel.errors import UnknownName
from botyard.links.web.pace import UPLOAD as UPLOAD_PACE
from botyard.yard.api.challenges import OwnVersionForm, number_of
from botyard.yard.api.fields import Cursor, Limit, Line, ListPart, Number, Told, Wanted, Word, number_in, several_lines
from botyard.yard.api.routing import FILE, Call, Need, Section, get, post, put, remove, wake
from botyard.yard.caller import PLAY
from botyard.yard.contests.again import play_game_again
from botyard.yard.contests.changing import DEEDS
from botyard.yard.contests.contests import (
    BOTS_MOST,
    Announcement,
    Contest,
    all_contests,
    announce,
    change_announcement,
    contest_named,
    need_organiser,
    release_games,
)
from botyard.yard.contests.entrants import enter_contest, entrants_of, leave_contest
from botyard.yard.contests.files import FILE_MAX, BadContestFile, read_site_file
from botyard.yard.contests.views import file_of, games_for, progress_of
from botyard.yard.refusals import NotAllowed, NotThere
from botyard.yard.web.pages import contests as pages
from botyard.yard.web.visit import LARGEST

FileText = Annotated[str, Field(max_length=FILE_MAX), AfterValidator(several_lines)]
FOLDER_FORM = {
    "type": "object",
    "properties": {"file": FILE, "accounts": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["file"],
}


class ContestAnswer(Told):
    """A contest: a format, a field of bots, and an end."""

    slug: str
    title: str
    game: str
    organiser_name: str
    state: str
    """`open`: bots may enter; `running`; `paused`; `over`; `cancelled`."""
    why: str
    """Why it waits, or what became of it."""
    deadline_ms: int | None
    """When entries and uploads freeze, and it begins by itself."""
    release: str
    """What others than its organiser see of its games: `nothing`, `own`, `all`."""
    bots_per_person: int
    predictable: bool
    watched: bool
    """Whether it is played again whenever an entered bot changes."""
    root_hash: str
    root: str
    """The secret that all seeds follow from, as a contest file names it; empty until the contest is over."""
    made_ms: int
    begun_ms: int | None
    ended_ms: int | None


class EntrantAnswer(Told):
    """A bot of a contest."""

    key: str
    name: str
    house: str
    bot: int | None
    number: int | None
    """Of its version."""
    owner: str
    guest: bool
    state: str
    """Of its version."""


class ProgressAnswer(Told):
    asked: int
    playing: int
    done: int
    void: int


class WholeContestAnswer(Told):
    """A contest with its field."""

    contest: ContestAnswer
    progress: ProgressAnswer
    entrants: list[EntrantAnswer]
    file: str
    """Its contest file; for its organiser alone until it is over, because it may name a seed."""


class ContestGameAnswer(Told):
    """A game of a contest."""

    number: int
    name: str
    """Of its match in the format."""
    game: int
    """Within that match."""
    bots: list[str]
    """Keys, in the order of their places."""
    state: str
    result: str
    """By key; empty until it is known."""
    match: int | None
    """Where it is shown."""


class StandingsAnswer(Told):
    finished: bool
    standings: dict[str, Any]
    """As `report.json` of the command line has them."""
    names: dict[str, str]


class MistakeAnswer(Told):
    line: int | None
    where: str
    what: str
    hint: str


class CheckAnswer(Told):
    """What is wrong with a contest file; nothing if it can be announced."""

    mistakes: list[MistakeAnswer]
    warnings: list[str]


class FileForm(Wanted):
    file: FileText
    predictable: bool = False


class AnnouncementForm(FileForm):
    """A contest to announce."""

    slug: Line = ""
    """The last word of its address; empty: made from the title."""
    deadline_ms: int | None = Field(default=None, ge=0, le=LARGEST)
    release: Line = "all"
    bots_per_person: int = Field(default=1, ge=1, le=BOTS_MOST)

    @property
    def announcement(self) -> Announcement:
        return Announcement(**self.model_dump())


class DeedForm(Wanted):
    deed: Line
    """`begin`, `pause`, `resume`, `finish` (one that follows changed bots), `again`, `cancel`."""


class ReleaseForm(Wanted):
    release: Line
    """`nothing`, `own` or `all`."""


class TakenAnswer(Told):
    """What became of one thing in a folder of submissions."""

    name: str
    key: str
    words: str
    refused: str


async def list_contests(call: Call) -> ListPart[ContestAnswer]:
    """Lists the contests, those that are over at the end."""
    return ListPart(items=[ContestAnswer.model_validate(one) for one in await call.ask(all_contests)])


async def one_contest(call: Call, slug: Word) -> WholeContestAnswer:
    """Tells about a contest and its field."""

    def read(connection: sa.Connection) -> WholeContestAnswer:
        return tell_whole(connection, call, contest_named(connection, slug))

    return await call.ask(read)


def tell_whole(connection: sa.Connection, call: Call, contest: Contest) -> WholeContestAnswer:
    return WholeContestAnswer(
        contest=ContestAnswer.model_validate(contest),
        progress=ProgressAnswer.model_validate(progress_of(connection, contest)),
        entrants=[EntrantAnswer.model_validate(one) for one in entrants_of(connection, contest.id)],
        file=file_of(contest, call.caller),
    )


async def contest_standings(call: Call, slug: Word) -> StandingsAnswer:
    """Gives the standings, while it runs those up to the first game that is missing."""

    def read(connection: sa.Connection) -> StandingsAnswer:
        contest = contest_named(connection, slug)
        if contest.begun_ms is None:
            raise NotThere("this contest has not begun", hint=contest.why)
        if not contest.shows_all_to(call.caller):
            raise NotAllowed("the results of this contest are not released", hint="its organiser decides when")
        summary, _ = call.showroom.contests.read(connection, contest)
        told = standings_values(summary.standings)
        return StandingsAnswer(finished=summary.finished, standings=told, names=dict(summary.names))

    return await call.ask(read)


async def contest_games(
    call: Call, slug: Word, cursor: Cursor = "", limit: Limit = 100, bot: Annotated[str, Query(max_length=60)] = ""
) -> ListPart[ContestGameAnswer]:
    """Lists the games that you may see, in their order; of one bot, if its key is named."""
    after = number_in(cursor) or 0

    def read(connection: sa.Connection) -> ListPart[ContestGameAnswer]:
        found = [
            ContestGameAnswer(name=name, **{key: getattr(game, key) for key in GAME_FIELDS}, bots=list(game.bots))
            for name, game in games_for(connection, contest_named(connection, slug), call.caller)
            if game.number > after and (not bot or bot in game.bots)
        ]
        following = str(found[limit - 1].number) if len(found) > limit else None
        return ListPart(items=found[:limit], next=following)

    return await call.ask(read)


GAME_FIELDS = ("number", "game", "state", "result", "match")


async def contest_file(call: Call, slug: Word, file: Word) -> Response:
    """Gives a file of the report. Everybody may have standings.csv, cross.csv, pairs.csv and games.csv, and the files
    that the game's original program wrote; once the contest is over, report.html as well."""
    return PlainTextResponse(await pages.report_text(call, slug, file))


async def check_file(call: Call, form: FileForm) -> CheckAnswer:
    """Checks a contest file, and announces nothing."""
    need_organiser(call.caller)
    try:
        file = read_site_file(form.file, predictable=form.predictable)
    except BadContestFile as error:
        found = [MistakeAnswer.model_validate(mistake) for mistake in error.mistakes]
        return CheckAnswer(mistakes=found, warnings=[])
    return CheckAnswer(mistakes=[], warnings=list(file.warnings))


async def announce_contest(call: Call, form: AnnouncementForm) -> ContestAnswer:
    """Announces a contest. Organisers do that, and rule over their own contests alone."""
    person = need_organiser(call.caller)
    contest = await call.change(announce, person, form.announcement, call.yard.clock())
    return ContestAnswer.model_validate(contest)


async def change_contest_file(call: Call, slug: Word, form: AnnouncementForm) -> ContestAnswer:
    """Announces a contest anew, as long as it has not begun."""

    def change(connection: sa.Connection) -> Contest:
        contest = contest_named(connection, slug)
        person = contest.need_ruled_by(call.caller)
        change_announcement(connection, contest.id, form.announcement, person, call.yard.clock())
        return contest_named(connection, slug)

    return ContestAnswer.model_validate(await call.change(change))


async def do_with_contest(call: Call, slug: Word, form: DeedForm) -> ContestAnswer:
    """Begins, pauses, resumes, finishes, repeats or cancels a contest."""
    if form.deed not in DEEDS:
        raise UnknownName("deed", form.deed, DEEDS)

    def change(connection: sa.Connection) -> Contest:
        contest = contest_named(connection, slug)
        DEEDS[form.deed](connection, contest.id, contest.need_ruled_by(call.caller), call.yard.clock())
        return contest_named(connection, slug)

    told = ContestAnswer.model_validate(await call.change(change))
    wake(call)
    return told


async def game_again(call: Call, slug: Word, number: Number) -> ContestAnswer:
    """Has a void game played again, unless later games were paired by the results of its round."""

    def change(connection: sa.Connection) -> Contest:
        contest = contest_named(connection, slug)
        play_game_again(connection, contest.id, number, contest.need_ruled_by(call.caller), call.yard.clock())
        return contest_named(connection, slug)

    told = ContestAnswer.model_validate(await call.change(change))
    wake(call)
    return told


async def release_contest(call: Call, slug: Word, form: ReleaseForm) -> ContestAnswer:
    """Decides what others may see of the games."""

    def change(connection: sa.Connection) -> Contest:
        contest = contest_named(connection, slug)
        release_games(connection, contest.id, form.release, contest.need_ruled_by(call.caller), call.yard.clock())
        return contest_named(connection, slug)

    return ContestAnswer.model_validate(await call.change(change))


async def enter_own(call: Call, slug: Word, form: OwnVersionForm) -> EntrantAnswer:
    """Enters one of your bots with a version that is fit, or changes the version that it is entered with."""
    person = call.caller.need(PLAY)

    def change(connection: sa.Connection) -> EntrantAnswer:
        version = number_of(connection, form)
        key = enter_contest(connection, slug, person, form.bot, version, call.yard.clock())
        entrants = entrants_of(connection, contest_named(connection, slug).id)
        return EntrantAnswer.model_validate(next(one for one in entrants if one.key == key))

    told = await call.change(change)
    wake(call)
    return told


async def leave_own(call: Call, slug: Word, key: Word) -> None:
    """Takes a bot out of a contest: one of yours, or any if the contest is yours."""
    person = call.caller.need(PLAY)

    def change(connection: sa.Connection) -> None:
        rules = contest_named(connection, slug).ruled_by(call.caller)
        leave_contest(connection, slug, key, call.yard.clock(), person=person, rules=rules)

    await call.change(change)
    wake(call)


async def hand_in_folder(call: Call, slug: Word) -> ListPart[TakenAnswer]:
    """Hands in a folder of submissions, packed: each is built and checked, and belongs to its entrant."""
    contest = await pages.ruled(call)
    taken = await pages.received_submissions(call, contest)
    wake(call)
    return ListPart(items=[TakenAnswer.model_validate(one) for one in taken])


SECTION = Section.of(
    "Contests",
    "Formats with an end: announced by organisers from a contest file, entered by everybody.",
    get("/contests", list_contests),
    post("/contests", announce_contest, Need.PLAY, status=201),
    post("/contests/check", check_file, Need.PLAY),
    get("/contests/{slug}", one_contest),
    put("/contests/{slug}", change_contest_file, Need.PLAY),
    get("/contests/{slug}/standings", contest_standings),
    get("/contests/{slug}/games", contest_games),
    get("/contests/{slug}/files/{file}", contest_file, gives="text/plain"),
    post("/contests/{slug}/deeds", do_with_contest, Need.PLAY, status=202),
    post("/contests/{slug}/games/{number}/again", game_again, Need.PLAY, status=202),
    put("/contests/{slug}/release", release_contest, Need.PLAY),
    post("/contests/{slug}/entrants", enter_own, Need.PLAY, status=201),
    remove("/contests/{slug}/entrants/{key}", leave_own, Need.PLAY, status=204),
    post("/contests/{slug}/submissions", hand_in_folder, Need.UPLOAD, status=201, takes=FOLDER_FORM, pace=UPLOAD_PACE),
)
