"""`botyard serve` as a process: it starts in an empty folder, is alone there, ends cleanly, goes on after a kill."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

import botyard
from botyard.cli.owner import site_user
from botyard.games import GAMES
from botyard.kernel.processes import started
from botyard.yard.config import CONFIG_FILE
from tests.families import family, status_of
from tests.waiting import PATIENCE_S, ending, in_time, wait_until

COMMAND = [sys.executable, "-c", "from botyard.cli import main; main()", "serve"]
FOR_ALL = f"/usr/bin/python3.{sys.version_info.minor}"
PACKAGES = [str(Path(module.__file__ or "").parents[1]) for module in (botyard, pytest)]
LADDER = f'[[ladders]]\nslug = "spring"\ngame = "{min(GAMES)}"\n'


@contextlib.contextmanager
def serving(
    folder: Path, *options: str, cache: Path | None = None, port: int | None = 0
) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """A server, and what it says once it answers; without a port, at that of its file."""
    command, environment = [*COMMAND, str(folder), "--workers", "1", "--json", *options], dict(os.environ)
    command += [] if port is None else ["--port", str(port)]
    if cache is not None:  # by an interpreter that every user can run
        command[0] = FOR_ALL
        environment |= {"BOTYARD_CACHE": str(cache), "PYTHONPATH": os.pathsep.join(PACKAGES)}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, cwd=folder.parent
    )
    with ending(process) as running:
        assert running.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            line = in_time(running.stdout.readline)
            assert line, in_time(running.communicate)[1]
            told += line
        yield running, json.loads(told)


def check_gone(processes: dict[int, str]) -> None:
    def left() -> list[int]:
        return [process for process, birth in processes.items() if birth and started(process) == birth]

    wait_until(lambda: not left(), left)


def status(address: str) -> int:
    try:
        with urlopen(address, timeout=PATIENCE_S) as answer:
            return int(answer.status)
    except HTTPError as refused:
        with refused:
            return refused.code


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as above:
        Path(above).chmod(0o755)
        folder = Path(above) / "yard"
        folder.mkdir()
        yield folder


def check_users(processes: Iterable[int], owner: int) -> None:
    """Whoever serves the site is its user, who is not root; beside a warden, which acts as that user."""
    words = {process: Path(f"/proc/{process}/cmdline").read_bytes() for process in processes}
    wardens = {process for process in processes if b"/warden.py" in words[process]}
    users = {number for process in set(processes) - wardens for number in status_of(process, "Uid")}
    assert users == {str(owner)} != {"0"}
    assert len(wardens) == 2
    assert sorted(status_of(process, "Uid")[1] for process in wardens) == ["0", str(owner)]


def test_a_yard_is_made_served_alone_killed_and_served_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / CONFIG_FILE).write_text(LADDER)
    with serving(folder, "--as-root") as (running, told):
        assert told["ladders"] == ["spring"]
        assert status(told["address"]) == 200
        assert status(told["admin_link"]) == 200, "looking at it does not use it up"
        assert status(f"{told['address']}/no/such/page") == 404
        assert status(f"{told['address']}/api/v1/games") == 200
        monkeypatch.setattr(sys, "argv", ["botyard", "serve", "--as-root", str(folder)])
        with pytest.raises(SystemExit):
            in_process()
        assert f"is being served by process {running.pid}" in capsys.readouterr().err
        monkeypatch.setattr(sys, "argv", ["botyard", "yard", "admin-link", str(folder)])
        with contextlib.suppress(SystemExit):
            in_process()
        assert capsys.readouterr().out.startswith(f"{told['address']}/ticket/"), "it knows at which port"
        wait_until(lambda: len(family(running.pid)) > 1, lambda: "no worker was started")
        processes = family(running.pid)
        running.kill()
        check_gone(processes)
    given = os.geteuid() == 0 and Path(FOR_ALL).exists()
    if given:
        (folder.parent / "cache").mkdir()
        os.chown(folder.parent / "cache", site_user(folder).number, site_user(folder).group)
    with serving(folder, cache=folder.parent / "cache" if given else None) as (running, told):
        assert status(told["admin_link"]) == 200, "nobody has become an admin, so there is another link"
        processes = family(running.pid)
        if given:
            check_users(processes, folder.stat().st_uid)
            assert told["bots"].startswith("bots are caged, and each has a user")
        running.send_signal(signal.SIGTERM)
        out, errors = running.communicate(timeout=PATIENCE_S)
        assert (running.returncode, out, errors) == (0, "", "")
        check_gone(processes)
    assert {path.name for path in folder.iterdir()} - {"blobs"} == {
        CONFIG_FILE, "yard.db", ".serving.lock", ".using.lock", ".keeping.lock",
    }  # fmt: skip


def test_all_mistakes_of_the_file_are_told_before_anything_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / CONFIG_FILE).write_text('port = "any"\n[[ladders]]\nslug = "a"\ngame = "chess"\n')
    monkeypatch.setattr(sys, "argv", ["botyard", "serve", "--as-root", str(tmp_path)])
    with pytest.raises(SystemExit):
        in_process()
    assert "has 2 mistakes" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == [CONFIG_FILE]


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("botyard.cli.server_extra.find_spec", lambda name: None if name == "argon2" else name)
    monkeypatch.setattr(sys, "argv", ["botyard", "serve"])
    with pytest.raises(SystemExit):
        in_process()
    said = capsys.readouterr().err
    assert "not installed: argon2-cffi" in said
    assert "pip install 'botyard[server]'" in said


def test_nothing_is_served_where_bots_cannot_be_caged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("botyard.jail.levels.obstacle", lambda level: "bubblewrap is not installed")
    monkeypatch.setattr(sys, "argv", ["botyard", "serve", "--as-root", str(tmp_path / "yard")])
    with pytest.raises(SystemExit) as ended:
        in_process()
    assert ended.value.code == 2
    assert "bots cannot be caged here: bubblewrap is not installed" in capsys.readouterr().err


def in_process() -> None:
    from botyard import cli

    cli.main()
