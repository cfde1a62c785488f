"""`botyard yard` keeps a contest site: checks it, backs it up, brings it back, makes room, and lets its admin in."""

from __future__ import annotations

import re
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from botyard.cli.bar import counting
from botyard.cli.console import note, print_json, print_table, say
from botyard.cli.options import Json, Quiet
from botyard.cli.owner import become_owner
from botyard.cli.serve import FOLDER
from botyard.cli.server_extra import need_server
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.yard.keeping.pruning import Pruned

AS_NEEDED = ("admin-link", "backup", "restore", "verify", "prune", "migrate")


class AsNeeded(TyperGroup):
    """Lists the commands in the order in which an organiser needs them."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=AS_NEEDED.index)


app = typer.Typer(
    name="yard",
    cls=AsNeeded,
    help="Keep a contest site that `botyard serve` runs: backups, checks, room on the disk, a way in for its admin.\n\n"
    "All but restore and migrate may run while the site is served.",
    rich_markup_mode="rich",
    no_args_is_help=True,
)

Folder = Annotated[
    Path, typer.Argument(metavar="[FOLDER]", help="The folder of the site; `yard` by default.", file_okay=False)
]
Db = Annotated[
    str | None, typer.Option("--db", metavar="ADDRESS", help="Its database, if neither the default nor in yard.toml.")
]


def be_ready(folder: Path) -> None:
    """Refuses commands where the packages of the site are missing; as root, goes on as the owner of its folder."""
    need_server()
    become_owner(folder)


@app.command()
def admin_link(
    folder: Folder = FOLDER,
    db: Db = None,
    address: Annotated[
        str, typer.Option(help="How the site is reached, if not as it was served last.", metavar="http://HOST:PORT")
    ] = "",
    as_json: Json = False,
) -> None:
    """Print a link that makes an admin of whoever opens it, once: for the first admin, or when the last one is lost."""
    be_ready(folder)
    from botyard.yard.opening import config_there, last_address, open_yard
    from botyard.yard.people.tickets import FOR_ADMIN, PATH, make_ticket

    with open_yard(config_there(folder, db)) as yard, yard.database.writing() as connection:
        base = address.rstrip("/") or last_address(connection, yard.config)
        link = base + PATH + make_ticket(connection, FOR_ADMIN, yard.clock())
    if as_json:
        print_json({"admin_link": link})
    else:
        say("{link}", link=link)


@app.command()
def backup(
    folder: Folder = FOLDER,
    to: Annotated[
        Path | None, typer.Option("--to", metavar="FILE.tar", help="The file to write; by default named after today.")
    ] = None,
    db: Db = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Write all of the site into one file, while it is served or not. Whoever has the file has everybody's bots."""
    be_ready(folder)
    from botyard.yard.keeping.backup import write_backup
    from botyard.yard.keeping.locks import keeping
    from botyard.yard.opening import config_there, open_yard

    target = to or Path(f"{folder.resolve().name}-{time.strftime('%Y-%m-%d-%H%M%S')}.tar")
    with open_yard(config_there(folder, db)) as yard, keeping(yard.config):
        shown = partial(counting, quiet=quiet or as_json)
        report = write_backup(yard.config, yard.database, target.absolute(), yard.clock(), shown)
    if as_json:
        counts = {"rows": report.rows, "blobs": report.blobs, "bytes": report.bytes, "damaged": report.damaged}
        print_json({"file": str(target), **counts})
    else:
        say(
            "wrote {file}: {rows} rows, {blobs} files, {size}",
            file=target, rows=report.rows, blobs=report.blobs, size=size_words(report.bytes),
        )  # fmt: skip
        if report.damaged:
            note(
                "[red]{count} blobs are missing or altered[/]; botyard yard verify tells more",
                count=len(report.damaged),
            )
    raise typer.Exit(1 if report.damaged else 0)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE.tar", help="What `botyard yard backup` wrote.", dir_okay=False)],
    folder: Folder = FOLDER,
    db: Db = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Bring a site back from a backup, to a folder and a database that are empty; either database will do."""
    be_ready(folder)
    from botyard.yard.keeping import locks
    from botyard.yard.keeping.restore import restore as bring_back
    from botyard.yard.opening import config_with

    config = config_with(folder, db)
    config.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locks.serving(config), locks.alone(config):
        restored = bring_back(config, file, partial(counting, quiet=quiet or as_json))
    if as_json:
        counts = {"rows": restored.rows, "blobs": restored.blobs, "missing": restored.missing}
        print_json({**counts, "config": restored.config and str(restored.config)})
    else:
        words = "restored {folder}: {rows} rows, {blobs} files"
        say(words, folder=config.folder, rows=restored.rows, blobs=restored.blobs)
        if restored.config is not None:
            note("the file of the site is {path}", path=restored.config)
        if restored.missing:
            note("[red]{count} blobs are missing[/]; the backup had none of them", count=len(restored.missing))
    raise typer.Exit(1 if restored.missing else 0)


@app.command()
def verify(folder: Folder = FOLDER, db: Db = None, quiet: Quiet = False, as_json: Json = False) -> None:
    """Recompute everything that the site has recorded, and list what is not as it should be: exit status 1 then."""
    be_ready(folder)
    from botyard.yard.keeping.verify import verify as look
    from botyard.yard.opening import config_there, open_yard

    with open_yard(config_there(folder, db)) as yard:
        found = look(yard, partial(counting, quiet=quiet or as_json))
    if as_json:
        rows = [{"check": one.check, "where": one.where, "what": one.what} for one in found.troubles]
        print_json({"checked": found.checked, "troubles": rows})
    else:
        if found.troubles:
            print_table(["check", "where", "what"], [[t.check, t.where, t.what] for t in found.troubles], folded=True)
        told = ", ".join(f"{count} {what}" for what, count in found.checked.items())
        say("{words}: {told}", words=f"{len(found.troubles)} troubles" if found.troubles else "all is well", told=told)
    raise typer.Exit(1 if found.troubles else 0)


@app.command()
def prune(
    folder: Folder = FOLDER,
    keep: Annotated[str, typer.Option(help="What is younger than this stays: 90d, 12w.", metavar="TIME")] = "90d",
    free: Annotated[str | None, typer.Option(help="Stop when so much is free: 500MB, 2GB.", metavar="SIZE")] = None,
    db: Db = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make room: remove turn logs and films of old matches, then replays of unrated ones, at last of rated ones.

    Results and ratings stay, and so do the last 200 matches of every bot that plays.
    """
    be_ready(folder)
    from botyard.yard.keeping.locks import keeping
    from botyard.yard.keeping.pruning import prune as make_room
    from botyard.yard.keeping.sweeping import sweep
    from botyard.yard.opening import config_there, open_yard

    keep_ms, enough = milliseconds(keep), None if free is None else size_of(free)
    with open_yard(config_there(folder, db)) as yard, keeping(yard.config):
        told = None if quiet or as_json else say_stage
        pruned = make_room(yard.database, yard.blobs, keep_ms, yard.clock(), enough=enough, told=told)
        swept = sweep(yard.database, yard.blobs, yard.clock())
    if as_json:
        counts = {"bytes": pruned.bytes, "blobs": pruned.blobs}
        print_json({**counts, "swept": {"blobs": swept.blobs, "files": swept.files}})
    else:
        what = ", ".join(f"{count} {stage}" for stage, count in pruned.blobs.items() if count)
        say("{size} are free: {what}", size=size_words(pruned.bytes), what=what or "nothing was old enough")


