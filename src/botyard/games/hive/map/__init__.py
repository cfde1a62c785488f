"""What a board of Hive Arena tells about the seed that made it."""
