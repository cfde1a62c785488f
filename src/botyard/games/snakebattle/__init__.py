"""Snake Battle: up to fifteen snakes on one field, in rounds."""
