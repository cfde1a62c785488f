"""The pages of contests: all of them, one with its standings and games, and what people and its organiser do there."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from starlette.responses import PlainTextResponse, Response

from botyard.kernel.errors import YardError
from botyard.links.web.pace import STREAM
from botyard.links.web.pace import UPLOAD as UPLOAD_PACE
from botyard.yard.bots.spool import Spool
from botyard.yard.bots.uploads import told_of_room
from botyard.yard.caller import PLAY, UPLOAD
from botyard.yard.contests.again import play_game_again
from botyard.yard.contests.changing import DEEDS
from botyard.yard.contests.contests import Contest, all_contests, contest_named, release_games
from botyard.yard.contests.entrants import bots_to_enter, enter_contest, entrants_of, leave_contest, need_entries
from botyard.yard.contests.reports import EVERYBODYS, report_file, report_names
from botyard.yard.contests.submissions import FOLDER_BYTES, TakenIn, accept_submissions
from botyard.yard.contests.views import entered_numbers, file_of, games_for, matches_in, progress_of, rounds_in
from botyard.yard.data.contest_tables import OVER
from botyard.yard.refusals import NotAllowed, NotThere, Refusal, status_of
from botyard.yard.web.contest_pages import REPORT_PAGE
from botyard.yard.web.forms import Typed
from botyard.yard.web.pages.ladders import page_number
from botyard.yard.web.pages.matches import download
from botyard.yard.web.receiving import receive_form
from botyard.yard.web.routing import get, post
from botyard.yard.web.visit import Visit

GAMES_LISTED = 100  # on one page
NEWEST = 8

RELEASES = {
    "nothing": "only its organiser sees games, results and standings",
    "own": "everybody sees the games of their own bots; standings are its organiser's",
    "all": "everybody sees everything",
}
"""What is released of a contest, in words."""


async def contests(visit: Visit) -> Response:
    def read(connection: sa.Connection) -> dict[str, Any]:
        return {"contests": all_contests(connection), "entered": entered_numbers(connection)}

    return visit.page("contests.html", **await visit.ask(read))


def slug_of(visit: Visit) -> str:
    return str(visit.request.path_params["slug"])


async def one(visit: Visit) -> Response:
    return await contest_page(visit)


async def contest_page(visit: Visit, error: YardError | None = None, taken: list[TakenIn] | None = None) -> Response:
    """Returns the page of a contest, with what went wrong on it and what became of submissions."""
    slug, caller = slug_of(visit), visit.caller

    def read(connection: sa.Connection) -> dict[str, Any]:
        contest = contest_named(connection, slug)
        shows, begun = contest.shows_all_to(caller), contest.begun_ms is not None
        games = games_for(connection, contest, caller) if begun else []
        summary, originals = visit.showroom.contests.read(connection, contest) if shows and begun else (None, ())
        entrants = entrants_of(connection, contest.id)
        takes = contest.takes_entries(visit.yard.clock())
        newest = [(name, game) for name, game in reversed(games) if game.result and game.match]
        return {
            "contest": contest,
            "rules": contest.ruled_by(caller),
            "shows": shows,
            "takes": takes,
            "entrants": entrants,
            "names": {entrant.key: entrant.name for entrant in entrants_of(connection, contest.id, gone=True)},
            "own": [entrant for entrant in entrants if caller.known and entrant.person == caller.person],
            "mine": bots_to_enter(connection, contest, caller.person) if caller.person is not None and takes else [],
            "progress": progress_of(connection, contest),
            "summary": summary,
            "rounds": rounds_in(matches_in(games)),
            "newest": newest[:NEWEST],
            "files": [*report_names(all_of_them=contest.ruled_by(caller)), *originals] if summary else [],
            "report_page": summary is not None and contest.state == OVER,
            "text": file_of(contest, caller),
        }

    found = await visit.ask(read)
    values = {"releases": RELEASES, "error": error, "taken": taken or [], "folder_bytes": FOLDER_BYTES}
    return visit.page("contest.html", status_of(error) if error else 200, **found, **values)


async def games(visit: Visit) -> Response:
    slug, page, key = slug_of(visit), page_number(visit), visit.word("bot")

    def read(connection: sa.Connection) -> dict[str, Any]:
        contest = contest_named(connection, slug)
        found = [pair for pair in games_for(connection, contest, visit.caller) if not key or key in pair[1].bots]
        names = {entrant.key: entrant.name for entrant in entrants_of(connection, contest.id, gone=True)}
        shown = found[(page - 1) * GAMES_LISTED : page * GAMES_LISTED]
        pages = -(-len(found) // GAMES_LISTED)
        told = {"contest": contest, "games": shown, "names": names, "pages": pages, "count": len(found)}
        return {**told, "rules": contest.ruled_by(visit.caller)}

    return visit.page("contest_games.html", **await visit.ask(read), page=page, key=key)


async def enter(visit: Visit) -> Response:
    """Enters a bot of who asks: the field names the bot and its version."""
    person, typed = visit.caller.need(PLAY), await Typed.of(visit)
    bot, _, version = typed.line("bot").partition("/")
    try:
        if not (
            bot.isascii() and bot.isdigit() and version.isascii() and version.isdigit() and len(bot + version) < 16
        ):
            raise Refusal("no bot was chosen", hint="choose one of yours that is fit")
        await visit.change(enter_contest, slug_of(visit), person, int(bot), int(version), visit.yard.clock())
    except YardError as error:
        return await contest_page(visit, error)
    return seen_to(visit)


async def leave(visit: Visit) -> Response:
    person, typed = visit.caller.need(PLAY), await Typed.of(visit)
    contest = await visit.ask(contest_named, slug_of(visit))
    rules = contest.ruled_by(visit.caller)
    key, now_ms = typed.line("key"), visit.yard.clock()
    try:
        await visit.change(leave_contest, contest.slug, key, now_ms, person=person, rules=rules)
    except YardError as error:
        return await contest_page(visit, error)
    return seen_to(visit)


async def act(visit: Visit) -> Response:
    """Does what the organiser wants: begin, pause, resume, finish, again or cancel."""
    contest, typed = await ruled(visit), await Typed.of(visit)
    deed = DEEDS.get(typed.line("deed"))
    try:
        if deed is None:
            raise Refusal("nothing was chosen", hint=f"one of {', '.join(DEEDS)}")
        await visit.change(deed, contest.id, visit.caller.need(PLAY), visit.yard.clock())
    except YardError as error:
        return await contest_page(visit, error)
    return seen_to(visit)


async def game_again(visit: Visit) -> Response:
    """Has a void game played again."""
    contest, number = await ruled(visit), visit.number("number")
    await visit.change(play_game_again, contest.id, number, visit.caller.need(PLAY), visit.yard.clock())
    return seen_to(visit)


async def release(visit: Visit) -> Response:
    contest, typed = await ruled(visit), await Typed.of(visit)
    person, now_ms = visit.caller.need(PLAY), visit.yard.clock()
    await visit.change(release_games, contest.id, typed.line("release"), person, now_ms)
    return seen_to(visit)


async def submissions(visit: Visit) -> Response:
    """Takes in a folder of submissions, and says what became of each."""
    contest = await ruled(visit)
    try:
        taken = await received_submissions(visit, contest)
    except YardError as error:
        return await contest_page(visit, error)
    if visit.steward is not None:
        visit.steward.wake()
    return await contest_page(visit, taken=taken)


async def received_submissions(visit: Visit, contest: Contest) -> list[TakenIn]:
    person = visit.caller.need(UPLOAD)
    await visit.change(need_entries, contest.slug, visit.yard.clock())
    with told_of_room():
        spool = Spool(visit.yard.config.folder / "incoming", FOLDER_BYTES)
    with spool, told_of_room():
        fields = dict[str, str]()
        await receive_form(visit.request, spool, fields)
        accounts = fields.get("accounts") == "yes"
        return await accept_submissions(visit.yard, person, contest.slug, spool, accounts=accounts)


async def report(visit: Visit) -> Response:
    name = str(visit.request.path_params["file"])
    text = await report_text(visit, slug_of(visit), name)
    if name == REPORT_PAGE:  # never shown as a page of ours: it has scripts of its own
        return download(text.encode(), f"{slug_of(visit)}-{name}", "text/html; charset=utf-8")
    if name.endswith((".txt", ".md")):
        return PlainTextResponse(text)
    return download(text.encode(), name, "text/csv; charset=utf-8" if name.endswith(".csv") else "application/json")


async def report_text(visit: Visit, slug: str, name: str) -> str:
    """Returns a file of the report; what may quote bots is its organiser's."""
    if name == REPORT_PAGE:
        contest = await visit.ask(contest_named, slug)
        if contest.state != OVER:
            raise NotThere("this contest is not over", hint="the report as a page is there when it is")
        need_shown(contest, visit)
        return await visit.showroom.contest_pages.page(contest, quoting=contest.ruled_by(visit.caller))

    def read(connection: sa.Connection) -> str:
        contest = contest_named(connection, slug)
        need_report(connection, contest, visit, name)
        return report_file(connection, visit.yard.blobs, contest, name)

    return await visit.ask(read)


