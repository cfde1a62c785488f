"""House bots."""
from botyard.kernel.rule import rule
HOUSE_BOTS={"nop":"x"}
@rule
def decide(bot, arena, view, memory):
    return 33
