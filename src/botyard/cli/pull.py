"""`botyard pull` takes home what lies on a contest site: replays, your own turns, your sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import note, print_json, say
from botyard.cli.options import Json, Quiet, SiteOption
from botyard.cli.site_matches import REPLAY_MAX, SOURCE_MAX, own_places
from botyard.cli.sites import named_thing, need_account, site_opened
from botyard.kernel.errors import YardError, quoted

if TYPE_CHECKING:
    from botyard.client.addresses import NamedThing
    from botyard.client.site import Site

TURNS_MAX = 64 << 20
HERE = Path()


def pull(
    things: Annotated[
        list[str],
        typer.Argument(
            metavar="MATCH|BOT/VERSION...",
            help="Matches by number or address; sources of your versions, such as Ant/3. BOT may be a number, too.",
        ),
    ],
    folder: Annotated[
        Path, typer.Option("--to", metavar="FOLDER", help="Where the files go; by default here.", file_okay=False)
    ] = HERE,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    site: SiteOption = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Get replays, your own turn logs and your sources from a contest site.

    Examples: botyard pull 1204 1205
    botyard pull Ant/3 --to sources

    A match becomes match-1204.replay and, if a bot of yours played in it, match-1204.replay.turns, which
    `botyard report` and `botyard view` read. A version becomes Ant-3.tar.gz. No file is replaced without --force.
    """
    got: list[dict[str, Any]] = []
    for text in things:
        thing = named_thing(text)
        with site_opened(site or thing.site or None, quiet or as_json) as opened:
            files = files_of(opened, thing, text)
            paths = [folder / name for name in files]
            if not force and (there := [path for path in paths if path.exists()]):
                raise YardError(
                    f"{there[0]} is there already", hint="add --force to replace it, or --to another folder"
                )
            write_all(files, folder)
            got.append({"asked": text, "site": opened.address, "files": [str(path) for path in paths]})
        if not as_json:
            for path in paths:
                say("{path}", path=path)
            if thing.kind == "match" and len(files) == 1 and not quiet:
                note("[dim]no turn log of {text}: no bot of yours played in it, or you are not signed in[/]", text=text)
    if as_json:
        print_json(got)


def files_of(site: Site, thing: NamedThing, text: str) -> dict[str, bytes]:
    """Returns what is got for one thing, by the names of its files."""
    if thing.kind == "match":
        return files_of_match(site, int(thing.key))
    if thing.kind == "version" and thing.number is not None:
        return source_of_version(site, thing.key, thing.number)
    raise YardError(f"{quoted(text)} is neither a match nor a version", hint="write 1204, or BOT/VERSION such as Ant/3")


def files_of_match(site: Site, number: int) -> dict[str, bytes]:
    shown = site.get("matches", number)
    name = f"match-{number}.replay"
    files = {name: site.fetch("matches", number, "replay", most=REPLAY_MAX)}
    if own_places(site, shown):
        files[f"{name}.turns"] = site.fetch("matches", number, "turn-log", most=TURNS_MAX)
    return files


def source_of_version(site: Site, bot: str, number: int) -> dict[str, bytes]:
    from botyard.client.versions import bot_named

    need_account(site)
    known = bot_named(site, bot)
    if known is None:
        raise YardError(
            f"you have no bot {quoted(bot)}", hint=f"sources are for owners; yours are listed at {site.address}/me"
        )
    name = "".join(sign if sign.isalnum() or sign in "-_" else "_" for sign in str(known["name"]))
    source = site.fetch("bots", known["id"], "versions", number, "source", most=SOURCE_MAX)
    return {f"{name}-{number}.tar.gz": source}


def write_all(files: dict[str, bytes], folder: Path) -> None:
    from botyard.match.storage import write_atomically

    for name, content in files.items():
        write_atomically(folder / name, content)
