"""Reads where there is no memory."""

import ctypes

from wire import *

begin()
next(questions())
ctypes.string_at(0)
