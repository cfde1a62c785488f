"""A turn report as text for people. Whatever came from a bot is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from botyard.kernel.verdict import Verdict
from botyard.match.board_notes import told_notes
from botyard.match.jitter import Lateness
from botyard.match.report import BotFigures, ReportedGame, TurnReport
from botyard.match.stretches import Stretch, stretches
from botyard.match.turns import Turn
from botyard.render.escape import escaped_lines, escaped_text, quoted, visible

SICK_HOST_MS = 50.0  # our own timer this late: short limits mean little on such a machine


class StyledLine(NamedTuple):
    """A line of the report, and how it is to look where there are colours."""

    text: str
    style: str = ""


class Excerpt(NamedTuple):
    """How much of a bot's words is shown."""

    signs: int  # of what was sent and received
    lines: int  # of what was printed
    width: int  # characters of such a line


OF_GOOD_TURNS = Excerpt(160, 5, 200)
OF_LOST_TURNS = Excerpt(2000, 50, 500)
EVERYTHING = Excerpt(1 << 40, 1 << 40, 1 << 40)


def report_lines(report: TurnReport, *, full: bool = False) -> Iterator[StyledLine]:
    """The summary, then the turns."""
    yield from headlines(report)
    yield StyledLine("")
    yield from figures_table(list(report.shown_bots()))
    yield from verdict_lines(report)
    yield from slowest_lines(report)
    yield from listing(report, full)
    if not report.series:
        for game in report.games:
            yield from last_words(game, report.choice.seat, full)


def headlines(report: TurnReport) -> Iterator[StyledLine]:
    if report.series:
        void = sum(game.replay.outcome is None for game in report.games)
        yield StyledLine(f"{len(report.games)} games" + (f", {void} void" if void else ""), "bold")
    else:
        for game in report.games:
            yield StyledLine(headline(game), "bold")
    missing = [game for game in report.games if game.missing]
    for game in missing[:1]:
        others = f" ({len(missing) - 1} other games lack data, too)" if len(missing) > 1 else ""
        yield StyledLine(f"{escaped_text(game.label)}: {visible(game.missing)}{others}", "yellow")
    yield from host_lines(report.jitter, " in the worst game" if report.series else "")


def headline(game: ReportedGame) -> str:
    replay = game.replay
    head = f"{replay.game}, seed {replay.seed}, {len(replay.ticks)} ticks"
    if replay.outcome is None:
        return f"{head}: void, {visible(game.trouble)}"
    names = [shown_name(seat.name) for seat in game.seats]
    points = ", ".join(f"{name} {points}" for name, points in zip(names, replay.outcome.scores, strict=True))
    winner = replay.outcome.winner
    return f"{head}: " + ("draw" if winner is None else f"{names[winner]} (seat {winner}) wins") + f"; {points}"


def host_lines(jitter: Lateness | None, where: str) -> Iterator[StyledLine]:
    if jitter is None:
        yield StyledLine("host jitter: not measured (no timer of ours ran)")
        return
    yield StyledLine(
        f"host jitter: our own timer woke {jitter.p50_ms:.1f} ms late (p50), {jitter.p99_ms:.1f} ms (p99), "
        f"{jitter.max_ms:.1f} ms (worst of {jitter.samples}){where}"
    )
    if jitter.p99_ms >= SICK_HOST_MS:
        yield StyledLine("this machine was too busy for reliable times: play again on a quiet one", "yellow")


HEADS = ("bot", "seat", "cage", "turns", "p50 ms", "p99 ms", "worst", "limit", "memory", "verdicts")
TO_THE_RIGHT = range(3, 9)


