"""Clients and the examples of docs/api.md on a living site: `botyard serve` as a process, with bots in cages."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from botyard.client.accounts import Accounts, accounts_file
from botyard.client.site import Site, SiteRefusal
from botyard.yard.config import CONFIG_FILE
from tests.cli import test_commands
from tests.cli.terminal import terminal
from tests.cli.test_commands import Run
from tests.clients.examples import examples, lacking, printed, script
from tests.waiting import PATIENCE_S
from tests.yard.test_serve import serving

pytestmark = pytest.mark.long  # the ladder plays all the time

run = test_commands.run  # the fixture

GAME = re.search(r"game=(\w+)", script())  # the one that the page uses
PASSWORD = "correct horse battery"
LADDER = '[[ladders]]\nslug = "spring"\ngame = "{}"\n'


@dataclass(frozen=True)
class LivingSite:
    address: str
    ticket: str
    folder: Path  # where the examples were run


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LivingSite]:
    above = tmp_path_factory.mktemp("living")
    (above / "yard").mkdir()
    assert GAME is not None
    (above / "yard" / CONFIG_FILE).write_text(LADDER.format(GAME[1]))
    (above / "shell").mkdir()
    with serving(above / "yard") as (running, told):
        yield LivingSite(told["address"], told["admin_link"].rpartition("/")[2], above / "shell")
        running.terminate()


@pytest.fixture(scope="module")
def output(site: LivingSite) -> str:
    """What all examples of the page print, run one after another."""
    words = {"SITE": site.address, "TICKET": site.ticket}
    done = subprocess.run(
        ["bash", "-c", script()], env={**os.environ, **words}, cwd=site.folder, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def test_every_example_of_the_page_works_and_answers_as_the_page_shows(output: str) -> None:
    for at, example in enumerate(examples()):
        if example.answer:
            given = json.loads(last_answer(printed(output, at)))
            assert lacking(json.loads(example.answer), given) == [], example.code


def last_answer(told: str) -> str:
    """The last JSON value of what was printed: answers of several commands follow each other without a line end."""
    decoder, at, last = json.JSONDecoder(), 0, ""
    while at < len(told):
        try:
            _, end = decoder.raw_decode(told, at)
            last, at = told[at:end], end
        except ValueError:
            at += 1
    return last


@pytest.fixture
def signed_in(site: LivingSite, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Somebody who signs in at a terminal, where the password is not to be seen."""
    assert output
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with terminal("login", site.address, folder=tmp_path) as screen:
        screen.see("Name at")
        screen.press("Ada", "Enter")
        screen.see("Password:")
        screen.press(PASSWORD, "Enter")
        screen.see("signed in to", "as Ada")
        assert screen.ended() == 0
        assert PASSWORD not in screen.text
    return tmp_path


def test_somebody_signs_in_uploads_pulls_plays_again_and_signs_out(run: Run, site: LivingSite, signed_in: Path) -> None:
    kept = accounts_file()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    token = Accounts(kept).all()[0].token

    uploaded = run("upload", site.folder / "starter.zip", "--bot", "Ant", "--json")
    assert uploaded.status == 0
    assert uploaded.json["known"]
    assert uploaded.json["fit"]

    version = Site(site.address, token).get("bots", uploaded.json["bot"], "versions", 1)["version"]
    assert version["message"] == "the starter"

    match = json.loads((site.folder / "asked.json").read_text())["matches"][0]["id"]
    pulled = run("pull", str(match), "Ant/1", "--json").json
    assert [Path(file).name for one in pulled for file in one["files"]] == [
        f"match-{match}.replay", f"match-{match}.replay.turns", "Ant-1.tar.gz"
    ]  # fmt: skip
    again = run("pull", str(match))
    assert again.status == 2
    assert "is there already" in again.err
    assert run("pull", str(match), "--force", "-q").status == 0

    like = run("play", "--like", f"{site.address}/matches/{match}", "--replay", "again.replay", "--json")
    assert like.json["difference"] is None
    assert like.status == 0
    assert (signed_in / "again.replay").read_bytes() == (signed_in / f"match-{match}.replay").read_bytes()

    assert run("logout").status == 0
    assert not Accounts(kept).all()
    with pytest.raises(SiteRefusal) as refused:
        Site(site.address, token).get("me")
    assert refused.value.status == 401


WRONG = {"main.c": "int main() { retrun 0; }\n"}


def test_a_bot_that_cannot_be_built_ends_with_the_line_of_the_compiler(run: Run, signed_in: Path) -> None:
    assert GAME is not None
    (signed_in / "wrong").mkdir()
    for name, text in WRONG.items():
        (signed_in / "wrong" / name).write_text(text)
    done = run("upload", "wrong", "--game", GAME[1])
    assert done.status == 1
    assert "retrun" in done.out
    assert "version 1 is unbuilt: main.c:1:" in done.out


def test_a_site_is_followed_by_its_ladder_its_bot_and_its_events(run: Run, signed_in: Path, site: LivingSite) -> None:
    assert signed_in.exists()
    table = run("watch", "spring", "--once")
    assert table.status == 0
    assert re.search(r"Ant +Ada +\d", table.out)
    assert "1  fit    python    plays" in run("watch", "Ant", "--once").out
    now: Any = run("watch", "--once", "--json").json
    assert now["trouble"] == ""
    with terminal("watch", "ladder/spring", folder=signed_in) as screen:
        screen.see("rank", "Ant", "q leaves")
        screen.press("q")
        assert screen.ended() == 0
    shown = json.loads((site.folder / "asked.json").read_text())["matches"][0]["id"]
    with terminal("watch", str(shown), folder=signed_in) as screen:
        screen.see("0 Ant", "q quit")
        screen.press("q")
        assert screen.ended() == 0
