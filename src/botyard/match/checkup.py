"""A checkup: what the turns of a game tell about the program that played them, and what its author can do.

Findings come in the order in which an author should read them: whether the program starts, what it answers, how long it
takes, what else it writes, and how it plays. Nothing here knows a game: how an answer is read is asked of the protocol.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from botyard.kernel.facts import NO_ORDER, Facts
from botyard.kernel.rulebook import Rulebook
from botyard.kernel.session import MoveSession, printable
from botyard.kernel.settings import Settings
from botyard.kernel.verdict import Fault, Verdict
from botyard.match.loop import Played
from botyard.match.remedies import (
    Reader,
    flush_remedy,
    garbled_remedy,
    is_order,
    memory_remedy,
    other_text,
    stack_trace,
    wants_words,
    words_remedy,
)
from botyard.match.turns import START_TICK, Turn

Stage = Literal["start", "protocol", "timing", "output", "play"]
Protocol = Literal["native", "json", "function"]
"""What a bot speaks: its game's own protocol, ours, or Python."""

EXACTLY = "answer exactly as the protocol says, and write nothing else"
END = "end the program once the answer is written: it is read only then"
THINK_LESS = "think less, or stop in time and answer with the best move found so far"
FUNCTION = "read and answer until the game is over; if your bot is a Python function, name it py:FILE instead"
SEE_BELOW = " (its last output is below)"
TIGHT = 0.5  # of the time allowed: from here on a slower day makes an answer late
LOUD_BYTES = 4096  # printed in one turn
HUNGRY = 0.5  # of the memory allowed: a program that holds so much and has said nothing is busy filling it
SAME_ORDERS = 20  # so many equal answers in a row, and no other, are worth a word


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know. `wrong` costs turns; otherwise it is advice."""

    stage: Stage
    wrong: bool
    what: str
    remedy: str
    times: int = 1
    turn: Turn | None = None  # where it was seen first
    started: str = ""  # the command line, where that is of interest


@dataclass(frozen=True, slots=True)
class Start:
    """How a program was started: its own words, and those that the game adds."""

    own: Sequence[str] = ()
    added: Sequence[str] = ()

    def __str__(self) -> str:
        return shlex.join([*self.own, *self.added])


@dataclass(frozen=True, slots=True)
class Case:
    """What there is to go by: the turns of one seat, and the orders that were of no use where they were given."""

    facts: Facts
    turns: Sequence[Turn]
    read: Reader
    language: str = ""
    protocol: Protocol = "native"
    idle: Sequence[tuple[int, str]] = ()  # tick and name of an order
    start: Start = Start()  # of a program that we have started
    peak_mb: float = 0.0  # the most memory it held
    memory_mb: int = 0  # the most it may hold; 0: not known

    @property
    def asked(self) -> list[Turn]:
        return [turn for turn in self.turns if turn.tick > START_TICK]

    @property
    def link(self) -> str:
        return {"native": self.facts.link, "json": "process", "function": "function"}[self.protocol]

    @property
    def answers(self) -> int:
        return sum(turn.verdict is Verdict.OK for turn in self.asked)

    @property
    def hungry(self) -> bool:
        """Whether memory is why it never said a word: the time may be up before the memory is."""
        stopped = any(turn.verdict is Verdict.MEMORY for turn in self.turns)
        return self.answers == 0 and (stopped or 0 < HUNGRY * self.memory_mb <= self.peak_mb)

    @property
    def words_remedy(self) -> str:
        return words_remedy(self.start.own, len(self.start.added), self.facts.name)

    @property
    def speaks_by_printing(self) -> bool:
        return self.link in ("process", "process-per-move")


def native_reader(book: Rulebook, settings: Settings) -> Reader:
    """How the game's own protocol reads bytes that are all a bot ever said."""

    def read(raw: bytes) -> int | Fault | None:
        session = book.wire.open_session(settings, 0)
        result = session.receive(raw)
        if result is None and isinstance(session, MoveSession):
            result = session.ended()
        if isinstance(result, int) and result >= len(book.facts.orders):
            return Fault(Verdict.GARBLED, "an answer that is not an order")
        return result

    return read


def json_reader(raw: bytes) -> int | Fault:
    """How Botyard's own protocol reads bytes: whether they have the form of an answer is all that can be told."""
    try:
        answer = isinstance(json.loads(raw), dict)
    except (ValueError, RecursionError):
        answer = False
    return 0 if answer else Fault(Verdict.GARBLED, "not a JSON object")


def idle_orders(played: Played, seat: int) -> list[tuple[int, str]]:
    """The orders of a seat that were of no use where they were given, with their ticks."""
    names = dict(enumerate(played.replay.new_game().book.facts.orders))
    found = []
    for tick, (game, orders) in enumerate(played.replay.play()):
        name = names.get(orders.get(seat, NO_ORDER))
        if name and name not in game.orders(seat):
            found.append((tick, name))
    return found


def examine(case: Case) -> list[Finding]:
    """Everything that is worth a word, in reading order."""
    looks = (
        at_the_start,
        missed_turns,
        nameless_orders,
        extra_answers,
        carriage_returns,
        slow_answers,
        printed,
        played,
    )
    return [finding for look in looks for finding in look(case)]


COMMAND_LINE = "check the command line that starts the program, and that the file is executable"


def unbuilt(fault: Fault, named_by_caller: bool = False) -> Finding:
    """A bot that did not get as far as playing; `named_by_caller` if a command line names it and nothing is built."""
    remedy = "fix what the compiler complains about, or name the program in `run` of botyard.toml"
    return Finding("start", True, fault.reason, COMMAND_LINE if named_by_caller else remedy)


# The program starts


def at_the_start(case: Case) -> Iterator[Finding]:
    for turn in case.turns:
        if turn.tick == START_TICK:
            yield Finding("start", True, turn.reason, start_remedy(case, turn), turn=turn, started=str(case.start))


def start_remedy(case: Case, turn: Turn) -> str:
    if turn.verdict is Verdict.UNBUILT:
        return COMMAND_LINE
    if turn.verdict is Verdict.MEMORY or case.hungry:
        return memory_remedy(case.memory_mb)
    if wants_words(turn.said):
        return case.words_remedy
    if perhaps_function(case, turn):
        return FUNCTION
    if turn.verdict in (Verdict.CRASHED, Verdict.GONE):
        return ended_at_once(case, turn)
    if "name line" in turn.reason and case.protocol == "json":
        return 'answer hello with {"type": "ready", "version": 1}, and flush it'
    if "name line" in turn.reason:
        return f"first send your name and a line end; {flush_remedy(case.language, case.speaks_by_printing)}"
    if "no connection" in turn.reason:
        given = f" ({shlex.join(case.start.added)})" if case.start.added else ""
        return (
            f"connect to the address that your program gets as its last arguments{given}, before anything that takes "
            "long; an address written into the program does not work"
        )
    return turn.verdict.meaning


def ended_at_once(case: Case, turn: Turn) -> str:
    remedy = f"start the program by hand and read what it prints{SEE_BELOW if turn.said else ''}"
    if case.start.added and not stack_trace(turn.said):
        remedy += f"; if it needs other arguments: {case.words_remedy}"
    return remedy


def perhaps_function(case: Case, turn: Turn) -> bool:
    """A file that only defines something ends at once, and well."""
    return case.language == "python" and "exit status 0" in turn.reason


# What it answers


def missed_turns(case: Case) -> Iterator[Finding]:
    """The turns that gave no order, told once for each kind."""
    for verdict in Verdict:
        missed = [turn for turn in case.asked if turn.verdict is verdict]
        if missed and verdict is not Verdict.OK:
            stage: Stage = "timing" if verdict is Verdict.LATE else "protocol"
            first, wrong = missed[0], verdict is not Verdict.HOUSE
            started = str(case.start) if case.answers == 0 and wants_words(first.said) else ""
            yield Finding(stage, wrong, *explained(case, first), len(missed), first, started)


def explained(case: Case, turn: Turn) -> tuple[str, str]:
    """What happened in a turn, and the remedy."""
    received = turn.received.encode("latin-1")
    match turn.verdict:
        case Verdict.MEMORY:
            return turn.reason, memory_remedy(case.memory_mb)
        case Verdict.SILENT if case.hungry and not received.strip():
            taken = f"; it used {case.peak_mb:.0f} MB of memory meanwhile"
            return turn.reason.partition(";")[0] + taken, memory_remedy(case.memory_mb)
        case Verdict.SILENT:
            return turn.reason, silent_remedy(case, turn, received)
        case Verdict.GARBLED:
            return turn.reason, unread_remedy(case, turn)
        case Verdict.CRASHED | Verdict.GONE:
            return turn.reason, ended_remedy(case, turn)
        case Verdict.LATE:
            written = case.link == "process-per-move" and received.strip()
            return turn.reason, END if written else THINK_LESS
        case Verdict.INVALID:
            return turn.reason, "the answer has the right form, but names something that does not exist"
        case Verdict.FLOODED:
            return turn.reason, "answer once for each question, and write everything else to standard error"
    return turn.reason, turn.verdict.meaning


def nameless_orders(case: Case) -> Iterator[Finding]:
    """Answers that were taken for something no author means: the protocol has a meaning for every byte."""
    turns = [turn for turn in case.asked if turn.order is not None and turn.order >= len(case.facts.orders)]
    if turns:
        what = f"an answer that is not an order: {printable(turns[0].received.encode('latin-1'))}"
        yield Finding("protocol", True, what, unread_remedy(case, turns[0]), len(turns), turns[0])


def unread_remedy(case: Case, turn: Turn) -> str:
    """What would have been understood; after good answers, what is not one is probably none."""
    if case.protocol == "function":
        return "return the name of an order, or its number"
    if case.protocol == "json":
        return "an answer is one line of JSON with the number of the turn and an order; all else goes to standard error"
    if not turn.received.strip():
        return "an empty or blank line is not an answer: answer every question"
    answered = any(other.verdict is Verdict.OK and other.tick < turn.tick for other in case.asked)
    remedy = garbled_remedy(turn.received.encode("latin-1"), case.read, case.speaks_by_printing)
    return remedy or (other_text(case.speaks_by_printing) if answered else EXACTLY)


def silent_remedy(case: Case, turn: Turn, received: bytes) -> str:
    if case.protocol == "function":
        return "your function did not return: does it loop forever?"
    if case.link == "process-per-move":
        return END
    if received.strip():
        return "end every answer with a line feed, and flush it"
    if not case.speaks_by_printing and any(is_order(case.read, line.encode()) for line in turn.said.splitlines()):
        return "you print your answers; send them over the connection instead"
    if case.answers:
        return "your program stopped answering here: does it wait for something that never comes, or loop forever?"
    return flush_remedy(case.language, case.speaks_by_printing)


def ended_remedy(case: Case, turn: Turn) -> str:
    if case.answers == 0 and wants_words(turn.said):
        return case.words_remedy
    if trace := stack_trace(turn.said):
        return f"your program failed: {trace}"
    if case.link == "process-per-move":
        return "end with exit status 0 after the answer is written"
    answers = case.answers
    if answers == 0 and perhaps_function(case, turn):
        return FUNCTION
    if answers == 0:
        return "keep the program running: more questions follow the first"
    return f"your program ended after {answers} answers: read and answer in a loop until the game is over"


