"""Samples tell tests and benchmarks what they cannot guess about a game. A game's samples are data in its folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

BotEvent: TypeAlias = bytes | int | None
"""What a bot does in a test: it sends bytes, lets milliseconds pass, or ends (None)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Samples:
    """Sample settings and answers. Every field has a default that suits a small game."""

    golden: Mapping[str, Any] = field(default_factory=dict)  # settings of the golden playthrough: a small board
    short: Mapping[str, Any] = field(default_factory=dict)  # settings and seed of a short match with ample time
    rival: str = ""  # a house bot so simple that no starter loses to it, if there is one
    exported: Mapping[str, Any] = field(default_factory=dict)  # settings of a short match that can be exported whole
    exported_bots: Sequence[str] = ()  # the house bots in it
    interpreted_ticks: int = 80  # ticks in which games on the small board end and begin anew
    other_texts: Mapping[str, str] = field(default_factory=dict)  # for a setting that is text, another value
    company: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # for a setting, others that make it matter
    introduction: Sequence[BotEvent] = ()  # what a bot does before the first question
    answers: Sequence[Sequence[BotEvent]] = ((),)  # what it does after each question, so that its limits show
