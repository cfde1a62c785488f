"""Records: no padding, no hidden attributes, and integers that do not overflow when interpreted."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from botyard.kernel.records import Cells, Fields, layout, record_of, spare_bytes, told_fields


def test_a_layout_with_padding_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^3 bytes of padding"):
        layout([("flag", "u1"), ("count", "u4")])


def test_a_layout_without_padding_is_as_large_as_its_fields() -> None:
    assert layout([("count", "u4"), ("marks", "u1", (3,)), ("spare", "u1", (1,))]).itemsize == 8


@pytest.mark.parametrize("name", ["round", "view", "size", "copy", "T"])
def test_a_field_must_not_hide_an_attribute_of_a_record(name: str) -> None:
    with pytest.raises(ValueError, match="would hide"):
        layout([(name, "u4")])


def test_spare_bytes_fill_up_to_a_multiple() -> None:
    assert [spare_bytes(used, 4) for used in range(5)] == [0, 3, 2, 1, 0]


def test_words_show_a_list_a_second_time() -> None:
    kind = layout([("pairs", "i1", (4, 2)), ("count", "i4"), ("spare", "u1", (4,))], {"words": (["pairs"], "i8", (1,))})
    record = record_of(np.zeros(1, kind))
    record.pairs[3] = 1, 2
    assert record.words[0] == int.from_bytes(bytes([0, 0, 0, 0, 0, 0, 1, 2]), sys.byteorder)
    record.words[0] = 0
    assert not record.pairs.any()
    assert told_fields(kind) == ["pairs", "count"]


def test_words_may_show_two_lists_at_once() -> None:
    kind = layout([("pairs", "i1", (2, 2)), ("singles", "i1", (4,))], {"words": (["pairs", "singles"], "i8", (1,))})
    record = record_of(np.zeros(1, kind))
    record.words[0] = int.from_bytes(bytes([1, 2, 3, 4, 5, 6, 7, 8]), sys.byteorder)
    assert record.pairs.tolist() == [[1, 2], [3, 4]]
    assert record.singles.tolist() == [5, 6, 7, 8]
    assert told_fields(kind) == ["pairs", "singles"]


def test_words_are_as_long_as_their_list_and_aligned() -> None:
    with pytest.raises(ValueError, match="differ in size: 16, 8"):
        layout([("pairs", "i1", (4, 2))], {"words": (["pairs"], "i8", (2,))})
    with pytest.raises(ValueError, match="not divisible"):
        layout([("count", "i4"), ("pairs", "i1", (4, 2)), ("spare", "u1", (4,))], {"words": (["pairs"], "i8", (1,))})


@pytest.mark.parametrize("name", ["round", "view"])
def test_words_must_not_hide_an_attribute_either(name: str) -> None:
    with pytest.raises(ValueError, match="would hide"):
        layout([("pairs", "i1", (4, 2))], {name: (["pairs"], "i8", (1,))})


PAIR = layout([("small", "u1", (2,))])
KIND = layout([("total", "i4"), ("pairs", PAIR, (2,)), ("edge", "u1"), ("spare", "u1", (3,))])


def test_interpreted_reads_are_python_integers() -> None:
    array = np.zeros(1, KIND)
    record = Fields(array[0])
    record.edge = 20
    assert record.edge * 30 == 600
    assert record.edge - 21 == -1


def test_interpreted_writes_reach_the_array() -> None:
    array = np.zeros(2, KIND)
    games = Cells(array)
    games[1].total = 7
    games[1].pairs[0].small[1] = 9
    games[0] = games[1]
    assert array["total"].tolist() == [7, 7]
    assert array[0]["pairs"][0]["small"][1] == 9
    assert len(games) == 2
    assert [game.total for game in games] == [7, 7]
    assert games[0].pairs.shape == (2,)


def test_an_interpreted_write_out_of_range_is_noticed() -> None:
    with pytest.raises(OverflowError):
        Fields(np.zeros(1, KIND)[0]).edge = 256


def test_a_record_is_a_reference() -> None:
    array = np.zeros(2, KIND)
    record_of(array, 1).total = 5
    assert array["total"].tolist() == [0, 5]
