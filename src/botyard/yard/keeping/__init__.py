"""Keeping a yard: verify, backup, restore, prune, migrate."""
