"""What becomes of versions when builds and checks begin, end or are lost.

The steward calls these functions inside the transaction that decides about a task, so that a task and its version
never contradict each other. A version that was withdrawn meanwhile stays so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from botyard.yard.bots.versions import activate, ask_for, is_active, move, version_row
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.events import note_event
from botyard.yard.data.tables import (
    ACTIVE,
    BOT,
    BUILD,
    BUILDING,
    BUILT,
    CHECK,
    CHECKING,
    ENTRY,
    FIT,
    SETTLING,
    UNBUILT,
    UNFIT,
    UPLOADED,
    VERSION,
)
from botyard.yard.ladders.entries import bench
from botyard.yard.people.notices import notify
from botyard.yard.refusals import Refusal
from botyard.yard.work.building import BuildReport
from botyard.yard.work.checking import CheckReport

AT_WORK = {BUILD: BUILDING, CHECK: CHECKING}
BEFORE = {BUILD: UPLOADED, CHECK: BUILT}
FAILED_AS = {BUILD: UNBUILT, CHECK: UNFIT}
# A version that plays is checked again when rules or settings have changed. What fails us then leaves it fit.


def record_begun(connection: sa.Connection, kind: str, version: int, now_ms: int) -> bool:
    """Notes that a worker has begun to build or to check a version; False: it must not, the version has gone."""
    if not move(connection, version, AT_WORK[kind]):
        return False
    tell(connection, version, AT_WORK[kind], now_ms)
    return True


def record_lost(connection: sa.Connection, kind: str, version: int, now_ms: int, reason: str) -> bool:
    """Notes that a worker was lost at a version, which waits for another one."""
    before = FIT if plays_on(connection, kind, version) else BEFORE[kind]
    if not move(connection, version, before, reason, since=(AT_WORK[kind],)):
        return False
    tell(connection, version, "waiting", now_ms, reason=reason)
    return True


def record_given_up(connection: sa.Connection, kind: str, version: int, now_ms: int, reason: str) -> bool:
    """Notes that no worker could build or check a version: a fault of ours, after which its owner may try again."""
    told = f"we failed, not the bot: {reason}"
    state = FIT if plays_on(connection, kind, version) else FAILED_AS[kind]
    if not move(connection, version, state, told, since=(AT_WORK[kind],)):
        return False
    tell(connection, version, state, now_ms, reason=told)
    send_notice(connection, version, now_ms, "could not be tried", f"{told}. Try it again on its page.")
    return True


def record_cancelled_recheck(connection: sa.Connection, kind: str, version: int, now_ms: int, why: str) -> bool:
    """Notes that the check of a version that plays was cancelled: it stays fit. False: it does not play."""
    if not plays_on(connection, kind, version):
        return False
    if move(connection, version, FIT, why, since=(CHECKING,)):
        tell(connection, version, FIT, now_ms, reason=why)
    send_notice(connection, version, now_ms, "was not checked again", f"{why}. It goes on playing.")
    return True


def record_build(connection: sa.Connection, blobs: Blobs, report: BuildReport, now_ms: int) -> bool:
    """Notes what came of a build, and asks for the check of what was built. False: the version has gone."""
    log = blobs.keep(connection, report.log, now_ms)
    if not report.built:
        if not move(connection, report.version, UNBUILT, report.reason, build_log=log):
            return False
        tell(connection, report.version, UNBUILT, now_ms, reason=report.reason)
        send_notice(connection, report.version, now_ms, "was not built", with_remedy(report.reason, report.remedy))
        return True
    if not move(connection, report.version, BUILT, build_log=log):
        return False
    ask_for(connection, CHECK, report.version, now_ms)
    tell(connection, report.version, BUILT, now_ms)
    return True


def record_check(connection: sa.Connection, blobs: Blobs, report: CheckReport, now_ms: int) -> bool:
    """Notes what a check has found, and activates what is fit and wanted. False: the version has gone."""
    state = FIT if report.fit else UNFIT
    kept: dict[str, Any] = {
        "findings": json.dumps([finding.as_json() for finding in report.findings]),
        "check_replay": report.replay and blobs.keep(connection, report.replay, now_ms),
        "check_turns": report.turns and blobs.keep(connection, report.turns, now_ms),
        "check_seat": report.seat,
        "checked_with": report.stamp,
    }
    if not move(connection, report.version, state, report.reason, **kept):
        return False
    tell(connection, report.version, state, now_ms, reason=report.reason)
    if report.fit:
        welcome(connection, report.version, now_ms)
    else:
        first = next((finding for finding in report.findings if finding.wrong), None)
        words = with_remedy(report.reason, first.remedy if first else "")
        send_notice(connection, report.version, now_ms, "did not pass its check", words)
        bench_all(connection, report.version, now_ms, report.reason)
    return True


def plays_on(connection: sa.Connection, kind: str, version: int) -> bool:
    """Whether a version is checked again while it plays."""
    return kind == CHECK and is_active(connection, version)


def bench_all(connection: sa.Connection, version: int, now_ms: int, reason: str) -> None:
    """Benches the entries of a version that has ceased to be fit: only what is fit plays."""
    row = owned(connection, version)
    link = f"/bots/{row.bot}/versions/{row.number}"
    playing = sa.select(ENTRY.c.id).where(ENTRY.c.version == version, ENTRY.c.state.in_((SETTLING, ACTIVE)))
    for entry in connection.scalars(playing.order_by(ENTRY.c.ladder)).all():
        bench(connection, entry, f"it did not pass its check: {reason}", link, now_ms)


def welcome(connection: sa.Connection, version: int, now_ms: int) -> None:
    """Activates a version that has become fit, if its owner wants that, and tells them."""
    row = version_row(connection, version)
    if not row.activate:
        if not is_active(connection, version):  # else it was checked again, and nothing has changed
            send_notice(connection, version, now_ms, "is fit to play", "Activate it on its page to have it play.")
        return
    try:
        with connection.begin_nested():
            activate(connection, version, now_ms)
    except Refusal as refusal:
        send_notice(connection, version, now_ms, "is fit, but was not activated", str(refusal))
    else:
        send_notice(connection, version, now_ms, "is fit and plays from now on", "")


def with_remedy(reason: str, remedy: str) -> str:
    return f"{reason}\n{remedy[:1].upper()}{remedy[1:]}".strip()


def tell(connection: sa.Connection, version: int, state: str, now_ms: int, **body: Any) -> None:
    """Notes an event for the owner of a version: others hear of a version when it plays."""
    row = owned(connection, version)
    note_event(
        connection, now_ms, f"version.{state}", f"bot/{row.bot}", concerns=row.owner, version=version,
        number=row.number, **body,
    )  # fmt: skip


def send_notice(connection: sa.Connection, version: int, now_ms: int, what: str, body: str) -> None:
    """Leaves a notice for the owner of a version."""
    row = owned(connection, version)
    title, link = f"{row.name} {row.number} {what}", f"/bots/{row.bot}/versions/{row.number}"
    if row.owner is None:  # handed in for somebody without an account: the contest's page says how it stands
        return
    notify(connection, row.owner, title, body, now_ms, link=link)


@dataclass(frozen=True, slots=True)
class OwnedVersion:
    """Whose a version is, and what they call it."""

    bot: int
    name: str
    number: int
    owner: int | None


def owned(connection: sa.Connection, version: int) -> OwnedVersion:
    found = sa.select(BOT.c.id, BOT.c.name, VERSION.c.number, BOT.c.owner).join(VERSION, BOT.c.id == VERSION.c.bot)
    return OwnedVersion(*connection.execute(found.where(VERSION.c.id == version)).one())
