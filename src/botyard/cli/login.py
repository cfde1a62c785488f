"""`botyard login` and `botyard logout`: a token of a site, kept where only its owner can read it."""

from __future__ import annotations

import contextlib
import getpass
import platform
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from botyard.cli.console import note, print_json, print_table, say
from botyard.cli.options import Json
from botyard.kernel.errors import YardError

if TYPE_CHECKING:
    from botyard.client.site import Site

SCOPES = ("read", "upload", "play")
TOKEN_MAX = 1000  # characters


def login(
    address: Annotated[
        str | None, typer.Argument(metavar="[ADDRESS]", help="The site, such as https://bots.example.org.")
    ] = None,
    name: Annotated[str, typer.Option(help="Your name there; asked for by default.", show_default=False)] = "",
    token_stdin: Annotated[
        bool, typer.Option("--token-stdin", help="Read a token, made on your page there, from standard input instead.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Sign in to a contest site, so that upload, watch, pull and play --like may do there what you may.

    Examples: botyard login https://bots.example.org
    botyard login bots.example.org --token-stdin < token.txt

    It asks for your name and password, which is not shown, and has the site make a token for this machine; the
    password is not kept. The token lies in ~/.config/botyard/sites.json, which only you can read. Programs may set
    BOTYARD_SITE and BOTYARD_TOKEN instead. Without an address it tells where you are signed in.
    """
    from botyard.client.accounts import Account, Accounts, accounts_file
    from botyard.client.addresses import is_open_way, site_address
    from botyard.client.site import Site

    accounts = Accounts(accounts_file())
    if address is None:
        tell_accounts(accounts.all(), as_json)
        return
    where = site_address(address)
    if is_open_way(where):
        note("[yellow]warning:[/] {where} is not encrypted: others on the way can read what you send", where=where)
    before = next((one for one in accounts.all() if one.site == where), None)
    token = read_token() if token_stdin else new_token(Site(where), name)
    me = Site(where, token).get("me")
    accounts.add(Account(where, str(me["name"]), token))
    if before is not None and before.token != token:
        with contextlib.suppress(YardError):  # it has ended, or the site is away: it is not kept any longer, anyhow
            Site(where, before.token).delete("me", "token")
    if as_json:
        print_json({"site": where, "name": me["name"], "scopes": me["scopes"], "file": str(accounts.path)})
    else:
        say("signed in to {where} as [bold]{name}[/]", where=where, name=me["name"])


def read_token() -> str:
    token = sys.stdin.readline(TOKEN_MAX).strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise YardError("standard input holds no token", hint="make one on the page /me of the site, and pipe it in")
    return token


def new_token(site: Site, name: str) -> str:
    """Asks for name and password on the terminal, and has the site make a token."""
    if not sys.stdin.isatty():
        raise YardError(
            "there is no terminal on which to ask for your password",
            hint="programs send a token: botyard login ADDRESS --token-stdin",
        )
    given = name or typer.prompt(f"Name at {site.address}", err=True)
    password = getpass.getpass("Password: ")
    wish: dict[str, Any] = {"token_name": f"botyard on {platform.node() or 'a machine'}"[:60], "scopes": SCOPES}
    # A program has no token yet, so the header tells the site that the request is meant for it.
    made = site.post("login", body={"name": given, "password": password, **wish}, own_page=True)
    return str(made["secret"])


def tell_accounts(accounts: list[Any], as_json: bool) -> None:
    rows = [{"site": one.site, "name": one.name, "used": at == len(accounts) - 1} for at, one in enumerate(accounts)]
    if as_json:
        print_json(rows)
    elif not rows:
        say("you are not signed in to any site; run botyard login ADDRESS")
    else:
        print_table(
            ["site", "name", ""], [[row["site"], row["name"], "used by default" if row["used"] else ""] for row in rows]
        )


def logout(
    address: Annotated[
        str | None, typer.Argument(metavar="[ADDRESS]", help="The site; by default that of your last login.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Sign out of a contest site: the token of this machine is made worthless there, and forgotten here.

    Example: botyard logout https://bots.example.org
    """
    from botyard.client.accounts import Accounts, accounts_file
    from botyard.client.addresses import site_address
    from botyard.client.site import Site, SiteRefusal

    accounts = Accounts(accounts_file())
    kept = accounts.all()
    where = site_address(address) if address else (kept[-1].site if kept else "")
    account = next((one for one in kept if one.site == where), None)
    if account is None:
        known = ", ".join(one.site for one in kept) or "none"
        raise YardError(f"you are not signed in to {where or 'any site'}", hint=f"known sites: {known}")
    trouble = ""
    try:
        Site(where, account.token).delete("me", "token")
    except SiteRefusal as error:
        trouble = "" if error.status == 401 else error.message  # it has ended already
    except YardError as error:
        trouble = error.message
    accounts.remove(where)
    if as_json:
        print_json({"site": where, "revoked": not trouble, "trouble": trouble})
    elif trouble:
        note("[yellow]the token is forgotten here, but may still be good:[/] {trouble}", trouble=trouble)
        note("end it on the page {where}/me", where=where)
    else:
        say("signed out of {where}", where=where)
    if trouble:
        raise typer.Exit(1)
