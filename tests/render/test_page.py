"""The page of a film as a file: its size, its policy, and modules put together."""

from __future__ import annotations

import re

import pytest

from botyard.games import load
from botyard.kernel.errors import YardError
from botyard.links.play import play
from botyard.match.filming import film_of
from botyard.render import page
from botyard.render.page import bundle, film_page, imported, web_file, web_names
from tests.links.matches import rival_of
from tests.render.pages import filmed

MOST = 400_000
MODULES = [name for name in web_names() if name.endswith(".js")]
LONGEST_MODULE = 300


def test_the_page_of_a_default_game_is_small(game: str) -> None:
    replay = play(game, [rival_of(game)] * load(game).facts.usual_seats, seed=1).replay
    assert len(film_page(film_of(replay)).encode()) <= MOST


def test_the_policy_forbids_everything_but_our_script_and_style() -> None:
    text = film_page(filmed("hive").film, title='"><script>alert(1)</script>')
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "<title>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>" in text
    assert len(re.findall("<script", text)) == 2


@pytest.mark.parametrize("name", MODULES)
def test_a_module_can_be_put_together_with_others(name: str) -> None:
    source = web_file(name)
    assert source.count("import ") == len(imported(source)) + source.count("// import"), "imports stand one to a line"
    exports = [line for line in source.splitlines() if line.startswith("export ")]
    assert len(exports) == len(page.EXPORT.findall(source)), "an export stands where something is declared"
    assert len(source.splitlines()) <= LONGEST_MODULE
    assert "innerHTML" not in source


def test_the_script_of_a_page_imports_nothing() -> None:
    script = bundle('import { showFilms } from "./offline.js";\nimport { turnPanel } from "./turns.js";\n')
    assert "import" not in re.sub(r"//.*|[\"'].*?[\"']", "", script)


def test_modules_that_import_each_other_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {"a.js": 'import { b } from "./b.js";\n', "b.js": 'import { a } from "./a.js";\n'}
    monkeypatch.setattr(page, "web_file", texts.__getitem__)
    with pytest.raises(ValueError, match="imports itself"):
        bundle('import { a } from "./a.js";\n')


@pytest.mark.parametrize("name", ["../page.py", "nothing.js", "", "themes.json"])
def test_only_files_of_the_viewer_are_given_out(name: str) -> None:
    with pytest.raises(YardError, match="file of the viewer"):
        web_file(name)
