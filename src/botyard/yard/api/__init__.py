"""The yard for programs: `/api/v1`."""
