"""Never reads what it is told."""

import time

from wire import *

begin()
time.sleep(600)
