"""Runs an ASGI app on a listening socket, behind the limits of `http` and `frames`."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import socket
from collections.abc import AsyncIterator
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from botyard.kernel.errors import YardError
from botyard.links.web.frames import PatientWebSocket
from botyard.links.web.http import PatientHttp

MOST_WAITING = 1024  # at the door
FRAME_BYTES = 16 * 1024  # of a bot; an answer has at most a thousand characters
PING_S = 20.0  # a client that does not answer a ping for so long has gone
GOODBYE_S = 2  # for open requests when the server ends
FILES_KEPT = 64  # file descriptors that are not connections
MOST_FILES = 65536


def listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=MOST_WAITING)
    except OSError as error:
        hint = f"{error.strerror or error}; choose another port, or 0 for any free one"
        raise YardError(f"cannot listen on {host}:{port}", hint=hint) from None


def raise_file_limit() -> None:
    """Raises the limit on open files as far as it may be. Programs we start inherit it, so only servers do this."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def most_connections() -> tuple[int, int]:
    """How many there may be, and how many may wait at the door, so that files never run out.

    All who wait are let in at once and counted only afterwards, and whoever is one too many is gone four turns of the
    event loop later: so much room is left for them.
    """
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = (MOST_FILES if soft == resource.RLIM_INFINITY else soft) - FILES_KEPT
    waiting = min(MOST_WAITING, max(free // 8, 1))
    return max(free - 4 * waiting, 1), waiting


def send_at_once(door: socket.socket) -> None:
    """Has what we send leave at once; callers inherit it on Linux.

    asyncio does so for sockets whose protocol is named, which those of `create_server` is not. Else the body of an
    answer waits 40 ms until its head is acknowledged.
    """
    if door.family in (socket.AF_INET, socket.AF_INET6):
        door.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


@contextlib.asynccontextmanager
async def serving(app: ASGIApp, *sockets: socket.socket, **options: Any) -> AsyncIterator[None]:
    """While inside, the app answers on these sockets; afterwards they are closed and every client has been let go.

    `options` go to uvicorn, for tests that cannot wait for its usual times.
    """
    for door in sockets:
        send_at_once(door)
    logging.getLogger("uvicorn").setLevel(logging.ERROR)  # a stranger's bad request is no event here
    most, waiting = most_connections()
    config = uvicorn.Config(
        app,
        **{
            "http": PatientHttp,
            "ws": PatientWebSocket,
            "ws_per_message_deflate": False,
            "ws_max_size": FRAME_BYTES,
            "ws_ping_interval": PING_S,
            "ws_ping_timeout": PING_S,
            "limit_concurrency": most,
            "timeout_graceful_shutdown": GOODBYE_S,
            "lifespan": "off",
            "log_config": None,
            "access_log": False,  # addresses have secrets in them
            "server_header": False,
            "backlog": waiting,
            **options,
        },
    )
    config.load()
    server = uvicorn.Server(config)
    server.lifespan = config.lifespan_class(config)
    await server.startup(sockets=list(sockets))
    breathing = asyncio.create_task(server.main_loop())
    try:
        yield
    finally:
        server.should_exit = True
        await breathing
        await server.shutdown(sockets=list(sockets))
