"""What the tests of requests share."""

from __future__ import annotations

import asyncio

import pytest

from botyard.links.web.http import PatientHttp


@pytest.fixture
def callers(monkeypatch: pytest.MonkeyPatch) -> list[PatientHttp]:
    """The server's side of every connection that is made."""
    made: list[PatientHttp] = []
    plain = PatientHttp.connection_made

    def noted(self: PatientHttp, transport: asyncio.Transport) -> None:
        plain(self, transport)
        made.append(self)

    monkeypatch.setattr(PatientHttp, "connection_made", noted)
    return made
