"""Whoever works on a site as root does so as the user whom its folder belongs to.

Commands become that user at once and for good. A server does so, too, but leaves a warden behind, which keeps two of
root's rights to give every bot a user of its own, and takes control groups along. A folder of root's own is given to a
user first: `botyard` if there is one, else a number that no user has. So neither pages nor workers have root's rights,
and files in the folder never get two owners. Where that user could run nothing, as with a Botyard in root's home, root
serves its own folder itself and is told so: a site that does not start helps nobody.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import botyard
from botyard.kernel.errors import OurFault, YardError

OF_ROOT = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "SUDO_USER", "MAIL")
NAMED = "botyard"
MARKS = ("yard.toml", "yard.db")  # what lies in the folder of a site
OTHERS_WRITE = 0o022


class OutOfReach(YardError):
    """The site's user cannot get at what serving takes."""


class Leaving(NamedTuple):
    """What became of root's rights at a start."""

    folder: Path  # as whoever serves finds it
    kept: str = ""  # why root serves itself, if it does


class SiteUser(NamedTuple):
    """Whom a site is served by."""

    name: str
    number: int
    group: int
    groups: tuple[int, ...]
    home: str


def become_owner(folder: Path) -> bool:
    """As root, becomes the owner of a folder that is there and is not root's; returns whether it did."""
    if os.geteuid() != 0 or not folder.exists() or folder.stat().st_uid == 0:
        return False
    become(owner_of(folder))
    return True


def leave_root(folder: Path, stays: bool = False) -> Leaving:
    """As root, has the site's user serve from here on, with a warden beside; with `stays`, root serves root's folder.

    Whatever speaks against it is told before anything is changed.
    """
    if os.geteuid() != 0:
        return Leaving(folder)
    from botyard.jail.warden import leave_warden

    roots = not folder.exists() or folder.stat().st_uid == 0
    if stays:
        if not roots:
            raise YardError(f"{folder} belongs to {owner_of(folder).name}, who serves it", hint="leave out --as-root")
        return Leaving(folder, "--as-root was said; leave it out, and they have those of another user")
    folder = folder.resolve()
    user = site_user(folder) if roots else owner_of(folder)
    try:
        check_site_user(user, folder)
    except OutOfReach as error:
        if not roots:
            raise
        return Leaving(folder, f"{error.message}; {error.hint}")
    if roots:
        check_roots_folder(folder)
        give_folder(folder, user)
    try:
        leave_warden(user.number, user.group)
    except OurFault as error:
        raise YardError(f"bots cannot be given users of their own: {error}") from None
    become(user)
    if not os.access(".", os.X_OK):  # workers begin where we are
        os.chdir(folder)
    return Leaving(folder)


def owner_of(folder: Path) -> SiteUser:
    about = folder.stat()
    return user_numbered(about.st_uid, about.st_gid, folder)


def site_user(folder: Path) -> SiteUser:
    """Whom a folder of root's own is given to."""
    from botyard.jail.uids import SITE_USER

    try:
        number = pwd.getpwnam(NAMED).pw_uid
    except KeyError:
        number = SITE_USER
    return user_numbered(number, number, folder)


def user_numbered(number: int, group: int, folder: Path) -> SiteUser:
    """A user by number. Who has no home of his own keeps in the site's folder what a home is for."""
    try:
        found = pwd.getpwuid(number)
    except KeyError:  # a number that no user has will do
        return SiteUser(str(number), number, group, (group,), str(folder.resolve()))
    home, groups = Path(found.pw_dir), tuple(os.getgrouplist(found.pw_name, found.pw_gid))
    has_home = home.is_dir() and home.stat().st_uid == number
    return SiteUser(found.pw_name, number, found.pw_gid, groups, str(home if has_home else folder.resolve()))


def become(user: SiteUser) -> None:
    from botyard.jail.uids import can_change_user

    os.setgroups(user.groups)
    os.setresgid(user.group, user.group, user.group)
    os.setresuid(user.number, user.number, user.number)
    can_change_user.cache_clear()  # no longer
    for key in OF_ROOT:
        os.environ.pop(key, None)
    os.environ.update({"HOME": user.home, "USER": user.name, "LOGNAME": user.name})
    check_readable(user.name)


@contextlib.contextmanager
def looking_as(user: SiteUser) -> Iterator[None]:
    """While inside, files are found as this user finds them."""
    groups, group = os.getgroups(), os.getegid()
    os.setgroups(user.groups)
    os.setegid(user.group)
    os.seteuid(user.number)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def check_readable(name: str) -> None:
    """Refuses to go on as a user who cannot read what is to be run."""
    for path in (Path(sys.executable), Path(__file__)):
        if not os.access(path, os.R_OK, effective_ids=True):
            hint = f"install Botyard where that user can read it, as in /opt; {path} cannot be read"
            raise OutOfReach(f"user {name}, who should serve the site, cannot run this Botyard", hint=hint)


def check_site_user(user: SiteUser, folder: Path) -> None:
    """Refuses a user who cannot run Botyard or reach the folder, or who could change what root runs at a start."""
    above, run = next(path for path in folder.parents if path.is_dir()), run_by_root()
    with looking_as(user):
        check_readable(user.name)
        if not os.access(above, os.X_OK, effective_ids=True):
            hint = "put the site where everybody may go, as in /srv"
            raise OutOfReach(f"user {user.name}, who should serve the site, cannot reach {folder}", hint=hint)
        for path in run:
            if os.access(path, os.W_OK, effective_ids=True) and not path.stat().st_mode & stat.S_ISVTX:  # as /tmp has
                hint = f"start it as {user.name}, or install Botyard where only root can write"
                raise YardError(f"root would run what {user.name}, who serves the site, can change: {path}", hint=hint)


def run_by_root() -> set[Path]:
    """The files and folders that decide what root runs when it starts a site."""
    begun = {Path(sys.executable), Path(botyard.__file__).parent, *(Path(path) for path in sys.path if path)}
    lying = {path.resolve() for path in begun if path.exists()}
    return lying | {above for path in lying for above in path.parents}


def check_roots_folder(folder: Path) -> None:
    """Refuses to give a folder of root's away that is no site's, or in which others could have put something."""
    if not folder.exists():
        return
    if any(folder.iterdir()) and not any((folder / mark).exists() for mark in MARKS):
        hint = "name a new folder for it"
        raise YardError(f"{folder} belongs to root and holds other things than a site", hint=hint)
    if folder.stat().st_mode & OTHERS_WRITE:
        raise YardError(f"others than root can write to {folder}", hint=f"chmod go-w {folder}")


def give_folder(folder: Path, user: SiteUser) -> None:
    """Gives a folder of root's with all that lies there to the site's user. No link in it is followed."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(where, name), user.number, user.group, follow_symlinks=False)
    os.chown(folder, user.number, user.group)


def user_name() -> str:
    """Who we are, in a word or two."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"user {os.geteuid()}"
