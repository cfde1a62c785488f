"""Has terminal escape codes in its name and in what it prints."""

from wire import *


begin("\x1b]0;owned\x07\x1b[2Jwiped")
os.write(2, b"\x1b[2J\x1b]52;c;b3duZWQ=\x07gone\r\n")
play()
