"""Has markup and a query for a name."""

from wire import *


begin("<script>alert(1)</script>[red]'; DROP TABLE bots;--")
play()
