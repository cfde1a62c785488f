"""Contest files: what they say, and that every mistake in them is found, named and explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from botyard.contest.identity import differences
from botyard.contest.new_file import new_contest, usual_format, usual_options
from botyard.contest.plan import named_bots
from botyard.contest.reading import BadPlan, read_plan
from botyard.contest.roots import read_root
from botyard.games import load
from botyard.kernel.errors import YardError
from botyard.rank.formats import FORMATS
from botyard.rank.formats.king_of_the_hill import KingOfTheHill
from botyard.rank.formats.round_robin import RoundRobin
from botyard.rank.formats.series import SeriesFormat
from tests.contest.yard import QUICK, bot_file, plan_of, write


def test_a_contest_is_read(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    assert (plan.title, plan.game, plan.root) == ("A quick league", "hive", read_root(7))
    assert plan.keys == ["forager", "raider", "wanderer"]
    assert plan.format == RoundRobin(bouts=2, swap="same_seed")
    assert plan.estimate == (12, 12)
    assert plan.store_path == tmp_path / "league.store"


def test_swapped_seats_on_one_seed_switch_random_seats_off(tmp_path: Path) -> None:
    assert plan_of(tmp_path).settings.of_group("rules")["random_seats"] is False
    unswapped = plan_of(tmp_path, QUICK.replace('swap = "same_seed"', ""))
    assert unswapped.settings.of_group("rules")["random_seats"] is True


MISTAKES = {
    "toolchain zig: cannot use": ("[format]", f'[toolchains]\nzig = "{"x" * 300}"\n[format]'),
    "guests_leave = -1": ("seed = 7", "seed = 7\nguests_leave = -1"),
    "guests_leave = 'two'": ("seed = 7", 'seed = 7\nguests_leave = "two"'),
    "guests_leave = True": ("seed = 7", "seed = 7\nguests_leave = true"),
    "turn_logs = 'some' (must be one of 'all', 'lost', 'none')": ("seed = 7", 'seed = 7\nturn_logs = "some"'),
    "notes = 'yes' (must be true or false)": ("seed = 7", 'seed = 7\nnotes = "yes"'),
    "notes = 1 (must be true or false)": ("seed = 7", "seed = 7\nnotes = 1"),
    "turn_logs = []": ("seed = 7", "seed = 7\nturn_logs = []"),
    "did you mean 'title'": ("title =", "titel ="),
    "unknown game 'hiev'": ('game = "hive"', 'game = "hiev"'),
    "64 hexadecimal digits": ("seed = 7", "seed = -1"),
    "a whole number from 0": ("seed = 7", 'seed = "seven"'),
    "did you mean 'max_turns'": ("max_turns = 20", "max_turn = 20"),
    "settings: setting max_turns": ("max_turns = 20", "max_turns = -1"),
    "did you mean 'raider'": ("house:raider", "house:raidr"),
    "no file 'gone.py'": ("house:raider", "py:gone.py"),
    "/gone' (a bot is a file, or a folder with a program in it)": ("house:raider", "dir:gone"),
    "unknown kind of bot": ("house:raider", "hose:raider"),
    "name a bot that Botyard can start": ("house:raider", "listen:8000"),
    "letters, digits": ('raider = "', '"rai der" = "'),
    "must be a string as on the command line": ('raider = "house:raider"', "raider = 3"),
    "did you mean 'round_robin'": ('"round_robin"', '"round_robbin"'),
    "no format": ('kind = "round_robin"', ""),
    "did you mean 'bouts'": ("bouts = 2", "bout = 2"),
    "setting bouts = 0": ("bouts = 2", "bouts = 0"),
    "one of none, alternate": ('"same_seed"', '"sometimes"'),
    "did you mean 'inline'": ('"inline"', '"inlin"'),
    "did you mean 'executor'": ("executor =", "executer ="),
    "workers = -1": ('executor = "inline"', "workers = -1"),
    "attempts = 0": ('executor = "inline"', "attempts = 0"),
    "true or false": ('executor = "inline"', "replays = 1"),
    "ray://HOST:PORT": ('executor = "inline"', "address = 1"),
    "random_seats = true with swapped seats": ("max_turns = 20", "random_seats = true"),
    "time limit of hive": ("[settings]", "[time]\nmove_ms = 3\n[settings]"),
    "a table: [run]": ('[run]\nexecutor = "inline"', ""),
    "this format takes 2": ('kind = "round_robin"\nbouts = 2\nswap = "same_seed"', 'kind = "compare"'),
    "the format plays games of 3 bots: 3 bots for 2 seats": ("bouts = 2", "seats = 3"),
    "did you mean 'level'": ("[run]", "[cage]\nlevl = 1\n[run]"),
    "one of 'caged', 'limited', 'open'": ("[run]", '[cage]\nlevel = "closed"\n[run]'),
    "memory_mb = 1": ("[run]", "[cage]\nmemory_mb = 1\n[run]"),
    "freeze = 'yes'": ("[run]", '[cage]\nfreeze = "yes"\n[run]'),
    "unknown preset 'doc'": ("seed = 7", 'seed = 7\npreset = "doc"'),
    "put the seed of the contest at the top": ("max_turns = 20", "seed = 3"),
    "is not valid TOML": ("[bots]", "[bots"),
    "at most 200 printable characters": ("A quick league", "\\u001b[2J"),
    "title = 5 (must be a string in quotes)": ('title = "A quick league"', "title = 5"),
    "title = 'xxxxx": ("A quick league", "x" * 201),
    "key of more than 16 parts": ("seed = 7", f"seed = 7\n{'a.' * 30_000}a = 1"),
    "brackets nested more than 32 levels deep": ("seed = 7", f"seed = {'[' * 30_000}"),
    "does it contain a number with thousands of digits": ("seed = 7", f"seed = {'9' * 5000}"),
    "more than 64 bits": ("seed = 7", f"seed = 0x{'f' * 17}"),
    "zero byte": ("house:raider", "dir:a\\u0000b"),
    "larger than 256 KiB": ("seed = 7", f"seed = 7 #{'x' * (1 << 18)}"),
    "unknown preset '[]'": ("max_turns = 20", "profile = []"),
    "cannot access": ("house:raider", f"dir:{'x' * 300}"),
    "cannot be read": ("house:raider", f"py:{'x' * 300}"),
}


@pytest.mark.parametrize("expected", MISTAKES)
def test_a_mistake_is_named(tmp_path: Path, expected: str) -> None:
    before, after = MISTAKES[expected]
    assert before in QUICK
    text = QUICK.replace(before, after)
    if expected == "a table: [run]":
        text = 'run = "fast"\n' + text
    with pytest.raises(YardError) as caught:
        plan_of(tmp_path, text)
    assert expected in str(caught.value)


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    text = (
        QUICK.replace("house:raider", "house:raidr").replace("bouts = 2", "bout = 2").replace("seed = 7", "seed = 7.5")
    )
    with pytest.raises(BadPlan) as caught:
        plan_of(tmp_path, text)
    assert {mistake.where for mistake in caught.value.mistakes} == {"bots.raider", "format", "seed"}


def test_a_contest_without_bots_is_told_how_to_name_them(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="a line NAME"):
        plan_of(tmp_path, QUICK.split("[bots]")[0] + '[format]\nkind = "round_robin"\n')


def test_a_contest_of_more_games_than_memory_holds_is_refused_at_once(tmp_path: Path) -> None:
    bots = "".join(f'b{number} = "house:wanderer"\n' for number in range(3000))
    text = QUICK.split("[bots]")[0] + f'[bots]\n{bots}[format]\nkind = "round_robin"\nbouts = 1000000\n'
    with pytest.raises(BadPlan, match="use fewer bots, bouts or seats"):
        plan_of(tmp_path, text)


def test_one_bot_alone_has_nothing_to_play(tmp_path: Path) -> None:
    text = QUICK.replace('raider = "house:raider"\nwanderer = "house:wanderer"', "")
    with pytest.raises(BadPlan, match="no game would be played"):
        plan_of(tmp_path, text)


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(YardError, match="No such file"):
        read_plan(tmp_path / "gone.toml")
    binary = tmp_path / "picture.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(YardError, match="is not UTF-8 text"):
        read_plan(binary)


def test_paths_of_bots_start_at_the_contest_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = f"py:{bot_file(tmp_path, 'mine')}"
    monkeypatch.chdir("/")
    assert plan_of(tmp_path, QUICK.replace("house:raider", mine)).specs["raider"] == mine


def test_time_limits_have_a_table_of_their_own(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace("[bots]", "[time]\nreply_timeout_ms = 77\n[bots]"))
    assert plan.settings.of_group("clock")["reply_timeout_ms"] == 77


def test_a_games_own_numbers_are_the_formats_defaults(tmp_path: Path) -> None:
    battle = (
        'game = "battlebots"\nseed = 1\n[bots]\na = "house:nop"\nb = "house:hugger"\n[format]\nkind = "round_robin"\n'
    )
    assert plan_of(tmp_path, battle).format == RoundRobin(bouts=5, count="matches")
    assert plan_of(tmp_path, battle + "bouts = 3").format == RoundRobin(bouts=3, count="matches")
    pit = 'game = "snakepit"\nseed = 1\n[settings]\nsolo_games = 4\n[bots]\na = "house:careful"\n'
    assert plan_of(tmp_path, pit + '[format]\nkind = "king_of_the_hill"\n').format == KingOfTheHill(solo_games=4)


def test_an_edited_contest_shows_what_changed(tmp_path: Path) -> None:
    before = plan_of(tmp_path).identity
    after = plan_of(tmp_path, QUICK.replace("bouts = 2", "bouts = 3").replace("wanderer =", "walker =")).identity
    assert differences(before.rules, before.rules) == differences(before.bots, before.bots) == []
    assert differences(before.rules, after.rules) == ["format.bouts: 2 → 3"]
    assert differences(before.bots, after.bots) == [
        "wanderer: 'house:wanderer' → nothing",
        "walker: nothing → 'house:wanderer'",
    ]


def test_another_content_of_a_python_bot_is_another_contest(tmp_path: Path) -> None:
    text = QUICK.replace("house:raider", f"py:{bot_file(tmp_path, 'mine')}")
    before = plan_of(tmp_path, text).identity.fingerprint
    bot_file(tmp_path, "mine", "def decide(view):\n    return 1\n")
    assert plan_of(tmp_path, text).identity.fingerprint != before


def test_the_cage_is_part_of_a_contest(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, QUICK.replace("[run]", '[cage]\nlevel = "open"\nmemory_mb = 64\nfreeze = true\n[run]'))
    assert plan.brief.cage.policy.level == "open"
    assert plan.brief.cage.policy.limits.memory_mb == 64
    assert differences(plan_of(tmp_path).identity.rules, plan.identity.rules) == [
        "cage.level: '' → 'open'", "cage.memory_mb: 1024 → 64", "cage.freeze: false → true",
    ]  # fmt: skip


def test_title_and_executor_are_no_part_of_the_identity(tmp_path: Path) -> None:
    before = plan_of(tmp_path).identity
    assert plan_of(tmp_path, QUICK.replace("quick", "slow").replace("inline", "local")).identity == before


def test_the_file_for_a_new_contest_is_a_right_one(tmp_path: Path, game: str) -> None:
    book = load(game)
    plan = plan_of(tmp_path, new_contest(book, usual_format(book)))
    assert {spec.removeprefix("house:") for spec in plan.specs.values()} == set(book.bots.HOUSE_BOTS)
    assert plan.estimate.least > 0


def test_mistakes_are_counted(tmp_path: Path) -> None:
    with pytest.raises(YardError, match="has a mistake: "):
        plan_of(tmp_path, QUICK.replace("bouts = 2", "bouts = 0"))
    with pytest.raises(YardError, match="has 2 mistakes: "):
        plan_of(tmp_path, QUICK.replace("seed = 7", "seed = true").replace("bouts = 2", "bouts = 0"))


def test_a_new_round_robin_plays_bouts_with_swapped_seats_and_a_format_of_another_kind_as_it_is() -> None:
    book = load("hive")
    assert usual_options(book, "round_robin", 4) == {"bouts": 20, "swap": "same_seed"}
    assert {kind for kind in FORMATS if usual_options(book, kind, 4)} == {"round_robin"}


def test_the_more_bots_a_new_round_robin_has_the_fewer_bouts_two_of_them_play() -> None:
    bouts = {count: usual_options(load("hive"), "round_robin", count)["bouts"] for count in (0, 1, 8, 9, 25, 90)}
    assert bouts == {0: 20, 1: 20, 8: 20, 9: 16, 25: 2, 90: 1}


@pytest.mark.parametrize("kind", sorted(set(FORMATS) - {"king_of_the_hill"}))
def test_every_format_has_a_file_to_start_from(tmp_path: Path, kind: str) -> None:
    # one match of all bots needs a game with room for all of them
    book = load("snakebattle" if kind in ("best_of", "first_to", "fixed") else "hive")
    if kind == "points_table":
        book = load("snakebattle")
    assert kind == plan_of(tmp_path, new_contest(book, kind)).format.NAME


def test_bots_without_names_get_some() -> None:
    named = named_bots(["py:bots/new.py", "py:old/new.py", "cmd:./run me", "house:raider"])
    assert list(named) == ["new", "new-2", "run", "raider"]


def test_a_file_of_another_name_has_another_store(tmp_path: Path) -> None:
    assert read_plan(write(tmp_path, name="cup.toml")).store_path.name == "cup.store"


def test_the_file_in_the_documents_is_a_right_one(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "contests.md").read_text()
    head = 'title = "Autumn league"\n'
    text = head + page.partition(f"```toml\n{head}")[2].partition("```")[0]
    for spec in ("dir:bots/anna", "cmd:bots/ben/ben --fast", "py:bots/carla/carla.py"):
        assert spec in text
        text = text.replace(spec, "house:raider")
    plan = plan_of(tmp_path, text)
    assert plan.title == "Autumn league"
    assert plan.estimate.least == 6 * 40


def match(kind: str, game: str = "snakepit", more: str = "") -> str:
    text = QUICK.replace('"hive"', f'"{game}"').replace("max_turns = 20", more)
    for bot, own in (("forager", "careful"), ("raider", "beeline"), ("wanderer", "aggressor")):
        text = text.replace(bot, own)
    return text.partition("[format]")[0] + f'[format]\nkind = "{kind}"\n'


@pytest.mark.parametrize(
    ("kind", "length"), [("best_of", {"games": 30}), ("first_to", {"wins": 15}), ("fixed", {"games": 30})]
)
def test_a_match_of_snakepit_has_its_length_and_its_bonus(tmp_path: Path, kind: str, length: dict[str, int]) -> None:
    shape = plan_of(tmp_path, match(kind)).format
    assert isinstance(shape, SeriesFormat)
    assert shape == FORMATS[kind].read({**length, "bonus": 2500})
    odd = 'preset = "program"\n' + match(kind, more="wash_limit = 9\nmatch_games_cap = 8")
    assert plan_of(tmp_path, odd).format == FORMATS[kind].read(
        {**length, "bonus": 2500, "wash_limit": 9, "match_games_cap": 8, "rng_per_game": False}
    )


def test_the_hill_plays_as_the_settings_of_snakepit_say(tmp_path: Path) -> None:
    shape = plan_of(tmp_path, 'preset = "program"\n' + match("king_of_the_hill")).format
    assert isinstance(shape, KingOfTheHill)
    assert (shape.solo_replays, shape.rng_per_game, shape.wash_limit) == (True, False, 0)
    usual = plan_of(tmp_path, match("king_of_the_hill")).format
    assert isinstance(usual, KingOfTheHill)
    assert (usual.solo_replays, usual.rng_per_game, usual.wash_limit) == (False, True, 1000)


def test_another_content_of_a_program_is_another_contest(tmp_path: Path) -> None:
    bot = bot_file(tmp_path, "bot", "print('1,0')\n")
    net, notes = tmp_path / "bots" / "bot" / "net.bin", tmp_path / "bots" / "bot" / "notes.txt"
    net.write_bytes(b"weights")
    notes.write_text("not named")
    command = f"cmd:python3 {bot} --net=bots/bot/net.bin --fast"
    text = QUICK.replace("house:raider", command, 1)
    text = text.replace("house:wanderer", f"json:python3 './{bot}'", 1)
    before = plan_of(tmp_path, text).identity
    assert before.bots["raider"].startswith(f"{command} (content ")
    notes.write_text("changed")
    assert plan_of(tmp_path, text).identity == before
    net.write_bytes(b"better weights")
    [line] = differences(before.bots, plan_of(tmp_path, text).identity.bots)
    assert line.startswith("raider: ")
    bot_file(tmp_path, "bot", "print('1,1')\n")
    lines = differences(before.bots, plan_of(tmp_path, text).identity.bots)
    assert [line.partition(":")[0] for line in lines] == ["raider", "wanderer"]


def test_a_command_line_without_files_stands_for_itself(tmp_path: Path) -> None:
    for line in ("cmd:python3 -c pass", f"cmd:python3 -c {'p' * 5000}", "json:python3 ."):
        text = QUICK.replace("house:raider", line, 1)
        assert plan_of(tmp_path, text).identity.bots["raider"] == line
