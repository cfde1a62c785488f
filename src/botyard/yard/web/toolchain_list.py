"""Which languages bots can be written in here: as workers on other machines tell, or as this machine has them.

Programs of this machine are asked for their versions once, in a thread, when somebody first wants to know.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from botyard.jail.installed_languages import InstalledLanguage, installed
from botyard.jail.languages import LANGUAGES
from botyard.yard.web.workshop import Workshop


class ToolchainList:
    """The languages of this machine, found once."""

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop
        self._found: list[InstalledLanguage] | None = None
        self._looking = asyncio.Lock()

    async def languages(self, told: Sequence[Sequence[InstalledLanguage]] = ()) -> list[InstalledLanguage]:
        """Returns the languages that workers told of; if none has told any, those of this machine."""
        if told:
            return [shared(each) for each in zip(*told, strict=True)]
        async with self._looking:
            if self._found is None:
                self._found = await self._workshop.make(lambda: [installed(name) for name in LANGUAGES])
            return self._found


def shared(each: Sequence[InstalledLanguage]) -> InstalledLanguage:
    """Returns a language as several machines have it: all versions, and the libraries that a bot finds everywhere.

    A bot is given to a machine that has its language, so one is enough.
    """
    usable = [one for one in each if not one.trouble]
    if not usable:
        return each[0]
    first = usable[0]
    versions = tuple(dict.fromkeys(version for one in usable for version in one.versions))
    libraries = tuple(name for name in first.libraries if all(name in one.libraries for one in usable))
    more = min(one.more for one in usable)
    return InstalledLanguage(first.name, first.title, first.begins, versions, "", libraries, more)
