"""Codenjoy's server as its players know it: addresses, pages and REST endpoints around live rooms."""
