"""This module makes the ladder's choice: what is to be asked next, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from botyard.rank.formats.bouts import bouts_of
from botyard.rank.ladder.field import LadderField
from botyard.rank.ladder.guests import choose_guests
from botyard.rank.ladder.hosts import Host, NoPair, choose_host
from botyard.rank.ladder.policy import LadderPolicy
from botyard.rank.ladder.records import Encounter, EntryState, LadderEntry, NextPair, TaskClass
from botyard.rank.ladder.seating import seat_order, seat_taken
from botyard.rank.ratings import Rating

EncountersOf: TypeAlias = Callable[[LadderEntry], Mapping[str, Encounter]]
"""Gives the encounters of an entry's version, by the other version. It is called once, for the host alone."""


def choose(
    field: LadderField, encounters_of: EncountersOf, now_ms: int, stream: int, task_class: TaskClass | None = None
) -> NextPair | NoPair:
    """Returns what is to be asked next: a function of its arguments and nothing else.

    A class may be named, SETTLING or STEADY, if only a pair of that class is wanted.
    """
    host = choose_host(field, now_ms, task_class)
    if isinstance(host, NoPair):
        return host
    return invite(field, host, encounters_of(host.entry), now_ms, stream)


def invite(field: LadderField, host: Host, encounters: Mapping[str, Encounter], now_ms: int, stream: int) -> NextPair:
    """Returns the pair or table of a host."""
    guests, reasons, stream = choose_guests(field, host.entry, encounters, now_ms, stream)
    match = match_name(host.entry, guests, encounters)
    if len(guests) == 1:
        pairings = bouts_of((host.entry.bot, guests[0].bot), match, 1, "same_seed")
    else:
        seated, stream = seat_order((host.entry, *guests), stream)
        pairings = bouts_of([entry.bot for entry in seated], match, 1, "none")
    return NextPair(host.entry, tuple(guests), tuple(pairings), host.task_class, host.why, tuple(reasons), stream)


def match_name(host: LadderEntry, guests: list[LadderEntry], encounters: Mapping[str, Encounter]) -> str:
    """Returns a name that no other pair or table of the ladder has, and from which its seed follows.

    It consists of the versions and a number that grows with every meeting of the host and these guests, so it depends
    on no other bot of the ladder.
    """
    versions = sorted(guest.version for guest in guests)
    meeting = 1 + sum(encounters[version].pairs for version in versions if version in encounters)
    return f"{'+'.join((host.version, *versions))}/{meeting}"


def asked(pair: NextPair, now_ms: int) -> list[LadderEntry]:
    """Returns the entries of a pair after it was asked."""
    order = pair.pairings[0].bots
    several = len(order) > 2  # two sit in both seats in every pair
    after = []
    for entry in pair.entries:
        hosted_ms = now_ms if entry is pair.host else entry.hosted_ms
        seated = seat_taken(entry, order.index(entry.bot), len(order)) if several else entry.seated
        change = replace(entry, in_flight=entry.in_flight + 1, asked_ms=now_ms, hosted_ms=hosted_ms, seated=seated)
        after.append(change)
    return after


def closed(entry: LadderEntry, rating: Rating, policy: LadderPolicy, *, own_version: bool = True) -> LadderEntry:
    """Returns an entry after a pair of it was closed with this rating.

    The pair may have been asked with an earlier version; `own_version` is false then.
    """
    entry = voided(entry)
    version_pairs = entry.version_pairs + own_version
    settled = entry.state is EntryState.SETTLING and version_pairs >= policy.settling_pairs
    return replace(
        entry,
        state=EntryState.ACTIVE if settled else entry.state,
        mu=rating.mu,
        sigma=rating.sigma,
        games=rating.games,
        pairs=entry.pairs + 1,
        version_pairs=version_pairs,
    )


def voided(entry: LadderEntry) -> LadderEntry:
    """Returns an entry after a pair of it was cancelled or stayed void, which counts for nothing."""
    return replace(entry, in_flight=max(0, entry.in_flight - 1))


def with_version(
    entry: LadderEntry, version: str, rating: Rating, version_pairs: int, policy: LadderPolicy
) -> LadderEntry:
    """Returns an entry whose active version has become this one, with the rating that `activated` gave.

    It settles, unless the version has closed enough pairs before. A benched or retired entry plays again.
    """
    state = EntryState.ACTIVE if version_pairs >= policy.settling_pairs else EntryState.SETTLING
    return replace(entry, version=version, state=state, mu=rating.mu, sigma=rating.sigma, version_pairs=version_pairs)
