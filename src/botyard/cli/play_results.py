"""This module tells what came of the games that `botyard play` played."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botyard.cli.console import note, print_json, print_table, say
from botyard.cli.host import memory_warnings
from botyard.cli.lost import stretch_values, tell_lost_turns
from botyard.cli.outcome import say_result, tell_void

if TYPE_CHECKING:
    from botyard.cli.play import Order, PlayedSeries
    from botyard.match.series import SeriesGame


def report(order: Order, results: list[SeriesGame], as_json: bool) -> None:
    totals = [total_of(at, spec.label, results) for at, spec in enumerate(order.bots)]
    void = sum(result.void for result in results)
    ended = sum(result.void for result in results if result.culprits)
    if as_json:
        rows = [
            {"seed": str(r.seed), "winner": r.winner, "scores": r.scores, "void": r.void, "culprits": r.culprits}
            for r in results
        ]
        print_json({**heading(order), "games": len(results), "void": void, "totals": totals, "results": rows})
        return
    title = f"{order.book.facts.title}: {len(results)} games, seeds from {order.seed}"
    title += f", {ended} without a result" if ended else ""
    title += f", {void - ended} void" if void > ended else ""
    heads = ["bot", ">wins", ">draws", ">losses", ">points", ">faults"]
    for total in totals:
        total["faults"] = ", ".join(f"{verdict} {count}" for verdict, count in total["faults"].items())
    print_table(heads, ([total[head.strip(">")] for head in heads] for total in totals), title)
    tell_void(results)


def total_of(at: int, label: str, results: list[SeriesGame]) -> dict[str, Any]:
    counted = [result for result in results if not result.void]
    wins = sum(result.winner == at for result in counted)
    draws = sum(result.winner is None for result in counted)
    faults: dict[str, int] = {}
    for result in results:
        for verdict, count in (result.verdicts[at] if result.verdicts else {}).items():
            if verdict != "OK":
                faults[verdict] = faults.get(verdict, 0) + count
    return {
        "bot": label,
        "wins": wins,
        "draws": draws,
        "losses": len(counted) - wins - draws,
        "points": sum(result.scores[at] for result in counted),
        "faults": faults,
    }


def heading(order: Order) -> dict[str, Any]:
    facts = order.book.facts
    return {
        "game": facts.name,
        "rules_version": facts.rules_version,
        "settings": order.settings.of_group("rules"),
        "seed": str(order.seed),
        "bots": [spec.label for spec in order.bots],
    }


def report_game(order: Order, series: PlayedSeries, quiet: bool, as_json: bool) -> None:
    from botyard.match.blame import commonest
    from botyard.match.turns import sidecar_path

    played, path = series.last, series.path
    assert played is not None
    outcome, saved = played.outcome, series.unsaved is None
    levels = [seat.level for seat in played.seats]
    if as_json:
        result = None if outcome is None else {"winner": played.winner, "scores": played.scores, "draw": outcome.draw}
        missed = [
            {"tick": m.tick, "seat": m.seat, "verdict": m.verdict, "reason": m.reason} for m in played.replay.missed
        ]
        seats = {"names": played.names, "entrants": played.entrants, "verdicts": played.verdicts, "levels": levels}
        files = {"replay": str(path), "turns": str(sidecar_path(path))} if saved else {"replay": None, "turns": None}
        ticks = len(played.replay.ticks)
        print_json(
            {
                **heading(order),
                **seats,
                "ticks": ticks,
                "outcome": result,
                "missed": missed,
                "stretches": stretch_values(played),
                "trouble": played.trouble,
                "culprits": played.culprits,
                "warnings": memory_warnings(order.settings, played),
                **files,
            }
        )
        return
    if not quiet:
        tell_lost_turns(played, path)
        for warning in memory_warnings(order.settings, played):
            note("[yellow]{warning}[/]", warning=warning)
    if outcome is None:
        head = "no result" if played.culprits else "void"
        say("{head}: {trouble}", head=head, trouble=commonest([played.trouble]))
    else:
        say_result(played)
    if saved:
        say("replay: {path}", path=path)
