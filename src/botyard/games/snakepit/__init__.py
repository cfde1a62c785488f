"""Snakepit: snakes, deadly walls and one pellet at a time. README.md beside this file is its page."""
