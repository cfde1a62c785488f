"""Sets the clock and the time zone, and lies about the time it took."""

import time

from wire import *

begin()
for change in (lambda: time.clock_settime(time.CLOCK_REALTIME, 0), lambda: os.utime("/etc/localtime", (0, 0))):
    try:
        change()
        sys.exit("changed the machine's time")
    except OSError:
        pass
os.environ["TZ"] = "Antarctica/Troll"
time.tzset()
for line in questions():
    if turn() == 2:
        time.sleep(600)
    say(good(line))
