"""Clients of a site that is served beside the test: signing in and out, pulling, watching, playing again."""

from __future__ import annotations

import contextlib
import io
import stat
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
import sqlalchemy as sa

from botyard.cli.sites import named_thing
from botyard.client.accounts import Account, Accounts, accounts_file, chosen_account
from botyard.client.addresses import site_address, thing_at
from botyard.client.events import event_words, follow_events, latest_events
from botyard.client.films import whole_film
from botyard.client.site import Site, SiteRefusal
from botyard.kernel.errors import YardError
from botyard.render.frames import FilmReader
from botyard.yard.api.app import SECTIONS
from botyard.yard.data.tables import VERSION
from tests.cli import test_commands
from tests.cli.test_commands import Run
from tests.clients.examples import headings
from tests.links.matches import rival_of
from tests.pages.places import beside
from tests.waiting import in_time
from tests.yard.test_api_docs import served
from tests.yard.town import GAME, Town

run = test_commands.run  # the fixture


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    town = Town(tmp_path_factory.mktemp("town"))
    yield town
    town.close()


@pytest.fixture(scope="module")
def address(town: Town) -> Iterator[str]:
    with beside(served(town)) as address:
        yield address


def token_of(town: Town, who: str) -> str:
    return town.visitors[who].headers["authorization"].removeprefix("Bearer ")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user without accounts."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("BOTYARD_SITE", "BOTYARD_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def olga(home: Path, town: Town, address: str, monkeypatch: pytest.MonkeyPatch) -> Site:
    """The owner of a bot, by variables, with a token for reading."""
    monkeypatch.setenv("BOTYARD_SITE", address)
    monkeypatch.setenv("BOTYARD_TOKEN", token_of(town, "token:read"))
    assert not (home / "config").exists()
    return Site(address, token_of(town, "token:read"))


# Signing in and out


def test_a_token_is_kept_for_its_owner_alone_and_made_worthless_at_the_end(
    run: Run, home: Path, town: Town, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_of(town, "token:rival")
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{token}\n"))
    done = run("login", address, "--token-stdin")
    assert "as Rita" in done.out
    assert token not in done.out + done.err
    kept = accounts_file()
    assert kept.is_relative_to(home)
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert address in run("login").out
    assert run("logout").status == 0
    assert "not signed in" in run("login").out
    with pytest.raises(SiteRefusal, match="token is not known") as refused:
        Site(address, token).get("me")
    assert refused.value.hint == f"run botyard login {address}"
    town.restore()


def test_without_a_terminal_nobody_is_asked_for_a_password(run: Run, home: Path, address: str) -> None:
    done = run("login", address)
    assert done.status == 2
    assert "--token-stdin" in done.err
    assert not (home / "config").exists()


def test_a_wrong_token_is_not_kept(run: Run, home: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("botyard_wrong\n"))
    assert run("login", address, "--token-stdin").status == 2
    assert not (home / "config").exists()


def test_a_file_of_tokens_that_others_may_read_is_refused(home: Path) -> None:
    accounts = Accounts(home / "sites.json")
    accounts.add(Account("https://a.example", "Ada", "botyard_a"))
    accounts.path.chmod(0o644)
    with pytest.raises(YardError, match="chmod 600"):
        accounts.all()


def test_a_token_goes_to_no_site_that_it_is_not_for(home: Path) -> None:
    accounts = Accounts(home / "sites.json")
    accounts.add(Account("https://a.example", "Ada", "botyard_a"))
    accounts.add(Account("https://b.example", "Bea", "botyard_b"))
    assert chosen_account(accounts, environment={}).token == "botyard_b"
    assert chosen_account(accounts, "a.example", {}).token == "botyard_a"
    assert chosen_account(accounts, "https://c.example", {}).token == ""
    both = {"BOTYARD_SITE": "https://c.example", "BOTYARD_TOKEN": "botyard_c"}
    assert chosen_account(accounts, None, both).token == "botyard_c"
    assert chosen_account(accounts, "https://a.example", both).token == "botyard_a"
    assert chosen_account(accounts, "https://d.example", both).token == ""
    alone = {"BOTYARD_TOKEN": "botyard_c"}
    assert chosen_account(accounts, None, alone).token == "botyard_b"
    assert chosen_account(accounts, "https://d.example", alone).token == "botyard_c"


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("bots.example.org", "https://bots.example.org"),
        ("https://Bots.Example.org:443/", "https://bots.example.org"),
        ("localhost:8000", "http://localhost:8000"),
        ("http://[::1]:80", "http://[::1]"),
        ("127.0.0.1:8123", "http://127.0.0.1:8123"),
    ],
)
def test_addresses_of_sites_have_one_form(given: str, meant: str) -> None:
    assert site_address(given) == meant


