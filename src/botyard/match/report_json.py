"""A turn report as JSON for programs: everything that is known, nothing cut, and whatever came from a bot escaped."""

from __future__ import annotations

from typing import Any

from botyard.match.board_notes import BoardNote, TurnNotes, shown_colour
from botyard.match.jitter import Lateness
from botyard.match.report import BotFigures, ReportedGame, TurnReport
from botyard.match.stretches import ListedTurn
from botyard.render.escape import escaped, escaped_lines, escaped_text, visible

FORMAT = "botyard-report"
VERSION = 1

UNCUT = 1 << 40


def report_json(report: TurnReport) -> dict[str, Any]:
    """The whole report."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "games": [game_json(game) for game in report.games],
        "jitter": jitter_json(report.jitter),
        "bots": [figures_json(bot) for bot in report.shown_bots()],
        "lost": report.lost,
        "lost_not_listed": report.unlisted,
        "slowest": [
            {"game": listed.game, "tick": listed.turn.tick, "seat": listed.turn.seat, "ms": listed.turn.ms}
            for listed in report.slowest
        ],
        "turns": [turn_json(report, listed) for listed in report.listed],
    }


def game_json(game: ReportedGame) -> dict[str, Any]:
    outcome = game.replay.outcome
    return {
        "replay": escaped_text(game.label),
        "game": game.replay.game,
        "seed": str(game.replay.seed),
        "ticks": len(game.replay.ticks),
        "outcome": outcome and {"groups": outcome.groups, "scores": outcome.scores, "winner": outcome.winner},
        "void": visible(game.trouble),
        "missing": visible(game.missing),
        "jitter": jitter_json(game.jitter),
        "seats": [
            {
                "name": escaped_text(seat.name),
                "level": seat.level and escaped_text(seat.level),
                "peak_mb": seat.peak_mb,
                "said": said_json(seat.said),
                "notes": notes_json(seat.notes),
            }
            for seat in game.seats
        ],
    }


def jitter_json(jitter: Lateness | None) -> dict[str, Any] | None:
    if jitter is None:
        return None
    return {"samples": jitter.samples, "p50_ms": jitter.p50_ms, "p99_ms": jitter.p99_ms, "max_ms": jitter.max_ms}


def figures_json(bot: BotFigures) -> dict[str, Any]:
    return {
        "name": escaped_text(bot.name),
        "entrant": bot.entrant,
        "seats": sorted(bot.seats),
        "levels": sorted(map(escaped_text, bot.levels)),
        "peak_mb": bot.peak_mb,
        "turns": bot.turns,
        "verdicts": {str(verdict): count for verdict, count in bot.verdicts.most_common()},
        "ms": {"p50": bot.quantile(0.5), "p99": bot.quantile(0.99), "max": bot.quantile(1.0)},
        "limits_ms": sorted(bot.limits),
    }


def turn_json(report: TurnReport, listed: ListedTurn) -> dict[str, Any]:
    turn = listed.turn
    told = {
        "game": listed.game,
        "tick": turn.tick,
        "seat": turn.seat,
        "verdict": str(turn.verdict),
        "reason": visible(turn.reason),
    }
    if not report.games[listed.game].timed:
        return told
    return {
        **told,
        "order": report.games[listed.game].order_name(turn) or None,
        "ms": turn.ms,
        "limit_ms": turn.limit_ms or None,
        "left_ms": max(turn.limit_ms - turn.ms, 0) if turn.limit_ms else None,
        "next_limit_ms": turn.next_ms,
        "sent": escaped(turn.sent.encode("latin-1")),
        "received": escaped(turn.received.encode("latin-1")),
        "received_bytes": turn.received_bytes,
        "early": escaped(turn.early.encode("latin-1")),
        "early_bytes": turn.early_bytes,
        "said": said_json(turn.said),
        "notes": notes_json(turn.notes),
    }


def notes_json(notes: TurnNotes | None) -> dict[str, Any] | None:
    if notes is None:
        return None
    return {"kept": list(map(note_json, notes.kept)), "dropped": notes.dropped, "reason": visible(notes.reason)}


def note_json(note: BoardNote) -> dict[str, Any]:
    """A note with its words escaped, and its colour as a viewer draws it."""
    shown = dict(note)
    for key in ("text", "mark"):
        if key in note:
            shown[key] = escaped_text(note[key])
    if "colour" in note:
        shown["colour"] = shown_colour(note)
    return shown


def said_json(said: str) -> list[str]:
    """What was printed, line by line."""
    return escaped_lines(said, UNCUT, UNCUT)
