"""What comes of a lease is recorded here, exactly once.

One UPDATE that names the lease's fence decides (`end_task`, `give_back`); all that follows from it happens in the same
transaction. If the lease is over, nothing changes, and that is noted.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import sqlalchemy as sa

from botyard.contest.messages import GameReport
from botyard.kernel.verdict import Verdict
from botyard.yard.bots.outcomes import record_begun, record_build, record_check, record_given_up, record_lost
from botyard.yard.data.blobs import Blobs
from botyard.yard.data.events import note_event
from botyard.yard.data.statements import change_each, change_rows
from botyard.yard.data.tables import BUILD, CANCELLED, DONE, FAILED, LEASED, MATCH, SEAT, TASK, VOID
from botyard.yard.ladders.closing import close_those_over
from botyard.yard.ladders.pairs import ask_match_again, begin_match, begin_matches
from botyard.yard.work.building import BuildReport
from botyard.yard.work.checking import CheckReport
from botyard.yard.work.matches import place_name
from botyard.yard.work.tasks import (
    FAILURE,
    Fence,
    Lease,
    cancel_task,
    end_task,
    end_tasks,
    give_back,
    lease_task,
    lease_tasks,
    note_fault,
)
from botyard.yard.work.verifying import PlayedMatch

TOO_LATE = "its report came when the lease was over"


class Overtaken(Exception):
    """Somebody else was faster: the transaction is rolled back, and nothing has happened."""


def begin(
    connection: sa.Connection, task: sa.Row[Any], fence: Fence, worker: str, until_ms: int, now_ms: int
) -> Lease | None:
    """Leases a waiting task to a worker; None if what it is about has gone meanwhile, and then it is cancelled."""
    if task.match is not None:
        may = begin_match(connection, task.match, worker, now_ms)
    else:
        may = record_begun(connection, task.kind, task.version, now_ms)
    if not may:
        cancel_task(connection, task.id, "it is not wanted any more", now_ms)
        return None
    lease = lease_task(connection, task.id, fence, worker, until_ms, now_ms)
    if lease is None:
        raise Overtaken
    return lease


def begin_together(
    connection: sa.Connection, tasks: Sequence[Any], fence: Fence, workers: Sequence[str], until_ms: int, now_ms: int
) -> list[Lease]:
    """Leases waiting tasks of matches, each to its worker, as `begin` does; raises `Overtaken` if one is not to be had,
    and then it has to be seen one by one what became of them."""
    if any(task.match is None for task in tasks) or not begin_matches(connection, tasks, workers, now_ms):
        raise Overtaken
    leases = lease_tasks(connection, tasks, fence, workers, until_ms, now_ms)
    if leases is None:
        raise Overtaken
    return leases


def record_failure(
    connection: sa.Connection, lease: Lease, reason: str, now_ms: int, *, how: str = FAILURE
) -> str | None:
    """Records that an attempt failed by a fault of ours; returns what became of the task, None if the lease is over."""
    state = give_back(connection, lease, reason, now_ms, how=how)
    if state is None:
        note_late(connection, lease, now_ms)
    elif lease.match is not None:
        record_lost_match(connection, lease.match, reason, state == FAILED, now_ms)
    elif lease.version is not None:
        told = record_given_up if state == FAILED else record_lost
        told(connection, lease.kind, lease.version, now_ms, reason)
    return state


def record_lost_match(connection: sa.Connection, match: int, reason: str, given_up: bool, now_ms: int) -> None:
    if not given_up:
        ask_match_again(connection, match)
        return
    voided = change_rows(connection, MATCH, {"id": match, "state": LEASED}, {"state": VOID, "reason": reason})
    assert voided == 1, "a match is leased as long as its task is"
    close_those_over(connection, [match], now_ms)


def note_late(connection: sa.Connection, lease: Lease, now_ms: int) -> None:
    """Notes that a worker reported when its lease was over. If somebody has cancelled the task, that is no fault."""
    state = connection.execute(sa.select(TASK.c.state).where(TASK.c.id == lease.task)).scalar_one()
    if state == CANCELLED:
        note_event(connection, now_ms, "task.late", f"task/{lease.task}", worker=lease.worker, reason=TOO_LATE)
    else:
        note_fault(connection, lease, TOO_LATE, now_ms)


def record_tried(
    connection: sa.Connection, blobs: Blobs, lease: Lease, report: BuildReport | CheckReport, now_ms: int
) -> bool:
    """Records what came of a build or a check; returns whether it counts."""
    if not end_task(connection, lease, now_ms):
        note_late(connection, lease, now_ms)
        return False
    if isinstance(report, BuildReport):
        assert lease.kind == BUILD, "a report comes of the work that was asked for"
        record_build(connection, blobs, report, now_ms)
    else:
        record_check(connection, blobs, report, now_ms)
    return True


def record_match(connection: sa.Connection, blobs: Blobs, lease: Lease, played: PlayedMatch, now_ms: int) -> bool:
    """Records a match that was played and verified; returns whether it counts."""
    [counts] = record_matches(connection, blobs, [(lease, played)], now_ms)
    return counts


def record_matches(
    connection: sa.Connection, blobs: Blobs, reported: Sequence[tuple[Lease, PlayedMatch]], now_ms: int
) -> list[bool]:
    """Records matches that were played and verified, in this order; returns which of them count.

    A statement for all of them takes hardly longer than a statement for one.
    """
    ended = end_tasks(connection, [lease for lease, _ in reported], now_ms)
    for lease, _ in reported:
        if lease.fence not in ended:
            note_late(connection, lease, now_ms)
    counted = [(lease, played) for lease, played in reported if lease.fence in ended]
    if counted:
        record_counted(connection, blobs, counted, now_ms)
    return [lease.fence in ended for lease, _ in reported]


def record_counted(
    connection: sa.Connection, blobs: Blobs, counted: Sequence[tuple[Lease, PlayedMatch]], now_ms: int
) -> None:
    """Records matches whose tasks have just ended."""
    contents = [kept for _, played in counted for kept in (played.report.replay, played.report.turn_log) if kept]
    digests = dict(zip(contents, blobs.keep_all(connection, contents, now_ms), strict=True))
    matches: list[tuple[dict[str, Any], dict[str, Any]]] = []
    seats: list[tuple[dict[str, Any], dict[str, Any]]] = []
    for lease, played in counted:
        report, places = played.report, len(played.replay.entrants)
        assert report.replay, "it was verified"
        values = {
            "state": DONE,
            "result": report.result,
            "ticks": report.ticks,
            "replay": digests[report.replay],
            "turns": digests[report.turn_log] if report.turn_log else None,
            "figures": json.dumps(figures_of(report, places), sort_keys=True),
            "orders_hash": played.orders_hash,
            "done_ms": now_ms,
        }
        matches.append(({"id": lease.match, "state": LEASED}, values))
        seats += [({"match": lease.match, "place": at}, seat_values(at, played)) for at in range(1, places + 1)]
    changed = change_each(connection, MATCH, matches)
    assert changed == len(matches), "a match is leased as long as its task is"
    change_each(connection, SEAT, seats)
    close_those_over(connection, [found["id"] for found, _ in matches], now_ms)


def seat_values(place: int, played: PlayedMatch) -> dict[str, Any]:
    """Returns what a seat's row holds of a match that was played."""
    player, result = place_name(place), played.result
    counts = (played.report.verdicts or {}).get(player, {})
    turns = sum(counts.values())
    return {
        "rank": result.place(player),
        "score": result.score(player) if result.scores else None,
        "forfeited": int(player in result.forfeits),
        "turns": turns,
        "lost_turns": turns - counts.get(str(Verdict.OK), 0),
    }


def figures_of(report: GameReport, seats: int) -> dict[str, Any]:
    """Returns what is kept of a match in numbers: by place, and of the machine it was played on."""
    figures: dict[str, Any] = {"jitter": report.jitter and asdict(report.jitter)}
    if report.note is not None:  # for the files that the game's original wrote of a contest
        figures["note"] = report.note
    for place in range(1, seats + 1):
        player = place_name(place)
        lost = (report.lost or {}).get(player, {})
        figures[str(place)] = {
            "verdicts": (report.verdicts or {}).get(player, {}),
            "timing": (report.timing or {}).get(player, (0, 0.0, 0.0)),
            "cage": (report.cages or {}).get(player, (None, None)),
            "lost": {verdict: asdict(turns) for verdict, turns in lost.items()},
        }
    return figures
