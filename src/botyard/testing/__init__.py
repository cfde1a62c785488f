"""For the tests of games, ours and those of others: laws that every game keeps, and all ways to run one compared."""
