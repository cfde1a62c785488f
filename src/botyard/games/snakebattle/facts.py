"""The facts of Snake Battle: its names, its number of seats and its orders."""

from botyard.kernel.facts import Facts

DIRECTIONS = ("left", "right", "up", "down")  # by number, as in the original's client libraries
TURNS = ("straight", *DIRECTIONS)
ACTIONS = ("", "drop", "die", "drop die")


def order_name(turn: str, action: str) -> str:
    return f"{turn} {action}".removeprefix("straight ").strip() or turn


FACTS = Facts(
    name="snakebattle",
    title="Snake Battle",
    summary="Snakes share a field of apples, stones, gold and pills, and fight for the last place alive.",
    seats_min=2,
    seats_max=15,
    usual_seats=5,
    simultaneous=True,
    link="websocket",
    rules_version=1,
    orders=tuple(order_name(turn, action) for action in ACTIONS for turn in TURNS),  # 5 × action + turn
)
