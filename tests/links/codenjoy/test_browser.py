"""The board page in a real browser: it follows the game by itself, and the arrow keys steer."""

from __future__ import annotations

from typing import Any

from tests.conftest import need
from tests.links.hall import exchange, fetch, hall, make_room
from tests.waiting import PATIENCE_S, finished, until

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
            await page.get_by_text("Press an arrow key to join").wait_for()
            await page.keyboard.press("ArrowRight")  # whoever steers takes a seat
            await until(lambda: ann.field is not None)
            await page.locator(".by-board canvas").first.wait_for()
            here.room.tick()
            await page.get_by_text("tick 1", exact=True).wait_for()
            await page.get_by_text("<b>bob</b>").wait_for()
            await page.keyboard.press("ArrowDown")
            await until(lambda: ann.order > 0)
            here.room.tick()
            await page.get_by_text("tick 2", exact=True).wait_for()
            await page.get_by_text("Address for my bot").click()
            await page.get_by_text("/ws?user=ann&code=7").wait_for()
            await browser.close()
        assert troubles == []

    finished(main())


HOSTILE = (
    "</script><script>hacked=1</script>", '"><img src=x onerror=hacked=1>', "'><svg onload=hacked=1>", "<!--<script>",
    "javascript:hacked=1", "[x](javascript:hacked=1)", "{{7*7}}${hacked=1}$name", "&lt;b&gt;", "x" * 50,
)  # fmt: skip
ROOM = '"><img src=x onerror=hacked=1>&a=b?c#d'


def test_no_page_runs_what_a_player_is_called() -> None:
    chromium = need("chromium")

    async def main() -> None:
        from playwright.async_api import async_playwright

        troubles: list[str] = []
        async with hall(make_room(ROOM, tick_ms=100, **FREE)) as here, async_playwright() as driver:
            users = [here.lobby.register(here.room, name).user for name in HOSTILE]
            browser = await driver.chromium.launch(
                executable_path=chromium, args=["--no-sandbox"], timeout=1000 * PATIENCE_S
            )
            page = await browser.new_page()
            page.set_default_timeout(1000 * PATIENCE_S)
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.on("dialog", lambda dialog: troubles.append("a dialog"))
            page.on("console", lambda line: troubles.append(line.text) if line.type == "error" else None)

            async def look(*words: str) -> None:
                for word in words:
                    await page.get_by_text(word, exact=True).first.wait_for(state="attached")
                assert await page.evaluate("typeof hacked") == "undefined"
                assert await page.locator("img, svg").count() == 0

            await page.goto(here.url("/"))
            await page.get_by_role("link", name=ROOM).click()  # its name survives in its address
            await look(ROOM, *HOSTILE)
            await page.get_by_role("link", name="Register").click()
            for name in HOSTILE:
                await page.locator("[name=name]").fill(name)
                await page.get_by_role("button").click()
                await page.get_by_text("registered in").wait_for()  # already: the form comes again with the name
                assert await page.locator("[name=name]").input_value() == name
                await look()
            troubles[:] = [trouble for trouble in troubles if "409" not in trouble]
            for user, name in zip(users, HOSTILE, strict=True):
                await page.goto(here.url(f"/board/player/{user}"))
                await page.locator("#leaders tr").nth(len(HOSTILE) - 1).wait_for(state="attached")
                await look(name)
                assert await page.title() == f"{name} – {ROOM}"
            await browser.close()
        assert troubles == []

    finished(main())


def test_the_page_of_a_room_brings_itself_up_to_date_and_leaves_the_focus_alone() -> None:
    chromium = need("chromium")

    async def main() -> None:
        from playwright.async_api import async_playwright

        async with hall(make_room(tick_ms=100, **FREE)) as here, async_playwright() as driver:
            browser = await driver.chromium.launch(
                executable_path=chromium, args=["--no-sandbox"], timeout=1000 * PATIENCE_S
            )
            page = await browser.new_page()
            page.set_default_timeout(1000 * PATIENCE_S)
            await page.clock.install()
            await page.goto(here.url("/board/room/snakebattle"))
            await page.get_by_text("Be the first").wait_for()
            await page.get_by_role("link", name="Rules").focus()
            here.register("ann")
            here.lobby.register(here.room, "<b>bob</b>")
            await page.clock.fast_forward(6000)
            await page.get_by_role("link", name="<b>bob</b>").wait_for()
            assert await page.locator("#rows tr").count() == 2
            assert await page.locator("#nobody").inner_text() == ""
            assert await page.evaluate("document.activeElement.textContent") == "Rules"
            await browser.close()

    finished(main())


def test_every_answer_tells_browsers_to_guess_and_load_nothing() -> None:
    paths = ["/", "/register", "/nowhere", "/board/player/ann", "/board/room/x", "/pages/board.js", "/rest/health",
             "/rest/screen/ann", "/rest/screen/nobody", "/rest/settings/player", "/help/snakebattle"]  # fmt: skip

    async def main() -> None:
        async with hall(make_room(**FREE)) as here:
            here.register("ann")
            answers = [await fetch(here, path) for path in paths]
            answers.append(await exchange(here, b"GET /elsewhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
            for answer in answers:
                assert "default-src 'none'" in answer.headers["content-security-policy"]
                assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert answer.headers["referrer-policy"] == "no-referrer"

    finished(main())
