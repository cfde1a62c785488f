"""Rendering draws scenes as terminal text, and makes what bots printed safe to show."""
