"""The facts of BattleBots: its names, its number of seats and its orders."""

from botyard.kernel.facts import Facts

DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
WEAPONS = ("B", "M", "L")  # bullet, missile, landmine; each takes a direction

# The orders are named by what a bot writes: eight moves, the weapons, the pulse, and the word for doing nothing.
FACTS = Facts(
    name="battlebots",
    title="BattleBots",
    summary="Two robots duel on a small grid with bullets, missiles, landmines and pulses.",
    seats_min=2,
    seats_max=2,
    usual_seats=2,
    simultaneous=True,
    link="process-per-move",
    rules_version=1,
    orders=(*DIRECTIONS, *(f"{weapon} {direction}" for weapon in WEAPONS for direction in DIRECTIONS), "P", "NO"),
)
