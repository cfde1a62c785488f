"""What every link must leave behind: nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from botyard.jail.spawner import spawner
from tests.links.yard import children


@pytest.fixture
def nothing_is_left() -> Iterator[None]:
    spawner()  # it stays
    before = len(list(Path("/proc/self/fd").iterdir()))
    yield
    assert children() == []
    assert len(list(Path("/proc/self/fd").iterdir())) <= before + 2  # an event loop's own may come and go
