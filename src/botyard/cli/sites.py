"""Commands that speak to a site open it here: which one, with which token, and how its trouble is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from botyard.cli.console import note
from botyard.kernel.errors import YardError, quoted

if TYPE_CHECKING:
    from botyard.client.addresses import NamedThing
    from botyard.client.site import Site


@contextlib.contextmanager
def site_opened(named: str | None, quiet: bool = False) -> Iterator[Site]:
    """Gives the site that is meant. An answer that lacks something is told as that, because versions may differ."""
    from botyard.client.accounts import Accounts, accounts_file, chosen_account
    from botyard.client.site import Site

    account = chosen_account(Accounts(accounts_file()), named)

    def said(text: str) -> None:
        if not quiet:
            note("[dim]{text}[/]", text=text)

    try:
        yield Site(account.site, account.token, said)
    except YardError:
        raise
    except (KeyError, TypeError, IndexError) as error:
        hint = f"it may run another version of Botyard ({type(error).__name__}: {error})"
        raise YardError(f"{account.site} answers in a way that is not understood", hint=hint) from error


def need_account(site: Site) -> None:
    if not site.signed_in:
        raise YardError(f"you are not signed in to {site.address}", hint=f"run botyard login {site.address}")


def named_thing(text: str) -> NamedThing:
    """Returns what a word means: an address, a number, `bot/3`, `bot/3/2`, NAME/2, or a name of a ladder or bot."""
    from botyard.client.addresses import NamedThing, is_number, thing_at

    given = text.strip().removeprefix("#")
    if (found := thing_at(given)) is not None:
        return found
    head, slash, tail = given.partition("/")
    if is_number(given):
        return NamedThing("match", given)
    if slash and head in ("match", "ladder", "bot"):
        key, more, number = tail.partition("/")
        if head == "bot" and more and is_number(number):
            return NamedThing("version", key, int(number))
        if key and not more:
            return NamedThing(head, key)
    elif slash and head and is_number(tail):
        return NamedThing("version", head, int(tail))
    if slash or not given:
        raise YardError(f"{quoted(text)} names nothing", hint="write a number of a match, BOT/VERSION, or an address")
    return NamedThing("name", given)
