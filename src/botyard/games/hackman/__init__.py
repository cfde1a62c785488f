"""Hack-man: two collectors in a maze full of bugs. README.md beside this file is its page."""
