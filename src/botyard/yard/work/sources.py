"""Workers get the source of a bot with their work, and keep what they made of it; they read no database."""

from __future__ import annotations

from dataclasses import replace

from botyard.jail.canonical import Source, kept_source
from botyard.jail.manifest import manifest_of
from botyard.jail.threads import in_thread
from botyard.kernel.rulebook import Rulebook
from botyard.links.bot_spec import BotSpec, folder_spec
from botyard.links.cage_policy import CagePolicy


async def source_spec(source: Source, name: str, book: Rulebook, policy: CagePolicy) -> BotSpec:
    """Returns the bot of a canonical archive under a name, ready to be built; its files are kept by their hash."""
    return await in_thread(read_source, source, name, book, policy)


def read_source(source: Source, name: str, book: Rulebook, policy: CagePolicy) -> BotSpec:
    manifest = manifest_of(kept_source(source))
    return folder_spec(replace(manifest, name=name), book, policy, name)
