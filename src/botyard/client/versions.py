"""A version of a bot on a site: how it is packed and sent, and how its build and check are followed."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from botyard.client.site import Sent, Site
from botyard.kernel.errors import YardError

IN_MEMORY = 8 << 20
LARGEST = 64 << 20  # no site takes more than 8 MiB, unless its organiser says so
LOG_MAX = 8 << 20
LOOK_S = 1.0
UNFINISHED = ("uploaded", "building", "built", "checking")
FIT = "fit"


@contextmanager
def packed_upload(path: Path) -> Iterator[Sent]:
    """Gives what is sent for a bot: a folder as one archive without what is no part of a bot, a file as it is."""
    from botyard.jail.canonical import pack_bot

    if not path.exists():
        raise YardError(f"there is no {path}", hint="name the folder of your bot, a file, or an archive")
    name = path.resolve().name
    with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY) as spool:
        content = cast("IO[bytes]", spool)
        if path.is_dir():
            pack_bot(path, content)
            name += ".tar.gz"
        else:
            with path.open("rb") as file:
                while chunk := file.read(1 << 20):
                    content.write(chunk)
                    if content.tell() > LARGEST:
                        break
        size = content.tell()
        if size > LARGEST:
            raise YardError(
                f"{path} has more than {LARGEST >> 20} MiB", hint="leave out what is not needed to build it"
            )
        yield Sent(name, content, size)


@dataclass(frozen=True, slots=True)
class VersionNews:
    """What is new of a version."""

    state: str
    waits: str  # what it waits for, and why
    log: str  # what the build has written since
    shown: dict[str, Any]  # all that the site tells

    @property
    def over(self) -> bool:
        return self.state not in UNFINISHED


def follow_version(
    site: Site, bot: int, number: int, pause: Callable[[float], None] = time.sleep
) -> Iterator[VersionNews]:
    """Yields news of a version until it is fit, or is not going to be."""
    known, last = "", ("", "")
    while True:
        shown = site.get("bots", bot, "versions", number)
        log = site.fetch("bots", bot, "versions", number, "log", most=LOG_MAX).decode("utf-8", "replace")
        version = shown["version"]
        told = str(version["state"]), str(version["waits"])
        news = VersionNews(*told, log[len(known) :] if log.startswith(known) else log, shown)
        if news.log or told != last or news.over:
            yield news
        if news.over:
            return
        known, last = log, told
        pause(LOOK_S)


def own_bots(site: Site) -> list[dict[str, Any]]:
    return list(site.items("me", "bots"))


def bot_named(site: Site, name: str, game: str = "") -> dict[str, Any] | None:
    """Returns a bot of yours by its name or number; None: you have none so called."""
    found = [
        bot
        for bot in own_bots(site)
        if (str(bot["name"]).casefold() == name.casefold() or str(bot["id"]) == name) and game in ("", bot["game"])
    ]
    if len(found) > 1:
        games = " and ".join(str(bot["game"]) for bot in found)
        raise YardError(
            f"you have a bot {name} in {games}", hint=f"add --game, or name it by its number, {found[0]['id']}"
        )
    return found[0] if found else None
