"""The maps of Snake Battle and the alphabet they are written in."""
