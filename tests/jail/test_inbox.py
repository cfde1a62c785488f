"""What a bot sends lies in its inbox until somebody takes it."""

from __future__ import annotations

from botyard.jail.inbox import UNREAD_LIMIT, Inbox
from tests.waiting import finished


def test_a_bot_floods_with_one_byte_more_than_may_lie_unread() -> None:
    async def flooded() -> list[bool]:
        inbox, told = Inbox(), []
        for chunk in (b"x" * (UNREAD_LIMIT - 1), b"x", b"x"):
            inbox.data_received(chunk)
            told.append(inbox.flooded)
        await inbox.receive()
        return [*told, inbox.flooded]

    assert finished(flooded()) == [False, False, True, False]
