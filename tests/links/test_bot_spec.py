"""From a bot as it is named to a player at the table: what the settings of its game have to say about it."""

from __future__ import annotations

import contextlib
import errno
from typing import Any

import pytest

from botyard.games import load
from botyard.games.game import Game
from botyard.kernel.errors import YardError
from botyard.links.bot_spec import READERS, Seating, read_bot_spec, wire_player
from botyard.match.clock import LoopClock
from tests.match.stage import ScriptedLink, without_waiting


@pytest.mark.parametrize(("number", "repeated"), [(1, False), (2, True)])
def test_a_session_is_told_which_game_of_its_match_it_plays(number: int, repeated: bool) -> None:
    """Snakepit's controller repeats the heads from the second game on (6.2)."""
    book = load("snakepit")
    settings = book.settings.read({"opening_deltas": True})
    link = ScriptedLink([], [b"u"])

    async def main() -> None:
        player = wire_player(Seating(book, settings, LoopClock(), game_number=number), 0, "bot", link)
        await player.start()
        await player.ask(Game(book, settings, 5).view(0))
        await player.stop()

    without_waiting(main())
    assert (b"ready\ns 1 " in link.sent[0]) == repeated


@pytest.mark.parametrize(
    ("game", "spec", "place"),
    [
        ("snakepit", "listen", ("127.0.0.3", 4711)),
        ("snakepit", "listen:99", ("127.0.0.3", 99)),
        ("snakepit", "listen:127.0.0.9:99", ("127.0.0.9", 99)),
        ("hive", "listen", ("127.0.0.1", 8000)),
        ("snakebattle", "listen", ("127.0.0.1", 0)),
        ("hive", "json:listen", ("127.0.0.1", 0)),
        ("hive", "json:listen:127.0.0.9:99", ("127.0.0.9", 99)),
    ],
)
def test_a_bot_is_waited_for_where_it_was_named_or_else_where_the_settings_say(
    game: str, spec: str, place: tuple[str, int]
) -> None:
    class Watched(Seating):
        def tcp_entrance(self, host: str, port: int) -> Any:
            raise YardError(f"{host} {port}")

        websocket_port = tcp_entrance

    book = load(game)
    settings = book.settings.read({"host": "127.0.0.3", "port": 4711} if game == "snakepit" else {})
    with pytest.raises(YardError, match=f"^{place[0]} {place[1]}$"):
        read_bot_spec(spec, book).seat_player(Watched(book, settings, LoopClock()), 0)


@pytest.mark.parametrize("kind", ["py", "cmd", "json", "dir"])
@pytest.mark.parametrize("name", ["n" * 5000, "a\0b", f"{'x/' * 3000}y", "\ud800"])
def test_a_name_no_file_can_have_is_a_mistake_or_names_none(kind: str, name: str) -> None:
    with contextlib.suppress(YardError):
        spec = read_bot_spec(f"{kind}:{name}", load("hackman"))
        assert spec.bot is not None
        assert spec.bot.own is None


def test_a_mistake_keeps_its_own_words_and_our_own_trouble_is_no_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    book = load("hive")
    with pytest.raises(YardError) as found:
        read_bot_spec("py:nothing.py", book)
    assert found.value.message.startswith("there is no file 'nothing.py'")

    def no_more_files(*_: Any) -> Any:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setitem(READERS, "py", no_more_files)
    with pytest.raises(OSError, match="Too many open files"):
        read_bot_spec("py:bot.py", book)
