"""Answers into a buffer that it never flushes."""

from wire import *


for line in questions():
    print("pass")
