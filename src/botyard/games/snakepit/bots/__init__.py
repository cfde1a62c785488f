"""The house bots of Snakepit."""
from botyard.kernel.rule import rule
HOUSE_BOTS = {"beeline": "x"}
@rule
def decide(bot, arena, view, memory):
    return 0
