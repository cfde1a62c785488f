"""The steward leases tasks, hands them to workers and records what comes back; nobody else does."""

from __future__ import annotations

from botyard.yard.site import Yard


class Steward:
    """The one writer of results."""

    def __init__(self, yard: Yard) -> None:
        self.yard = yard
