"""This module finds bots whose cage would show them the contest's own files or another bot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from botyard.jail.toolchains import SYSTEM, real, within
from botyard.kernel.errors import YardError
from botyard.links.bot_spec import BotSpec


def crowded(
    contest: Path, store: Path, specs: Mapping[str, BotSpec], toolchains: Mapping[str, str]
) -> Iterator[tuple[str, YardError]]:
    """Yields each place in the contest file that would show bots too much, with an error that says what to move."""
    secrets = {real(contest): f"the contest file {contest.name}", real(store): "its store"}
    owned = {name: real(spec.bot.own) for name, spec in specs.items() if spec.bot and spec.bot.own}
    everything = {**secrets, **{path: f"the bot {name}" for name, path in owned.items()}}
    for path, what in everything.items():
        if within(path, SYSTEM):
            yield (
                "contest",
                YardError(f"{what} lies in {path.parent}, which every cage shows", hint="move it elsewhere"),
            )
    for name, folder in toolchains.items():
        if held := [what for path, what in everything.items() if path.is_relative_to(real(Path(folder)))]:
            hint = "every bot sees the whole folder of a toolchain: name one in which nothing else is installed"
            yield f"toolchains.{name}", YardError(f"{folder} holds {' and '.join(held)}", hint=hint)
    for name, spec in specs.items():
        home = spec.bot.home if spec.bot else None
        if home is None:
            continue
        own = owned[name]
        held = [what for path, what in secrets.items() if path.is_relative_to(real(home))]
        held += [f"the bot {other}" for other, path in owned.items() if path != own and path.is_relative_to(real(home))]
        if held:
            into = f"bots/{name}/{own.name}" if own.is_file() else f"bots/{name}"
            hint = f"a bot sees its whole folder: move it into one of its own, such as {into}"
            yield f"bots.{name}", YardError(f"its folder {home} holds {' and '.join(held)}", hint=hint)
