"""Answers with invalid UTF-8, zeros, an emoji and marks that turn the line around."""

from wire import *


begin()
for line in questions():
    say(b"\xff\xfe\x00\x1b[31m" + "\N{PILE OF POO}\N{RIGHT-TO-LEFT OVERRIDE}".encode() + b"\n")
