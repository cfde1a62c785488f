"""What the platform stored of a match (specification 8.3): the replay, and the result of the wrapper around it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from botyard.games.hackman.facts import DIRECTIONS, FACTS
from botyard.games.hackman.layout import PASS
from botyard.games.hackman.plan import PLAYERS
from botyard.games.hackman.wire import NAMES, HackmanSession, open_session
from botyard.kernel.facts import NO_ORDER

EXPORTS = {
    ".json": "the platform's replay: every state, as the engine gave it",
    ".result": "the platform's result: winner, replay and both bots' logs, as JSON",
}

BLOCKED = "Can't move this direction."
UNREADABLE = "Invalid input: Move isn't valid"
EXCEPTIONS = {BLOCKED: f"Invalid move: {BLOCKED}", UNREADABLE: UNREADABLE}


def exporter(suffix: str, names: Sequence[str]) -> ReplayWriter:
    return ResultWriter() if suffix == ".result" else ReplayWriter()


def move_made(game: Any, player: int, order: int) -> tuple[str | None, str | None]:
    """What a replay calls an order about to be obeyed, and the warning it brings."""
    state = game.state
    if state.paralysis[player] > 0:
        return "paralyzed", None
    if order == PASS:
        return "pass", None
    if not 0 <= order < PASS:
        return None, UNREADABLE
    cell = int(state.cells[player])
    if game.arena.walk[4 * cell + order] == cell:
        return None, BLOCKED
    return DIRECTIONS[order], None


class ReplayWriter:
    """Follows a game and gives the platform's replay of it."""

    def __init__(self) -> None:
        self._moves: list[tuple[str | None, str | None]] = [("pass", None)] * PLAYERS
        self._states: list[dict[str, Any]] = []

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        """Takes a round about to be played."""
        self._states.append(self._shown(game))
        self._moves = [move_made(game, player, orders.get(player, NO_ORDER)) for player in range(PLAYERS)]

    def end(self, game: Any) -> bytes:
        return compact(self.replay(game)).encode()

    def replay(self, game: Any) -> dict[str, Any]:
        return {
            "settings": {"players": {"count": PLAYERS, "names": list(NAMES)}},
            "winner": winner(game),
            "score": match_score(game),
            "states": [*self._states, self._shown(game)],
        }

    def _shown(self, game: Any) -> dict[str, Any]:
        """A state, with the moves that led to it; the set-up is number 1."""
        state, width = game.state, int(game.arena.width)

        def point(cell: int) -> dict[str, int]:
            return {"x": int(cell) % width, "y": int(cell) // width}

        return {
            "round": int(state.rounds) + 1,
            "players": [
                {
                    "id": player,
                    **point(state.cells[player]),
                    "score": int(state.scores[player]),
                    "hasWeapon": bool(state.armed[player]),
                    "move": move,
                    "exception": warning and EXCEPTIONS[warning],
                }
                for player, (move, warning) in enumerate(self._moves)
            ],
            "enemies": [
                {
                    "id": int(state.bug_ids[bug]),
                    **point(state.bugs[bug]),
                    "move": DIRECTIONS[state.headings[bug]],
                }
                for bug in range(state.bug_count)
            ],
            "collectibles": [point(cell) for cell in state.snippets[: state.snippet_count]],
            "weapons": [point(cell) for cell in state.weapons[: state.weapon_count]],
        }


class ResultWriter(ReplayWriter):
    """Follows a game and gives the wrapper's result file.

    A game knows its orders and nothing of clocks or of what exactly a bot wrote: times are 0, the time bank in the logs
    is full, an order is quoted as its word and a missing one as no output.
    """

    def __init__(self) -> None:
        super().__init__()
        self._logs: list[list[str]] = [[] for _ in range(PLAYERS)]
        self._sessions: list[HackmanSession] = []

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        super().before(game, orders)
        if not self._sessions:
            self._sessions = [open_session(game.settings, player) for player in range(PLAYERS)]
            for session, log in zip(self._sessions, self._logs, strict=True):
                log.extend(session.opening(None).decode().splitlines())
        view = game.view(game.asked[0]) if game.asked else None
        for player, (session, log) in enumerate(zip(self._sessions, self._logs, strict=True)):
            order, (_, warning) = orders.get(player, NO_ORDER), self._moves[player]
            if view is not None:
                log.extend(session.ask(view).decode().splitlines())
            log.append(f'Output from your bot: "{FACTS.orders[order] if 0 <= order <= PASS else ""}"')
            if warning:
                log.append(f'Engine warning: "{warning}"')

    def end(self, game: Any) -> bytes:
        details = {"score": match_score(game), "winner": "null" if winner(game) is None else str(winner(game))}
        players = [
            {"log": "\n".join(log), "errors": "", "responseTimes": [], "totalResponseTime": 0} for log in self._logs
        ]
        result = {
            "timeElapsed": 0,
            "details": compact(details),
            "game": compact(self.replay(game)),
            "players": players,
        }
        return compact(result).encode()


def winner(game: Any) -> int | None:
    return None if game.state.winner < 0 else int(game.state.winner)


def match_score(game: Any) -> int:
    """The number of rounds, or the winner's snippets; in a draw the common number (7.24, 10.4)."""
    if game.settings.score_is_rounds:
        return int(game.state.rounds)
    return int(game.state.scores[winner(game) or 0])


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