def say_stage(stage: str, pruned: Pruned) -> None:
    note("[dim]{stage}: {count}, {size}[/]", stage=stage, count=pruned.blobs[stage], size=size_words(pruned.bytes))


@app.command()
def migrate(folder: Folder = FOLDER, db: Db = None, as_json: Json = False) -> None:
    """Bring the tables of the site to the form that this Botyard knows, as the server does when it starts."""
    be_ready(folder)
    from botyard.cli.serve import say_migrated
    from botyard.yard.keeping import locks
    from botyard.yard.opening import config_there, migrate_alone

    config = config_there(folder, db)
    with locks.serving(config):
        migrated = migrate_alone(config)
    if as_json:
        kept = migrated.kept and str(migrated.kept)
        print_json({"before": migrated.before, "after": migrated.after, "kept": kept})
    elif migrated.changed:
        say_migrated(migrated)
    else:
        say("the tables have revision {revision}, and nothing was to be done", revision=migrated.after)


# Times and sizes

UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
DAYS = {"d": 1, "w": 7}


def milliseconds(words: str) -> int:
    from botyard.yard.data.times import DAY

    found = re.fullmatch(r"(\d{1,5})([dw])", words.strip())
    if found is None:
        raise YardError(f"--keep {words!r}", hint="write days or weeks, such as 90d or 12w")
    return int(found[1]) * DAYS[found[2]] * DAY


def size_of(words: str) -> int:
    found = re.fullmatch(r"(\d{1,9})\s*([KMGT]B)", words.strip().upper())
    if found is None:
        raise YardError(f"--free {words!r}", hint="write a size such as 500MB or 2GB")
    return int(found[1]) * UNITS[found[2]]


def size_words(size: int) -> str:
    for unit, factor in reversed(UNITS.items()):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
