"""Recordings of the original, its cases, and what is neither."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from functools import cache
from itertools import groupby
from typing import Any

import pytest

from botyard.games.snakebattle.files import recognise
from botyard.games.snakebattle.files.drawn import read_snake
from botyard.games.snakebattle.scene.wording import read_event
from botyard.kernel.errors import BadRecord
from botyard.kernel.recording import Conformance, read_text
from botyard.kernel.rule import INTERPRETED
from tests.conftest import outside_recordings, recorded_file
from tests.games.snakebattle.recorded import as_lines, conform
from tests.games.snakebattle.table import Battle

RANDOM = recorded_file("snakebattle")


@cache
def random_games() -> dict[int, list[dict[str, Any]]]:
    """Our recordings of the original, by their number."""
    records = [json.loads(line) for line in read_text(RANDOM).splitlines()]
    return {number: list(game) for number, game in groupby(records, key=lambda record: int(record["run"]))}


@pytest.mark.skipif(INTERPRETED, reason="a minute without a compiler; the games' beginnings are played in any case")
def test_the_random_games_of_the_original_come_out() -> None:
    result = conform(read_text(RANDOM))
    assert result.holds, result.first
    assert (result.games, result.steps) == (14, 3264)


def test_the_beginnings_of_the_random_games_come_out() -> None:
    """In the eighteenth somebody joins and somebody leaves."""
    share = [game[: 56 if number == 18 else 14] for number, game in random_games().items()]
    result = conform(as_lines([record for game in share for record in game]))
    assert result.holds, result.first
    assert (result.games, result.steps) == (14, sum(len(game) - 1 for game in share))


@pytest.mark.skipif(INTERPRETED, reason="a minute, or hours, without a compiler: many ways are tried for every tick")
@pytest.mark.parametrize(
    ("file", "games", "steps"),
    [("cases_dev.json", 93, 998), ("smoke_full.jsonl.gz", 1, 1000), ("smoke.jsonl.gz", 1, 2000)],
)
def test_the_recordings_outside_come_out(file: str, games: int, steps: int) -> None:
    result = conform(read_text(outside_recordings("snakebattle") / file))
    assert result.holds, result.first
    assert (result.games, result.steps) == (games, steps)


@pytest.mark.parametrize("joint", [None, "", "\n"])
@pytest.mark.parametrize("among", [False, True])
def test_a_map_stands_beside_the_settings_or_among_them(joint: str | None, among: bool) -> None:
    head, *ticks = random_games()[6][:9]
    level = head["map"] if joint is None else joint.join(head["map"])
    if among:
        given = {key: value for key, value in head.items() if key != "map"}
        told = {**given, "settings": {**head["settings"], "level_map": level}}
    else:
        told = {**head, "map": level}
    assert conform(as_lines([told, *ticks])).holds


@pytest.mark.parametrize("sign", ["\x85", "\u2028", "\u2029"])
def test_an_answer_may_hold_signs_that_break_lines_elsewhere(sign: str) -> None:
    head, first, *_ = random_games()[6]
    told = {**first, "commands": [f"{text}{sign}" if text else text for text in first["commands"]]}
    lines = [json.dumps(record, ensure_ascii=False) for record in (head, told)]
    assert conform("\n".join(lines)).holds


@pytest.fixture(scope="module")
def short_run() -> list[dict[str, Any]]:
    """The beginning of one recorded game, which comes out as long as nobody touches it."""
    beginning = random_games()[6][:40]
    assert conform(as_lines(beginning)).holds
    return beginning


def tampered_board(record: dict[str, Any]) -> None:
    record["boards"]["1"][1] = record["boards"]["1"][1].replace(" ", "○", 1)


def tampered_events(record: dict[str, Any]) -> None:
    record["events"][0].append("APPLE")


def tampered_scores(record: dict[str, Any]) -> None:
    record["scores"][1] += 1


def tampered_dice(record: dict[str, Any]) -> None:
    record["dice"].append(0)
    record["faces"].append(50)


def tampered_faces(record: dict[str, Any]) -> None:
    record["dice"].insert(0, 1)
    record["faces"].insert(0, 7)


def tampered_respawn(record: dict[str, Any]) -> None:
    record["respawn"] = [*record["respawn"], 3]


def tampered_leavers(record: dict[str, Any]) -> None:
    record["should_leave"] = [2]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (tampered_board, "board of player 1"),
        (tampered_events, "events"),
        (tampered_scores, "scores"),
        (tampered_dice, "dice"),
        (tampered_faces, "dice"),
        (tampered_respawn, "players seated anew"),
        (tampered_leavers, "players to leave"),
    ],
)
def test_whatever_is_changed_in_a_recording_is_found(
    short_run: list[dict[str, Any]], change: Callable[[dict[str, Any]], None], what: str
) -> None:
    records = copy.deepcopy(short_run)
    change(records[30])
    result = conform(as_lines(records))
    assert result.first is not None
    assert (result.first.game, result.first.step, result.first.what) == ("6", 30, what)


def test_dice_of_the_seating_are_compared_too(short_run: list[dict[str, Any]]) -> None:
    records = copy.deepcopy(short_run)
    tampered_dice(records[0])
    result = conform(as_lines(records))
    assert result.first is not None
    assert (result.first.step, result.first.what) == (1, "dice")


def test_the_form_of_the_reference_game_has_answers_and_the_scores_before_them(short_run: list[dict[str, Any]]) -> None:
    head, *ticks = copy.deepcopy(short_run)
    kept = []
    scores = [0] * head["players"]
    for record in ticks:
        if "join" in record or "leave" in record:
            break
        commands, after = record.pop("commands"), record.pop("scores")
        kept.append({**record, "answers": [text or "" for text in commands], "scores": scores})
        scores = after
    del head["run"]
    assert len(kept) > 10
    assert conform(as_lines([head, *kept])).holds
    kept[8]["scores"] = [score + 1 for score in kept[8]["scores"]]
    result = conform(as_lines([head, *kept]))
    assert result.first is not None
    assert result.first.what == "scores"


# What is no recording


@pytest.mark.parametrize(
    "text", ["", "[", "[]", "[1]", '[{"name": 1}]', "{", "1", '{"settings": 3}', '{"game": "hive", "steps": []}']
)
def test_other_texts_are_not_recognised(text: str) -> None:
    assert not recognise(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"settings": {"rounds_enabled": true}, "dice": [1], "faces": []}',
        '{"settings": {"rounds_enabled": true}, "players": 1, "dice": [1], "faces": []}',
        '{"settings": {"rounds_enabled": true}, "players": 0, "dice": [], "faces": []}\n{"tick": 1}',
        '{"settings": {"rounds_enabled": true}}\n{',
        '[{"name": "x", "settings": {}, "steps": [{"nonsense": 1}]}]',
        '[{"name": "x", "settings": {}, "steps": [{"dice": [3]}]}]',
        '[{"name": "x", "settings": {}, "steps": 5}]',
    ],
)
def test_a_damaged_recording_is_an_error_with_a_hint(text: str) -> None:
    with pytest.raises(BadRecord):
        conform(text)


def test_an_event_nobody_knows_is_an_error() -> None:
    with pytest.raises(BadRecord, match="unknown event"):
        read_event("DANCE")
    assert read_event("[Time is over]")[1] == 0
    assert read_event("EAT[4]")[1] == 4


# Cases


def case(*steps: dict[str, Any], **settings: Any) -> Conformance:
    plain = {"rounds_enabled": True, "rounds_time_before_start": 0, **settings}
    return conform(json.dumps([{"name": "made up", "settings": plain, "steps": list(steps)}]))


LONE = {"snake": {"head": [0, 0], "length": 2, "direction": "right", "active": True}}


def test_a_lone_snake_goes_on_for_ever_on_its_plane() -> None:
    result = case(LONE, {"remember": "body"}, {"tick": 40}, {"state": {"hero": {"alive": True, "length": 2}}})
    assert result.holds
    assert result.notes == ["1 of 1 cases"]
    moved = case(LONE, {"remember": "body"}, {"tick": 28}, {"unchanged": "body"})
    assert moved.first is not None
    assert moved.notes == ["0 of 1 cases"]


def test_things_lie_everywhere_on_a_plane() -> None:
    steps: list[dict[str, Any]] = [LONE, {"everywhere": {"fury_pill": True}}, {"tick": 1}]
    steps += [{"everywhere": {"fury_pill": False, "stone": True}}, {"tick": 1}, {"everywhere": {"stone": False}}]
    steps += [{"state": {"hero": {"stones": 1, "is_fury": True}}}, {"everywhere": {"stone_drop_allowed": False}}]
    steps += [{"do": {"hero": ["act"]}}, {"state": {"hero": {"stones": 1}}}]
    steps += [{"everywhere": {"stone_drop_allowed": True}}, {"do": {"hero": ["act"]}}]
    steps += [{"state": {"hero": {"stones": 0}}}, {"set": {"hero": {"active": False}}}, {"tick": 1}]
    steps += [{"state": {"hero": {"active": False, "flying": 0, "is_flying": False, "should_leave": False}}}]
    assert case(*steps).holds


def test_the_steps_of_cases() -> None:
    rows = ["☼☼☼☼☼☼☼", "☼#╘►  ☼", "☼     ☼", "☼  ˄  ☼", "☼  ¤  ☼", "☼     ☼", "☼☼☼☼☼☼☼"]
    steps: list[dict[str, Any]] = [{"dice": [0]}, {"given": rows}, {"players": 2}, {"expect": {"hero": rows}}]
    steps += [{"set": {"hero": {"flying": 5, "fury_add": 3}}}, {"wear": {"hero": 4}}]
    steps += [{"state": {"hero": {"flying": 1, "fury": 0}}}]
    steps += [{"put": {"apple": [5, 1]}}, {"count": {"apples": 1}}, {"objects": {"apples": [[5, 1]]}}]
    steps += [{"do": {"enemy": ["act(0)"]}}, {"events": {"enemy": ["DIE"], "hero": []}}, {"respawn": "enemy"}]
    steps += [{"state": {"enemy": {"active": False}}}, {"score": {"hero": 7}}, {"score_event": {"hero": "EAT[2]"}}]
    steps += [{"expect_score": {"hero": 27}}, {"leave": "enemy"}, {"tick": 1}, {"events": {"hero": []}}]
    assert case(*steps).holds


def test_a_case_goes_on_to_ask_about_a_player_who_left() -> None:
    rows = ["☼☼☼☼☼☼☼", "☼#╘►  ☼", "☼     ☼", "☼  ˄  ☼", "☼  ¤  ☼", "☼     ☼", "☼☼☼☼☼☼☼"]
    empty = [*rows[:1], "☼#    ☼", *rows[2:]]
    begin: list[dict[str, Any]] = [{"given": rows}, {"players": 2}]
    steps = [*begin, {"leave": "hero"}, {"expect": {"hero": empty}}, {"do": {"hero": ["up"]}}]
    steps += [{"state": {"hero": {"alive": False, "active": True, "length": 2, "should_leave": False}}}]
    steps += [{"events": {"hero": ["DIE"], "enemy": ["WIN"]}}, {"tick": 1}, {"expect_score": {"hero": 0}}]
    assert case(*steps, rounds_min_ticks_for_win=1).holds
    asleep = [*begin, {"set": {"hero": {"active": False}}}, {"leave": "hero"}, {"events": {"hero": [], "enemy": []}}]
    assert case(*asleep, {"state": {"hero": {"alive": True, "active": False}}}).holds
    again = [*steps, *begin, {"state": {"hero": {"alive": True}}}]
    assert case(*again, rounds_min_ticks_for_win=1).holds


def test_a_player_without_a_drawn_snake_is_seated_and_woken() -> None:
    battle = Battle("☼☼☼☼☼\n☼☼  ☼\n☼#  ☼\n☼   ☼\n☼☼☼☼☼")
    assert battle.board()[2] == "╘►  ☼"
    assert Battle("☼☼☼☼☼\n☼   ☼\n☼~& ☼\n☼   ☼\n☼☼☼☼☼").board()[2] == "☼╘► ☼"


def test_flying_and_furious_heads_look_where_the_body_says() -> None:
    assert Battle("☼☼☼☼☼\n☼╓  ☼\n☼♥  ☼\n☼   ☼\n☼☼☼☼☼").snake()["direction"] == 3
    assert Battle("☼☼☼☼☼\n☼   ☼\n☼♠╕ ☼\n☼   ☼\n☼☼☼☼☼").snake()["direction"] == 0
    assert Battle("☼☼☼☼☼\n☼♠  ☼\n☼╙  ☼\n☼   ☼\n☼☼☼☼☼").snake()["direction"] == 2
    assert Battle("☼☼☼☼☼\n☼  ♥☼\n☼   ☼\n☼   ☼\n☼☼☼☼☼").snake()["direction"] == 1


def test_a_drawn_snake_with_a_gap_is_an_error() -> None:
    with pytest.raises(BadRecord, match="gap"):
        read_snake(["     ", " ║►  ", "     ", "     ", "     "], mine=True)
