"""What tests need to know of tic-tac-toe and cannot guess."""

from botyard.kernel.samples import Samples

SAMPLES = Samples(short={"seed": 3, "move_ms": 60_000})
