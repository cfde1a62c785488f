"""Sends blank lines for ever."""

from wire import *

begin()
coming = questions()
next(coming)
say(b"\n")
if GAME == "hackman":
    next(coming)  # one blank line is a bad answer; what comes then is a flood
while True:
    say(b"\n" * 4096)
