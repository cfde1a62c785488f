"""This package tests games, ours and those of others: laws that every game keeps, and parity of all ways to run."""
