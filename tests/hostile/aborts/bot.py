"""Is killed by a SIGABRT of its own."""

from wire import *


begin()
next(questions())
os.abort()
