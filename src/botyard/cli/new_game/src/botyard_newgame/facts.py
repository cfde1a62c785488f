"""The facts of New game: what tables, pages and the golden playthrough show of it."""

from botyard.kernel.facts import Facts

FACTS = Facts(
    name="newgame",
    title="New game",
    summary="Two walkers gather coins on a small board and see only what is near.",
    seats_min=2,
    seats_max=2,
    usual_seats=2,
    simultaneous=True,  # all seats are asked in every tick
    link="process",  # a bot is a program that reads lines and writes lines
    rules_version=1,  # raise it whenever the outcome of a game could change
    orders=("up", "right", "down", "left", "stay"),  # inside the rules an order is its number in this list
)
