"""People of the yard: accounts, sessions, tokens, links that work once, quotas, notices."""
