"""Not every level works on every machine: this module finds out which do, and what it takes for the others."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from botyard.jail.cage import SETPRIV
from botyard.jail.cgroups import cgroup_parents
from botyard.jail.limits import Level
from botyard.jail.seccomp import MACHINES
from botyard.jail.uids import can_change_user
from botyard.jail.warden import bots_have_users
from botyard.kernel.errors import YardError

LIMITED_MEANS = (
    "a limited bot has a user and limits of its own, but can read every file that all users can read, use the network "
    "and make any system call"
)
APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
USERNS = Path("/proc/sys/user/max_user_namespaces")


@cache
def obstacle(level: Level) -> str:
    """Why a level does not work here and what to do about it; nothing if it does."""
    if level is Level.OPEN:
        return ""
    if level is Level.LIMITED:
        return "" if can_change_user() else "only root can start a bot as another user"
    if os.uname().machine not in MACHINES:
        return f"Botyard has no system call filter for {os.uname().machine} processors"
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        return "bubblewrap is not installed: install the package bubblewrap"
    if bots_have_users() and not SETPRIV.exists():
        return f"{SETPRIV} is not installed: install the package util-linux"
    return namespaces_refused(bwrap)


def namespaces_refused(bwrap: str) -> str:
    """What bubblewrap says when it tries, with the switch that most likely forbids it."""
    command = [
        bwrap,
        "--unshare-user",
        "--unshare-pid",
        "--unshare-net",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "true",
    ]
    tried = subprocess.run(command, env={"PATH": os.defpath}, capture_output=True, text=True, check=False)
    if tried.returncode == 0:
        return ""
    remedy = ""
    with contextlib.suppress(OSError):
        if USERNS.read_text().strip() == "0":
            remedy = "; set user.max_user_namespaces above 0 (sysctl)"
    with contextlib.suppress(OSError):
        if APPARMOR.read_text().strip() == "1":
            remedy = (
                "; AppArmor restricts user namespaces: set kernel.apparmor_restrict_unprivileged_userns to 0 (sysctl)"
            )
    return f"bubblewrap fails here: {tried.stderr.strip()[:200]}{remedy}"


@cache
def strictest() -> Level:
    """The level bots are held at if nobody says otherwise: caged, or an error that says what can be done."""
    trouble = obstacle(Level.CAGED)
    if not trouble:
        return Level.CAGED
    hint = 'or trust them all: --open, or level = "open" in [cage] of a contest file'
    if not obstacle(Level.LIMITED):
        hint = f'{LIMITED_MEANS}; if that is enough, use --limited (in a contest file level = "limited"), {hint}'
    raise YardError(f"bots cannot be caged here: {trouble}", hint=hint)


def cgroup_version() -> str:
    """Which resources of a bot and its children are counted together here; nothing if none are."""
    parents = cgroup_parents()
    if not parents:
        return ""
    return "version 2" if "" in parents else f"version 1: {', '.join(sorted(parents))}"


def holding() -> str:
    """How programs are held here, for those who want to know before they let strangers in."""
    own = [*(["a user"] if bots_have_users() else []), *(["a control group"] if cgroup_parents() else [])]
    each = f"and each has {' and '.join(own)} of its own" if own else "and nothing else keeps them apart"
    return f"bots are caged, {each}"
