"""What tests need to know about New game and cannot guess."""

from botyard.kernel.samples import Samples

SAMPLES = Samples(
    golden={"ticks": 20},  # the game of the golden playthrough
    short={"seed": 3, "ticks": 30, "move_ms": 60_000},  # a short match, in which nobody is late on a busy machine
)
