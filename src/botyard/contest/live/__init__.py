"""A contest to look at while it is played: standings, running games as boards, what comes next, the champion.

All of it is one snapshot, plain values for JSON, which is made only when a page asks for it. Names and titles in it are
what strangers chose: the page writes them as text, never as HTML.
"""