def figures_table(bots: Sequence[BotFigures]) -> Iterator[StyledLine]:
    rows = [HEADS, *(figures_row(bot) for bot in bots)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    for at, row in enumerate(rows):
        cells = (
            cell.rjust(width) if column in TO_THE_RIGHT else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield StyledLine("  ".join(cells).rstrip(), "bold" if at == 0 else "")


def figures_row(bot: BotFigures) -> tuple[str, ...]:
    times = [bot.quantile(share) for share in (0.5, 0.99, 1.0)]
    return (
        shown_name(bot.name),
        " ".join(map(str, sorted(bot.seats))),
        escaped_text(" ".join(sorted(bot.levels))) or "?",
        str(bot.turns),
        *("?" if time is None else f"{time:.1f}" for time in times),
        limit_text(bot.limits),
        "?" if bot.peak_mb is None else f"{bot.peak_mb:.1f} MB",
        ", ".join(f"{verdict} {count}" for verdict, count in bot.verdicts.most_common()) or "none",
    )


def limit_text(limits: set[int]) -> str:
    """The least and the most time there was; a time bank makes them differ."""
    known = sorted(limits - {0})
    if not known:
        return "none" if limits else "?"
    return str(known[0]) if known[0] == known[-1] else f"{known[0]}–{known[-1]}"


def shown_name(name: str) -> str:
    return escaped_text(name[:60]) or "(no name)"


def verdict_lines(report: TurnReport) -> Iterator[StyledLine]:
    """What the verdicts mean, for whoever sees them for the first time."""
    found = {verdict for bot in report.shown_bots() for verdict in bot.verdicts} - {Verdict.OK}
    yield StyledLine("")
    lost = {0: "no turn was lost", 1: "1 turn was lost"}.get(report.lost, f"{report.lost} turns were lost")
    yield StyledLine(lost, "red" if report.lost else "")
    for verdict in (verdict for verdict in Verdict if verdict in found):
        yield StyledLine(f"  {verdict}: {verdict.meaning}")


def slowest_lines(report: TurnReport) -> Iterator[StyledLine]:
    if report.slowest:
        yield StyledLine("")
        yield StyledLine("slowest turns", "bold")
    for listed in report.slowest:
        yield StyledLine(f"  {place_of(report, Stretch([listed]))}  {time_text(listed.turn)}  {listed.turn.verdict}")


def place_of(report: TurnReport, told: Stretch) -> str:
    game = report.games[told.turns[0].game]
    where = f"{escaped_text(game.label)}, " if report.series else ""
    return f"{where}{told.ticks}, seat {told.first.seat} {shown_name(game.seats[told.first.seat].name)}"


def time_text(turn: Turn) -> str:
    if not turn.limit_ms:
        return f"{turn.ms:.1f} ms, no limit"
    left = max(turn.limit_ms - turn.ms, 0)
    bank = turn.next_ms is not None and turn.next_ms != turn.limit_ms
    return f"{turn.ms:.1f} of {turn.limit_ms} ms, {left:.0f} left" + (f", then {turn.next_ms}" if bank else "")


def listing(report: TurnReport, full: bool) -> Iterator[StyledLine]:
    if not report.listed:
        return
    yield StyledLine("")
    yield StyledLine("lost turns" if report.series or report.choice.only_faults else "turns", "bold")
    for told in [Stretch([listed]) for listed in report.listed] if full else stretches(report.listed):
        yield from turn_lines(report, told, full)
    if report.unlisted:
        yield StyledLine(f"… and {report.unlisted} more lost turns", "yellow")


def turn_lines(report: TurnReport, told: Stretch, full: bool) -> Iterator[StyledLine]:
    """A turn, and how many others were lost in the same way after it."""
    turn, game = told.first, report.games[told.turns[0].game]
    lost = turn.verdict is not Verdict.OK
    excerpt = EVERYTHING if full else OF_LOST_TURNS if lost else OF_GOOD_TURNS
    time = f"  {time_text(turn)}" if game.timed and turn.tick >= 0 and len(told.turns) == 1 else ""
    head = f"{place_of(report, told)}  {turn.verdict} {game.order_name(turn)}".rstrip()
    yield StyledLine(head + time, "red" if lost else "")
    if turn.reason:
        yield StyledLine(f"  why: {visible(turn.reason[: excerpt.signs])}")
    if turn.early_bytes:
        yield StyledLine(
            f"  early, and dropped: {quoted(turn.early.encode('latin-1'), excerpt.signs, turn.early_bytes)}"
        )
    if turn.sent:
        yield StyledLine(f"  > {quoted(turn.sent.encode('latin-1'), excerpt.signs, len(turn.sent))}")
    if turn.received_bytes:
        yield StyledLine(f"  < {quoted(turn.received.encode('latin-1'), excerpt.signs, turn.received_bytes)}")
    yield from (StyledLine(f"  | {line}", "dim") for line in escaped_lines(turn.said, excerpt.lines, excerpt.width))
    yield from (StyledLine(f"  @ {visible(told)}", "dim") for told in told_notes(turn.notes))


def last_words(game: ReportedGame, wanted: int | None, full: bool) -> Iterator[StyledLine]:
    excerpt = EVERYTHING if full else OF_LOST_TURNS
    for at, seat in enumerate(game.seats):
        if seat.said and wanted in (None, at):
            yield StyledLine("")
            yield StyledLine(f"printed after the last turn by seat {at} {shown_name(seat.name)}", "bold")
            yield from (
                StyledLine(f"  | {line}", "dim") for line in escaped_lines(seat.said, excerpt.lines, excerpt.width)
            )
