"""A contest file to start from, as the form of a yard offers it for a game and a format."""

from __future__ import annotations

from botyard.contest.new_file import option_lines, toml, usual_format, usual_options
from botyard.games import load
from botyard.rank.formats import FORMATS

PLAYERS = 16  # for whom the file is thought: so many bots make a contest of a class

NOT_HERE = ("compare",)  # formats of the command line that compare one's own bots


def formats_here() -> dict[str, str]:
    """Returns the formats that contests of a yard have, each with a sentence."""
    return {name: kind.SUMMARY for name, kind in FORMATS.items() if name not in NOT_HERE}


def starting_file(game: str, kind: str = "") -> str:
    """Returns the text of a contest file with the house bots of a game as guests."""
    book = load(game)
    chosen = kind if kind in formats_here() else usual_format(book)
    title = f"{book.facts.title}, {chosen.replace('_', ' ')}"
    house = [f'{name} = {{ bot = "house:{name}", guest = true }}' for name in book.bots.HOUSE_BOTS]
    return "\n".join(
        [
            f"title = {toml(title)}",
            f"game = {toml(game)}",
            'preset = "document"',
            "# seed = 7  # repeats a contest; without it a secret one is drawn, and shown at the end",
            '# rerun = "on_change"  # plays again whenever an entered bot changes',
            "guests_leave = 2  # guests leave once this many players' bots take part; 0: they stay",
            "",
            "[bots]  # house bots; everybody else enters on the contest's page",
            *house,
            "",
            "[format]",
            f"kind = {toml(chosen)}",
            *(line for line in option_lines(FORMATS[chosen], usual_options(book, chosen, PLAYERS))),
            "",
            "[settings]",
            "",
        ]
    )
