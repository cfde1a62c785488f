"""The facts of Hive Arena: its names, its number of seats and its orders."""

from botyard.kernel.facts import Facts

ACTIONS = ("move", "forage", "build", "guard")
DIRECTIONS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")

FACTS = Facts(
    name="hive",
    title="Hive Arena",
    summary="Two swarms of five bees carry flowers home, wall each other in and steal.",
    seats_min=2,
    seats_max=2,
    usual_seats=2,
    simultaneous=False,
    link="tcp",
    rules_version=1,
    orders=tuple(f"{action} {direction}" for action in ACTIONS for direction in DIRECTIONS),
)
