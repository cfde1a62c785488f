"""Links: how a seat is filled — a child interpreter, a program over TCP, a bot that connects by itself."""
