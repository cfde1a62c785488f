"""Whoever starts a site as root becomes the user whom its folder belongs to, at once and for good.

So neither the pages nor the workers have root's rights, and files in the folder never get two owners. A folder of
root's own is served by root.
"""

from __future__ import annotations

import os
import pwd
import sys
from pathlib import Path

from botyard.kernel.errors import YardError

OF_ROOT = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SUDO_USER", "MAIL")


def become_owner(folder: Path) -> bool:
    """As root, becomes the owner of a folder that is there and is not root's; returns whether it did."""
    if os.geteuid() != 0 or not folder.exists():
        return False
    about = folder.stat()
    if about.st_uid == 0:
        return False
    try:
        owner = pwd.getpwuid(about.st_uid)
        name, group, home = owner.pw_name, owner.pw_gid, owner.pw_dir
    except KeyError:  # a number that no user has will do
        name, group, home = str(about.st_uid), about.st_gid, str(folder.resolve())
    os.setgroups(os.getgrouplist(name, group) if not name.isdigit() else [group])
    os.setresgid(group, group, group)
    os.setresuid(about.st_uid, about.st_uid, about.st_uid)
    for key in OF_ROOT:
        os.environ.pop(key, None)
    os.environ.update({"HOME": home, "USER": name, "LOGNAME": name})
    check_readable(name)
    return True


def check_readable(name: str) -> None:
    """Refuses to go on as a user who cannot read what is to be run."""
    for path in (Path(sys.executable), Path(__file__)):
        if not os.access(path, os.R_OK):
            hint = (
                f"install Botyard where that user can read it, or serve a folder of root's own; {path} cannot be read"
            )
            raise YardError(f"the folder belongs to {name}, who cannot run this Botyard", hint=hint)
