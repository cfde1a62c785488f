"""What a person is signed in with, by site: a file that nobody else may read, in the user's folder of configurations.

Where BOTYARD_TOKEN is set it is sent instead, but only to the site that was named with it, by --site or BOTYARD_SITE: a
token never goes to a site that it is not for.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from botyard.client.addresses import site_address
from botyard.kernel.bounded import json_of, read_bounded
from botyard.kernel.errors import YardError

FILE_MAX = 256 * 1024
PRIVATE, PRIVATE_FOLDER = 0o600, 0o700
SITE, TOKEN = "BOTYARD_SITE", "BOTYARD_TOKEN"  # names of variables


@dataclass(frozen=True, slots=True)
class Account:
    """A token for one site."""

    site: str
    name: str  # whose; empty if the token came from a variable
    token: str

    def __repr__(self) -> str:
        return f"Account({self.site!r}, {self.name!r})"


def accounts_file(environment: Mapping[str, str] = os.environ) -> Path:
    base = environment.get("XDG_CONFIG_HOME", "")
    folder = Path(base) if base.startswith("/") else Path.home() / ".config"
    return folder / "botyard" / "sites.json"


class Accounts:
    """The accounts that are kept in a file, the last used at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> list[Account]:
        """Returns them; refuses a file that others may read, because they may have the tokens by now."""
        try:
            mode = stat.S_IMODE(self.path.stat().st_mode)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise YardError(f"cannot read {self.path}", hint=error.strerror or str(error)) from None
        if mode & 0o077:
            raise YardError(
                f"{self.path} holds your tokens, and others may read it",
                hint=f"run chmod 600 {self.path}, and sign in again if others use this machine",
            )
        rows = json_of(read_bounded(self.path, FILE_MAX), str(self.path))
        try:
            return [Account(str(row["site"]), str(row["name"]), str(row["token"])) for row in rows["sites"]]
        except (KeyError, TypeError, AttributeError):
            raise YardError(f"{self.path} cannot be understood", hint="remove it and sign in again") from None

    def add(self, account: Account) -> None:
        """Keeps an account; one of the same site is replaced."""
        self._write([*(one for one in self.all() if one.site != account.site), account])

    def remove(self, site: str) -> None:
        self._write([one for one in self.all() if one.site != site])

    def _write(self, accounts: list[Account]) -> None:
        content = json.dumps({"sites": [asdict(account) for account in accounts]}, indent=2) + "\n"
        beside: Path | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=PRIVATE_FOLDER)
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=".sites.")  # only its owner may read it
            beside = Path(name)
            with os.fdopen(handle, "w") as file:
                os.fchmod(handle, PRIVATE)
                file.write(content)
                file.flush()
                os.fsync(handle)
            beside.replace(self.path)
        except OSError as error:
            raise YardError(f"cannot write {self.path}", hint=error.strerror or str(error)) from None
        finally:
            if beside is not None:
                beside.unlink(missing_ok=True)


def chosen_account(accounts: Accounts, site: str | None = None, environment: Mapping[str, str] = os.environ) -> Account:
    """Returns the account that a command uses: of the site that is named, of BOTYARD_SITE, or of the last login.

    Its token is empty if there is none for the site, which then shows what everybody may see.
    """
    meant, token = environment.get(SITE, ""), environment.get(TOKEN, "")
    kept = accounts.all()
    if site or meant:
        address = site_address(site or meant)
        if token and (not site or not meant or site_address(meant) == address):
            return Account(address, "", token)
        return next((one for one in kept if one.site == address), Account(address, "", ""))
    if not kept:
        raise YardError("you are not signed in to any site", hint="run botyard login ADDRESS, or set BOTYARD_SITE")
    return kept[-1]
