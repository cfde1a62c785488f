"""Sentences that pages say of queues, times and results."""

from __future__ import annotations

from botyard.yard.ladders.match_lists import ListedMatch
from botyard.yard.web.rendering import amount
from botyard.yard.work.queue import QueueLine

ORDINALS = "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"

URGENCIES = {
    0: ("Builds and checks", "what people uploaded is built and tried"),
    1: ("Challenges and test games", "somebody has asked for them"),
    2: ("Settling", "a new version plays 16 pairs soon after its activation"),
    3: ("Contests", "games of contests"),
    4: ("The ladder", "everybody plays on, the longest wait first"),
}
"""What tasks are for, in the order in which workers take them."""

KINDS = {
    "ladder": "ladder",
    "final": "final",
    "challenge": "challenge",
    "test": "test game",
    "hand": "played by hand",
    "contest": "contest",
}


def ordinal(number: int) -> str:
    if number <= len(ORDINALS):
        return ORDINALS[number - 1]
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def about_seconds(seconds: int) -> str:
    """Returns how long something will take, as exactly as one can know it."""
    if seconds < 10:
        return "a few seconds"
    if seconds < 90:
        return f"about {round(seconds, -1)} s"
    if seconds < 5400:
        return f"about {amount(round(seconds / 60), 'minute')}"
    return f"about {amount(round(seconds / 3600), 'hour')}"


def queue_words(line: QueueLine) -> str:
    """Returns one sentence about the queue, such as: 12 waiting, yours is third, about 40 s."""
    if not line.workers:
        there = f"{line.waiting} waiting" if line.waiting else "Nothing waits"
        return f"{there}, and no worker is there to take work."
    if not line.waiting:
        return f"Nothing waits; {amount(line.running, 'task')} at work." if line.running else "Nothing waits."
    told = [f"{line.waiting} waiting"]
    if line.mine is not None:
        told.append(f"yours is {ordinal(line.mine)}")
    if line.seconds is not None:
        told.append(about_seconds(line.seconds) if line.mine is not None else f"done in {about_seconds(line.seconds)}")
    return ", ".join(told) + "."


def result_words(match: ListedMatch) -> str:
    """Returns how a match ended, or why that is not known yet."""
    if match.state == "void":
        return "Void: it counts for nobody."
    if match.state == "cancelled":
        return "It was cancelled before it began."
    if match.state != "done":
        return "It is being played." if match.state == "leased" else "It waits to be played."
    if not match.released:
        return "Over. The result is shown when the other game of the pair is over, too."
    best = match.winners
    if len(best) == len(match.seats) > 1:
        return "A draw."
    if len(best) > 1:
        return f"{' and '.join(best)} share the first place."
    return f"{best[0]} won." if best else "It ended without a winner."
