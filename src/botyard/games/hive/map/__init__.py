"""Finding the seed that made a board of Hive Arena."""
