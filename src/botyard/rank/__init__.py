"""Rank: from the results of games to standings, ratings and the next pairings. Pure: no files, no clocks, no chance."""
