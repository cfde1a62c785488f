"""Where an organiser announces a contest: a form over the contest file, which is checked on the page itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from botyard.games import GAMES, load
from botyard.kernel.errors import YardError
from botyard.yard.contests.contests import Announcement, Contest, announce, change_announcement, need_organiser
from botyard.yard.contests.files import FILE_MAX, BadContestFile, SiteFile, read_site_file
from botyard.yard.contests.starting_files import formats_here, starting_file
from botyard.yard.data.times import SECOND
from botyard.yard.refusals import Refusal, status_of
from botyard.yard.web.forms import Typed
from botyard.yard.web.pages.contests import RELEASES, ruled, seen_to
from botyard.yard.web.routing import Access, get, post
from botyard.yard.web.visit import Visit

TICKED = "yes"
CHECK = "check"


@dataclass(frozen=True, slots=True)
class CheckedForm:
    """What the form says, and what is to be said about it."""

    typed: dict[str, str]
    error: YardError | None = None
    file: SiteFile | None = None  # it was checked, and nothing is wrong with it

    @property
    def mistakes(self) -> list[Any]:
        return self.error.mistakes if isinstance(self.error, BadContestFile) else []


def form_page(visit: Visit, form: CheckedForm, contest: Contest | None = None) -> Response:
    values = {
        "typed": form.typed, "error": form.error, "mistakes": form.mistakes, "checked": form.file, "contest": contest,
        "games": {name: load(name).facts.title for name in GAMES}, "formats": formats_here(), "releases": RELEASES,
        "most": FILE_MAX,
    }  # fmt: skip
    return visit.page("contest_form.html", status_of(form.error) if form.error else 200, **values)


async def new(visit: Visit) -> Response:
    """The form, filled in for a game and a format if they were chosen."""
    need_organiser(visit.caller)
    game, kind = visit.word("game"), visit.word("kind")
    file = starting_file(game, kind) if game in GAMES else ""
    return form_page(visit, CheckedForm({"file": file, "game": game, "kind": kind, "release": "all", "bots": "1"}))


async def create(visit: Visit) -> Response:
    person, typed = need_organiser(visit.caller), await Typed.of(visit)
    try:
        given = announcement(typed)
        if typed.line("deed") == CHECK:
            file = read_site_file(given.file, predictable=given.predictable)
            return form_page(visit, CheckedForm(typed.kept, file=file))
        contest = await visit.change(announce, person, given, visit.yard.clock())
    except YardError as error:
        return form_page(visit, CheckedForm(typed.kept, error))
    return visit.go(f"/contests/{contest.slug}")


async def edit(visit: Visit) -> Response:
    contest = await ruled(visit)
    typed = {
        "file": contest.file, "release": contest.release, "bots": str(contest.bots_per_person),
        "predictable": TICKED if contest.predictable else "", "deadline": written(contest.deadline_ms),
    }  # fmt: skip
    return form_page(visit, CheckedForm(typed), contest)


async def change(visit: Visit) -> Response:
    contest, typed = await ruled(visit), await Typed.of(visit)
    person, now_ms = need_organiser(visit.caller), visit.yard.clock()
    try:
        given = announcement(typed)
        if typed.line("deed") == CHECK:
            file = read_site_file(given.file, predictable=given.predictable)
            return form_page(visit, CheckedForm(typed.kept, file=file), contest)
        await visit.change(change_announcement, contest.id, given, person, now_ms)
    except YardError as error:
        return form_page(visit, CheckedForm(typed.kept, error), contest)
    return seen_to(visit)


def announcement(typed: Typed) -> Announcement:
    """Returns what a form announces."""
    bots = typed.line("bots", 4) or "1"
    if not (bots.isascii() and bots.isdigit()):
        raise Refusal(f"{bots!r} bots per person", hint="write a whole number")
    return Announcement(
        file=typed.text("file", FILE_MAX),
        slug=typed.line("slug", 60),
        deadline_ms=deadline_in(typed.line("deadline", 40)),
        release=typed.line("release", 20) or "all",
        bots_per_person=int(bots),
        predictable=typed.line("predictable", 4) == TICKED,
    )


def deadline_in(text: str) -> int | None:
    """Returns a time that a browser's field holds, in UTC, or one with a zone; None if there is none."""
    if not text:
        return None
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise Refusal(f"the deadline {text!r}", hint="write it as 2026-12-24T18:00, in UTC") from None
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()) * SECOND


def written(at_ms: int | None) -> str:
    if at_ms is None:
        return ""
    return datetime.fromtimestamp(at_ms // SECOND, UTC).replace(tzinfo=None).isoformat(timespec="minutes")


PAGES = [
    get("/contests/new", new, Access.PERSON),
    post("/contests", create),
    get("/contests/{slug}/edit", edit, Access.PERSON),
    post("/contests/{slug}/edit", change),
]
