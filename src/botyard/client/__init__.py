"""A contest site as the machines of its users reach it: thin clients of `/api/v1`."""
