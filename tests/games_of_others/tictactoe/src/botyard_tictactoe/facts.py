"""Tic-tac-toe in a nutshell."""

from botyard.kernel.facts import Facts

FACTS = Facts(
    name="tictactoe",
    title="Tic-tac-toe",
    summary="Two players put marks on nine cells in turn; three in a line win.",
    seats_min=2,
    seats_max=2,
    usual_seats=2,
    simultaneous=False,
    link="process",
    rules_version=1,
    orders=tuple(f"{col}{row}" for row in "321" for col in "abc"),
)
