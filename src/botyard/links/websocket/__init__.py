"""WebSockets as Codenjoy's clients speak them: a server for rooms as an ASGI app, and a door for bots in matches."""
