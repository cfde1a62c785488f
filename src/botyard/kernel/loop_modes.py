"""The modes in which a finished game of a batch or a drill is followed by the next one (`Batch` explains them)."""

OFF, NEXT_STEP, SAME_STEP = range(3)
RESET = 3  # not a mode to choose: the chosen games of a drill begin anew

AUTORESET = {"off": OFF, "next_step": NEXT_STEP, "same_step": SAME_STEP}

RUNNING, TERMINATED, TRUNCATED = range(3)  # what became of a game of a drill

LEARNER = -1  # in place of a house bot's number

# How a game that is chosen at a reset of a drill begins: from the seed it has, from its next one, or in the position
# that its state has already.
FROM_SEED, FROM_NEXT_SEED, PUT = 1, 2, 3
