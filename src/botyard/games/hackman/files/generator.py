"""The original's random generator (specification 3.10), to check that a recorded set-up follows from its seed."""

from __future__ import annotations

import hashlib


class SeedGenerator:
    """Draws numbers from a text as the seed, by a chain of SHA-1 hashes."""

    def __init__(self, seed: str) -> None:
        self._state = bytearray(hashlib.sha1(seed.encode()).digest())
        self._left = b""

    def below(self, bound: int) -> int:
        if bound & (bound - 1) == 0:
            return (bound * self._bits(31)) >> 31
        while True:
            raw = self._bits(31)
            value = raw % bound
            if raw - value + bound - 1 < 1 << 31:
                return value

    def real(self) -> int:
        """Draws a number 0 <= u < 1, as its 53 bits."""
        return (self._bits(26) << 27) + self._bits(27)

    def _bits(self, count: int) -> int:
        size = -(-count // 8)
        return int.from_bytes(self._bytes(size), "big") >> (8 * size - count)

    def _bytes(self, size: int) -> bytes:
        while len(self._left) < size:
            self._left += self._block()
        taken, self._left = self._left[:size], self._left[size:]
        return taken

    def _block(self) -> bytes:
        """Returns the next 20 bytes; they and 1 are added to the state, byte by byte with signed carries."""
        output = hashlib.sha1(self._state).digest()
        before, carry = bytes(self._state), 1
        for at, byte in enumerate(output):
            total = signed(before[at]) + signed(byte) + carry
            self._state[at] = total % 256
            carry = total // 256
        if self._state == before:
            self._state[0] = (self._state[0] + 1) % 256
        return output


def signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte
