"""Contests drawn in the notation of results: a game that is asked for is answered by the next result of its bots."""

from __future__ import annotations

from typing import Any

from botyard.rank.formats import FORMATS, Course, Pairing
from botyard.rank.results import parse_all


def hold(kind: str, bots: str, results: str, **options: Any) -> tuple[Course, list[Pairing]]:
    """The course after these results, and the games it asks for next. Each game must have a result among the next."""
    course = FORMATS[kind].read(options).open(bots.split())
    answers = parse_all(results)
    asked = course.wave()
    while answers:
        assert asked, f"the contest is over before {answers[0]}"
        for pairing in asked:
            assert answers, f"{pairing} is asked for too"
            answer = next((one for one in answers if set(one.bots) == set(pairing.bots)), None)
            assert answer, f"nothing answers {pairing}"
            answers.remove(answer)
            course.add(pairing, answer)
        asked = course.wave()
    return course, asked


def places(kind: str, bots: str, results: str, **options: Any) -> str:
    """The standings on one line, of a contest that is over after these results."""
    course, asked = hold(kind, bots, results, **options)
    assert not asked, f"the contest goes on with {asked[0]}"
    return str(course.standings())