def need_report(connection: sa.Connection, contest: Contest, visit: Visit, name: str) -> None:
    """Refuses files of a report that a caller may not have, or that there are not."""
    if contest.begun_ms is None:
        raise NotThere("this contest has not begun", hint="its report is there when the first games are played")
    need_shown(contest, visit)
    _, originals = visit.showroom.contests.read(connection, contest)
    if name in report_names(all_of_them=True) and name not in EVERYBODYS and not contest.ruled_by(visit.caller):
        raise NotAllowed(f"{name} may quote what bots printed", hint="it is for the organiser alone")
    if name not in (*report_names(all_of_them=True), *originals):
        raise NotThere("there is no such file", hint="the contest's page lists those there are")


def need_shown(contest: Contest, visit: Visit) -> None:
    """Refuses the results of a contest to whom they are not released."""
    if not contest.shows_all_to(visit.caller):
        raise NotAllowed("the results of this contest are not released", hint="its organiser decides when")


async def ruled(visit: Visit) -> Contest:
    """Returns the contest of this page; refuses who does not decide about it."""
    contest = await visit.ask(contest_named, slug_of(visit))
    contest.need_ruled_by(visit.caller)
    return contest


def seen_to(visit: Visit) -> Response:
    """Has the steward look at once, and goes back to the contest."""
    if visit.steward is not None:
        visit.steward.wake()
    return visit.go(f"/contests/{slug_of(visit)}")


PAGES = [
    get("/contests", contests),
    get("/contests/{slug}", one),
    get("/contests/{slug}/games", games),
    get("/contests/{slug}/files/{file}", report, pace=STREAM),
    post("/contests/{slug}/enter", enter),
    post("/contests/{slug}/leave", leave),
    post("/contests/{slug}/do", act),
    post("/contests/{slug}/games/{number:int}/again", game_again),
    post("/contests/{slug}/release", release),
    post("/contests/{slug}/submissions", submissions, pace=UPLOAD_PACE),
]
