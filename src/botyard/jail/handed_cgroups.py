"""Root hands control groups on to the user whom a site becomes, as systemd does for a service with `Delegate=yes`.

The groups lie inside our own, so whatever limits us limits the site. That user may make groups inside them and enter
these, which is all that `cgroups.py` needs; the limits of the groups themselves stay root's.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from botyard.jail.cgroups import CONTROLLERS, PREFIX, cgroup_parents, make_hand_on, own_cgroups, unified_parent

ENTERED = ("tasks", "cgroup.procs", "cgroup.threads", "cgroup.subtree_control")  # what whoever divides a group writes
SITE, SERVER = "-site", "server"


def make_site_groups(user: int, group: int) -> list[Path]:
    """Makes groups that belong to a user. Returns them; none where none can be made."""
    made: list[Path] = []
    for parent in site_parents():
        sweep_sites(parent)
        folder = parent / f"{PREFIX}{os.getpid()}{SITE}"
        with contextlib.suppress(OSError):
            folder.mkdir()
            made.append(folder)
            give_group(folder, user, group)
    return made


def site_parents() -> list[Path]:
    """Where the groups of a site are made. Of version 2 that is our own, if we are alone in it: a service stays where
    systemd has put it."""
    parents = cgroup_parents()
    if "" not in parents:
        return list(parents.values())
    own = own_cgroups()[""]
    parent = own if make_hand_on(own) else unified_parent(own)
    return [parent] if parent else []


def enter_site_groups(folders: Iterable[Path], user: int, group: int) -> None:
    """Moves this process into the groups of a site; under version 2 into a group below, because who hands resources on
    may have no processes."""
    for folder in folders:
        with contextlib.suppress(OSError):
            place = folder
            if (folder / "memory.max").exists():
                (folder / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in CONTROLLERS))
                place = folder / SERVER
                place.mkdir()
                give_group(place, user, group)
            (place / "cgroup.procs").write_text(str(os.getpid()))
    cgroup_parents.cache_clear()  # we have moved


def give_group(folder: Path, user: int, group: int) -> None:
    for path in (folder, *(folder / name for name in ENTERED)):
        with contextlib.suppress(FileNotFoundError):
            os.chown(path, user, group)


def sweep_sites(parent: Path) -> None:
    """Removes what a site has left whose warden was killed, too."""
    for folder in parent.glob(f"{PREFIX}*{SITE}"):
        if not Path("/proc", folder.name.removeprefix(PREFIX).removesuffix(SITE)).exists():
            for where, _, _ in os.walk(folder, topdown=False):
                with contextlib.suppress(OSError):
                    Path(where).rmdir()
