"""How a connection is broken off."""

from __future__ import annotations

import asyncio


def abort(transport: asyncio.Transport) -> None:
    """Ends a connection without waiting for whoever does not read what was sent.

    A transport that was closed and has sent everything since is at its end; in asyncio to abort it would be an error.
    """
    if not transport.is_closing() or transport.get_write_buffer_size():
        transport.abort()
