"""The facts of Hack-man: its names, its number of seats and its orders."""

from botyard.kernel.facts import Facts

DIRECTIONS = ("up", "down", "left", "right")

FACTS = Facts(
    name="hackman",
    title="Hack-man",
    summary="Two bots collect code snippets in a maze, dodge its bugs and knock each other's snippets out.",
    seats_min=2,
    seats_max=2,
    usual_seats=2,
    simultaneous=True,
    link="process",
    rules_version=1,
    orders=(*DIRECTIONS, "pass"),
)
