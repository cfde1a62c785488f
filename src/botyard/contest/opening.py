"""This module opens the store of a contest: a new one, or the one that it began with, if the contest may go on."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from botyard.contest.amendment import Amendment, BotChanges, amendment_of, described
from botyard.contest.identity import differences
from botyard.contest.plan import STORE_SUFFIX, Plan
from botyard.contest.plan_json import plan_values, read_plan_values
from botyard.contest.reading import read_plan
from botyard.contest.roots import fresh_root
from botyard.contest.store_file import StoreFile
from botyard.kernel.errors import BadRecord, YardError

Agree = Callable[[Amendment], bool]


def open_store(plan: Plan, *, anew: bool) -> StoreFile:
    """Returns a fresh store for a contest, or the one that it began with, if its rules are unchanged."""
    path = plan.store_path
    if anew and path.exists():
        remove_store(path)
    if not path.exists():
        root = fresh_root() if plan.root is None else plan.root
        return StoreFile.create(path, plan.identity, root, plan_values(plan))
    store = StoreFile.open(path)
    different = differences(store.identity.rules, plan.identity.rules)
    if different:
        store.close()
        raise BadRecord(
            f"{plan.path.name} was edited after the contest began",
            hint="\n       ".join([*different, "undo that, or begin again with --anew (the games so far are lost)"]),
        )
    return store


def remove_store(path: Path) -> None:
    """Removes the store of a contest, even a damaged one, unless somebody runs the contest."""
    with contextlib.suppress(BadRecord), StoreFile.open(path) as store:
        store.hold()
    StoreFile.remove(path)


def played_plan(store: StoreFile, path: Path) -> Plan:
    """Returns the plan by which a contest was last played, whatever its file says now."""
    return read_plan_values(store.plan_values, path, store.name)


def amended(plan: Plan, store: StoreFile, agree: Agree) -> Plan:
    """Returns the plan to go on with. If the bots have changed, the store is amended, provided that somebody agrees."""
    played = played_plan(store, plan.path)
    amendment = amendment_of(played, store.identity, plan, store.rows())
    if amendment is None:
        going_on = continued(played, plan)
        store.restate(plan_values(going_on))
        return going_on
    if not agree(amendment):
        raise YardError("the bots have changed, and nothing was played", hint="undo the changes, or agree with --yes")
    store.amend(amendment, plan_values(amendment.plan))
    return amendment.plan


def continued(played: Plan, plan: Plan) -> Plan:
    """Returns the plan to go on with if the bots are the same: title, names and conduct are as the file says now."""
    return replace(plan, bots={**played.bots, **plan.bots}, rosters=played.rosters)


def is_restated(plan: Plan, store: StoreFile) -> bool:
    """Whether the file says anything else than what was played by, be it only the name of a bot."""
    now = plan_values(continued(played_plan(store, plan.path), plan))
    return json.dumps(now) != json.dumps(store.plan_values)


def pending_amendment(plan: Plan) -> Amendment | None:
    """Returns what a run would amend; None if the contest has not begun, or its bots are the same."""
    if not plan.store_path.exists():
        return None
    with open_store(plan, anew=False) as store:
        return amendment_of(played_plan(store, plan.path), store.identity, plan, store.rows())


@dataclass(frozen=True, slots=True)
class PlayedContest:
    """A contest as it was played, for those who only look at it."""

    plan: Plan
    store: StoreFile
    differs: tuple[str, ...]  # what the contest file and the bots say otherwise now, a line each


@contextlib.contextmanager
def open_played(path: Path) -> Iterator[PlayedContest]:
    """Opens a contest to look at what was played, even if its file was edited or is gone."""
    path = path.resolve()
    with StoreFile.open(path.with_suffix(STORE_SUFFIX)) as store:
        yield PlayedContest(played_plan(store, path), store, tuple(differences_now(store, path)))


def differences_now(store: StoreFile, path: Path) -> Iterator[str]:
    try:
        now = read_plan(path).identity
    except YardError as error:
        yield str(error)
        return
    yield from differences(store.identity.rules, now.rules)
    yield from described(BotChanges.between(store.identity.bots, now.bots))
