"""All seeds of a contest follow from its root, and nothing else does."""

from __future__ import annotations

import hashlib

import pytest

from botyard.contest.roots import derive_seed, fresh_root, is_guessable, read_root, root_hash, root_text
from botyard.kernel.errors import YardError


def test_a_root_can_be_written_down_and_read_again() -> None:
    for root in (fresh_root(), read_root(0), read_root(7), read_root(2**64 - 1)):
        told = root_text(root)
        assert read_root(int(told) if told.isdigit() and len(told) < 64 else told) == root
        assert root_hash(root) == hashlib.sha256(root).hexdigest()


def test_a_number_can_be_guessed_and_a_drawn_root_cannot() -> None:
    assert is_guessable(read_root(2**64 - 1))
    assert not is_guessable(fresh_root())
    assert len({fresh_root() for _ in range(100)}) == 100


def test_a_seed_depends_on_root_and_chance_alone() -> None:
    seed = derive_seed(read_root(7), "anna vs ben/1")
    assert seed == derive_seed(read_root(7), "anna vs ben/1")
    assert seed == 0x384411C1D322D12B  # the first eight bytes of HMAC-SHA256, most significant first
    others = {derive_seed(root, chance) for root in map(read_root, range(9)) for chance in ("anna vs ben/1", "a/2")}
    assert len(others) == 18
    assert all(0 <= other < 1 << 64 for other in others)


@pytest.mark.parametrize("seed", [-1, 2**64, True, 7.5, "seven", "ab" * 31, "AB" * 32, None, []])
def test_what_is_no_root_is_refused(seed: object) -> None:
    with pytest.raises(YardError, match="64 hexadecimal digits"):
        read_root(seed)
