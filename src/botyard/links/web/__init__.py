"""A web server for strangers: HTTP and WebSockets over uvicorn, behind limits that nobody can wear down."""
