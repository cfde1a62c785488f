"""Work: tasks, what workers do with them, and the steward, who alone records results."""
