"""The board page in a real browser: it follows the game by itself, and the arrow keys steer."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.conftest import need
from tests.links.websocket.hall import PATIENCE_S, hall, make_room, until

FREE: Any = {"rounds_enabled": False}


def test_a_board_page_follows_the_game_and_takes_the_arrow_keys() -> None:
    chromium = need("chromium")

    async def main() -> None:
        from playwright.async_api import async_playwright

        troubles: list[str] = []
        async with hall(make_room(tick_ms=100, **FREE)) as here, async_playwright() as driver:
            [ann] = here.register("ann")
            here.lobby.register(here.room, "<b>bob</b>")
            browser = await driver.chromium.launch(
                executable_path=chromium, args=["--no-sandbox"], timeout=1000 * PATIENCE_S
            )
            page = await browser.new_page()
            page.set_default_timeout(1000 * PATIENCE_S)
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.on("console", lambda line: troubles.append(line.text) if line.type == "error" else None)
            await page.goto(here.url("/board/player/ann?code=7"))
            await page.get_by_text("not on a field").wait_for()
            await page.keyboard.press("ArrowRight")  # whoever steers takes a seat
            await until(lambda: ann.field is not None)
            here.room.tick()
            await page.locator("#board .mine", has_text="►").wait_for()
            assert await page.locator("#board span").count() == 49
            await page.get_by_text("<b>bob</b>").wait_for()
            await page.keyboard.press("ArrowDown")
            await until(lambda: ann.order > 0)
            here.room.tick()
            await page.locator("#board .mine", has_text="▼").wait_for()
            await browser.close()
        assert troubles == []

    asyncio.run(main())
