"""People play at a real terminal: keys become orders, and what is recorded is what they pressed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from botyard.cli.seat_desk import Pad
from botyard.games import GAMES, load
from botyard.match.replay import Replay
from botyard.match.turns import Turn, read_turns
from tests.cli.terminal import COMMAND, Terminal, terminal
from tests.links.matches import rival_of, short_match
from tests.waiting import RUN_S


def words_of(game: str, *bots: str, **changes: object) -> list[str]:
    settings = short_match(game, **changes)
    assigned = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    return ["play", game, *bots, "--seed", "4", *assigned, "--pace", "0", "--replay", "game.replay"]


def turns_of(folder: Path, name: str) -> list[Turn]:
    """What the turn log has of a player."""
    log = read_turns(folder / "game.replay")
    seat = [record.name for record in log.seats].index(name)
    return [turn for turn in log.turns if turn.seat == seat]


def leave(screen: Terminal) -> None:
    screen.see("the game is over: q leaves")
    screen.press("q")
    assert screen.ended() == 0


@pytest.mark.parametrize("game", GAMES)
def test_every_key_of_every_game_gives_an_order_of_it(game: str) -> None:
    book = load(game)
    keys = book.scene.KEYS
    for at, mode in enumerate(keys.modes):
        for key in keys.keys:
            for name in key.names:
                pad = Pad(keys, book.facts)
                assert at == 0 or mode.tap, "a terminal chooses modes by keys"
                if at:
                    assert pad.press(mode.tap) is None
                order = pad.press(name)
                wanted = key.orders[at]
                assert order == (book.facts.order_named(wanted) if wanted else None)
                assert pad.mode == (0 if wanted else at), "an order ends its mode"


def test_modifiers_choose_modes_where_the_terminal_tells_them() -> None:
    book = load("hive")
    pad = Pad(book.scene.KEYS, book.facts)
    for pressed, order in [
        ("w", "move N"), ("W", "forage N"), ("Shift+ArrowUp", "forage N"), ("Alt+w", "build N"),
        ("Control+w", "guard N"),
    ]:  # fmt: skip
        assert pad.press(pressed) == book.facts.order_named(order)
    assert pad.press("Alt+?") is None


PRESSED: dict[str, list[tuple[tuple[str, ...], str]]] = {
    "hive": [(("w",), "move N"), (("f", "d"), "forage E"), (("ArrowLeft",), "move W"), (("B", "b", "c"), "build SE")],
    "battlebots": [(("ArrowUp",), "N"), (("b", "a"), "B W"), (("p",), "P"), (("s",), "NO")],
    "hackman": [(("ArrowUp",), "up"), (("d",), "right"), (("p",), "pass")],
    "snakebattle": [(("ArrowUp",), "up"), (("ArrowLeft",), "left")],
    "snakepit": [(("ArrowUp",), "u"), (("ArrowLeft",), "l")],
}
"""Keys, and the order that they give. A capital letter is a key with shift, and gives no order without one."""
OTHERS = sorted(PRESSED.keys() - {"hive"})

SHORT: dict[str, dict[str, int]] = {
    "hive": {"max_turns": 20},
    "battlebots": {"rounds_per_bout": 6},
    "hackman": {"max_rounds": 8},
}
OVER = "the game is over"


def asked(screen: Terminal, number: int) -> bool:
    """Waits for a question; returns whether there is one, because the game may be over."""
    screen.wait(
        lambda: f"question {number}:" in screen.text or OVER in screen.text or screen.process.poll() is not None
    )
    return f"question {number}:" in screen.text


@pytest.mark.parametrize("game", ["hive", *(pytest.param(game, marks=pytest.mark.long) for game in OTHERS)])
def test_the_recorded_orders_are_the_keys(game: str, tmp_path: Path) -> None:
    facts = load(game).facts
    given: list[int] = []
    words = words_of(game, "human:Ada", rival_of(game), **SHORT.get(game, {}))
    with terminal(*words, "--wait", folder=tmp_path) as screen:
        while asked(screen, len(given) + 1):
            keys, order = PRESSED[game][len(given) % len(PRESSED[game])]
            given.append(facts.order_named(order))
            screen.press(*keys)
        leave(screen)
    turns = turns_of(tmp_path, "Ada")
    assert given
    assert [turn.order for turn in turns] == given
    assert {turn.verdict for turn in turns} == {"OK"}
    Replay.read(tmp_path / "game.replay").verify()


def test_a_person_sees_no_more_than_the_seat(tmp_path: Path) -> None:
    words = words_of("hive", "human:Ada", "house:forager", max_turns=20)
    with terminal(*words, "--wait", folder=tmp_path) as screen:
        text = screen.see("question 1: your turn; the clock waits", "░░░░")
        assert "points" not in text
        assert len([line for line in text.splitlines()[:21] if "." in line[:60] or "A" in line[:60]]) <= 7
        assert "bee 0, row" in " ".join(line[62:].strip() for line in text.splitlines())
        screen.press("\x03")
        assert screen.ended() != 0
    assert not (tmp_path / "game.replay").exists()


@pytest.mark.long
def test_a_clock_runs_from_the_first_key_and_a_silent_person_gets_the_verdict_of_a_silent_bot(tmp_path: Path) -> None:
    words = words_of("hive", "human:Ada", "house:forager", reply_timeout_ms=700)
    with terminal(*words, folder=tmp_path) as screen:
        screen.see("any key begins the game")
        screen.press("w")
        screen.see("question 1: your turn", " s")
        leave(screen)
    (turn,) = turns_of(tmp_path, "Ada")
    assert (turn.verdict, turn.reason, turn.limit_ms) == ("SILENT", "no order within 700 ms", 700)


def test_two_people_share_a_keyboard(tmp_path: Path) -> None:
    """Two people and one keyboard, in a game whose seats move at once: they give their orders one after another."""
    words = words_of("hackman", "human:Ada", "human:Ben", max_rounds=3)
    with terminal(*words, "--wait", folder=tmp_path) as screen:
        for number in (1, 2, 3):
            screen.see(f"0 Ada  question {number}:")
            screen.press("ArrowLeft")
            screen.see(f"1 Ben  question {number}:")
            screen.press("?")
            screen.see("take the order back")
            screen.press("x", "ArrowRight")
        leave(screen)
    facts = load("hackman").facts
    for name, order in (("Ada", "left"), ("Ben", "right")):
        assert [turn.order for turn in turns_of(tmp_path, name)] == [facts.order_named(order)] * 3


@pytest.mark.parametrize(
    ("game", "bots", "wait", "complaint"),
    [
        ("hackman", ("human:Ada", "human:Ben"), (), "2 people cannot use one keyboard at once"),
        ("hive", ("human:Ada", "human:Ben"), ("--wait",), "would see what Hive Arena hides"),
        ("hive", ("human:Ada", "house:forager"), ("--wait", "3"), "--wait 3 is given, but no bot connects by itself"),
        ("hive", ("human:Ada", "house:forager"), ("--games", "2"), "a person plays one game"),
    ],
)
@pytest.mark.long
def test_what_a_terminal_cannot_do_is_said(
    game: str, bots: tuple[str, ...], wait: tuple[str, ...], complaint: str, tmp_path: Path
) -> None:
    with terminal("play", game, *bots, *wait, folder=tmp_path, cols=120) as screen:
        assert screen.ended() == 2
        assert complaint in screen.text


def test_without_a_terminal_nobody_can_press_keys(tmp_path: Path) -> None:
    command = [sys.executable, "-c", COMMAND, "play", "hive", "human", "house:forager"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=RUN_S, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 2
    assert "a person plays at a terminal, and this is none" in done.stderr
