"""The page of `botyard contest run --web`, and of contests that were played."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from botyard.cli.console import note
from botyard.cli.web import open_browser, tell_address, tell_end
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.contest.live.snapshot import LiveContest
    from botyard.contest.plan import Plan

CONTESTS = (".toml", ".store")  # how the names of contest files and of their stores end


@contextlib.contextmanager
def live_page(plans: Sequence[Plan], wanted: bool, browser: bool) -> Iterator[Sequence[LiveContest | None]]:
    """While inside, a page shows these contests if it is wanted; gives the contests for the runs to tell their news."""
    if not wanted:
        yield [None] * len(plans)
        return
    from botyard.contest.live.app import shown
    from botyard.contest.live.snapshot import LivePage

    page = LivePage(plans)
    for contest in page.contests:
        contest.prepare()
    with shown(page) as address:
        note("watch: {address}", address=address)
        if browser:
            open_browser(address)
        yield page.contests


def wait_for_ctrl_c() -> None:
    """Lets a page stay until somebody has seen enough."""
    tell_end("the page stays open")
    with contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


def show_contests(files: Sequence[Path], browser: bool, port: int) -> None:
    """Shows contests as they were played so far, until Ctrl-C."""
    from botyard.contest.live.app import shown
    from botyard.contest.live.snapshot import LivePage
    from botyard.contest.opening import open_played

    plans = []
    for path in files:
        if path.suffix not in CONTESTS:
            raise YardError(f"{path} is no contest, and others are", hint="name contests or replays, not both")
        with open_played(path.with_suffix(".toml")) as played:
            plans.append(played.plan)
    page = LivePage(plans)
    for contest in page.contests:
        contest.end("over", found_report(contest.plan))
    with shown(page, port) as address:
        tell_address("watch", address)
        if browser:
            open_browser(address)
        wait_for_ctrl_c()


def found_report(plan: Plan) -> Path | None:
    """Returns the page of a report if it was written; says how to write it otherwise."""
    from botyard.contest.report import report_folder

    path = report_folder(plan) / "report.html"
    if path.is_file():
        return path
    note("no games can be watched before this: botyard contest report {file}", file=plan.path)
    return None
