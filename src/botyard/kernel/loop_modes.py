"""The modes in which a finished game of a batch is followed by the next one (`Batch` explains them)."""

OFF, NEXT_STEP, SAME_STEP = range(3)

AUTORESET = {"off": OFF, "next_step": NEXT_STEP, "same_step": SAME_STEP}
