"""The seeds of all games of a contest follow from its root: 32 random bytes, or what the contest file names as `seed`.

A seed is derived from the words of its pairing (`Pairing.chance`), never from a running number: so a game has the same
seed whenever it is played, and games that are to be alike have the same one. Whoever knows some of the seeds cannot
tell another. A root that was drawn is secret until the contest is over; its hash is shown from the start, so that
everybody can see afterwards that it was not exchanged.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Any

from botyard.kernel.errors import YardError, quoted

ROOT_BYTES = 32
SEED_BYTES = 8
GUESSABLE = 1 << 64  # a number below this can be found out by trying, from what a bot sees of its games
HEX = re.compile(rf"[0-9a-f]{{{2 * ROOT_BYTES}}}")


def fresh_root() -> bytes:
    return secrets.token_bytes(ROOT_BYTES)


def read_root(seed: Any) -> bytes:
    """Returns the root that a contest file names: a whole number, or the text that `root_text` makes of a root."""
    if type(seed) is int and 0 <= seed < GUESSABLE:
        return seed.to_bytes(ROOT_BYTES)
    if isinstance(seed, str) and HEX.fullmatch(seed):
        return bytes.fromhex(seed)
    hint = f"a whole number from 0 to 2**64 - 1, or {2 * ROOT_BYTES} hexadecimal digits in quotes; or leave it out"
    raise YardError(f"seed = {quoted(seed)}", hint=hint)


def root_text(root: bytes) -> str:
    """Returns a root as people read it, and as a contest file may name it: a number if it is a small one."""
    return str(int.from_bytes(root)) if is_guessable(root) else root.hex()


def is_guessable(root: bytes) -> bool:
    return int.from_bytes(root) < GUESSABLE


def root_hash(root: bytes) -> str:
    """Returns what may be published of a root while the contest runs."""
    return hashlib.sha256(root).hexdigest()


def derive_seed(root: bytes, chance: str) -> int:
    """Returns the seed of the games whose pairings have this `chance`."""
    return int.from_bytes(hmac.digest(root, chance.encode(), "sha256")[:SEED_BYTES])
