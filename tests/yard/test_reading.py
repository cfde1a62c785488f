"""The file of a yard: what it decides, and every mistake in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from botyard.games import GAMES
from botyard.yard.config import CONFIG_FILE, LadderPlan, Quotas, YardConfig
from botyard.yard.default_file import default_file
from botyard.yard.reading import BadConfig, read_config, write_default

GAME = next(iter(GAMES))


def config_of(folder: Path, text: str) -> YardConfig:
    (folder / CONFIG_FILE).write_text(text)
    return read_config(folder)


def test_a_new_yard_has_a_file_that_decides_nothing(tmp_path: Path) -> None:
    write_default(tmp_path)
    assert read_config(tmp_path) == YardConfig(tmp_path)


def test_every_line_that_the_new_file_offers_can_be_used_and_is_the_default(tmp_path: Path) -> None:
    offered = [line for line in default_file().splitlines() if "zig" not in line and "[[" not in line]
    used = "\n".join(re.sub(r"^# (?=\w+ = )", "", line) for line in offered)
    ladder = used.index("slug = ")
    assert config_of(tmp_path, used[:ladder]) == YardConfig(tmp_path)
    assert config_of(tmp_path, "[[ladders]]\n" + used[ladder:]).ladders == (LadderPlan(GAME, GAME, preset="document"),)


def test_a_file_that_is_there_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_text('title = "Ours"\n')
    write_default(tmp_path)
    assert read_config(tmp_path).title == "Ours"


def test_all_that_can_be_decided_is_read(tmp_path: Path) -> None:
    config = config_of(
        tmp_path,
        f"""
        title = "Käfer"
        public_url = "https://bots.example.org/"
        hosts = ["Bots.lan", "[::1]"]
        proxies = ["127.0.0.1", "10.0.0.0/8"]
        registration = "invitation"
        database = "postgresql+psycopg://yard:secret@db/yard"
        workers = 3
        [quotas]
        uploads_a_day = 5
        [cage]
        memory_mb = 256
        [[ladders]]
        slug = "spring"
        game = "{GAME}"
        bots_per_person = 2
        deadline = 2027-03-20T18:00:00+01:00
        """,
    )
    assert (config.title, config.public_url, config.workers) == ("Käfer", "https://bots.example.org", 3)
    assert config.hosts == ("bots.lan", "[::1]")
    assert config.proxies == ("127.0.0.1/32", "10.0.0.0/8")
    assert config.quotas == Quotas(uploads_a_day=5)
    assert config.cage.memory_mb == 256
    plan = LadderPlan("spring", GAME, bots_per_person=2, deadline="2027-03-20T18:00:00+01:00")
    assert config.ladders == (plan,)


def test_every_mistake_is_listed_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(BadConfig) as caught:
        config_of(
            tmp_path,
            f"""
            titel = "Botyard"
            port = 70000
            public_url = "https://example.org/bots"
            proxies = ["the proxy"]
            registration = "maybe"
            database = "mysql://root:secret@db/yard"
            workers = "all"
            [quotas]
            uploads_a_day = -1
            lives = 9
            [cage]
            level = "open"
            memory_mb = 1
            [[ladders]]
            slug = "Spring!"
            game = "{GAME}"
            [[ladders]]
            slug = "summer"
            game = "chess"
            [[ladders]]
            slug = "autumn"
            [[ladders]]
            slug = "winter"
            game = "{GAME}"
            settings = {{ nosuch = 1 }}
            [[ladders]]
            slug = "late"
            game = "{GAME}"
            deadline = "2027-03-20"
            """,
        )
    found = {(mistake.where, mistake.what.split(" = ")[0]) for mistake in caught.value.mistakes}
    assert found == {
        ("titel", "unknown key 'titel'"),
        ("port", "port"),
        ("public_url", "public_url"),
        ("proxies", "proxies: 'the proxy'"),
        ("registration", "registration"),
        ("database", "database cannot be read"),
        ("workers", "workers"),
        ("quotas", "uploads_a_day"),
        ("quotas", "unknown quota 'lives'"),
        ("cage", "a level other than caged"),
        ("cage", "memory_mb"),
        ("ladders.Spring!", "slug"),
        ("ladders.summer", "unknown game 'chess'"),
        ("ladders.autumn", "no game"),
        ("ladders.winter", "unknown setting 'nosuch'"),
        ("ladders.late", "deadline"),
    }
    assert all(mistake.hint for mistake in caught.value.mistakes)
    assert "secret" not in str(caught.value), "the address of a database may hold a password"


def test_two_ladders_do_not_share_an_address(tmp_path: Path) -> None:
    one = f'[[ladders]]\nslug = "spring"\ngame = "{GAME}"\n'
    with pytest.raises(BadConfig, match="a second ladder"):
        config_of(tmp_path, one + one)
    with pytest.raises(BadConfig, match="must be tables"):
        config_of(tmp_path, "ladders = 3")


NO_ROOTS = [
    "bots.example.org",
    "ftp://a.org",
    "https://a.org/x",
    "https://me@a.org",
    "https://a.org?x",
    "http://",
    "http://[",
    "http://a:0",
]


@pytest.mark.parametrize("address", NO_ROOTS)
def test_a_yard_is_reached_at_the_root_of_a_server(tmp_path: Path, address: str) -> None:
    with pytest.raises(BadConfig, match="without a path"):
        config_of(tmp_path, f'public_url = "{address}"')
    assert config_of(tmp_path, 'public_url = "http://[::1]:8000"').public_url == "http://[::1]:8000"
