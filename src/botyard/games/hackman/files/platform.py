"""What the platform stored of a match (specification 8.3): the replay, and the result of the wrapper around it."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from botyard.games.hackman.facts import DIRECTIONS, FACTS
from botyard.games.hackman.layout import PASS
from botyard.games.hackman.map.plan import PLAYERS
from botyard.games.hackman.settings import HackmanSettings
from botyard.games.hackman.wire import NAMES, TIME_OUTS, HackmanSession, open_session
from botyard.kernel.contract import Exporter
from botyard.kernel.facts import NO_ORDER
from botyard.kernel.verdict import Fault

BLOCKED = "Can't move this direction."
UNREADABLE = "Invalid input: Move isn't valid"
TIMED_OUT = "Response timed out ({}ms), let your bot return 'no_moves' instead of nothing or make it faster."
SKIPPED = "Maximum number ({}) of time-outs reached: skipping all moves."
EXCEPTIONS = {BLOCKED: f"Invalid move: {BLOCKED}", UNREADABLE: UNREADABLE}


def move_made(game: Any, player: int, order: int) -> tuple[str | None, str | None]:
    """Returns the word by which a replay names an order that is about to be obeyed, and the warning it causes."""
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


class ReplayWriter(Exporter):
    """Follows a game and writes the platform's replay of it."""

    def __init__(self) -> None:
        self._moves: list[tuple[str | None, str | None]] = [("pass", None)] * PLAYERS
        self._states: list[dict[str, Any]] = []

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        """Notes the moves of the round that is about to be played."""
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
        """Writes a state with the moves that led to it; the set-up is number 1."""
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
    """Follows a game and writes the wrapper's result file.

    A game knows its orders, but neither times nor what exactly a bot wrote. Without the log of its turns, times are 0,
    the time bank is full, an order is quoted by its word and a missing order as no output.
    """

    def __init__(self) -> None:
        super().__init__()
        self._logs: list[list[str]] = [[] for _ in range(PLAYERS)]
        self._errors = [""] * PLAYERS
        self._turns: list[deque[Any]] = [deque() for _ in range(PLAYERS)]  # turns of the log that are not written yet
        self._times: list[list[int]] = [[] for _ in range(PLAYERS)]
        self._elapsed: dict[int, float] = {}  # by tick: bots think at the same time unless they are asked in turn
        self._peaks_kb = [0] * PLAYERS
        self._sessions: list[HackmanSession] = []

    def hear(self, log: Any) -> None:
        """Takes the log of the game: the turns of its seats, and what is known of them."""
        for turn in log.turns:
            self._errors[turn.seat] += turn.said
            if turn.tick >= 0:
                self._turns[turn.seat].append(turn)
        for player, seat in enumerate(log.seats):
            self._errors[player] += seat.said
            self._peaks_kb[player] = int(1024 * (seat.peak_mb or 0))

    def before(self, game: Any, orders: Mapping[int, int]) -> None:
        super().before(game, orders)
        first = not self._sessions
        self._open_sessions(game)
        view = game.view(game.asked[0]) if game.asked else None
        for player, session in enumerate(self._sessions):
            turn = self._turns[player].popleft() if player in orders and self._turns[player] else None
            sent = (session.opening(None) if first else b"") + (b"" if view is None else session.ask(view))
            order, warning = orders.get(player, NO_ORDER), self._moves[player][1]
            self._logs[player] += [
                *(turn.sent if turn and turn.sent else sent.decode()).splitlines(),
                *(answered(order) if turn is None else self._heard(game.settings, player, turn, order)),
                *([f'Engine warning: "{warning}"'] if warning else []),
            ]

    def _open_sessions(self, game: Any) -> None:
        self._sessions = self._sessions or [open_session(game.settings, player) for player in range(PLAYERS)]

    def _heard(self, settings: HackmanSettings, player: int, turn: Any, order: int) -> list[str]:
        """Writes the lines about an answer in the log, and books its time."""
        timed_out, session = turn.verdict in TIME_OUTS, self._sessions[player]
        if timed_out and session.stopped:  # a stopped bot is not asked any more
            return [SKIPPED.format(settings.max_timeouts)]
        if not turn.limit_ms and not timed_out:  # a house bot
            return answered(order)
        self._times[player].append(int(turn.ms))
        add = sum if settings.habits.asks_in_turn else max
        self._elapsed[turn.tick] = add((turn.ms, self._elapsed.get(turn.tick, 0.0)))
        session.took(turn.ms, Fault(turn.verdict, "") if timed_out else order)
        if timed_out:
            return [TIMED_OUT.format(turn.limit_ms), *answered(NO_ORDER)]
        return answered(order, answer_in(settings, turn) or "")

    def end(self, game: Any) -> bytes:
        self._open_sessions(game)
        for player, unanswered in enumerate(self._turns):  # of a round that was never played: the match ended early
            for turn in unanswered:
                self._logs[player] += [*turn.sent.splitlines(), *self._heard(game.settings, player, turn, NO_ORDER)]
        details = {"score": match_score(game), "winner": "null" if winner(game) is None else str(winner(game))}
        players = []
        for log, errors, times in zip(self._warned(game), self._errors, self._times, strict=True):
            players.append(
                {"log": "\n".join(log), "errors": errors, "responseTimes": times, "totalResponseTime": sum(times)}
            )
        result = {
            "timeElapsed": int(sum(self._elapsed.values())),
            "details": compact(details) if game.over else "",
            "game": compact(self.replay(game)) if game.over else "",
            "players": players,
        }
        return compact(result).encode()

    def _warned(self, game: Any) -> Iterable[list[str]]:
        """Returns the logs, with a warning where a bot used much memory (5.3)."""
        most = game.settings.memory_warning_kb
        for log, used in zip(self._logs, self._peaks_kb, strict=True):
            yield [*log, f"Memory use of {used} kB is above {most} kB."] if used > most else log


def answer_in(settings: HackmanSettings, turn: Any) -> str | None:
    """Returns the line that a bot's answer was read from; None if the turn has no text, or no complete line."""
    *lines, _ = turn.received.split("\n")
    if not turn.sent or not lines:
        return None
    line: str = lines[-1 if settings.answer_line == "last" else 0]
    return line.removesuffix("\r")


def answered(order: int, said: str = "") -> list[str]:
    """Writes what a bot said: in its own words, else by the name of the order."""
    return [f'Output from your bot: "{said or (FACTS.orders[order] if 0 <= order <= PASS else "")}"']


def winner(game: Any) -> int | None:
    return None if game.state.winner < 0 else int(game.state.winner)


def match_score(game: Any) -> int:
    """Returns the number of rounds, or the winner's snippets; in a draw, those that both have (7.24, 10.4)."""
    if game.settings.score_is_rounds:
        return int(game.state.rounds)
    return int(game.state.scores[winner(game) or 0])


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
