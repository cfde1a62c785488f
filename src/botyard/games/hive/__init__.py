"""Hive Arena: two swarms of bees, one flower at a time. README.md beside this file is its page."""
