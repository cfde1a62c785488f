"""This module chooses who hosts the next pair: settling entries first, then whoever has waited longest for its sigma.

An entry's wait counts from the moment its last pair was asked, as host or as guest, so that entries which are often
invited host less, and all play about equally often.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from botyard.kernel.words import counted
from botyard.rank.ladder.field import Floats, LadderField, Mask, Whole
from botyard.rank.ladder.policy import UNSURE_LEAST, UNSURE_MOST
from botyard.rank.ladder.records import LadderEntry, TaskClass
from botyard.rank.ladder.words import waited


@dataclass(frozen=True, slots=True)
class Host:
    """The entry that is to host, for which class of task, and why."""

    entry: LadderEntry
    task_class: TaskClass
    why: str


@dataclass(frozen=True, slots=True)
class NoPair:
    """No pair is to be asked now: why, and from when on it is worth asking again if nothing else happens."""

    why: str
    again_ms: int | None = None
    stays: bool = False  # whether nobody could host either if pairs in flight were closed


def choose_host(field: LadderField, now_ms: int, task_class: TaskClass | None = None) -> Host | NoPair:
    """Returns who hosts next; if a class is named, SETTLING or STEADY, then among the hosts of that class."""
    settling, steady = hosts_by_class(field, now_ms)
    if settling.any() and task_class in (None, TaskClass.SETTLING):
        return settling_host(field, settling, now_ms)
    if steady.any() and task_class in (None, TaskClass.STEADY):
        return steady_host(field, steady, now_ms)
    return no_host(field, now_ms, task_class)


def hosts_waiting(field: LadderField, now_ms: int) -> dict[TaskClass, int]:
    """Returns how many entries could host now, by the class of the pair."""
    settling, steady = hosts_by_class(field, now_ms)
    return {TaskClass.SETTLING: int(settling.sum()), TaskClass.STEADY: int(steady.sum())}


def hosts_by_class(field: LadderField, now_ms: int) -> tuple[Mask, Mask]:
    """Returns which rows may host a settling pair, and which a steady one."""
    free = may_host(field, now_ms) & (field.in_flight < field.policy.in_flight)
    # Pairs in flight count as played here: a settling entry is not asked for more than it needs.
    short = settles(field, field.version_pairs + field.in_flight)
    return free & short, free & ~short


def may_host(field: LadderField, now_ms: int) -> Mask:
    """Returns which rows may host, as far as pairs in flight are not in the way."""
    if not field.can_play:
        return np.zeros_like(field.plays)
    if not field.house_hosts or house_pause_ends(field) > now_ms:
        return field.plays & ~field.house
    return field.plays.copy()


def settles(field: LadderField, pairs: Whole) -> Mask:
    """Returns which rows need further pairs to settle if they have had so many."""
    return field.settling & ~field.house & (pairs < field.policy.settling_pairs)


def house_pause_ends(field: LadderField) -> int:
    """Returns when a house bot may host again, on behalf of all."""
    hosted = [entry.hosted_ms for entry in field.entries if entry.house and entry.hosted_ms is not None]
    return max(hosted) + 1000 * field.policy.house_pause_s if hosted else 0


def settling_host(field: LadderField, hosts: Mask, now_ms: int) -> Host:
    row = int(np.argmax(np.where(hosts, now_ms - field.asked_ms, -np.inf)))
    entry = field.entries[row]
    why = f"settling: {entry.version_pairs} of {counted(field.policy.settling_pairs, 'pair')} played"
    return Host(entry, TaskClass.SETTLING, why)


def steady_host(field: LadderField, hosts: Mask, now_ms: int) -> Host:
    waits = (now_ms - field.asked_ms).astype(np.float64)
    typical = float(np.median(field.variance[field.plays]))
    unsure: Floats = np.clip(field.variance / typical, UNSURE_LEAST, UNSURE_MOST)
    # A wait of nothing still tells unsure entries from others, and a clock that went back does no harm.
    urgency = np.maximum(waits, 1.0) * unsure * field.moderation()
    row = int(np.argmax(np.where(hosts, urgency, -np.inf)))
    entry, why = field.entries[row], f"not asked for {waited(int(waits[row]))}"
    if waits[row] >= waits[hosts].max():
        return Host(entry, TaskClass.STEADY, f"{why}, longest of {int(hosts.sum())}")
    surer = f"who has waited longer is rated more surely than by sigma {entry.sigma:.1f}, or costs more time"
    return Host(entry, TaskClass.STEADY, f"{why}; {surer}")


def no_host(field: LadderField, now_ms: int, task_class: TaskClass | None) -> NoPair:
    """Returns why nobody can host."""
    if not field.can_play:
        there = counted(field.owners_playing, "owner")
        return NoPair(f"a table needs bots of {field.policy.seats} owners, and those that play belong to {there}")
    able = may_host(field, now_ms)
    if task_class is TaskClass.SETTLING:
        stays = not (able & settles(field, field.version_pairs)).any()
        return NoPair("no entry is settling that could play another pair now", stays=stays)
    again = house_pause_ends(field)
    if field.house_hosts and again > now_ms:
        pause = f"house bots host a pair every {field.policy.house_pause_s} s"
        return NoPair(f"{pause} while fewer than {field.policy.house_hosts_until} players' bots are active", again)
    steady = able & ~settles(field, field.version_pairs + field.in_flight)
    stays = task_class is TaskClass.STEADY and not steady.any()
    return NoPair(f"every entry that may host has {field.policy.in_flight} pairs in flight", stays=stays)
