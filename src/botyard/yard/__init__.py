"""The yard: a contest site that people upload bots to, watch and play on (`botyard serve`).

data/      tables, transactions, blobs, events
people/    accounts, sessions, tokens, links that work once, quotas
bots/      uploads, versions and what became of them
ladders/   who plays whom, recorded results, ratings, seasons
work/      tasks, what workers do with them, and the steward, who alone records results
keeping/   verify, backup, restore, prune, migrate
web/       pages
api/       the same for programs

Requests and the steward use the tables through functions that take an open transaction; nothing else writes to them.
"""
