"""Work that blocks is done in threads: other games go on, and whoever gives up leaves nothing half done."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from botyard.jail import bot_cache, building
from botyard.jail.bot_copies import copy_bot
from botyard.jail.building import built_folder
from botyard.jail.limits import Level
from botyard.jail.manifest import manifest_of
from botyard.jail.threads import in_thread
from tests.waiting import PATIENCE_S, finished


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setattr(bot_cache, "usable_home", lambda: home)
    return home / "bots"


def test_a_result_or_an_error_comes_back() -> None:
    assert finished(in_thread(divmod, 17, 5)) == (3, 2)
    with pytest.raises(ZeroDivisionError):
        finished(in_thread(divmod, 17, 0))


async def give_up(work: Coroutine[Any, Any, Any], begun: threading.Event, go_on: threading.Event) -> None:
    """Cancels work that has begun in a thread, several times; it ends when the thread may go on, and not before."""
    task = asyncio.create_task(work)
    assert await asyncio.to_thread(begun.wait, PATIENCE_S)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("divisor", [5, 0], ids=["of work that succeeds", "of work that fails"])
def test_the_cancelled_are_told_so_at_the_end(divisor: int) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def divide() -> int:
        begun.set()
        assert go_on.wait(PATIENCE_S)
        return 17 // divisor

    finished(give_up(in_thread(divide), begun, go_on))


def test_a_bot_is_looked_at_and_copied_while_other_games_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "main.py").write_text("pass\n")
    busy: list[threading.Thread] = []

    def noted(work: Callable[..., Any]) -> Callable[..., Any]:
        def note(*given: Any, **named: Any) -> Any:
            busy.append(threading.current_thread())
            return work(*given, **named)

        return note

    for name in ("fingerprint", "copy_bot", "cached_copy"):
        monkeypatch.setattr(building, name, noted(getattr(building, name)))
    built = finished(built_folder(manifest_of(tmp_path / "main.py"), Level.OPEN))
    assert isinstance(built, Path)
    assert len(busy) == 5
    assert threading.main_thread() not in busy


def test_whoever_gives_up_while_a_bot_is_copied_leaves_nothing(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "main.py").write_text("pass\n")
    copying, go_on = threading.Event(), threading.Event()

    def slowly(source: Path, target: Path) -> None:
        copying.set()
        assert go_on.wait(PATIENCE_S)
        copy_bot(source, target)

    monkeypatch.setattr(building, "copy_bot", slowly)
    finished(give_up(built_folder(manifest_of(tmp_path / "main.py"), Level.OPEN), copying, go_on))
    assert list(own_cache.iterdir()) == []
