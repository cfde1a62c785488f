"""Rank turns the results of games into standings, ratings and the next pairings. It uses no files, clock or chance."""
