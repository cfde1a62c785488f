"""`botyard serve` turns this machine into a contest site."""

from __future__ import annotations

import asyncio
import signal
import socket
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import note, out, print_json, say
from botyard.cli.options import Json, Quiet
from botyard.cli.owner import leave_root, user_name
from botyard.cli.server_extra import need_server
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.yard.config import YardConfig
    from botyard.yard.keeping.migrating import Migrated
    from botyard.yard.site import Yard

FOLDER = Path("yard")


def serve(
    folder: Annotated[
        Path,
        typer.Argument(metavar="[FOLDER]", help="The folder of the site; made if it is not there.", file_okay=False),
    ] = FOLDER,
    host: Annotated[
        str | None, typer.Option(help="Where to listen; 127.0.0.1 by default, 0.0.0.0 lets other machines in.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on; 8000 by default, 0: any free one.")
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            "--db", metavar="ADDRESS", help="postgresql+psycopg://…; by default SQLite, in the folder of the site."
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Games played at a time; by default one per core but one.")
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Invent players with bots, so that there is something to see in a minute.")
    ] = False,
    as_root: Annotated[
        bool, typer.Option("--as-root", help="Keep root's rights, for a try on a machine that has no other user.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Host a contest site: people register, upload bots, which are built and play on ladders, and everybody watches.

    Examples: botyard serve, botyard serve /srv/bots --host 0.0.0.0, botyard serve demo --demo

    The first start makes the folder with yard.toml, in which every choice is explained, and prints a link that works
    once: whoever opens it becomes the admin. Ctrl-C ends the site; nothing is lost, however it ends, and the next
    start goes on. `botyard yard` makes backups and more. docs/yard.md tells the rest.

    Started as root, the site is served by the user whom its folder belongs to, or by botyard if it is root's; one
    small process keeps two of root's rights, to give every bot a user of its own.
    """
    need_server()
    folder, kept_root = leave_root(folder, as_root)
    from botyard.jail.levels import holding
    from botyard.yard.opening import config_with, make_folder, open_for_serving
    from botyard.yard.reading import listening

    make_folder(folder)
    config = with_options(config_with(folder, db), host=host and listening("--host", host), port=port, workers=workers)
    need_cages()
    with open_for_serving(config) as (yard, migrated):
        if not quiet and not as_json:
            say_migrated(migrated)
            note("[dim]{holding}; pages are served by {user}[/]", holding=holding(), user=user_name())
            for warning in warnings(config, kept_root):
                note("[yellow]warning:[/] {warning}", warning=warning)
        asyncio.run(run(yard, demo, quiet, as_json))


def with_options(config: YardConfig, **given: Any) -> YardConfig:
    """Returns the configuration with what the command line decides otherwise."""
    return replace(config, **{key: value for key, value in given.items() if value is not None})


def need_cages() -> None:
    """Refuses to serve where strangers' programs could not be caged, and says what is missing."""
    from botyard.jail.levels import obstacle
    from botyard.jail.limits import Level

    if trouble := obstacle(Level.CAGED):
        hint = "a site runs strangers' programs, so it starts nowhere else; see `botyard doctor` and docs/cages.md"
        raise YardError(f"bots cannot be caged here: {trouble}", hint=hint)


def say_migrated(migrated: Migrated) -> None:
    if migrated.before and migrated.changed:
        kept = f"; the one of before is kept as {migrated.kept}" if migrated.kept else ""
        words = "the database was migrated from {before} to {after}{kept}"
        note(words, before=migrated.before, after=migrated.after, kept=kept)


def warnings(config: YardConfig, kept_root: str) -> list[str]:
    """Returns what an organiser should know before strangers come."""
    from botyard.jail.levels import cgroup_version
    from botyard.kernel.devices import core_count

    found = []
    if kept_root:
        found.append(f"pages and workers have root's rights: {kept_root}")
    if not is_loopback(config.host) and not config.public_url.startswith("https://"):
        found.append("passwords travel unencrypted; put a proxy with TLS in front and set public_url (docs/yard.md)")
    if not cgroup_version():
        found.append("no control group can be made here: memory is limited per process and looked at now and then")
    if core_count() == 1:
        found.append("there is one core for the site and for the games: pages and bots slow each other down")
    return found


def is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


async def run(yard: Yard, demo: bool, quiet: bool, as_json: bool) -> None:
    """Opens ladders, listens, and serves until somebody ends it."""
    from botyard.jail.levels import holding
    from botyard.jail.warden import warden_ends
    from botyard.links.web.server import listen
    from botyard.yard.demo import add_players, hand_in_starters
    from botyard.yard.ladders.opening import open_ladders
    from botyard.yard.opening import note_address
    from botyard.yard.rooms.caretaker import Caretaker
    from botyard.yard.serving import Beside, sweep_regularly, tend, yard_app
    from botyard.yard.serving import serve as serve_app
    from botyard.yard.work.steward import Steward

    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    people = await yard.change(add_players, yard.clock()) if demo else []
    ladders = await yard.change(open_ladders, yard.config.ladders, yard.clock())
    with listen(yard.config.host, yard.config.port) as door:
        address = site_address(yard.config, door)
        await yard.change(note_address, address)
        told = {
            "address": address,
            "port": door.getsockname()[1],
            "admin_link": await admin_link(yard, address),
            "folder": str(yard.config.folder),
            "user": user_name(),
            "bots": holding(),
            "ladders": [ladder.slug for ladder in ladders],
        }
        steward, rooms = Steward(yard), Caretaker(yard)
        beside: list[Beside] = [lambda: tend(steward), rooms.run, lambda: sweep_regularly(yard), warden_ends]
        await rooms.follow_all()  # before anybody knocks: clients of rooms are let in as soon as there is a door
        if demo:
            beside.append(lambda: hand_in_starters(yard, people))
        await serve_app(yard_app(yard, steward, rooms), [door], beside, ended, lambda: announce(told, quiet, as_json))


def site_address(config: YardConfig, door: socket.socket) -> str:
    """Returns the address under which people reach the site, as far as we know."""
    from botyard.yard.web.origins import bracketed, is_everywhere

    name = socket.gethostname() if is_everywhere(config.host) else config.host
    return config.public_url or f"http://{bracketed(name)}:{door.getsockname()[1]}"


async def admin_link(yard: Yard, address: str) -> str | None:
    """Returns a link that makes an admin of whoever opens it, as long as there is none."""
    from botyard.yard.people.tickets import FOR_ADMIN, PATH, make_ticket, no_admin_yet

    if not await yard.ask(no_admin_yet):
        return None
    return address + PATH + await yard.change(make_ticket, FOR_ADMIN, yard.clock())


def announce(told: dict[str, Any], quiet: bool, as_json: bool) -> None:
    if as_json:
        print_json(told)
    else:
        say("the site is at {address}", address=told["address"])
        if told["admin_link"]:
            say("become its admin: {link}", link=told["admin_link"])
    out.file.flush()  # a program that reads the address from a pipe waits for it
    if not quiet and not as_json:
        if told["admin_link"]:
            note("[dim]that link works once, within a week; botyard yard admin-link makes another[/]")
        note("[dim]its file is {folder}/yard.toml; Ctrl-C ends the site[/]", folder=told["folder"])
