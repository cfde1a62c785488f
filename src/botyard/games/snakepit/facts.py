"""The facts of Snakepit: its names, its number of seats and its orders."""

from botyard.kernel.facts import Facts

DIRECTIONS = "rlud"  # as on the wire; an order is a position in this word
MOST_SNAKES = 26  # a drawing names snakes by letters

FACTS = Facts(
    name="snakepit",
    title="Snakepit",
    summary="Snakes race for one pellet at a time between deadly walls; the last one alive takes the bonus.",
    seats_min=1,
    seats_max=MOST_SNAKES,
    usual_seats=4,
    simultaneous=True,
    link="tcp",
    rules_version=1,
    orders=tuple(DIRECTIONS),
)