@pytest.mark.parametrize("given", ["", "ftp://a", "https://u:p@a", "https://a/b", "https://a:99999", "a b", "https://"])
def test_what_is_no_address_is_refused(given: str) -> None:
    with pytest.raises(YardError):
        site_address(given)


def test_what_people_copy_out_of_a_browser_is_understood() -> None:
    match = thing_at("https://a.example/matches/12")
    assert match is not None
    assert (match.kind, match.key, match.site) == ("match", "12", "https://a.example")
    version = thing_at("http://localhost:8000/bots/3/versions/2")
    assert version is not None
    assert (version.kind, version.key, version.number) == ("version", "3", 2)
    assert [named_thing(word).kind for word in ("12", "#12", "bot/3", "Ant/2", "bot/3/2", "spring")] == [
        "match", "match", "bot", "version", "version", "name",
    ]  # fmt: skip
    for wrong in ("", "a/b", "https://a.example/me"):
        with pytest.raises(YardError):
            named_thing(wrong)


# Events and matches


def test_events_are_followed_from_where_one_was(olga: Site) -> None:
    known = latest_events(olga, 1000)
    assert len(known) > 5
    with contextlib.closing(follow_events(olga, known[-4]["number"])) as following:
        assert in_time(lambda: list(islice(following, 3))) == known[-3:]
    assert all(event_words(event) for event in known)


def test_a_match_is_pulled_with_the_turns_of_own_seats_and_never_over_another_file(
    run: Run, town: Town, olga: Site, tmp_path: Path
) -> None:
    match = town.places["match"]
    done = run("pull", match, "Ant/1")
    assert done.status == 0
    assert done.out.split() == [f"match-{match}.replay", f"match-{match}.replay.turns", "Ant-1.tar.gz"]
    assert run("verify", f"match-{match}.replay").status == 0
    assert (tmp_path / f"match-{match}.replay").read_bytes() == olga.fetch("matches", match, "replay")
    again = run("pull", match)
    assert again.status == 2
    assert "--force" in again.err
    assert run("pull", match, "--force", "--json").json[0]["files"][0] == f"match-{match}.replay"
    hidden = run("pull", town.places["half"])
    assert hidden.status == 2
    assert "is not shown yet" in hidden.err


def test_a_match_of_the_site_is_played_again_with_the_same_bytes(
    run: Run, town: Town, olga: Site, tmp_path: Path
) -> None:
    match = town.places["match"]
    assert olga.signed_in
    done = run("play", "--like", match, "--me", rival_of(GAME), "--replay", "again.replay")
    assert done.status == 0
    assert "the same: seat" in done.out
    assert (tmp_path / "again.replay").read_bytes() == olga.fetch("matches", match, "replay")


def test_a_site_is_told_as_it_stands_now(run: Run, town: Town, olga: Site) -> None:
    assert olga.signed_in
    assert "Ant" in run("watch", GAME, "--once").out
    assert "unbuilt" in run("watch", "Ant", "--once").out
    assert "Ant – Bee" in run("watch", town.places["match"], "--once").out
    assert run("watch", "--once", "--json").json["botyard"]
    wrong = run("watch", "nothing-of-that-name", "--once")
    assert f"ladders: {GAME}" in wrong.err


def test_the_film_of_a_match_comes_whole(town: Town, olga: Site) -> None:
    film = whole_film(olga, int(town.places["match"]))
    assert FilmReader(film).last == film.head["last"]


def test_what_has_changed_in_a_version_is_told_to_its_owner_alone(town: Town, olga: Site) -> None:
    said = sa.update(VERSION).where(VERSION.c.bot == int(town.places["bot"])).values(message="fewer bugs")
    with town.yard.database.writing() as connection:
        connection.execute(said)
    way = "bots", town.places["bot"], "versions", 1
    assert olga.get(*way)["version"]["message"] == "fewer bugs"
    for other in (Site(olga.address), Site(olga.address, token_of(town, "token:rival"))):
        assert other.get(*way)["version"]["message"] == ""
    town.restore()


def test_every_area_of_the_api_is_on_its_page() -> None:
    assert [section.title for section in SECTIONS if section.title not in headings()] == []
