"""Matches: seats, clocks, the loop that asks and judges, replays and turn reports."""
