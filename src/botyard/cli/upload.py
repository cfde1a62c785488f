"""`botyard upload` sends a bot to a contest site, and follows its build and check."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from botyard.cli.bar import shortened
from botyard.cli.console import Lines, errors, note, out, print_json, say
from botyard.cli.options import Json, Quiet, SiteOption, complete_game
from botyard.cli.sites import need_account, site_opened
from botyard.kernel.errors import YardError
from botyard.kernel.plain import clean, clean_lines

if TYPE_CHECKING:
    from botyard.client.site import Site
    from botyard.client.versions import VersionNews

INTERRUPTED = 130


def upload(
    path: Annotated[
        Path, typer.Argument(metavar="FOLDER|FILE|ARCHIVE", help="The bot: its folder, its only file, or an archive.")
    ],
    bot: Annotated[
        str,
        typer.Option(
            "--bot",
            metavar="NAME",
            help="Its name there, or its number. By default what botyard.toml says, or the path.",
        ),
    ] = "",
    game: Annotated[
        str,
        typer.Option(
            "--game",
            "-g",
            help="The game; may be left out if the site knows the bot, or botyard.toml names it.",
            autocompletion=complete_game,
        ),
    ] = "",
    activate: Annotated[bool, typer.Option("--activate", help="Have it play as soon as it is fit.")] = False,
    message: Annotated[
        str, typer.Option("--message", "-m", help="What has changed, for yourself.", show_default=False)
    ] = "",
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Do not follow build and check.")] = False,
    site: SiteOption = None,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Upload a bot to a contest site and say whether it is fit to play.

    Examples: botyard upload mybot --activate
    botyard upload bot.zip --game GAME --bot Ant

    It is built and checked there; the build log is shown as it grows, then what the check found and how to mend it.
    The exit status is 0 if it is fit, 1 if it is not. Ctrl-C stops looking: the site goes on.
    """
    with site_opened(site, quiet or as_json) as opened:
        need_account(opened)
        way, fields = target_of(opened, path, bot, game)
        fields |= {"activate": "yes"} if activate else {}
        fields |= {"message": message} if message else {}
        accepted = send(opened, way, fields, path, quiet or as_json)
        number, page = accepted["number"], f"{opened.address}/bots/{accepted['bot']}/versions/{accepted['number']}"
        if not as_json and not quiet:
            note("{words}", words=accepted["words"])
            note("[dim]{page}[/]", page=page)
        if no_wait:
            if as_json:
                print_json({**accepted, "page": page})
            return
        try:
            last = followed(opened, accepted["bot"], number, quiet or as_json)
        except KeyboardInterrupt:
            note("the site goes on building and checking; look at it again:")
            note("  botyard watch bot/{bot}     or {page}", bot=accepted["bot"], page=page)
            raise typer.Exit(INTERRUPTED) from None
        finish(accepted, last, page, as_json)


def target_of(site: Site, path: Path, bot: str, game: str) -> tuple[tuple[object, ...], dict[str, str]]:
    """Returns where the upload goes, and what is said with it: to a bot of yours, or to a new one."""
    from botyard.client.versions import bot_named
    from botyard.jail.manifest import manifest_of

    if not path.exists():
        raise YardError(f"there is no {path}", hint="name the folder of your bot, a file, or an archive")
    named, meant = bot, game
    with contextlib.suppress(YardError):  # what is wrong with it, the site will say
        manifest = manifest_of(path)
        named, meant = named or manifest.name, meant or manifest.game
    if named and (known := bot_named(site, named, meant)) is not None:
        return ("bots", known["id"], "versions"), {}
    if not meant:
        games = ", ".join(str(one["name"]) for one in site.items("games"))
        raise YardError(f"which game does {path} play?", hint=f"add --game; this site has {games}")
    return ("bots",), {"game": meant, **({"name": named} if named else {})}


def send(site: Site, way: tuple[object, ...], fields: dict[str, str], path: Path, quiet: bool) -> dict[str, Any]:
    from botyard.client.versions import packed_upload

    columns = TextColumn("{task.description}", markup=False), BarColumn(20), DownloadColumn(binary_units=True)
    left = 0

    def advance(size: int) -> None:
        nonlocal left
        left -= size
        progress.advance(task, size)

    with packed_upload(path) as file:
        left = file.size
        shown = Progress(*columns, console=errors, transient=True, disable=quiet or not errors.is_terminal)
        try:
            with shown as progress:
                task = progress.add_task(f"sending {shortened(clean(file.name))}", total=file.size)
                accepted = site.upload(*way, fields=fields, file=file, sent=advance)
        except KeyboardInterrupt:
            note("nothing was uploaded") if left else note(
                "stopped before the site answered: {site}/me says whether it came", site=site.address
            )
            raise typer.Exit(INTERRUPTED) from None
    return dict(accepted)


def followed(site: Site, bot: int, number: int, quiet: bool) -> VersionNews:
    """Shows how build and check go on, and returns how they ended."""
    from botyard.client.versions import follow_version

    news: VersionNews | None = None
    with waiting_line(quiet) as tell:
        for news in follow_version(site, bot, number):
            if news.log and not quiet:
                out.print(clean_lines(news.log).rstrip("\n"), soft_wrap=True)
            tell(news.waits or news.state)
    assert news is not None, "there is at least one look"
    return news


@contextlib.contextmanager
def waiting_line(quiet: bool) -> Iterator[Any]:
    """Gives what says what is waited for: on a terminal in a line of its own, else when it changes."""
    if quiet:
        yield lambda words: None
        return
    if errors.is_terminal:
        with errors.status("", spinner="line") as line:
            yield lambda words: line.update(clean(words))
        return
    last = ""

    def tell(words: str) -> None:
        nonlocal last
        if words != last:
            note("[dim]{words}[/]", words=words)
        last = words

    yield tell


def finish(accepted: dict[str, Any], news: VersionNews, page: str, as_json: bool) -> None:
    """Says what became of a version, and ends with the status that this means."""
    from botyard.client.versions import FIT

    version, findings = news.shown["version"], news.shown["findings"] or []
    fit = news.state == FIT
    if as_json:
        told = {"state": news.state, "reason": version["reason"], "active": version["active"], "findings": findings}
        print_json({**accepted, "page": page, "fit": fit, **told})
    else:
        for at, finding in enumerate(findings, 1):
            tell_finding(at, finding)
        sign = "[green]fit[/]" if fit else "[red]{state}[/]"
        words = ", and plays" + ("" if accepted["known"] else " from now on") if version["active"] else ""
        reason = f": {version['reason']}" if version["reason"] and not fit else ""
        say("version {number} is " + sign + "{words}{reason}", number=version["number"], state=news.state, words=words,
            reason=Lines(reason))  # fmt: skip
        if fit and not version["active"] and not version["wanted"]:
            say("[dim]it does not play yet: upload it again with --activate, or see {page}[/]", page=page)
    if not fit:
        raise typer.Exit(1)


def tell_finding(at: int, finding: dict[str, Any]) -> None:
    sign = "[red]wrong[/]" if finding["wrong"] else "[yellow]advice[/]"
    times = f" ({finding['times']} times)" if finding["times"] > 1 else ""
    told = {"stage": finding["stage"], "what": Lines(finding["what"]), "times": times}
    say("{at}. " + sign + ", {stage}: {what}{times}", at=at, **told)
    say("   [green]remedy:[/] {remedy}", remedy=Lines(finding["remedy"]))
    if finding.get("printed", "").strip():
        say("   [dim]printed:[/] {text}", text=Lines(finding["printed"].strip().replace("\n", "\n" + " " * 4)))