def extra_answers(case: Case) -> Iterator[Finding]:
    """What came when nobody had asked; it is dropped, and an author should know."""
    asked = case.asked
    # What is left of a missed turn was told with it.
    fresh = [
        turn for last, turn in zip([None, *asked], asked, strict=False) if last is None or last.verdict is Verdict.OK
    ]
    early = [turn for turn in fresh if turn.early and turn.verdict is not Verdict.FLOODED]
    blank = [turn for turn in early if not turn.early.strip()]
    spoken = [turn for turn in early if turn.early.strip()]
    answers = [turn for turn in spoken if reads_as_order(case, turn.early)]
    other = [turn for turn in spoken if turn not in answers]
    if answers:
        first = answers[0] is asked[0]
        what = "you answered before you were asked" if first else "you answered twice"
        remedy = "wait for the question, then answer it once; what comes before a question is dropped"
        yield Finding("protocol", True, what, remedy, len(answers), answers[0])
    if other:
        what, remedy = "you send text that is not an answer", other_text(case.speaks_by_printing)
        yield Finding("output", True, what, remedy, len(other), other[0])
    if blank:
        what, remedy = (
            "you send line ends beyond the answer",
            "leave them out: they are dropped here, but count elsewhere",
        )
        yield Finding("protocol", False, what, remedy, len(blank), blank[0])


def reads_as_order(case: Case, text: str) -> bool:
    return any(is_order(case.read, line.encode("latin-1")) for line in text.splitlines() if line.strip())


def carriage_returns(case: Case) -> Iterator[Finding]:
    marked = [turn for turn in case.asked if turn.received.endswith("\r\n") and turn.verdict is Verdict.OK]
    if marked:
        what, remedy = "your answers end in CR LF", r"end lines with \n alone: not every arena forgives the \r"
        yield Finding("protocol", False, what, remedy, len(marked), marked[0])


# How long it takes


def slow_answers(case: Case) -> Iterator[Finding]:
    timed = [turn for turn in case.asked if turn.limit_ms and turn.verdict is Verdict.OK]
    if not timed:
        return
    slowest = max(timed, key=lambda turn: turn.ms / turn.limit_ms)
    if slowest.ms > TIGHT * slowest.limit_ms:
        what = f"an answer took {slowest.ms:.0f} of the {slowest.limit_ms} ms allowed"
        remedy = "leave some time in reserve: the machine that plays may be busier than yours"
        yield Finding("timing", False, what, remedy, turn=slowest)
    lowest = min(timed, key=lambda turn: turn.limit_ms)
    if lowest.limit_ms < TIGHT * timed[0].limit_ms:
        what = f"your time bank fell from {timed[0].limit_ms} to {lowest.limit_ms} ms"
        yield Finding("timing", False, what, "spend less per answer than the bank gains", turn=lowest)


# What else it writes


def printed(case: Case) -> Iterator[Finding]:
    traced = [turn for turn in case.asked if turn.verdict is Verdict.OK and stack_trace(turn.said)]
    if traced:
        what = f"your program reported an error and went on: {stack_trace(traced[0].said)}"
        yield Finding("output", False, what, "fix it before it costs a turn", len(traced), traced[0])
    loud = [turn for turn in case.asked if len(turn.said) > LOUD_BYTES]
    if loud:
        what = f"you print {len(loud[0].said)} characters in a turn"
        remedy = "print less: only the beginning and the end of long output are kept"
        yield Finding("output", False, what, remedy, len(loud), loud[0])
    unnoted = [turn for turn in case.asked if turn.notes and turn.notes.dropped]
    if unnoted and (first := unnoted[0].notes):
        what = f"a note for the viewer was dropped: {first.reason}"
        yield Finding("output", False, what, "docs/bots.md says how notes are written", len(unnoted), unnoted[0])


# How it plays


def played(case: Case) -> Iterator[Finding]:
    answered = [turn for turn in case.asked if turn.verdict is Verdict.OK]
    if case.idle:
        tick, name = case.idle[0]
        what = f"{len(case.idle)} of {len(answered)} orders had no effect, the first {name!r} in tick {tick}"
        yield Finding("play", False, what, "check what the board allows before you choose an order")
    texts = {turn.received.strip() for turn in answered}
    if len(answered) >= SAME_ORDERS and len(texts) == 1:
        what = f"every answer was {texts.pop()!r}"
        yield Finding("play", False, what, "if you did not intend that, check how your program reads the questions")
