"""Puts a byte order mark before its answer."""

from wire import *


begin()
for line in questions():
    say(b"\xef\xbb\xbf" + good(line))
