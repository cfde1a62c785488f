"""Bots over WebSockets: an open socket of a player, and where a bot of a match comes in."""
