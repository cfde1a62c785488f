"""Somebody at a browser on the way of a contest: with a mouse, with the keyboard alone, or without scripts.

The steps are written once, over four acts: to type, to choose, to attach a file and to press. Who has only a keyboard
goes to everything with the Tab key, and must always see where they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from tests.render.pages import PATIENCE_MS
from tests.waiting import wait_until
from tests.yard.handing_in import zipped
from tests.yard.residents import PASSWORD

MOST_TABS = 400
WHERE = """() => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) >= 1) || boxShadow !== "none";
}"""

MAIN_C = """\
#include <stdio.h>
#include <string.h>

static char line[65536];

int main(void) {
    int round = 0; /* MARK: nobody else reads this */
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "update game round %d", &round) == 1)
            fprintf(stderr, "MARK: thinking about round %d\\n", round);
        else if (strncmp(line, "action move", 11) == 0)
            puts(WRONG ? "jump" : "pass");
    }
    return 0;
}
"""
MAKEFILE = """\
# ONCE
bot: main.c
\t@for part in 1 2 3 4 5 6; do echo "MARK: part $$part"; sleep PAUSE; done
\tcc -O2 -o bot main.c
"""
NEVER, ALWAYS, LATE = "0", "1", "round > 40 && round < 44"  # when its answers are wrong; a check has fewer rounds


def c_folder(mark: str, wrong: str = LATE, pause_s: float = 0) -> dict[str, bytes]:
    """A bot in C for Hack-man, in a folder; every text of its own has a mark in it. Its build may take its time.

    No two are alike, because what was built once is not built again.
    """
    files = {
        "main.c": MAIN_C.replace("WRONG", wrong),
        "Makefile": MAKEFILE.replace("PAUSE", str(pause_s)).replace("ONCE", uuid4().hex),
        "botyard.toml": 'game = "hackman"\nlanguage = "c"\nbuild = "make"\nrun = "./bot"\n',
    }
    return {f"bot/{name}": text.replace("MARK", mark).encode() for name, text in files.items()}


@dataclass
class Wayfarer:
    """Somebody with a mouse. `folder` is where they keep what they upload."""

    page: Any
    site: str
    name: str
    folder: Path
    scripts: bool = True

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE_MS)

    # The acts

    def type_into(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)

    def choose(self, label: str, option: str) -> None:
        self.page.get_by_label(label, exact=True).select_option(label=option)

    def attach(self, label: str, file: Path) -> None:
        self.page.get_by_label(label, exact=True).set_input_files(file)

    def press(self, role: str, name: str, place: str = "body") -> None:
        """Presses a button or a link by its name; the first such one in a place."""
        self.page.locator(place).get_by_role(role, name=name).first.click()

    # The steps

    def register(self) -> None:
        self.page.goto(self.site)
        self.press("link", "Register")
        self.page.wait_for_url("**/register*")
        self.type_into("Name", self.name)
        self.type_into("Password", PASSWORD)
        self.type_into("Password, again", PASSWORD)
        self.press("button", "Register")
        self.page.wait_for_url("**/me")

    def hand_in(self, bot: str, game: str, files: Mapping[str, bytes]) -> None:
        """Uploads a folder as a zip, and goes to the page of its version."""
        packed = self.folder / f"{bot}.zip"
        packed.write_bytes(zipped(files))
        self.page.goto(f"{self.site}/me")
        self.press("link", "Upload a bot")
        self.page.wait_for_url("**/bots/new")
        self.choose("Game", game)
        self.type_into("Name of the bot", bot)
        self.attach("A file or an archive", packed)
        self.press("button", "Upload")
        self.page.wait_for_url("**/versions/*")

    @property
    def state(self) -> str:
        """Where the version stands that is looked at; on a page that is being made anew, nothing."""
        shown = self.page.locator("[data-state]")
        return str(shown.first.get_attribute("data-state")) if shown.count() else ""

    def await_state(self, *states: str) -> list[str]:
        """Stays on the page of a version until it stands there; returns every build log that was seen on the way."""
        seen: list[str] = []

        def there() -> bool:
            log = self.page.locator("pre.log").last
            if log.count() and (text := log.inner_text()) not in seen:
                seen.append(text)
            if self.state in states:
                return True
            if not self.scripts and self.page.get_by_role("link", name="Look again").count():
                self.press("link", "Look again")
            return False

        wait_until(there, lambda: f"{self.state}: {self.words()}")
        return seen

    def words(self) -> str:
        return str(self.page.locator("main").inner_text())

    def activate(self) -> None:
        self.press("button", "Activate version")
        self.page.locator(".lead").get_by_text("active", exact=True).wait_for()

    def to_table(self, slug: str) -> str:
        """Goes to the table of a ladder and returns it in words."""
        self.press("link", "Ladders", "header")
        self.page.wait_for_url("**/ladders")
        self.press("link", "Hack-man", "main")
        self.page.wait_for_url(f"**/ladders/{slug}")
        return str(self.page.locator("table.ladder").inner_text())

    def to_lost_turn(self, bot: str) -> str:
        """Waits on the page of a bot until it has lost a turn in a game that may be shown, and goes there."""
        self.press("link", bot, "table.ladder")
        self.page.wait_for_url("**/bots/*")

        def lost() -> bool:
            self.page.reload()
            return bool(self.page.get_by_role("link", name="of match").count())

        wait_until(lost, self.words)
        self.press("link", "of match")
        self.page.wait_for_url("**/matches/*")
        self.page.locator(".by-turn-bad").wait_for()
        return str(self.page.url)

    @property
    def turn(self) -> str:
        """What is said beside the board of the turn that is looked at."""
        return str(self.page.locator(".by-turn-body").inner_text())


class KeyboardWayfarer(Wayfarer):
    """Somebody without a mouse."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.page.on("filechooser", lambda _: None)  # from now on the browser opens no dialogue of its own

    def go_to(self, wanted: Any) -> None:
        """Tabs on until an element has the focus, which must be seen."""
        for _ in range(MOST_TABS):
            if wanted.count() and wanted.first.evaluate("(element) => element === document.activeElement"):
                assert self.page.evaluate(WHERE), f"the focus cannot be seen: {wanted}"
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key never comes to {wanted}")

    def type_into(self, label: str, text: str) -> None:
        self.go_to(self.page.get_by_label(label, exact=True))
        self.page.keyboard.type(text)

    def choose(self, label: str, option: str) -> None:
        wanted = self.page.get_by_label(label, exact=True)
        self.go_to(wanted)
        self.page.keyboard.type(option)
        assert wanted.evaluate("(list) => list.selectedOptions[0].label") == option

    def attach(self, label: str, file: Path) -> None:
        self.go_to(self.page.get_by_label(label, exact=True))
        with self.page.expect_file_chooser() as opened:
            self.page.keyboard.press("Enter")
        opened.value.set_files(file)

    def press(self, role: str, name: str, place: str = "body") -> None:
        self.go_to(self.page.locator(place).get_by_role(role, name=name))
        self.page.keyboard.press("Enter")
