"""Bots of the yard: uploads, versions, and what became of them."""
