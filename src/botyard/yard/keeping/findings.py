"""What a verification has looked at, and what it found that is not as it should be."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something in a yard that is not as it should be."""

    check: str  # what was looked at, such as replays
    where: str  # such as match/7
    what: str


@dataclass(slots=True)
class Findings:
    """All that a verification has to tell."""

    checked: dict[str, int] = field(default_factory=dict)  # how many of what were looked at
    troubles: list[Trouble] = field(default_factory=list)

    def count(self, what: str, how_many: int = 1) -> None:
        self.checked[what] = self.checked.get(what, 0) + how_many

    def note(self, check: str, where: str, what: str) -> None:
        self.troubles.append(Trouble(check, where, what))
